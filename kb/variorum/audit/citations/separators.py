"""Patterns for the signs between numbers in programs and articles: spaces, dashes, line ends."""

COMMENT = r"(?://[/!]?|\*+(?![/\w])|[#>]+|--|;+|%+|\"\"\")"
# Non-breaking spaces may be characters, bytes of Latin-1, or escapes of HTML or JSON.
BLANK = (
    "(?:[ \t\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\udca0]|&nbsp;|&\\#160;"
    r"|\\u00a0|\\u202f|\\xa0)"
)
# Old Macs ended lines with a carriage return alone.
LINE = r"(?:\r\n?|\n)"
# A blank, or the end of a line and the sign that begins the next one in a comment.
GAP = rf"(?:{BLANK}|{LINE}(?:[ \t]*{COMMENT})?)"

DASH = (
    "(?:-{1,3}|[\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{EM DASH}"
    "\N{HORIZONTAL BAR}\N{MINUS SIGN}\udc96\udc97]"
    r"|&[mn]dash;|&\#821[123];|&\#x201[2345];"
    # Escapes of JSON, Python and Rust.
    r"|\\{1,4}(?:u201[0-5]|u\{201[0-5]\}|u2212|x9[67]|N\{E[MN]\ DASH\}))"
)
# A comment that is wrapped after a dash.
WRAP = rf"[ \t]{{0,4}}{LINE}[ \t]{{0,24}}(?:{COMMENT})?[ \t]{{0,24}}"


def lines_of(text: str) -> int:
    """Return the number of line ends in a text."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def line_end(text: str, start: int) -> int:
    """Return the offset of the next line feed, or of the end of the text."""
    end = text.find("\n", start)
    return end if end >= 0 else len(text)
