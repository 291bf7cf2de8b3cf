"""A whole edition as JSON; a whole base in memory, for questions about all provisions, and its texts, for search."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import json

from variorum.answers.editions import EditionEntry, summary_of
from variorum.answers.knowledge_base import KnowledgeBase, irregularities_of
from variorum.answers.stored import PrintedCitation, citations_of, joined
from variorum.records import edition as records
from variorum.rows import GONE, MERGED, NEW, UNCERTAIN, State, examples_of, split_body, text_of

if TYPE_CHECKING:
    from array import array

_CITED = (
    "SELECT w.word, count(DISTINCT w.provision) FROM cited w "
    "JOIN span s ON s.provision = w.provision WHERE s.first <= ? AND s.last >= ? GROUP BY w.word"
)
_MAIN = (
    "SELECT old, new FROM link WHERE old IS NOT NULL AND new IS NOT NULL "
    "AND rank = 0 AND NOT kinds & ? ORDER BY edition, new"
)


def export_edition(base: KnowledgeBase, on: str | EditionEntry = "current") -> records.Export:
    """Return a whole edition in the export format of docs/json.md."""
    place = base.edition(on).place
    return exported(base.reader.editions()[place]._asdict(), base.held(place))


def exported(row: Mapping[str, Any], states: Sequence[State]) -> records.Export:
    """Return an edition in the export format, given all columns of its row by their names."""
    provisions = list[records.ExportedProvision]()
    glossary = list[records.ExportedEntry]()
    for it in states:
        said = it.heading, text_of(it.body), examples_of(it.body)
        if it.kind == "glossary":
            glossary.append(records.ExportedEntry(*said))
        else:
            about = it.number, it.address, it.kind, *said, irregularities_of(it)
            provisions.append(records.ExportedProvision(*about))
    front = _front_matter(row)
    return records.Export(summary_of(row, records.EditionSummary), provisions, glossary, **front)


def _front_matter(row: Mapping[str, str]) -> dict[str, list[str]]:
    names = {"introduction": "introduction", "index": "index_lines", "credits": "credits"}
    return {name: json.decode(row[column], type=list[str]) for name, column in names.items()}


def ledger_of(base: KnowledgeBase, on: str | EditionEntry = "current") -> records.LedgerCounts:
    """Return the ledger of an edition's document."""
    row = base.reader.editions()[base.edition(on).place]
    return json.decode(row.ledger, type=records.LedgerCounts)


def paragraphs_of(state: State) -> Iterator[tuple[str, str, int]]:
    """Yield the paragraphs of a state in printed order: the marker, the words, and where these start.

    The marker is "Example:" and the like, "" of plain text. The start counts the code points of citations
    and terms, which have the text before the examples, whatever their printed order.
    """
    parts = split_body(state.body)
    starts = {False: 0, True: sum(len(words) + 1 for marker, words in parts if not marker)}
    for marker, words in parts:
        yield marker, words, starts[bool(marker)]
        starts[bool(marker)] += len(words) + 1


class Whole:
    """All states and citations of an open base, each read on first use."""

    def __init__(self, base: KnowledgeBase) -> None:
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
        return _front_matter(self._base.reader.editions()[edition]._asdict())


# Texts --------------------------------------------------------------------------------------------


class Outline(NamedTuple):
    """A text without its words, known by the id of its state.

    The number is "" for a glossary entry; `above` are the headings above it, the nearest first, joined by line
    feeds. `cited` counts the provisions of the edition that cite it; it is 0 without an edition.
    """

    key: int
    kind: str
    number: str
    heading: str
    above: str
    cited: int = 0


class Body(NamedTuple):
    """The words of a text: its paragraphs, and its examples, each joined by line feeds."""

    kind: str
    heading: str
    text: str
    examples: str


class Texts:
    """The texts of an open base, each once, for search."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base, self._reader = base, base.reader

    def cited_in(self, edition: int) -> dict[str, int]:
        """Return how many provisions of an edition cite each number."""
        return dict(self._reader.query(_CITED, (edition, edition)))

    def outlines_in(self, edition: int) -> list[Outline]:
        """Return the provisions of an edition in printed order, with the ids of their states as keys."""
        cited, states = self.cited_in(edition), self._base.held(edition)
        return [self._outline(state, edition, cited.get(state.number, 0)) for state in states]

    def all_outlines(self) -> list[Outline]:
        """Return the states of all editions."""
        spans = self._base.whole.spans
        return [self._outline(it, spans[it.id][0][0]) for it in self._base.whole.states.values()]

    @cached_property
    def lines(self) -> Sequence[int]:
        """Return the lineage of each state by the state's id: the id of its first ancestor.

        Only main heirs continue a lineage. Parts, copies and merged provisions begin their own.
        """
        ((count,),) = self._reader.query("SELECT count(*) FROM provision")
        ancestors = list(range(count))
        for old, new in self._reader.query(_MAIN, [MERGED | UNCERTAIN | GONE | NEW]):
            if ancestors[new] == new:
                ancestors[new] = ancestors[old]
        return ancestors

    def bodies(self, keys: Sequence[int]) -> dict[int, Body]:
        """Return the words of texts by their keys."""
        return {
            key: Body(it.kind, it.heading, text_of(it.body), "\n".join(examples_of(it.body)))
            for key, it in self._base.states.of(keys).items()
        }

    def stood(self, states: Sequence[int]) -> list[tuple[int, int]]:
        """Return the runs of editions that have at least one of some states, first to last."""
        wanted = "SELECT first, last FROM span WHERE provision IN ({}) ORDER BY first, last"
        return joined(self._reader.query_each(wanted, states))

    def _outline(self, state: State, place: int, cited: int = 0) -> Outline:
        headings, address = list[str](), state.parent
        while address:
            address, heading = next(
                (parent, heading)
                for first, last, parent, heading in self._parents[address]
                if first <= place <= last
            )
            headings += [heading] if heading else []
        above = "\n".join(headings)
        return Outline(state.id, state.kind, state.number, state.heading, above, cited)

    @cached_property
    def _parents(self) -> dict[str, list[tuple[int, int, str, str]]]:
        """Return the runs of provisions that may have others below, with parent and heading, by address."""
        parents: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
        for address, *run in self._reader.query(
            "SELECT address, first, last, parent, heading FROM provision "
            "JOIN span ON span.provision = provision.id WHERE kind IN ('chapter', 'section', 'rule')"
        ):
            parents[address].append((run[0], run[1], run[2], run[3]))
        return dict(parents)
