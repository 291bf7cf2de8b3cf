"""Lay out answers: wrapped paragraphs, word diffs, provisions; print them as pages or JSON."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

import click

from variorum.model import STEP_CERTAIN
from variorum.records.answer import json_text
from variorum.rows import SHOWN_CERTAIN, headword_of
from variorum.terminal import (
    GREEN,
    PLAIN,
    RED,
    bold,
    is_coloured,
    is_paged,
    page_width,
    pager,
    shown,
    unescaped,
)
from variorum.text import fold_title, without_middle

if TYPE_CHECKING:
    from variorum.answers.diff import Change
    from variorum.answers.editions import EditionEntry
    from variorum.history.word_diffs.diff import Piece
    from variorum.records.lineage import Step

# Longer lines are hard to read; a narrower terminal is filled.
WIDEST = 100
# The context key of --jsonl.
LINES_WANTED = "variorum.cli.lines_wanted"
REMOVED = "removed"
EXAMPLE = "Example: "
# How many unchanged words are shown on each side of a change.
CONTEXT = 8
# As in history/word_diffs/diff.py.
_MARKS = {"-": ("[-", "-]", RED), "+": ("{+", "+}", GREEN)}
# The words for classes of changes that leave a rule as it is.
CLASSES = {
    "sweep": "(wording changed throughout)",
    "citation-only": "(only cites new numbers)",
    "typographic": "(typographic)",
}


# Printing ----------------------------------------------------------------------------------------


def print_page(lines: Iterable[str]) -> None:
    """Print an answer, through the pager if it does not fit the terminal."""
    text = "".join(f"{line}\n" for line in lines)
    text = fitted(text if is_coloured() else shown(text), page_width())
    if not is_paged(text):
        click.echo(text, nl=False)
        return
    # As in git: less shows colours if told to; other pagers may not.
    os.environ.setdefault("LESS", "FRX")
    os.environ["PAGER"] = pager()
    with_colour = is_coloured() and "less" in pager()
    safe, sys.stdout = sys.stdout, unescaped(sys.stdout)
    try:
        click.echo_via_pager(shown(text, is_coloured=with_colour).rstrip("\n"), color=with_colour)
    finally:
        sys.stdout = safe


def are_lines_wanted() -> bool:
    """Return whether to print JSON lines."""
    return bool(click.get_current_context().meta.get(LINES_WANTED))


def print_json(value: object, items: Iterable[object] | None = None) -> None:
    """Print a value as JSON or, if lines are wanted, a line for each of its items."""
    if not are_lines_wanted():
        click.echo(json_text(value, indent=1))
        return
    listed = cast("list[object]", value) if items is None else items
    click.echo("".join([f"{json_text(item)}\n" for item in listed]), nl=False)


def print_note(text: object) -> None:
    """Print a note on stderr."""
    click.echo(f"cr: {text}", err=True)


# Paragraphs --------------------------------------------------------------------------------------


def para(text: str, margin: int = 0, hanging: int = 0) -> list[str]:
    """Break a text into lines that fit the terminal; a pipe gets a line for each paragraph.

    Args:
        text: May have line feeds.
        margin: Blank columns before each line.
        hanging: Further blank columns before each line of a paragraph after its first.
    """
    width, lines = page_width(), list[str]()
    for part in text.split("\n"):
        first, *rest = wrap(part, min(width, WIDEST) - margin, hanging) if width else [part]
        lines += [" " * margin + first, *(" " * (margin + hanging) + line for line in rest)]
    return lines


def entry(name: str, words: str = "", margin: int = 2, hanging: int = 4) -> list[str]:
    """Return the lines of a name in bold and words about it."""
    first, *rest = para(f"{name}  {words}".rstrip(), margin, hanging)
    return [first.replace(name, bold(name), 1), *rest]


def wrap(text: str, width: int, hanging: int = 0) -> list[str]:
    """Break a text into lines; those after the first are `hanging` columns narrower.

    A word longer than a line has a line of its own. Each code point counts as a column.

    >>> wrap("one two three four", 10)
    ['one two', 'three four']
    >>> wrap("one two three", 8, 4)
    ['one two', 'three']
    """
    room = max(width, 1)
    lines: list[str] = []
    line = ""
    # The two blanks after a number stay.
    for word in text.replace("  ", "\x00 ").split(" "):
        word = word.replace("\x00", " ")  # noqa: PLW2901
        if line and len(line) + 1 + len(word.rstrip()) > room:
            lines.append(line.rstrip())
            line = word
            room = max(width - hanging, 1)
        else:
            line = f"{line} {word}" if line else word
    lines.append(line.rstrip())
    return lines


def fitted(text: str, width: int) -> str:
    r"""Return a page whose lines fit a terminal, broken between words with a hanging indent.

    >>> print(fitted("  A line that is long\nA", 14))
      A line that
          is long
    A
    """
    lines: list[str] = []
    for line in text.split("\n"):
        if not width or len(shown(line)) <= width:
            lines.append(line)
            continue
        words = line.lstrip(" ")
        margin = " " * (len(line) - len(words))
        first, *rest = wrap(words, width - len(margin), 4)
        lines += [margin + first, *(f"{margin}    {row}" for row in rest)]
    return "\n".join(lines)


def edition_line(edition: "EditionEntry") -> str:
    """Return the line that names an edition, with the doubts about it."""
    of_set = f", {edition.set_name} ({edition.set_code})" if edition.set_code else ""
    doubts = f"; {', '.join(edition.doubts)}" if edition.doubts else ""
    return f"Comprehensive Rules effective {edition.label}{of_set}{doubts}"


# Word diffs --------------------------------------------------------------------------------------


def marked(pieces: "Iterable[Piece]", *, context: int | None = CONTEXT) -> str:
    """Return a word diff as text: [-removed-] and {+added+}.

    Args:
        pieces: The pieces of the diff.
        context: How many unchanged words to show around a change; None for all.
    """
    pieces, parts = list(pieces), list[str]()
    for place, (sign, text) in enumerate(pieces):
        if sign in _MARKS:
            opening, closing, _ = _MARKS[sign]
            bare = text.rstrip()
            parts.append(f"{opening}{bare}{closing}{text[len(bare) :]}")
        elif context is None:
            parts.append(text)
        else:
            is_first, is_last = place == 0, place == len(pieces) - 1
            parts.append(
                without_middle(text, 0 if is_first else context, 0 if is_last else context)
            )
    return "".join(parts).replace("+}[-", "+} [-").replace("-]{+", "-] {+")


def diffed(text: str, margin: int) -> Iterator[str]:
    """Yield the lines of a marked word diff, with colours between its marks."""
    is_open = ""
    for line in para(text, margin):
        shown_line = line[margin:]
        for opening, closing, colour in _MARKS.values():
            shown_line = shown_line.replace(opening, f"{colour}{opening}")
            shown_line = shown_line.replace(closing, f"{closing}{PLAIN}")
        # A mark continued from the previous line keeps its colour.
        yield line[:margin] + (is_open + shown_line + PLAIN if is_open else shown_line)
        for opening, closing, colour in _MARKS.values():
            opened, closed = line.rfind(opening), line.rfind(closing)
            if opened > closed:
                is_open = colour
                break
            if closed > opened and is_open == colour:
                is_open = ""


def with_examples(pieces: "Sequence[Piece]", before: int, after: int) -> "Sequence[Piece]":
    """Return a word diff with "Example:" before each example.

    Args:
        pieces: The pieces of the diff.
        before: How many paragraphs at the end of the older text are examples.
        after: How many at the end of the newer text are.
    """
    starts = {"-": _starts(pieces, "-", before), "+": _starts(pieces, "+", after)}
    at = {"-": 0, "+": 0}
    named: list[Piece] = []
    for sign, text in pieces:
        sides = "-+" if sign == "=" else sign
        if sign != "=" and text and all(at[side] in starts[side] for side in "-+"):
            named.append(("=", EXAMPLE))
            for side in "-+":
                starts[side].remove(at[side])
        cuts = {start - at[side] for side in sides for start in starts[side]}
        words = text
        for cut in sorted(cuts & set(range(len(text))), reverse=True):
            words = words[:cut] + EXAMPLE + words[cut:]
        named.append((sign, words))
        for side in sides:
            at[side] += len(text)
    return named


def _starts(pieces: "Sequence[Piece]", side: str, examples: int) -> set[int]:
    """Return where the last paragraphs of one text of a word diff begin."""
    paragraphs = "".join([text for sign, text in pieces if sign in {"=", side}]).split("\n")
    ends = [sum(len(words) + 1 for words in paragraphs[:place]) for place in range(len(paragraphs))]
    return set(ends[len(ends) - examples :])


def named_examples(text: str, count: int) -> str:
    """Return a text with "Example:" before each of its last paragraphs that are examples."""
    paragraphs = text.split("\n")
    others = len(paragraphs) - count
    return "\n".join([*paragraphs[:others], *(EXAMPLE + words for words in paragraphs[others:])])


# Words for steps ---------------------------------------------------------------------------------


def step_words(kinds: Iterable[str], old: str | None, new: str | None) -> list[str]:
    """Return the words for the kinds of a step.

    Args:
        kinds: Values of rows.STEP_KINDS.
        old: The number in the older edition, or "glossary: " and a headword; None if it is new.
        new: The number of the main heir, likewise; None if the provision was removed.

    >>> step_words(["renumbered", "reworded"], "600.4a", "800.4a"), step_words(["gone"], "511", None)
    (['renumbered', 'reworded'], ['removed'])
    >>> step_words(["renumbered"], "glossary: In-Play Zone", "glossary: Battlefield")
    ['renamed']
    >>> step_words(["renumbered"], "glossary: Bushido", "glossary: “Bushido”")
    ['(typographic)']
    """
    terms = headword_of(old or ""), headword_of(new or "")
    moved = "renumbered"
    if all(terms):
        moved = "(typographic)" if fold_title(terms[0]) == fold_title(terms[1]) else "renamed"
    elif any(terms):
        moved = "moved"
    words = {"gone": REMOVED, "renumbered": moved}
    return [words.get(kind, kind) for kind in kinds]


def doubt_of(step: "Change | Step") -> str:
    """Return "probably" for a step that is likely but not certain, "perhaps" below even chances, or ""."""
    if step.confidence >= SHOWN_CERTAIN:
        return ""
    return "probably" if step.confidence >= STEP_CERTAIN else "perhaps"


def with_doubt(words: str, step: "Change | Step") -> str:
    """Return words about a step with its doubt before them, unless they call it uncertain."""
    return words if "uncertain" in step.kinds else f"{doubt_of(step)} {words}".lstrip()


def shown_name(name: str) -> str:
    """Return a number, or a headword in quotation marks."""
    headword = headword_of(name)
    return f"“{headword}”" if headword else name


def listed_names(names: Sequence[str], joint: str = "and") -> str:
    """Return names as a sentence lists them."""
    shown_names = [shown_name(name) for name in names]
    if len(shown_names) < 2:  # noqa: PLR2004 - one needs no joint
        return "".join(shown_names)
    return f"{', '.join(shown_names[:-1])} {joint} {shown_names[-1]}"
