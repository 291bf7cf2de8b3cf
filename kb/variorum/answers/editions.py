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
# The name of the block, by the code of each set whose own name lacks it.
_BLOCKS = {"gpt": "ravnica", "dis": "ravnica", "con": "alara", "frf": "tarkir"}
_DIGITS = re.compile(r"(\d{4})(?:(\d\d)(\d\d)|-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
# As Americans write a day: 12/25/2007.
_AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
_YEARS = re.compile(r"(\d{4}) ?[-–] ?(\d{4})", re.ASCII)
_ORDINALS = dict(
    zip(
        ("4th", "5th", "6th", "7th", "8th", "9th", "10th"),
        ("fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
        strict=True,
    )
)


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
        same = [edition for edition in editions if str(edition.effective) == day]
        return next((edition for edition in same if str(edition.issue) == issue.lstrip("0")), None)
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
    folded = _folded(words)
    bare = folded.removeprefix("the ")
    sets: dict[str, EditionEntry] = {}
    for edition in newest_first:
        if folded and edition.is_chosen and (edition.set_code or edition.set_name):
            sets.setdefault(edition.set_code.lower() or edition.set_name, edition)
    whole = [
        edition
        for edition in sets.values()
        if folded == _folded(edition.set_code)
        or bare == _folded(edition.set_name).removeprefix("the ")
    ]
    if whole or len(folded) < _FEWEST_LETTERS:
        return whole
    of_words = [it for it in sets.values() if f" {folded} " in f" {_with_block(it)} "]
    return of_words or [it for it in sets.values() if folded in _with_block(it)]


def with_part(editions: Sequence[EditionEntry], part: str) -> Sequence[EditionEntry]:
    """Return the editions that have some words in their label, set or block."""
    ends = [_days_of(end) for end in split_pair(part) or (part, part)]
    first, last = ends[0][0], ends[1][1]
    if first != last:
        return [edition for edition in editions if first <= str(edition.effective) <= last]
    folded = _folded(part)
    return [
        edition
        for edition in editions
        if edition.label.startswith(part)
        or folded in _with_block(edition)
        or folded == edition.set_code.lower()
    ]


def _with_block(edition: EditionEntry) -> str:
    return f"{_folded(edition.set_name)} {_BLOCKS.get(edition.set_code.lower(), '')}"


def _folded(words: str) -> str:
    """Return words without case, apostrophes and punctuation: "the brothers war"."""
    bare = re.sub("['\N{RIGHT SINGLE QUOTATION MARK}]", "", words.lower())
    parts = re.sub(r"[\W_]", " ", bare).split()
    return " ".join([_ORDINALS.get(part, part) for part in parts])


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


def completions(editions: Iterable[EditionEntry], begun: str) -> list[str]:
    """Return the designators that begin with some letters, sorted."""
    words = {*WORDS, *(word for it in editions for word in (it.label, it.set_code))}
    return sorted([word for word in words if word and word.lower().startswith(begun.lower())])


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
    signs = words.strip().lower()
    if american := _AMERICAN.fullmatch(signs):
        first, second, year = american.groups()
        month, day = (second, first) if int(first) > 12 else (first, second)  # noqa: PLR2004 - elsewhere the day comes first
        signs = f"{year}-{month}-{day}"
    if match := _DIGITS.fullmatch(signs.replace("/", "-")):
        year, month, day = match[1], match[2] or match[4], match[3] or match[5]
    else:
        parts = re.sub("[,.]", " ", signs).split()
        years = [part for part in parts if re.fullmatch(r"\d{4}", part, re.ASCII)]
        months = [
            (part, str(place))
            for part in parts
            for place, name in enumerate(MONTHS, start=1)
            if len(part) >= _FEWEST_LETTERS and name.startswith("sep" if part == "sept" else part)
        ]
        if len(years) != 1 or len(months) != 1:
            return "", ""
        (year,), ((word, month),) = years, months
        days = [part.rstrip("stndrh") for part in parts if part not in {year, word}]
        if len(days) + 2 != len(parts) or len(days) > 1 or "" in days:
            return "", ""
        day = next(iter(days), "")
    begin = f"{year}-{month or '01':0>2}-{day or '01':0>2}"
    end = f"{year}-{month or '12':0>2}-{day or '31':0>2}"
    return (begin, end) if is_date(begin) else ("", "")


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
    several, pair = _fitting_sets(reversed(editions), designator), split_pair(designator)
    why = _why_none(editions, designator.strip(), today, several)
    return AmbiguousEditionError(why) if several or pair else NoEditionError(why)


def _why_none(
    editions: Sequence[EditionEntry], word: str, today: date | None, several: list[EditionEntry]
) -> str:
    if not editions:
        return "the knowledge base holds no edition; cr build adds some"
    earliest = f"the earliest edition here is {editions[0].label}"
    if word.casefold() in _IN_FORCE and today is not None:
        return f"no edition is in force on {today}; {earliest}"
    day, _, issue = word.partition(".")
    if issue and is_date(day):
        known = [str(edition.issue) for edition in editions if str(edition.effective) == day]
        issues = f"the base has issue {', '.join(known)} of {day}"
        return f"no edition {word}: {issues if known else f'none is dated {day}'}"
    if last_day(word):
        when = word if is_date(word) else f"the last day of {word}"
        return f"no edition was in force on {when}; {earliest}"
    if several:
        names = [f"{found.set_name} ({found.set_code}, {found.label})" for found in several[::-1]]
        return f"{word!r} fits {len(several)} sets: {', '.join(names)}; name one"
    if pair := split_pair(word):
        typed = f"cr diff {pair[0]} {pair[1]}"
        return f"{word!r} names two editions; give one, or compare them: {typed}"
    if word and last_day(f"{word} 2000"):
        year = editions[-1].label[:4]
        return f'{word!r} needs a year; write both in quotes, as in "{word} {year}"'
    near = _near(editions, word)
    like = f"near: {', '.join(near)}; " if near else ""
    return (
        f"no edition is called {word!r}; {like}give a date (2007-10-01), a month (2007-10), a year, "
        "a set (M10, Zendikar), first, latest, current or today"
    )


def _near(editions: Sequence[EditionEntry], word: str) -> list[str]:
    import difflib  # noqa: PLC0415 - only an error needs it

    known = {_folded(name): name for name in WORDS}
    for name in [name for entry in editions for name in (entry.set_name, entry.set_code) if name]:
        parts = [part for part in _folded(name).split() if len(part) > _FEWEST_LETTERS]
        known |= {part: name for part in parts if part not in known}
        known[_folded(name)] = name
    like = difflib.get_close_matches(_folded(word), known, _MOST_NEAR, _MISSPELT)
    return list(dict.fromkeys([known[name] for name in like]))
