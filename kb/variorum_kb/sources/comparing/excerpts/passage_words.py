"""Attests passages that quote rules, with their words and differences."""

from collections.abc import Sequence

from variorum_kb.history.word_diffs.diff import GONE, SAME, Piece, word_diff
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision
from variorum_kb.sources.reading.passages.passages import Partial, Passage, PassageKind
from variorum_kb.text.likeness import likeness


def said_by(partial: Partial, places: Sequence[int] = ()) -> Attested:
    """Return the statements of a document about itself, and the editions it can come from."""
    dated = partial.dated.day if partial.dated else None
    return Attested(
        layout=partial.layout.value,
        title=partial.title,
        author=partial.author,
        source=partial.source,
        stated=partial.edition.words if partial.edition else "",
        dated=dated.isoformat() if dated else "",
        first=places[0] if places else None,
        last=places[-1] if places else None,
    )


def set_quote(quote: QuotedProvision, verdict: PassageVerdict, *evidence: str) -> Attestation:
    """Return the attestation of a quote: its words, verdict and evidence."""
    first, quoted = quote.passages[0], quote.quoted
    kind = PassageKind.GLOSSARY if quoted.is_entry else first.kind
    return Attestation(
        kind=kind.value,
        verdict=verdict,
        number=first.number,
        headword=quoted.heading if quoted.is_entry else "",
        words=quoted.words or quoted.heading,
        line=first.first,
        evidence=evidence,
    )


def pieces_of(quote: QuotedProvision, words: str, heading: str) -> tuple[Piece, ...]:
    """Return the word diff from a provision to a quote.

    If the quote is cut off, the words that it lacks at that end are left out.
    """
    quoted = quote.quoted
    if not quoted.words:
        return _diff(heading, quoted.heading)
    if quoted.is_loose or (quoted.is_entry and not quoted.heading):
        words = _likest_part(words, quoted.words)
    pieces = list(_diff(words, quoted.words))
    if quoted.is_cut_before and pieces and pieces[0][0] == GONE:
        pieces = pieces[1:]
    if quoted.is_cut_after and pieces and pieces[-1][0] == GONE:
        pieces = pieces[:-1]
    if all(sign == SAME for sign, _ in pieces) and quoted.heading not in {"", heading}:
        return _diff(heading, quoted.heading)
    return tuple(pieces)


def _likest_part(words: str, quoted: str) -> str:
    """Return a provision's words, or its paragraph that is most like the quote."""
    return max([words, *words.split("\n")], key=lambda part: likeness(part, quoted))


def _diff(old: str, new: str) -> tuple[Piece, ...]:
    return tuple(word_diff(old, new))


def set_ruling(passage: Passage) -> Attestation:
    """Return the attestation of a ruling as printed."""
    return Attestation(
        kind=passage.kind.value,
        verdict=PassageVerdict.RULING,
        number=passage.number,
        headword=passage.headword,
        words=passage.words,
        line=passage.first,
    )
