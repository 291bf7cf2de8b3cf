"""What users write to name a rule: CR 704.5k, rule 704.5K., 508.1d-f, section 7, a term.

    question = prefix* ( number [ "#" digit ] | number dash ending ) | words
    number   = section [ "." ( rule [ letters ] | letter ) ]    blanks allowed: 702. 37a
    ending   = number | rule | letters

The productions are those of `references.ranges`, as far as one number or range goes. Written
without regular expressions: compiling them would take longer than the whole look-up.
"""

from variorum_kb.rule_numbers import SMALL_LETTERS, order_of, range_end

NUMBER, RANGE, WORDS = "number", "range", "words"

_PREFIXES = ("cr", "c.r.", "rules", "rule", "subrule", "sections", "section", "chapter", "§§", "§")
_DASHES = ("-", "\N{EN DASH}", "\N{EM DASH}")
_CLOSING = " .,:;)"


def parse_question(text: str) -> tuple[str, str, str]:
    """Read what a user has written.

    Returns:
        What is asked for, and two words for it: (NUMBER, "704.5k", ""), the last "#1" or "#2" to
        tell doubles apart; (RANGE, "508.1d", "508.1f"), both included; (WORDS, folded words, "").

    >>> parse_question("CR 704.5K.")
    ('number', '704.5k', '')
    >>> parse_question("rules 508.1d–f")
    ('range', '508.1d', '508.1f')
    >>> parse_question("State-Based Actions")
    ('words', 'state-based actions', '')
    """
    number, rest = _take_number(_without_prefix(text.strip().lower()))
    if number:
        rest = rest.lstrip()
        which = rest[:2] if rest[:1] == "#" and rest[1:2].isdigit() else ""
        if not rest[len(which) :].strip(_CLOSING):
            return NUMBER, number, which
        if rest[0] in _DASHES:
            last = _last(number, rest[1:].strip(_CLOSING))
            if last:
                return RANGE, number, last
    from variorum_kb.text.keys import fold_key  # noqa: PLC0415 - a number needs no folding

    return WORDS, fold_key(text), ""


def asked_for(question: tuple[str, str, str]) -> str:
    """Return a question as it is told again.

    >>> asked_for(parse_question("CR 704.5K.")), asked_for(parse_question("508.1d–f"))
    ('704.5k', '508.1d-508.1f')
    """
    kind, first, last = question
    return f"{first}-{last}" if kind == RANGE else f"{first}{last}"


def runs_backwards(question: tuple[str, str, str]) -> bool:
    """Say whether a question is a range whose end stands before its beginning.

    >>> runs_backwards(parse_question("704.5n-k")), runs_backwards(parse_question("704.5k-n"))
    (True, False)
    """
    kind, first, last = question
    return kind == RANGE and order_of(last) < order_of(first)


def _without_prefix(text: str) -> str:
    """Take off "CR", "rule" and the like; they count only before a digit or each other."""
    for prefix in _PREFIXES:
        if text.startswith(prefix):
            rest = text[len(prefix) :].lstrip(" :")
            bare = _without_prefix(rest)
            if bare[:1].isdigit():
                return bare
    return text


def _take_number(text: str) -> tuple[str, str]:
    """Part a text into the number it begins with, as editions print it, and the rest.

    Blanks inside a number and a period too many are left out: "702. 37a", "119.1.d".
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
    letters = _leading(after.lstrip(". "), SMALL_LETTERS)
    if not letters or len(letters) > 2:  # noqa: PLR2004
        return f"{section}.{rule}", after
    return f"{section}.{rule}{letters}", after.lstrip(". ")[len(letters) :]


def _last(first: str, rest: str) -> str:
    """Return the number that a range ends with, "" where the rest is no end of one."""
    whole, after = _take_number(rest)
    if whole:
        # Of sections, whole ones alone: "306-11" asks for nothing.
        last = range_end(first, whole) if "." in first else whole
        return "" if after.strip() else last
    is_letters = 0 < len(rest) < 3 and not rest.strip(SMALL_LETTERS)  # noqa: PLR2004
    return range_end(first, rest) if is_letters else ""


def _leading(text: str, allowed: str) -> str:
    """Return the allowed characters that a text begins with."""
    return text[: len(text) - len(text.lstrip(allowed))]
