"""Reads plain text as shown lines, without the markup of e-mail, forums and printers."""

import re
from collections.abc import Sequence
from dataclasses import replace

from variorum_kb.reading.ledger import without_blanks
from variorum_kb.sources.reading.markup.shown_lines import Line, ShownText
from variorum_kb.sources.reading.markup.source_text import without_code, without_directives
from variorum_kb.sources.reading.passages.openers import opens
from variorum_kb.sources.reading.passages.page_numbers import find_pages
from variorum_kb.sources.reading.passages.passages import LineRole, Markup
from variorum_kb.text.sentences import ends_marked_sentence

# Soft hyphens, joiners and other unprinted marks.
_SOFT_HYPHEN = "\u00ad"
_UNPRINTED = str.maketrans("", "", "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
_QUOTED = re.compile(r"(?:>[ ]?)+")
# "/// 100.2. To play, …": a rule in a comment of a program.
_COMMENT = re.compile(r"\s*//[/!]?(?=\s)")
# Bots print "#####CR 608.4b", without a blank.
_HEADLINE = re.compile(r"(?P<marks>#{1,6})(?: +(?=\S)|(?=(?:CR |[Rr]ule )?\d)|(?<=##)(?=[A-Z]))")
# "[705.1](https://…)": the round brackets contain an address.
_LINK = re.compile(
    r"!?\[(?P<words>[^\[\]]*)\]"
    r"\(<?(?:[a-z]+://|mailto:|www\.|[#/.])[^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s+\"[^\"]*\")?\)",
    re.IGNORECASE,
)
_FEWEST_LINKS = 2
_LONGEST_FRONT = 40
_FRONT = re.compile(r"(?P<key>[A-Za-z_]+):\s*[\"']?(?P<value>.*?)[\"']?")
# Markdown uses HTML for anchors and line breaks.
_INLINE_TAG = re.compile(r"<a (?:id|name)=[^<>]*>|</a>|<br ?/?>|</?(?:b|i|em|strong)>")
# Edit links and footnote marks on wiki pages.
_EDIT = re.compile(r"(?<!\s)\s*\[\s*edit(?: ?\| ?edit source)?\s*\]$")
_FOOTNOTE = re.compile(r"(?<=[a-z.,;!?”\"’')])(?:\[[1-9]\d?\])+(?=\s|$)")
# "`(Rules 103.4)`": formatted as code.
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_STRONG = re.compile(r"(\*\*\*?)(?=\S)([^*\n]+?)(?<=\S)\1")
# "*/*" and "1+*" are powers.
_EMPHASIS = re.compile(r"(?<![\w*/+])\*(?=[^\W\d_]|[“\"‘'(\[{])([^*\n]+?)(?<=\S)\*(?![\w*/+])")
# Only underscores around a whole line are markup: old editions print "_Magic_".
_UNDERLINED = re.compile(r"^(?P<before>\s*)(__?)(?=\S)(?P<words>[^_\n]+(?<=\S))\2\s*$")


def lay_out(texts: Sequence[str]) -> ShownText:
    """Return the shown lines of a plain text, without the markup of e-mail and forums."""
    layer = _Layer()
    shown: list[str] = without_code(without_directives(texts))
    pages = find_pages(shown)
    front = front_matter(texts)
    fields = {
        match["key"].casefold(): match["value"]
        for line in texts[:front]
        if (match := _FRONT.fullmatch(line.strip()))
    }
    shown = ["" if number < front else line for number, line in enumerate(shown)]
    for number, (printed, line) in enumerate(zip(texts, shown, strict=True), start=1):
        layer.hidden += len(without_blanks(printed)) - len(without_blanks(line))
        if number in pages:
            layer.turn_page(line.strip(), number)
        else:
            layer.put(line, number)
    lines = (*layer.lines, *layer.pages)
    return ShownText(
        markup=Markup.PLAIN,
        lines=lines,
        count=len(texts),
        hidden=layer.hidden,
        title=fields.get("title", ""),
        author=fields.get("author", ""),
    )


def front_matter(texts: Sequence[str]) -> int:
    """Return the last line number of the front matter between rulers; 0 if there is none."""
    rulers = [
        number for number, text in enumerate(texts[:_LONGEST_FRONT], 1) if text.strip() == "---"
    ]
    first = next((number for number, text in enumerate(texts, start=1) if text.strip()), 0)
    return rulers[1] if rulers[:1] == [first] and len(rulers) > 1 else 0


class _Layer:
    """Collects the shown lines one by one.

    Attributes:
        lines: The lines so far.
        pages: The page numbers held back, after a paragraph that may continue on the next page.
        hidden: The number of omitted code points, without blanks.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.pages: list[Line] = []
        self.hidden = 0
        self._after_blank, self._was_quoted = True, False

    def turn_page(self, text: str, number: int) -> None:
        """Hold back a page number until it is clear whether it interrupts a paragraph."""
        self.pages.append(Line(text, number, number, after_blank=True, role=LineRole.BANNER))

    def put(self, printed: str, number: int) -> None:
        """Add the shown part of a line."""
        shown, is_quoted = _shown(printed)
        headline = _HEADLINE.match(shown)
        edited = _EDIT.search(shown)
        shown = _FOOTNOTE.sub("", shown[: edited.start()] if edited else shown)
        text = (shown[headline.end() :] if headline else shown).strip()
        self.hidden += len(without_blanks(printed)) - len(without_blanks(text))
        if text:
            is_inside = bool(self.pages and self.lines) and (
                _goes_on(self.lines[-1].text, text)
                or not (self._after_blank or opens(text) or headline)
            )
            if self.pages and not is_inside:
                self.lines += self.pages
                self.pages.clear()
            is_apart = (self._after_blank and not is_inside) or is_quoted is not self._was_quoted
            self._was_quoted = is_quoted
            indent = len(shown) - len(shown.lstrip())
            tag = f"h{len(headline['marks'])}" if headline else "h2" if edited else ""
            role = LineRole.NAVIGATION if _is_bar(printed) else None
            line = Line(text, number, number, indent, is_apart, role, tag, is_quoted=is_quoted)
            self.lines.append(line)
        self._after_blank = not text


def without_unprinted(shown_text: ShownText) -> ShownText:
    """Remove soft hyphens and zero-width marks from all lines."""
    lines = [line._replace(text=_printed(line.text)) for line in shown_text.lines]
    if lines == list(shown_text.lines):
        return shown_text
    lost = sum(len(line.text) for line in shown_text.lines) - sum(len(line.text) for line in lines)
    shown = tuple([line for line in lines if line.text])
    return replace(shown_text, lines=shown, hidden=shown_text.hidden + lost)


def _printed(text: str) -> str:
    """Return the printed part of a line; a soft hyphen at its end breaks a word."""
    end = "-" if text.endswith(_SOFT_HYPHEN) else ""
    return text.translate(_UNPRINTED).strip() + end


def _shown(line: str) -> tuple[str, bool]:
    """Return the shown text of a line, and whether it is marked as quoted."""
    match = _QUOTED.match(line) or _COMMENT.match(line)
    # At the start of a table or a page, ">" does not mark a quotation.
    text = line[match.end() :] if match else line
    if "](" in text:
        text = _LINK.sub(lambda link: link["words"], text)
    if "<" in text:
        text = _INLINE_TAG.sub("", text)
    if "`" in text:
        text = _CODE.sub(r"\1", text)
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\2", text))
    if text.lstrip().startswith("_"):
        text = _UNDERLINED.sub(r"\g<before>\g<words>", text)
    return text, match is not None


def _goes_on(text: str, following: str) -> bool:
    """Say whether a paragraph continues after the end of a page."""
    return following[:1].islower() or not ends_marked_sentence(text)


def _is_bar(line: str) -> bool:
    """Say whether a line is a bar of links: "[Source](…) | [Feedback](…)"."""
    rest, count = _LINK.subn("", line) if "](" in line else ("", 0)
    is_parted = any(sign in rest for sign in "|•·")
    return count >= _FEWEST_LINKS and is_parted and not any(map(str.isalnum, rest))
