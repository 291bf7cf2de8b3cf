"""All texts of a base, each once, for search."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.stored import joined
from variorum.rows import GONE, MERGED, NEW, UNCERTAIN, State, examples_of, text_of
from variorum.rule_numbers import is_below
from variorum.text import plain_signs

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_CITED = (
    "SELECT w.word, count(DISTINCT w.provision) FROM cited w "
    "JOIN span s ON s.provision = w.provision WHERE s.first <= ? AND s.last >= ? GROUP BY w.word"
)
_PARENTS = (
    "SELECT address, first, last, parent, heading FROM provision "
    "JOIN span ON span.provision = provision.id WHERE kind IN ('chapter', 'section', 'rule')"
)
_MAIN = (
    "SELECT old, new FROM link WHERE old IS NOT NULL AND new IS NOT NULL "
    "AND rank = 0 AND NOT kinds & ? ORDER BY edition, new"
)


class Outline(NamedTuple):
    """A text without its words, known by the id of the first state with these words under these headings.

    The number, "" for a glossary entry, is that of this state; `above` are the headings above it, the nearest
    first, joined by line feeds. `cited` counts the provisions of the edition that cite it; it is 0 without
    an edition.
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
    """The texts of an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base, self._reader = base, base.reader

    def cited_in(self, edition: int) -> dict[str, int]:
        """Return how many provisions of an edition cite each number."""
        return dict(self._reader.query(_CITED, (edition, edition)))

    def outlines_in(self, edition: int) -> list[Outline]:
        """Return the provisions of an edition in printed order, with the ids of their states as keys."""
        cited, states = self.cited_in(edition), self._base.held(edition)
        return [self._outline(state, edition, cited.get(state.number, 0)) for state in states]

    @cached_property
    def with_keys(self) -> tuple[list[Outline], Sequence[int]]:
        """Return the distinct texts, and the key of each state's text by the state's id.

        States share a text if their words and nearest heading are equal, apart from quotes and
        dashes. Their numbers may differ. Each heading without words is its own text.
        """
        first_of_each = "SELECT provision, min(first) FROM span GROUP BY provision"
        firsts = dict(self._reader.query(first_of_each))
        known: dict[tuple[str, ...], int] = {}
        outlines: list[Outline] = []
        keys: list[int] = []
        plain = cache(plain_signs)  # many texts have the same headings above them
        for id_, state in self._base.states.load().items():
            outline = self._outline(state, firsts[id_])
            kind = "glossary" if state.kind == "glossary" else ""
            if not state.body:
                kind = str(id_)  # an edition may print a heading twice
            nearest = outline.above.partition("\n")[0]
            text = kind, plain(state.heading), plain(nearest), plain(state.body)
            keys.append(known.setdefault(text, id_))
            outlines += [outline] if keys[-1] == id_ else []
        return outlines, keys

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

    def among(self, edition: int | None, within: str, kinds: Sequence[str]) -> set[int]:
        """Return the ids of the states of an edition or of all, at or below a number or "", of some kinds."""
        held = None if edition is None else set(self._reader.states_of(edition))
        return {
            number
            for number, kind, printed in self._reader.query(
                "SELECT id, kind, number FROM provision"
            )
            if (held is None or number in held)
            and (not kinds or kind in kinds)
            and (not within or is_below(printed, within))
        }

    def stood(self, states: Sequence[int]) -> list[tuple[int, int]]:
        """Return the runs of editions that have at least one of some states, first to last."""
        wanted = "SELECT first, last FROM span WHERE provision IN ({}) ORDER BY first, last"
        rows = self._reader.query_each(wanted, states)
        return joined((first, last) for first, last in rows)

    def numbered(self, prefix: str) -> list[tuple[int, str]]:
        """Return the states whose numbers have a prefix: their ids, and the numbers as printed."""
        wanted = "SELECT id, number FROM provision WHERE substr(number, 1, ?) = ? ORDER BY id"
        return [(id_, number) for id_, number in self._reader.query(wanted, (len(prefix), prefix))]

    def _outline(self, state: State, place: int, cited: int = 0) -> Outline:
        headings, address = list[str](), state.parent
        while address:
            runs = self._parents[address]
            address, heading = next(it[2:] for it in runs if it[0] <= place <= it[1])
            headings += [heading] if heading else []
        above = "\n".join(headings)
        return Outline(state.id, state.kind, state.number, state.heading, above, cited)

    @cached_property
    def _parents(self) -> dict[str, list[tuple[int, int, str, str]]]:
        """Return the runs of provisions that may have others below, with parent and heading, by address."""
        parents: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
        for address, first, last, parent, heading in self._reader.query(_PARENTS):
            parents[address].append((first, last, parent, heading))
        return dict(parents)
