"""A whole base in memory, for questions about all provisions, as the website asks."""

from collections import defaultdict
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.lookup import unpacked
from variorum.rows import State, split_body
from variorum.text import bearing

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.store.reader import Reader

_SPANS = "SELECT provision, first, last FROM span ORDER BY provision, first"
_CITATIONS = (
    "SELECT provision, place, part, start, stop, title FROM citation {} ORDER BY provision, place"
)
_CITED = "SELECT provision, place, word FROM cited {} ORDER BY provision, place, rank"


class PrintedCitation(NamedTuple):
    """A printed citation.

    Attributes:
        place: From 0, among the citations of its state.
        part: "text" (with its examples) or "heading".
        start: In code points of `rows.full_text`.
        stop: The end, exclusive.
        title: The title printed after it; "" if there is none.
        numbers: All numbers that it may name. The ends of a range come first and last.
    """

    place: int
    part: str
    start: int
    stop: int
    title: str
    numbers: tuple[str, ...]


class PrintedParagraph(NamedTuple):
    """A paragraph as printed.

    Attributes:
        marker: "Example:" and the like; "" for plain text.
        text: Its words.
        start: Where the words begin, in the code points of citations and terms.
    """

    marker: str
    text: str
    start: int


class Whole:
    """All states and citations of an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        """Prepare a base; rows are loaded on demand."""
        self._reader = base.reader
        self._stored = base.states
        self.last = len(base.editions) - 1

    @cached_property
    def states(self) -> dict[int, State]:
        """Return all states by their ids."""
        return self._stored.load()

    @cached_property
    def spans(self) -> dict[int, list[tuple[int, int]]]:
        """Return the runs of editions that have each state, first to last."""
        spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for state, first, last in self._reader.query(_SPANS):
            spans[state].append((first, last))
        return dict(spans)

    @cached_property
    def citations(self) -> dict[int, tuple[PrintedCitation, ...]]:
        """Return the citations of each state that has some, as printed."""
        return citations_of(self._reader)

    @cache  # noqa: B019 - an answer lives as long as its base
    def held(self, edition: int) -> "array[int]":
        """Return the ids of an edition's states in printed order."""
        return self._reader.states_of(edition)

    def bearers(self, word: str, edition: int) -> list[int]:
        """Return the bearers of a number in an edition; if none, those that should have it."""
        return bearing(lambda key: self._at(key, edition), word)

    def front_matter(self, edition: int) -> dict[str, list[str]]:
        """Return the introduction, index and credits of an edition, in paragraphs."""
        columns = self._reader.long_columns(edition)
        return {
            "introduction": unpacked(columns["introduction"]),
            "index": unpacked(columns["index_lines"]),
            "credits": unpacked(columns["credits"]),
        }

    def _at(self, word: str, edition: int) -> list[int]:
        known = self._numbered.get(word, ())
        bearing = [state for first, last, state in known if first <= edition <= last]
        if len(bearing) > 1:
            bearing.sort(key=lambda state: self.states[state].address)
        return bearing

    @cached_property
    def _numbered(self) -> dict[str, list[tuple[int, int, int]]]:
        """Return the runs in which provisions had each number or, after "=", should have had it."""
        bearers: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        for number, state in self.states.items():
            if state.kind == "glossary":
                continue
            for first, last in self.spans[number]:
                bearers[state.number].append((first, last, number))
                if state.meant:
                    bearers[f"={state.meant}"].append((first, last, number))
        return dict(bearers)


def citations_of(
    reader: "Reader", states: "Sequence[int] | None" = None
) -> dict[int, tuple[PrintedCitation, ...]]:
    """Return the citations of some states, by default of all, as printed, by the states' ids.

    States without citations are left out.
    """
    which = "" if states is None else f"WHERE provision IN ({', '.join(map(str, states))})"
    numbers: dict[tuple[int, int], list[str]] = defaultdict(list)
    for state, place, number in reader.query(_CITED.format(which)):
        numbers[state, place].append(number)
    citations: dict[int, list[PrintedCitation]] = defaultdict(list)
    for state, place, part, start, stop, title in reader.query(_CITATIONS.format(which)):
        words = tuple(numbers[state, place])
        citations[state].append(PrintedCitation(place, part, start, stop, title, words))
    return {state: tuple(cites) for state, cites in citations.items()}


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
