"""Reads the lines of a page as the paragraphs of a bulletin."""

from collections.abc import Sequence

from variorum_kb.sources.reading.bulletins.announcements import read_heading
from variorum_kb.sources.reading.bulletins.bulletin_entries import BulletinReader
from variorum_kb.sources.reading.bulletins.bulletin_head import is_own_line
from variorum_kb.sources.reading.markup.markdown import read_markdown
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.page_signs import markup_of
from variorum_kb.sources.reading.passages.paragraphs import paragraphs
from variorum_kb.sources.reading.passages.passages import LineRole, Markup
from variorum_kb.text.sentences import ends_marked_sentence

_SHORT, _HEAD = 40, 6


def read_page(texts: Sequence[str]) -> BulletinReader:
    """Read the lines of a page: Markdown, plain text or HTML.

    Raises:
        LayoutError: The page is HTML that is too large or nested too deep.
    """
    markup = markup_of("\n".join(texts))
    lines: Sequence[Line]
    hidden: list[tuple[int, str]] = []
    if markup is Markup.HTML:
        from variorum_kb.sources.reading.markup.webpage import read_webpage  # noqa: PLC0415 - HTML alone needs it

        shown_text = read_webpage("\n".join(texts), "")
        lines = [_without_role(line) for line in shown_text.lines]
    else:
        markup = Markup.PLAIN
        lines, hidden = read_markdown(texts)
    page = BulletinReader(markup, hidden)
    page.read(_rejoined(paragraphs(_parted(lines))))
    return page


def _parted(lines: Sequence[Line]) -> list[Line]:
    """Separate lines with the author or day from their neighbours."""
    parted: list[Line] = []
    was_own = False
    for place, line in enumerate(lines):
        is_own = place < _HEAD and is_own_line(line.text)
        parted.append(line._replace(after_blank=True) if is_own or was_own else line)
        was_own = is_own
    return parted


def _rejoined(blocks: Sequence[Line]) -> list[Line]:
    """Rejoin paragraphs split at a number that only happened to begin a line."""
    joined: list[Line] = []
    for block in blocks:
        if joined and _goes_on(joined[-1], block):
            text = f"{joined[-1].text} {block.text}"
            joined[-1] = joined[-1]._replace(text=text, last=block.last)
        else:
            joined.append(block)
    return joined


def _goes_on(block: Line, following: Line) -> bool:
    return (
        not following.after_blank
        and (block.tag, block.role) == (following.tag, following.role) == ("", None)
        and len(block.text) > _SHORT
        and not ends_marked_sentence(block.text)
        and not read_heading(block.text)
    )


def _without_role(line: Line) -> Line:
    """Remove the role of an author, a date or a headline; bulletins have roles of their own."""
    is_own = line.role in {LineRole.AUTHOR, LineRole.DATE, LineRole.HEADLINE}
    return line._replace(role=None) if is_own else line
