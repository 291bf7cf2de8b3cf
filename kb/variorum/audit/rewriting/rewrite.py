"""Rewrites citations in their authors' notation, and nothing else."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from variorum.audit.citations.number_lists import (
    ANCHOR,
    BRACKETS,
    FAR,
    ONLY_LETTERS,
    ONLY_RULE,
    Citation,
    PrintedNumber,
    is_near,
)
from variorum.model import RuleNumber
from variorum.rule_numbers import letters_of, stem_of

_SHORT = {ONLY_LETTERS, ONLY_RULE}


class Edit(NamedTuple):
    """A replacement in a text.

    Attributes:
        start: In code points from the start of the text.
        end: The end, exclusive.
        new: The new words.
    """

    start: int
    end: int
    new: str


def edits_of(
    text: str, rewritten: Iterable[tuple[Citation, tuple[str, str] | None]]
) -> list[list[Edit]]:
    """Return the edits that rewrite each citation.

    Args:
        text: The whole text.
        rewritten: All citations of the text in order, each with both ends of its new range, or None
            to keep it. A kept letter ("704.5m/n") is written out in full if the rule before it
            changes. An open citation is always kept.
    """
    edits_of_all: list[list[Edit]] = []
    # The preceding number, as rewritten. A reader takes a letter alone for a subrule of its rule.
    shown: RuleNumber | None = None
    for citation, wanted in rewritten:
        if citation.is_open:
            edits_of_all.append([])
            shown = RuleNumber.read((citation.last or citation.first).number)
            continue
        numbers = wanted
        is_member = citation.start == citation.first.start
        if numbers and is_member and "." in citation.first.number and "." not in numbers[0]:
            numbers = None  # after rules, a section would not look like part of the list
        first, last = numbers or (citation.first.number, (citation.last or citation.first).number)
        edits: list[Edit] = []
        for part, number in ((citation.first, first), (citation.last, last)):
            if part is None:
                continue
            new = _set(part, number, shown, text, is_end=part is citation.last)
            shown = RuleNumber.read(number)
            if new != text[part.start : part.end]:
                edits.append(Edit(part.start, part.end, new))
        edits_of_all.append(edits)
    return edits_of_all


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with some of its words replaced.

    Args:
        text: The whole text.
        edits: In order; none overlaps another.
    """
    pieces: list[str] = []
    end = 0
    for edit in edits:
        pieces += [text[end : edit.start], edit.new]
        end = edit.end
    return "".join([*pieces, text[end:]])


def _set(
    part: PrintedNumber, number: str, shown: RuleNumber | None, text: str, *, is_end: bool
) -> str:
    """Write a number in the notation of the part it replaces, shortened if possible.

    Args:
        part: The printed part.
        number: The new number.
        shown: The number before it, as rewritten.
        text: The text around it.
        is_end: Whether it ends a range.
    """
    printed = text[part.start : part.end]
    if part.form == ANCHOR:  # "#R7045k"
        return number.replace(".", "")
    # "(k)" without its rule
    is_shortened = part.form in _SHORT or printed[0] in BRACKETS
    is_short = is_shortened and _is_understood(part, number, shown, is_end=is_end)
    if number == part.number and (is_short or not is_shortened):
        return printed
    stem = stem_of(number)
    new = number
    if part.form in BRACKETS and stem != number:
        rule = "" if is_short else stem
        new = f"{rule}{part.form}{letters_of(number)}{BRACKETS[part.form]}"
    elif is_short:
        new = letters_of(number) if part.form == ONLY_LETTERS else number.partition(".")[2]
    letters = [sign for sign in printed if sign.isalpha()]
    return new.upper() if letters and all(sign.isupper() for sign in letters) else new


def _is_understood(
    part: PrintedNumber, number: str, shown: RuleNumber | None, *, is_end: bool
) -> bool:
    """Say whether a number can be shortened, such as 704.5n to "n" in "704.5m/n"."""
    own = RuleNumber.read(number)
    if own is None or shown is None or own.section != shown.section or not shown < own:
        return False
    if part.form != ONLY_RULE:
        is_same = own.rule == shown.rule and bool(own.letters and shown.letters)
        return is_same and (is_end or is_near(shown.letters, own.letters))
    is_plain = bool(own.rule) and not own.letters and not shown.letters
    return is_plain and (is_end or own.rule - shown.rule <= FAR)
