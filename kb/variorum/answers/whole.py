"""A whole base in memory, for questions about all provisions, as the website asks."""

import json
from collections import defaultdict
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.stored import PrintedCitation, Stored, citations_of
from variorum.rows import State, split_body

if TYPE_CHECKING:
    from array import array

_SPANS = "SELECT provision, first, last FROM span ORDER BY provision, first"


class Whole:
    """All states and citations of an open base, each read on first use."""

    def __init__(self, base: Stored) -> None:
        self._base = base
        self.last = len(base.editions) - 1

    @cached_property
    def states(self) -> dict[int, State]:
        """Return all states by their ids."""
        return self._base.states.load()

    @cached_property
    def spans(self) -> dict[int, list[tuple[int, int]]]:
        """Return the runs of editions that have each state, first to last."""
        spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for state, first, last in self._base.reader.query(_SPANS):
            spans[state].append((first, last))
        return dict(spans)

    @cached_property
    def citations(self) -> dict[int, tuple[PrintedCitation, ...]]:
        """Return the citations of each state that has some, as printed."""
        return citations_of(self._base.reader)

    @cache  # noqa: B019 - an answer lives as long as its base
    def held(self, edition: int) -> "array[int]":
        """Return the ids of an edition's states in printed order."""
        return self._base.reader.states_of(edition)

    def bearers(self, word: str, edition: int) -> list[int]:
        """Return the bearers of a number in an edition; if none, those that should have it."""
        return [state.id for state in self._base.bearers(word, edition)]

    def front_matter(self, edition: int) -> dict[str, list[str]]:
        """Return the introduction, index and credits of an edition, in paragraphs."""
        columns = self._base.editions[edition].row
        names = {"introduction": "introduction", "index": "index_lines", "credits": "credits"}
        return {name: json.loads(columns[column]) for name, column in names.items()}


class PrintedParagraph(NamedTuple):
    """A paragraph as printed.

    The marker is "Example:" and the like, "" of plain text; the words start in the code points of citations
    and terms.
    """

    marker: str
    text: str
    start: int


def paragraphs_of(state: State) -> list[PrintedParagraph]:
    """Return the paragraphs of a state in printed order."""
    parts = split_body(state.body)
    # Offsets count the text before the examples, whatever their printed order.
    text = 0
    example = sum(len(words) + 1 for marker, words in parts if not marker)
    paragraphs: list[PrintedParagraph] = []
    for marker, words in parts:
        paragraphs.append(PrintedParagraph(marker, words, example if marker else text))
        if marker:
            example += len(words) + 1
        else:
            text += len(words) + 1
    return paragraphs
