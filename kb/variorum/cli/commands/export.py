"""`cr export`: a whole edition, or the table of all numbers."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum.answers.export import export_edition
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cli.arguments import NamedPath
from variorum.cli.completions import complete_edition
from variorum.cli.options import kb_option, lines_option, open_asked
from variorum.cli.printing import are_lines_wanted
from variorum.files import write_file
from variorum.records.answer import json_text

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry

_OF_EDITION, _OF_TABLE = ("text", "json"), ("json", "csv")


@click.command()
@click.argument("words", metavar="[EDITION]", nargs=-1, shell_complete=complete_edition)
@click.option(
    "--crosswalk",
    is_flag=True,
    help="Instead of an edition, print a table of every number ever used: which rules had it, when, and their numbers in EDITION.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv"]),
    help="text (the default) or json. With --crosswalk: json (the default) or csv.",
)
@click.option("-o", "--output", type=NamedPath(), metavar="FILE", help="Write to FILE.")
@lines_option
@kb_option
def export(
    words: tuple[str, ...],
    *,
    crosswalk: bool,
    form: str | None,
    output: Path | None,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Print a whole EDITION (by default the current one) as text or JSON.

    \b
    cr export 2007-10-01
    cr export M10 --json
    cr export --jsonl                    each rule on a line, for scripts
    cr export --crosswalk --format csv
    cr export --crosswalk -o crosswalk.json
    """  # noqa: D301 - click reads \b
    chosen = _form(form, as_json=as_json, is_table=crosswalk)
    asked = " ".join(words)
    with open_asked(kb) as base:
        made = _table(base, asked, chosen) if crosswalk else _edition(base, asked, chosen)
        if output is not None:
            write_file(output, "".join(made).encode())
            return
        for part in made:
            click.echo(part, nl=False)


def _form(form: str | None, *, as_json: bool, is_table: bool) -> str:
    """Return the format asked for, or refuse it."""
    if as_json and form not in {None, "json"}:
        raise click.UsageError(
            f"--json and --format {form} cannot be used together; give one of them"
        )
    known = _OF_TABLE if is_table else _OF_EDITION
    chosen = "json" if as_json else form or known[0]
    if chosen not in known:
        exported = "the crosswalk" if is_table else "an edition"
        raise click.UsageError(f"--format {chosen}: for {exported}, choose {', '.join(known)}")
    return chosen


def _table(base: KnowledgeBase, asked: str, form: str) -> Iterator[str]:
    from variorum.answers.crosswalk import bearers_of, csv_of, number_table

    table = number_table(base, asked or "current")
    if form == "csv":
        yield csv_of(table)
    elif are_lines_wanted():
        yield from map(_json, bearers_of(table))
    else:
        yield _json(table)


def _json(value: object, indent: int | None = None) -> str:
    return json_text(value, indent, is_compact=indent is None) + "\n"


def _edition(base: KnowledgeBase, asked: str, form: str) -> Iterator[str]:
    edition = base.edition(asked or "current")
    if form == "json":
        exported = export_edition(base, edition)
        if not are_lines_wanted():
            yield _json(exported, indent=1)
            return
        for item in (*exported.provisions, *exported.glossary):
            yield f"{json_text(item)}\n"
        return
    yield from (f"{line}\n" for line in _text(base, edition))


def _text(base: KnowledgeBase, edition: "EditionEntry") -> Iterator[str]:
    """Yield an edition: each paragraph on a line, a blank line between provisions."""
    exported = export_edition(base, edition)
    yield f"Comprehensive Rules effective {edition.label}"
    for paragraph in exported.introduction:
        yield f"\n{paragraph}"
    in_glossary = False
    for provision in base.provisions(edition):
        if provision.kind == "glossary" and not in_glossary:
            in_glossary = True
            yield "\nGlossary"
        yield ""
        paragraphs = [f"{marker} {text}".strip() for marker, text in provision.paragraphs]
        if provision.heading or not paragraphs:
            yield (
                f"{provision.address} {provision.heading}".strip()
                if provision.number
                else provision.heading
            )
        else:
            yield f"{provision.address} {paragraphs.pop(0)}"
        yield from paragraphs
    for title, paragraphs in (("Index", exported.index), ("Credits", exported.credits)):
        if paragraphs:
            yield f"\n{title}\n"
            yield from paragraphs
