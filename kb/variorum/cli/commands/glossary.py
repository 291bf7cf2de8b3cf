"""`cr glossary`: headwords, or an entry with the rules it names and its own history."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import structs

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import asked_for, parse_questions
from variorum.answers.subject import Subject
from variorum.cli.options import limited, list_options, on_option, open_asked
from variorum.cli.pages.glossary import set_entry, set_former
from variorum.cli.pages.provisions import edition_line, set_matches
from variorum.cli.printing import print_json, print_page
from variorum.errors import NotFoundError
from variorum.rows import Row, headword_of
from variorum.terminal import is_coloured, page_width

if TYPE_CHECKING:
    from variorum.records.lineage import History


@click.command()
@click.argument("term", nargs=-1)
@on_option
@list_options
def glossary(
    term: tuple[str, ...], *, on: str | None, limit: int | None, as_json: bool, kb: Path | None
) -> None:
    """List the headwords of the glossary, or show the entry for TERM.

    An entry is shown with the rules it names and a short history. A term no longer in the glossary
    is shown as last printed.

    \b
    cr glossary
    cr glossary trample
    cr glossary removed from the game
    cr glossary mana burn --on 2008-05-01
    """  # noqa: D301 - click reads \b
    asked = parse_questions(" ".join(term))[0]
    words = asked_for(asked.question) if asked.edition else " ".join(term)
    on = on or asked.edition or "current"
    with open_asked(kb) as base:
        if not term:
            _print_headwords(base, base.edition(on), limit, as_json=as_json)
            return
        entries = _entries(base, words, on)
        if as_json:
            print_json([_json(entry) for entry in entries])
        else:
            former = entries[0].edition != base.edition(on)
            named = entries[0].edition.label if former or on != "current" else ""
            command = f"cr history {words} --on {named}" if named else f"cr history {words}"
            print_page(_page(base, entries, command, is_former=former))


def _print_headwords(
    base: KnowledgeBase, edition: EditionEntry, limit: int | None, *, as_json: bool
) -> None:
    entries = [provision for provision in base.provisions(edition) if provision.kind == "glossary"]
    shown = limited(entries, limit)
    if as_json:
        print_json([entry.record() for entry in shown])
        return
    line = edition_line(edition)
    print_page("".join(f"{entry.heading}\n" for entry in shown) + f"\n  {line}\n")


def _entries(base: KnowledgeBase, words: str, on: str) -> list[Subject]:
    """Return the entries for a term, from the current edition or else the last that has it.

    Raises:
        NotFoundError: No edition has the term, or the named edition lacks it.
    """
    edition = base.edition(on)
    missing = NotFoundError(f"{words!r}: no headword in the edition of {edition.label}")
    try:
        entries = [match for match in base.find(words, edition) if match.kind == "glossary"]
    except NotFoundError as error:
        entries, missing = [], error
    if entries:
        return entries
    last = base.glossary.last_with(words) if on == "current" else None
    if last is None:
        raise missing
    return [match for match in base.find(words, base.edition(last)) if match.kind == "glossary"]


def _json(match: Subject) -> object:
    return structs.replace(match.record(), rules=match.rules(), history=match.history())


def _page(base: KnowledgeBase, entries: Sequence[Subject], command: str, *, is_former: bool) -> str:
    edition = entries[0].edition
    width = page_width()
    pages: list[str] = []
    for entry in entries:
        history, rules = entry.history(), entry.rules()
        page = set_matches(
            [(entry.state, list[tuple[int, Row]]())],
            [],
            edition_line(edition),
            width=width,
            is_coloured=is_coloured(),
            cited=lambda state: Subject(base, edition, state).citations(),
            notes=set_entry(rules, history, command, width=width),
        )
        if is_former:
            page = set_former(history, edition.label, _heirs(base, history), width=width) + page
        pages.append(page)
    return "\n".join(pages)


def _heirs(base: KnowledgeBase, history: "History") -> list[str]:
    """Return the rules that have the words of a removed entry today."""
    if history.now is not None:
        return []
    for step in reversed(history.steps):
        numbers = [name for name in step.to if not headword_of(name)]
        if numbers:
            # The first number is that of the section or rule above the others.
            return base.show(numbers[0], step.to_edition)[0].where().new
    return []
