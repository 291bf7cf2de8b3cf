"""Words: their forms and stems, and lists of words that say little. Pure."""

from functools import cache

from variorum.facts import STOP_WORDS, read_table
from variorum.text import set_of

# Forms --------------------------------------------------------------------------------------------

# Irregular verbs, each with the forms of its past.
_IRREGULAR_VERBS = (
    "become became|begin began begun|bring brought|cast|choose chose chosen|come came|deal dealt|"
    "draw drew drawn|fight fought|give gave given|go went gone|hold held|keep kept|leave left|"
    "lose lost|make made|meet met|pay paid|put|set|show shown|spend spent|take took taken|win won"
)
_PAST = {verb: tuple(past) for verb, *past in map(str.split, _IRREGULAR_VERBS.split("|"))}
_BASE_FORMS = {form: verb for verb, forms in _PAST.items() for form in forms}

# Shorter words have no endings: "is", "as", "its".
_SHORTEST = 3
_GERUNDS = {"die": "dying"}
# Longer verbs that double their last letter, as all short verbs do.
_DOUBLING = frozenset({"control", "equip", "untap"})
_VOWELS = "aeiou"
_SIBILANTS = ("s", "x", "z", "ch", "sh")


def numbers_of(noun: str) -> list[str]:
    """Return the plural forms of a singular noun, or the singular forms of a plural.

    >>> numbers_of("ability"), numbers_of("abilities"), numbers_of("loss"), numbers_of("symbols")
    (['abilities'], ['ability'], ['losses'], ['symbol'])
    """
    if noun.endswith("ies") and len(noun) > _SHORTEST + 1:
        return [f"{noun[:-3]}y"]
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
        return [noun[:-1]]
    return [_with_s(noun)]


def tenses_of(verb: str) -> list[str]:
    """Return the forms of a verb.

    >>> tenses_of("tap"), tenses_of("scry")
    (['tap', 'taps', 'tapped', 'tapping'], ['scry', 'scries', 'scried', 'scrying'])
    >>> tenses_of("choose"), tenses_of("die")
    (['choose', 'chooses', 'chose', 'chosen', 'choosing'], ['die', 'dies', 'died', 'dying'])
    """
    stem = verb + verb[-1] if _is_doubling(verb) else verb
    if verb.endswith("e"):
        past = f"{verb}d"
        gerund = f"{verb}ing" if verb.endswith("ee") else f"{verb[:-1]}ing"
    elif _ends_in_y(verb):
        past, gerund = f"{verb[:-1]}ied", f"{verb}ing"
    else:
        past, gerund = f"{stem}ed", f"{stem}ing"
    return [verb, _with_s(verb), *_PAST.get(verb, (past,)), _GERUNDS.get(verb, gerund)]


def _with_s(word: str) -> str:
    if _ends_in_y(word):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(_SIBILANTS) else f"{word}s"


def _ends_in_y(word: str) -> bool:
    return word.endswith("y") and word[-2:-1] not in _VOWELS


def _is_doubling(verb: str) -> bool:
    if verb in _DOUBLING:
        return True
    is_closed = len(verb) > 2 and verb[-1] not in "aeiouwxy" and verb[-2] in _VOWELS  # noqa: PLR2004
    return is_closed and sum([sign in _VOWELS for sign in verb]) == 1


# Common misspellings, and forms that neither endings nor the table of verbs cover.
_IRREGULAR = _BASE_FORMS | {
    "agreed": "agree",
    "cannot": "can't",
    "cant": "can't",
    "does": "do",
    "doesnt": "doesn't",
    "dont": "don't",
    "goes": "go",
    "isnt": "isn't",
}
_SHORT_STEMS = {"die": "di", "tie": "ti", "use": "us"}
# Endings that make a noun or an adverb of a stem.
NOUN_ENDINGS = ("ion", "ment", "li")
# Nouns of the verbs that prose uses for one thing: "your controller" and "you control".
_VERBS = {
    "choice": "choose",
    "controller": "control",
    "controllers": "control",
    "owner": "own",
    "owners": "own",
}
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
    word = _IRREGULAR.get(word, word).replace("colour", "color")
    if not word.isalpha() or len(word) <= _SHORTEST:
        return _short(word)
    if word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        ends = bare != word and (bare[-1:] != "e" or (ending == "ing" and bare[-2:] == "ee"))
        if ends and len(bare) > 1 and any(letter in "aeiouy" for letter in bare):
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
    if len(word) == _SHORTEST and word[-1] == "y" and word.isalpha():
        return f"{word[:-1]}i"
    return _SHORT_STEMS.get(word, word)


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


def topic_of(word: str) -> str:
    """Return the stem of a word, and of a verb for "owner", "controller" and "choice".

    >>> topic_of("controllers"), topic_of("controlled")
    ('control', 'control')
    """
    word = word.removesuffix("'s")
    return stem_of(_VERBS.get(word, word))


# Words that say little ------------------------------------------------------------------------------

LISTS = {row["list"]: set_of(row["words"]) for row in read_table(STOP_WORDS)}

# Words that phrase a question and say little about its subject, but not those that decide rules: can,
# may, must, not, if, only, until, unless.
ASKING = LISTS["asking"]
# Words that say nothing about the subject of a sentence of prose.
SILENT = LISTS["silent"]
# Everyday words and words of every game. Prose that shares them with a rule may have another subject.
EVERYDAY = LISTS["everyday"]
# Words that occur in a twentieth of all rules; two rules that share them need not be related.
IN_MOST_RULES = LISTS["in most rules"]
# Words of sentences and of programs that say nothing about which rule is meant.
IN_PROGRAMS = LISTS["in programs"]
