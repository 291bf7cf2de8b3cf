"""Set what a search found for a terminal or a pipe."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from variorum_kb.cli.diff_page import bold, paragraph

if TYPE_CHECKING:
    from variorum_kb.search.forms import ExpandedJson, HitJson, SearchJson

_MARK = "**"
_LINE, _NO_LINE = "\x1b[1;4m", "\x1b[22;24m"
_MOST_RUNS = 3


def set_hits(found: "SearchJson", line: str, latest: str, *, width: int, is_coloured: bool) -> str:
    """Set the answer of `cr search`.

    Args:
        found: In the form of `cr search --json`.
        line: Names the edition, or what else was searched.
        latest: The label of the latest edition.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
        is_coloured: Numbers and matches stand out by colour, else matches stand between marks.
    """
    lines: list[str] = []
    for hit in found["hits"]:
        lines += _hit(hit, latest, width, colour=is_coloured)
    lines += [f"  {one}" for one in notes(found)]
    shown = len(found["hits"])
    more = f"{shown} of {found['total']}" if shown < found["total"] else str(shown)
    lines.append(f"  {more} found in {line}")
    return "\n".join(lines) + "\n"


def notes(found: "SearchJson") -> Iterator[str]:
    """Yield what is to be said besides: other words that were searched for, and missing ones."""
    for one in found["expanded"]:
        yield _expansion(one)
    if found["missing"]:
        words = ", ".join([f'"{word}"' for word in found["missing"]])
        yield f"nothing has {words}"
    if found["suggestions"]:
        yield f"did you mean: {', '.join(found['suggestions'])}"


def _expansion(one: "ExpandedJson") -> str:
    said = f'"{one["from"]}" was found as "{one["to"]}"'
    if one["kind"] != "era":
        return said
    if one["until"]:
        return f"{said}, which the rules said until {one['until']}"
    return f"{said}, which the rules say since {one['since']}" if one["since"] else said


def _hit(hit: "HitJson", latest: str, width: int, *, colour: bool) -> Iterator[str]:
    name = hit["number"] or hit["heading"]
    heading = f"  {hit['heading']}" if hit["number"] and hit["heading"] else ""
    where = " › ".join(hit["path"]) if hit["number"] else "Glossary"
    first = f"{bold(name + heading, is_coloured=colour)}  {where}"
    yield first
    own = _name(hit)
    if hit["stood"]:
        yield f"    stood {runs_of(hit['stood'])}; {fate(own, hit['now'], hit['stood'], latest)}"
    elif hit["now"] != own:
        yield f"    {hit['edition']}, {fate(own, hit['now'], [], latest)}"
    words = hit["snippet"]
    if words.replace(_MARK, "") != hit["heading"]:
        lines = paragraph(words, 4, width, is_coloured=False)
        yield from _coloured(lines) if colour else lines
    yield ""


def _name(hit: "HitJson") -> str:
    return hit["number"] or f"glossary: {hit['heading']}"


def runs_of(runs: list[list[str]]) -> str:
    """Return runs of editions, first and last each, the last few of them in words."""
    said = [first if first == last else f"{first} to {last}" for first, last in runs[-_MOST_RUNS:]]
    before = "… " if len(runs) > _MOST_RUNS else ""
    return f"{before}{', '.join(said)}"


def fate(name: str, now: str | None, stood: list[list[str]], latest: str) -> str:
    """Say what became of words that a provision had.

    Args:
        name: What it was called.
        now: What it is called today; None if it is gone.
        stood: The runs of editions that print the words.
        latest: The label of the latest edition.
    """
    if now is None:
        return "gone"
    if stood and stood[-1][1] == latest:
        return "still there"
    return "reworded since" if now == name else f"now {now}"


def _coloured(lines: list[str]) -> Iterator[str]:
    """Yield lines with their marks turned into colours; a mark may end on a later line."""
    is_marked = False
    for line in lines:
        words = line.lstrip()
        shown = line[: len(line) - len(words)]
        for place, part in enumerate(words.split(_MARK)):
            is_marked ^= place > 0
            shown += f"{_LINE}{part}{_NO_LINE}" if is_marked and part else part
        yield shown
