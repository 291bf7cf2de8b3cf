"""`cr refs`: what a provision cites, what cites it, and citations that lead nowhere."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.answers.refs import misfits_in, refs_of
from variorum_kb.cli.commands.show import complete_question, tell_moves
from variorum_kb.cli.json_output import print_json
from variorum_kb.cli.options import limited, list_options, on_option, open_asked
from variorum_kb.cli.pager import print_page
from variorum_kb.cli.pages.provisions import edition_line
from variorum_kb.cli.pages.refs import set_refs
from variorum_kb.system.terminal import is_coloured, page_width

if TYPE_CHECKING:
    from variorum_kb.forms.provision import RefLineJson, RefsJson


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
        _print_dangling(asked or on or "current", kb, limit, as_json=as_json)
        return
    if not asked:
        raise click.UsageError("name a rule, or give --dangling")
    with open_asked(kb) as base:
        matches = base.show(asked, on)
        found = _limited(refs_of(matches), limit)
        edition = matches[0].edition
        if any(match.edition != edition for match in matches):
            raise click.UsageError("ask for one edition at a time")
    if as_json:
        print_json(found, _lines(found))
        return
    tell_moves(matches)
    line = edition_line(edition)
    print_page(set_refs(found, line, width=page_width(), is_coloured=is_coloured()))


def _limited(found: "RefsJson", limit: int | None) -> "RefsJson":
    """Return at most so many citations: of what is cited, then of what cites."""
    count = len(limited(_lines(found), limit))
    cites = found["cites"][:count]
    return {**found, "cites": cites, "cited_by": found["cited_by"][: count - len(cites)]}


def _lines(found: "RefsJson") -> "list[RefLineJson]":
    """Return the items of the answer: what is cited, then what cites."""
    lines: list[RefLineJson] = [{"way": "cites", "cites": one} for one in found["cites"]]
    for one in found["cited_by"]:
        lines.append({"way": "cited by", "cited_by": one})  # noqa: PERF401 - typed as it is made
    return lines


def _print_dangling(designator: str, kb: Path | None, limit: int | None, *, as_json: bool) -> None:
    with open_asked(kb) as base:
        edition = base.edition(designator)
        found = list(misfits_in(base.provisions(edition)))
    shown = list(limited(found, limit))
    if as_json:
        print_json(shown)
        return
    for one in shown:
        what = "dangling" if one["status"] == "dangling" else "has another title"
        title = f" “{one['title']}”" if one["title"] else ""
        click.echo(f"{one['address']}  cites {one['text']}{title}: {what}")
    lost = sum(one["status"] == "dangling" for one in found)
    click.echo(
        f"{edition.label}: {lost} dangling, {len(found) - lost} with another title", err=True
    )
