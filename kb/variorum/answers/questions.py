r"""Reads what users ask for: rules and terms (CR 704.5k, 508.1d-f, [704.5k], 702.19 M10), and editions.

    questions   = number-or-range [ edition ] { between number-or-range [ edition ] } | words
    range       = number dash ( number | rule | letters )
    number      = prefix* section [ "." ( rule [ letters ] | letter ) ] [ "#" digit ]
    edition     = [ "in" | "as of" | "@" ... ] designator, in parentheses or without
    between     = blanks | "," | ";" | "and" ...
    designators = designator | designator ".." designator | year "-" year
    designator  = "first" | "latest" | "current" | "today", which is the same
                | "last" | "newest" | "oldest" | "now"   latest, latest, first, current
                | day                    the edition in force that day
                | day "." issue          that issue of that very date
                | year | month           the edition in force on its last day
                | "last year" | "this month" | "2 years ago"
                | code | name            of a set, or a part of its name; its last edition

What a finger or an edition misprints is mended first: 704,5j; 704.5(j); 7045j; 702. 37a; 119.1.d. An
edition applies to all preceding numbers without an edition. A day is 2007-10-01, 20071001, 10/1/2007 or
"October 1, 2007", a month 2009-07 or "July 2009". If a date has several issues, a designator without an
issue means the chosen issue.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import NamedTuple

from variorum.errors import AmbiguousError, NoEditionError
from variorum.rows import EditionRow
from variorum.rule_numbers import range_end
from variorum.text import fold_key

NUMBER, RANGE, WORDS = "number", "range", "words"

# What stands for a number, and how editions print it. Lists of sections (702,703), years and days are none.
_ALONE = r"(?<![\w.,/-]){}(?![\w.,/-])"
_MISTYPED = [
    (re.compile(form, re.ASCII), mended)
    for form, mended in (
        (r"(?<=\b[1-9])o(?=[\do]\.\d)|(?<=\b[1-9][\do])o(?=\.\d)", "0"),  # 1OO.1
        (_ALONE.format(r"([1-9]\d\d),(\d{1,2}[a-z]{0,2}|\d{3}[a-z]{1,2})"), r"\1.\2"),
        (_ALONE.format(r"([1-9]\d\d\.\d{1,3})\(([a-z]{1,2})\)"), r"\1\2"),
        (_ALONE.format(r"(?!19\d\d\b|20\d\d\b)([1-9]\d\d)(\d{1,3}[a-z]{0,2})"), r"\1.\2"),
        (r"^(?!\d{3} )([a-z\d]{3}|\d{4}[-\d]*) +([1-9]\d\d(?:\.\w+)?)$", r"\2 \1"),  # M10 702
        (r"\b([1-9]\d{0,2}\.) +(?=\d|[a-z](?![a-z]))", r"\1"),
        (r"\b([1-9]\d{0,2}\.\d+)[. ]+([a-z])(?![^\W_]|\.\d)", r"\1\2"),
    )
]
_SUBRULE = r"(?:\.(?:\d+(?:[a-z]{1,2}(?![a-z]))?|[a-z](?![a-z])))?"
# A number may not end before a letter or digit: 2XM, 10th, 2009.
_END = r"(?![^\W_]|\.\d)"
_DASH = r"(?:\s*(?:-|–|—|\.\.\.?)\s*|\s+(?:to|through)\s+)"
_QUESTION = re.compile(
    r"[( ]*(?:(?:see|mtg|comprehensive|comp\.?|cr|c\.r\.|rules?|subrule|sections?|chapter|§)[ :]*)*"
    rf"(?P<first>[1-9](?:\d\d)?(?!\d){_SUBRULE})"
    rf"(?:\s*(?P<which>#\d)|{_DASH}(?P<last>[1-9]\d*{_SUBRULE}|[a-z]{{1,2}}(?![a-z])))?"
    rf"{_END}(?!{_DASH})",
    re.ASCII,
)
# It ends before a number (not the 3 of "Modern Horizons 3") or at a comma (not that of "July 11, 2009").
_DESIGNATOR = re.compile(
    rf"\((?P<inner>[^)]*)\)?|.+?(?=[,;] (?!\d{{4}}\b)| [1-9]\d\d(?!\d){_SUBRULE}{_END}|$)", re.ASCII
)
_BEFORE_EDITION = re.compile(r"(?:(?:cr |in |on |at |of |as of |effective |from |@) *)*")
_BETWEEN = re.compile(r"[ .,:;)&+/]*(?:(?:and|or) +)*")
DESIGNATORS = ("current", "first", "latest", "today")
# A synonym counts before a part of a set's name: "last" is part of one.
_ALSO = {"today": "current", "now": "current", "newest": "latest"}
_ALSO |= {"last": "latest", "oldest": "first"}
_ORDINALS = {"4": "fourth", "5": "fifth", "6": "sixth", "7": "seventh"}
_ORDINALS |= {"8": "eighth", "9": "ninth", "10": "tenth"}
# How a day, a month or a year is written, the name of a month by its first three letters.
_FORMS = (
    *("%Y-%m-%d", "%m-%d-%Y", "%d-%m-%Y", "%b %d %Y", "%d %b %Y", "%Y %b %d"),
    *("%Y-%m", "%b %Y", "%Y %b", "%Y"),
)
_YEAR = re.compile(r"(?<!\d)[1-3]\d{3}(?!\d)", re.ASCII)
is_written_as_day = re.compile(r"[\d\W]*[12]\d{3}[\d\W]*").fullmatch
# The fewest letters of a part of a name; the least likeness of an unknown word to names that may be meant.
_FEWEST_LETTERS, _MISSPELT, _MOST_NEAR = 3, 0.72, 3


class Asked(NamedTuple):
    """A number, range or term that a user asks for, and the designator beside it.

    `more` is "#1" or "#2" behind a number, the other end of a range, or "". Words are folded.
    """

    kind: str
    word: str
    more: str = ""
    edition: str = ""

    @property
    def name(self) -> str:
        """Return it as messages repeat it."""
        return f"{self.word}-{self.more}" if self.kind == RANGE else f"{self.word}{self.more}"


def parse_questions(text: str) -> list[Asked]:
    """Read a user's questions: numbers and ranges with their editions, or a term.

    >>> [tuple(asked) for asked in parse_questions("[CR 704.5K] (2007-10-01)")]
    [('number', '704.5k', '', '2007-10-01')]
    >>> [asked.word for asked in parse_questions("704.5k, 704,5j and 7")]
    ['704.5k', '704.5j', '7']
    >>> [asked.kind for text in ("11 July 2009", "rules 508.1d–f") for asked in parse_questions(text)]
    ['words', 'range']
    >>> [(asked.word, asked.edition) for asked in parse_questions("702.19 702.20 July 2009")]
    [('702.19', 'july 2009'), ('702.20', 'july 2009')]
    """
    text = text.lower()
    if days_of(text)[1]:
        return [_as_words(text)]
    for form, mended in _MISTYPED:
        text = form.sub(mended, text)
    rest = text.replace("[", " ").replace("]", " ").strip()
    asked, undated = list[Asked](), 0  # the place from which questions have no edition yet
    while rest:
        match = _QUESTION.match(rest)
        first, which, last = match.group("first", "which", "last") if match else ("", "", "")
        if last and ("." in first or last.isalpha()):  # sections must be in full, not "306-11"
            last = range_end(first, last)
            first = first if last else ""  # no range, such as "702-b"
        # A date such as 11 July 2009 begins with a number.
        begin = " ".join(re.split("[, ]+", rest, maxsplit=3)[:3])
        if match and first and not (asked and days_of(begin)[1]):
            asked.append(Asked(RANGE if last else NUMBER, first, last or which or ""))
        else:
            match = _DESIGNATOR.match(rest)
            words = (match["inner"] or match[0]) if match else ""
            designator = _BEFORE_EDITION.sub("", words.strip(), count=1).strip(" .,:;)&+/")
            if match is None or not designator or not asked[undated:]:
                return [_as_words(text)]
            asked[undated:] = [each._replace(edition=designator) for each in asked[undated:]]
            undated = len(asked)
        rest = _BETWEEN.sub("", rest[match.end() :], count=1)
    return asked or [_as_words(text)]


def _as_words(text: str) -> Asked:
    bare = text.strip().strip("[]")
    return Asked(WORDS, fold_key(re.sub("^(?:glossary: *)+", "", bare)))  # so answers name an entry


# Designators --------------------------------------------------------------------------------------


def find_edition(editions: Sequence[EditionRow], designator: str, today: date | None) -> EditionRow:
    """Return the edition that a designator names; an error says why it names none, or several.

    The editions come oldest first. "current" is the one in force today, without a day the latest.
    """
    if not editions:
        raise NoEditionError("the knowledge base holds no edition; cr build adds some")
    typed = designator.strip()
    word = _ALSO.get(typed.lower(), typed.lower())
    chosen = [edition for edition in reversed(editions) if edition.is_chosen]
    until = str(today or "9999") if word == "current" else days_of(word, today)[1]
    if word in {"first", "latest"}:
        return chosen[-1 if word == "first" else 0]
    named = [it for it in editions if word == f"{it.effective}.{it.issue}"]
    named = named or [it for it in chosen if it.effective <= until][:1]
    if not (named or until):
        # The last edition of each set that the words name, of the best fitting sets alone.
        sets = defaultdict[int, dict[str, EditionRow]](dict)
        for edition in chosen:
            if (fit := _fit(edition, word)) is not None:
                sets[fit].setdefault(edition.set_name, edition)
        named = [*sets[min(sets, default=0)].values()]
    if len(named) == 1:
        return named[0]
    if named:
        said = ", ".join([f"{it.set_name} ({it.set_code}, {it.label})" for it in named[::-1]])
        raise AmbiguousError(f"{typed!r} fits {len(named)} sets: {said}; name one")
    if pair := split_pair(typed):
        how = f"give one, or compare them: cr diff {' '.join(pair)}"
        raise AmbiguousError(f"{typed!r} names two editions; {how}")
    if until:
        when = until if until in {word, str(today)} else f"the last day of {typed}"
        earliest = f"the earliest edition here is {editions[0].label}"
        raise NoEditionError(f"no edition was in force on {when}; {earliest}")
    import difflib  # noqa: PLC0415 - only an error needs it

    names = [name for it in editions for name in (it.set_name, it.set_code) if name]
    parts = [(part, name) for name in names[::-1] for part in _folded(name).split()]
    known = {part: name for part, name in parts if len(part) > _FEWEST_LETTERS}
    known |= {_folded(name): name for name in (*DESIGNATORS, *names)}
    near = difflib.get_close_matches(_folded(word), known, _MOST_NEAR, _MISSPELT)
    like = f"near: {', '.join(dict.fromkeys(known[it] for it in near))}; " if near else ""
    how = "give a date (2007-10-01), a month (2007-10), a year, a set (M10, Zendikar)"
    how += ", first, latest, current or today"
    what = f"{typed!r} is no day, month or year" if is_written_as_day(typed) else ""
    raise NoEditionError(f"{what or f'no edition is called {typed!r}'}; {like}{how}")


def _fit(edition: EditionRow, words: str) -> int | None:
    """Return 0 for words that are the name or code of a set, 1 for whole words of its name, 2 for their beginnings."""
    folded, name, code = map(_folded, (words, edition.set_name, edition.set_code))
    if folded.removeprefix("the ") in {name.removeprefix("the "), code} - {""}:
        return 0
    if len(folded) < _FEWEST_LETTERS or f" {folded}" not in f" {name}":
        return None
    return 1 if f" {folded} " in f" {name} " else 2


def with_part(editions: Sequence[EditionRow], part: str) -> Sequence[EditionRow]:
    """Return the editions that have some words in their label or set, or are of a month or years."""
    start, stop = split_pair(part) or (part, part)
    first, last = days_of(start)[0], days_of(stop)[1]
    if first != last:
        return [edition for edition in editions if first <= edition.effective <= last]
    return [it for it in editions if it.label.startswith(part) or _fit(it, part) is not None]


def _folded(words: str) -> str:
    """Return words without case, apostrophes and punctuation: "the brothers war", "ninth edition"."""
    bare = re.sub("['\N{RIGHT SINGLE QUOTATION MARK}]", "", words.lower())
    parts = re.sub(r"[\W_]", " ", bare).split()
    return " ".join([_ORDINALS.get(part.removesuffix("th"), part) for part in parts])


def split_pair(designators: str) -> tuple[str, str] | None:
    """Return the two designators of "A..B"; a missing end means the first or the current edition.

    >>> split_pair("M10..M11"), split_pair("2009.."), split_pair("2005-2008"), split_pair("M10")
    (('M10', 'M11'), ('2009', 'current'), ('2005', '2008'), None)
    """
    if years := re.fullmatch(r"\s*(\d{4}) ?[-–] ?(\d{4})\s*", designators, re.ASCII):
        return years[1], years[2]
    start, between, stop = designators.strip().partition("..")
    if not between or not (start or stop):
        return None
    return start.strip() or "first", stop.strip(". ") or "current"


# Days ---------------------------------------------------------------------------------------------


def days_of(words: str, today: date | None = None) -> tuple[str, str]:
    """Return the first and the last day of a day, month or year, as YYYY-MM-DD; "" for other words.

    Every month has 31 days here. Comparisons are not affected.

    >>> days_of("2007-10-01"), days_of("2009"), days_of("july 2009")
    (('2007-10-01', '2007-10-01'), ('2009-01-01', '2009-12-31'), ('2009-07-01', '2009-07-31'))
    >>> days_of("Oct. 1st, 2007")[0], days_of("12/25/2007")[0], days_of("2 years ago", date(2026, 9, 1))[0]
    ('2007-10-01', '2007-12-25', '2024-01-01')
    >>> days_of("M10"), days_of("2009-13"), days_of("may")
    (('', ''), ('', ''), ('', ''))
    """
    signs = " ".join(re.sub("[.,] | ", " ", f"{words.lower()} ").split()).replace("/", "-")
    if today and (ago := re.fullmatch(r"(?:(\d{1,2})|last|this) (year|month)s?(?: ago)?", signs)):
        count, length = int(ago[1] or signs[0] == "l"), 12 if ago[2] == "year" else 1
        then = divmod(today.year * 12 + today.month - 1 - count * length, 12)
        signs = f"{then[0]}-{then[1] + 1:02}"[: 4 if length > 1 else 7]
    signs = re.sub(r"(\d)(?:st|nd|rd|th)\b|([a-z]{3})[a-z]*", r"\1\2", signs)
    signs = re.sub(r"^(\d{4})(\d\d)(\d\d)$", r"\1-\2-\3", signs, flags=re.ASCII)
    for form in _FORMS if _YEAR.search(signs) else ():
        with suppress(ValueError):
            day = str(datetime.strptime(signs, form).date())  # noqa: DTZ007 - a day has no zone
            month = day[4:7] if "%m" in form or "%b" in form else "-12"
            return day, f"{day[:4]}{month}{day[7:] if '%d' in form else '-31'}"
    return "", ""


def day_note(designator: str, edition: EditionRow, newest: str) -> str:
    """Return a note on which edition, of all until the newest, a month, year or other day names; "" for its own day."""
    first, last = days_of(designator)
    if not last or first == last == edition.effective:
        return ""
    from variorum.facts import days_besides  # noqa: PLC0415 - it loads OpenSSL

    when = last if first == last else f"the last day of {designator.strip()}"
    held = edition.effective
    if missing := [day for day in days_besides([held]) if held < day <= last]:
        return f"the edition in force on {when} ({missing[-1]}) is not in this base; using {edition.label}"
    if edition.label == newest:
        return f"no edition after {newest} is known; using it for {when}"
    return f"in force on {when}: the edition of {edition.label}"
