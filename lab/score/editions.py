"""The real editions in order, as states."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path

from variorum_kb.build.workers import Rows, read_rows
from variorum_kb.documents.find import Unreadable, find
from variorum_kb.errors import DocumentError
from variorum_kb.facts.editions import issues_of
from variorum_kb.rows import State

# The labels of the older and the newer edition.
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Editions:
    """All editions, by date and issue.

    Attributes:
        held: By label, the provisions in printed order. Equal states are one object.
    """

    held: dict[str, list[State]]

    @property
    def labels(self) -> list[str]:
        """Return the labels: effective dates; a further issue has its number after a dot."""
        return list(self.held)

    def consecutive(self) -> list[Pair]:
        """Return each edition with the next one."""
        return list(pairwise(self.labels))

    def between(self, old: str, new: str) -> list[Pair]:
        """Return the consecutive pairs from one edition to a later one."""
        labels = self.labels
        return list(pairwise(labels[labels.index(old) : labels.index(new) + 1]))


def load_editions(folder: Path, jobs: int) -> Editions:
    """Read all editions in a folder.

    Raises:
        NotReadableError: A file cannot be opened.
        DocumentError: A document cannot be read.
    """
    documents = list(find([folder]))
    readable = [document for document in documents if not isinstance(document, Unreadable)]
    for document in documents:
        if isinstance(document, Unreadable):
            raise document.error
    rows: list[Rows] = []
    for _, outcome in read_rows(readable, jobs):
        if isinstance(outcome, DocumentError):
            raise outcome
        rows.append(outcome)
    return _in_order(rows)


def _in_order(rows: Iterable[Rows]) -> Editions:
    by_date: dict[str, dict[str, list[State]]] = {}
    for (effective, _, sha256, *_), states in rows:
        by_date.setdefault(str(effective), {})[str(sha256)] = states
    known: dict[State, State] = {}
    held: dict[str, list[State]] = {}
    for day, issues in sorted(by_date.items()):
        numbers = issues_of(date.fromisoformat(day), issues)
        for sha256 in sorted(issues, key=lambda sha256: numbers[sha256]):
            label = day if len(issues) == 1 else f"{day}.{numbers[sha256]}"
            held[label] = [known.setdefault(state, state) for state in issues[sha256]]
    return Editions(held)


def address_of(state: State) -> str:
    """Return the number of a provision; for a glossary entry, "glossary: " and its headword."""
    return f"glossary: {state.address}" if state.kind == "glossary" else state.address


def places_of(states: Iterable[State]) -> dict[str, int]:
    """Return the place of each address."""
    return {address_of(state): place for place, state in enumerate(states)}
