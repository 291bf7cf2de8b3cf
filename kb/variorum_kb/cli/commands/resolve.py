"""`cr resolve`: the provision that a quotation comes from."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.cli.failures import NoAnswerError
from variorum_kb.cli.options import (
    edition_option,
    kb_option,
    lines_option,
    number_option,
    open_asked,
)
from variorum_kb.cli.pages.diff import paragraph
from variorum_kb.cli.pages.search import when_printed
from variorum_kb.cli.printing import print_json, print_note, print_page
from variorum_kb.exit_codes import NOT_FOUND
from variorum_kb.rows import named
from variorum_kb.search.answer import Search
from variorum_kb.search.queries.query import QueryError
from variorum_kb.search.resolve import AMBIGUOUS, UNKNOWN
from variorum_kb.system.terminal import bold, page_width
from variorum_kb.text.counts import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from variorum_kb.forms.search import ResolveJson, SourceJson


@click.command()
@click.argument("quotation", nargs=-1, required=True)
@click.option("--number", metavar="NUMBER", default="", help="The number given with the quotation.")
@edition_option(
    "--on",
    words="The edition that the quotation is from: a day, a month, a year, a set, first, latest.",
)
@lines_option
@kb_option
def resolve(
    quotation: tuple[str, ...], *, number: str, on: str | None, as_json: bool, kb: Path | None
) -> None:
    """Find the rule that a quotation comes from, and its number today.

    The quotation may be incomplete or inexact. If several rules print the words, all are listed;
    a rule that prints them today comes first. If several print them today, the exit code is 1; choose
    one with --number or --on.

    \b
    cr resolve "if a player controls two or more legendary permanents"
    cr resolve "the player leaves the game" --number 600.4a --on 2007-10-01
    """  # noqa: D301 - click reads \b
    with open_asked(kb) as base:
        search = Search(base, print_note)
        try:
            answer = search.resolve(" ".join(quotation), number_option("--number", number), on)
            labels = base.labels
            label = base.edition(on).label if on else ""
        except QueryError as error:
            raise click.UsageError(str(error)) from None
        finally:
            search.close()
    if as_json and answer["status"] in {UNKNOWN, AMBIGUOUS}:
        raise _failure(answer)
    if as_json:
        print_json(answer, answer["sources"])
    elif answer["sources"]:
        print_page("\n".join(_page(answer, labels, number, label)) + "\n")
    if answer["status"] == UNKNOWN:
        print_note(_UNKNOWN)
    if answer["status"] in {UNKNOWN, AMBIGUOUS}:
        raise click.exceptions.Exit(NOT_FOUND)


def _failure(answer: "ResolveJson") -> NoAnswerError:
    """Return the error for a quotation that no provision prints, or several."""
    if answer["status"] == UNKNOWN:
        return NoAnswerError(_UNKNOWN, answer)
    near = [named(source["number"], source["heading"]) for source in answer["sources"]]
    message = f"{answer['total']:,} provisions print these words, or words like them"
    return NoAnswerError(message, answer, near=near, kind="ambiguous")


_UNKNOWN = "no rule prints most of these words in this order"


def _page(
    answer: "ResolveJson", labels: "Sequence[str]", number: str, label: str
) -> "Iterator[str]":
    width = page_width()
    for source in answer["sources"]:
        yield from _source(source, labels, width)
        yield ""
    if answer["status"] == AMBIGUOUS:
        shown, total = len(answer["sources"]), answer["total"]
        some = f"; {shown} of them are shown" if shown < total else ""
        alike = " or similar words" if answer["sources"][0]["likeness"] < 1 else ""
        yield f"  ambiguous: {total:,} provisions print these words{alike}{some}"
    if answer["number_fits"] is False:
        yield f"  {number or 'the number before them'} does not have these words"
    if answer["edition_fits"] is False:
        yield f"  the edition of {label} does not print these words"


def _source(source: "SourceJson", labels: "Sequence[str]", width: int) -> "Iterator[str]":
    name = named(source["number"], source["heading"])
    heading = f" {source['heading']}" if source["number"] and source["heading"] else ""
    stood = source["stood"]
    then = when_printed(name, source["now"], stood, labels)
    alike = "" if source["likeness"] == 1 else f"; {percent(source['likeness'])} alike"
    yield f"{bold(name + heading)}  {then}{alike}"
    yield from paragraph(source["snippet"], 4, width)
