"""Stems: the common part of the forms of a word.

`stem_of` distinguishes words with different meanings in the rules, such as commander and command.
`topic_of` joins some of them, since prose uses "your controller" and "you control" for one thing.
Search uses `stem_of`; the weights that tell which rule prose is about were fitted with `topic_of`.
"""

from functools import cache

from variorum.text.inflection import BASE_FORMS

# Common misspellings, and forms that neither endings nor the table of verbs cover.
IRREGULAR = BASE_FORMS | {
    "agreed": "agree",
    "cannot": "can't",
    "cant": "can't",
    "does": "do",
    "doesnt": "doesn't",
    "dont": "don't",
    "goes": "go",
    "isnt": "isn't",
}
SHORT_STEMS = {"die": "di", "tie": "ti", "use": "us"}
# Endings that make a noun or an adverb of a stem.
NOUN_ENDINGS = ("ion", "ment", "li")
_TOPICS = {
    form: BASE_FORMS[form]
    for form in "began begun chose chosen dealt drawn drew left lost paid won".split()  # noqa: SIM905
} | {
    "choice": "choose",
    "controller": "control",
    "controllers": "control",
    "dies": "die",
    "dying": "die",
    "owner": "own",
    "owners": "own",
}
_VOWELS = frozenset("aeiouy")
# Shorter words have no endings: "is", "as", "its".
_SHORTEST = 3
_FAMILY_LEFT = 4


@cache
def stem_of(word: str) -> str:
    """Return the stem of a word: the common part of its forms, which need not be a word.

    It removes only endings of number and tense. The usual stemmers also merge commander and
    command, or active and activate, which have different meanings in the rules.

    >>> stem_of("destroyed") == stem_of("destroys") == stem_of("destroy")
    True
    >>> stem_of("sacrificing") == stem_of("sacrificed"), stem_of("died") == stem_of("dies")
    (True, True)
    >>> stem_of("commander") == stem_of("command"), stem_of("can't"), stem_of("704.5k")
    (False, "can't", '704.5k')
    """
    word = IRREGULAR.get(word, word).replace("colour", "color")
    if not word.isalpha() or len(word) <= _SHORTEST:
        return _short(word)
    if word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        ends = bare != word and (bare[-1:] != "e" or (ending == "ing" and bare[-2:] == "ee"))
        if ends and len(bare) > 1 and _VOWELS.intersection(bare):
            word = bare
            break
    if len(word) > _SHORTEST and word[-1] == "e":
        word = word[:-1]
    elif len(word) == _SHORTEST:
        return _short(word)
    if len(word) > _SHORTEST and word[-1] == word[-2]:
        word = word[:-1]
    return f"{word[:-1]}i" if word[-1] == "y" else word


def _short(word: str) -> str:
    """Return the stem of a short word: "fly" for "flying"."""
    stem = SHORT_STEMS.get(word)
    if stem is not None:
        return stem
    return (
        f"{word[:-1]}i" if len(word) == _SHORTEST and word[-1] == "y" and word.isalpha() else word
    )


def family_of(stem: str) -> str:
    """Return the stem that a noun or an adverb is made of; "" if the stem has no such ending.

    >>> family_of(stem_of("regeneration")) == stem_of("regenerate")
    True
    >>> family_of("cast")
    ''
    """
    for ending in NOUN_ENDINGS:
        bare = stem.removesuffix(ending)
        if bare != stem and len(bare) >= _FAMILY_LEFT:
            return stem_of(bare)
    return ""


@cache
def topic_of(word: str) -> str:
    """Return a word without endings of number and tense, with "owner" and "choice" as verbs.

    >>> topic_of("controllers"), topic_of("controlled")
    ('control', 'control')
    """
    word = word.removesuffix("'s")
    word = _TOPICS.get(word, word)
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) >= _SHORTEST + len(ending):
            word = word.removesuffix(ending)
            break
    if len(word) > _SHORTEST and word[-1] in {"e", word[-2]}:
        word = word[:-1]
    return word
