"""Finds the paragraphs of a document: its layout, and which of its lines go on in the next.

docs/documents.md names the editions in each layout.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from variorum.errors import FormatError
from variorum.rule_numbers import HEADED, SECTION
from variorum.text import ends_sentence

# The formats of originals are layouts too; the best first.
ORIGINALS = ("docx", "rtf", "pdf")
# 2021-06-18 ends with "June18, 2021", and from 2023-11-17 on some have no period at the end.
EFFECTIVE = re.compile(
    r"\brules are (?:current|effective) (?:as of|from|on)\b|\beffective date\b", re.IGNORECASE
)
# 2014-06-01 to 2015-03-27 print "Example:Example:" once.
EXAMPLE = re.compile(r"\s*(?P<marker>(?:Examples?:|EXAMPLES?:)+)\s*", re.ASCII)
# 2003-10-01 wraps "State-/Based" and "rules 409.1f–/h": the halves join without a blank. A dash
# after a blank has another blank after it.
TIED_END = re.compile(r"(?<! -)[-/]$|(?<! )[–—]$")

_UNDERLINE = re.compile(r"\s*(-{4,}|={4,})\s*")
_RULE = re.compile(rf"\s*{SECTION}\.\d")
_HEADING = re.compile(rf"\s*{HEADED}\. \S")
# Each line of an address is a paragraph, however long (1999-04-23).
_ADDRESS = re.compile(r"\s*(Tel|Fax|E-?mail)\.?:")
# The 99th percentile of the lengths of lines is at most 113 where they are wrapped, and at least
# 685 where each paragraph is one line.
_WRAPPED = 160
# Shares of the usual width. The wrapped editions have a proportional font: their lines hold 85 to 118 code
# points, the longest 1.05 times as many as is usual, 1.0 if a program wrapped a copy; those of 1999, 70 to 78.
_FULL, _HALF, _EVEN = 0.8, 0.6, 1.02
_PARAGRAPH_INDENT = 3
_HANGING = 0.25  # 0.03 in the wrapped editions


def layout_of(lines: Sequence[str]) -> str:
    """Return the name of the layout of a text, by what is on the page.

    FormatError: no line begins with the number of a rule, or no sentence states a date.
    """
    filled = [line for line in lines if line]
    rules = [line for line in filled if _RULE.match(line)]
    if not rules:
        raise FormatError("no known layout: no line begins with the number of a rule")
    if not any(map(EFFECTIVE.search, filled)):
        raise FormatError(
            f"no known layout: {len(rules)} lines begin with the number of a rule, "
            "but no sentence states the date from which the rules are effective"
        )
    lengths = sorted(map(len, filled))
    if lengths[-1 - len(lengths) // 100] < _WRAPPED:
        return "banners" if any(map(_UNDERLINE.fullmatch, filled)) else "wrapped"
    return "indented" if 2 * sum(line[:2].isspace() for line in rules) >= len(rules) else "plain"


class Block(NamedTuple):
    """One printed paragraph or heading, its words on one line, with the numbers of its lines.

    `after_blank` says that it follows a blank line, a banner or the beginning.
    """

    text: str
    first: int
    last: int
    indent: int
    after_blank: bool


def find_blocks(
    lines: Sequence[str], glue: Mapping[int, str], banners: Collection[int]
) -> list[Block]:
    """Return the paragraphs.

    `glue` has the text between a line and the next, by the number of a line that goes on in it;
    `banners` has the numbers of lines that belong to no paragraph.
    """
    blocks: list[Block] = []
    parts: list[str] = []
    first, after_blank = 1, True
    for number, line in enumerate(lines, start=1):
        if number in banners:
            after_blank = True
            continue
        if not parts:
            first = number
        parts.append(line.strip())
        if number in glue:
            parts.append(glue[number])
            continue
        text = "".join(parts)
        text = " ".join(text.split()) if "  " in text else text
        if text:
            blocks.append(Block(text, first, number, _indent(lines[first - 1]), after_blank))
        after_blank = not text
        parts.clear()
    return blocks


def find_wraps(
    lines: Sequence[str], layout: str
) -> tuple[dict[int, str], Sequence[int], list[str]]:
    """Return which lines go on, which only underline or separate (1999-04-23), and what that mends.

    The first are the texts between a line and the next, by the number of a line that goes on. In the layout
    "wrapped", these end with a blank, unless a copy has lost nearly all of these blanks; there and in
    "banners", their length alone shows it.
    """
    if layout not in {"banners", "wrapped"}:
        is_indented = layout == "indented"
        return {}, [], ["rules and subrules are set in by blanks; dropped"] * is_indented
    pairs = enumerate(pairwise(lines), start=1)
    followed = [(n, line, below) for n, (line, below) in pairs if line.strip() and below.strip()]
    widths = sorted(len(line.rstrip()) for _, line, _ in followed) or [0]
    width, most = (widths[len(widths) * share // 100] for share in (90, 99))
    longest = sorted(filter(str.strip, lines), key=len)
    longest = longest[len(longest) * 3 // 4 :]  # nearly all of these go on
    has_marks = layout == "wrapped" and 2 * sum(it[-1].isspace() for it in longest) > len(longest)
    # A copy may set in all lines of a paragraph but the first, not only the first of some paragraphs.
    set_in = {n for n, _, below in followed if _indent(below) >= _PARAGRAPH_INDENT}
    is_hanging = len(set_in) > _HANGING * len(followed)
    banners = [number for number, line in enumerate(lines, start=1) if _UNDERLINE.fullmatch(line)]
    glue, in_index = dict[int, str](), False
    for number, line, following in followed:
        if number in banners or number + 1 in banners:
            # The index of 1999 goes from its banner to the next, a line an entry.
            in_index = number not in banners and (in_index or line.strip() == "Index")
            continue
        if in_index or (not is_hanging and _begins_paragraph(line, following, layout)):
            continue
        is_tied = TIED_END.search(line) is not None
        needed = len(line) + len(following.split(None, 1)[0])
        if is_hanging:
            goes_on = number in set_in
        elif line[-1].isspace():
            # A headword may end with a blank too ("Enchant Creature " in 2003-10-01).
            goes_on = needed > _HALF * width
        elif has_marks:
            goes_on = is_tied
        elif layout == "wrapped" and most <= _EVEN * width:
            goes_on = needed + 1 > most  # the next word did not fit
        else:
            goes_on = needed + 1 > _FULL * width or (
                len(line) > _HALF * width and not ends_sentence(line)
            )
        if goes_on:
            glue[number] = "" if is_tied else " "
    by = "no line ends with a blank; wrapped lines joined by their lengths"
    return glue, banners, [by] * (layout == "wrapped" and not has_marks)


def _begins_paragraph(line: str, following: str, layout: str) -> bool:
    are_contents = _HEADING.match(following) and _HEADING.match(line)
    if are_contents or EXAMPLE.match(following) or _ADDRESS.match(following):
        return True
    if layout == "wrapped":
        return _indent(following) >= _PARAGRAPH_INDENT
    # In 1999 two blanks indent the words of a glossary entry below its headword; the single blank
    # in line 873 is an accident.
    return _indent(following) > _indent(line) + 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
