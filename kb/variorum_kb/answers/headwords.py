"""What a headword of the glossary names, and the forms in which texts print it.

The tables say what no rule of endings tells. They were written after reading what was found in the
editions of 1999, 2007, 2010 and 2026; docs/references.md says how, and how often it is right.
"""

import re
from collections.abc import Iterator
from functools import cache

Words = tuple[str, ...]

# Signs that a document may print in several ways, each a single code point, so that places stay.
_SIGNS = (
    ("\N{RIGHT SINGLE QUOTATION MARK}", "'"),
    ("\N{LEFT SINGLE QUOTATION MARK}", "'"),
    ("\N{LEFT DOUBLE QUOTATION MARK}", '"'),
    ("\N{RIGHT DOUBLE QUOTATION MARK}", '"'),
    ("\N{EN DASH}", "-"),
    ("\N{MINUS SIGN}", "-"),
)
_TOKEN = re.compile(
    r"""(
      (?: [1-9]\d\d (?: \.\d+[a-z]* (?: -\w+ )? )? | section\ [1-9] ) ,?\ "[^"\n]{1,90}"  # a title
    | [a-z]+ (?: '(?!s\b) [a-z]+ )? (?![^\W_]|')  # can't; most words, looked for first
    | \{ [^{}\s]* \}                              # {T}, {W/U}
    | 's \b                                       # a possessive's ending
    | [^\W_]+ (?: '(?!s\b) [^\W_]+ )*
    | [^\s\w-]                                    # whatever parts one member from another
    )""",
    re.VERBOSE,
)
_REMARK = re.compile(r"\s*\((?:obsolete|informal)\)$")
# "[Quality]" in a headword stands for words that every text has of its own.
_PLACEHOLDER = re.compile(r"[-\N{EM DASH}\s]*\[[^\]]*\]")
_PARTS = re.compile(r'(?<=,")\s+|,\s+|/')
_VOWELS = "aeiou"
_SIBILANTS = ("s", "x", "z", "ch", "sh")
_SHORT = 4


def set_of(words: str) -> frozenset[str]:
    """Return the words of a table, which is easier to read without quotes."""
    return frozenset(words.split())


# Headwords of which a reader knows all that the entry says; linked, they would stand everywhere.
_EVERYDAY = set_of(
    """become becomes during if instead number obsolete order permanently removed unless you your
    yours"""
)
# Likewise, once their own entries call them obsolete and texts use them as anybody does.
_EVERYDAY_AGAIN = frozenset({"counts as", "set aside"})
# Forms that are other words, or none of the rules: a named card, a hand that is handed.
_OTHER_WORDS = set_of(
    """damaging faced faces handed handing landed landing layered matched matching named naming
    phased reached reaches reaching spelled spelling stacked stacking stepped stepping summoning
    teamed teaming typed typing"""
)
# Other names that editions have for what an entry explains.
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
# Verbs that no ending tells: past, participle, gerund.
_IRREGULAR = {
    "become": ("became", "becoming"),
    "cast": ("casting",),
    "choose": ("chose", "chosen", "choosing"),
    "come": ("came", "coming"),
    "deal": ("dealt", "dealing"),
    "die": ("died", "dying"),
    "draw": ("drew", "drawn", "drawing"),
    "fight": ("fought", "fighting"),
    "leave": ("left", "leaving"),
    "lose": ("lost", "losing"),
    "pay": ("paid", "paying"),
    "put": ("putting",),
    "set": ("setting",),
    "win": ("won", "winning"),
}
# Longer verbs that double their last letter, as all short ones do.
_DOUBLING = frozenset({"control", "equip", "untap"})
# Verbs that headwords print in the third person.
_THIRD = {
    "attacks": "attack",
    "comes": "come",
    "dies": "die",
    "enters": "enter",
    "leaves": "leave",
}


def fold(text: str) -> str:
    """Return a text in small letters and straight signs, each sign in its place.

    >>> fold("Can’t −1/−1")
    "can't -1/-1"
    """
    straight = text
    for sign, plain in _SIGNS:
        straight = straight.replace(sign, plain)
    small = straight.lower()
    if len(small) == len(text):
        return small
    # A few capitals have two small letters; places would move.
    return "".join([one.lower() if len(one.lower()) == 1 else one for one in straight])


def split_words(folded: str) -> list[str]:
    """Return a folded text in pieces: what parts words, a word, what parts words, and so on.

    A sign that parts sentences or members is a word too, blanks and hyphens are not. The title
    behind a citation is one word with it, since it names what is cited and nothing else.

    >>> split_words(fold("A player’s state-based {W/U}. See rule 510, “Draw.”"))[1::2]
    ['a', 'player', "'s", 'state', 'based', '{w/u}', '.', 'see', 'rule', '510, "draw."']
    """
    return _TOKEN.split(folded)


@cache
def forms_of(headword: str) -> tuple[tuple[Words, int], ...]:
    """Return the ways to print a headword, each with its rank.

    The rank is 0 for the headword's own words, 1 for one of several in it, 2 for an inflected form.

    >>> [(" ".join(words), rank) for words, rank in forms_of("Kicker, Kicked")][:3]
    [('kicker', 1), ('kicked', 1), ('kicker , kicked', 0)]
    >>> "loses the game" in {" ".join(words) for words, _ in forms_of("Lose the Game")}
    True
    """
    parts, is_obsolete = _parts(headword)
    rank = 0 if len(parts) == 1 else 1
    found = dict.fromkeys(parts, rank)
    if rank and ", " in headword:
        found[_words(_bare(fold(headword)), '"!')] = 0
    for part in parts:
        if part[0] in _EVERYDAY and len(part) == 1:
            continue
        for words in _inflected(part):
            found.setdefault(words, 2)
        for name in _ALSO.get(" ".join(part), ()):
            found.setdefault(tuple(name.split()), 2)
    return tuple([(words, rank) for words, rank in found.items() if _is_term(words, is_obsolete)])


def _is_term(words: Words, is_obsolete: bool) -> bool:  # noqa: FBT001 - a private question
    if len(words) == 1:
        return words[0] not in _EVERYDAY and words[0] not in _OTHER_WORDS
    return words != ("faces", "up") and not (is_obsolete and " ".join(words) in _EVERYDAY_AGAIN)


def _parts(headword: str) -> tuple[list[Words], bool]:
    """Return what a headword names, several of "Control, Controller", and whether it is obsolete.

    >>> _parts("Partner, “Partner with [name]”"), _parts("Bury (Obsolete)")
    (([('partner',), ('partner', 'with')], False), ([('bury',)], True))
    """
    folded = fold(headword)
    parts = [_words(part) for part in _PARTS.split(_bare(folded))]
    return [part for part in dict.fromkeys(parts) if part], folded.endswith("(obsolete)")


def _bare(folded: str) -> str:
    """Return a headword without its remark, its placeholders and the underscores of italics."""
    bare = folded.replace("_", "")
    if "(" in bare:
        bare = _REMARK.sub("", bare)
    return _PLACEHOLDER.sub("", bare) if "[" in bare else bare


def _words(folded: str, without: str = '",!') -> Words:
    return tuple([one for one in split_words(folded)[1::2] if one not in without])


# Forms ---------------------------------------------------------------------------------------


def _inflected(words: Words) -> Iterator[Words]:
    first, last = words[0], words[-1]
    if len(words) > 1:  # "Mana Ability" has mana abilities; "Lose the Game" is lost.
        yield from ((*words[:-1], form) for form in _numbers(last))
        yield from ((form, *words[1:]) for form in _tenses(_THIRD.get(first, first)))
    elif not (len(last) > _SHORT and last.endswith(("ing", "ed"))) and len(last) > 1:
        yield from ((form,) for form in (*_numbers(last), *_tenses(_THIRD.get(last, last))))


def _numbers(noun: str) -> list[str]:
    """Return the other numbers of a noun: the plural, or the singular if it is one itself.

    >>> _numbers("ability"), _numbers("abilities"), _numbers("loss"), _numbers("symbols")
    (['abilities'], ['ability'], ['losses'], ['symbol'])
    """
    if noun.endswith("ies") and len(noun) > _SHORT:
        return [f"{noun[:-3]}y"]
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
        return [noun[:-1]]
    return [_with_s(noun)]


def _tenses(verb: str) -> list[str]:
    """Return the forms of a verb.

    >>> _tenses("tap"), _tenses("scry")
    (['tap', 'taps', 'tapped', 'tapping'], ['scry', 'scries', 'scried', 'scrying'])
    """
    if verb in _IRREGULAR:
        return [verb, _with_s(verb), *_IRREGULAR[verb]]
    if verb.endswith("e"):
        gerund = f"{verb}ing" if verb.endswith("ee") else f"{verb[:-1]}ing"
        return [verb, f"{verb}s", f"{verb}d", gerund]
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return [verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"]
    stem = verb + verb[-1] if _is_doubling(verb) else verb
    return [verb, _with_s(verb), f"{stem}ed", f"{stem}ing"]


def _with_s(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(_SIBILANTS) else f"{word}s"


def _is_doubling(verb: str) -> bool:
    if verb in _DOUBLING:
        return True
    is_closed = len(verb) > 2 and verb[-1] not in "aeiouwxy" and verb[-2] in _VOWELS  # noqa: PLR2004
    return is_closed and sum([sign in _VOWELS for sign in verb]) == 1
