"""Format the results of a search."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from variorum.cli.pages.diff import paragraph
from variorum.cli.pages.provisions import indented
from variorum.cli.pages.steps import REMOVED
from variorum.rows import headword_of, named
from variorum.terminal import MATCH, NO_MATCH, bold

if TYPE_CHECKING:
    from variorum.records.search import Expansion, Hit, SearchResult

_MARK = "**"
_MOST_RUNS = 3
_FIRST = "1999-12-31"


def set_hits(
    results: "SearchResult", line: str, labels: Sequence[str], *, width: int, is_coloured: bool
) -> str:
    """Format the answer of `cr search`.

    Args:
        results: In the form of `cr search --json`.
        line: The line that names the editions searched.
        labels: The labels of all editions, oldest first.
        width: Columns of the terminal; 0 puts each paragraph on one line.
        is_coloured: Print numbers and matches in bold.
    """
    lines: list[str] = []
    for note in notes(results):
        lines += indented(note, width)
    if lines:
        lines.append("")
    for hit in results.hits:
        lines += _hit(hit, labels, width, colour=is_coloured)
    shown = len(results.hits)
    more = f"{shown:,} of {results.total:,}" if shown < results.total else f"{shown:,}"
    lines.append(f"  {more} found in {line}")
    if any(not hit.stood and hit.edition not in line for hit in results.hits):
        lines.append("  rules not in this edition are shown as last printed")
    return "\n".join(lines) + "\n"


def notes(results: "SearchResult") -> Iterator[str]:
    """Yield notes: other words that were searched for, and words that no text has."""
    for expansion in results.expanded:
        yield _expansion(expansion)
    if results.missing:
        words = ", ".join([f'"{word}"' for word in results.missing])
        yield f"no rule has {words}"
    if results.suggestions:
        yield f"did you mean: {', '.join(results.suggestions)}"


def _expansion(expansion: "Expansion") -> str:
    notice, asked = f'also searched for "{expansion.to}"', f'"{expansion.from_}"'
    if expansion.kind == "era" and expansion.until:
        return f"{notice} (the rules' wording of {asked} until {expansion.until})"
    # The editions do not show how old the wording of the first edition is.
    if expansion.kind == "era" and expansion.since and expansion.since > _FIRST:
        return f"{notice} (the rules' wording of {asked} since {expansion.since})"
    return f"{notice} (for {asked})"


def _hit(hit: "Hit", labels: Sequence[str], width: int, *, colour: bool) -> Iterator[str]:
    own = _name(hit)
    name = hit.last if hit.stood else own
    opening, where = _title(hit, name)
    first, *rest = indented(f"{opening}  {where}".rstrip(), width, 0, 4)
    if first.startswith(opening):
        first = bold(opening) + first[len(opening) :]
    yield first
    yield from rest
    if hit.stood:
        yield f"    with these words: {when_printed(name, hit.now, hit.stood, labels)}"
    elif hit.now != own:
        now = hit.now
        became = f"now {now}" if now else _ended_on(hit.edition, labels, REMOVED)
        yield f"    {hit.edition}, {became}"
    words = hit.snippet if colour else hit.snippet.replace(_MARK, "")
    if words.replace(_MARK, "") != hit.heading:
        lines = paragraph(words, 4, width)
        yield from _coloured(lines) if colour else lines
    yield ""


def _title(hit: "Hit", name: str) -> tuple[str, str]:
    """Return the name and heading of a hit, and its place, or its former name and place."""
    path = " › ".join(hit.path)
    heading = f"  {hit.heading}" if hit.number and hit.heading else ""
    own = f"{hit.number or hit.heading}{heading}"
    if name == _name(hit):
        return own, path if hit.number else "Glossary"
    former = f"{own}  {path}".rstrip() if hit.number else f"“{own}” in the Glossary"
    headword = headword_of(name)
    if headword and not hit.number:
        return headword, f"Glossary, was “{own}”"
    return headword or name, f"{'Glossary, ' if headword else ''}was {former}"


def _name(hit: "Hit") -> str:
    return named(hit.number, hit.heading)


def when_printed(name: str, now: str | None, stood: list[list[str]], labels: Sequence[str]) -> str:
    """Return the editions that print some words, and the provision with the words today.

    Args:
        name: The name of the provision with these words.
        now: Its name today; None if it was removed.
        stood: The first and last edition of each run that prints the words.
        labels: The labels of all editions, oldest first.
    """
    latest = labels[-1]
    phrases = [
        first if first == last else f"{first} to {'today' if last == latest else last}"
        for first, last in stood[-_MOST_RUNS:]
    ]
    before = "… " if len(stood) > _MOST_RUNS else ""
    ended = _ended_on(stood[-1][1], labels, REMOVED if now is None else "changed")
    became = "" if now is None or now == name else f"; now {now}"
    return f"{before}{', '.join(phrases)}{f', {ended}' if ended else ''}{became}"


def _ended_on(last: str, labels: Sequence[str], how: str) -> str:
    """Return the day on which another edition replaced some words; "" if they are still printed.

    >>> _ended_on("2009-05-01", ["2009-05-01", "2009-07-11"], "removed")
    'removed on 2009-07-11'
    """
    after = labels[labels.index(last) + 1 :]
    return f"{how} on {after[0]}" if after else ""


def _coloured(lines: list[str]) -> Iterator[str]:
    """Yield lines with colours in place of marks; a mark may end on a later line."""
    is_marked = False
    for line in lines:
        words = line.lstrip()
        shown = line[: len(line) - len(words)]
        for place, part in enumerate(words.split(_MARK)):
            is_marked ^= place > 0
            shown += f"{MATCH}{part}{NO_MATCH}" if is_marked and part else part
        yield shown
