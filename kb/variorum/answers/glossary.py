"""Glossaries: entries, the rules that they name, and their terms in texts.

A term is a headword of the glossary in any number, tense and case. The longest headword counts, so
"combat damage" is not a term inside "combat damage step". The tables list forms that do not follow from
endings, which the editions of 1999, 2007, 2010 and 2026 taught (docs/lineage.md), and headwords that are
also ordinary words: a wrong link costs a reader more than a missing link, so these are terms only near
words that show it.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.refs import cites
from variorum.records.provision import EntryRule, Term
from variorum.rows import full_text
from variorum.text import fold_in_place, fold_key, set_of, split_words
from variorum.words import numbers_of, tenses_of

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.subject import Subject

_HEADWORDS = (
    "SELECT p.heading FROM provision p JOIN span s ON s.provision = p.id "
    "WHERE p.kind = 'glossary' AND s.first <= ? AND s.last >= ? ORDER BY p.id"
)

Words = tuple[str, ...]

# What a headword has besides its words: a remark; a placeholder, as in "[Quality]", for any words.
_BESIDE = re.compile(r"\s*\((?:obsolete|informal)\)$|[-\N{EM DASH}\s]*\[[^\]]*\]|_")
_PARTS = re.compile(r'(?<=,")\s+|,\s+|/')
_SHORT = 4

# Headwords that every reader understands, and forms that do not mean their headword: "named" is not about
# the entry "Name".
_EVERYDAY = set_of(
    """become becomes during if instead number obsolete order permanently removed unless you your
    yours"""
)
_OTHER_WORDS = set_of(
    """damaging faced faces handed handing landed landing layered matched matching named naming
    phased reached reaches reaching spelled spelling stacked stacking stepped stepping summoning
    teamed teaming typed typing"""
)
# Other names that editions use for an entry's subject.
_ALSO = {
    "banding": "band, bands",
    "command": "command zone",
    "cycling": "cycle, cycles, cycled",
    "flip a coin": "flips a coin, flipping a coin, coin flip, coin flips",
    "flipping a coin": "flip a coin, flips a coin, coin flip, coin flips",
    "in play": "into play, from play, out of play",
    "intervening if clause": "intervening ' if ' clause, intervening \" if \" clause",
    "kicker": "kicked",
    "phasing": "phase in, phases in, phased in, phase out, phases out, phased out",
    "summoning sickness rule": "summoning sickness",
}
# Verbs that headwords have in the third person.
_THIRD = {f"{verb}s": verb for verb in ("attack", "come", "die", "enter", "leave")}


@cache
def forms_of(headword: str) -> tuple[tuple[Words, int], ...]:
    """Return the ways to print a headword, each with its rank.

    The rank is 0 for the whole headword, 1 for one of several terms in it, 2 for an inflected form.

    >>> [(" ".join(words), rank) for words, rank in forms_of("Kicker, Kicked")][:3]
    [('kicker', 1), ('kicked', 1), ('kicker , kicked', 0)]
    >>> "loses the game" in {" ".join(words) for words, _ in forms_of("Lose the Game")}
    True
    """
    folded = _BESIDE.sub("", fold_in_place(headword))
    # "Control, Controller" has two terms.
    parts = dict.fromkeys(_words(part) for part in _PARTS.split(folded))
    parts.pop((), None)
    rank = 0 if len(parts) == 1 else 1
    ranks = dict.fromkeys(parts, rank)
    if rank and ", " in headword:
        ranks[_words(folded, '"!')] = 0
    for part in parts:
        if len(part) > 1 or part[0] not in _EVERYDAY:
            also = _ALSO.get(" ".join(part), "").split(", ")
            for words in (*_inflected(part), *(tuple(words.split()) for words in also if words)):
                ranks.setdefault(words, 2)
    none = {("faces", "up"), *((word,) for word in _EVERYDAY | _OTHER_WORDS)}
    return tuple([(words, rank) for words, rank in ranks.items() if words not in none])


def _words(folded: str, without: str = '",!') -> Words:
    return tuple([word for word in split_words(folded)[1::2] if word not in without])


def _inflected(words: Words) -> Iterator[Words]:
    first, last = words[0], words[-1]
    if len(words) > 1:  # "mana abilities", "lost the game"
        yield from ((*words[:-1], form) for form in numbers_of(last))
        yield from ((form, *words[1:]) for form in tenses_of(_THIRD.get(first, first)))
    elif not (len(last) > _SHORT and last.endswith(("ing", "ed"))) and len(last) > 1:
        yield from ((form,) for form in (*numbers_of(last), *tenses_of(_THIRD.get(last, last))))


# Headwords that are also ordinary words, each with the words of which one must be within so many words.
_REACH = 12
_NEAR = """
    constructed, limited: constructed deck decks draft format formats games play sealed tournament
    create: token tokens
    dash: ability cost keyword
    die: battlefield creature creatures graveyard permanent permanents
    general: emperor emperors
    independent: considered depend dependency dependent depends
    lock, locked: door doors half halves room rooms
    match: between games series sideboard sideboards tournament tournaments won
    modified: creature creatures permanent permanents
    move, placed: counter counters
    option: archenemy commander default influence multiplayer planechase range team teams variant
    pass: action actions phase priority stack step succession
    prevent: damage
    prize, visit: attraction attractions roll rolled
    protect, protector: battle battles siege sieges
    requirement, restriction: attack attacked attackers attacking attacks block blocked blockers
    step: beginning blockers cleanup combat damage draw end main phase phases priority turn untap upkeep
    variant: archenemy casual commander draft emperor format game games multiplayer option play players
"""
_NEAR_OF = {
    head: set_of(near)
    for heads, near in (row.split(": ") for row in _NEAR.strip().split("\n"))
    for head in heads.strip().split(", ")
}
# One-word headwords that have a capital within a sentence: subtypes, formats, letters.
_PROPER = set_of(
    """archenemy attraction attractions aura auras background backgrounds battle brawl case cases
    class classes commander conspiracy constructed emperor equipment forest forests fortification
    fortifications infinity island islands limited map maps mountain mountains oracle plains
    planechase role roles room rooms saga sagas siege sieges swamp swamps token vanguard vehicle
    vehicles wall walls x y"""
)
# Headwords that are terms only with a capital, such as the subtype Case and the number X.
_CAPITAL = set_of("background case map role x y z")
# A sentence or a quotation begins after one of these signs; quotes are folded.
_OPENING = frozenset('.:;?!"(){[\N{EM DASH}\N{EN DASH}\N{BULLET}/')


class FoundTerm(NamedTuple):
    """A term in a text, without a possessive ending, and its headword."""

    start: int
    stop: int
    term: str


class Terms:
    """The terms of an edition.

    >>> terms = Terms(["Combat Damage", "Destroy", "Mana Ability"])
    >>> terms.find("Mana abilities aren’t destroyed.")
    [FoundTerm(start=0, stop=14, term='Mana Ability'), FoundTerm(start=22, stop=31, term='Destroy')]
    """

    def __init__(self, headwords: Iterable[str]) -> None:
        """Prepare headwords; if two share a form, the headword printed in this form counts."""
        sure: dict[Words, tuple[int, str]] = {}
        for headword in headwords:
            for words, rank in forms_of(headword):
                if words not in sure or rank < sure[words][0]:
                    sure[words] = rank, headword
        # By its first word, each form with its headword.
        self._forms: dict[str, list[tuple[Words, str]]] = {}
        for words in sorted(sure, key=len, reverse=True):
            self._forms.setdefault(words[0], []).append((words, sure[words][1]))

    def find(self, text: str, own: str = "") -> list[FoundTerm]:
        """Return the terms in a text, in order and without overlaps; not its own headword."""
        pieces = split_words(fold_in_place(text))
        words, ends = tuple(pieces[1::2]), list(accumulate(map(len, pieces)))
        terms, next_word = list[FoundTerm](), 0
        for place, word in enumerate(words):
            start = ends[2 * place]
            is_capital = text[start].isupper()
            for form, headword in self._forms.get(word, ()) if place >= next_word else ():
                stop, key = place + len(form), headword.lower()
                near = _NEAR_OF.get(form[0] if len(form) == 1 else "", _NEAR_OF.get(key))
                around = words[max(0, place - _REACH) : place + _REACH]
                is_lower = not is_capital and (key in _CAPITAL or word in _CAPITAL)
                if words[place:stop] != form or is_lower or (near and near.isdisjoint(around)):
                    continue
                next_word, end = stop, ends[2 * stop - 1]
                is_name = len(form) == 1 and is_capital and word not in _PROPER
                is_name = is_name and not _begins(words, place, pieces[2 * place])
                # "[type]walk" is not about walking, nor an address about its parts.
                is_glued = text[end : end + 1] == "]" and text[end + 1 : end + 2].isalpha()
                is_glued = is_glued or {*"/."} <= {*text[text.rfind(" ", 0, start) + 1 : start]}
                if headword != own and not is_name and not (is_glued and len(form) == 1):
                    terms.append(FoundTerm(start, end, headword))
                break
        return terms


def _begins(words: Words, place: int, between: str) -> bool:
    """Return whether a word may have a capital for its place: it begins a sentence, or follows a sign."""
    if not place or "\n" in between:
        return True
    before = words[place - 1]
    return (
        before[-1] in _OPENING
        or before in {"see", "also"}
        or (before == "," and words[place - 2][-1] in "}]")
    )


class Glossary:
    """Answers about glossaries, from an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        # Only one edition's terms are cached, because callers ask edition by edition.
        self._terms: tuple[int, Terms] | None = None

    def terms_of(self, on: "str | EditionEntry" = "current") -> Terms:
        """Return the finder of an edition's terms in texts."""
        place = self._base.edition(on).place
        if self._terms is None or self._terms[0] != place:
            rows = self._base.reader.query(_HEADWORDS, (place, place))
            self._terms = place, Terms([headword for (headword,) in rows])
        return self._terms[1]

    def terms(self, match: "Subject") -> list[Term]:
        """Return the terms in a provision's text and examples, by the glossary of its edition."""
        text = full_text(match.state.body)
        own = match.heading if match.kind == "glossary" else ""
        return [
            Term(term=term, text=text[start:stop], start=start, end=stop)
            for start, stop, term in self.terms_of(match.edition).find(text, own)
        ]

    def rules(self, match: "Subject") -> list[EntryRule]:
        """Return the rules that an entry names, in the order it prints them."""
        place, rules = match.edition.place, list[EntryRule]()
        for citation in cites(self._base, match.state, place):
            if citation.part == "text":
                first = [self._base.at_address(each, place) for each in citation.targets[:1]]
                rows = [row for it in first if it for row in (it, *self._base.above(it, place))]
                heading, under = next(
                    ((it.heading, it.address) for it in rows if it.heading), ("", None)
                )
                under = None if under in citation.targets[:1] else under
                about = citation.text, citation.targets, heading, under, citation.status
                rules.append(EntryRule(*about))
        return rules

    def last_with(self, term: str) -> "EditionEntry | None":
        """Return the last edition that has a headword; None if no edition has it."""
        states, runs = self._base.states, self._base.runs(fold_key(term))
        places = [run.last for run in runs if states[run.state].kind == "glossary"]
        return self._base.editions[max(places)] if places else None
