"""Tables of facts."""

import hashlib
import itertools
import re
import tomllib
from datetime import date
from importlib.resources import files

from variorum_kb.facts.editions import is_known, issue_of, issues_of, known_editions


def test_editions() -> None:
    """Each date has a set code and its documents; no document is listed twice."""
    known = known_editions()

    assert list(known) == sorted(known)
    hashes = list(itertools.chain.from_iterable(facts.issues for facts in known.values()))
    assert len(hashes) == len(set(hashes))
    assert all(re.fullmatch("[0-9a-f]{64}", hash_) for hash_ in hashes)
    assert all(facts.set_code and facts.set_name for facts in known.values())


def test_editions_are_those_of_the_table() -> None:
    """Our reader of the table agrees with a TOML parser."""
    table = files("variorum_kb.facts").joinpath("editions.toml").read_text("utf-8")
    rows = tomllib.loads(table)["edition"]

    read = [
        {
            "effective": facts.effective,
            "set_code": facts.set_code,
            "set_name": facts.set_name,
            "issues": list(facts.issues),
        }
        for facts in known_editions().values()
    ]

    assert read == sorted(rows, key=lambda row: row["effective"])


def test_known_documents() -> None:
    """A document is known as an issue of its own date, or as an edition of the sample."""
    issue, unknown = known_editions()[date(2026, 8, 7)].issues[0], "0" * 64

    assert is_known(date(2026, 8, 7), issue)
    assert not is_known(date(2026, 8, 7), unknown)
    assert not is_known(date(1990, 1, 1), issue)
    sample = files("variorum_kb.sample").joinpath("2025-05-30.txt").read_bytes()
    assert is_known(date(1990, 1, 1), hashlib.sha256(sample).hexdigest())


def test_issues() -> None:
    """Issues have the order of their documents; unknown ones follow the known."""
    first, second = known_editions()[date(2026, 8, 7)].issues

    assert issue_of(date(2026, 8, 7), first) == 1
    assert issue_of(date(2026, 8, 7), second) == 2
    assert issue_of(date(2026, 8, 7), "0" * 64) == 3
    assert issue_of(date(1980, 1, 1), first) == 1
    issues = issues_of(date(2026, 8, 7), ["0" * 64, second])
    assert (issues[first], issues[second]) == (1, 2)
    assert issues["0" * 64] == max(issues.values()) == len(issues)
