"""Laws of `cr audit` that hold for any text, whatever its citations are."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.command import run

PIECES = st.sampled_from(
    [
        *("CR ", "rule ", "rules ", "§", "see ", "Comprehensive Rules ", "section "),
        *("300.1", "409.1a", "420.5C", "502.5a", "704.5aa", "100", "101.4", "a", "c", "n", "2", "999.9"),
        *("-", "–", " - ", "/", ", ", "; ", " and ", " or ", " to ", "\n// ", "(", ")", " up to "),
        *("CR 409.1a/b", "rules 409.1a–c", "CR 502.5a, b", "CR 300.1-4", "CR 409.1a -> d", "409.1[a]"),
        *("é", " ", ".", "\r\n", "\n\n", '"', "`", "**", "](x)", "Gleam", "boats", "https://", "%", "\t"),
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=20).map("".join)
FEW = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def audit(bases: Callable[[str], Path], tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """Return a function that audits the file `a.txt` with a text, and returns its findings."""

    def found(text: str | None, *options: str) -> list[dict[str, Any]]:
        if text is not None:
            (tmp_path / "a.txt").write_text(text, "utf-8", newline="")
        kb = {"VARIORUM_KB": str(bases("sample")), "VARIORUM_CACHE": str(tmp_path / "cache")}
        result = run(["audit", "a.txt", "--json", "--all", *options], folder=tmp_path, settings=kb)
        assert result.code in {0, 1}, result.err
        return list(json.loads(result.out)["findings"])

    return found


def places(text: str, finding: dict[str, Any]) -> tuple[int, int]:
    """Return the offsets of a finding; lines end as editors end them."""
    lines = [0]
    for place, sign in enumerate(text):
        if sign == "\n" or (sign == "\r" and text[place + 1 : place + 2] != "\n"):
            lines.append(place + 1)
    ends = [(finding["line"], finding["column"]), (finding["end_line"], finding["end_column"])]
    start, end = [lines[line - 1] + column - 1 for line, column in ends]
    return start, end


@FEW
@given(TEXTS, st.booleans())
def test_citations_are_where_they_say(
    audit: Callable[..., list[dict[str, Any]]], text: str, bare: bool
) -> None:
    """Citations are in order, none overlaps another, and each ends with its number as printed."""
    before = 0
    for finding in audit(text, "--as-of", "2003-02-10", *["--bare"] * bare):
        start, end = places(text, finding)
        assert before <= start < end <= len(text)
        assert text[start:end] == finding["cited"]
        printed = finding["cited"].casefold().rstrip(")]")
        number = finding["last"] or finding["number"]
        assert number.endswith(printed[-1])
        before = end


@FEW
@given(TEXTS)
def test_what_is_rewritten_is_read(
    audit: Callable[..., list[dict[str, Any]]], tmp_path: Path, text: str
) -> None:
    """After --fix each citation has its new number or its old one, and the text between is the same."""
    old = audit(text, "--as-of", "2003-02-10")
    # The same text is rewritten more than once, which is refused without a baseline.
    (tmp_path / "known.json").write_text('{"version": 1, "findings": []}')
    audit(text, "--as-of", "2003-02-10", "--fix", "--baseline", "known.json")
    fixed = (tmp_path / "a.txt").read_bytes().decode()

    new = audit(None, "--edition", "latest")

    assert len(new) == len(old)
    gaps: list[list[str]] = []
    for whole, findings in ((text, old), (fixed, new)):
        spans = [places(whole, finding) for finding in findings]
        starts, ends = [0, *[end for _, end in spans]], [*[start for start, _ in spans], len(whole)]
        gaps.append([whole[start:end] for start, end in zip(starts, ends, strict=True)])
    assert gaps[0] == gaps[1]
    for before, after in zip(old, new, strict=True):
        numbers = [before["number"], before["last"]]
        heirs = [*before["heirs"][0], None][:2] if before["heirs"] else numbers
        assert [after["number"], after["last"]] in (numbers, heirs)
