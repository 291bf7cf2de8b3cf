"""Words: their stems, and lists of words that say little. Pure."""

from functools import cache

from variorum.facts import STOP_WORDS, read_table
from variorum.text import set_of

# Verbs and others with the forms that no ending tells, and with common misspellings.
_FORMS = (
    "become became|begin began begun|bring brought|choose chose chosen|come came|deal dealt|"
    "draw drew drawn|fight fought|give gave given|go went gone goes|hold held|keep kept|leave left|"
    "lose lost|make made|meet met|pay paid|show shown|spend spent|take took taken|win won|"
    "agree agreed|do does|can't cannot cant|doesn't doesnt|don't dont|isn't isnt"
)
_IRREGULAR = {it: base for base, *its in map(str.split, _FORMS.split("|")) for it in its}
# Shorter words have no endings: "is", "as", "its".
_SHORTEST = 3
_SHORT_STEMS = {"die": "di", "tie": "ti", "use": "us"}
# Endings that make a noun or an adverb of a stem.
NOUN_ENDINGS = ("ion", "ment", "li")
_FAMILY_LEFT = 4


@cache
def stem_of(word: str) -> str:
    """Return the stem of a word: the common part of its forms, which need not be a word.

    It removes only endings of number and tense. The usual stemmers also merge commander and
    command, or active and activate, which have different meanings in the rules.
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
    """Return the stem that a noun or an adverb is made of; "" if the stem has no such ending."""
    bases = (stem.removesuffix(ending) for ending in NOUN_ENDINGS)
    base = next((it for it in bases if it != stem and len(it) >= _FAMILY_LEFT), "")
    return base and stem_of(base)


# Stems of nouns, and of verbs that prose uses for one thing: "your controller" and "you control".
TOPICS = {"choic": "choos", "controller": "control", "owner": "own"}


def topic_of(word: str) -> str:
    """Return the stem of a word, and of a verb for "owner", "controller" and "choice"."""
    stem = stem_of(word.removesuffix("'s"))
    return TOPICS.get(stem, stem)


LISTS = {row["list"]: set_of(row["words"]) for row in read_table(STOP_WORDS)}
# Words that phrase a question, but none that decide rules, such as "can" and "only"; words that tell no subject;
# words of every day and every game; of a twentieth of all rules; and those of programs that tell no rule.
ASKING, SILENT, EVERYDAY = LISTS["asking"], LISTS["silent"], LISTS["everyday"]
IN_MOST_RULES, IN_PROGRAMS = LISTS["in most rules"], LISTS["in programs"]
