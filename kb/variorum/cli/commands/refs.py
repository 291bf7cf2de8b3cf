"""`cr refs`: what a provision cites, what cites it, and citations that lead nowhere."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import structs

from variorum.answers.refs import misfits_in, refs_of
from variorum.cli.commands.show import tell_moves
from variorum.cli.completions import complete_question
from variorum.cli.options import limited, list_options, on_option, open_asked
from variorum.cli.pages.provisions import edition_line
from variorum.cli.pages.refs import set_refs
from variorum.cli.printing import print_json, print_page
from variorum.records.provision import ReferenceLine
from variorum.terminal import page_width

if TYPE_CHECKING:
    from variorum.records.provision import References


@click.command()
@click.argument("question", nargs=-1, shell_complete=complete_question)
@on_option
@click.option(
    "--dangling",
    is_flag=True,
    help="List an edition's citations that lead nowhere or give another rule's title.",
)
@list_options
def refs(
    question: tuple[str, ...],
    *,
    on: str | None,
    dangling: bool,
    limit: int | None,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Show what a rule cites and what cites it, in one edition, quoting the sentences.

    \b
    cr refs 704.5k
    cr refs 217.7 --on 2007-10-01
    cr refs --dangling M10          citations of an edition that lead nowhere
    """  # noqa: D301 - click reads \b
    asked = " ".join(question)
    if dangling:
        if asked and on:
            raise click.UsageError("name one edition")
        _print_dangling(asked or on or "current", kb, limit, as_json=as_json)
        return
    if not asked:
        raise click.UsageError("name a rule, or give --dangling")
    with open_asked(kb) as base:
        matches = base.show(asked, on)
        answer = _limited(refs_of(matches), limit)
        edition = matches[0].edition
        if any(match.edition != edition for match in matches):
            raise click.UsageError("ask for one edition at a time")
    if as_json:
        print_json(answer, _lines(answer))
        return
    tell_moves(matches)
    line = edition_line(edition)
    print_page(set_refs(answer, line, width=page_width()))


def _limited(answer: "References", limit: int | None) -> "References":
    """Return an answer with only its first citations, in the order of `_lines`."""
    count = len(limited(_lines(answer), limit))
    cites = answer.cites[:count]
    return structs.replace(answer, cites=cites, cited_by=answer.cited_by[: count - len(cites)])


def _lines(answer: "References") -> "list[ReferenceLine]":
    """Return the citations in an answer: what the provision cites, then what cites it."""
    cites = [ReferenceLine("cites", cites=citation) for citation in answer.cites]
    cited_by = [ReferenceLine("cited by", cited_by=citation) for citation in answer.cited_by]
    return [*cites, *cited_by]


def _print_dangling(designator: str, kb: Path | None, limit: int | None, *, as_json: bool) -> None:
    with open_asked(kb) as base:
        edition = base.edition(designator)
        misfits = list(misfits_in(base.provisions(edition)))
    shown = list(limited(misfits, limit))
    if as_json:
        print_json(shown)
        return
    for misfit in shown:
        fault = "dangling" if misfit.status == "dangling" else "has another title"
        title = f" “{misfit.title}”" if misfit.title else ""
        click.echo(f"{misfit.address}  cites {misfit.text}{title}: {fault}")
    lost = sum(misfit.status == "dangling" for misfit in misfits)
    click.echo(
        f"{edition.label}: {lost} dangling, {len(misfits) - lost} with another title", err=True
    )
