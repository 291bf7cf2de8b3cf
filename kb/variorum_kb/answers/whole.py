"""A whole base in memory: for who asks about everything at once, as the website does."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from variorum_kb.answers.lineage import Lineages, Link, origins
from variorum_kb.answers.lookup import unpacked
from variorum_kb.answers.witnesses import LoadedWitnesses
from variorum_kb.rows import State, split_body
from variorum_kb.store.reader import Reader
from variorum_kb.text.keys import bearing

if TYPE_CHECKING:
    from array import array

_SPANS = "SELECT provision, first, last FROM span ORDER BY provision, first"
_CITATIONS = (
    "SELECT provision, place, part, start, stop, title FROM citation ORDER BY provision, place"
)
_CITED = "SELECT provision, place, word FROM cited ORDER BY provision, place, rank"


class PrintedCitation(NamedTuple):
    """A printed citation.

    Attributes:
        place: From 0 among those of its state.
        part: "text" (with its examples) or "heading".
        start: In code points, see `rows.full_text`.
        stop: Likewise, exclusive.
        title: Printed behind it; "" without one.
        numbers: All that it may name, the ends outermost.
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
        marker: "Example:" and the like, "" of plain text.
        text: Its words.
        start: Where they begin in what the offsets of citations and terms count in.
    """

    marker: str
    text: str
    start: int


class LoadedLineages(Lineages):
    """The links of a base, all in memory; each question costs what looking into a table costs."""

    def __init__(self, reader: Reader, last: int, states: Mapping[int, State]) -> None:
        """Load all links."""
        super().__init__(reader, last)
        self._loaded = states
        self._into: dict[int, list[Link]] = defaultdict(list)
        self._out_of: dict[int, list[Link]] = defaultdict(list)
        for links in self.by_edition.values():
            for link in links:
                if link.new is not None:
                    self._into[link.new].append(link)
                if link.old is not None:
                    self._out_of[link.old].append(link)

    def into(self, state: int, edition: int) -> list[Link]:
        """Return the links that led to a state which an edition holds, the main one first."""
        found = [link for link in self._into.get(state, ()) if link.edition <= edition]
        last = max((link.edition for link in found), default=0)
        return origins([link for link in found if link.edition == last])

    def out_of(self, state: int, edition: int) -> list[Link]:
        """Return the links that lead away from a state which an edition holds, main heir first."""
        found = [link for link in self._out_of.get(state, ()) if link.source >= edition]
        if not found:
            return found
        found.sort(key=_by_edition)
        first = [link for link in found if link.edition == found[0].edition]
        source = found[0].source
        back = [link for link in found if link.edition > source + 1 and link.source == source]
        return [*first, *back]

    def step(self, state: int, link: Link) -> list[Link]:
        """Return all links of the step that a link belongs to."""
        found = [
            one
            for one in self._out_of.get(state, ())
            if (one.edition, one.source) == (link.edition, link.source)
        ]
        return sorted(found, key=_by_edition)

    def states(self, numbers: Iterable[int]) -> dict[int, State]:
        """Return states by their ids."""
        return {number: self._loaded[number] for number in numbers}

    def begins(self, state: int) -> list[int]:
        """Return the places of the editions into which links lead to a state, in order."""
        return sorted({link.edition for link in self._into.get(state, ())})


class Whole:
    """All states, links and citations of an open base."""

    def __init__(self, reader: Reader, last: int) -> None:
        """Prepare a base whose last edition has some place; what is asked for is loaded."""
        self._reader = reader
        self.last = last

    @cached_property
    def states(self) -> dict[int, State]:
        """Return all states by their ids."""
        return self._reader.all_states()

    @cached_property
    def lineages(self) -> LoadedLineages:
        """Return all links."""
        return LoadedLineages(self._reader, self.last, self.states)

    @cache  # noqa: B019 - a base and its answers go together
    def witnesses(self, labels: tuple[str, ...]) -> LoadedWitnesses:
        """Return all witnesses, of a base whose editions are called so."""
        return LoadedWitnesses(self._reader, self.lineages, labels)

    @cached_property
    def spans(self) -> dict[int, list[tuple[int, int]]]:
        """Return the runs of editions that hold each state, first to last."""
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for state, first, last in self._reader.query(_SPANS):
            found[state].append((first, last))
        return dict(found)

    @cached_property
    def citations(self) -> dict[int, tuple[PrintedCitation, ...]]:
        """Return the citations of each state that has some, as printed."""
        numbers: dict[tuple[int, int], list[str]] = defaultdict(list)
        for state, place, number in self._reader.query(_CITED):
            numbers[state, place].append(number)
        found: dict[int, list[PrintedCitation]] = defaultdict(list)
        for state, place, part, start, stop, title in self._reader.query(_CITATIONS):
            words = tuple(numbers[state, place])
            found[state].append(PrintedCitation(place, part, start, stop, title, words))
        return {state: tuple(cites) for state, cites in found.items()}

    @cache  # noqa: B019 - a base and its answers go together
    def held(self, edition: int) -> "array[int]":
        """Return the ids of an edition's states in printed order."""
        return self._reader.states_of(edition)

    def bearers(self, word: str, edition: int) -> list[int]:
        """Return who bears a number in an edition, or, where nobody does in print, who should."""
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
        found = [state for first, last, state in known if first <= edition <= last]
        if len(found) > 1:
            found.sort(key=lambda state: self.states[state].address)
        return found

    @cached_property
    def _numbered(self) -> dict[str, list[tuple[int, int, int]]]:
        """Return who bore a number when; behind "=" who should have."""
        found: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        for number, state in self.states.items():
            if state.kind == "glossary":
                continue
            for first, last in self.spans[number]:
                found[state.number].append((first, last, number))
                if state.meant:
                    found[f"={state.meant}"].append((first, last, number))
        return dict(found)


def paragraphs_of(state: State) -> list[PrintedParagraph]:
    """Return the paragraphs of a state in printed order."""
    parts = split_body(state.body)
    # Offsets count the text first and then the examples, wherever these stand.
    text = 0
    example = sum(len(words) + 1 for marker, words in parts if not marker)
    found: list[PrintedParagraph] = []
    for marker, words in parts:
        found.append(PrintedParagraph(marker, words, example if marker else text))
        if marker:
            example += len(words) + 1
        else:
            text += len(words) + 1
    return found


def _by_edition(link: Link) -> tuple[int, int]:
    return link.edition, link.rank
