"""`cr witnesses`: who attests the rules besides the editions, and where they disagree."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import first_sources
from variorum_kb.cli.commands.show import complete_question
from variorum_kb.cli.json_output import print_json
from variorum_kb.cli.options import bearer_option, limited, list_options, open_asked
from variorum_kb.cli.pager import print_page
from variorum_kb.cli.pages.witnesses import (
    editions_of,
    list_attestations,
    list_witnesses,
    witness_name,
)
from variorum_kb.errors import ArchiveError, NotFoundError
from variorum_kb.system.terminal import is_coloured, page_width

if TYPE_CHECKING:
    from variorum_kb.forms.witness import AttestationJson, WitnessJson

_VERDICTS = (
    "agrees",
    "differs",
    "confirmed",
    "contradicted",
    "unknown",
    "ruling",
    "commentary",
)


@click.command()
@click.argument("question", nargs=-1, shell_complete=complete_question)
@bearer_option
@click.option(
    "--of",
    "of",
    metavar="WITNESS",
    help="Everything this witness attests: its hash, file or title.",
)
@click.option(
    "--verdict",
    "verdicts",
    multiple=True,
    type=click.Choice(_VERDICTS),
    metavar="VERDICT",
    help=f"Only passages with this verdict: {', '.join(_VERDICTS)}. May be repeated.",
)
@list_options
def witnesses(
    question: tuple[str, ...],
    *,
    on: str | None,
    of: str | None,
    verdicts: tuple[str, ...],
    limit: int | None,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Show other documents that attest a rule, and where they disagree with the editions.

    Without a number, list all witnesses of the knowledge base: originals in Word, RTF and PDF,
    excerpts, rulings pages, wiki pages, fragments, bulletins and articles.

    \b
    cr witnesses                               list all witnesses
    cr witnesses 600.4a --on 2007-02-01        those of a rule
    cr witnesses --of rulings.txt              everything one witness attests
    cr witnesses --verdict contradicted        what the editions contradict
    """  # noqa: D301 - click reads \b
    asked = " ".join(question)
    if asked and of:
        raise click.UsageError("name a rule or a witness")
    with open_asked(kb) as base:
        names = _names(base)
        if not (asked or of or verdicts):
            _show_all(base, names, limit, as_json=as_json)
            return
        found = base.subject(asked, on).attestations() if asked else _of_witnesses(base, of, names)
        shown: Sequence[AttestationJson] = [
            one for one in found if not verdicts or _is_of(one, verdicts)
        ]
        if not shown and (verdicts or not asked):
            raise NotFoundError(_nothing(asked, of, verdicts))
        shown = limited(shown, limit)
        if as_json:
            print_json(shown)
            return
        colour = is_coloured()
        lines = (
            []
            if verdicts or not asked
            else list(editions_of(base.subject(asked, on).history(is_alone=True)))
        )
        lines += list_attestations(
            shown, names, page_width(), colour=colour, with_witness=of is None
        )
        if not shown:
            lines.append(
                "  no other document attests it; cr build adds rulings, articles or originals"
            )
        print_page("\n".join([*lines, ""]))


def _names(base: KnowledgeBase) -> dict[str, str]:
    """Return the files' names by hash, as far as the archive knows them."""
    try:
        return first_sources(base.folder)
    except ArchiveError:
        return {}


def _show_all(
    base: KnowledgeBase, names: dict[str, str], limit: int | None, *, as_json: bool
) -> None:
    found = limited(base.witnesses.all(), limit)
    if as_json:
        print_json(found)
    elif found:
        print_page("\n".join([*list_witnesses(found, names, colour=is_coloured()), ""]))
    else:
        click.echo("No other witnesses yet. Add rulings, articles or originals with cr build.")


def _of_witnesses(
    base: KnowledgeBase, of: str | None, names: dict[str, str]
) -> "list[AttestationJson]":
    everyone = base.witnesses.all()
    if of is None:
        chosen = everyone
    else:
        chosen = [one for one in everyone if _is_meant(one, of, names)]
        if not chosen:
            raise NotFoundError(f"{of}: no such witness; cr witnesses lists all")
    return [passage for one in chosen for passage in base.witnesses.passages_of(one["sha256"])]


def _is_meant(one: "WitnessJson", word: str, names: dict[str, str]) -> bool:
    """Say whether a witness is called so, or so begins its hash."""
    called = {one["title"], names.get(one["sha256"], ""), witness_name(one, names)}
    folded = word.casefold()
    is_hash = len(word) >= 4 and one["sha256"].startswith(folded)  # noqa: PLR2004 - as git does
    return is_hash or folded in {name.casefold() for name in called if name}


def _is_of(one: "AttestationJson", verdicts: Sequence[str]) -> bool:
    return one["verdict"].partition(" (")[0] in verdicts


def _nothing(asked: str, of: str | None, verdicts: Sequence[str]) -> str:
    whom = asked or of or "no witness"
    what = f" that is {' or '.join(verdicts)}" if verdicts else ""
    return f"{whom}: no other witness has a passage{what}"
