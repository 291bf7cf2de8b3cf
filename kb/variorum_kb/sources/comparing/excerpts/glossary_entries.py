"""Finds glossary entries without a glossary heading, by their headwords and definitions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import Identifier
from variorum_kb.sources.comparing.excerpts.quoted_provision import (
    LONGEST_HEADWORD,
    QuotedProvision,
    quoted_of,
)
from variorum_kb.sources.reading.passages.definitions import find_inline, is_headword
from variorum_kb.sources.reading.passages.passages import Passage, PassageKind
from variorum_kb.text.folding import fold_words

# The most paragraphs of an entry.
_MOST_BELOW = 12
# To tell a heading from a headword, this many texts below it are looked up.
_MOST_PARTS = 3
# Uncertain entries count if there are this many certain entries, and if most texts of the same
# format are certain entries.
_FEWEST_SURE = 2
# At most this many texts without a known headword are tried, to stay fast.
_MOST_TRIED = 60


class Opener(NamedTuple):
    """The beginning of an entry.

    Attributes:
        headword: As printed, without the punctuation after it.
        text: The rest of the line; "" if the headword stands alone.
    """

    headword: str
    text: str


class Entries:
    """The entries among the passages of one document."""

    def __init__(self, some: Sequence[Passage], identifier: Identifier) -> None:
        """Find where entries begin."""
        self._some, self._identifier = some, identifier
        self._tried = 0
        self._openers = self._find_openers()

    def at(self, place: int) -> QuotedProvision | None:
        """Return the entry that begins with a passage; None if there is none."""
        opener = self._openers.get(place)
        if opener is None:
            return None
        below = self._below(place)
        extents = [below[:count] for count in range(len(below), -1, -1)]
        group = [extent for extent in extents if opener.text or extent]
        quotes = [self._quote(place, opener, extent) for extent in group]
        quotations = self._identifier.find([quote.quoted for quote in quotes])
        entry = next(
            (q for q, quotation in zip(quotes, quotations, strict=True) if quotation.states), None
        )
        return entry or (self._altered(opener, quotes) if quotes else None)

    def _altered(self, opener: Opener, quotes: Sequence[QuotedProvision]) -> QuotedProvision | None:
        """Return an entry if no edition has its words under its headword; None for other texts."""
        if self._is_of_glossary(quotes[0].quoted.text.split("\n")[0]):
            headless = [quote.quoted._replace(heading="") for quote in quotes]
            defining = self._identifier.find(headless)
            known = next(
                (q for q, quotation in zip(quotes, defining, strict=True) if quotation.states), None
            )
            return known or quotes[-1]
        if opener.text:
            return quotes[-1]
        longest = quotes[0]
        parts = self._identifier.find(
            [quoted_of(passage) for passage in longest.passages[1:][:_MOST_PARTS]]
        )
        is_entry = not any(part.states for part in parts) and self._identifier.is_like_entry(
            longest.quoted
        )
        return longest if is_entry else None

    def _below(self, place: int) -> list[Passage]:
        """Return the texts after a passage, up to the next entry."""
        below: list[Passage] = []
        for here in range(place + 1, min(place + 1 + _MOST_BELOW, len(self._some))):
            if self._some[here].kind is not PassageKind.TEXT or here in self._openers:
                break
            below.append(self._some[here])
        return below

    def _quote(self, place: int, opener: Opener, below: Sequence[Passage]) -> QuotedProvision:
        passages = (self._some[place], *below)
        texts = [opener.text, *[passage.text for passage in below]]
        quoted = Quoted(
            "",
            opener.headword,
            "\n".join([text for text in texts if text]),
            tuple([example for passage in passages for example in passage.examples]),
            is_entry=True,
            is_cut_after=passages[-1].is_cut_after,
        )
        return QuotedProvision(passages, quoted)

    # Where they begin -----------------------------------------------------------------------------

    def _find_openers(self) -> Mapping[int, Opener]:
        sure: dict[int, Opener] = {}
        likely: dict[int, Opener] = {}
        some = () if self._identifier.is_left_out else self._some
        for place, passage in enumerate(some):
            if passage.kind is not PassageKind.TEXT or passage.is_cut_before or not passage.text:
                continue
            if self._is_alone(place):
                sure[place] = Opener(passage.text.rstrip(" :–—-"), "")
                continue
            opener = self._marked(passage)
            if opener is None:
                opener = self._unmarked(passage)
                sure |= {place: opener} if opener is not None else {}
            elif self._is_sure(opener, passage):
                sure[place] = opener
            else:
                likely[place] = opener
        marked = sum(bool(opener.text) for opener in sure.values())
        are_set_so = marked >= _FEWEST_SURE and marked > len(likely)
        return {**likely, **sure} if are_set_so else sure

    def _is_alone(self, place: int) -> bool:
        """Say whether a passage is a headword on a line of its own."""
        passage = self._some[place]
        if len(passage.text.split()) > LONGEST_HEADWORD or passage.text.endswith("."):
            return False
        if fold_words(passage.text) in self._identifier.headwords:
            return True
        below = self._below_line(place)
        is_set_so = is_headword(passage.text) and len(passage.text) < len(below)
        return is_set_so and self._is_of_glossary(below)

    def _below_line(self, place: int) -> str:
        following = self._some[place + 1] if place + 1 < len(self._some) else None
        is_text = following is not None and following.kind is PassageKind.TEXT
        return following.text if following is not None and is_text else ""

    def _marked(self, passage: Passage) -> Opener | None:
        """Return a headword before punctuation, unless a rule contains the same text."""
        match = find_inline(passage.text)
        if match is None or len(match["headword"].split()) > LONGEST_HEADWORD:
            return None
        if self._identifier.find([quoted_of(passage)])[0].states:
            return None
        return Opener(match["headword"], passage.text[match.end() :])

    def _is_sure(self, opener: Opener, passage: Passage) -> bool:
        entry = Quoted(
            "", opener.headword, opener.text, is_entry=True, is_cut_after=passage.is_cut_after
        )
        return (
            bool(self._identifier.find([entry])[0].states)
            or self._identifier.is_like_entry(entry)
            or self._is_of_glossary(opener.text)
        )

    def _unmarked(self, passage: Passage) -> Opener | None:
        """Return a headword that is marked only by its capitals, not by punctuation."""
        openers = list(_split(passage.text))
        known = [
            some for some in openers if fold_words(some.headword) in self._identifier.headwords
        ]
        is_tried = not known and self._tried < _MOST_TRIED and bool(openers)
        self._tried += is_tried
        if not (known or is_tried) or self._identifier.find([quoted_of(passage)])[0].states:
            return None
        sure = next((some for some in known if self._is_sure(some, passage)), None)
        return sure or next((some for some in openers if self._is_of_glossary(some.text)), None)

    def _is_of_glossary(self, text: str) -> bool:
        """Say whether a text is word for word a paragraph of an entry, and not of a rule."""
        entry = Quoted("", "", text, is_entry=True)
        loose = Quoted("", "", text, is_loose=True)
        defining, all_found = self._identifier.find([entry, loose])
        kinds = {self._identifier.state(state).kind for state in all_found.states}
        return bool(defining.states) and kinds <= {"glossary"}


def _split(text: str) -> Iterator[Opener]:
    """Yield the ways to split a text into headword and definition, longest headword first."""
    words = text.split()
    for count in range(min(LONGEST_HEADWORD, len(words) - 1), 0, -1):
        headword, rest = " ".join(words[:count]), " ".join(words[count:])
        if rest[:1].islower() or not is_headword(headword):
            continue
        yield Opener(headword, rest)
