"""`cr witnesses`: other documents that attest rules, and where they disagree with the editions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.all_size_limits import LARGEST_WITNESS
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.completions import complete_question
from variorum_kb.cli.options import bearer_option, limited, list_options, open_asked
from variorum_kb.cli.pages.witnesses import (
    editions_of,
    list_attestations,
    list_witnesses,
    witness_name,
)
from variorum_kb.cli.printing import print_json, print_page
from variorum_kb.cli.witness_files import file_names
from variorum_kb.errors import NotFoundError
from variorum_kb.model import sha256_of
from variorum_kb.system.input_files import read_file
from variorum_kb.system.terminal import page_width

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
    help="Everything one witness attests. Name it by hash, file, title or path.",
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
        raise click.UsageError("name a rule or give --of, not both")
    with open_asked(kb) as base:
        names = file_names(base)
        if not (asked or of or verdicts):
            _show_all(base, names, limit, as_json=as_json)
            return
        attestations = (
            base.subject(asked, on).attestations() if asked else _of_witnesses(base, of, names)
        )
        shown: Sequence[AttestationJson] = [
            attestation
            for attestation in attestations
            if not verdicts or _is_of(attestation, verdicts)
        ]
        if not shown and (verdicts or not asked):
            raise NotFoundError(_nothing(asked, of, verdicts))
        shown = limited(shown, limit)
        if as_json:
            print_json(shown)
            return
        lines = (
            []
            if verdicts or not asked
            else list(editions_of(base.subject(asked, on).history(is_alone=True)))
        )
        lines += list_attestations(shown, names, page_width(), with_witness=of is None)
        if not shown:
            lines.append(
                "  no other document attests it; add rulings, articles or originals with cr build"
            )
        print_page("\n".join([*lines, ""]))


def _show_all(
    base: KnowledgeBase, names: dict[str, str], limit: int | None, *, as_json: bool
) -> None:
    listed = limited(base.witnesses.all(), limit)
    if as_json:
        print_json(listed)
    elif listed:
        print_page("\n".join([*list_witnesses(listed, names), ""]))
    else:
        click.echo("No other witnesses yet. Add rulings, articles or originals with cr build.")


def _of_witnesses(
    base: KnowledgeBase, of: str | None, names: dict[str, str]
) -> "list[AttestationJson]":
    everyone = base.witnesses.all()
    if of is None:
        chosen = everyone
    else:
        sha256 = sha256_of(read_file(Path(of), LARGEST_WITNESS)) if Path(of).is_file() else ""
        chosen = [
            witness
            for witness in everyone
            if witness["sha256"] == sha256 or _is_meant(witness, of, names)
        ]
        if not chosen:
            raise NotFoundError(f"{of}: no such witness; cr witnesses lists all")
    return [
        passage for witness in chosen for passage in base.witnesses.passages_of(witness["sha256"])
    ]


def _is_meant(witness: "WitnessJson", word: str, names: dict[str, str]) -> bool:
    """Return whether a word is the name of a witness, or begins its hash."""
    called = {witness["title"], names.get(witness["sha256"], ""), witness_name(witness, names)}
    folded = word.casefold()
    is_hash = len(word) >= 4 and witness["sha256"].startswith(folded)  # noqa: PLR2004 - as git does
    return is_hash or folded in {name.casefold() for name in called if name}


def _is_of(attestation: "AttestationJson", verdicts: Sequence[str]) -> bool:
    return attestation["verdict"].partition(" (")[0] in verdicts


def _nothing(asked: str, of: str | None, verdicts: Sequence[str]) -> str:
    whom = asked or of or "no witness"
    condition = f" that is {' or '.join(verdicts)}" if verdicts else ""
    return f"{whom}: no other witness has a passage{condition}"
