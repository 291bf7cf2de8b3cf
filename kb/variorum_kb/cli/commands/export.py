"""`cr export`: a whole edition."""

from collections.abc import Iterator
from pathlib import Path

import click

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.export import export_edition
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.options import (
    complete_edition,
    kb_option,
    lines_option,
    open_asked,
    print_json,
)


@click.command()
@click.argument("edition", metavar="[EDITION]", nargs=-1, shell_complete=complete_edition)
@lines_option
@kb_option
def export(edition: tuple[str, ...], *, as_json: bool, kb: Path | None) -> None:
    """Print a whole EDITION (by default the current one) as text, or with --json as JSON.

    \b
    cr export 2007-10-01
    cr export M10 --json
    """  # noqa: D301 - click reads \b
    with open_asked(kb) as base:
        found = base.edition(" ".join(edition) or "current")
        if as_json:
            whole = export_edition(base, found)
            print_json(whole, [*whole["provisions"], *whole["glossary"]])
            return
        for line in _text(base, found):
            click.echo(line)


def _text(base: KnowledgeBase, edition: EditionEntry) -> Iterator[str]:
    """Yield an edition, a paragraph a line, a blank line between provisions."""
    whole = export_edition(base, edition)
    yield f"Comprehensive Rules effective {edition.label}"
    for paragraph in whole["introduction"]:
        yield f"\n{paragraph}"
    in_glossary = False
    for one in base.provisions(edition):
        if one.kind == "glossary" and not in_glossary:
            in_glossary = True
            yield "\nGlossary"
        yield ""
        paragraphs = [f"{marker} {text}".strip() for marker, text in one.paragraphs]
        if one.heading or not paragraphs:
            yield f"{one.address} {one.heading}".strip() if one.number else one.heading
        else:
            yield f"{one.address} {paragraphs.pop(0)}"
        yield from paragraphs
    for title, paragraphs in (("Index", whole["index"]), ("Credits", whole["credits"])):
        if paragraphs:
            yield f"\n{title}\n"
            yield from paragraphs
