"""Compute the numbers that Word prints before list paragraphs, which are not in their text.

No known original has such lists. Copies that people typed do, because Word turns a line such as
"1. Game Concepts" into a list.
"""

import re
from dataclasses import dataclass, field, replace
from string import ascii_lowercase
from xml.etree.ElementTree import Element

from variorum.reading.originals.original_lines import SYMBOLS

_PLACEHOLDER = re.compile(r"%([1-9])")
_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_PRIVATE = range(0xF000, 0xF100)
_DEEPEST = 20
# Letters and Roman numerals of larger numbers could become as long as a whole edition.
_LARGEST = 1000


@dataclass(frozen=True, slots=True)
class _Level:
    """The numbering of one level of a list.

    Attributes:
        form: The number format: decimal, lowerLetter, bullet …
        pattern: The pattern of the number, such as "%1.%2".
        between: The text between the number and the words.
    """

    form: str = "decimal"
    pattern: str = ""
    start: int = 1
    between: str = " "


@dataclass(slots=True)
class _List:
    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict[int, int])


class Lists:
    """Numbers list paragraphs, one after another, in printed order."""

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self._lists = {} if numbering is None else dict(_lists(numbering))
        self._styles = {} if styles is None else dict(_styles(styles))

    def number(self, style: str, number_of_list: str, level: str) -> str:
        """Return the number printed before a paragraph; "" for most."""
        if not self._lists:
            return ""
        of_style, level_of_style = self._of_style(style)
        paragraph_list = self._lists.get(number_of_list or of_style)
        if paragraph_list is None:  # "0" takes a paragraph out of the list of its style
            return ""
        return _next(paragraph_list, _integer(level or level_of_style))

    def _of_style(self, style: str) -> tuple[str, str]:
        """Return the list and level of a style, or of the nearest base style that has them."""
        for _ in range(_DEEPEST):
            resolved = self._styles.get(style)
            if resolved is None:
                break
            style, number, level = resolved
            if number:
                return number, level
        return "", ""


def _next(paragraph_list: _List, place: int) -> str:
    level = paragraph_list.levels.get(place)
    if level is None or level.form == "none":
        return ""
    if level.form == "bullet":
        return _bullet(level.pattern) + level.between
    paragraph_list.counts[place] = paragraph_list.counts.get(place, level.start - 1) + 1
    for deeper in [level_place for level_place in paragraph_list.counts if level_place > place]:
        del paragraph_list.counts[deeper]

    def count(match: re.Match[str]) -> str:
        above = int(match[1]) - 1
        of_above = paragraph_list.levels.get(above, _Level())
        return _spell(paragraph_list.counts.setdefault(above, of_above.start), of_above.form)

    printed = _PLACEHOLDER.sub(count, level.pattern)
    return printed + level.between if printed else ""


def _bullet(pattern: str) -> str:
    signs = (SYMBOLS.get(ord(c) & 0xFF, "•") if ord(c) in _PRIVATE else c for c in pattern)
    return "".join(signs)


def _spell(number: int, form: str) -> str:
    """Return the number of a paragraph in a format.

    >>> [_spell(28, form) for form in ("decimal", "lowerLetter", "upperRoman", "decimalZero")]
    ['28', 'bb', 'XXVIII', '28']
    >>> [_spell(number, "lowerLetter") for number in (0, 1, 26, 27, 52, 53)]
    ['0', 'a', 'z', 'aa', 'zz', 'aaa']
    >>> len(_spell(1000, "lowerRoman")), _spell(1001, "lowerRoman")
    (100, '1001')
    """
    if not 0 < number <= _LARGEST:
        return str(number)
    if form in {"lowerLetter", "upperLetter"}:
        letters = ascii_lowercase[(number - 1) % 26] * ((number - 1) // 26 + 1)
        return letters if form == "lowerLetter" else letters.upper()
    if form in {"lowerRoman", "upperRoman"}:
        roman, rest = "", number
        for value, letters in _ROMAN:
            roman += letters * (rest // value)
            rest %= value
        return roman if form == "lowerRoman" else roman.upper()
    return f"{number:02}" if form == "decimalZero" else str(number)


def _lists(numbering: Element) -> list[tuple[str, _List]]:
    patterns = {
        pattern.get("abstractNumId", ""): dict(_levels(pattern))
        for pattern in numbering.iter("abstractNum")
    }
    lists: list[tuple[str, _List]] = []
    counts: dict[str, dict[int, int]] = {}
    for num in numbering.iter("num"):
        which = _value(num, "abstractNumId")
        levels = dict(patterns.get(which, {}))
        overrides = list(num.iter("lvlOverride"))
        for override in overrides:
            place = _integer(override.get("ilvl", ""))
            levels |= dict(_levels(override))
            start = _value(override, "startOverride")
            if start and place in levels:
                levels[place] = replace(levels[place], start=_integer(start))
        # Lists with the same pattern share their counts, unless one overrides its start.
        shared = {} if overrides else counts.setdefault(which, {})
        lists.append((num.get("numId", ""), _List(levels, shared)))
    return lists


def _levels(above: Element) -> list[tuple[int, _Level]]:
    return [
        (
            _integer(level.get("ilvl", "")),
            _Level(
                form=_value(level, "numFmt") or "decimal",
                pattern=_value(level, "lvlText"),
                start=_integer(_value(level, "start"), 1),
                between="" if _value(level, "suff") == "nothing" else " ",
            ),
        )
        for level in above.findall("lvl")
    ]


def _styles(styles: Element) -> list[tuple[str, tuple[str, str, str]]]:
    """Return the base style, list and level of each style."""
    return [
        (
            style.get("styleId", ""),
            (
                _value(style, "basedOn"),
                _value(style, "pPr/numPr/numId"),
                _value(style, "pPr/numPr/ilvl"),
            ),
        )
        for style in styles.iter("style")
    ]


def _integer(text: str, otherwise: int = 0) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < _DEEPEST else otherwise


def _value(above: Element, path: str) -> str:
    child = above.find(path)
    return "" if child is None else child.get("val", "")
