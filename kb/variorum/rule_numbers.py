r"""The numbers of rules: their parts as patterns, what sorts and follows them; imports nothing of ours.

    number   = section [ "." rule [ letters ] ]     702, 702.9, 702.9b, 704.5aa
    dotted   = section "." rule [ letters ]
    ending   = number | rule | letters              behind a dash: 603.7d-f, 119.7-8, 212-215

Every pattern for numbers is made of these. `citations` puts ranges and lists together.
"""

import re
from typing import NamedTuple

# The editions never use l and o as letters of subrules; after z comes aa.
SUBRULE_LETTERS = "abcdefghijkmnpqrstuvwxyz"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

CHAPTER = "[1-9]"
SECTION = r"[1-9]\d\d"
RULE = r"[1-9]\d{0,2}"
# A chapter or a section, for patterns that must match both.
HEADED = r"[1-9]\d{0,2}"
# After z comes aa; other pairs of letters are units, as in 704.5MB.
LETTERS = "a?[a-z]"
DOTTED = rf"{SECTION}\.{RULE}(?:{LETTERS})?"
NUMBER = rf"{SECTION}(?:\.{RULE}(?:{LETTERS})?)?"
_READ = re.compile(rf"{SECTION}(?:\.{RULE}[a-z]{{0,2}})?", re.ASCII)


class RuleNumber(NamedTuple):
    """The number of a section, rule or subrule in an edition: 702, 702.9, 702.9b, 704.5aa.

    Numbers sort as they are printed: 702.9 < 702.9b < 702.10, and 704.5z < 704.5aa. `size` is how many
    letters there are.
    """

    section: int
    rule: int
    size: int
    letters: str

    @classmethod
    def read(cls, text: str) -> "RuleNumber | None":
        """Read a number without its final period; None for others, as for "306.b" in 2008-10-01."""
        return order_of(text) if _READ.fullmatch(text) else None

    def successors(self) -> tuple["RuleNumber", ...]:
        """Return the numbers that may follow this one within its section."""
        following = order_of(f"{self.section}.{self.rule + 1}")
        lettered = order_of(f"{self.section}.{self.rule}{letters_after(self.letters)}")
        return (following, lettered) if self.rule else (following,)

    def follows(self, other: "RuleNumber") -> bool:
        """Say whether this is one of the successors of another number."""
        return self in other.successors()

    def __str__(self) -> str:
        return f"{self.section}.{self.rule}{self.letters}" if self.rule else str(self.section)


def stem_of(number: str) -> str:
    """Return a number without its letters."""
    return number.rstrip(_LETTERS)


def letters_of(number: str) -> str:
    """Return the letters at the end of a number; an empty string if there is none."""
    return number[len(stem_of(number)) :]


def letters_after(letters: str) -> str:
    """Return the letters of the next subrule; "" comes before the first."""
    head, last = letters[:-1], letters[-1:]
    if last in {"", "z"}:
        return letters_after(head) + "a" if letters else "a"
    return head + next(letter for letter in SUBRULE_LETTERS if letter > last)


def order_of(number: str) -> RuleNumber:
    """Return a number as it sorts, also a chapter's or one that is misprinted."""
    letters = letters_of(number)
    section, _, rule = stem_of(number).partition(".")
    places = int(section or 0), int(rule[:9]) if rule.isdigit() else 0
    return RuleNumber(*places, len(letters), letters)


def is_below(number: str, above: str) -> bool:
    """Say whether a number equals another or is below it, as 704.5k is below 704.5, 704 and 7."""
    if not number.startswith(above):
        return False
    rest = number[len(above) :]
    if "." in above:
        return not rest or (rest.isalpha() and not above[-1].isalpha())
    return not rest or rest[0] == "." or len(above) == 1


def range_end(first: str, ending: str) -> str:
    """Return the other end of a range in full, given a number, rule or letters after the dash; "" if odd."""
    section, point, _ = stem_of(first).partition(".")
    if ending.isalpha():
        return stem_of(first) + ending if point else ""
    if "." in ending:
        return ending
    return f"{section}.{ending}" if point else f"{section[: -len(ending)]}{ending}"
