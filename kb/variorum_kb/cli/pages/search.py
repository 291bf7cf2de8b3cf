"""Set what a search found for a terminal or a pipe."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from variorum_kb.cli.pages.diff import bold, paragraph
from variorum_kb.cli.pages.provisions import WIDEST, wrap
from variorum_kb.cli.pages.steps import REMOVED
from variorum_kb.rows import named
from variorum_kb.system.terminal import MATCH, NO_MATCH

if TYPE_CHECKING:
    from variorum_kb.forms.search import ExpandedJson, HitJson, SearchJson

_MARK = "**"
_MOST_RUNS = 3
_FIRST = "1999-12-31"


def set_hits(found: "SearchJson", line: str, latest: str, *, width: int, is_coloured: bool) -> str:
    """Set the answer of `cr search`.

    Args:
        found: In the form of `cr search --json`.
        line: Names the edition, or what else was searched.
        latest: The label of the latest edition.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
        is_coloured: Numbers and matches stand out.
    """
    lines: list[str] = []
    for note in notes(found):
        lines += wrap(note, min(width, WIDEST)) if width else [note]
    if lines:
        lines.append("")
    for hit in found["hits"]:
        lines += _hit(hit, latest, width, colour=is_coloured)
    shown = len(found["hits"])
    more = f"{shown} of {found['total']}" if shown < found["total"] else str(shown)
    lines.append(f"  {more} found in {line}")
    if any(not hit["stood"] and hit["edition"] not in line for hit in found["hits"]):
        lines.append("  what it does not have is shown as it last was")
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
    # What the first edition says has been said nobody knows how long.
    is_known = one["since"] and one["since"] > _FIRST
    return f"{said}, which the rules say since {one['since']}" if is_known else said


def _hit(hit: "HitJson", latest: str, width: int, *, colour: bool) -> Iterator[str]:
    name = hit["number"] or hit["heading"]
    heading = f"  {hit['heading']}" if hit["number"] and hit["heading"] else ""
    where = " › ".join(hit["path"]) if hit["number"] else "Glossary"
    opening = f"{name}{heading}"
    first, *rest = _wrapped(f"{opening}  {where}".rstrip(), width)
    if first.startswith(opening):
        first = bold(opening, is_coloured=colour) + first[len(opening) :]
    yield first
    yield from rest
    own = _name(hit)
    if hit["stood"]:
        stood = f"    these words stood {runs_of(hit['stood'])}; "
        yield stood + outcome(own, hit["now"], hit["stood"], latest)
    elif hit["now"] != own:
        yield f"    {hit['edition']}, {outcome(own, hit['now'], [], latest)}"
    words = hit["snippet"] if colour else hit["snippet"].replace(_MARK, "")
    if words.replace(_MARK, "") != hit["heading"]:
        lines = paragraph(words, 4, width, is_coloured=False)
        yield from _coloured(lines) if colour else lines
    yield ""


def _wrapped(line: str, width: int) -> list[str]:
    """Break a line at the width of the terminal, what follows set in."""
    if not width:
        return [line]
    first, *rest = wrap(line, min(width, WIDEST), 4)
    return [first, *(f"    {one}" for one in rest)]


def _name(hit: "HitJson") -> str:
    return named(hit["number"], hit["heading"])


def runs_of(runs: list[list[str]]) -> str:
    """Return runs of editions, first and last each, the last few of them in words."""
    said = [first if first == last else f"{first} to {last}" for first, last in runs[-_MOST_RUNS:]]
    before = "… " if len(runs) > _MOST_RUNS else ""
    return f"{before}{', '.join(said)}"


def outcome(name: str, now: str | None, stood: list[list[str]], latest: str) -> str:
    """Say what became of words that a provision had.

    Args:
        name: What it was called.
        now: What it is called today; None if it was removed.
        stood: The runs of editions that print the words.
        latest: The label of the latest edition.
    """
    if now is None:
        return REMOVED
    if now != name:
        return f"now {now}"
    return "still there" if stood and stood[-1][1] == latest else "reworded since"


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
