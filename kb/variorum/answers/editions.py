"""The editions of a base, and what names them: "M10", "July 2009" or "current".

    designators = designator | designator ".." designator | year "-" year
    designator  = "first" | "latest" | "current" | "today", which is the same
                | "last" | "newest" | "oldest" | "now"   latest, latest, first, current
                | day                    the edition in force that day
                | day "." issue          that issue of that very date
                | year | month           the edition in force on its last day
                | "last year" | "this year" | "2 years ago"
                | code | name            of a set, or a part of its name; its last edition

A day is 2007-10-01, 20071001, 10/1/2007 or "October 1, 2007". A month is 2009-07 or "July 2009". If
a date has several issues, a designator without an issue means the chosen issue.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple, TypeVar

from variorum.errors import AmbiguousError, NoEditionError
from variorum.records.edition import Edition, EditionSummary, LineEnds
from variorum.rows import EditionRow
from variorum.text import MONTHS

_Summary = TypeVar("_Summary", bound=EditionSummary)
WORDS = ("current", "first", "latest", "today")
# A synonym counts before a part of a set's name: "last" is part of one.
_ALSO = {"today": "current", "now": "current", "newest": "latest"}
_ALSO |= {"last": "latest", "oldest": "first"}
_ORDINALS = {"4": "fourth", "5": "fifth", "6": "sixth", "7": "seventh"}
_ORDINALS |= {"8": "eighth", "9": "ninth", "10": "tenth"}
# How a day, a month or a year is written, by the parts of it: y, m and d with its signs, n for a name.
_PART = re.compile(r"(?P<y>\d{4})|(?P<d>\d{1,2})(?:st|nd|rd|th)?|(?P<n>[a-z]{3,9})", re.ASCII)
_WRITTEN = {"y": "y", "y-d": "ym", "y-d-d": "ymd", "d-d-y": "mdy", "n y": "ny", "y n": "yn"}
_WRITTEN |= {"n d y": "ndy", "d n y": "dny", "y n d": "ynd"}
# The fewest letters of a part of a name; the least likeness of an unknown word to names that may be meant.
_FEWEST_LETTERS, _MISSPELT, _MOST_NEAR = 3, 0.72, 3


class EditionEntry(NamedTuple):
    """An edition of the knowledge base, without its provisions, by its place among all from 0.

    The label is its effective date, with its issue if the base has several of this date; the date alone
    means the chosen one. `doubts` are the warnings that an answer from it shows.
    """

    place: int
    label: str
    effective: date
    issue: int
    is_chosen: int
    set_code: str
    set_name: str
    sha256: str
    doubts: tuple[str, ...]
    row: EditionRow


def entry_of(place: int, row: EditionRow) -> EditionEntry:
    """Return the edition of a row."""
    day, doubts = date.fromisoformat(row.effective), tuple(row.doubts.splitlines())
    about = row.issue, row.is_chosen, row.set_code, row.set_name, row.sha256
    return EditionEntry(place, row.label, day, *about, doubts, row)


def summary_of(row: EditionRow, kind: type[_Summary], **more: str | None) -> _Summary:
    """Return what answers say of an edition, given its row and what this lacks."""
    ends = {"line_ends": LineEnds(row.crlf, row.cr, row.lf)}
    said = {"attested": row.attested or None, "doubts": row.doubts.splitlines()}
    told = {**row._asdict(), **said, **ends, **more}
    return kind(**{name: told[name] for name in kind.__struct_fields__})


def listed(entry: EditionEntry, editions: Sequence[EditionEntry], file: str) -> Edition:
    """Return an edition as `cr editions` lists it, with the name of its document's file."""
    after = editions[entry.place + 1 :]
    later = [it.effective - timedelta(days=1) for it in after if it.effective > entry.effective]
    around = {
        "until": str(later[0]) if later else None,
        "previous": editions[entry.place - 1].label if entry.place else None,
        "next": after[0].label if after else None,
    }
    return summary_of(entry.row, Edition, **around, file=file)


# Designators --------------------------------------------------------------------------------------


def find_edition(
    editions: Sequence[EditionEntry], designator: str, today: date | None
) -> EditionEntry:
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
    named = named or [it for it in chosen if str(it.effective) <= until][:1]
    named = named or ([] if until else _of_sets(chosen, word))
    if len(named) == 1:
        return named[0]
    if named:
        sets = ", ".join([f"{it.set_name} ({it.set_code}, {it.label})" for it in named[::-1]])
        raise AmbiguousError(f"{typed!r} fits {len(named)} sets: {sets}; name one")
    if pair := split_pair(typed):
        how = f"give one, or compare them: cr diff {' '.join(pair)}"
        raise AmbiguousError(f"{typed!r} names two editions; {how}")
    if until:
        when = until if until in {word, str(today)} else f"the last day of {typed}"
        earliest = f"the earliest edition here is {editions[0].label}"
        raise NoEditionError(f"no edition was in force on {when}; {earliest}")
    like = f"near: {', '.join(near)}; " if (near := _near(editions, word)) else ""
    how = "give a date (2007-10-01), a month (2007-10), a year, a set (M10, Zendikar)"
    raise NoEditionError(
        f"no edition is called {typed!r}; {like}{how}, first, latest, current or today"
    )


def _of_sets(newest_first: Sequence[EditionEntry], words: str) -> list[EditionEntry]:
    """Return the last edition of each set that words name, the newest first; the best fitting sets alone."""
    sets = defaultdict[int, dict[str, EditionEntry]](dict)
    for edition in newest_first:
        if (fit := _fit(edition, words)) is not None:
            sets[fit].setdefault(edition.set_name, edition)
    return [*sets[min(sets)].values()] if sets else []


def _fit(edition: EditionEntry, words: str) -> int | None:
    """Return 0 for words that are the name or code of a set, 1 for whole words of its name, 2 for other parts."""
    folded, name, code = map(_folded, (words, edition.set_name, edition.set_code))
    if folded.removeprefix("the ") in {name.removeprefix("the "), code} - {""}:
        return 0
    if len(folded) < _FEWEST_LETTERS or folded not in name:
        return None
    return 1 if f" {folded} " in f" {name} " else 2


def with_part(editions: Sequence[EditionEntry], part: str) -> Sequence[EditionEntry]:
    """Return the editions that have some words in their label or set, or are of a month or years."""
    start, stop = split_pair(part) or (part, part)
    first, last = days_of(start)[0], days_of(stop)[1]
    if first != last:
        return [edition for edition in editions if first <= str(edition.effective) <= last]
    return [it for it in editions if it.label.startswith(part) or _fit(it, part) is not None]


def _folded(words: str) -> str:
    """Return words without case, apostrophes and punctuation: "the brothers war", "ninth edition"."""
    bare = re.sub("['\N{RIGHT SINGLE QUOTATION MARK}]", "", words.lower())
    parts = re.sub(r"[\W_]", " ", bare).split()
    return " ".join([_ORDINALS.get(part.removesuffix("th"), part) for part in parts])


def _near(editions: Sequence[EditionEntry], word: str) -> list[str]:
    import difflib  # noqa: PLC0415 - only an error needs it

    names = [name for it in editions for name in (it.set_name, it.set_code) if name]
    parts = [(part, name) for name in names[::-1] for part in _folded(name).split()]
    known = {part: name for part, name in parts if len(part) > _FEWEST_LETTERS}
    known |= {_folded(name): name for name in (*WORDS, *names)}
    like = difflib.get_close_matches(_folded(word), known, _MOST_NEAR, _MISSPELT)
    return list(dict.fromkeys([known[name] for name in like]))


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
    signs = " ".join(words.lower().replace(",", " ").replace(". ", " ").split()).replace("/", "-")
    if today and (ago := re.fullmatch(r"(\d{1,2}) years? ago|last year|this year", signs)):
        signs = str(today.year - int(ago[1] or signs == "last year"))
    if sum(map(str.isdigit, signs)) < len("2007"):
        return "", ""
    signs = re.sub(r"^(\d{4})(\d\d)(\d\d)$", r"\1-\2-\3", signs, flags=re.ASCII)
    parts = [part[part.lastgroup or 0] for part in _PART.finditer(signs)]
    order = _WRITTEN.get(_PART.sub(lambda part: part.lastgroup or "", signs), "")
    written = dict(zip(order, parts, strict=False))
    if name := written.get("n"):
        months = [number for number, it in enumerate(MONTHS, start=1) if it.startswith(name)]
        written["m"] = str(months[0]) if months else "13"
    year, month, day = map(written.get, "ymd")
    if order == "mdy" and month and day and int(month) > 12 >= int(day):  # noqa: PLR2004 - as Europeans write
        month, day = day, month
    begin = f"{year}-{month or '01':0>2}-{day or '01':0>2}"
    try:
        date.fromisoformat(begin)
    except ValueError:
        return "", ""
    return begin, f"{year}-{month or '12':0>2}-{day or '31':0>2}"


def day_note(designator: str, edition: EditionEntry) -> str:
    """Return a note on which edition a month, year or other day names; "" for its own day."""
    (first, last), held = days_of(designator), str(edition.effective)
    if not last or first == last == held:
        return ""
    from variorum.facts import missing_day  # noqa: PLC0415 - it loads OpenSSL

    when = last if first == last else f"the last day of {designator.strip()}"
    if missing := missing_day(held, last):
        return (
            f"the edition in force on {when}, that of {missing}, is not in this base; "
            f"using the edition of {edition.label}"
        )
    return f"in force on {when}: the edition of {edition.label}"
