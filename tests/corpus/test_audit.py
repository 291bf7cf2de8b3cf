"""Audits of real numbers say what the crosswalk says, and rewrite to its heirs alone."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import variorum
from tests.support.command import run

pytestmark = [pytest.mark.corpus, pytest.mark.usefixtures("corpus")]

EDITIONS = ("1999-04-23", "2007-05-01", "2020-06-01")
CERTAIN, PART = 0.99, "only a part of it went there"


@pytest.mark.parametrize("edition", EDITIONS)
def test_audit_agrees_with_the_crosswalk(
    real: variorum.Base, bases: Callable[[str], Path], tmp_path: Path, edition: str
) -> None:
    """Each number of an old edition has the heirs that the crosswalk gives, and --fix writes the first."""
    rows = [row for row in real.crosswalk(edition) if row.old and row.old[0].isdigit()]
    # Every third is enough, and takes a few seconds.
    rows = [row for row in rows if "." in (row.old or "") and "#" not in (row.old or "")][::3]
    (file := tmp_path / "a.txt").write_text("".join(f"CR {row.old}\n\n" for row in rows), "utf-8")
    settings = {"VARIORUM_KB": str(bases("real")), "VARIORUM_CACHE": str(tmp_path / "cache")}

    def audit(*options: str) -> list[dict[str, object]]:
        typed = ["audit", "a.txt", "--as-of", edition, "--json", *options]
        result = run(typed, folder=tmp_path, settings=settings)
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
        if finding["why"] == PART and text != f"CR {row.old}":
            wrong.append(f"{row.old}: rewritten to {text}, although only a part went there")
    assert wrong == []
    assert PART in [finding["why"] for finding in findings]
