"""Lists the forms in which texts print the headwords of the glossary.

The tables list forms that do not follow from endings. The editions of 1999, 2007, 2010 and 2026
taught them; docs/references.md describes how.
"""

import re
from collections.abc import Iterator
from functools import cache

from variorum.text.folding import fold_in_place
from variorum.text.inflection import numbers_of, tenses_of
from variorum.text.words import set_of, split_words

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
# Headwords that are ordinary words since their entries call them obsolete.
_EVERYDAY_AGAIN = frozenset({"counts as", "set aside"})
# Forms that do not mean their headword: "named" is not about the entry "Name".
_OTHER_WORDS = set_of(
    """damaging faced faces handed handing landed landing layered matched matching named naming
    phased reached reaches reaching spelled spelling stacked stacking stepped stepping summoning
    teamed teaming typed typing"""
)
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
_THIRD = {
    "attacks": "attack",
    "comes": "come",
    "dies": "die",
    "enters": "enter",
    "leaves": "leave",
}


@cache
def forms_of(headword: str) -> tuple[tuple[Words, int], ...]:
    """Return the ways to print a headword, each with its rank.

    The rank is 0 for the whole headword, 1 for one of several terms in it, 2 for an inflected form.

    >>> [(" ".join(words), rank) for words, rank in forms_of("Kicker, Kicked")][:3]
    [('kicker', 1), ('kicked', 1), ('kicker , kicked', 0)]
    >>> "loses the game" in {" ".join(words) for words, _ in forms_of("Lose the Game")}
    True
    """
    parts, is_obsolete = _parts(headword)
    rank = 0 if len(parts) == 1 else 1
    ranks = dict.fromkeys(parts, rank)
    if rank and ", " in headword:
        ranks[_words(_bare(fold_in_place(headword)), '"!')] = 0
    for part in parts:
        if part[0] in _EVERYDAY and len(part) == 1:
            continue
        for words in _inflected(part):
            ranks.setdefault(words, 2)
        for name in _ALSO.get(" ".join(part), ()):
            ranks.setdefault(tuple(name.split()), 2)
    return tuple([(words, rank) for words, rank in ranks.items() if _is_term(words, is_obsolete)])


def _is_term(words: Words, is_obsolete: bool) -> bool:  # noqa: FBT001 - a private question
    if len(words) == 1:
        return words[0] not in _EVERYDAY and words[0] not in _OTHER_WORDS
    return words != ("faces", "up") and not (is_obsolete and " ".join(words) in _EVERYDAY_AGAIN)


def _parts(headword: str) -> tuple[list[Words], bool]:
    """Return the terms in a headword ("Control, Controller" has two), and whether it is obsolete.

    >>> _parts("Partner, “Partner with [name]”"), _parts("Bury (Obsolete)")
    (([('partner',), ('partner', 'with')], False), ([('bury',)], True))
    """
    folded = fold_in_place(headword)
    parts = [_words(part) for part in _PARTS.split(_bare(folded))]
    return [part for part in dict.fromkeys(parts) if part], folded.endswith("(obsolete)")


def _bare(folded: str) -> str:
    """Return a headword without its remark, its placeholders and the underscores of italics."""
    bare = folded.replace("_", "")
    if "(" in bare:
        bare = _REMARK.sub("", bare)
    return _PLACEHOLDER.sub("", bare) if "[" in bare else bare


def _words(folded: str, without: str = '",!') -> Words:
    return tuple([word for word in split_words(folded)[1::2] if word not in without])


# Forms ---------------------------------------------------------------------------------------


def _inflected(words: Words) -> Iterator[Words]:
    first, last = words[0], words[-1]
    if len(words) > 1:  # "mana abilities", "lost the game"
        yield from ((*words[:-1], form) for form in numbers_of(last))
        yield from ((form, *words[1:]) for form in tenses_of(_THIRD.get(first, first)))
    elif not (len(last) > _SHORT and last.endswith(("ing", "ed"))) and len(last) > 1:
        yield from ((form,) for form in (*numbers_of(last), *tenses_of(_THIRD.get(last, last))))
