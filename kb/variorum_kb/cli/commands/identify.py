"""`cr identify`: which editions a document can come from."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.all_size_limits import LARGEST_WITNESS
from variorum_kb.cli.arguments import NamedPath
from variorum_kb.cli.failures import NoAnswerError
from variorum_kb.cli.options import kb_option, lines_option, open_base
from variorum_kb.cli.pages.diff import marked
from variorum_kb.cli.printing import print_json, print_page
from variorum_kb.exit_codes import NOT_FOUND
from variorum_kb.system.input_files import read_file, read_standard_input
from variorum_kb.text.counts import counted, percent

if TYPE_CHECKING:
    from variorum_kb.forms.identify import DifferenceJson, IdentifyJson

_SHOWN = 6


@click.command()
@click.argument("file", type=NamedPath())
@lines_option
@kb_option
def identify(file: Path, *, as_json: bool, kb: Path | None) -> None:
    """Find the editions that a document may come from, by its words.

    FILE may be an excerpt, a fragment without title or numbers, a page that quotes rules, or a whole
    edition. For an article or a bulletin, the
    rules that it discusses tell which editions it is about.

    \b
    cr identify excerpt.txt
    cr 704.5k --copy | cr identify -    from standard input
    """  # noqa: D301 - click reads \b
    from variorum_kb.build.identify import identify as ask

    with open_base(kb) as base:
        answer = ask(base, _read(file), str(file))
    lost = not (answer["candidates"] or answer["from"])
    if as_json and lost:
        raise NoAnswerError(f"{file}: fits no edition", answer)
    if as_json:
        print_json(answer, answer["candidates"])
    else:
        print_page("\n".join(_lines(answer)) + "\n")
    if lost:
        raise click.exceptions.Exit(NOT_FOUND)


def _read(file: Path) -> bytes:
    is_piped = str(file) == "-"
    return read_standard_input(LARGEST_WITNESS) if is_piped else read_file(file, LARGEST_WITNESS)


def _lines(answer: "IdentifyJson") -> Iterator[str]:
    total = len(answer["provisions"])
    if not total:
        yield from _by_subject(answer)
        return
    yield f"{answer['layout']}: {counted(total, 'provision')}"
    yield from (f"  - {line}" for line in answer["evidence"])
    if not answer["candidates"]:
        yield "No edition has any of them in these words."
        return
    for candidate in answer["candidates"][:_SHOWN]:
        yield f"  {candidate['edition']:<12}  {candidate['matched']:>5} of {candidate['of']}"
    more = len(answer["candidates"]) - _SHOWN
    if more > 0:
        yield f"  and {more} more"
    yield _span(answer)
    supplied = [provision for provision in answer["provisions"] if provision["supplied"]]
    if supplied:
        names = [provision["number"] or provision["headword"] or "" for provision in supplied]
        yield f"Not in the document, supplied from the edition: {', '.join(dict.fromkeys(names))}"
    edition = ""
    for difference in answer["differences"]:
        if difference["edition"] != edition:
            edition = difference["edition"]
            yield ""
            yield f"What differs in {edition}:"
        yield f"  {_difference(difference)}"


def _by_subject(answer: "IdentifyJson") -> Iterator[str]:
    """Yield the period in which a document about rules was written, and the evidence for it."""
    first, last = answer["from"], answer["to"]
    yield answer["layout"]
    if first is None:
        yield "Its date cannot be determined."
    elif first == last:
        yield f"It is about the edition of {first}."
    else:
        yield f"It is about editions of {first} to {last}."
    yield from (f"  - {line}" for line in answer["evidence"])


def _span(answer: "IdentifyJson") -> str:
    first, last = answer["from"], answer["to"]
    best = [
        candidate
        for candidate in answer["candidates"]
        if candidate["matched"] == answer["candidates"][0]["matched"]
    ]
    when = (
        f"{first} alone" if first == last else f"{first} to {last}, {counted(len(best), 'edition')}"
    )
    if answer["agrees"]:
        return f"It agrees word for word with {when}."
    return f"No edition has all of it. Closest: {when}."


def _difference(difference: "DifferenceJson") -> str:
    name = difference["number"] or "(no number)"
    if difference["stands"] is None:
        return f"{name}: nothing like it"
    place = (
        "" if difference["stands"] == difference["number"] else f" ({difference['stands']} there)"
    )
    words = (
        marked(difference["pieces"])
        if difference["pieces"]
        else f"{percent(difference['likeness'])} alike"
    )
    return f"{name}{place}: {words}"
