"""A whole edition as JSON, and the texts of all editions, for search."""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from msgspec import json

from variorum import rows
from variorum.answers.editions import EditionEntry, summary_of
from variorum.answers.knowledge_base import KnowledgeBase, irregularities_of
from variorum.answers.stored import joined
from variorum.records import edition as records

_CITED = (
    "SELECT w.word, count(DISTINCT w.provision) FROM cited w "
    "JOIN span s ON s.provision = w.provision WHERE s.first <= ? AND s.last >= ? GROUP BY w.word"
)
_FIRST = "SELECT provision, min(first) FROM span GROUP BY provision ORDER BY provision"
_MAIN = (
    "SELECT old, new FROM link WHERE old IS NOT NULL AND new IS NOT NULL "
    "AND rank = 0 AND NOT kinds & ? ORDER BY edition, new"
)


def export_edition(base: KnowledgeBase, on: str | EditionEntry = "current") -> records.Export:
    """Return a whole edition in the export format of docs/json.md."""
    place = base.edition(on).place
    return exported(base.reader.editions()[place], base.held(place))


def exported(row: rows.EditionRow, states: Iterable[rows.State]) -> records.Export:
    """Return an edition in the export format."""
    provisions = list[records.ExportedProvision]()
    glossary = list[records.ExportedEntry]()
    for it in states:
        said = it.heading, rows.text_of(it.body), rows.examples_of(it.body)
        if it.kind == "glossary":
            glossary.append(records.ExportedEntry(*said))
        else:
            about = it.number, it.address, it.kind, *said, irregularities_of(it)
            provisions.append(records.ExportedProvision(*about))
    summary = summary_of(row, records.EditionSummary)
    return records.Export(summary, provisions, glossary, **front_matter(row))


def front_matter(row: rows.EditionRow) -> dict[str, list[str]]:
    """Return the introduction, index and credits of an edition, in paragraphs."""
    parts = {"introduction": row.introduction, "index": row.index_lines, "credits": row.credits}
    return {name: json.decode(part, type=list[str]) for name, part in parts.items()}


class Outline(NamedTuple):
    """A state with the headings above it, the nearest first, joined by line feeds.

    `cited` counts the provisions of the edition that cite it; it is 0 without an edition.
    """

    state: rows.State
    above: str
    cited: int = 0


class Texts:
    """The texts of an open base, for search."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base, self._reader = base, base.reader
        self._above = cache(self._find_above)

    def cited_in(self, edition: int) -> dict[str, int]:
        """Return how many provisions of an edition cite each number."""
        return dict(self._reader.query(_CITED, (edition, edition)))

    def outlines_in(self, edition: int) -> list[Outline]:
        """Return the provisions of an edition in printed order."""
        cited, states = self.cited_in(edition), self._base.held(edition)
        return [
            Outline(it, self._above(it.parent, edition), cited.get(it.number, 0)) for it in states
        ]

    def all_outlines(self) -> list[Outline]:
        """Return the states of all editions."""
        states, firsts = self._base.states.load(), self._reader.query(_FIRST)
        return [Outline(states[it], self._above(states[it].parent, first)) for it, first in firsts]

    @cached_property
    def lines(self) -> Sequence[int]:
        """Return the lineage of each state by the state's id: the id of its first ancestor.

        Only main heirs continue a lineage. Parts, copies and merged provisions begin their own.
        """
        ((count,),) = self._reader.query("SELECT count(*) FROM provision")
        ancestors, ended = [*range(count)], rows.MERGED | rows.UNCERTAIN | rows.GONE | rows.NEW
        for old, new in self._reader.query(_MAIN, [ended]):
            if ancestors[new] == new:
                ancestors[new] = ancestors[old]
        return ancestors

    def stood(self, states: Sequence[int]) -> list[tuple[int, int]]:
        """Return the runs of editions that have at least one of some states, first to last."""
        wanted = "SELECT first, last FROM span WHERE provision IN ({}) ORDER BY first, last"
        return joined(self._reader.query_each(wanted, states))

    def _find_above(self, address: str, place: int) -> str:
        """Return the headings of a provision of an edition and of those above it."""
        row = self._base.at_address(address, place) if address else None
        return "\n".join(filter(None, [row.heading, self._above(row.parent, place)] if row else ()))
