"""Glossaries: entries, the rules that they name, and their terms in texts.

A term is a headword of the glossary in any number, tense and case. The longest headword counts, so
"combat damage" is not a term inside "combat damage step". The tables list forms that do not follow from
endings, which the editions of 1999, 2007, 2010 and 2026 taught (docs/lineage.md), and the senses of
headwords that are also ordinary words: a wrong link costs a reader more than a missing link, so these are
terms only if the words around them show it. The table of senses was written after reading links drawn at
random; docs/edition.md has the figures.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
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

_REMARK = re.compile(r"\s*\((?:obsolete|informal)\)$")
# "[Quality]" in a headword stands for any words.
_PLACEHOLDER = re.compile(r"[-\N{EM DASH}\s]*\[[^\]]*\]")
_PARTS = re.compile(r'(?<=,")\s+|,\s+|/')
_SHORT = 4

# Headwords that every reader understands, so that they need no links.
_EVERYDAY = set_of(
    """become becomes during if instead number obsolete order permanently removed unless you your
    yours"""
)
# Forms that do not mean their headword: "named" is not about the entry "Name".
_OTHER_WORDS = set_of(
    """damaging faced faces handed handing landed landing layered matched matching named naming
    phased reached reaches reaching spelled spelling stacked stacking stepped stepping summoning
    teamed teaming typed typing"""
)
# Headwords that are ordinary words since their entries call them obsolete.
_EVERYDAY_AGAIN = frozenset({"counts as", "set aside"})
# Other names that editions use for an entry's subject.
_ALSO = {
    "banding": ("band", "bands"),
    "command": ("command zone",),
    "cycling": ("cycle", "cycles", "cycled"),
    "flip a coin": ("flips a coin", "flipping a coin", "coin flip", "coin flips"),
    "flipping a coin": ("flip a coin", "flips a coin", "coin flip", "coin flips"),
    "in play": ("into play", "from play", "out of play"),
    "intervening if clause": ("intervening ' if ' clause", 'intervening " if " clause'),
    "kicker": ("kicked",),
    "phasing": ("phase in", "phases in", "phased in", "phase out", "phases out", "phased out"),
    "summoning sickness rule": ("summoning sickness",),
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
    folded = fold_in_place(headword)
    # "Control, Controller" has two terms.
    parts = dict.fromkeys(map(_words, _PARTS.split(_bare(folded))))
    parts.pop((), None)
    rank = 0 if len(parts) == 1 else 1
    ranks = dict.fromkeys(parts, rank)
    if rank and ", " in headword:
        ranks[_words(_bare(folded), '"!')] = 0
    for part in parts:
        if len(part) > 1 or part[0] not in _EVERYDAY:
            for words in (*_inflected(part), *map(_split, _ALSO.get(" ".join(part), ()))):
                ranks.setdefault(words, 2)
    none = {("faces", "up"), *((word,) for word in _EVERYDAY | _OTHER_WORDS)}
    if folded.endswith("(obsolete)"):
        none |= set(map(_split, _EVERYDAY_AGAIN))
    return tuple([(words, rank) for words, rank in ranks.items() if words not in none])


def _split(words: str) -> Words:
    return tuple(words.split())


def _bare(folded: str) -> str:
    """Return a headword without its remark, its placeholders and the underscores of italics."""
    return _PLACEHOLDER.sub("", _REMARK.sub("", folded.replace("_", "")))


def _words(folded: str, without: str = '",!') -> Words:
    return tuple([word for word in split_words(folded)[1::2] if word not in without])


def _inflected(words: Words) -> Iterator[Words]:
    first, last = words[0], words[-1]
    if len(words) > 1:  # "mana abilities", "lost the game"
        yield from ((*words[:-1], form) for form in numbers_of(last))
        yield from ((form, *words[1:]) for form in tenses_of(_THIRD.get(first, first)))
    elif not (len(last) > _SHORT and last.endswith(("ing", "ed"))) and len(last) > 1:
        yield from ((form,) for form in (*numbers_of(last), *tenses_of(_THIRD.get(last, last))))


# Senses ------------------------------------------------------------------------------------------

# No word in these phrases is a term: "in general", "as modified by".
_PHRASES = """
    a dash, a die, a general subset, are placed, as modified, be modified, by hand, commander
    legends, deal with, dealing with, deals with, dealt with, die roll, die rolls, double faced,
    each dash, each die, game play, general categories, general rule, general rules, in effect, in
    general, in the event of, land face up, lands face down, lands face up, lands heads, lands on,
    lands tails, left hand, limited to, long dash, modified by, more general, name for, no effect
    on, of options, older name, on the other hand, option to, options to, phase in which, priority
    passes, reach a, reach the, return to play, returned to play, returns to play, right hand,
    rolled doubles, same general, sided die, some options, step by step, take effect, taken effect,
    takes effect, that die, the dash, the die, this die, tie together, to reach, to support, way of
    playing
"""
_REACH, _CLOSE = 12, 6
_ANY: frozenset[str] = frozenset()


class Sense(NamedTuple):
    """The neighbours that a word must have to be a term. An empty set is no condition.

    A word of `near` must be within twelve words, none of `apart` within six. The word before and the next
    word must be among `before` and `after`, and the next not in `not_after`.
    """

    near: frozenset[str] = _ANY
    apart: frozenset[str] = _ANY
    before: frozenset[str] = _ANY
    after: frozenset[str] = _ANY
    not_after: frozenset[str] = _ANY

    def holds(self, words: Sequence[str], place: int, stop: int) -> bool:
        """Return whether a word has this sense at a place."""
        if self.near and self.near.isdisjoint(words[max(0, place - _REACH) : place + _REACH]):
            return False
        if not self.apart.isdisjoint(words[max(0, place - _CLOSE) : stop + _CLOSE]):
            return False
        if self.before and (not place or words[place - 1] not in self.before):
            return False
        behind = words[stop] if stop < len(words) else ""
        return behind not in self.not_after and (not self.after or behind in self.after)


# The senses by headwords or forms of headwords. "Enters" means the battlefield unless another place
# follows; glossaries with the entry "move" only move counters; for a completed dungeon, "removed from the
# game" has its plain sense.
_SENSES = """
constructed | near constructed deck decks draft format formats game games play sealed tournament
  tournaments
create | near token tokens
dash | near ability cost keyword
die | before can't control could creatures may must never permanents they to will would |
  not_after roll rolled rolls will
enter | apart graveyard influence range zone zones | not_after a an another any certain combat
  commander into one the their
general | near emperor emperors
independent | near considered depend dependency dependent depends
limited | near constructed deck decks draft format formats game games play sealed tournament
  tournaments
lock | near door doors half halves room rooms
locked | near door doors half halves room rooms | not_after in
match | near between games series sideboard sideboards tournament tournaments won
modified | after creature creatures if permanent permanents
move | near counter counters | apart card cards marker zone zones
option | near archenemy attack commander default game games influence multiplayer planechase range
  team teams variant variants | apart bulleted choice choices choose chooses exercise given modal
  villainous
pass | near action actions phase priority stack step succession | apart booster card cards control
  left marker pack packs right
placed | near counter counters | apart marker sticker stickers
prevent | near damage
prize | near attraction attractions claim visit
protect, protector | near battle battles siege sieges
remove from the game, removed, removed-from-the-game zone (obsolete) | near exile exiled zone
requirement | near attack attacked attackers attacking attacks block blocked blockers blocking
  blocks combat
restriction | near attack attacked attackers attacking attacks block blocked blockers blocking
  blocks combat
step | near attackers begin beginning begins blockers cleanup combat damage draw end ending ends
  main phase phases priority turn untap upkeep | apart above below cast described follow following
  follows listed multiple several
type | not_after of
variant | near archenemy casual commander conspiracy draft emperor format formats game games giant
  melee multiplayer option options planechase play players style team vanguard | apart ability |
  not_after of
visit | near attraction attractions roll rolled rolls
"""
_SENSE_OF = {
    head: Sense(
        **{name: set_of(words) for name, _, words in (limit.partition(" ") for limit in limits)}
    )
    for head, *limits in (
        row.split(" | ") for row in _SENSES.strip().replace("\n  ", " ").split("\n")
    )
}

# Names of cards -----------------------------------------------------------------------------------

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
_LINKING = frozenset({"of", "over", ":"})
_MARKS = frozenset("\N{TRADE MARK SIGN}\N{REGISTERED SIGN}")
_REFERRING = frozenset({"see", "also"})


class PlacedWords:
    """The words of a text, folded, and all signs but hyphens; `ends` are where each starts and ends."""

    def __init__(self, text: str) -> None:
        pieces = split_words(fold_in_place(text))
        self._text = text
        self._between = pieces[::2]
        self.words = tuple(pieces[1::2])
        self.ends = list(accumulate(map(len, pieces)))

    def start(self, place: int) -> int:
        """Return where a word starts in the text."""
        return self.ends[2 * place]

    def stop(self, place: int) -> int:
        """Return where a word ends in the text."""
        return self.ends[2 * place + 1]

    def is_capital(self, place: int) -> bool:
        """Return whether a word begins with a capital."""
        return self._text[self.start(place)].isupper()

    def is_glued(self, place: int) -> bool:
        """Return whether a word is a placeholder as in "[type]walk", or part of an address."""
        text, start, stop = self._text, self.start(place), self.stop(place)
        if text[stop : stop + 1] == "]" and text[stop + 1 : stop + 2].isalpha():
            return True
        word = text[text.rfind(" ", 0, start) + 1 : start].rpartition("\n")[2]
        return "/" in word and "." in word

    def is_name(self, place: int) -> bool:
        """Return whether a word is part of the name of a card or product.

        It is if it has a capital inside a sentence or beside another such word: "casts Redirect",
        "Wall of Omens", "(Power Play)".
        """
        if not self.is_capital(place):
            return False
        if self._leads_on(place):
            return True
        if self.words[place - 1] == ":" and self._follows_name(place, 2):
            return True  # "Circle of Protection: Artifacts"
        if self._begins(place) or self.words[place - 1] in _REFERRING:
            return False
        return self.words[place] not in _PROPER or self._follows_name(place)

    def _leads_on(self, place: int) -> bool:
        following = place + 1
        if following == len(self.words) or "\n" in self._between[following]:
            return False
        if self.words[following] in _MARKS:
            return self.words[place] != "oracle"
        return self._is_part(following + (self.words[following] in _LINKING))

    def _is_part(self, place: int) -> bool:
        """Return whether a word can be part of a name; letters and subtypes prove nothing."""
        if not 0 <= place < len(self.words) or not self.is_capital(place):
            return False
        word = self.words[place]
        return len(word) > 1 and word.isalpha() and word not in _PROPER

    def _follows_name(self, place: int, gap: int = 1) -> bool:
        before = place - gap
        return self._is_part(before) and not self._begins(before)

    def _begins(self, place: int) -> bool:
        if not place or "\n" in self._between[place]:
            return True
        before = self.words[place - 1]
        if before == "," and place > 1:
            return self.words[place - 2].endswith(("}", "]"))
        return before[-1] in _OPENING  # the title in a citation is one word


# Terms in texts -----------------------------------------------------------------------------------


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
        sure |= {tuple(phrase.split()): (0, "") for phrase in _PHRASES.split(",")}
        # By its first word, each form with its headword, "" for a phrase that is not a term.
        self._forms: dict[str, list[tuple[Words, str]]] = {}
        for words in sorted(sure, key=len, reverse=True):
            self._forms.setdefault(words[0], []).append((words, sure[words][1]))

    def find(self, text: str, own: str = "") -> list[FoundTerm]:
        """Return the terms in a text, in order and without overlaps; not its own headword."""
        placed = PlacedWords(text)
        terms, next_word = list[FoundTerm](), 0
        for place, word in enumerate(placed.words):
            if word not in self._forms or place < next_word:
                continue
            words, headword = self._form_at(placed, place)
            next_word = max(next_word, place + len(words))
            if not headword or headword == own:
                continue
            if len(words) == 1 and (placed.is_name(place) or placed.is_glued(place)):
                continue
            terms.append(FoundTerm(placed.start(place), placed.stop(next_word - 1), headword))
        return terms

    def _form_at(self, placed: PlacedWords, place: int) -> tuple[Words, str]:
        for words, headword in self._forms[placed.words[place]]:
            stop, key = place + len(words), headword.lower()
            if placed.words[place:stop] != words:
                continue
            if (key in _CAPITAL or words[0] in _CAPITAL) and not placed.is_capital(place):
                continue
            sense = _SENSE_OF.get(words[0] if len(words) == 1 else "", _SENSE_OF.get(key))
            if sense is None or sense.holds(placed.words, place, stop):
                return words, headword
        return (), ""


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
        rules: list[EntryRule] = []
        for citation in cites(self._base, match.state, match.edition.place):
            if citation.part == "text":
                heading, under = self._heading(citation.targets[:1], match.edition.place)
                about = citation.text, citation.targets, heading, under, citation.status
                rules.append(EntryRule(*about))
        return rules

    def _heading(self, addresses: list[str], edition: int) -> tuple[str, str | None]:
        """Return a provision's heading and None, or the nearest heading above it and its address."""
        for state in [self._base.at_address(address, edition) for address in addresses]:
            if state is not None and state.heading:
                return state.heading, None
            above = [] if state is None else self._base.above(state, edition)
            for row in [row for row in above if row.heading]:
                return row.heading, row.address
        return "", None

    def last_with(self, term: str) -> "EditionEntry | None":
        """Return the last edition that has a headword; None if no edition has it."""
        states, runs = self._base.states, self._base.runs(fold_key(term))
        places = [run.last for run in runs if states[run.state].kind == "glossary"]
        return self._base.editions[max(places)] if places else None
