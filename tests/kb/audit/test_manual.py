"""The promises of docs/audit.md and of the hooks hold."""

import re
from pathlib import Path

import pytest

from variorum_kb.answers.through_time.citation_statuses import CURRENT, STATUSES
from variorum_kb.audit.reporting.verdict_levels import LEVELS
from variorum_kb.audit.settings import DatedFiles, load_settings
from variorum_kb.cli.commands.audit import audit

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "audit.md").read_text("utf-8")


def test_settings_of_the_page(tmp_path: Path) -> None:
    """All settings on the page are understood."""
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "pyproject.toml"
    file.write_text(block, "utf-8")

    settings = load_settings(file)

    assert (settings.blame, settings.as_of, settings.prefixes) == (False, "2024-02-02", ("MTR",))
    assert settings.dated == (DatedFiles(("docs/old/",), "M10"),)
    assert settings.baseline == tmp_path / "audit-baseline.json"


def test_options_of_the_page() -> None:
    """All options on the page and in the hooks exist."""
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    lines = re.findall(r"cr audit\b[^\n`]*", PAGE + hooks)
    named = {match for line in lines for match in re.findall(r"--[a-z][a-z-]*", line)}
    known = {opt for param in audit.params for opt in (*param.opts, *param.secondary_opts)}

    assert named
    assert named - known == set()


@pytest.mark.parametrize("name", ["action.yml", ".pre-commit-hooks.yaml"])
def test_plain_scalars(name: str) -> None:
    """No unquoted YAML text has a colon and a blank, which would be a mapping."""
    lines = (ROOT / name).read_text("utf-8").splitlines()
    texts = [line.partition("description: ")[2] for line in lines if "description: " in line]

    assert texts
    assert [text for text in texts if ": " in text and text[0] not in "\"'"] == []


def test_statuses_of_the_page() -> None:
    """The table has each status with its level, in order."""
    rows = re.findall(r"^\| ([a-z ]+) \| [^|]+ \| ([a-z]*) ?\|$", PAGE, re.MULTILINE)
    levels = [(status, "" if status == CURRENT else LEVELS[status]) for status in STATUSES]

    assert [row for row in rows if row[0] in STATUSES] == levels
