"""A whole edition as JSON, and a whole base in memory, for questions about all provisions."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import json

from variorum.answers.editions import EditionEntry, summary_of
from variorum.answers.stored import PrintedCitation, citations_of
from variorum.answers.subject import irregularities_of
from variorum.records.edition import (
    EditionSummary,
    Export,
    ExportedEntry,
    ExportedProvision,
    LedgerCounts,
)
from variorum.rows import State, examples_of, split_body, text_of

if TYPE_CHECKING:
    from array import array

    from variorum.answers.knowledge_base import KnowledgeBase


def export_edition(base: "KnowledgeBase", on: str | EditionEntry = "current") -> Export:
    """Return a whole edition in the export format of docs/json.md."""
    place = base.edition(on).place
    return exported(base.reader.editions()[place]._asdict(), base.held(place))


def exported(row: Mapping[str, Any], states: Sequence[State]) -> Export:
    """Return an edition in the export format, given all columns of its row by their names."""
    provisions = [
        ExportedProvision(
            number=state.number,
            address=state.address,
            kind=state.kind,
            heading=state.heading,
            text=text_of(state.body),
            examples=examples_of(state.body),
            irregularities=irregularities_of(state),
        )
        for state in states
        if state.kind != "glossary"
    ]
    glossary = [
        ExportedEntry(state.heading, text_of(state.body), examples_of(state.body))
        for state in states
        if state.kind == "glossary"
    ]
    return Export(summary_of(row, EditionSummary), provisions, glossary, **front_matter(row))


def front_matter(row: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the introduction, index and credits of an edition, given its row."""
    names = {"introduction": "introduction", "index": "index_lines", "credits": "credits"}
    return {name: json.decode(row[column]) for name, column in names.items()}


def ledger_of(base: "KnowledgeBase", on: str | EditionEntry = "current") -> LedgerCounts:
    """Return the ledger of an edition's document."""
    return json.decode(base.reader.editions()[base.edition(on).place].ledger, type=LedgerCounts)


class Whole:
    """All states and citations of an open base, each read on first use."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base

    @cached_property
    def states(self) -> dict[int, State]:
        return self._base.states.load()

    @cached_property
    def spans(self) -> dict[int, list[tuple[int, int]]]:
        spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        wanted = "SELECT provision, first, last FROM span ORDER BY provision, first"
        for state, first, last in self._base.reader.query(wanted):
            spans[state].append((first, last))
        return dict(spans)

    def runs(self) -> Iterator[tuple[int, int, int]]:
        """Yield each state with its runs of editions, divided where another provision took it over."""
        for state in self.states:
            for span in self.spans[state]:
                for first, last in self._base.lineages.divided(state, *span):
                    yield state, first, last

    @cached_property
    def citations(self) -> dict[int, tuple[PrintedCitation, ...]]:
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
        return front_matter(self._base.reader.editions()[edition]._asdict())


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
    starts = {False: 0, True: sum(len(words) + 1 for marker, words in parts if not marker)}
    paragraphs: list[PrintedParagraph] = []
    for marker, words in parts:
        paragraphs.append(PrintedParagraph(marker, words, starts[bool(marker)]))
        starts[bool(marker)] += len(words) + 1
    return paragraphs
