"""The layouts of editions, as data; each is recognised by what is on the page."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from variorum.errors import LayoutError
from variorum.reading.effective_date import EFFECTIVE
from variorum.rule_numbers import SECTION


@dataclass(frozen=True, slots=True)
class DocumentSigns:
    """Measurements of a document by which its layout is chosen.

    Attributes:
        longest: The code points of the longest line, ignoring the longest 1 % of lines.
        underlines: How many lines hold nothing but hyphens or equals signs.
        rules: How many lines begin with the number of a rule.
        indented: How many lines of rules are indented by two blanks or more.
        dates: How many lines state an effective date.
    """

    longest: int
    underlines: int
    rules: int
    indented: int
    dates: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One way of arranging the rules on a page.

    Attributes:
        name: Our name for it; that of an original is its format.
        sign: Returns whether a page with rules and an effective date has this layout.
        full_share: If paragraphs are broken into lines, the share of the usual width that a full
            line fills; else 0. The wrapped editions have a proportional font: their lines hold 85
            to 118 code points, and the lines of 1999 hold 70 to 78.
        marks_wraps: Wrapped lines end with a space; otherwise only their length shows it.
    """

    name: str
    sign: Callable[[DocumentSigns], bool] = lambda _: True
    full_share: float = 0.0
    marks_wraps: bool = False


# In 120 editions, `longest` is at most 113 where lines are wrapped, and at least 685 where each
# paragraph is one line.
_WRAPPED = 160


# docs/layouts.md names the editions in each.
LAYOUTS: tuple[Layout, ...] = (
    Layout(
        name="banners",
        sign=lambda page: page.longest < _WRAPPED and page.underlines > 0,
        full_share=0.88,
    ),
    Layout(
        name="wrapped",
        sign=lambda page: page.longest < _WRAPPED and page.underlines == 0,
        full_share=0.75,
        marks_wraps=True,
    ),
    Layout(
        name="plain",
        sign=lambda page: page.longest >= _WRAPPED and 2 * page.indented < page.rules,
    ),
    Layout(
        name="indented",
        sign=lambda page: page.longest >= _WRAPPED and 2 * page.indented >= page.rules,
    ),
)

# The formats of originals are layouts too; their paragraphs need no unwrapping.
ORIGINALS = frozenset({"docx", "rtf", "pdf"})

UNDERLINE = re.compile(r"\s*(-{4,}|={4,})\s*")
_RULE = re.compile(rf"\s*{SECTION}\.\d")


def look_at(lines: Sequence[str]) -> DocumentSigns:
    """Measure a document's lines."""
    filled = list(filter(None, lines))
    lengths = sorted(map(len, filled))
    rules = list(filter(_RULE.match, filled))
    return DocumentSigns(
        longest=lengths[-1 - len(lengths) // 100] if lengths else 0,
        underlines=len(list(filter(UNDERLINE.fullmatch, filled))),
        rules=len(rules),
        indented=sum([line[:2].isspace() for line in rules]),
        dates=len(list(filter(EFFECTIVE.search, [line for line in filled if "as of" in line]))),
    )


def layout_of(page: DocumentSigns, file: str, layouts: Sequence[Layout] = LAYOUTS) -> Layout:
    """Choose the layout by what is on the page, not by its date.

    Raises:
        LayoutError: No layout fits, or more than one does; the message says why.
    """
    is_edition = page.rules and page.dates
    fitting = [layout for layout in layouts if is_edition and layout.sign(page)]
    match fitting:
        case [layout]:
            return layout
        case []:
            raise LayoutError(f"no known layout: {_what_lacks(page)}", file)
        case _:
            names = ", ".join(layout.name for layout in fitting)
            raise LayoutError(f"more than one layout fits: {names}", file)


def _what_lacks(page: DocumentSigns) -> str:
    if not page.rules:
        return "no line begins with the number of a rule"
    return (
        f"{page.rules} lines begin with the number of a rule, "
        "but no sentence states the date from which the rules are effective"
    )
