"""Citations as rows."""

from collections.abc import Iterable, Iterator, Sequence

from variorum.references.find import find_references
from variorum.references.ranges import numbers_between
from variorum.rows import State, full_text

CitationRow = tuple[int, int, str, int, int, str]
CitedRow = tuple[int, int, int, str]


# Its part, where it starts and stops, its title, and the numbers that it may name.
Citation = tuple[str, int, int, str, tuple[str, ...]]


def citation_rows(
    states: Iterable[tuple[int, State, Sequence[Citation] | None]],
) -> tuple[list[CitationRow], list[CitedRow]]:
    """Return the rows of the tables `citation` and `cited`.

    Args:
        states: With their ids, and with their citations where these are known.
    """
    citations: list[CitationRow] = []
    cited: list[CitedRow] = []
    for number, state, known in states:
        citations_of_state = _found(state) if known is None else known
        for place, (part, start, stop, title, words) in enumerate(citations_of_state):
            citations.append((number, place, part, start, stop, title))
            cited += [(number, place, rank, word) for rank, word in enumerate(words)]
    return citations, cited


def _found(state: State) -> Iterator[Citation]:
    # A glossary entry's headword cites nothing.
    headings = () if state.kind == "glossary" else (("heading", state.heading),)
    for part, text in (*headings, ("text", full_text(state.body))):
        for reference in find_references(text):
            yield (
                part,
                reference.start,
                reference.end,
                reference.title,
                numbers_between(reference.first, reference.last),
            )
