"""`cr identify`: which editions a document can come from, and which rule quoted words do."""

from pathlib import Path

import click

from variorum.cli.failures import NoAnswerError
from variorum.cli.options import edition_option, kb_option, lines_option, number_option, open_asked
from variorum.cli.pages.identify import set_identified, set_sources
from variorum.cli.printing import print_json, print_page
from variorum.errors import NOT_FOUND
from variorum.files import LARGEST_WITNESS, read_file, read_standard_input
from variorum.rows import named
from variorum.search.query import QueryError
from variorum.terminal import page_width

_UNKNOWN = "no rule prints most of these words in this order"


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FILE|WORDS...")
@click.option("--number", metavar="NUMBER", default="", help="The number given with quoted words.")
@edition_option(
    "--on",
    words="The edition that quoted words are from: a day, a month, a year, a set, first, latest.",
)
@click.option(
    "--quoted", "is_quoted", is_flag=True, help="Quoted words, also a single one or a file's name."
)
@lines_option
@kb_option
def identify(
    words: tuple[str, ...],
    *,
    number: str,
    on: str | None,
    is_quoted: bool,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Find the editions that a document may come from, or the rule that quoted words come from.

    FILE may be an excerpt, a fragment without title or numbers, a page that quotes rules, or a whole
    edition. Days that it gives for its words are checked. Of a bulletin, the edition that it announces
    is found; of an article, the rules that it discusses.

    WORDS are what is no file and has a blank; they may be incomplete or inexact. If several rules print
    them, all are listed; a rule that prints them today comes first. If several print them today, the exit
    code is 1; choose one with --number or --on.

    \b
    cr identify excerpt.txt
    cr 704.5k --copy | cr identify -    from standard input
    cr identify "if a player controls two or more legendary permanents"
    cr identify "the player leaves the game" --number 600.4a --on 2007-10-01
    """  # noqa: D301 - click reads \b
    text = " ".join(words)
    if is_quoted or (" " in text.strip() and (len(words) > 1 or not Path(text).exists())):
        _identify_words(text, number_option("--number", number), on, kb, as_json=as_json)
    elif number or on:
        raise click.UsageError("--number and --on are for quoted words")
    elif text.strip():
        _identify_file(Path(text), kb, as_json=as_json)
    else:
        raise click.UsageError("a path cannot be empty")


def _identify_file(file: Path, kb: Path | None, *, as_json: bool) -> None:
    from variorum.build.identify import identify as ask

    with open_asked(kb) as base:
        answer = ask(base, _read(file), str(file))
    if not (answer.passages or answer.discusses or answer.from_):
        raise NoAnswerError(f"{file}: it quotes no rule and discusses none", answer)
    if as_json:
        print_json(answer, answer.passages)
    else:
        print_page(set_identified(answer, page_width()))


def _read(file: Path) -> bytes:
    is_piped = str(file) == "-"
    return read_standard_input(LARGEST_WITNESS) if is_piped else read_file(file, LARGEST_WITNESS)


def _identify_words(
    quotation: str, number: str, on: str | None, kb: Path | None, *, as_json: bool
) -> None:
    from variorum.search.quoted_words import AMBIGUOUS, RESOLVED, UNKNOWN, find_source

    with open_asked(kb) as base:
        labels = base.labels
        try:
            answer = find_source(base, quotation, number, on)
        except QueryError as error:
            raise click.UsageError(str(error)) from None
        label = base.edition(on).label if on else ""
    status = answer.status
    if status == UNKNOWN:
        raise NoAnswerError(_UNKNOWN, answer)
    if as_json and status == AMBIGUOUS:
        near = [named(source.number, source.heading) for source in answer.sources]
        message = f"{answer.total:,} provisions print these words, or words like them"
        raise NoAnswerError(message, answer, near=near, kind="ambiguous")
    if as_json:
        print_json(answer, answer.sources)
    else:
        print_page(set_sources(answer, labels, number, label, page_width()))
    if status != RESOLVED:
        raise click.exceptions.Exit(NOT_FOUND)
