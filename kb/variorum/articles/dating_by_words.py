"""Dates prose by words that entered or left the rules.

Everyday words prove nothing: a player dies, a king goes into exile. So a single word counts only in
lower case, next to words that it accompanies in the rules.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.articles.topics import telling_of
from variorum.facts import all_concepts
from variorum.model import Kind
from variorum.quoting.editions import runs_of
from variorum.text import fold, set_of
from variorum.words import SILENT, topic_of

# Words date a text only if this many texts of an edition have them: the first number for a glossary
# term, the second for words that merely occur together.
_FEW, _MANY = 3, 10
_LONGEST_PHRASE = 5
# Words printed by a smaller share of their highest number of texts are not in use yet, but a card's
# name in an example; or no longer, but in entries on obsolete words.
_COME, _GO = 0.05, 0.1
# A word in so large a share of the texts of an edition belongs to the rules.
_OFTEN = 0.01
# Two words that are common in an edition prove a date. Rarer words have this weight, so that three
# are needed.
_SELDOM_WEIGHT, _PROOF = 0.7, 2.0
# A phrase needs this many words of this game. At least one must be unknown to other fantasy games.
_OWN_PHRASE = 2
# If a text has this many newer phrases, its older words are memories and do not date it.
_SURELY_LATER = 2
_OTHER_GAMES = frozenset(
    map(
        topic_of,
        set_of(
            """
            ability activate artifact attack battle battlefield block cast combat command commander
            control counter creature destroy discard double dungeon enchantment equipment exile
            graveyard hero legendary library life minion monster sacrifice sorcery spell strike
            summon target token trap trigger
            """
        ),
    )
)
# Hyphens join words: "state-based".
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PART = re.compile(r"[.!?;:()\[\]\n“”\"]+")
_OBSOLETE = frozenset({"obsolete", "older", "formerly"})
# Punctuation between words, treated as blanks.
_SIGNS = '.,;:!?()[]"“”…–—*'
_REMARK = re.compile(r"\s*\([^)]*\)")


class Used(NamedTuple):
    """Words of a text, and the editions that have them.

    Attributes:
        words: As the text prints them, in small letters.
        stems: The stems of their term.
        first: The place of the first edition that has them.
        last: The place of the last edition.
        weight: Their weight as evidence; a weight of two proves a date.
    """

    words: str
    stems: frozenset[str]
    first: int
    last: int
    weight: float


class Dating(NamedTuple):
    """The range of editions that the words of a text point to.

    Attributes:
        first: The place of the first edition; None without evidence.
        last: The place of the last edition; None without evidence.
        came: The evidence for the first edition, latest words first.
        went: The evidence for the last edition, earliest words first.
        own: The number of phrases that only some editions have, without shared and everyday words.
    """

    first: int | None
    last: int | None
    came: tuple[Used, ...]
    went: tuple[Used, ...]
    own: int

    @property
    def is_dated(self) -> bool:
        """Return whether the words date the text."""
        return self.first is not None or self.last is not None


def date_by_words(base: KnowledgeBase, text: str) -> Dating:
    """Return the range of editions that the words of a text point to.

    If a text has both old and new words, the majority counts, because players use some words
    longer or earlier than the rules. But phrases unique to the rules decide.
    """
    end = len(base.editions) - 1
    used = [use for use in _Eras(base, text).used() if use.first > 0 or use.last < end]
    own = _independent([use for use in used if _is_own(use)], is_first=True)
    came = _independent([use for use in used if use.first > 0], is_first=True)
    went = _independent([use for use in used if use.last < end], is_first=False)
    came, went = _agreeing(came, went, own)
    went_at = [(-use.last, use) for use in went]
    last = _bound(went_at)
    if last is not None:
        # Later words were outvoted and do not count.
        came = [use for use in came if use.first <= -last]
    came_at = [(use.first, use) for use in came]
    first = _bound(came_at)
    return Dating(
        first,
        None if last is None else -last,
        _proof(came_at, first),
        _proof(went_at, last),
        len(own),
    )


class _Eras:
    """Finds the editions of a base that have some words."""

    def __init__(self, base: KnowledgeBase, text: str) -> None:
        """Read all texts of a base that have a word of the text to be dated."""
        self._text = text
        wanted = set(_bare_words(text))
        texts = base.texts
        self._editions = len(base.editions)
        outlines, keys = texts.with_keys
        editions: dict[int, int] = dict.fromkeys([outline.key for outline in outlines], 0)
        for state, first, last in texts.spans():
            editions[keys[state]] |= (1 << (last + 1)) - (1 << first)
        count = sum([bits.bit_count() for bits in editions.values()])
        self._often = max(_FEW + 1, round(_OFTEN * count / max(self._editions, 1)))
        bodies = texts.bodies([outline.key for outline in outlines])
        self._texts: list[tuple[str, int]] = []
        self._terms = _era_words()
        self._holding: dict[str, list[int]] = defaultdict(list)
        for outline in outlines:
            body = bodies[outline.key]
            words = _bare_words(f"{outline.heading}\n{body.text}\n{body.examples}")
            is_entry = outline.kind == Kind.GLOSSARY.value
            if is_entry:
                self._terms.update(_names(outline.heading))
            if is_entry and not _OBSOLETE.isdisjoint(words):
                continue
            for word in wanted.intersection(words):
                self._holding[word].append(len(self._texts))
            self._texts.append((f" {' '.join(words)} ", editions[outline.key]))
        self._found: dict[str, list[int]] = {}

    def used(self) -> Iterator[Used]:
        """Yield the terms of the text that entered or left the rules."""
        known: set[str] = set()
        for words, stems, fewest in self._phrases():
            if words in known:
                continue
            known.add(words)
            span = self._span(words, fewest)
            if span is not None:
                yield Used(words, stems, *span)

    def _phrases(self) -> Iterator[tuple[str, frozenset[str], int]]:
        """Yield words that are terms of any edition, with their stems.

        The third item is the number of texts of an edition that must print the words.
        """
        for part in _PART.split(self._text):
            printed = _WORD.findall(part)
            words = [fold(word) for word in printed]
            stems = [topic_of(word) for word in words]
            for start, word in enumerate(words):
                for length in range(_LONGEST_PHRASE, 1, -1):
                    term = tuple(stems[start : start + length])
                    if len(term) == length and term in self._terms:
                        yield " ".join(words[start : start + length]), frozenset(term), _FEW
                is_single = (stems[start],) in self._terms and word not in SILENT
                if is_single and printed[start].islower():
                    yield from self._single(words, start)

    def _single(
        self, words: Sequence[str], place: int
    ) -> Iterator[tuple[str, frozenset[str], int]]:
        """Yield a glossary word if the words beside it accompany it in the rules."""
        for start, length in ((place - 1, 2), (place, 2), (place - 1, 3)):
            around = words[max(start, 0) : start + length]
            telling = [word for word in around if word not in SILENT]
            if len(around) < length:
                continue
            phrase = " ".join(around)
            # Beside everyday words ("in exile"), the word must be very frequent in the rules.
            if len(self._printing(phrase)) >= (_FEW if telling[1:] else self._often):
                proof = frozenset(map(topic_of, telling))
                yield words[place], proof, _FEW
                if len(telling) == length:
                    yield phrase, proof, _MANY

    def _printing(self, words: str) -> list[int]:
        """Return the editions of each text with some words, as bits."""
        if words not in self._found:
            among = min([self._holding.get(word, ()) for word in words.split()], key=len)
            padded = f" {words} "
            texts = self._texts
            self._found[words] = [texts[at][1] for at in among if padded in texts[at][0]]
        return self._found[words]

    def _span(self, words: str, fewest: int) -> tuple[int, int, float] | None:
        """Return the places of the first and the last edition with some words, and their weight."""
        steps = [0] * (self._editions + 1)
        for bits, count in Counter(self._printing(words)).items():
            for start, end in runs_of(bits):
                steps[start] += count
                steps[end + 1] -= count
        counts = list(accumulate(steps[:-1]))
        most = max(counts, default=0)
        if most < fewest:
            return None
        first = next(place for place, count in enumerate(counts) if count > _COME * most)
        later = [place for place, count in enumerate(counts) if count > _GO * most]
        return first, later[-1], 1.0 if most >= self._often else _SELDOM_WEIGHT


def _names(heading: str) -> Iterator[tuple[str, ...]]:
    """Yield the names in a headword, each as stems: "You, Your", "Bury (Obsolete)".

    >>> list(_names("Mana Ability, Mana Source (Obsolete)"))
    [('mana', 'abiliti'), ('mana', 'sourc')]
    """
    for name in _REMARK.sub("", fold(heading)).split(", "):
        stems = tuple([topic_of(word) for word in _WORD.findall(name)])
        if stems:
            yield stems


def _bare_words(text: str) -> list[str]:
    """Return the folded words of a text without punctuation."""
    small = fold(text)
    for sign in _SIGNS:
        small = small.replace(sign, " ")
    return small.split()


def _era_words() -> set[tuple[str, ...]]:
    """Return the outdated words of the vocabulary, as stems."""
    return {
        tuple([topic_of(word) for word in _WORD.findall(fold(words))])
        for concept in all_concepts()
        if concept.kind == "era"
        for form in concept.form
        if not form.is_partial
        for words in form.words
        if not SILENT.issuperset(_WORD.findall(fold(words)))
    }


def _independent(used: Iterable[Used], *, is_first: bool) -> list[Used]:
    """Return the most telling words, without words that share a stem."""
    order = sorted(used, key=lambda use: (-use.first if is_first else use.last, use.words))
    kept: list[Used] = []
    for use in order:
        if all(use.stems.isdisjoint(earlier.stems) for earlier in kept):
            kept.append(use)
    return kept


def _proof(places: Iterable[tuple[int, Used]], bound: int | None) -> tuple[Used, ...]:
    """Return the words that prove a bound: words of the edition at the bound, if they suffice.

    One later word may be a coincidence.
    """
    if bound is None:
        return ()
    proof = [(place, use) for place, use in places if place >= bound]
    here = [(place, use) for place, use in proof if place == bound]
    is_enough = _bound(here) is not None
    return tuple([use for _, use in (here if is_enough else proof)])


def _is_own(use: Used) -> bool:
    """Say whether words are a phrase that only the rules and texts about them use."""
    telling = telling_of(use.words)
    return len(telling) >= _OWN_PHRASE and not telling <= _OTHER_GAMES


def _agreeing(
    came: list[Used], went: list[Used], own: Sequence[Used]
) -> tuple[list[Used], list[Used]]:
    """Return the words that came and the words that went, without outvoted words."""
    first = _bound([(use.first, use) for use in came])
    if first is None:
        return came, went
    against = [use for use in went if use.last < first]
    if not against:
        return came, went
    latest = max(use.last for use in against)
    is_later = len([use for use in own if use.first > latest]) >= _SURELY_LATER
    if is_later or sum([use.first >= first for use in came]) > len(against):
        return came, [use for use in went if use.last >= first]
    earliest = min(use.last for use in against)
    return [use for use in came if use.first <= earliest], went


def _bound(places: Iterable[tuple[int, Used]]) -> int | None:
    """Return the latest place with enough evidence; None if there is none."""
    weight = 0.0
    for place, use in sorted(places, key=lambda placed: -placed[0]):
        weight += use.weight
        if weight >= _PROOF:
            return place
    return None
