"""Reads file names: the format, the day, and whether the file is the rules.

A name decides only whether and in which order a file is fetched. Its text decides what it is.
"""

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from urllib.parse import parse_qsl, unquote, urlsplit

# In order of preference: the formats that are easiest to read are first.
FORMATS = ("txt", "docx", "pdf")

_EXTENSION = re.compile(r"\.([A-Za-z0-9]{1,5})$")
_RULES = re.compile(
    r"comp(?:rehensive)?[\W_]*rules?|(?<![^\W_])(?:magic|mtg)[\W_]*cr(?![^\W\d_])", re.IGNORECASE
)
# Words in the names of downloads that are not the rules: texts about the rules, or other rules.
_OTHERS = re.compile(
    r"tournament|infraction|penalty|procedure|judging|changes|bulletin|notes|summary|basic|faq",
    re.IGNORECASE,
)
# Names of languages in file and folder names. English is not listed. A code of three letters is
# listed only if it is no set's code.
_LANGUAGES = frozenset(
    [
        *("ar", "br", "chs", "cht", "cn", "cs", "ct", "cz", "de", "deu", "es", "esp", "fr", "fra"),
        *("ger", "it", "ita", "ja", "jp", "jpn", "ko", "kor", "kr", "pl", "pt", "ptbr", "ru"),
        *("rus", "sc", "spa", "tc", "tw", "uk", "zh", "zhs", "zht", "chinese", "deutsch"),
        *("espanol", "francais", "french", "german", "italian", "italiano", "japanese", "korean"),
        *("polish", "portuguese", "russian", "simplified", "spanish", "traditional"),
    ]
)
_LOCALE = re.compile(r"([a-z]{2})[-_][a-z]{2,4}", re.IGNORECASE)


def file_name(address: str) -> str:
    """Return the name of the file that an address or a path leads to, decoded.

    >>> file_name("https://example.com/2023/MagicCompRules%2020230414.txt?v=2")
    'MagicCompRules 20230414.txt'
    >>> file_name("https://example.com/get?file=MagicCompRules090501.txt")
    'MagicCompRules090501.txt'
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    path = parts.path if parts.scheme in {"", "http", "https"} else address
    name = _last(unquote(path))
    if format_of(name):
        return name
    names = [_last(value) for _, value in parse_qsl(parts.query)]
    return next((candidate for candidate in names if format_of(candidate)), name)


def printable(text: str) -> str:
    r"""Return a name with U+FFFD for every character that could break a line or a terminal.

    >>> printable("a\x1b[2J\nb")
    'a�[2J�b'
    """
    return "".join([sign if sign.isprintable() else "\ufffd" for sign in text])


def _last(path: str) -> str:
    return printable(re.split(r"[/\\]", path)[-1].strip())


def format_of(name: str) -> str:
    """Return the format that a file's name states; "" if we do not read it."""
    match = _EXTENSION.search(name)
    extension = match[1].lower() if match else ""
    return extension if extension in FORMATS else ""


def is_rules_name(name: str) -> bool:
    """Return whether a file is named like the English rules, in any spelling.

    >>> [is_rules_name(one) for one in ("MagicComPrules_072301.txt", "Comprehensive Rules 1.txt")]
    [True, True]
    >>> [is_rules_name(one) for one in ("MTG_MTR_2023.pdf", "MagicCompRules_DE_20230901.pdf")]
    [False, False]
    """
    stem = _stem(name)
    rest, count = _RULES.subn(" ", stem)
    return count > 0 and not _OTHERS.search(stem) and not (_tokens(rest) & _LANGUAGES)


def is_other_name(name: str) -> bool:
    """Return whether a file is named like another download or rules in another language."""
    stem = _stem(name)
    return bool(_OTHERS.search(stem) or _tokens(stem) & _LANGUAGES)


def is_foreign_folder(address: str) -> bool:
    """Return whether an address has a folder for another language: /de/, /pt-br/.

    >>> is_foreign_folder("https://example.com/ja/rules.txt")
    True
    """
    folders = unquote(urlsplit(address).path).split("/")[:-1]
    return any(_language(folder.lower()) in _LANGUAGES for folder in folders)


def _language(folder: str) -> str:
    locale = _LOCALE.fullmatch(folder)
    return locale[1] if locale else folder


def _tokens(text: str) -> set[str]:
    return set(re.split(r"[^0-9a-z]+", re.sub(r"\d{6,}", " ", text.lower())))


def _stem(name: str) -> str:
    """Return the name of a file or of an address's file, decoded, without its extension."""
    return _EXTENSION.sub("", unquote(_last(name)))


_SEPARATED = re.compile(r"(?<!\d)(\d{4})[-_. ](\d\d?)[-_. ](\d\d?)(?!\d)", re.ASCII)
_RUN = re.compile(r"(?P<mark>_?)(?P<digits>\d+)", re.ASCII)
# Six digits can usually be read as two days. In names with an underscore, the month is first until
# 2003. In names without one, the month is first until 2004, and then the year until 2009.
_MONTH_FIRST_MARKED = (date(2001, 7, 1), date(2003, 9, 30))
_MONTH_FIRST = (date(2003, 10, 1), date(2004, 9, 30))
_YEAR_FIRST = (date(2004, 10, 1), date(2009, 6, 30))
_FIRST_YEAR, _LAST_YEAR = 1993, 2099


def date_in_name(name: str) -> date | None:
    """Return the day in a file's name; None if there is none, or if several are possible.

    Use it to sort and select, never as the edition's date: the file of the edition of 2021-07-23
    is called 20210712.

    >>> date_in_name("MagicCompRules%2020210712.txt")
    datetime.date(2021, 7, 12)
    >>> date_in_name("MagicCompRules_04082016.txt")
    datetime.date(2016, 4, 8)
    >>> date_in_name("MagicCompRules 202109224.txt")
    datetime.date(2021, 9, 24)
    """
    stem = _stem(file_name(name) or name)
    days = {_real(*match.groups()) for match in _SEPARATED.finditer(stem)}
    for run in _RUN.finditer(_SEPARATED.sub(" ", stem)):
        days.add(_day(run["digits"], is_marked=bool(run["mark"])))
    days.discard(None)
    return days.pop() if len(days) == 1 else None


def _day(digits: str, *, is_marked: bool) -> date | None:
    match len(digits):
        case 6:
            return _of_six(digits, is_marked=is_marked)
        case 7:
            return _only([_of_seven(digits, end) for end in (5, 6)])
        case 8:
            return _of_eight(digits) or _real(digits[4:], digits[:2], digits[2:4])
        case 9:
            doubled = [place for place, (a, b) in enumerate(pairwise(digits)) if a == b]
            day = _only([_without(digits, place) for place in doubled])
            return day or _only([_without(digits, place) for place in range(len(digits))])
        case _:
            return None


def _of_six(digits: str, *, is_marked: bool) -> date | None:
    first, second, third = digits[:2], digits[2:4], digits[4:]
    year_first = _real(_century(first), second, third)
    month_first = _real(_century(third), first, second)
    if year_first is None or month_first is None:
        return year_first or month_first
    month_form = _MONTH_FIRST_MARKED if is_marked else _MONTH_FIRST
    fitting = [month_first] if month_form[0] <= month_first <= month_form[1] else []
    if not is_marked and _YEAR_FIRST[0] <= year_first <= _YEAR_FIRST[1]:
        fitting.append(year_first)
    # The editions of those years are dated on the first of a month.
    return _only(fitting) or _only([day for day in fitting if day.day == 1])


def _of_seven(digits: str, end: int) -> date | None:
    """Read a day that lacks one zero: of the month (2023 9 01) or of its day (2023 09 1)."""
    return _real(digits[:4], digits[4:end], digits[end:])


def _of_eight(digits: str) -> date | None:
    return _real(digits[:4], digits[4:6], digits[6:])


def _without(digits: str, place: int) -> date | None:
    """Read a day that has one digit too many."""
    return _of_eight(digits[:place] + digits[place + 1 :])


def _only(days: Sequence[date | None]) -> date | None:
    """Return the only possible day; None if there are several, or none."""
    distinct = {day for day in days if day is not None}
    return distinct.pop() if len(distinct) == 1 else None


def _century(digits: str) -> str:
    return f"19{digits}" if int(f"19{digits}") >= _FIRST_YEAR else f"20{digits}"


def _real(year: str, month: str, day: str) -> date | None:
    if not _FIRST_YEAR <= int(year) <= _LAST_YEAR:
        return None
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
