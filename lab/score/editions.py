"""The real editions in order, as states."""

from datetime import date
from pathlib import Path

from variorum.build.load import read_rows
from variorum.documents.find import find
from variorum.errors import DocumentError
from variorum.facts import issues_of
from variorum.rows import State

# The labels of the older and the newer edition.
Pair = tuple[str, str]
# By label, the provisions in printed order; equal states are one object.
Editions = dict[str, list[State]]


def load_editions(folder: Path, jobs: int) -> Editions:
    """Read all editions in a folder, and return them by date and issue.

    Raises:
        NotReadableError: A file cannot be opened.
        DocumentError: A document cannot be read.
    """
    documents = list(find([folder]))
    for document in documents:
        if document.error:
            raise document.error
    by_date: dict[str, dict[str, list[State]]] = {}
    for _, outcome in read_rows(documents, jobs):
        if isinstance(outcome, DocumentError):
            raise outcome
        (effective, sha256, *_), states = outcome
        by_date.setdefault(str(effective), {})[str(sha256)] = states
    known: dict[State, State] = {}
    held: Editions = {}
    for day, issues in sorted(by_date.items()):
        numbers = issues_of(date.fromisoformat(day), issues)
        for sha256 in sorted(issues, key=lambda sha256: numbers[sha256]):
            label = day if len(issues) == 1 else f"{day}.{numbers[sha256]}"
            held[label] = [known.setdefault(state, state) for state in issues[sha256]]
    return held


def address_of(state: State) -> str:
    """Return the number of a provision; for a glossary entry, "glossary: " and its headword."""
    return f"glossary: {state.address}" if state.kind == "glossary" else state.address
