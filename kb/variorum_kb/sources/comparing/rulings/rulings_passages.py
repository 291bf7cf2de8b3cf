"""Attests the passages of a rulings page: compares its rules and keeps its rulings as printed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from variorum_kb.answers.subject import Subject
from variorum_kb.history.word_diffs.diff import word_diff
from variorum_kb.rows import full_text
from variorum_kb.sources.comparing.attestation_types import Attestation, PassageVerdict
from variorum_kb.sources.comparing.excerpts.claim_judge import compared_text
from variorum_kb.sources.comparing.excerpts.passage_words import set_ruling
from variorum_kb.sources.reading.passages.passages import Claim, Passage, PassageKind
from variorum_kb.text.folding import fold_words
from variorum_kb.text.likeness import likeness


@dataclass(frozen=True, slots=True)
class RulingsBearer:
    """The provision that a passage quotes.

    Attributes:
        match: The provision in the edition meant.
        likeness: The likeness of the words of passage and provision.
        is_named: Whether it has the printed number.
        is_cut: Whether the passage quotes only its beginning.
    """

    match: Subject
    likeness: float
    is_named: bool = True
    is_cut: bool = False


def compared(passage: Passage, bearer: RulingsBearer) -> Attestation:
    """Compare a rule's words with a provision's, without its claims."""
    plain, match, label = plain_attestation(passage), bearer.match, bearer.match.edition.label
    is_whole = bool(passage.examples) or not match.text or bearer.is_cut
    body = (full_text(match.state.body) if is_whole else match.text) or match.heading
    printed, held = (compared_text(words.replace("\n", " ")) for words in (plain.words, body))
    is_slotted = printed.slotted == held.slotted
    is_same = is_slotted or bearer.is_cut
    evidence = {
        f"{label} has {'its' if is_same else 'other'} words": True,
        f"there it is {match.address}": not bearer.is_named,
        "it breaks off": bearer.is_cut,
        "its examples are left out": bool(match.examples) and not is_whole,
        "it cites other numbers": is_slotted and printed.words != held.words,
    }
    return replace(
        plain,
        verdict=PassageVerdict.AGREES if is_same else PassageVerdict.DIFFERS,
        provision=match.state.id,
        edition=match.edition.place,
        likeness=1.0 if is_same else rounded_likeness(plain.words, body),
        confidence=1.0 if bearer.is_named else round(bearer.likeness, 3),
        evidence=tuple([line for line, holds in evidence.items() if holds]),
        pieces=() if is_same else tuple(word_diff(body, plain.words)),
    )


def rounded_likeness(first: str, second: str) -> float:
    """Return the likeness of two texts, folded and rounded."""
    return round(likeness(fold_words(first), fold_words(second)), 3)


def plain_attestation(passage: Passage) -> Attestation:
    """Return the attestation of a passage before any comparison."""
    claim = _main_claim(passage)
    is_rule = passage.kind is PassageKind.RULING
    return replace(
        set_ruling(passage),
        kind=(PassageKind.RULE if is_rule else passage.kind).value,
        verdict=PassageVerdict.UNKNOWN,
        claimed=claim.day.isoformat() if claim and claim.day else "",
        source=claim.source if claim else "",
    )


def _main_claim(passage: Passage) -> Claim | None:
    """Return the claim of a passage with the latest day."""
    return passage.changed or next(iter(passage.claims), None)


def ruling_attestation(passage: Passage) -> Attestation:
    """Return the attestation of a ruling before it is attached to a rule."""
    main_claim = _main_claim(passage)
    further = [claim for claim in passage.claims if claim is not main_claim]
    return replace(
        plain_attestation(passage),
        kind=passage.kind.value,
        verdict=PassageVerdict.RULING,
        evidence=tuple([f"it names {claim.words[1:-1]}, too" for claim in further]),
    )


def claims_of(passage: Passage) -> Iterator[tuple[str, str, Claim]]:
    """Yield the label of each claim, the words it is about, and the claim."""
    example = 0
    for paragraph in passage.paragraphs:
        example += bool(paragraph.marker)
        name = f"example {example}, " if paragraph.marker else ""
        for claim in paragraph.claims:
            yield name, paragraph.text[claim.start : claim.end], claim
