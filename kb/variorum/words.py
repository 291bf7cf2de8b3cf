"""Words: their stems, and lists of words that say little. Pure."""

import re
from functools import cache

from variorum.facts import read_table
from variorum.text import set_of

# Verbs and others with the forms that no ending tells, and with common misspellings.
_FORMS = (
    "become became|begin began begun|bring brought|choose chose chosen|come came|deal dealt|"
    "draw drew drawn|fight fought|give gave given|go went gone goes|hold held|keep kept|leave left|"
    "lose lost|make made|meet met|pay paid|show shown|spend spent|take took taken|win won|"
    "agree agreed|do does|can't cannot cant|doesn't doesnt|don't dont|isn't isnt"
)
_IRREGULAR = {it: base for base, *its in map(str.split, _FORMS.split("|")) for it in its}
_SHORTEST = 4  # shorter words have no endings: "is", "as", "its"
_SHORT_STEMS = {"die": "di", "dy": "di", "tie": "ti", "ty": "ti", "use": "us"}
# What has an ending of tense has a vowel before it: "red" and "string" have none.
_VERB = r"(.*[aeiouy].*)(?<=..)(?:(?<!e)ed|(?<!e)ing|(?<=ee)ing)"
# Endings that make a noun or an adverb of a stem.
NOUN_ENDINGS = ("ion", "ment", "li")
# Stems of nouns, and of verbs that prose uses for one thing: "your controller" and "you control".
TOPICS = {"choic": "choos", "controller": "control", "owner": "own"}


@cache
def stem_of(word: str) -> str:
    """Return the stem of a word: the common part of its forms in number and tense, which need not be a word.

    The usual stemmers also merge commander and command, which have different meanings in the rules.
    """
    word = _IRREGULAR.get(word, word).replace("colour", "color")
    if len(word) >= _SHORTEST and word.isalpha():
        word = re.sub("(?<![sui])s$", "", word)
        word = re.sub(r"(?<=...)e$", "", re.sub(f"^{_VERB}$", r"\1", word))
        word = re.sub(r"(?<=..)(.)\1$", r"\1", word)
    return _SHORT_STEMS.get(word) or re.sub("(?<=..)y$", "i", word)


def family_of(stem: str) -> str:
    """Return the stem that a noun or an adverb is made of; "" if the stem has no such ending."""
    bases = [stem.removesuffix(ending) for ending in NOUN_ENDINGS if stem.endswith(ending)]
    return next((stem_of(base) for base in bases if len(base) >= _SHORTEST), "")


def topic_of(word: str) -> str:
    """Return the stem of a word, and of a verb for "owner", "controller" and "choice"."""
    stem = stem_of(word.removesuffix("'s"))
    return TOPICS.get(stem, stem)


LISTS = {row["list"]: set_of(row["words"]) for row in read_table("stop_words.tsv")}
# Words that phrase a question, but none that decide rules, such as "can" and "only"; words that tell no subject;
# words of every day and every game; of a twentieth of all rules; and those of programs that tell no rule.
ASKING, SILENT, EVERYDAY = LISTS["asking"], LISTS["silent"], LISTS["everyday"]
IN_MOST_RULES, IN_PROGRAMS = LISTS["in most rules"], LISTS["in programs"]
