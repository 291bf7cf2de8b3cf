"""`cr diff`, `cr changes` and `cr since`: what changed between two editions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click
from click.core import ParameterSource
from msgspec import structs

from variorum.answers.diff import (
    CITATION,
    NONE,
    SUBSTANTIVE,
    SWEEP,
    TYPOGRAPHIC,
    Changes,
    diff_of,
    find_changes,
    subject_changes,
)
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cli.arguments import is_file_name
from variorum.cli.completions import complete_edition
from variorum.cli.diff_request import KINDS, REWORDED, DiffRequest
from variorum.cli.edition_arguments import begins_with_number, take_edition, take_pair, take_start
from variorum.cli.options import (
    edition_option,
    exit_code_option,
    kb_option,
    limit_option,
    limited,
    lines_option,
    only_option,
    open_asked,
    refuse_together,
)
from variorum.cli.pages.changes import ChangesPrinter, Headings
from variorum.cli.pages.witnesses import list_announcements
from variorum.cli.printing import print_json, print_page
from variorum.errors import FINDINGS, NoEditionError, NotFoundError
from variorum.terminal import bold, page_width

if TYPE_CHECKING:
    from variorum.records.witness import Attestation

Command = Callable[..., object]
_SWITCHES = (
    ("substantive", SUBSTANTIVE, "Changes to the wording of a rule."),
    ("sweeps", SWEEP, "Wording changed throughout the rules."),
    ("citations", CITATION, "Citations that changed only because the cited rule was renumbered."),
    ("typographic", TYPOGRAPHIC, "Quotes, dashes and punctuation."),
    ("moves", NONE, "Rules that were only renumbered."),
)
_SORTS = ("number", "size")
# The classes of change shown by default for whole editions; for one provision, all are shown.
_BY_DEFAULT = (SUBSTANTIVE, NONE)


def _switches(command: Command) -> Command:
    """Add the options that choose what is shown, and in which form."""
    for name, change, words in reversed(_SWITCHES):
        when = "by default" if change in _BY_DEFAULT else "by default for a NUMBER only"
        shown = f"{words} Shown {when}."
        command = click.option(f"--{name}/--no-{name}", default=None, help=shown)(command)
    command = click.option("--summary", is_flag=True, help="Show counts only.")(command)
    command = click.option(
        "--kind",
        "kinds",
        type=click.Choice(KINDS),
        multiple=True,
        metavar="KIND",
        help=f"Show only changes of this kind: {', '.join(KINDS)}. May be repeated.",
    )(command)
    command = click.option(
        "--glossary", is_flag=True, help="Show the entries of the glossary alone."
    )(command)
    command = click.option(
        "--sort",
        type=click.Choice(_SORTS),
        default=_SORTS[0],
        show_default=True,
        help="Order: as the newer edition prints them, or the largest changes first.",
    )(command)
    return only_option(limit_option(exit_code_option(lines_option(kb_option(command)))))


def _wanted(options: dict[str, object], question: Sequence[str]) -> DiffRequest:
    is_summary = bool(options["summary"])
    refuse_together(("--json", bool(options["as_json"])), ("--summary", is_summary))
    refuse_together(("--summary", is_summary), ("--kind", bool(options["kinds"])))
    classes = tuple(
        change
        for name, change, _ in _SWITCHES
        if (options[name] if options[name] is not None else question or change in _BY_DEFAULT)
    )
    asked = " ".join(question)
    is_whole_glossary = asked.casefold() == "glossary"
    return DiffRequest(
        question="" if is_whole_glossary else asked,
        is_alone=bool(options["is_alone"]),
        is_glossary=bool(options["glossary"]) or is_whole_glossary,
        classes=classes,
        kinds=cast("tuple[str, ...]", options["kinds"]),
        is_summary=is_summary,
        by_size=options["sort"] == "size",
        limit=cast("int | None", options["limit"]),
        as_json=bool(options["as_json"]),
        exit_code=bool(options["exit_code"]),
    )


@click.command()
@click.argument(
    "words",
    metavar="A [B|FILE] [NUMBER|PATH...]",
    nargs=-1,
    required=True,
    shell_complete=complete_edition,
)
@edition_option(
    "--on",
    words="The edition that NUMBER is from. Default: the newer edition if it has NUMBER, else the older.",
)
@_switches
def diff(words: tuple[str, ...], *, on: str | None, kb: Path | None, **options: object) -> None:
    """Show what changed from edition A to edition B, word by word.

    Removed words are shown in [-brackets-], added words in {+braces+}. With a NUMBER, the rule
    and its subrules are compared even if they have other numbers in the other edition.

    FILE is a draft, or an edition that is not in force yet. It is compared with the newest edition
    before it. Citations that it would make wrong are listed: those in its own rules and glossary, and
    those in PATHS, your files and folders. The knowledge base stays as it is.

    \b
    cr diff 2005-02-01 current              everything
    cr diff 2005-02-01 current --summary    counts only
    cr diff M10 M11 704.5k                  one rule, also cr diff M10..M11 704.5k
    cr diff 2008-01-01 current 705          a section with its rules
    cr diff M10 current banding             a glossary entry
    cr diff M10 current --glossary          all glossary entries
    cr diff M10 current --kind removed      only what was removed
    cr diff current new-rules.txt           what a draft would change
    cr diff current new-rules.txt src/      also citations in your files
    """  # noqa: D301 - click reads \b
    if len(words) > 1 and is_file_name(words[1]) and not begins_with_number(words[1:2]):
        _show_draft(words, kb, options)
        return
    with open_asked(kb) as base:
        editions, question = take_pair(base, words)
        _show(base, editions, _wanted(options, question), on=on)


def _show_draft(words: tuple[str, ...], kb: Path | None, options: dict[str, object]) -> None:
    """Print what a draft would change.

    Raises:
        click.UsageError: An option or an edition is given that says nothing about a draft.
    """
    from variorum.cli.draft import show_draft

    ctx = click.get_current_context()
    for param in ctx.command.params:
        is_given = ctx.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        if is_given and param.name not in {"words", "kb", "exit_code", "as_json"}:
            raise click.UsageError(f"{param.opts[0]} cannot be used with a FILE")
    edition, draft, *tree = words
    if edition != "current" or not all(words):
        raise click.UsageError(
            "a FILE is compared with the edition before it: cr diff current FILE"
        )
    exit_code, as_json = bool(options["exit_code"]), bool(options["as_json"])
    show_draft(Path(draft), [*map(Path, tree)], kb, exit_code=exit_code, as_json=as_json)


@click.command()
@click.argument("words", metavar="[EDITION] [NUMBER]", nargs=-1, shell_complete=complete_edition)
@edition_option("--on", words="The edition; may be given here instead of as an argument.")
@_switches
def changes(words: tuple[str, ...], *, on: str | None, kb: Path | None, **options: object) -> None:
    """Show what an edition changed, compared with the one before it.

    \b
    cr changes              the current edition
    cr changes M10
    cr changes M10 702.15   one rule and its subrules
    """  # noqa: D301 - click reads \b
    with open_asked(kb) as base:
        edition, question = _edition_and_question(base, words, on)
        before = base.before(edition)
        if before is None:
            raise NotFoundError(f"{edition.label}: the first edition; nothing precedes it")
        announced = None if question else base.witnesses.announcements(edition)
        _show(base, (before, edition), _wanted(options, question), announced=announced)


def _edition_and_question(
    base: KnowledgeBase, words: tuple[str, ...], on: str | None
) -> tuple[EditionEntry, tuple[str, ...]]:
    """Split words into the edition at their beginning (by default the current one) and the rest."""
    if not words or begins_with_number(words):
        return base.edition(on or "current"), words
    try:
        edition, question = take_edition(base, words)
    except NoEditionError:
        if not base.has(" ".join(words)):
            raise
        return base.edition(on or "current"), words
    if on is not None:
        raise click.UsageError("name one edition")
    return edition, question


@click.command()
@click.argument(
    "words", metavar="DATE [NUMBER]", nargs=-1, required=True, shell_complete=complete_edition
)
@_switches
def since(words: tuple[str, ...], *, kb: Path | None, **options: object) -> None:
    """Show what changed since a date, for returning players.

    Here, a month or a year means its first day; in all other commands, its last.

    \b
    cr since 2019-06-01
    cr since 2019                 since 1 January 2019
    cr since 2019-06-01 702.19    one rule and its subrules
    cr since 2019 --sort size --limit 20    the largest changes
    """  # noqa: D301 - click reads \b
    with open_asked(kb) as base:
        start, question = take_start(base, words)
        current = base.edition("current")
        if start.place > current.place:
            start, current = current, start
        _show(base, (start, current), _wanted(options, question))


def _show(
    base: KnowledgeBase,
    editions: tuple[EditionEntry, EditionEntry],
    wanted: DiffRequest,
    *,
    on: str | None = None,
    announced: "Sequence[Attestation] | None" = None,
) -> None:
    if wanted.question:
        refuse_together(("--glossary", wanted.is_glossary), ("NUMBER", True))
        refuse_together(("--limit", wanted.limit is not None), ("NUMBER", True))
        refuse_together(("--sort", wanted.by_size), ("NUMBER", True))
        _show_subject(base, editions, wanted, on)
        return
    for option, is_given in (("--on", on is not None), ("--only", wanted.is_alone)):
        if is_given:
            raise click.UsageError(f"{option} needs a NUMBER or a term")
    comparison = find_changes(base, *editions)
    if wanted.is_glossary:
        old, new = (base.texts.among(edition.place, "", ("glossary",)) for edition in editions)
        comparison = comparison.within(old, new)
    if wanted.by_size:
        comparison = replace(
            comparison, all=tuple(sorted(comparison.all, key=lambda change: -change.size))
        )
    if wanted.as_json:
        answer = diff_of(comparison, wanted.has_kind)
        changed = list(limited(answer.changes, wanted.limit))
        bulletins = None if announced is None else list(announced)
        print_json(structs.replace(answer, changes=changed, announced=bulletins), changed)
    else:
        page = _page(base, comparison, editions)
        lines = [*_lines(page, comparison, wanted), *_none(comparison, wanted)]
        lines += _announced(announced or (), wanted)
        print_page("\n".join(lines).rstrip() + "\n")
    _leave(comparison, wanted)


def _show_subject(
    base: KnowledgeBase,
    editions: tuple[EditionEntry, EditionEntry],
    wanted: DiffRequest,
    on: str | None,
) -> None:
    """Show what changed in the provision that a number or term names."""
    subject = subject_changes(base, wanted.question, editions, on, is_alone=wanted.is_alone)
    if wanted.as_json:
        answer = diff_of(subject, wanted.has_kind)
        print_json(answer, answer.changes)
    else:
        page = _page(base, subject.changes, editions)
        found = page.subject(subject, wanted.shows, is_summary=wanted.is_summary)
        lines = [*found, *_none(subject.changes, wanted)]
        print_page("\n".join(lines).rstrip() + "\n")
    _leave(subject.changes, wanted)


def _leave(comparison: Changes, wanted: DiffRequest) -> None:
    """Exit with the code of findings if that was asked for and there are changes."""
    if wanted.exit_code and any(map(wanted.shows, comparison.all)):
        raise click.exceptions.Exit(FINDINGS)


def _page(
    base: KnowledgeBase, comparison: Changes, editions: tuple[EditionEntry, EditionEntry]
) -> ChangesPrinter:
    return ChangesPrinter(comparison, section_headings(base, *editions), page_width())


def _announced(announced: "Sequence[Attestation]", wanted: DiffRequest) -> Iterator[str]:
    """Yield what bulletins announced for this edition, and whether the editions confirm it."""
    if not announced or wanted.is_summary:
        return
    yield ""
    yield bold("Announced")
    yield from list_announcements(announced, page_width())


def _none(comparison: Changes, wanted: DiffRequest) -> list[str]:
    """Return the line that reports that no change is of the wanted kinds; none if there is one."""
    if not wanted.kinds or any(map(wanted.shows, comparison.all)):
        return []
    return [f"  nothing {' or '.join(wanted.kinds)}"]


def _lines(page: ChangesPrinter, comparison: Changes, wanted: DiffRequest) -> Iterator[str]:
    yield page.title()
    yield from page.counts()
    if wanted.is_summary:
        return
    yield ""
    yield from page.listed(
        limited([*filter(wanted.shows, comparison.all)], wanted.limit),
        in_sections=not wanted.by_size,
        with_sweeps=not wanted.kinds or REWORDED in wanted.kinds,
    )


def section_headings(base: KnowledgeBase, old: EditionEntry, new: EditionEntry) -> Headings:
    """Return a function that gives the heading of a section in either edition."""

    @cache
    def heading(section: str, *, is_old: bool) -> str:
        matches = base.matches(section, old if is_old else new)
        return next((state.heading for state in matches if state.kind == "section"), "")

    return heading
