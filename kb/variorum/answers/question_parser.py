"""Reads the questions of users: CR 704.5k, 508.1d-f, [704.5k], 702.19 M10, a term.

    questions = number-or-range [ edition ] { between number-or-range [ edition ] } | words
    range     = number dash ending
    number    = prefix* section [ "." ( rule [ letters ] | letter ) ] [ "#" digit ]
    ending    = number | rule | letters
    edition   = [ "in" | "as of" | "@" ... ] designator, in parentheses or without
    between   = blanks | "," | ";" | "and" ...

Blanks in a number are allowed: 702. 37a. An edition applies to all preceding numbers without an
edition. The productions of a number or range are those of `references.ranges`. The code has no
regular expressions, because compiling them takes longer than a look-up.
"""

from variorum.answers.editions import WORDS as EDITION_WORDS
from variorum.answers.editions import last_day
from variorum.record import Record
from variorum.rule_numbers import SMALL_LETTERS, order_of, range_end

NUMBER, RANGE, WORDS = "number", "range", "words"

_PREFIXES = (
    "see",
    "cr",
    "c.r.",
    "rules",
    "rule",
    "subrule",
    "sections",
    "section",
    "chapter",
    "§§",
    "§",
)
_DASHES = ("-", "\N{EN DASH}", "\N{EM DASH}", "...", "..", "to ", "through ")
_CLOSING = " .,:;)]"
_BETWEEN = " ,;&+/"
_AND = ("and ", "or ")
_BEFORE_EDITION = ("cr ", "in ", "on ", "at ", "of ", "as of ", "effective ", "from ", "@")


class Asked(Record):
    """A number, range or term that a user asks for.

    Attributes:
        question: The result of `parse_question`.
        edition: The designator beside it; "" if there is none.
    """

    __slots__ = ()
    question: tuple[str, str, str]
    edition: str


def parse_questions(text: str) -> list[Asked]:
    """Read a user's questions: numbers and ranges with their editions, or a term.

    >>> [tuple(asked) for asked in parse_questions("[CR 704.5K] (2007-10-01)")]
    [(('number', '704.5k', ''), '2007-10-01')]
    >>> [asked.question[1] for asked in parse_questions("704.5k, 704.5j and 7")]
    ['704.5k', '704.5j', '7']
    >>> [asked.question[0] for asked in parse_questions("11 July 2009")]
    ['words']
    >>> [(asked.question[1], asked.edition) for asked in parse_questions("702.19 702.20 July 2009")]
    [('702.19', 'july 2009'), ('702.20', 'july 2009')]
    """
    if last_day(text):
        return [_as_words(text)]
    rest = text.strip().lower().replace("[", " ").replace("]", " ").strip()
    asked: list[Asked] = []
    while rest:
        question, behind = _take_question(rest)
        if not question[1] or (asked and _begins_with_day(rest)):
            designator, behind = _take_designator(rest)
            open_ones = [place for place, wish in enumerate(asked) if not wish.edition]
            if not (open_ones and designator):
                return [_as_words(text)]
            for place in open_ones:
                asked[place] = Asked(asked[place].question, designator)
        else:
            asked.append(Asked(question, ""))
        rest = _without(behind.lstrip(_CLOSING + _BETWEEN), _AND).lstrip()
    return asked or [_as_words(text)]


def _as_words(text: str) -> Asked:
    """Read a term, perhaps with a day in parentheses after it."""
    bare = text.strip().strip("[]")
    words, _, behind = bare.rpartition("(")
    designator = _without(behind.rstrip(") ").lower(), _BEFORE_EDITION)
    if words and (last_day(designator) or designator in EDITION_WORDS):
        return Asked(_words_question(words), designator)
    return Asked(_words_question(bare), "")


def _words_question(text: str) -> tuple[str, str, str]:
    from variorum.text.keys import fold_key  # noqa: PLC0415 - a number needs no folding

    # Answers name a glossary entry "glossary: …".
    return WORDS, fold_key(_without(text.lower(), ("glossary:",))), ""


def parse_question(text: str) -> tuple[str, str, str]:
    """Read a question that names one rule, range or term, without an edition.

    Returns:
        (NUMBER, "704.5k", "#1" or "#2" for a number printed twice, else ""); (RANGE, "508.1d",
        "508.1f"), both included; or (WORDS, folded words, "").

    >>> parse_question("CR 704.5K.")
    ('number', '704.5k', '')
    >>> parse_question("rules 508.1d–f")
    ('range', '508.1d', '508.1f')
    >>> parse_question("State-Based Actions")
    ('words', 'state-based actions', '')
    """
    question, rest = _take_question(text.strip().lower())
    return _words_question(text) if not question[1] or rest.strip(_CLOSING) else question


def _take_question(text: str) -> tuple[tuple[str, str, str], str]:
    """Split a text into the number or range that it begins with, and the rest."""
    number, rest = _take_number(_without_prefix(text.lstrip("( ")))
    which = ""
    behind = rest.lstrip()
    if number and behind[:1] == "#" and behind[1:2].isdigit():
        which, rest = behind[:2], behind[2:]
    if not number or not _is_end(rest):
        return (NUMBER, "", ""), text
    behind = rest.lstrip()
    for dash in () if which else _DASHES:
        if behind.startswith(dash):
            last, after = _take_last(number, behind[len(dash) :].lstrip())
            return ((RANGE, number, last), after) if last else ((NUMBER, "", ""), text)
    return (NUMBER, number, which), rest


def _is_end(rest: str) -> bool:
    """Return whether a number may end before the rest of a text: not in 2XM, 10th or 2009."""
    return not (rest[:1].isalnum() or (rest[:1] == "." and rest[1:2].isdigit()))


def _begins_with_day(text: str) -> bool:
    """Return whether a text begins with a date such as 11 July 2009."""
    return bool(last_day(" ".join(text.replace(",", " ").split()[:3])))


def _take_designator(text: str) -> tuple[str, str]:
    """Split a text into the designator that it begins with, and the rest."""
    if text[0] == "(":
        inner, _, rest = text[1:].partition(")")
        return _without(inner.strip(), _BEFORE_EDITION).strip(), rest
    taken: list[str] = []
    words = _without(text, _BEFORE_EDITION).strip().split(" ")
    while words and not (taken and _ends_designator(taken[-1], words[0])):
        taken.append(words.pop(0))
    return " ".join(taken).rstrip(_CLOSING), " ".join(words)


def _ends_designator(word: str, after: str) -> bool:
    """Return whether a designator ends after a word: before a number, or at a comma."""
    number, behind = _take_number(after)
    is_number = len(number) > 2 and _is_end(behind)  # noqa: PLR2004 - not the 3 of "Modern Horizons 3"
    return is_number or (word[-1:] in {",", ";"} and not last_day(after))


def _without(text: str, openings: tuple[str, ...]) -> str:
    """Remove the words that introduce a question."""
    for opening in openings:
        if text.startswith(opening):
            return _without(text[len(opening) :].lstrip(), openings)
    return text


def asked_for(question: tuple[str, str, str]) -> str:
    """Return a question as messages repeat it.

    >>> asked_for(parse_question("CR 704.5K.")), asked_for(parse_question("508.1d–f"))
    ('704.5k', '508.1d-508.1f')
    """
    kind, first, last = question
    return f"{first}-{last}" if kind == RANGE else f"{first}{last}"


def runs_backwards(question: tuple[str, str, str]) -> bool:
    """Return whether a question is a range whose end comes before its beginning.

    >>> runs_backwards(parse_question("704.5n-k")), runs_backwards(parse_question("704.5k-n"))
    (True, False)
    """
    kind, first, last = question
    return kind == RANGE and order_of(last) < order_of(first)


def _without_prefix(text: str) -> str:
    """Remove "CR", "rule" and the like before a number."""
    for prefix in _PREFIXES:
        if text.startswith(prefix):
            rest = text[len(prefix) :].lstrip(" :")
            bare = _without_prefix(rest)
            if bare[:1].isdigit():
                return bare
    return text


def _take_number(text: str) -> tuple[str, str]:
    """Split a text into the number that it begins with, as editions print it, and the rest.

    Blanks inside a number and superfluous periods are left out: "702. 37a", "119.1.d".
    """
    section = _leading(text, "0123456789")
    if not section or len(section) > 3 or section[0] == "0":  # noqa: PLR2004
        return "", text
    rest = text[len(section) :]
    if rest[:1] != ".":
        return section, rest
    after = rest[1:].lstrip(" ")
    rule = _leading(after, "0123456789")
    if not rule:
        letter = _leading(after, SMALL_LETTERS)
        return (f"{section}.{letter}", after[1:]) if len(letter) == 1 else (section, rest)
    after = after[len(rule) :]
    is_apart = after[:1] in {" ", "."}
    letters = _leading(after.lstrip(". "), SMALL_LETTERS)
    behind = after.lstrip(". ")[len(letters) :]
    # A word after a number is not a subrule's letters: "704.5 in M10".
    if not letters or len(letters) > (1 if is_apart else 2) or (is_apart and not _is_end(behind)):
        return f"{section}.{rule}", after
    return f"{section}.{rule}{letters}", behind


def _take_last(first: str, rest: str) -> tuple[str, str]:
    """Split a text into the number that ends a range, and the rest.

    The number is "" if there is none.
    """
    ending, after = _take_number(rest)
    if ending:
        # A range of sections must have both numbers in full, not "306-11".
        last = range_end(first, ending) if "." in first else ending
        return (last, after) if _is_end(after) else ("", rest)
    letters = _leading(rest, SMALL_LETTERS)
    after = rest[len(letters) :]
    is_letters = 0 < len(letters) < 3 and _is_end(after)  # noqa: PLR2004
    return (range_end(first, letters), after) if is_letters else ("", rest)


def _leading(text: str, allowed: str) -> str:
    """Return the allowed characters that a text begins with."""
    return text[: len(text) - len(text.lstrip(allowed))]
