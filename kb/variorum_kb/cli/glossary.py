"""`cr glossary`: headwords, or an entry."""

from pathlib import Path

import click

from variorum_kb.cli.options import (
    is_coloured,
    json_option,
    kb_option,
    on_option,
    open_base,
    page_width,
    print_json,
    print_page,
)
from variorum_kb.cli.page import edition_line, set_matches
from variorum_kb.errors import NotFoundError
from variorum_kb.rows import Row


@click.command()
@click.argument("term", nargs=-1)
@on_option
@json_option
@kb_option
def glossary(term: tuple[str, ...], *, on: str, as_json: bool, kb: Path | None) -> None:
    """List the headwords of the glossary, or show the entry for TERM.

    \b
    cr glossary
    cr glossary trample
    cr glossary mana burn --on 2008-05-01
    """  # noqa: D301 - click reads \b
    with open_base(kb) as base:
        edition = base.edition(on)
        if term:
            words = " ".join(term)
            found = [one for one in base.show(words, edition) if one.kind == "glossary"]
            if not found:
                raise NotFoundError(f"{words!r}: no headword in the edition of {edition.label}")
        else:
            found = [one for one in base.provisions(edition) if one.kind == "glossary"]
    if as_json:
        print_json([one.as_json([]) for one in found])
        return
    line = edition_line(edition.label, edition.set_name, edition.set_code)
    if not term:
        print_page("".join(f"{one.heading}\n" for one in found) + f"\n  {line}\n")
        return
    pages = [(one.state, list[tuple[int, Row]]()) for one in found]
    print_page(set_matches(pages, [], line, width=page_width(), is_coloured=is_coloured()))
