"""The table of spellings: signs that documents print in several ways, and the plain ones.

Each fold uses some of these tables. `respell` calls `str.replace` for each sign, since
`str.translate` is 20 times slower.
"""

SINGLE_QUOTES = {
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
}
DOUBLE_QUOTES = {
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
}
QUOTES = SINGLE_QUOTES | DOUBLE_QUOTES
MINUS = {"\N{MINUS SIGN}": "-"}
HYPHENS = {"\N{EN DASH}": "-"} | MINUS
DASHES = {"\N{EM DASH}": "-"} | HYPHENS
LIGATURES = {
    "\N{LATIN CAPITAL LETTER AE}": "Ae",
    "\N{LATIN SMALL LETTER AE}": "ae",
}
MARKS = {
    "\N{TRADE MARK SIGN}": " ",
    "\N{REGISTERED SIGN}": " ",
}
ITALICS = {"_": ""}


def respell(text: str, spellings: dict[str, str]) -> str:
    """Return a text with each sign of a table replaced by its plain spelling."""
    for sign, plain in spellings.items():
        text = text.replace(sign, plain)
    return text
