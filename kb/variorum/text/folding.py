"""Fold texts to one spelling, so that they can be compared or searched; folded texts are not shown.

The functions keep different things, and answers depend on each difference:

| function           | keeps                               | for                                    |
| ------------------ | ----------------------------------- | -------------------------------------- |
| `fold`             | signs between words                 | canonical text, words that are compared |
| `fold_words`       | words alone                         | quotations found in readings           |
| `fold_in_place`    | the place of every sign, em dashes  | terms and queries marked in a text     |
| `plain_signs`      | case, and the signs a keyboard has  | word diffs; texts that look the same   |

`keys.py` folds names to keys for look-ups.
"""

import re

# Signs that documents print in several ways, and the plain ones; each fold uses some of these tables.
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
# An em dash separates clauses, so it is not folded to a hyphen.
IN_PLACE = QUOTES | HYPHENS
PLAIN_SIGNS = QUOTES | DASHES | ITALICS
# An en dash separates numbers and clauses. As a hyphen, it could be taken for the sign in "-1/-1".
_CANONICAL = SINGLE_QUOTES | MINUS | LIGATURES | MARKS | ITALICS
# 2008 and 2009 print marks as "(TM)" and "(R)".
_PRINTED_MARKS = re.compile(r"\((?:TM|R)\)")
# Characters between words; texts that differ only in these are equal.
_BETWEEN = re.compile(r"[^\w{}/+']+|_+|(?<!\w)'|'(?!\w)")
# Signs that some editions spell differently or lost.
_UNCERTAIN = re.compile(rf"[?_\"{''.join((*DASHES, *DOUBLE_QUOTES))}\uFFFD-]+")


def fold(text: str) -> str:
    """Return a text with one spelling of quotes, dashes and marks, in small letters.

    >>> fold("Each player’s _Magic_(TM) deck")
    "each player's magic  deck"
    """
    if "(" in text:
        text = _PRINTED_MARKS.sub(" ", text)
    if text.isascii():
        return text.replace("_", "").lower()
    return respell(text, _CANONICAL).casefold()


def fold_words(text: str) -> str:
    """Return the words of a text, folded, with a blank between them.

    >>> fold_words("“Each player’s” turn—ends.")
    "each player's turn ends"
    """
    return " ".join(_BETWEEN.sub(" ", fold(text)).split())


def fold_in_place(text: str) -> str:
    """Return a text in small letters and straight signs, with all offsets unchanged.

    >>> fold_in_place("Can’t −1/−1")
    "can't -1/-1"
    """
    if text.isascii():
        return text.lower()
    straight = respell(text, IN_PLACE)
    small = straight.lower()
    if len(small) == len(text):
        return small
    # A few capitals become two small letters, which would move all later offsets.
    return "".join([letter.lower() if len(letter.lower()) == 1 else letter for letter in straight])


def plain_signs(text: str) -> str:
    r"""Return a text as a typewriter sets it: straight quotes, hyphens, no underscores.

    >>> plain_signs("“_Bury_” – the player’s")
    '"Bury" - the player\'s'
    """
    if text.isascii():
        return text.replace("_", "")
    return respell(text, PLAIN_SIGNS)


_ITALICS = re.compile(r"\b_([^\W_](?:[^_]*[^\W_])?)_\b")


def without_italics(text: str) -> str:
    """Return a text without the underscores that old editions print for italics.

    >>> without_italics("The _Magic_ Golden Rules"), without_italics("_____ Goblin")
    ('The Magic Golden Rules', '_____ Goblin')
    """
    return _ITALICS.sub(r"\1", text)


def respell(text: str, spellings: dict[str, str]) -> str:
    """Return a text with each sign of a table replaced by its plain spelling.

    `str.translate` would take 20 times as long.
    """
    for sign, plain in spellings.items():
        text = text.replace(sign, plain)
    return text
