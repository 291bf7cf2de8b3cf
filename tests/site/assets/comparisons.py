"""Comparisons by the command, in the form of the script's answers."""

import json
from collections.abc import Sequence
from typing import Any

from variorum_kb.answers.between_editions.change_finder import find_changes
from variorum_kb.answers.between_editions.changes import TYPOGRAPHIC, Change, summary
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import NoEditionError
from variorum_kb.rows import Row, name_of


def by_the_command(base: KnowledgeBase, pair: tuple[int, int]) -> list[Any]:
    """Return the answer of `cr diff`: the summary, and each change with its word diff."""
    edition, second = (base.editions[place] for place in pair)
    changes = find_changes(base, edition, second)
    counts: dict[str, Any] = dict(summary(changes))
    del counts["from_edition"], counts["to_edition"], counts["doubts"]
    answer = [counts, [_told(change) for change in changes.all]]
    found_: list[Any] = json.loads(json.dumps(answer))
    return found_


def _told(change: Change) -> list[Any]:
    pieces = change.pieces(exactly=change.change == TYPOGRAPHIC)
    return [
        _name(change.old),
        _name(change.new),
        [_name(row) for row in change.others],
        change.bits,
        change.change,
        change.is_part,
        [list(piece) for piece in pieces],
    ]


def _name(row: Row | None) -> str | None:
    return None if row is None else name_of(row)


def designators(base: KnowledgeBase) -> list[str]:
    """Return words that name editions, and some that name none."""
    words = ["first", "latest", "current", " Latest ", "", "xyz", "1990-01-01", "2999-12-31"]
    words += ["last", "Newest", "oldest", "now", "20080620", "20081332", "00000101"]
    words += ["2007-02-30", "2007-2-3", "2007-10-01.7", "2010-06-15", "0000-01-01"]
    words += [
        "2008",
        "1990",
        "2010-01",
        "2010-1",
        "2010-13",
        "2010/06/15",
        "2010/1",
        "2010/2/30",
        "june 2008",
        "2008 June",
        "0000",
    ]
    words += [
        "June 20th, 2008",
        "19 june 2008",
        "Sept. 2009",
        "june",
        "june 31 2008",
        "june may 2008",
    ]
    for edition in base.editions:
        words += [part for part in edition.set_name.split() if len(part) > 1]
        day = edition.effective.isoformat()
        words += [edition.label, day, f"{day}.{edition.issue}", f"{day}.9"]
        words += [edition.set_code.lower(), edition.set_name]
    return words


def named_by_the_command(base: KnowledgeBase, words: Sequence[str]) -> list[int]:
    """Return the same from the base."""
    return [_place(base, word) for word in words]


def _place(base: KnowledgeBase, word: str) -> int:
    try:
        return base.edition(word).place
    except NoEditionError:
        return -1
