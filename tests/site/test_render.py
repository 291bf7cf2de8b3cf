"""The environment of templates."""

from pathlib import Path

import jinja2
import pytest

from variorum_site import urls
from variorum_site.render import NOTICE, render, templates


def test_strict() -> None:
    """A missing value in a template is an error, never a blank."""
    with pytest.raises(jinja2.UndefinedError):
        render("matter", urls.HOME, title="Credits", paragraphs=[])


def test_escaped() -> None:
    """Values are words, not markup."""
    template = templates().from_string("{{ words }}")

    assert template.render(words="<b>") == "&lt;b&gt;"


def test_notice_is_ours() -> None:
    """Every page has the notice of the file NOTICE."""
    whole = (Path(__file__).parents[2] / "NOTICE").read_text("utf-8")
    assert whole.partition("\n")[0] == NOTICE
