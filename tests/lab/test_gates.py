"""The gates see a change of words, of an heir, of a reading and of an address; the rest they list."""

from pathlib import Path
from typing import Any

import pytest

from lab import gates

OLD, NEW = "2009-05-01", "2009-07-11"


def step(
    old: str | None, *new: str, kinds: str = "kept", how: float | None = 1.0
) -> dict[str, Any]:
    """Return a row of `cr crosswalk`; without a confidence, it was read."""
    read = [] if how else [{"edition": NEW}]
    return {
        "old": old,
        "new": [*new],
        "kinds": kinds.split(),
        "confidence": how or 0.98,
        "read": read,
    }


WAS = [
    step("100.1", "100.1"),
    step("100.2", "100.2a", "100.2", kinds="renumbered split", how=None),
    step("100.3", "100.3", how=0.7),
    step(None, "100.4", kinds="new"),
]


def compared(*now: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the differences from `WAS`, of which rows about the same provision are replaced."""
    asked = {row["old"] or row["new"][0]: row for row in [*WAS, *now]}
    was, changed = (gates.step_rows(OLD, NEW, rows) for rows in (WAS, asked.values()))
    return [*gates.compare("steps", was, changed)]


def test_certainly_kept_steps_need_no_row() -> None:
    """Steps are stored, except for what is kept and certain."""
    assert gates.step_rows(OLD, NEW, WAS) == {
        f"{OLD} {NEW} 100.2": "r 100.2a; 100.2 (renumbered, split)",
        f"{OLD} {NEW} 100.3": "o 100.3 (kept)",
        f"{OLD} {NEW} (new) 100.4": "s 100.4 (new)",
    }


@pytest.mark.parametrize(
    ("now", "line"),
    [
        (
            step("100.1", "100.5", kinds="renumbered", how=0.6),
            "100.1: was 100.1 (kept), certain; is 100.5 (renumbered), not certain",
        ),
        (
            step("100.2", "100.2", "100.2a", kinds="renumbered split", how=None),
            "100.2: was 100.2a; 100.2 (renumbered, split), read; is 100.2; 100.2a (renumbered, split), read",
        ),
        (
            step("100.2", "100.2a", "100.2", kinds="renumbered split"),
            "100.2: was 100.2a; 100.2 (renumbered, split), read; is 100.2a; 100.2 (renumbered, split), certain",
        ),
    ],
)
def test_steps_that_fail(now: dict[str, Any], line: str) -> None:
    """Another answer where it was certain or read fails, and so does the loss of a reading."""
    assert compared(now) == [("steps", f"{OLD} {NEW} {line}")]


def test_steps_that_are_listed() -> None:
    """Another answer where none was certain is listed; a change of confidence alone is not."""
    new = f"{OLD} {NEW} (new) 100.3: was not new, not certain; is 100.3 (new), certain"
    told = compared(step("100.3", kinds="gone"), step(None, "100.3", kinds="new"))

    assert compared(step("100.1", "100.1", how=0.5), step("100.3", "100.3")) == []
    assert told == [(gates.LISTED, new)]


def test_words_and_addresses(capsys: pytest.CaptureFixture[str]) -> None:
    """A changed word changes the digests of its section and its edition; missing pages are named."""
    tables = [gates.digests(NEW, [("1", ["a"]), ("2", [word])]) for word in ("b", "c")]
    differences = [*gates.compare("provisions", *tables)]
    differences += gates.compare("addresses", {"a.html": ""}, {"b.html": ""})

    assert [line.split(":")[0] for _, line in differences[:2]] == [NEW, f"{NEW} 2"]
    assert gates.say(differences, 1) == 1
    assert capsys.readouterr().out.splitlines()[3:6] == [
        "addresses: 2 differ",
        "  a.html: no longer there",
        "  … and 1 more; ARGS=--all shows them",
    ]


def test_tables_survive_being_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is read as it was written; writing it again changes no byte."""
    monkeypatch.setattr(gates, "TABLES", tmp_path / "gates")
    gates.write_table("addresses", {"b": "", "a": "1"})
    written = (tmp_path / "gates" / "addresses.tsv.xz").read_bytes()
    gates.write_table("addresses", {"a": "1", "b": ""})

    assert gates.read_table("addresses") == {"a": "1", "b": ""}
    assert (tmp_path / "gates" / "addresses.tsv.xz").read_bytes() == written
