"""`cr toc`: chapters and sections, or the contents of one."""

from collections.abc import Iterator
from pathlib import Path

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.subject import Subject
from variorum.cli.commands.show import tell_moves
from variorum.cli.completions import complete_question
from variorum.cli.options import kb_option, lines_option, on_option, open_asked
from variorum.cli.pages.provisions import edition_line
from variorum.cli.printing import print_json, print_page
from variorum.terminal import page_width

_WIDEST = 78


@click.command()
@click.argument("number", metavar="[NUMBER]", nargs=-1, shell_complete=complete_question)
@on_option
@lines_option
@kb_option
def toc(number: tuple[str, ...], *, on: str | None, as_json: bool, kb: Path | None) -> None:
    """List chapters and sections, or what is below NUMBER.

    \b
    cr toc                  the whole edition
    cr toc 702              the rules of a section
    cr toc 7 --on M10       the sections of a chapter in the edition of M10
    """  # noqa: D301 - click reads \b
    with open_asked(kb) as base:
        listed = list(_below(base, " ".join(number), on) if number else _headings(base, on))
        if as_json:
            print_json(
                [
                    {
                        "edition": provision.edition.label,
                        "doubts": list(provision.edition.doubts),
                        "address": provision.address,
                        "kind": provision.kind,
                        "heading": provision.heading,
                    }
                    for _, provision in listed
                ]
            )
            return
        edition = listed[0][1].edition if listed else base.edition(on or "current")
        line = edition_line(edition)
    width = page_width() or _WIDEST
    lines = [_line(depth, heading, width) for depth, heading in listed]
    print_page("\n".join([*lines, "", f"  {line}", ""]))


def _headings(base: KnowledgeBase, on: str | None) -> Iterator[tuple[int, Subject]]:
    for chapter in base.chapters(base.edition(on or "current")):
        yield 0, chapter
        yield from ((1, section) for section in chapter.children())


def _below(base: KnowledgeBase, number: str, on: str | None) -> Iterator[tuple[int, Subject]]:
    matches = base.show(number, on)
    tell_moves(matches)
    for match in matches:
        yield 0, match
        yield from ((1, child) for child in match.children())


def _line(depth: int, heading: Subject, width: int) -> str:
    words = (
        ((heading.number and heading.heading) or heading.text).replace("\n", " ").replace("_", "")
    )
    line = f"{'  ' * depth}{heading.address}  {words}"
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"
