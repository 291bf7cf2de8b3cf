"""Options that several commands take, and opening the base."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from variorum import terminal
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cli.arguments import NamedPath, SiteAddress
from variorum.cli.clock import today
from variorum.cli.completions import complete_edition
from variorum.cli.printing import LINES_WANTED, print_note
from variorum.errors import NoBaseError

# Commands that answer without words.
_ANSWER_FROM_NUMBERS = {"show", "where", "crosswalk", "toc", "audit"}

_Row = TypeVar("_Row")
_Decorator = Callable[[Callable[..., object]], Callable[..., object]]


def kb_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option that names the folder of the knowledge base."""
    return click.option(
        "--kb",
        type=NamedPath(),
        metavar="FOLDER",
        help="Folder of the knowledge base. Default: VARIORUM_KB, or your data folder.",
    )(command)


def timing_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option that prints timings."""
    return click.option(
        "-v",
        "--verbose",
        is_flag=True,
        expose_value=False,
        callback=_show_timing,
        help="Print how long each part of the work took.",
    )(command)


def _show_timing(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click calls it so
    if value:
        terminal.listeners.append(print_note)
        context.call_on_close(lambda: terminal.listeners.remove(print_note))


def site_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option that names the website to link to."""
    return click.option(
        "--site",
        type=SiteAddress(),
        default="",
        envvar="VARIORUM_SITE",
        metavar="URL",
        help="Address of your copy of the website, used in links. Default: VARIORUM_SITE.",
    )(command)


def edition_option(*names: str, words: str, default: str | None = None) -> _Decorator:
    """Return an option that names an edition.

    Args:
        names: As click takes them.
        words: Its help.
        default: The edition if the option is not given.
    """
    return click.option(
        *names, metavar="EDITION", help=words, default=default, shell_complete=complete_edition
    )


def on_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option that names an edition."""
    return edition_option(
        "--on",
        words="Use this edition: a day, a month, a year, a set, first, latest, current or today. Default: current.",
    )(command)


def bearer_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option that names the edition in which a number is read."""
    return edition_option(
        "--on",
        words="The edition that the number is from: a day, a month, a year, a set, first, latest. "
        "Default: the current edition, else the last that printed it.",
    )(command)


def json_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option that prints JSON."""
    return click.option(
        "--json", "as_json", is_flag=True, callback=_is_json, help="Print JSON (docs/json.md)."
    )(command)


def lines_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options that print JSON or JSON lines."""
    return json_option(
        click.option(
            "--jsonl",
            is_flag=True,
            expose_value=False,
            callback=_note_lines,
            help="Print JSON lines, one for each item (docs/json.md).",
        )(command)
    )


def _note_lines(ctx: click.Context, param: click.Parameter, value: object) -> None:
    del param
    ctx.meta[LINES_WANTED] = bool(value)


def _is_json(ctx: click.Context, param: click.Parameter, value: object) -> bool:
    del param
    return bool(value) or ctx.meta.get(LINES_WANTED, False)


def exit_code_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option that makes findings a failure."""
    return click.option("--exit-code", is_flag=True, help="Exit 1 if there is anything to report.")(
        command
    )


def limit_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option that shortens a list."""
    return click.option(
        "--limit", type=click.IntRange(1), metavar="N", help="List at most this many."
    )(command)


def list_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options of commands that print a list: its length, its format and the base."""
    return limit_option(lines_option(kb_option(command)))


def limited(rows: Sequence[_Row], limit: int | None) -> Sequence[_Row]:
    """Return the first rows of a list; print the total on stderr if it is higher."""
    if limit is None or len(rows) <= limit:
        return rows
    print_note(f"{limit:,} of {len(rows):,} listed; --limit allows more")
    return rows[:limit]


def only_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option that leaves subrules out."""
    return click.option("--only", "is_alone", is_flag=True, help="Leave out subrules.")(command)


def refuse_together(*options: tuple[str, bool]) -> None:
    """Refuse options that exclude each other.

    Args:
        options: The name of each, and whether it was given.

    Raises:
        click.UsageError: More than one was given.
    """
    given = [name for name, is_given in options if is_given]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} cannot be used together; give one of them")


def number_option(option: str, text: str) -> str:
    """Return the number in an option's value, without "CR", "rule" and the like; "" for "".

    Raises:
        click.UsageError: The value is not a number.
    """
    from variorum.answers.questions import NUMBER, parse_question

    kind, word, _ = parse_question(text)
    if text and kind != NUMBER:
        raise click.UsageError(f"{option} {text}: takes a number, such as 7, 702 or 702.19")
    return word if text else ""


def open_base(folder: Path | None) -> KnowledgeBase:
    """Open the base of a command; before there is one, some commands answer from numbers alone."""
    try:
        return KnowledgeBase.open(folder, today=today())
    except NoBaseError:
        ctx = click.get_current_context(silent=True)
        if folder or ctx is None or ctx.command.name not in _ANSWER_FROM_NUMBERS:
            raise
    from variorum.build.numbers import numbers_folder

    note = "no knowledge base yet: numbers, days and titles alone; cr sync brings the words"
    ctx.call_on_close(lambda: print_note(note))
    return KnowledgeBase.open(numbers_folder(), today=today())


def open_asked(folder: Path | None) -> KnowledgeBase:
    """Open the base for a question; at exit, print which editions were in force on its days."""
    base = open_base(folder)
    ctx = click.get_current_context()
    ctx.call_on_close(lambda: _tell_days(base, is_told=not ctx.params.get("as_json")))
    return base


def _tell_days(base: KnowledgeBase, *, is_told: bool) -> None:
    for note in base.day_notes() if is_told else ():
        print_note(note)
