"""Finds the provisions that a page of rulings quotes, and the editions it can come from."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import FoundQuotation, Identifier
from variorum_kb.sources.comparing.excerpts.claim_judge import Calendar
from variorum_kb.sources.comparing.excerpts.excerpt_quotes import span_of
from variorum_kb.sources.reading.passages.passages import Passage, PassageKind
from variorum_kb.text.sentences import ends_marked_sentence

_QUOTED = frozenset([PassageKind.HEADING, PassageKind.RULE])
# At most this many rules are searched for under other numbers.
_MOST_MOVED = 100


@dataclass(slots=True)
class RulingsQuote:
    """A rule or heading of a page, and the states with its words.

    Attributes:
        passage: As read.
        exact: The states with its number and all its words.
        near: The states with its number and text, ignoring examples.
        elsewhere: The states with its text under other numbers.
        is_cut: Whether it breaks off while the states go on.
    """

    passage: Passage
    exact: FoundQuotation
    near: FoundQuotation
    elsewhere: FoundQuotation | None = None
    is_cut: bool = False

    @property
    def states(self) -> tuple[int, ...]:
        """Return the states that match it best."""
        return self.exact.states or self.near.states or self.other

    @property
    def other(self) -> tuple[int, ...]:
        """Return the states with its text under other numbers."""
        return self.elsewhere.states if self.elsewhere else ()


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
    """Return the rules and headings among passages, with the states that have their words.

    A ruling with the number and words of a rule counts as that rule.
    """
    some = [passage for passage in passages if passage.kind in _QUOTED or passage.about]
    quoted = [
        Quoted(passage.number, passage.heading, passage.text, passage.examples) for passage in some
    ]
    exact = identifier.find(quoted)
    near = identifier.find([text._replace(examples=()) for text in quoted])
    quotes = [RulingsQuote(*row) for row in zip(some, exact, near, strict=True)]
    quotes = [quote for quote in quotes if quote.passage.kind in _QUOTED or quote.near.states]
    _find_end(identifier, quotes)
    lost = [
        quote for quote in quotes if not quote.states and quote.passage.kind is PassageKind.RULE
    ]
    bare = [quote.near.quoted._replace(number="") for quote in lost[:_MOST_MOVED]]
    for quote, elsewhere in zip(lost, identifier.find(bare), strict=False):
        quote.elsewhere = elsewhere
    return quotes


def _find_end(identifier: Identifier, quotes: Sequence[RulingsQuote]) -> None:
    """Look up the last rule of a page if it breaks off."""
    last = quotes[-1] if quotes else None
    if last is None or last.states or ends_marked_sentence(last.passage.words):
        return
    (quotation,) = identifier.find([last.near.quoted._replace(is_cut_after=True)])
    if quotation.states:
        last.near, last.is_cut = quotation, True


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
