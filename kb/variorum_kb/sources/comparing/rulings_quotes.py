"""Which provisions a page of rulings quotes, and which editions it can come from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from variorum_kb.answers.identify import FoundQuotation, Identifier, Quoted, count_by_edition
from variorum_kb.sources.comparing.claim_judge import Calendar
from variorum_kb.sources.reading.openers import LONGEST_HEADING
from variorum_kb.sources.reading.passages import Passage, PassageKind
from variorum_kb.text.sentences import ends_marked_sentence

_QUOTED = frozenset([PassageKind.HEADING, PassageKind.RULE])
# So many rules are looked for under other numbers, before we give up.
_MOST_MOVED = 100


@dataclass(slots=True)
class RulingsQuote:
    """A rule or heading of a page, and who says it.

    Attributes:
        passage: As read.
        found: The states that say all of it under its number.
        near: Those that say its text under its number, whatever the examples.
        elsewhere: Those that say its text under other numbers.
        is_cut: It breaks off; those that say it go on.
    """

    passage: Passage
    found: FoundQuotation
    near: FoundQuotation
    elsewhere: FoundQuotation | None = None
    is_cut: bool = False

    @property
    def states(self) -> tuple[int, ...]:
        """Return the states that say it best."""
        return self.found.states or self.near.states or self.other

    @property
    def other(self) -> tuple[int, ...]:
        """Return the states that say it under other numbers."""
        return self.elsewhere.states if self.elsewhere else ()


@dataclass(slots=True)
class RulingsEditions:
    """The editions that a page can come from.

    Attributes:
        places: Of the editions, in order; none where nothing was found.
        matched: How much of it they have.
        evidence: Why, in lines.
    """

    places: list[int]
    matched: int = 0
    evidence: list[str] = field(default_factory=list[str])


def find_quotes(identifier: Identifier, passages: Sequence[Passage]) -> list[RulingsQuote]:
    """Return the rules and headings among passages, and the states that say each.

    A ruling with the number and the words of a rule is that rule.
    """
    some = [passage for passage in passages if passage.kind in _QUOTED or passage.about]
    quoted = [
        Quoted(passage.number, passage.heading, passage.text, passage.examples) for passage in some
    ]
    exact = identifier.find(quoted)
    near = identifier.find([text._replace(examples=()) for text in quoted])
    quotes = [RulingsQuote(*row) for row in zip(some, exact, near, strict=True)]
    quotes = [quote for quote in quotes if quote.passage.kind in _QUOTED or quote.near.states]
    _find_titles(identifier, [quote for quote in quotes if _may_be_title(quote)])
    _find_end(identifier, quotes)
    lost = [
        quote for quote in quotes if not quote.states and quote.passage.kind is PassageKind.RULE
    ]
    bare = [quote.near.quoted._replace(number="") for quote in lost[:_MOST_MOVED]]
    for quote, elsewhere in zip(lost, identifier.find(bare), strict=False):
        quote.elsewhere = elsewhere
    return quotes


def words_of(passage: Passage) -> str:
    """Return all words of a passage, examples behind line feeds."""
    parts = [part for part in (passage.text, *passage.examples) if part]
    return "\n".join(parts) or passage.heading


def _may_be_title(quote: RulingsQuote) -> bool:
    """Say whether a rule that nothing says has no more words than a heading."""
    text = quote.passage.text
    is_short = len(text) <= LONGEST_HEADING and not ends_marked_sentence(text)
    return quote.passage.kind is PassageKind.RULE and not quote.states and is_short


def _find_titles(identifier: Identifier, quotes: Sequence[RulingsQuote]) -> None:
    """Look for keyword rules, which are a heading alone."""
    titles = [quote.near.quoted._replace(heading=quote.passage.text, text="") for quote in quotes]
    for quote, quotation in zip(quotes, identifier.find(titles), strict=True):
        if quotation.states:
            quote.found = quote.near = quotation


def _find_end(identifier: Identifier, quotes: Sequence[RulingsQuote]) -> None:
    """Look for the last rule of a page that breaks off."""
    last = quotes[-1] if quotes else None
    if last is None or last.states or ends_marked_sentence(words_of(last.passage)):
        return
    (quotation,) = identifier.find([last.near.quoted._replace(is_cut_after=True)])
    if quotation.states:
        last.near, last.is_cut = quotation, True


# Which editions -----------------------------------------------------------------------------------


def find_span(
    quotes: Sequence[RulingsQuote], calendar: Calendar, day: date | None
) -> RulingsEditions:
    """Return the editions that have most of a page, of those that it can know.

    Args:
        quotes: Its rules and headings.
        calendar: Of the base.
        day: The one that it names for itself; None without.
    """
    has_whole = any(quote.found.editions for quote in quotes)
    quotations = [quote.found if has_whole else quote.near for quote in quotes]
    counts = count_by_edition(quotations, len(calendar.labels))
    best = max(counts.values(), default=0)
    places = sorted([place for place, count in counts.items() if count == best])
    if not places:
        return RulingsEditions([], 0, ["no edition has a rule of it word for word"])
    between = _between([calendar.labels[place] for place in places])
    span = RulingsEditions(
        places, best, [f"{best} of {len(quotes)} rules and headings stand in {between}"]
    )
    if day is not None:
        _narrow(span, calendar, day)
    return span


def _narrow(span: RulingsEditions, calendar: Calendar, day: date) -> None:
    """Leave out the editions that are newer than the day which a page names."""
    known = [place for place in span.places if calendar.day(place) <= day]
    if not known:
        span.evidence.append(f"it names {day}, before all of them")
    elif len(known) < len(span.places):
        span.places = known
        label = calendar.labels[known[-1]]
        span.evidence.append(f"it names {day}; the last of them by then is {label}")


def _between(labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return labels[0]
    return f"each of {len(labels)} editions from {labels[0]} to {labels[-1]}"
