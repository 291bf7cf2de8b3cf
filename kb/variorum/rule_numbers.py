r"""The parts of a rule number, as patterns and as plain strings; imports nothing.

    number   = section [ "." rule [ letters ] ]     702, 702.9, 702.9b, 704.5aa
    dotted   = section "." rule [ letters ]
    ending   = number | rule | letters              behind a dash: 603.7d-f, 119.7-8, 212-215

Every pattern for numbers is made of these. `citations` puts ranges and lists together.
"""

# The editions never use l and o as letters of subrules; after z comes aa.
SUBRULE_LETTERS = "abcdefghijkmnpqrstuvwxyz"
SMALL_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# The letters l and o occur only as misprints; after them come m and p.
_LETTER_AFTER = dict(zip(SMALL_LETTERS[:-1], "bcdefghijkmmnppqrstuvwxyz", strict=True))

CHAPTER = "[1-9]"
SECTION = r"[1-9]\d\d"
RULE = r"[1-9]\d{0,2}"
# A chapter or a section, for patterns that must match both.
HEADED = r"[1-9]\d{0,2}"
# After z comes aa; other pairs of letters are units, as in 704.5MB.
LETTERS = "a?[a-z]"
DOTTED = rf"{SECTION}\.{RULE}(?:{LETTERS})?"
NUMBER = rf"{SECTION}(?:\.{RULE}(?:{LETTERS})?)?"


def stem_of(number: str) -> str:
    """Return a number without its letters.

    >>> stem_of("702.9b"), stem_of("704.5aa"), stem_of("702")
    ('702.9', '704.5', '702')
    """
    return number.rstrip(SMALL_LETTERS)


def letters_of(number: str) -> str:
    """Return the letters at the end of a number; an empty string if there is none."""
    return number[len(stem_of(number)) :]


def letters_after(letters: str) -> str:
    """Return the letters of the next subrule; "" comes before the first.

    >>> [letters_after(letters) for letters in ("", "a", "k", "n", "z", "aa")]
    ['a', 'b', 'm', 'p', 'aa', 'ab']
    """
    if not letters:
        return "a"
    head, last = letters[:-1], letters[-1]
    return letters_after(head) + "a" if last == "z" else head + _LETTER_AFTER[last]


def order(section: int, rule: int, letters: str) -> tuple[int, int, int, str]:
    """Return what numbers sort by: 702.9 < 702.9b < 702.10, and 704.5z < 704.5aa."""
    return section, rule, len(letters), letters


def order_of(number: str) -> tuple[int, int, int, str]:
    """Return what a number sorts by, also a chapter's or one that is misprinted.

    >>> sorted(["702.10", "704.5aa", "306.b", "7", "704.5z", "702.9b"], key=order_of)
    ['7', '306.b', '702.9b', '702.10', '704.5z', '704.5aa']
    """
    section, _, rule = stem_of(number).partition(".")
    return order(int(section or 0), int(rule) if rule.isdigit() else 0, letters_of(number))


def is_below(number: str, above: str) -> bool:
    """Say whether a number equals another or is below it.

    >>> is_below("704.5k", "704.5"), is_below("704.5k", "7"), is_below("704.50", "704.5")
    (True, True, False)
    """
    if not number.startswith(above):
        return False
    rest = number[len(above) :]
    if "." in above:
        return not rest or (rest.isalpha() and not above[-1].isalpha())
    return not rest or rest[0] == "." or len(above) == 1


def range_end(first: str, ending: str) -> str:
    """Return the other end of a range in full; "" if it does not fit the first number.

    Args:
        first: The number that the range begins with.
        ending: The ending after the dash, in small letters: a number, a rule or letters.

    >>> [range_end("603.7d", ending) for ending in ("603.7f", "f", "8")]
    ['603.7f', '603.7f', '603.8']
    >>> [range_end("306", ending) for ending in ("311", "11", "b")]
    ['311', '311', '']
    """
    stem = stem_of(first)
    section, point, _ = stem.partition(".")
    if ending.isalpha():
        return stem + ending if point else ""
    if "." in ending:
        return ending
    return f"{section}.{ending}" if point else f"{section[: -len(ending)]}{ending}"
