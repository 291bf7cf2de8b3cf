"""Audits of real numbers say what the crosswalk says, and rewrite to its heirs alone."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import variorum
from tests.support.command import run

pytestmark = [pytest.mark.corpus, pytest.mark.usefixtures("corpus")]

EDITIONS = ("1999-04-23", "2007-05-01", "2020-06-01")
CERTAIN = 0.99


@pytest.mark.parametrize("edition", EDITIONS)
def test_audit_agrees_with_the_crosswalk(
    real: variorum.Base, bases: Callable[[str], Path], tmp_path: Path, edition: str
) -> None:
    """Each number of an old edition has the heirs that the crosswalk gives, and --fix writes the first."""
    rows = [row for row in real.crosswalk(edition) if row.old and row.old[0].isdigit()]
    # Every third is enough, and takes a few seconds.
    rows = [row for row in rows if "." in (row.old or "") and "#" not in (row.old or "")][::3]
    file = tmp_path / "a.txt"
    file.write_text("".join(f"CR {row.old}\n\n" for row in rows), "utf-8")
    settings = {"VARIORUM_KB": str(bases("real")), "VARIORUM_CACHE": str(tmp_path / "cache")}

    def audit(*options: str) -> list[dict[str, object]]:
        result = run(
            ["audit", "a.txt", "--as-of", edition, "--json", *options],
            folder=tmp_path,
            settings=settings,
        )
        return list(json.loads(result.out)["findings"])

    findings = audit("--all")
    audit("--fix")

    fixed = file.read_text("utf-8").split("\n\n")
    wrong: list[str] = []
    assert len(findings) == len(rows)
    for row, finding, text in zip(rows, findings, fixed, strict=False):
        heirs = [str(pair[0]) for pair in finding["heirs"]]  # type: ignore[attr-defined]
        numbers = [number for number in row.new if number[0].isdigit()]
        is_certain = row.confidence >= CERTAIN and finding["status"] != "uncertain"
        if is_certain and numbers == row.new and heirs[:1] != numbers[:1]:
            wrong.append(f"{row.old}: {heirs}, not {row.new}")
        if text != f"CR {row.old}" and text != f"CR {(numbers or [''])[0]}":
            wrong.append(f"{row.old}: rewritten to {text}, not {row.new}")
    assert wrong == []


@pytest.mark.parametrize(
    ("number", "day", "is_late"),
    [
        # A number of 2005 to 2009 that other rules got in 2026.
        ("601.7a", "2026-06-15", True),
        ("601.8", "2026-06-15", True),
        ("601.7b", "2026-06-15", True),
        ("601.7a", "2009-07-11", False),
        ("601.7a", "2026-08-07", False),
        # No later edition has it.
        ("725.2a", "2026-06-15", False),
    ],
)
def test_newer_than_its_date(
    bases: Callable[[str], Path], number: str, day: str, is_late: bool
) -> None:
    """A number is newer than its date if later editions with it are nearer than earlier ones."""
    result = run(
        ["audit", "-", "--as-of", day],
        settings={"VARIORUM_KB": str(bases("real"))},
        given=f"CR {number}\n".encode(),
    )

    assert ("dated before the cited number existed" in result.err) is is_late
