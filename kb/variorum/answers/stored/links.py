"""The links of an open base, read on demand."""

from sys import intern

from variorum.history.lineages import Link, LinkTable
from variorum.rows import CHANGE_CLASSES
from variorum.store.reader import batches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from variorum.stored_rows import StepEvidence

_CLASS = " ".join([f"WHEN {number} THEN '{name}'" for number, name in enumerate(CHANGE_CLASSES)])
# The columns of a `Link`.
_LINKS = (
    f"SELECT edition, source, old, new, rank, kinds, CASE class {_CLASS} END, confidence, evidence "  # noqa: S608 - our own
    "FROM link WHERE {} ORDER BY edition, source, old, rank, new"
)
# The links from given states and from the states after them.
_ONWARD = (
    "old IN (WITH RECURSIVE onward(state) AS (SELECT id FROM provision WHERE id IN ({}) UNION "
    "SELECT new FROM link JOIN onward ON old = state WHERE new IS NOT NULL) SELECT state FROM onward)"
)

_READ = "SELECT id, readings, verdict FROM evidence WHERE readings != '' AND id BETWEEN ? AND ?"


class StoredLinks:
    """The links of a base, each read once."""

    def __init__(self, query: "Callable[[str, Sequence[int]], list[tuple[Any, ...]]]") -> None:
        """Prepare a base.

        Args:
            query: Returns the rows that a statement finds for some values.
        """
        self._rows = query
        self._to: dict[int, Sequence[Link]] = {}
        self._from: dict[int, Sequence[Link]] = {}
        self._all: LinkTable | None = None

    def leading_to(self, state: int) -> "Sequence[Link]":
        """Return the links whose new state has an id."""
        if self._all is not None:
            return self._all.leading_to(state)
        if state not in self._to:
            self._to[state] = self._query("new = ?", state)
        return self._to[state]

    def leading_from(self, state: int) -> "Sequence[Link]":
        """Return the links whose old state has an id."""
        if self._all is not None:
            return self._all.leading_from(state)
        if state not in self._from:
            self._from[state] = self._query("old = ?", state)
        return self._from[state]

    def read(self, states: "Iterable[int]") -> None:
        """Read the links to and from many states at once."""
        if self._all is not None:
            return
        wanted = list(states)
        for column, known in (("new", self._to), ("old", self._from)):
            missing = [state for state in wanted if state not in known]
            by_state: dict[int, list[Link]] = {state: [] for state in missing}
            for marks, some in batches(missing):
                for link in self._query(f"{column} IN ({marks})", *some):
                    end = link.new if column == "new" else link.old
                    if end is not None:
                        by_state[end].append(link)
            known.update(by_state)

    def read_onward(self, states: "Iterable[int]") -> None:
        """Read the links from some states, from the states after them, and so on, at once."""
        if self._all is not None:
            return
        missing = [state for state in states if state not in self._from]
        for marks, some in batches(missing):
            by_state: dict[int, list[Link]] = {state: [] for state in some}
            for link in self._query(_ONWARD.format(marks), *some):
                if link.old is not None:
                    by_state.setdefault(link.old, []).append(link)
                if link.new is not None:
                    by_state.setdefault(link.new, [])
            self._from.update(by_state)

    def load(self) -> LinkTable:
        """Read all links; later questions use this table."""
        if self._all is None:
            self._all = LinkTable(self._every())
        return self._all

    def _every(self) -> "Iterator[Link]":
        """Yield all links; equal values are one object, which halves the memory they take."""
        ((last,),) = self._rows("SELECT max(edition) FROM link", ())
        shared: dict[int | None, int | None] = {}
        levels: dict[float, float] = {}
        for edition in range((last or 0) + 1):
            rows = self._rows(_LINKS.format("edition = ?"), (edition,))
            for *numbers, change, confidence, evidence in rows:
                cells = [shared.setdefault(number, number) for number in numbers]
                level = levels.setdefault(confidence, confidence)
                yield Link.of((*cells, intern(change), level, evidence))

    def between(self, first: int, last: int) -> LinkTable:
        """Return the links that lead into editions after `first`, up to `last`."""
        if self._all is not None:
            return self._all
        return LinkTable(self._query("edition > ? AND edition <= ?", first, last))

    def evidence(self, link: Link) -> "StepEvidence":
        """Return the evidence for a link."""
        from variorum.stored_rows import evidence_of  # noqa: PLC0415 - look-ups do not need it

        (cells,) = self._rows(
            "SELECT readings, verdict, reasons FROM evidence WHERE id = ?",
            (link.evidence,),
        )
        return evidence_of(*cells)

    def readings_of(self, links: "Iterable[Link]") -> dict[int, tuple[str, str]]:
        """Return verdicts by evidence: how many readers agreed, and why.

        Args:
            links: The links. Links without a verdict are left out.
        """
        ids = sorted({link.evidence for link in links})
        rows = self._rows(_READ, (ids[0], ids[-1])) if ids else []
        return {evidence: (readings, reason) for evidence, readings, reason in rows}

    def _query(self, condition: str, *values: int) -> list[Link]:
        return [Link.of(row) for row in self._rows(_LINKS.format(condition), values)]
