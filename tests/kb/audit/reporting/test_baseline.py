"""Findings that a baseline records."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.kb.audit.audited import FINDING
from variorum_kb.audit.reporting.baseline import (
    Baseline,
    entry_of,
    fingerprint,
    line_mark,
    load_baseline,
    write_baseline,
)
from variorum_kb.errors import NotReadableError, NotWritableError, SettingsError

if TYPE_CHECKING:
    from variorum_kb.forms.audit import AuditFindingJson


def mark(words: str = "see CR 300.1", /, **others: object) -> str:
    """Return the mark of a finding that differs from ours."""
    finding: AuditFindingJson = {**FINDING, **others}  # type: ignore[typeddict-item] # as named
    return fingerprint(finding, line_mark(words))


def test_same_wherever_it_moves() -> None:
    """A finding is recognised on another line, further right, or with other blanks or case."""
    moved = mark("\t see   CR 300.1 \r", line=9, column=1, end_line=9, end_column=9)

    assert moved == mark()
    assert len(moved) == len(line_mark("")) == 16
    assert (
        mark(was="", now_means=None, why="x", confidence=0.5, as_of=None, cited="cr 300.1")
        == mark()
    )


def test_other_findings() -> None:
    """With another line, number, outcome or heir, it is another finding."""
    others = [
        mark("see rule CR 300.1"),
        mark(number="300.2"),
        mark(last="300.2"),
        mark(status="renumbered"),
        mark(heirs=[["500.2"]]),
        mark(heirs=[]),
        mark(heirs=[["500.1"], ["500.2"]]),
    ]

    assert len({*others, mark()}) == len(others) + 1


def test_any_line() -> None:
    """Lines that cannot be encoded as text have marks of their own."""
    assert len({mark("caf\udce9"), mark("\ud800"), mark("café"), mark("")}) == 4


def test_each_as_often_as_it_was_found() -> None:
    """If a finding occurs once more, that one is new."""
    entry, two = entry_of(FINDING, "a", "1"), entry_of(FINDING, "a", "2")
    baseline = Baseline([entry, entry, two])
    baseline.look_into("a")

    known = [baseline.knows("a", mark) for mark in ("1", "1", "1", "3")]

    assert known == [True, True, False, False]
    assert not baseline.knows("b", "2")
    assert (baseline.left, baseline.others) == (1, [])


def test_files_that_were_not_audited() -> None:
    """Findings in files that were not audited stay in the baseline, and do not count as fixed."""
    entries = [entry_of(FINDING, file, "1") for file in ("a", "b")]
    baseline = Baseline(entries)
    baseline.look_into("a")
    baseline.look_into("c")

    assert (baseline.left, baseline.others) == (1, entries[1:])


def test_round_trip(tmp_path: Path) -> None:
    """Findings written to a baseline are known when it is read."""
    file = tmp_path / "known.json"
    odd: AuditFindingJson = {**FINDING, "cited": "CR 502.5a\udc96b"}
    entries = [
        entry_of(FINDING, "in/a.txt", "1"),
        entry_of(FINDING, "in/a.txt", "1"),
        entry_of(odd, "caf\udce9.txt", "2"),
    ]

    count = write_baseline(file, entries)

    baseline = load_baseline(file)
    assert count == 3
    assert baseline.others == [entries[2], *entries[:2]]
    assert [baseline.knows("in/a.txt", "1") for _ in range(3)] == [True, True, False]
    assert baseline.knows("caf\udce9.txt", "2")


def test_file(tmp_path: Path) -> None:
    """The file has a line for each finding, in order, so that people can review it."""
    file = tmp_path / "known.json"

    quoted: AuditFindingJson = {**FINDING, "cited": "„CR 300.1”"}
    write_baseline(
        file,
        [entry_of(finding, "in/a.txt", mark) for finding, mark in ((FINDING, "1"), (quoted, "2"))],
    )

    assert file.read_text("utf-8") == (
        '{"version": 1, "findings": [\n'
        '{"file": "in/a.txt", "cited": "CR 300.1", "status": "another provision", "mark": "1"},\n'
        '{"file": "in/a.txt", "cited": "„CR 300.1”", "status": "another provision", "mark": "2"}\n'
        "]}\n"
    )
    assert list(tmp_path.iterdir()) == [file]


def test_nothing_found(tmp_path: Path) -> None:
    """Without findings, an empty baseline is written and read."""
    file = tmp_path / "known.json"

    assert write_baseline(file, []) == 0
    assert json.loads(file.read_text("utf-8")) == {"version": 1, "findings": []}
    assert load_baseline(file).left == 0


@pytest.mark.parametrize(
    "text",
    [
        *("", "CR 702.9", "[]", "null", "1", '"x"', "{}", "{", "[" * 100_000, "\udcff"),
        *('{"version": 1}', '{"version": 1, "findings": 1}', '{"version": 1, "findings": [1]}'),
        *('{"version": 1, "findings": "x"}', '{"version": 1, "findings": [{"file": "a"}]}'),
        '{"version": 1, "findings": {"a": 1}}',
    ],
    ids=lambda text: repr(text[:40]),
)
def test_error_no_baseline(tmp_path: Path, text: str) -> None:
    """A file that is no baseline is refused."""
    file = tmp_path / "known.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(SettingsError) as caught:
        load_baseline(file)

    assert str(caught.value) == f"{file}: not a baseline; cr audit --write-baseline creates one"


def test_error_other_version(tmp_path: Path) -> None:
    """A baseline of another version is not taken for ours."""
    file = tmp_path / "known.json"
    file.write_text('{"version": 2, "findings": []}', "utf-8")

    with pytest.raises(SettingsError) as caught:
        load_baseline(file)

    assert str(caught.value) == (
        f"{file}: a baseline of version 2; cr audit --write-baseline creates one"
    )


@pytest.mark.parametrize(
    ("name", "why"), [("none.json", "No such file or directory"), (".", "Is a directory")]
)
def test_error_no_file(tmp_path: Path, name: str, why: str) -> None:
    """For a missing baseline, the error says how to make one."""
    file = tmp_path / name

    with pytest.raises(NotReadableError) as caught:
        load_baseline(file)

    assert str(caught.value) == f"{file}: {why}; cr audit --write-baseline creates one"


def test_error_not_writable(tmp_path: Path) -> None:
    """If a baseline cannot be written, the error says so."""
    file = tmp_path / "none" / "known.json"

    with pytest.raises(NotWritableError) as caught:
        write_baseline(file, [])

    assert str(caught.value) == f"{file}: cannot be written: No such file or directory"
