"""Divides the data for comparing editions into parts, so that a rule needs few of them.

A provision is in the same part as its predecessor. Without a predecessor, it is in the part of its
number or, in the glossary, of its first letter. So a later edition moves no provision to another
part.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.permalinks import slug_of
from variorum.rows import NEW, State
from variorum_site.page_index import GLOSSARY

_NUMBER = re.compile(r"(?P<section>\d+)(?:\.(?P<rule>\d+))?")
# A long section has a block for every so many rules.
_RULES = 10


def block_of(number: str) -> str:
    """Return the block of numbers that a number belongs to.

    >>> [block_of(number) for number in ("7", "702", "702.9b", "702.19b", "306.b")]
    ['700', '702', '702', '702.1', '306']
    """
    match = _NUMBER.match(number)
    section = match["section"] if match else "0"
    tens = int(match["rule"] or 0) // _RULES if match else 0
    block = section if len(section) > 1 else f"{section}00"
    return f"{block}.{tens}" if tens else block


def chapter_of(part: str) -> str:
    """Return the chapter that a part belongs to.

    >>> [chapter_of(part) for part in ("702.1", "306", "b")]
    ['7', '3', 'glossary']
    """
    return part[0] if part[0].isdigit() else "glossary"


class HeirLink(NamedTuple):
    """A link from a provision to an heir.

    Attributes:
        edition: The first edition with the heir.
        source: The last edition with the provision.
        old: The id of the provision's state.
        new: The id of the heir's state; None if the provision was removed.
        bits: What happened, see rows.STEP_KINDS.
    """

    edition: int
    source: int
    old: int
    new: int | None
    bits: int


class Parts:
    """The parts of a base.

    Attributes:
        names: The names of the parts, sorted.
        of: The name of the part of each state, by the state's id.
        origins: The predecessor of each state, by the state's id; None if there is none.
    """

    def __init__(self, base: KnowledgeBase) -> None:
        """Divide the states of a base."""
        self._base = base
        self._states = base.whole.states
        self.of: dict[int, str] = {}
        self.origins: dict[int, int | None] = {}
        # Ids ascend with the editions that first have the states.
        for state in range(len(self._states)):
            first = base.whole.spans[state][0][0]
            into = base.lineages.into(state, first)
            self.origins[state] = into[0].old if into else None
            self.of[state] = self._part(state)
        self.names = sorted(set(self.of.values()))

    def _part(self, state: int) -> str:
        row, old = self._states[state], self.origins[state]
        if old is not None and (self._states[old].kind == GLOSSARY) == (row.kind == GLOSSARY):
            return self.of[old]
        return _letter_of(row) if row.kind == GLOSSARY else block_of(row.address)

    @cached_property
    def links(self) -> list[HeirLink]:
        """Return all links, in the order in which they are followed, except those to new provisions."""
        by_edition = self._base.links.load().by_edition
        return [
            HeirLink(link.edition, link.source, link.old, link.new, link.bits)
            for place in range(len(self._base.editions))
            for link in by_edition.get(place, ())
            if link.old is not None and not link.bits & NEW
        ]

    def needed(self) -> dict[str, list[int]]:
        """Return the places of the parts that comparing any number of a block needs.

        These parts have all provisions that had such a number, their predecessors, and all heirs of
        these.
        """
        bits = {name: 1 << place for place, name in enumerate(self.names)}
        masks = {state: bits[part] for state, part in self.of.items()}
        led = [(link.old, link.new) for link in self.links if link.new is not None]
        _spread(masks, [(old, new) for old, new in reversed(led)])
        _spread(masks, [(new, old) for old, new in led])
        blocks: dict[str, int] = defaultdict(int)
        for state, mask in masks.items():
            if self._states[state].kind != GLOSSARY:
                blocks[block_of(self._states[state].address)] |= mask
        return {
            block: [place for place in range(len(self.names)) if blocks[block] >> place & 1]
            for block in sorted(blocks)
        }


def _spread(masks: dict[int, int], pairs: Sequence[tuple[int, int]]) -> None:
    """Give each state the parts of the states that it is paired with, until nothing changes."""
    is_done = False
    while not is_done:
        is_done = True
        for state, paired in pairs:
            mask = masks[state] | masks[paired]
            if mask != masks[state]:
                masks[state] = mask
                is_done = False


def _letter_of(row: State) -> str:
    letter = slug_of(row.heading)[:1]
    return letter if letter.isalpha() else "0"


def runs_of(ids: Iterable[int]) -> list[int]:
    """Return ascending ids as runs: repeatedly, how many ids to skip, then how many to include.

    >>> runs_of([3, 4, 5, 9])
    [3, 3, 3, 1]
    """
    runs: list[int] = []
    due = 0
    for number in ids:
        if number == due and runs:
            runs[-1] += 1
        else:
            runs += [number - due, 1]
        due = number + 1
    return runs
