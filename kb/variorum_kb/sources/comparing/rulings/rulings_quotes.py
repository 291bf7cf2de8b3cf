"""Finds the provisions that a page of rulings quotes, and compares their words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import FoundQuotation, Identifier
from variorum_kb.answers.subject import Subject
from variorum_kb.history.word_diffs.diff import word_diff
from variorum_kb.rows import full_text
from variorum_kb.sources.comparing.attestation_types import Attestation, PassageVerdict
from variorum_kb.sources.comparing.excerpts.claim_judge import Calendar, compared_text
from variorum_kb.sources.comparing.excerpts.excerpt_quotes import span_of
from variorum_kb.sources.comparing.excerpts.passage_words import set_ruling
from variorum_kb.sources.reading.passages.passages import Claim, Passage, PassageKind
from variorum_kb.text.folding import fold_words
from variorum_kb.text.likeness import likeness

_QUOTED = frozenset([PassageKind.HEADING, PassageKind.RULE])


@dataclass(frozen=True, slots=True)
class RulingsQuote:
    """A rule or heading of a page, and the states with its words.

    Attributes:
        passage: As read.
        exact: The states with its number and all its words.
        near: The states with its number and text, ignoring examples.
    """

    passage: Passage
    exact: FoundQuotation
    near: FoundQuotation

    @property
    def states(self) -> tuple[int, ...]:
        """Return the states that match it best."""
        return self.exact.states or self.near.states


class RulingsEditions(NamedTuple):
    """The editions that a page can come from.

    Attributes:
        places: The places of the editions, in order; empty without a match.
        matched: The number of the page's rules and headings in each edition.
        evidence: The reasons, a line each.
    """

    places: Sequence[int]
    matched: int
    evidence: Sequence[str]


def find_quotes(identifier: Identifier, passages: Sequence[Passage]) -> list[RulingsQuote]:
    """Return the rules and headings among passages, with the states that have their words."""
    some = [passage for passage in passages if passage.kind in _QUOTED]
    quoted = [
        Quoted(passage.number, passage.heading, passage.text, passage.examples) for passage in some
    ]
    exact = identifier.find(quoted)
    near = identifier.find([text._replace(examples=()) for text in quoted])
    return [RulingsQuote(*row) for row in zip(some, exact, near, strict=True)]


# Which editions -----------------------------------------------------------------------------------


def find_span(
    quotes: Sequence[RulingsQuote], calendar: Calendar, day: date | None
) -> RulingsEditions:
    """Return the editions with the most of a page, among editions not newer than the page."""
    has_whole = any(quote.exact.editions for quote in quotes)
    quotations = [quote.exact if has_whole else quote.near for quote in quotes]
    span = span_of(quotations, len(calendar.labels))
    if not span.ties:
        return RulingsEditions((), 0, ["no edition has a rule of it word for word"])
    between = _between([calendar.labels[place] for place in span.ties])
    evidence = [f"{span.matched} of {len(quotes)} rules and headings stand in {between}"]
    places = [place for place in span.ties if day is None or calendar.day(place) <= day]
    if not places:
        evidence.append(f"it names {day}, before all of them")
    elif len(places) < len(span.ties):
        evidence.append(
            f"it names {day}; the last of them by then is {calendar.labels[places[-1]]}"
        )
    return RulingsEditions(places or span.ties, span.matched, evidence)


def _between(labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return labels[0]
    return f"each of {len(labels)} editions from {labels[0]} to {labels[-1]}"


# Comparing ----------------------------------------------------------------------------------------


def compared(passage: Passage, match: Subject) -> Attestation:
    """Compare a rule's words with a provision's, without its claims."""
    plain, label = plain_attestation(passage), match.edition.label
    is_whole = bool(passage.examples) or not match.text
    body = (full_text(match.state.body) if is_whole else match.text) or match.heading
    printed, held = (compared_text(words.replace("\n", " ")) for words in (plain.words, body))
    is_same = printed.slotted == held.slotted
    evidence = {
        f"{label} has {'its' if is_same else 'other'} words": True,
        "its examples are left out": bool(match.examples) and not is_whole,
        "it cites other numbers": is_same and printed.words != held.words,
    }
    return replace(
        plain,
        verdict=PassageVerdict.AGREES if is_same else PassageVerdict.DIFFERS,
        provision=match.state.id,
        edition=match.edition.place,
        likeness=1.0 if is_same else rounded_likeness(plain.words, body),
        evidence=tuple([line for line, holds in evidence.items() if holds]),
        pieces=() if is_same else tuple(word_diff(body, plain.words)),
    )


def rounded_likeness(first: str, second: str) -> float:
    """Return the likeness of two texts, folded and rounded."""
    return round(likeness(fold_words(first), fold_words(second)), 3)


def plain_attestation(passage: Passage) -> Attestation:
    """Return the attestation of a passage before any comparison."""
    claim = _main_claim(passage)
    return replace(
        set_ruling(passage),
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
