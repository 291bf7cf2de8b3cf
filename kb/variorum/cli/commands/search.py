"""`cr search`: provisions by words."""

import re
from pathlib import Path

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cli.failures import NoAnswerError
from variorum.cli.options import edition_option, kb_option, lines_option, number_option, open_asked
from variorum.cli.pages.provisions import edition_line
from variorum.cli.pages.search import notes, set_hits
from variorum.cli.printing import print_json, print_note, print_page
from variorum.errors import NOT_FOUND
from variorum.records.search import SearchResult
from variorum.search.query import QueryError
from variorum.search.search import DEFAULT_HITS, Search, SearchOptions
from variorum.terminal import is_coloured, page_width

_KINDS = ("chapter", "section", "rule", "subrule", "glossary")


class _QueryCommand(click.Command):
    """A command whose words may begin with a minus: -1/-1 is not an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        before = ["", *args]
        shielded = [
            f"{_MINUS}{argument[1:]}"
            if _VALUE(argument) and not last.startswith("--")
            else argument
            for last, argument in zip(before, args, strict=False)
        ]
        return super().parse_args(ctx, shielded)


# Replaces the minus of a value while click looks for options.
_MINUS = "\N{MINUS SIGN}"
_VALUE = re.compile(r"-[0-9].*|-[xXnN*]/.*").fullmatch


@click.command(cls=_QueryCommand)
@click.argument("query", nargs=-1, required=True)
@edition_option(
    "--on",
    words="Search this edition: a day, a month, a year, a set, first, latest. Default: the current one.",
)
@click.option("--ever", is_flag=True, help="Search the wording of every edition.")
@click.option(
    "--in", "within", metavar="NUMBER", default="", help="Only results below this number."
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(_KINDS),
    multiple=True,
    metavar="KIND",
    help=f"Only results of this kind: {', '.join(_KINDS)}. May be repeated.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    metavar="N",
    default=DEFAULT_HITS,
    show_default=True,
    help="Show at most this many results.",
)
@lines_option
@kb_option
def search(
    query: tuple[str, ...],
    *,
    on: str | None,
    ever: bool,
    within: str,
    kinds: tuple[str, ...],
    limit: int,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Search rules and glossary by words, numbers, symbols or phrases.

    Words match in any form. Old terms and players' slang also work: "in play" finds rules that
    say "battlefield" today. The best results come first. A query may have "phrases", brackets, AND,
    OR and NOT in capitals, beginnings of words (regen*), numbers (704.5k, 702.1*) and symbols ({T}).
    See docs/search.md.

    \b
    cr search deathtouch trample
    cr search can I respond to a mana ability
    cr search '"face down" AND reveal* NOT token'
    cr search mana burn --ever            the wording of every edition
    cr search leaves play --on 2007-10-01
    cr search counters --in 702 --kind subrule
    """  # noqa: D301 - click reads \b
    if on and ever:
        raise click.UsageError("--on and --ever cannot be used together")
    options = SearchOptions(
        " ".join(query).replace(_MINUS, "-"), on, ever, number_option("--in", within), kinds, limit
    )
    with open_asked(kb) as base:
        try:
            results, line, former = _search(base, options)
        except QueryError as error:
            raise click.UsageError(str(error)) from None
    if as_json and results.hits:
        print_json(results, results.hits)
    elif results.hits:
        page = set_hits(results, line, base.labels, width=page_width(), is_coloured=is_coloured())
        print_page(page)
    if not results.hits:
        is_current = not (on or ever)
        if as_json:
            raise NoAnswerError(_nothing(results, line), results, near=results.suggestions)
        _say_nothing(results, line, former, is_current=is_current)
        raise click.exceptions.Exit(NOT_FOUND)


def _search(base: KnowledgeBase, options: SearchOptions) -> tuple[SearchResult, str, int]:
    """Return results, the line that names the edition, and if it has none, their number in all editions."""
    search = Search(base, print_note)
    with search:
        results = former = search.search(options)
        if options.ever:
            line = f"the wording of all editions, {base.labels[0]} to {base.labels[-1]}"
        else:
            line = edition_line(base.edition(options.on or "current"))
            if not results.hits:
                former = search.search(SearchOptions(options.query, ever=True, kinds=options.kinds))
        return results, line, former.total


def _nothing(results: SearchResult, line: str) -> str:
    return f"{_shown(results.query)}: nothing found in {line}"


def _say_nothing(results: SearchResult, line: str, former: int, *, is_current: bool) -> None:
    print_note(_nothing(results, line))
    for note in notes(results):
        click.echo(f"  {_shown(note)}", err=True)
    if is_current and not results.missing:
        click.echo("  every word is found, but not together as asked", err=True)
    if former:
        click.echo(f"  {former} found in the wording of all editions: cr search --ever", err=True)


def _shown(text: str) -> str:
    """Return the beginning of a long text."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


_LONGEST = 200
