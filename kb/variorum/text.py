"""Text: how it is shown, folded and linked, its words, sentences and days. Pure; `words` has stems."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from variorum.rows import SHOWN_CERTAIN, STEP_CERTAIN, State, headword_of

# What is shown --------------------------------------------------------------------------------------

# Characters that are invisible, reverse a line or command a terminal: the Unicode categories Cc, Cf, Zl and
# Zp without the line feed and without the signs printed before Arabic and Kaithi numbers; U+FFFE and
# U+FFFF, which XML refuses; and lone surrogates, which no encoding can write.
HIDDEN = (
    r"[\0-\t\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    r"\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0001\U000e0020-\U000e007f]"
)


def visible(text: str, signs: Mapping[str, str] | None = None) -> str:
    r"""Return a text with hidden characters escaped as in JSON, or replaced; line feeds stay.

    In a JSON text, this changes no value.
    """

    def escaped(match: re.Match[str]) -> str:
        code = match[0].encode("utf-16-be", "surrogatepass").hex(" ", 2)
        return (signs or {}).get(match[0], "\\u" + code.replace(" ", "\\u"))

    # All hidden characters are unprintable; looking for these is much faster.
    is_printable = text.replace("\n", "").isprintable()
    return text if is_printable else re.sub(HIDDEN, escaped, text)


def counted(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "glossary entry"), counted(2, "glossary entry"), counted(6770, "lost dash")
    ('1 glossary entry', '2 glossary entries', '6,770 lost dashes')
    """
    if number != 1:
        is_y = noun.endswith("y") and noun[-2] not in "aeiou"
        noun = f"{noun[:-1]}ies" if is_y else noun + ("es" if noun.endswith("sh") else "s")
    return f"{number:,} {noun}"


def listed(names: Sequence[str], most: int) -> str:
    """Return the first names of a list, and how many more there are: "704, 705 and 1 more"."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def percent(share: float) -> str:
    """Return a share or a chance as a percentage: "87 %", "over 99 %"."""
    return "over 99 %" if share > 0.99 else f"{share * 100:.0f} %"  # noqa: PLR2004


def doubt(chance: float) -> str:
    """Return what to say before words about a step: "" if it is certain to the percent, "probably " or "perhaps "."""
    sure = round(chance, 2)  # a third reader's 95 % times a step of 99.9 %
    return "" if sure >= SHOWN_CERTAIN else "probably " if sure >= STEP_CERTAIN else "perhaps "


def doubted(words: str, chance: float, *notes: str) -> str:
    """Return words about a step with its doubt, and notes in brackets: "probably new (70 %, decided)"."""
    about = ", ".join(filter(None, (doubt(chance) and percent(chance), *notes)))
    return doubt(chance) + " ".join(filter(None, (words, f"({about})" * bool(about))))


def without_middle(text: str, before: int, after: int) -> str:
    """Return some words at the beginning and the end of a text, with an ellipsis between them."""
    words = text.split(" ")
    if len(words) <= before + after + 2:
        return text
    return " ".join([*words[:before], "…", *words[len(words) - after :]])


def shortened(text: str, most: int) -> str:
    """Return a text, cut between words if it has more characters than wanted."""
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"


# Folding: for comparing and searching, never shown --------------------------------------------------

_SINGLE = {"’": "'", "‘": "'"}
# An em dash separates clauses, so it is not folded to a hyphen.
_IN_PLACE = _SINGLE | {"“": '"', "”": '"', "\N{EN DASH}": "-", "\N{MINUS SIGN}": "-"}
_PLAIN_SIGNS = _IN_PLACE | {"\N{EM DASH}": "-", "_": ""}
# An en dash separates numbers and clauses. As a hyphen, it could be taken for the sign in "-1/-1".
_CANONICAL = _SINGLE | {"\N{MINUS SIGN}": "-", "Æ": "Ae", "æ": "ae", "_": ""}
_CANONICAL |= dict.fromkeys(("™", "®", "(TM)", "(R)"), " ")  # the letters in 2008 and 2009
_KEY = _SINGLE | dict.fromkeys('“”"_', "")


def _respell(text: str, spellings: dict[str, str]) -> str:
    """Return a text with each sign of a table replaced; `str.translate` would take 20 times as long."""
    for sign, plain in spellings.items():
        text = text.replace(sign, plain)
    return text


def fold(text: str) -> str:
    """Return a text with one spelling of quotes, dashes and marks, in small letters."""
    return _respell(text, _CANONICAL).casefold()


def fold_in_place(text: str) -> str:
    """Return a text in small letters and straight signs, with all offsets unchanged."""
    straight = text if text.isascii() else _respell(text, _IN_PLACE)
    small = straight.lower()
    if len(small) == len(text):
        return small
    # A few capitals become two small letters, which would move all later offsets.
    return "".join([letter.lower() if len(letter.lower()) == 1 else letter for letter in straight])


def plain_signs(text: str) -> str:
    """Return a text as a typewriter sets it: straight quotes, hyphens, no underscores; the case stays."""
    return _respell(text, _PLAIN_SIGNS)


def fold_key(words: str) -> str:
    """Return the key of a number or headword: small letters, no quotation marks, single blanks."""
    return " ".join(_respell(words, _KEY).casefold().split())


def fold_title(words: str) -> str:
    """Return a title without quotes, dashes and case, in which a citation and a heading may differ."""
    return "".join(filter(str.isalnum, words.casefold()))


def key_of_meant(number: str) -> str:
    """Return the key by the number that a misprint means; look-ups try the printed number first."""
    return f"={number}"


def keys_of(state: State) -> list[str]:
    """Return all keys of a provision: also each of "You, Your", "Bury (Obsolete)" without the remark, and the number meant."""
    if state.kind != "glossary":
        return [key_of_meant(state.meant), state.number] if state.meant else [state.number]
    headword = fold_key(state.heading)
    bare = headword.partition(" (")[0]
    return sorted({headword, bare, *map(str.strip, bare.split(", "))} - {""})


# Permalinks on the website: docs/library.md promises them -----------------------------------------


def dated_permalink(label: str, name: str = "") -> str:
    """Return the permalink of an edition, or of a provision's name in it, from the root of the website.

    >>> dated_permalink("2007-10-01", "600.4a"), dated_permalink("2007-10-01", "6")
    ('2007-10-01/6/#600.4a', '2007-10-01/6/')
    >>> dated_permalink("2007-10-01", "glossary: Flip a Coin")
    '2007-10-01/glossary/#flip-a-coin'
    """
    if headword := headword_of(name):
        return f"{label}/glossary/#{slug_of(headword)}"
    place = f"{name[0]}/" + (f"#{anchor_of(name)}" if name[1:] else "") if name else ""
    return f"{label}/{place}"


def anchor_of(address: str) -> str:
    """Return the anchor of a number in its section: of 702.175#1 and #2, "702.175" and "702.175-2"."""
    return address.removesuffix("#1").replace("#", "-")


@lru_cache(maxsize=4096)
def slug_of(headword: str) -> str:
    """Return the slug of a headword, for addresses and anchors.

    Headwords that differ only in punctuation, quotes or case share one. It depends on the headword
    alone, so that no later edition can change it.

    >>> slug_of("Bury (Obsolete)"), slug_of("City’s Blessing"), slug_of("Dandân, “Ring”")
    ('bury-obsolete', 'citys-blessing', 'dandan-ring')
    """
    from unicodedata import normalize  # noqa: PLC0415 - a look-up needs no slug

    bare = normalize("NFKD", re.sub("[\"'_“”‘’]", "", headword).casefold())
    return re.sub("[^a-z0-9]+", "-", bare.encode("ascii", "ignore").decode()).strip("-") or "blank"


# Words --------------------------------------------------------------------------------------------
#
# A hyphen separates words, but "state-based" is one word in a diff:
#
#     words_of       letters and digits, {T}, +1/+1, a slot   comparing readings; 419,8 is 419.8
#     placed_words   {T}, +1/+1, -1, 704.5k                   search, as on the website; quotations
#     tokens_of      any word or sign, and blanks after it    word diffs

# Stands for a printed citation among the words that are compared.
SLOT = "\ue000"

_COMPARED = (
    r"[a-wyz][^\W_]*+(?:'[^\W_]++)*+"  # most words, which begin no other kind
    r"|[+-]?[\dx]+/[+-]?[\dx]+(?![\w/])"  # +1/+1
    r"|\{[^{}\s]*\}"  # {T}
    rf"|{SLOT}"
    r"|[^\W_]+(?:'[^\W_]+)*"
)
_SEARCHED = r"""(?x)
    \{ [^{}\s]+ \}                                     # {T}, {W/U}
    | (?<![\w.+]) [+-]? [0-9xyn*]+ (?: \+ [0-9*]+ )?  # +1/+1, 2/2, */1+*
      / [+-]? [0-9xyn*]+ (?: \+ [0-9*]+ )? (?!\w)
    | (?<![\w.]) [+-] [0-9xyn]+ (?!\w)                 # +1 of a loyalty ability
    | [1-9]\d\d \. \d+ [a-z]* (?!\w)                   # 704.5k
    | [^\W_]+ (?: ' [^\W_]+ )*                         # can't
    """
_IN_DIFF = r"""(?x)
    (?: [+\-\N{MINUS SIGN}]?[\dX]+/[+\-\N{MINUS SIGN}]?[\dX]+(?![\w/])   # +1/+1
      | \{[^{}\s]*\}                                                     # {T}
      | \w++(?:['’.\-\N{EN DASH}/]\w++)*+                                  # 702.9b, state-based
      | [^\w\s]
    )? \s*+ """


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded; signs between them are left out."""
    return re.findall(_COMPARED, fold(text))


class Word(NamedTuple):
    """A word in small letters, with straight quotes, without a possessive's ending."""

    word: str
    start: int
    stop: int


def placed_words(text: str) -> list[Word]:
    """Return the words of a text in their order, with their places."""
    found = re.finditer(_SEARCHED, fold_in_place(text))
    return [Word(match[0].removesuffix("'s"), *match.span()) for match in found]


def plain_words(text: str) -> list[str]:
    """Return the words of a text in their order, without their places."""
    return [word.removesuffix("'s") for word in re.findall(_SEARCHED, fold_in_place(text))]


@lru_cache(maxsize=256)
def tokens_of(text: str) -> tuple[str, ...]:
    """Return the words and signs of a text, each with the spaces after it."""
    return tuple(re.findall(_IN_DIFF, text)[:-1])


def set_of(words: str) -> frozenset[str]:
    """Return the words of a string, which is easier to read than a list with quotes."""
    return frozenset(words.split())


def share(words: Sequence[str], among: Sequence[str]) -> float:
    """Return the share of some words that occur among others in any order, from 0 to 1."""
    counts = Counter(words)
    return (counts & Counter(among)).total() / max(counts.total(), 1)


# Sentences ----------------------------------------------------------------------------------------

STOPS = (".", "!", "?")
STOPS_AND_COLON = (*STOPS, ":")
# Characters that may follow the end of a sentence.
CLOSING = "\"'”’)]"
_QUOTED = 1000  # characters of a sentence with quotations; a longer one lacks a quotation mark
# A sentence ends only where another begins: not within "704.5k" or after a quotation inside it.
_END = r"(?<=[.!?])[\"”’')]*(?=\s+[A-Z0-9\"“‘(\[{])|\n"


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where sentences begin and end, without blanks: a line's end ends them, a quotation within does not."""
    spans, start = list[tuple[int, int]](), 0
    for stop in [*(end.end() for end in re.finditer(_END, text)), len(text)]:
        words = text[start:stop]
        is_open = words.count("“") > words.count("”") or words.count('"') % 2 == 1
        if is_open and len(words) < _QUOTED and stop < len(text) and text[stop - 1] != "\n":
            continue  # only a quoted sentence ends here
        if words.strip():
            spans.append((stop - len(words.lstrip()), start + len(words.rstrip())))
        start = stop
    return spans or [(0, len(text))]


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text; it has none if it is blank."""
    return [text[start:stop] for start, stop in sentence_spans(text) if text.strip()]


def sentence_around(text: str, place: int) -> str:
    """Return the sentence around a place in a text."""
    spans = sentence_spans(text)
    return next((text[start:stop] for start, stop in spans if stop > place), text.strip())


def ends_sentence(text: str, stops: tuple[str, ...] = STOPS_AND_COLON) -> bool:
    """Return whether a sentence may end at the end of a line or paragraph, as "(It says “draw.”)" does."""
    return text.rstrip(CLOSING).endswith(stops)


# Days ---------------------------------------------------------------------------------------------

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = rf"(?P<month>{'|'.join(name[:3] for name in MONTHS)})[a-z]{{0,6}}\.?"
_DAYS = (
    rf"\b{_MONTH} ?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})\b",
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH},? (?P<year>\d{{4}})\b",
    r"(?<!\d)(?P<year>(?:19|20)\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
    r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>(?:19|20)\d\d)(?![\d.]\d)",
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?!\d)",
)
_SLASHED = r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})(?!\d)"
_FIRST_YEAR, _LAST_YEAR = 1993, 2099  # the game is of 1993


def find_days(text: str) -> list[date]:
    """Return all days named in a text, in its order.

    A day such as 02/03/98 counts only in a text without others, and if not ambiguous as 05/06/07 is.

    >>> [str(day) for day in find_days("Written on 3 May 2016, revised 13.06.2025")]
    ['2016-05-03', '2025-06-13']
    >>> find_days("[D'Angelo 02/03/98]"), find_days("May 2012")
    ([datetime.date(1998, 2, 3)], [])
    """
    placed = list[tuple[int, date]]()
    for match in [it for form in _DAYS for it in re.finditer(form, text, re.ASCII | re.IGNORECASE)]:
        month = match["month"].casefold()
        number = [name[:3] for name in MONTHS].index(month) + 1 if month.isalpha() else int(month)
        if day := _day(int(match["year"]), number, int(match["day"])):
            placed.append((match.start(), day))
    slashed = re.search(_SLASHED, text, re.ASCII)
    if placed or not slashed:
        return [day for _, day in sorted(placed)]
    first, second, third = map(int, slashed.groups())
    days = [*filter(None, {_day(third, first, second), _day(first, second, third)})]
    return days if len(days) == 1 else []


def _day(year: int, month: int, day: int) -> date | None:
    if year < 100:  # noqa: PLR2004
        year += 1900 if year >= _FIRST_YEAR % 100 else 2000
    try:
        return date(year, month, day) if _FIRST_YEAR <= year <= _LAST_YEAR else None
    except ValueError:
        return None
