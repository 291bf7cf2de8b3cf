"""`cr blame`: for every word the edition in which it came in."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.cli.commands.show import complete_question
from variorum_kb.cli.options import bearer_option, json_option, kb_option, open_base, print_json
from variorum_kb.cli.pager import print_page
from variorum_kb.cli.pages.diff import bold, paragraph
from variorum_kb.rows import named
from variorum_kb.system.terminal import is_coloured, page_width

if TYPE_CHECKING:
    from variorum_kb.forms.lineage import BlameJson, WordJson

_DATE = 14


@click.command()
@click.argument("question", nargs=-1, required=True, shell_complete=complete_question)
@bearer_option
@json_option
@kb_option
def blame(question: tuple[str, ...], *, on: str | None, as_json: bool, kb: Path | None) -> None:
    """Show since when each word of a rule stands in its place, through all renumberings.

    \b
    cr blame 800.4a
    """  # noqa: D301 - click reads \b
    with open_base(kb) as base:
        found = base.subject(" ".join(question), on).blame()
    if as_json:
        print_json(found)
        return
    lines = _lines(found, page_width(), colour=is_coloured())
    print_page("\n".join(lines) + "\n")


def _lines(found: "BlameJson", width: int, *, colour: bool) -> Iterator[str]:
    name = named(found["number"], found["term"])
    yield f"{bold(name, is_coloured=colour)}  in the edition of {found['edition']}"
    for words in (found["heading"], found["words"]):
        if words is found["words"] or words != found["words"]:
            yield from _runs(words, width)


def _runs(words: "list[WordJson]", width: int) -> Iterator[str]:
    runs: list[tuple[str, str]] = []
    for since, group in groupby(words, key=lambda word: word["since"]):
        text = "".join([word["text"] for word in group])
        # Signs alone are read with the words before them.
        if runs and (runs[-1][0] == since or not any(sign.isalnum() for sign in text)):
            runs[-1] = runs[-1][0], runs[-1][1] + text
        else:
            runs.append((since, text))
    for since, run in runs:
        text = run.strip()
        first, *rest = paragraph(text, _DATE, width, is_coloured=False)
        yield f"  {since:<{_DATE - 2}}{first[_DATE:]}"
        yield from rest
