"""Finds the provisions that an excerpt quotes, and the editions that they can come from."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import (
    FEWEST_WORDS,
    SAMPLED,
    FoundQuotation,
    Identifier,
    count_by_edition,
    places_of,
)
from variorum_kb.sources.comparing.excerpts.asides import set_apart
from variorum_kb.sources.comparing.excerpts.glossary_entries import Entries
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision, quoted_of
from variorum_kb.sources.reading.passages.passages import Passage, PassageKind
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds.passages import EDITION_AS_LIKELY, MOSTLY_KNOWN
from variorum_kb.thresholds.quotations import PASSAGE_IS

QUOTED = frozenset([PassageKind.HEADING, PassageKind.RULE, PassageKind.GLOSSARY, PassageKind.TEXT])
_MOST_LOOKED_FOR = 40
_BOTH = 2
_NUMBER_END = re.compile(r"(?:\d{0,2}\.?\d{1,3}[a-z]{0,2}|[a-z]{1,2})\.? (?=\W?[A-Z])")
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{0,3})?[a-z]?\.?")


@dataclass(frozen=True, slots=True)
class MatchingEditions:
    """How many provisions of a document each edition has.

    Attributes:
        counts: The number of its provisions in each edition, highest first.
        ties: The places of the editions with the most of its provisions, in order.
        of: The number of provisions looked for.
    """

    counts: Mapping[int, int]
    ties: tuple[int, ...]
    of: int

    @property
    def matched(self) -> int:
        """Return the number of provisions in the best editions."""
        return self.counts.get(self.ties[0], 0) if self.ties else 0

    @property
    def agrees(self) -> bool:
        """Say whether an edition has all provisions."""
        return bool(self.of) and self.matched == self.of


def quotes_of(passages: Iterable[Passage], identifier: Identifier) -> list[QuotedProvision]:
    """Return the quoted provisions of a document in printed order, without prose.

    A text without a number is a glossary entry if it begins with a headword on its own line or
    before punctuation, even if the headword is wrong.
    """
    some = [passage for passage in passages if passage.kind in QUOTED]
    identifier.find([quoted_of(passage) for passage in some])  # all at once: see `left_out`
    entries = Entries(some, identifier)
    quotes: list[QuotedProvision] = []
    place = 0
    while place < len(some):
        quote = entries.at(place) or QuotedProvision((some[place],), quoted_of(some[place]))
        quotes += _columns(quote, identifier)
        place += len(quote.passages)
    ended = _ended([*_begun(quotes[:1], identifier), *quotes[1:]], identifier)
    return set_apart(ended, identifier)


def _columns(quote: QuotedProvision, identifier: Identifier) -> list[QuotedProvision]:
    """Return a quote, or two quotes if its number shows two joined columns: "110.5b.110.5b."."""
    first = quote.passages[0]
    texts = quote.quoted.text.split("\n")
    is_doubled = bool(first.number) and first.printed.count(first.number) == _BOTH
    if not is_doubled or len(texts) != _BOTH or identifier.find([quote.quoted])[0].states:
        return [quote]
    return [replace(quote, quoted=quote.quoted._replace(text=text)) for text in texts]


def _begun(first: Sequence[QuotedProvision], identifier: Identifier) -> Iterator[QuotedProvision]:
    """Yield the first quote, without a fragment of a number at the start of the document."""
    for quote in first:
        quoted = quote.quoted
        match = _NUMBER_END.match(quoted.text) if quoted.is_loose else None
        if match is None or identifier.find([quoted])[0].states:
            yield quote
        else:
            yield QuotedProvision(quote.passages, quoted._replace(text=quoted.text[match.end() :]))


def _ended(quotes: Sequence[QuotedProvision], identifier: Identifier) -> list[QuotedProvision]:
    """Return all quotes; the last may be cut anywhere."""
    if not quotes:
        return []
    *earlier, last = quotes
    words = last.quoted.words
    if earlier and last.quoted.is_loose and "Example:".startswith(words):
        quoted = earlier[-1].quoted._replace(is_last=True)
        passages = (*earlier[-1].passages, *last.passages)
        return [*earlier[:-1], QuotedProvision(passages, quoted, words)]
    return [*earlier, _last(last, identifier)]


def _last(quote: QuotedProvision, identifier: Identifier) -> QuotedProvision:
    """Return the last quote, which may lack its examples or end in the next provision."""
    quoted, headwords = quote.quoted._replace(is_last=True), identifier.headwords
    if quoted.number and quoted.heading and not quoted.text:
        # One or two words look like a heading.
        cut = quoted._replace(heading="", text=quoted.heading, is_cut_after=True)
        is_heading = bool(identifier.find([quoted])[0].states)
        return QuotedProvision(quote.passages, quoted if is_heading else cut)
    if not quoted.is_cut_after and not identifier.find([quoted])[0].states:
        # "… see rule 301." may be the start of "301.7".
        cut = quoted._replace(is_cut_after=True)
        quoted = cut if identifier.find([cut])[0].states else quoted
    if quoted.is_entry and not quoted.words:
        # Only the next headword or its beginning: nothing to compare.
        return QuotedProvision(quote.passages, quoted._replace(heading="", text=quoted.heading))
    *above, last = quoted.text.split("\n")
    key = fold_words(last)
    is_headword = (quoted.is_entry or quoted.is_loose) and any(
        headword.startswith(key) for headword in headwords
    )
    is_broken_off = bool(above and key) and (is_headword or _NUMBER.fullmatch(last) is not None)
    if is_broken_off:
        quoted = quoted._replace(text="\n".join(above), is_cut_after=False)
    return QuotedProvision(quote.passages, quoted, last if is_broken_off else "")


def note_left_out(identifier: Identifier) -> Iterator[str]:
    """Yield a note if texts of a document were not looked for: how many, and why."""
    if identifier.left_out:
        why = (
            f"of {SAMPLED} others hardly one stands in any edition"
            if identifier.is_left_out
            else f"comparing the others took {identifier.compared:,} steps"
        )
        yield f"{len(identifier.left_out):,} texts were not looked for: {why}"


def span_of(quotations: Sequence[FoundQuotation], editions: int) -> MatchingEditions:
    """Return the editions that have the most of some provisions word for word."""
    counts = count_by_edition(quotations, editions)
    best = max(counts.values(), default=0)
    ties = tuple(sorted([place for place, count in counts.items() if count == best]))
    return MatchingEditions(counts, ties, len(quotations))


def likeliest_of(
    span: MatchingEditions, quotations: Sequence[FoundQuotation], identifier: Identifier
) -> MatchingEditions:
    """Narrow the editions with the most exact matches to those most like the other words.

    Without an exact match, all editions are compared. The result is empty if most of the document
    resembles no edition, as in a paraphrase.
    """
    among = span.ties or tuple(range(identifier.count))
    points = dict.fromkeys(among, 0.0)
    alike = dict.fromkeys(among, span.matched)
    lost = [
        quotation
        for quotation in quotations
        if not all(quotation.editions >> place & 1 for place in among)
    ]
    for quotation in lost[:_MOST_LOOKED_FOR]:
        best = dict.fromkeys(places_of(quotation.editions), 1.0)
        for near in identifier.nearest_anywhere(quotation.quoted):
            for place in places_of(identifier.editions(near.state)):
                best[place] = max(best.get(place, 0.0), near.likeness)
        for place in among:
            points[place] += best.get(place, 0.0)
            alike[place] += PASSAGE_IS <= best.get(place, 0.0) < 1
    most = max(points.values(), default=0.0)
    if not span.ties and not most:
        return span
    least = most - EDITION_AS_LIKELY * len(quotations)
    ties = tuple([place for place in among if points[place] >= least])
    looked_for = min(len(quotations), span.matched + _MOST_LOOKED_FOR)
    is_told = max(alike[place] for place in ties) >= MOSTLY_KNOWN * looked_for
    return replace(span, ties=ties if is_told else ())


def is_of_other_rules(quotations: Sequence[FoundQuotation], identifier: Identifier) -> bool:
    """Say whether only headings such as "General" resemble an edition."""
    wordy = [
        quotation for quotation in quotations if len(quotation.quoted.words.split()) >= FEWEST_WORDS
    ]
    if not wordy or any(quotation.states for quotation in wordy):
        return False
    likest = [
        identifier.nearest_anywhere(quotation.quoted)[:1] for quotation in wordy[:_MOST_LOOKED_FOR]
    ]
    return not any(nearest.likeness >= PASSAGE_IS for some in likest for nearest in some)


def bearers_of(
    identifier: Identifier, quotations: Sequence[FoundQuotation], edition: int
) -> list[int | None]:
    """Return the state of each provision in an edition; None for a provision that it lacks.

    If several states have the same words, their neighbours decide.
    """
    order = identifier.order(edition)
    choices = [
        sorted([order[state] for state in here.states if state in order]) for here in quotations
    ]
    states = {place: state for state, place in order.items()}
    picked: list[int | None] = [some[0] if len(some) == 1 else None for some in choices]
    expected = -1
    for place, some in enumerate(choices):
        if picked[place] is None and some:
            if expected < 0:
                expected = _expected_before(picked, place)
            picked[place] = min(some, key=lambda candidate: (abs(candidate - expected), candidate))
        here = picked[place]
        expected = expected if here is None else here + 1
    return [None if chosen is None else states[chosen] for chosen in picked]


def _expected_before(picked: Sequence[int | None], place: int) -> int:
    """Return the expected place of a first provision: just before the next known provision."""
    for later in range(place + 1, len(picked)):
        known = picked[later]
        if known is not None:
            return max(0, known - (later - place))
    return 0


def supplied_by(identifier: Identifier, quoted: Quoted, state: int) -> str:
    """Return "number" or "headword" if an edition supplies it for a quote; else ""."""
    if quoted.number or quoted.heading:
        return ""
    return "headword" if identifier.state(state).kind == "glossary" else "number"


def runs_of(places: Sequence[int], labels: Sequence[str]) -> str:
    """Return editions in words, consecutive editions as a range.

    >>> runs_of([0, 1, 2, 4], ["a", "b", "c", "d", "e"])
    'a to c and e'
    """
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    ranges = [
        labels[run[0]] if len(run) == 1 else f"{labels[run[0]]} to {labels[run[-1]]}"
        for run in runs
    ]
    *first, last = ranges or [""]
    return f"{', '.join(first)} and {last}" if first else last


def runs_of_bits(editions: int, labels: Sequence[str]) -> str:
    """Return editions given as bits in words."""
    return runs_of(list(places_of(editions)), labels)
