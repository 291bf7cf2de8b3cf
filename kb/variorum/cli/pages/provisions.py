"""Format provisions."""

from variorum.rows import split_body
from variorum.terminal import (
    DIM,
    NO_UNDERLINE,
    PLAIN,
    UNDERLINE,
    bold,
    is_coloured,
    page_width,
    shown,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from variorum.answers.editions import EditionEntry
    from variorum.rows import Row

# Longer lines are hard to read; a narrower terminal is filled.
WIDEST = 100
_NARROW = 50


def set_matches(
    matches: "Sequence[tuple[Row, Sequence[tuple[int, Row]]]]",
    path: "Sequence[tuple[str, str]]",
    edition: str,
    *,
    width: int,
    is_coloured: bool,
    cited: "Callable[[Row], Sequence[str]]" = lambda _: (),
    notes: "Sequence[str]" = (),
) -> str:
    """Format provisions with those below them, and the line that says where they are.

    Args:
        matches: Provisions, each with those shown below it and their depth, from 1.
        path: The provisions above the first: (address, heading) each.
        edition: The line that names the edition.
        width: Columns of the terminal; 0 puts each paragraph on one line.
        is_coloured: Highlight numbers, underline citations and dim the last lines.
        cited: Gives the citations of a provision as printed.
        notes: Lines to print between the provisions and the last lines.
    """
    lines: list[str] = []
    for state, below in matches:
        for depth, provision in ((0, state), *below):
            citations = cited(provision) if is_coloured else ()
            lines += _set(provision, depth, width, citations, is_coloured=is_coloured)
        if len(matches) > 1:
            lines.append("")
    if len(matches) == 1:
        lines.append("")
    if notes:
        lines += [*notes, ""]
    for line in [*_footer(matches, path), edition]:
        for part in indented(line, width, 2):
            lines.append(f"  {DIM}{part[2:]}{PLAIN}" if is_coloured else part)
    return "\n".join(lines) + "\n"


def _footer(
    matches: "Sequence[tuple[Row, Sequence[tuple[int, Row]]]]",
    path: "Sequence[tuple[str, str]]",
) -> list[str]:
    """Return the lines about the place of provisions, and about misprinted numbers."""
    first = matches[0][0]
    if first.kind == "glossary":
        return ["Glossary"]
    place = [f"{address}. {heading}" if heading else address for address, heading in path]
    if len(matches) == 1:
        place.append(first.address)
    lines = [" › ".join(place)] if path else []
    return lines + [
        f"{state.address} is a misprint for {state.meant}" for state, _ in matches if state.meant
    ]


def edition_line(edition: "EditionEntry") -> str:
    """Return the line that names an edition, with the doubts about it."""
    of_set = f", {edition.set_name} ({edition.set_code})" if edition.set_code else ""
    doubts = f"; {', '.join(edition.doubts)}" if edition.doubts else ""
    return f"Comprehensive Rules effective {edition.label}{of_set}{doubts}"


def _set(
    state: "Row", depth: int, width: int, citations: "Sequence[str]", *, is_coloured: bool
) -> list[str]:
    number, heading = "" if state.kind == "glossary" else state.address, state.heading
    step = 2 if width and width < _NARROW else 4
    margin = step * depth if width else 0
    opening = f"{number}  {heading}" if number and heading else number or heading
    paragraphs = split_body(state.body)
    lines: list[str] = []
    if number and not heading and paragraphs:
        marker, text = paragraphs.pop(0)
        first = f"{marker} {text}" if marker else text
        hanging = min(len(number) + 2, 2 * step)
        lines += indented(f"{number}  {first}", width, margin, hanging)
        opening = number
    else:
        hanging = step
        lines += indented(opening, width, margin, hanging)
    indent = margin + hanging if width else 0
    for marker, text in paragraphs:
        words = f"{marker} {text}" if marker else text
        lines += indented(words, width, indent, 2 if marker else 0)
    if not is_coloured:
        return lines
    first, *rest = lines
    blank = " " * margin
    opened = margin + len(opening) if first.startswith(blank + opening) else 0
    head, tail = first[:opened], _underline(first[opened:], citations)
    head = f"{blank}{bold(opening)}" if head else head
    return [head + tail, *(_underline(line, citations) for line in rest)]


def _underline(line: str, citations: "Sequence[str]") -> str:
    """Underline citations in a line; a citation has no blanks, so no line break splits it."""
    for words in sorted(set(citations), key=len, reverse=True):
        place = line.find(words)
        while place >= 0:
            end = place + len(words)
            before, after = line[place - 1 : place], line[end : end + 1]
            # Skip "702.5" within "702.52" and within underlined text.
            is_part = before.isalnum() or before in {".", "m"} or after.isalnum()
            is_part = is_part or (after == "." and line[end + 1 : end + 2].isdigit())
            if not is_part:
                line = f"{line[:place]}{UNDERLINE}{words}{NO_UNDERLINE}{line[end:]}"
                end += len(UNDERLINE) + len(NO_UNDERLINE)
            place = line.find(words, end)
    return line


def indented(text: str, width: int, margin: int = 0, hanging: int = 0) -> list[str]:
    """Break a text into lines with a margin; those after the first are indented further.

    Args:
        text: A paragraph.
        width: Columns of the terminal; 0 keeps the paragraph on one line.
        margin: Blank columns before each line.
        hanging: Further blank columns before each line after the first.
    """
    first, *rest = wrap(text, min(width, WIDEST) - margin, hanging) if width else [text]
    return [" " * margin + first, *(" " * (margin + hanging) + line for line in rest)]


def wrap(text: str, width: int, hanging: int = 0) -> list[str]:
    """Break a text into lines; those after the first are `hanging` columns narrower.

    A word longer than a line has a line of its own. Each code point counts as a column.

    >>> wrap("one two three four", 10)
    ['one two', 'three four']
    >>> wrap("one two three", 8, 4)
    ['one two', 'three']
    """
    room = max(width, 1)
    lines: list[str] = []
    line = ""
    # The two blanks after a number stay.
    for word in text.replace("  ", "\x00 ").split(" "):
        word = word.replace("\x00", " ")  # noqa: PLW2901
        if line and len(line) + 1 + len(word.rstrip()) > room:
            lines.append(line.rstrip())
            line = word
            room = max(width - hanging, 1)
        else:
            line = f"{line} {word}" if line else word
    lines.append(line.rstrip())
    return lines


def terminal_page(text: str) -> str:
    """Return a page as the terminal shows it: its lines fit, and without colours if they are off."""
    return fitted(text if is_coloured() else shown(text), page_width())


def fitted(text: str, width: int) -> str:
    r"""Return a page whose lines fit a terminal, broken between words with a hanging indent.

    >>> print(fitted("  A line that is long\nA", 14))
      A line that
          is long
    A
    """
    lines: list[str] = []
    for line in text.split("\n"):
        if not width or len(shown(line)) <= width:
            lines.append(line)
            continue
        words = line.lstrip(" ")
        margin = " " * (len(line) - len(words))
        first, *rest = wrap(words, width - len(margin), 4)
        lines += [margin + first, *(f"{margin}    {row}" for row in rest)]
    return "\n".join(lines)
