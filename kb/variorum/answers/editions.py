"""The editions of a base, and what names them: "M10", "July 2009" or "current".

    designators = designator | designator ".." designator
    designator  = "first" | "latest" | "current" | "today", which is the same
                | "last" | "newest" | "oldest" | "now"   latest, latest, first, current
                | day                    the edition in force that day
                | day "." issue          that issue of that very date
                | year | month           the edition in force on its last day
                | code | name            of a set, or a part of its name; its last edition

A day is 2007-10-01, 20071001, 2007/10/1 or "October 1, 2007". A month is 2009-07 or "July 2009". If
a date has several issues, a designator without an issue means the chosen issue.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from msgspec import structs

from variorum.errors import AmbiguousEditionError, NoEditionError
from variorum.records.edition import Edition, EditionSummary, LineEnds
from variorum.text import MONTHS

# The least likeness of an unknown word to one that may be meant.
_MISSPELT = 0.72
_FEWEST_LETTERS, _MOST_NEAR = 3, 3  # of a part of a name; of names that may be meant

WORDS = ("current", "first", "latest", "today")
_IN_FORCE = ("current", "today")
# A synonym counts before a part of a set's name: "last" is part of one.
_ALSO = {"last": "latest", "newest": "latest", "oldest": "first", "now": "current"}
_ORDINALS = {"4": "fourth", "5": "fifth", "6": "sixth", "7": "seventh"}
_ORDINALS |= {"8": "eighth", "9": "ninth", "10": "tenth"}
_YEARS = re.compile(r"(\d{4}) ?[-–] ?(\d{4})", re.ASCII)
# How a day, a month or a year is written, without commas and with one blank between its parts.
_WRITTEN = [
    re.compile(form.replace("MON", r"(?P<name>[a-z]{3,9})\.?"), re.ASCII)
    for form in (
        r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)",
        r"(?P<year>\d{4})(?:[-/](?P<month>\d{1,2})(?:[-/](?P<day>\d{1,2}))?)?",
        r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})",  # as Americans write
        r"MON (?:(?P<day>\d{1,2})(?:st|nd|rd|th)? )?(?P<year>\d{4})",
        r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\.? MON (?P<year>\d{4})",
        r"(?P<year>\d{4}) MON(?: (?P<day>\d{1,2}))?",
    )
]


class EditionEntry(NamedTuple):
    """An edition of the knowledge base, without its provisions, by its place among all from 0.

    The label is its effective date, with its issue if the base has several of this date; the date alone
    means the chosen one. `doubts` are the warnings that an answer from it shows; `row` has the columns of
    the table `edition` by their names.
    """

    place: int
    label: str
    effective: date
    issue: int
    is_chosen: bool
    set_code: str
    set_name: str
    sha256: str
    doubts: tuple[str, ...]
    row: dict[str, Any]

    @property
    def summary(self) -> EditionSummary:
        """Return what answers say of it."""
        return summary_of(self.row)

    @property
    def names(self) -> list[str]:
        """Return the name and the code of its set, folded, and the name without an article."""
        name, code = _folded(self.set_name), _folded(self.set_code)
        return [it for it in (name, name.removeprefix("the "), code) if it]


def summary_of(row: Mapping[str, Any]) -> EditionSummary:
    """Return what answers say of an edition, given the columns of its row by their names."""
    said = {
        **row,
        "attested": row["attested"] or None,
        "doubts": row["doubts"].splitlines(),
        "line_ends": LineEnds(row["crlf"], row["cr"], row["lf"]),
    }
    return EditionSummary(**{name: said[name] for name in EditionSummary.__struct_fields__})


def entry_of(row: dict[str, Any]) -> EditionEntry:
    """Return the edition of a row."""
    known = {name: row[name] for name in ("label", "issue", "set_code", "set_name", "sha256")}
    return EditionEntry(
        **known,
        place=row["id"],
        effective=date.fromisoformat(row["effective"]),
        is_chosen=bool(row["is_chosen"]),
        doubts=tuple(row["doubts"].splitlines()),
        row=row,
    )


def listed(entry: EditionEntry, editions: Sequence[EditionEntry], file: str) -> Edition:
    """Return an edition as `cr editions` lists it, with the name of its document's file."""
    before, after = editions[: entry.place], editions[entry.place + 1 :]
    later = [it.effective - timedelta(days=1) for it in after if it.effective > entry.effective]
    return Edition(
        **structs.asdict(entry.summary),
        label=entry.label,
        until=later[0].isoformat() if later else None,
        previous=before[-1].label if before else None,
        next=after[0].label if after else None,
        set_code=entry.set_code,
        set_name=entry.set_name,
        file=file,
    )


# Designators --------------------------------------------------------------------------------------


def find_edition(
    editions: Sequence[EditionEntry], designator: str, today: date | None = None
) -> EditionEntry | None:
    """Return the edition that a designator names; None if it names none, or several.

    The editions come oldest first. "current" is the one in force today, without a day the latest.
    """
    word = with_year(designator.strip().lower(), today)
    word = _ALSO.get(word, word)
    day, _, issue = word.partition(".")
    if issue and is_date(day):
        same = [it for it in editions if str(it.effective) == day]
        return next((it for it in same if str(it.issue) == issue.lstrip("0")), None)
    chosen = [edition for edition in reversed(editions) if edition.is_chosen]
    if word == "first":
        return next(reversed(chosen), None)
    if word == "latest" or (word in _IN_FORCE and today is None):
        return next(iter(chosen), None)
    if last := str(today) if word in _IN_FORCE else last_day(word):
        return next((edition for edition in chosen if str(edition.effective) <= last), None)
    fitting = _fitting_sets(chosen, word)
    return fitting[0] if len(fitting) == 1 else None


def _fitting_sets(newest_first: Iterable[EditionEntry], words: str) -> list[EditionEntry]:
    """Return the last edition of each set that words name: by its code, its name or part of it.

    Whole names come first, then whole words of names, then other parts.
    """
    folded, sets = _folded(words), dict[str, EditionEntry]()
    for edition in newest_first:
        if folded and edition.is_chosen and edition.names:
            sets.setdefault(edition.names[-1], edition)
    bare = folded.removeprefix("the ")
    whole = [it for it in sets.values() if folded in it.names or bare in it.names]
    if whole or len(folded) < _FEWEST_LETTERS:
        return whole
    of_words = [it for it in sets.values() if f" {folded} " in f" {_folded(it.set_name)} "]
    return of_words or [it for it in sets.values() if folded in _folded(it.set_name)]


def with_part(editions: Sequence[EditionEntry], part: str) -> Sequence[EditionEntry]:
    """Return the editions that have some words in their label or set."""
    ends = [_days_of(end) for end in split_pair(part) or (part, part)]
    first, last = ends[0][0], ends[1][1]
    if first != last:
        return [edition for edition in editions if first <= str(edition.effective) <= last]
    folded = _folded(part)
    return [
        it
        for it in editions
        if it.label.startswith(part) or folded in {*it.names} or folded in _folded(it.set_name)
    ]


def _folded(words: str) -> str:
    """Return words without case, apostrophes and punctuation: "the brothers war"."""
    bare = re.sub("['\N{RIGHT SINGLE QUOTATION MARK}]", "", words.lower())
    parts = re.sub(r"[\W_]", " ", bare).split()
    return " ".join([_ORDINALS.get(part.removesuffix("th"), part) for part in parts])


def split_pair(designators: str) -> tuple[str, str] | None:
    """Return the two designators of "A..B"; a missing end means the first or the current edition.

    >>> split_pair("M10..M11"), split_pair("2009.."), split_pair("M10")
    (('M10', 'M11'), ('2009', 'current'), None)
    """
    if years := _YEARS.fullmatch(designators.strip()):
        return years[1], years[2]
    start, between, stop = designators.strip().partition("..")
    if not between or not (start or stop):
        return None
    return start.strip() or "first", stop.strip(". ") or "current"


# Days ---------------------------------------------------------------------------------------------


def last_day(words: str) -> str:
    """Return the last day of a day, month or year, as YYYY-MM-DD; "" for other words.

    Every month has 31 days here. Comparisons are not affected.

    >>> [last_day(words) for words in ("2007-10-01", "2009-07", "2009", "july 2009")]
    ['2007-10-01', '2009-07-31', '2009-12-31', '2009-07-31']
    >>> last_day("Oct. 1st, 2007"), last_day("M10"), last_day("2009-13"), last_day("may")
    ('2007-10-01', '', '', '')
    """
    return _days_of(words)[1]


def with_year(words: str, today: date | None) -> str:
    """Return words with the year in place of "last year" or "this year"."""
    years = {} if today is None else {"last year": today.year - 1, "this year": today.year}
    return str(years.get(" ".join(words.lower().split()), words))


def first_day(words: str, today: date | None = None) -> str:
    """Return the first day of a day, month or year; "" for other words.

    >>> [first_day(words) for words in ("2007-10-01", "2009-07", "2009", "july 2009", "M10")]
    ['2007-10-01', '2009-07-01', '2009-01-01', '2009-07-01', '']
    """
    return _days_of(with_year(words, today))[0]


def _days_of(words: str) -> tuple[str, str]:
    """Return the first and the last day of a day, month or year; both "" for other words."""
    signs = " ".join(words.lower().replace(",", " ").split())
    for written in filter(None, (form.fullmatch(signs) for form in _WRITTEN)):
        parts = written.groupdict()
        month, day = parts.get("month"), parts.get("day")
        if name := parts.get("name"):
            name = "sep" if name == "sept" else name
            months = [number for number, it in enumerate(MONTHS, start=1) if it.startswith(name)]
            month = str(months[0]) if months else "13"
        if "/" in signs and month and day and int(month) > 12 >= int(day):  # noqa: PLR2004 - elsewhere the day comes first
            month, day = day, month
        begin = f"{parts['year']}-{month or '01':0>2}-{day or '01':0>2}"
        if is_date(begin):
            return begin, f"{parts['year']}-{month or '12':0>2}-{day or '31':0>2}"
    return "", ""


def is_date(word: str) -> bool:
    """Return whether a word is a day of the calendar, as in 2007-10-01."""
    try:
        return date.fromisoformat(word).isoformat() == word
    except ValueError:
        return False


def day_note(designator: str, edition: EditionEntry) -> str:
    """Return a note on which edition a month, year or other day names; "" for its own day."""
    first, last = _days_of(designator)
    held = str(edition.effective)
    if not last or first == last == held:
        return ""
    from variorum.facts import missing_day  # noqa: PLC0415 - few questions name a day

    when = last if first == last else f"the last day of {designator.strip()}"
    if missing := missing_day(held, last):
        return (
            f"the edition in force on {when}, that of {missing}, is not in this base; "
            f"using the edition of {edition.label}"
        )
    return f"in force on {when}: the edition of {edition.label}"


def no_edition(
    editions: Sequence[EditionEntry], designator: str, today: date | None
) -> NoEditionError:
    """Return the error for a designator that names no edition, or several, with what to write instead."""
    word, pair = designator.strip(), split_pair(designator)
    several = _fitting_sets(reversed(editions), designator)
    if not editions:
        return NoEditionError("the knowledge base holds no edition; cr build adds some")
    earliest = f"the earliest edition here is {editions[0].label}"
    day, _, issue = word.partition(".")
    if word.casefold() in _IN_FORCE and today is not None:
        why = f"no edition is in force on {today}; {earliest}"
    elif issue and is_date(day):
        known = [str(edition.issue) for edition in editions if str(edition.effective) == day]
        issues = f"the base has issue {', '.join(known)} of {day}"
        why = f"no edition {word}: {issues if known else f'none is dated {day}'}"
    elif last_day(word):
        when = word if is_date(word) else f"the last day of {word}"
        why = f"no edition was in force on {when}; {earliest}"
    elif several:
        names = [f"{it.set_name} ({it.set_code}, {it.label})" for it in several[::-1]]
        why = f"{word!r} fits {len(several)} sets: {', '.join(names)}; name one"
    elif pair:
        typed = f"cr diff {pair[0]} {pair[1]}"
        why = f"{word!r} names two editions; give one, or compare them: {typed}"
    elif word and last_day(f"{word} 2000"):
        year = editions[-1].label[:4]
        why = f'{word!r} needs a year; write both in quotes, as in "{word} {year}"'
    else:
        near = _near(editions, word)
        like = f"near: {', '.join(near)}; " if near else ""
        why = (
            f"no edition is called {word!r}; {like}give a date (2007-10-01), a month (2007-10), a "
            "year, a set (M10, Zendikar), first, latest, current or today"
        )
    return AmbiguousEditionError(why) if several or pair else NoEditionError(why)


def _near(editions: Sequence[EditionEntry], word: str) -> list[str]:
    import difflib  # noqa: PLC0415 - only an error needs it

    known = {_folded(name): name for name in WORDS}
    for name in [name for entry in editions for name in (entry.set_name, entry.set_code) if name]:
        parts = [part for part in _folded(name).split() if len(part) > _FEWEST_LETTERS]
        known |= {part: name for part in parts if part not in known}
        known[_folded(name)] = name
    like = difflib.get_close_matches(_folded(word), known, _MOST_NEAR, _MISSPELT)
    return list(dict.fromkeys([known[name] for name in like]))
