"""A whole edition as JSON, and the texts of all editions, for search."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
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
    """A state, the headings above it, the nearest first, and how many of its edition cite it; 0 without one."""

    state: rows.State
    above: str
    cited: int = 0


def cited_in(base: KnowledgeBase, edition: int) -> dict[str, int]:
    """Return how many provisions of an edition cite each number."""
    return dict(base.reader.query(_CITED, (edition, edition)))


def outlines_of(base: KnowledgeBase, edition: int | None = None) -> list[Outline]:
    """Return the provisions of an edition in printed order, or the states of all editions."""
    if edition is None:
        states, firsts = base.states.load(), base.reader.query(_FIRST)
        return [Outline(states[it], _above(base, states[it].parent, first)) for it, first in firsts]
    cited, held = cited_in(base, edition), base.held(edition)
    above = [_above(base, it.parent, edition) for it in held]
    return [Outline(it, up, cited.get(it.number, 0)) for it, up in zip(held, above, strict=True)]


@lru_cache(4096)
def _above(base: KnowledgeBase, address: str, place: int) -> str:
    """Return the headings of a provision of an edition and of those above it."""
    row = base.at_address(address, place) if address else None
    return "\n".join(filter(None, [row.heading, _above(base, row.parent, place)] if row else ()))


@lru_cache(1)
def lines_of(base: KnowledgeBase) -> Sequence[int]:
    """Return the lineage of each state by the state's id: the id of its first ancestor.

    Only main heirs continue a lineage. Parts, copies and merged provisions begin their own.
    """
    ((count,),) = base.reader.query("SELECT count(*) FROM provision")
    ancestors, ended = [*range(count)], rows.MERGED | rows.UNCERTAIN | rows.GONE | rows.NEW
    for old, new in base.reader.query(_MAIN, [ended]):
        if ancestors[new] == new:
            ancestors[new] = ancestors[old]
    return ancestors


def stood(base: KnowledgeBase, states: Sequence[int]) -> list[tuple[int, int]]:
    """Return the runs of editions that have at least one of some states, first to last."""
    wanted = "SELECT first, last FROM span WHERE provision IN ({}) ORDER BY first, last"
    return joined(base.reader.query_each(wanted, states))
