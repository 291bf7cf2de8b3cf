"""Date a document by its words: the editions it can come from, and what differs in the next."""

from collections.abc import Iterator, Sequence
from typing import TypedDict

from variorum_kb.answers.base import KnowledgeBase
from variorum_kb.answers.identify import Found, Identifier, Quoted, count_by_edition, places_of
from variorum_kb.errors import LayoutError
from variorum_kb.history.diff import Piece, word_diff
from variorum_kb.model import Kind, Provision
from variorum_kb.reading.edition import read_edition
from variorum_kb.rows import full_text
from variorum_kb.witness.partial import is_complete_edition, read_partial
from variorum_kb.witness.passages import Partial, Passage, PassageKind

_QUOTED = {PassageKind.HEADING, PassageKind.RULE, PassageKind.GLOSSARY, PassageKind.TEXT}
# So many differences are told of the best edition and of the next.
_MOST_TOLD = 12


class QuotedJson(TypedDict):
    """A provision that a document quotes."""

    number: str | None
    headword: str | None
    supplied: list[str]
    editions: int
    line: int | None


class CandidateJson(TypedDict):
    """An edition that a document may come from."""

    edition: str
    matched: int
    of: int


class DifferenceJson(TypedDict):
    """A provision that an edition has otherwise, or not at all."""

    edition: str
    number: str | None
    stands: str | None
    likeness: float
    pieces: list[Piece]


IdentifyJson = TypedDict(
    "IdentifyJson",
    {
        "layout": str,
        "provisions": list[QuotedJson],
        "candidates": list[CandidateJson],
        "from": str | None,
        "to": str | None,
        "agrees": bool,
        "differences": list[DifferenceJson],
    },
)


def identify(base: KnowledgeBase, data: bytes, file: str) -> IdentifyJson:
    """Return which editions a document can come from, in the form of `cr identify --json`.

    Args:
        base: Whose editions are compared.
        data: The document: an excerpt, a fragment, a page, or a whole edition.
        file: Its name, for messages.

    Raises:
        DocumentError: It is no text, or no document that quotes rules.
    """
    layout, quoted, lines = _read(data, file)
    if not quoted:
        raise LayoutError(f"{layout}: it quotes no provision that could be looked for", file)
    identifier = base.identifier()
    found = identifier.find(quoted)
    labels = [edition.label for edition in base.editions]
    counts = count_by_edition(found, len(labels))
    best = max(counts.values(), default=0)
    ties = sorted([place for place, count in counts.items() if count == best])
    return {
        "layout": layout,
        "provisions": [
            _quoted(one, line, identifier, ties) for one, line in zip(found, lines, strict=True)
        ],
        "candidates": [
            {"edition": labels[place], "matched": count, "of": len(quoted)}
            for place, count in counts.items()
        ],
        "from": labels[ties[0]] if ties else None,
        "to": labels[ties[-1]] if ties else None,
        "agrees": best == len(quoted),
        "differences": list(_differences(identifier, found, ties, list(counts), labels)),
    }


def _read(data: bytes, file: str) -> tuple[str, list[Quoted], list[int | None]]:
    """Return what a document is, what it quotes, and on which line each begins."""
    if is_complete_edition(data, file):
        edition = read_edition(data, file)
        provisions = (*edition.provisions, *edition.glossary)
        return "edition", [_of_edition(one) for one in provisions], [None] * len(provisions)
    partial = read_partial(data, file)
    passages = [one for one in partial.passages if one.kind in _QUOTED]
    return partial.layout.value, [_of_passage(one) for one in passages], _lines(partial)


def _lines(partial: Partial) -> list[int | None]:
    return [one.first or None for one in partial.passages if one.kind in _QUOTED]


def _of_edition(provision: Provision) -> Quoted:
    text = "\n".join([one.text for one in provision.paragraphs if not one.marker])
    examples = tuple([one.text for one in provision.paragraphs if one.marker])
    is_entry = provision.kind is Kind.GLOSSARY
    return Quoted(provision.number, provision.heading, text, examples, is_entry=is_entry)


def _of_passage(passage: Passage) -> Quoted:
    return Quoted(
        passage.number,
        passage.headword or passage.heading,
        passage.text,
        passage.examples,
        is_entry=passage.kind is PassageKind.GLOSSARY,
        is_cut_before=passage.is_cut_before,
        is_cut_after=passage.is_cut_after,
    )


def _quoted(
    found: Found, line: int | None, identifier: Identifier, ties: Sequence[int]
) -> QuotedJson:
    """Return a quoted provision; what it lacks is supplied by the best edition."""
    quoted = found.quoted
    number = quoted.number or None
    headword = quoted.heading if quoted.is_entry and quoted.heading else None
    supplied: list[str] = []
    here = [one for one in found.states if _holds(identifier, one, ties)] or list(found.states)
    if here and not number and not headword:
        state = identifier.state(here[0])
        if state[0] == "glossary":
            headword, supplied = state[3], ["headword"]
        else:
            number, supplied = state[1], ["number"]
    return {
        "number": number,
        "headword": headword,
        "supplied": supplied,
        "editions": found.editions.bit_count(),
        "line": line,
    }


def _holds(identifier: Identifier, state: int, ties: Sequence[int]) -> bool:
    return any(place in ties for place in places_of(identifier.editions(state)))


def _differences(
    identifier: Identifier,
    found: Sequence[Found],
    ties: Sequence[int],
    order: Sequence[int],
    labels: Sequence[str],
) -> Iterator[DifferenceJson]:
    """Yield what the best edition has otherwise, then what the next best has."""
    others = [place for place in order if place not in ties]
    for place in (*ties[:1], *others[:1]):
        missing = [one.quoted for one in found if not one.editions >> place & 1]
        for quoted in missing[:_MOST_TOLD]:
            yield _difference(identifier, quoted, place, labels[place])


def _difference(identifier: Identifier, quoted: Quoted, place: int, label: str) -> DifferenceJson:
    nearest = identifier.nearest(quoted, place)
    if nearest is None:
        return _nowhere(quoted, label)
    state = identifier.state(nearest.state)
    words = "\n".join([part for part in (quoted.text, *quoted.examples) if part])
    return {
        "edition": label,
        "number": quoted.number or None,
        "stands": f"glossary: {state[3]}" if state[0] == "glossary" else state[2],
        "likeness": round(nearest.likeness, 3),
        "pieces": word_diff(full_text(state[4]), words),
    }


def _nowhere(quoted: Quoted, label: str) -> DifferenceJson:
    return {
        "edition": label,
        "number": quoted.number or None,
        "stands": None,
        "likeness": 0.0,
        "pieces": [],
    }
