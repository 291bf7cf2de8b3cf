"""Rules for pasting into a chat, a wiki or a web page: short, escaped, with day and link."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.main import main
from variorum_kb.cli.pages import quotations
from variorum_kb.cli.pages.quotations import FORMS, set_linked

SITE = "https://rules.example/"


@pytest.mark.parametrize("form", FORMS)
def test_every_provision_is_short_with_link_and_day(base: KnowledgeBase, form: str) -> None:
    """Each provision of each edition fits a Discord message, with its edition and number."""
    for edition in base.editions[::4]:
        for provision in base.provisions(edition):
            text = set_linked(form, [provision], SITE)

            assert len(text) <= 2000
            assert (
                f"Comprehensive Rules, {edition.label}" in text
                or f">{edition.label}</time>" in text
            )
            assert f"{SITE}{edition.label}/" in text
            assert "Example:" not in text
            if form == "html":
                assert ET.fromstring(text).tag == "blockquote"  # noqa: S314 - our own


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        (
            "discord",
            "a *b* _c_ `d` @everyone [e](f) # <@1>",
            "a \\*b\\* \\_c\\_ \\`d\\` @\u200beveryone \\[e\\](f) \\# \\<@\u200b1\\>",
        ),
        ("wiki", "plain words", "plain words"),
        ("wiki", "{{x}} [[y]] ''z''</nowiki>", "<nowiki>{{x}} [[y]] ''z''&lt;/nowiki&gt;</nowiki>"),
        ("html", "a < b & c", "a &lt; b &amp; c"),
    ],
)
def test_markup_is_escaped(form: str, text: str, expected: str) -> None:
    """Characters that are markup in a chat, a wiki or HTML are escaped."""
    (setter,) = [getattr(quotations, f"_set_{form}")]

    assert expected in setter([("1.1", "", [text])], SITE, "2025-05-30")


def test_the_command(sample_base: Path) -> None:
    """The command links to the website in the environment variable, else to the publisher's page."""
    asked = ["--kb", str(sample_base), "511.2", "--on", "2008-06-20", "--format"]
    runner = CliRunner()
    discord = runner.invoke(
        main, ["show", *asked, "discord"], env={"VARIORUM_SITE": "https://rules.example"}
    )
    html = runner.invoke(main, ["show", *asked, "html"])
    both = runner.invoke(main, ["show", *asked, "wiki", "--json"])

    assert discord.stdout.endswith(
        "-# [Comprehensive Rules, 2008-06-20](<https://rules.example/2008-06-20/5/#511.2>)\n"
    )
    assert discord.stdout.startswith("> **511.2** If a card")
    assert "https://magic.wizards.com/en/rules" in html.stdout
    assert (both.exit_code, "cannot be used together" in both.output) == (2, True)
