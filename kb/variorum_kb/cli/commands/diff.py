"""`cr diff`, `cr changes` and `cr since`: what changed between two editions."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.answers.changes import (
    CITATION,
    NONE,
    SUBSTANTIVE,
    SWEEP,
    TYPOGRAPHIC,
    Change,
    Changes,
    change_json,
    diff_json,
    find_changes,
    summary,
)
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.options import complete_edition, json_option, kb_option, open_base, print_json
from variorum_kb.cli.pager import print_page
from variorum_kb.cli.pages.changes import ChangesPrinter, Headings
from variorum_kb.cli.pages.diff import bold
from variorum_kb.cli.pages.witnesses import list_attestations
from variorum_kb.errors import NotFoundError
from variorum_kb.rows import CHANGE_CLASSES, name_of
from variorum_kb.system.terminal import is_coloured, page_width

if TYPE_CHECKING:
    from variorum_kb.forms.witness import AttestationJson


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRequest:
    """Which changes to show.

    Attributes:
        classes: Of which sort.
        form: "page", "stat", "summary" or "unified".
        as_json: JSON instead.
    """

    classes: tuple[str, ...]
    form: str
    as_json: bool


Command = Callable[..., object]


def _switches(command: Command) -> Command:
    """Add the options that say what is shown, and how."""
    switches = (
        ("substantive", True, "Changes of the words of a provision."),
        ("sweeps", False, "Each change that is one of words replaced all over."),
        ("citations", False, "Changes of cited numbers whose targets only moved."),
        ("typographic", False, "Changes of quotes, dashes, punctuation."),
        ("moves", True, "What was only renumbered."),
    )
    for name, default, words in reversed(switches):
        shown = f"{words} {'Shown' if default else 'Left out'} by default."
        command = click.option(f"--{name}/--no-{name}", default=default, help=shown)(command)
    forms = (
        ("--stat", "stat", "Counts for each section."),
        ("--summary", "summary", "Counts alone."),
        ("--unified", "unified", "A paragraph a line, before and after."),
    )
    for flag, value, words in reversed(forms):
        command = click.option(flag, "form", flag_value=value, type=str, help=words)(command)
    return json_option(kb_option(command))


def _wanted(options: dict[str, object]) -> DiffRequest:
    switches = (
        ("substantive", SUBSTANTIVE),
        ("sweeps", SWEEP),
        ("citations", CITATION),
        ("typographic", TYPOGRAPHIC),
        ("moves", NONE),
    )
    classes = tuple([change for name, change in switches if options[name]])
    form = options["form"] or "page"
    return DiffRequest(classes=classes, form=str(form), as_json=bool(options["as_json"]))


@click.command()
@click.argument("start", metavar="A", shell_complete=complete_edition)
@click.argument("stop", metavar="B", default="current", shell_complete=complete_edition)
@click.argument("number", required=False)
@_switches
def diff(start: str, stop: str, number: str | None, *, kb: Path | None, **options: object) -> None:
    """Show what changed from edition A to edition B: the net effect, word by word.

    Words that went stand in [-brackets-], words that came in {+braces+}.

    \b
    cr diff 2005-02-01 current              everything
    cr diff 2005-02-01 current --summary    in numbers
    cr diff M10 M11 704.5k                  one provision
    """  # noqa: D301 - click reads \b
    wanted = _wanted(options)
    with open_base(kb) as base:
        one, other = base.edition(start), base.edition(stop)
        _show(base, one, other, wanted, number=number)


@click.command()
@click.argument("edition", required=False, shell_complete=complete_edition)
@click.option(
    "--on",
    metavar="EDITION",
    help="The same as EDITION.",
    shell_complete=complete_edition,
)
@_switches
def changes(edition: str | None, *, on: str | None, kb: Path | None, **options: object) -> None:
    """Show what an edition changed: all that is different from the one before it.

    \b
    cr changes              of the current edition
    cr changes M10
    """  # noqa: D301 - click reads \b
    if edition and on:
        raise click.UsageError("name one edition")
    wanted = _wanted(options)
    with open_base(kb) as base:
        one = base.edition(edition or on or "current")
        before = base.before(one)
        if before is None:
            raise NotFoundError(f"{one.label}: the first edition changed nothing")
        _show(base, before, one, wanted, announced=base.witnesses.announcements(one))


@click.command()
@click.argument("date", shell_complete=complete_edition)
@_switches
def since(date: str, *, kb: Path | None, **options: object) -> None:
    """Show what changed since a day: for who comes back to the game.

    \b
    cr since 2019-06-01
    """  # noqa: D301 - click reads \b
    wanted = _wanted(options)
    with open_base(kb) as base:
        _show(base, base.edition(date), base.edition("current"), wanted)


def _show(
    base: KnowledgeBase,
    one: EditionEntry,
    other: EditionEntry,
    wanted: DiffRequest,
    *,
    number: str | None = None,
    announced: "Sequence[AttestationJson] | None" = None,
) -> None:
    if one.place > other.place:
        one, other = other, one
    found = find_changes(base, one, other)
    if number is not None:
        _show_one(base, found, (one, other), number, wanted)
        return
    if wanted.as_json:
        told = {} if announced is None else {"announced": list(announced)}
        print_json({**diff_json(found, CHANGE_CLASSES), **told})
        return
    page = ChangesPrinter(found, _headings(base, one, other), page_width(), colour=is_coloured())
    lines = [*_lines(page, found, wanted), *_announced(announced or (), wanted)]
    print_page("\n".join(lines).rstrip() + "\n")


def _announced(announced: "Sequence[AttestationJson]", wanted: DiffRequest) -> Iterator[str]:
    """Yield what bulletins said of the step, and which of it the editions contradict."""
    if not announced or wanted.form not in {"page", "stat"}:
        return
    counts = Counter(one["verdict"] for one in announced)
    yield ""
    yield bold("Announced", is_coloured=is_coloured())
    yield "  " + ", ".join([f"{number} {verdict}" for verdict, number in sorted(counts.items())])
    shown = announced if wanted.form == "page" else ()
    yield from list_attestations(shown, {}, page_width(), colour=is_coloured())


def _lines(page: ChangesPrinter, found: Changes, wanted: DiffRequest) -> Iterator[str]:
    shown = [one for one in found.all if one.change in wanted.classes]
    texts = [one for one in shown if not one.is_moved_only]
    if wanted.form == "unified":
        yield from page.unified(shown)
        return
    yield page.title()
    yield from page.counts()
    yield ""
    if wanted.form == "summary":
        return
    if wanted.form == "stat":
        yield from page.stat(shown)
        return
    yield from page.sweeps()
    yield from page.sections(texts)
    yield from page.moves([one for one in shown if one.is_moved_only])


def _show_one(
    base: KnowledgeBase,
    found: Changes,
    editions: tuple[EditionEntry, EditionEntry],
    number: str,
    wanted: DiffRequest,
) -> None:
    """Show what became of one provision, by its number in the older edition or in the newer."""
    shown = _changes_of(base, found, editions, number)
    if wanted.as_json:
        changes = [change_json(change) for change in shown]
        print_json({"summary": summary(found), "changes": changes})
        return
    if not shown:
        click.echo(f"{number}: the same in both editions")
        return
    page = ChangesPrinter(found, _headings(base, *editions), page_width(), colour=is_coloured())
    lines = [line for change in shown for line in page.change(change, context=None)]
    print_page("\n".join([page.title(), *lines, ""]))


def _changes_of(
    base: KnowledgeBase,
    found: Changes,
    editions: tuple[EditionEntry, EditionEntry],
    number: str,
) -> list[Change]:
    """Return the changes of whatever bore a number in the older edition, or bears it in the newer.

    Raises:
        NotFoundError: Neither edition has such a provision.
    """
    names: list[set[str]] = []
    missing: list[NotFoundError] = []
    for edition in editions:
        try:
            names.append({match.name for match in base.show(number, edition)})
        except NotFoundError as error:
            names.append(set())
            missing.append(error)
    if len(missing) == len(editions):
        raise missing[-1]
    return [
        change
        for change in found.all
        if (change.old is not None and name_of(change.old) in names[0])
        or (change.new is not None and name_of(change.new) in names[1])
    ]


def _headings(base: KnowledgeBase, old: EditionEntry, new: EditionEntry) -> Headings:
    """Return what gives the heading of a section in either edition."""
    known = [
        {one.address: one.heading for one in base.provisions(edition) if one.kind == "section"}
        for edition in (old, new)
    ]

    def heading(section: str, *, is_old: bool) -> str:
        return known[0 if is_old else 1].get(section, "")

    return heading
