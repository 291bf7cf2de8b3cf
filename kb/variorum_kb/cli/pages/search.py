"""Set what a search found for a terminal or a pipe."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from variorum_kb.cli.pages.diff import bold, paragraph
from variorum_kb.cli.pages.provisions import WIDEST, wrap
from variorum_kb.cli.pages.steps import REMOVED
from variorum_kb.rows import headword_of, named
from variorum_kb.system.terminal import MATCH, NO_MATCH

if TYPE_CHECKING:
    from variorum_kb.forms.search import ExpandedJson, HitJson, SearchJson

_MARK = "**"
_MOST_RUNS = 3
_FIRST = "1999-12-31"


def set_hits(
    found: "SearchJson", line: str, labels: Sequence[str], *, width: int, is_coloured: bool
) -> str:
    """Set the answer of `cr search`.

    Args:
        found: In the form of `cr search --json`.
        line: Names the edition, or what else was searched.
        labels: Of all editions, the oldest first.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
        is_coloured: Numbers and matches stand out.
    """
    lines: list[str] = []
    for note in notes(found):
        lines += wrap(note, min(width, WIDEST)) if width else [note]
    if lines:
        lines.append("")
    for hit in found["hits"]:
        lines += _hit(hit, labels, width, colour=is_coloured)
    shown = len(found["hits"])
    more = f"{shown:,} of {found['total']:,}" if shown < found["total"] else f"{shown:,}"
    lines.append(f"  {more} found in {line}")
    if any(not hit["stood"] and hit["edition"] not in line for hit in found["hits"]):
        lines.append("  rules that it does not have are shown as last printed")
    return "\n".join(lines) + "\n"


def notes(found: "SearchJson") -> Iterator[str]:
    """Yield what is to be said besides: other words that were searched for, and missing ones."""
    for one in found["expanded"]:
        yield _expansion(one)
    if found["missing"]:
        words = ", ".join([f'"{word}"' for word in found["missing"]])
        yield f"no rule has {words}"
    if found["suggestions"]:
        yield f"did you mean: {', '.join(found['suggestions'])}"


def _expansion(one: "ExpandedJson") -> str:
    said, asked = f'also searched for "{one["to"]}"', f'"{one["from"]}"'
    if one["kind"] == "era" and one["until"]:
        return f"{said} (the rules' wording of {asked} until {one['until']})"
    # How long before the first edition its wording is in use is not known.
    if one["kind"] == "era" and one["since"] and one["since"] > _FIRST:
        return f"{said} (the rules' wording of {asked} since {one['since']})"
    return f"{said} (for {asked})"


def _hit(hit: "HitJson", labels: Sequence[str], width: int, *, colour: bool) -> Iterator[str]:
    own = _name(hit)
    name = hit["last"] if hit["stood"] else own
    opening, where = _title(hit, name)
    first, *rest = _wrapped(f"{opening}  {where}".rstrip(), width)
    if first.startswith(opening):
        first = bold(opening, is_coloured=colour) + first[len(opening) :]
    yield first
    yield from rest
    if hit["stood"]:
        yield f"    in these words {when_printed(name, hit['now'], hit['stood'], labels)}"
    elif hit["now"] != own:
        yield f"    {hit['edition']}, {_outcome(own, hit['now']) or removed_on(hit['edition'], labels)}"
    words = hit["snippet"] if colour else hit["snippet"].replace(_MARK, "")
    if words.replace(_MARK, "") != hit["heading"]:
        lines = paragraph(words, 4, width, is_coloured=False)
        yield from _coloured(lines) if colour else lines
    yield ""


def _title(hit: "HitJson", name: str) -> tuple[str, str]:
    """Return the name and heading of a hit, and where it stands, or stood under another name."""
    path = " › ".join(hit["path"])
    heading = f"  {hit['heading']}" if hit["number"] and hit["heading"] else ""
    own = f"{hit['number'] or hit['heading']}{heading}"
    if name == _name(hit):
        return own, path if hit["number"] else "Glossary"
    former = f"{own}  {path}".rstrip() if hit["number"] else f"“{own}” in the Glossary"
    headword = headword_of(name)
    if headword and not hit["number"]:
        return headword, f"Glossary, was “{own}”"
    return headword or name, f"{'Glossary, ' if headword else ''}was {former}"


def _wrapped(line: str, width: int) -> list[str]:
    """Break a line at the width of the terminal, what follows set in."""
    if not width:
        return [line]
    first, *rest = wrap(line, min(width, WIDEST), 4)
    return [first, *(f"    {one}" for one in rest)]


def _name(hit: "HitJson") -> str:
    return named(hit["number"], hit["heading"])


def when_printed(name: str, now: str | None, stood: list[list[str]], labels: Sequence[str]) -> str:
    """Return which editions print words, and what became of the words.

    Args:
        name: What the provision with these words was called.
        now: What it is called today; None if it was removed.
        stood: The runs of editions that print them, first and last each.
        labels: Of all editions, the oldest first.
    """
    latest = labels[-1]
    said = [
        first if first == last else f"{first} to {'today' if last == latest else last}"
        for first, last in stood[-_MOST_RUNS:]
    ]
    before = "… " if len(stood) > _MOST_RUNS else ""
    ended = removed_on(stood[-1][1], labels)
    became = "" if now is None or (now == name and not ended) else f"; {_outcome(name, now)}"
    return f"{before}{', '.join(said)}{f', {ended}' if ended else ''}{became}"


def removed_on(last: str, labels: Sequence[str]) -> str:
    """Return since when what an edition was the last to print is removed; "" of the latest edition.

    >>> removed_on("2009-05-01", ["2009-05-01", "2009-07-11"])
    'removed on 2009-07-11'
    """
    after = labels[labels.index(last) + 1 :]
    return f"{REMOVED} on {after[0]}" if after else ""


def _outcome(name: str, now: str | None) -> str:
    """Return what a provision is today, as `when_printed` takes it; "" if it was removed."""
    if now is None:
        return ""
    return "reworded since" if now == name else f"now {now}"


def _coloured(lines: list[str]) -> Iterator[str]:
    """Yield lines with their marks turned into colours; a mark may end on a later line."""
    is_marked = False
    for line in lines:
        words = line.lstrip()
        shown = line[: len(line) - len(words)]
        for place, part in enumerate(words.split(_MARK)):
            is_marked ^= place > 0
            shown += f"{MATCH}{part}{NO_MATCH}" if is_marked and part else part
        yield shown
