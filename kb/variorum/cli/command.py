"""What commands are made of: shared options, one rule for contradictions, and one way to answer.

A command is a function that gets the open base and its options, and returns an `Answer`: the record
that `--json` prints, and a function that returns the lines of the page.
"""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from variorum import terminal
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import NUMBER, parse_question
from variorum.cli.layout import LINES_WANTED, print_json, print_note, print_page
from variorum.errors import FINDINGS, NoBaseError, NotFoundError, VariorumError
from variorum.paths import SAMPLE_RULEBOOK, cache_folder
from variorum.permalinks import base_url_of
from variorum.versions import version_of

_Row = TypeVar("_Row")
_Function = Callable[..., Any]
# The context key of `--sample`, and the commands that would change a base.
SAMPLE = "variorum.sample"
_CHANGING = {"accept", "build", "cards", "sync"}
# Commands that answer without words.
_ANSWER_FROM_NUMBERS = {"show", "where", "crosswalk", "toc", "audit"}
_ENDING = re.compile(r"\.[A-Za-z]\w*\Z")


class Answer(NamedTuple):
    """The answer of a command.

    Attributes:
        record: What `--json` prints.
        page: Returns the lines of the page.
        items: What `--jsonl` prints, a line each; not needed if the record is a list.
        code: The exit code.
    """

    record: object
    page: Callable[[], Iterable[str]]
    items: Iterable[object] | None = None
    code: int = 0


class NoAnswerError(NotFoundError):
    """No answer was found, but JSON output has details, in the form of the command's JSON."""

    def __init__(
        self, message: str, answer: object, *, near: Sequence[str] = (), kind: str = "not found"
    ) -> None:
        super().__init__(message, near=near)
        self.answer, self.kind = answer, kind


# Types --------------------------------------------------------------------------------------------


class NamedPath(click.ParamType[Path]):
    """A path. An empty name is refused, although `Path` would read it as the current folder."""

    name = "path"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path, or fail with what is wrong."""
        if isinstance(value, str) and not value.strip():
            self.fail("a path cannot be empty", param, ctx)
        return Path(value)


class SiteAddress(click.ParamType[str]):
    """The address of a copy of the website, or ""."""

    name = "url"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the address with a final slash, or fail with what is wrong."""
        try:
            return base_url_of(value) if value else ""
        except ValueError as error:
            self.fail(str(error), param, ctx)


def is_file_name(word: str | Path) -> bool:
    """Return whether a word names a file rather than an edition or a rule.

    >>> is_file_name("new/rules"), is_file_name("rules.txt"), is_file_name("702.19b")
    (True, True, False)
    """
    path = Path(word)
    return path.exists() or path.name != str(word) or bool(_ENDING.search(path.name))


# The clock and the base ---------------------------------------------------------------------------


def today() -> date:
    """Return the user's own day; only commands read the clock."""
    return date.fromisoformat(time.strftime("%Y-%m-%d"))


def now_words() -> str:
    """Return the moment in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())


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
    ctx.call_on_close(lambda: [*map(print_note, _day_notes(ctx, base))])
    return base


def _day_notes(ctx: click.Context, base: KnowledgeBase) -> list[str]:
    return [] if ctx.params.get("as_json") else base.day_notes()


def sample_base() -> Path:
    """Return the folder of a base of the sample rulebook, which is built on first use."""
    folder = cache_folder() / "sample" / version_of("base")
    if not (folder / "kb.sqlite").exists():
        from variorum.build.build import Builder

        for event in Builder(folder, now="", jobs=1).build([SAMPLE_RULEBOOK]):
            if event.error:
                raise event.error
    return folder


def _kb(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Return the folder of the base; with `--sample`, that of the sample rulebook."""
    del param
    if not ctx.find_root().meta.get(SAMPLE):
        return value
    if value is not None:
        raise click.UsageError("--sample and --kb cannot be used together; give one of them")
    if ctx.info_name in _CHANGING:
        raise click.UsageError(
            "the sample rulebook cannot be changed; --kb FOLDER names a base of your own"
        )
    return sample_base()


# Completion ---------------------------------------------------------------------------------------


def complete_question(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a number or a headword of any edition."""
    del param
    with suppress(VariorumError), open_base(ctx.params.get("kb")) as base:
        return [CompletionItem(word) for word in base.words_with(incomplete.casefold())]
    return []


def complete_edition(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a designator."""
    del param
    with suppress(VariorumError), open_base(ctx.params.get("kb")) as base:
        return [CompletionItem(word) for word in base.designators(incomplete)]
    return []


# Options ------------------------------------------------------------------------------------------


def flag(name: str, words: str, *names: str, **more: Any) -> click.Option:  # noqa: ANN401 - as click has it
    """Return an option without a value."""
    return click.Option([*names, name], is_flag=True, help=words, **more)


def value(name: str, metavar: str, words: str, *names: str, **more: Any) -> click.Option:  # noqa: ANN401 - as click has it
    """Return an option with a value."""
    return click.Option([*names, name], metavar=metavar, help=words, **more)


def edition(name: str, words: str, *names: str, default: str | None = None) -> click.Option:
    """Return an option that names an edition."""
    return value(name, "EDITION", words, *names, default=default, shell_complete=complete_edition)


def words(
    metavar: str = "QUESTION...", complete: _Function | None = None, *, required: bool = False
) -> click.Argument:
    """Return an argument of any number of words, which the command gets as `words`."""
    return click.Argument(
        ["words"], nargs=-1, metavar=metavar, required=required, shell_complete=complete
    )


def _note_lines(ctx: click.Context, param: click.Parameter, value: object) -> None:
    del param
    ctx.meta[LINES_WANTED] = bool(value)


def _is_json(ctx: click.Context, param: click.Parameter, value: object) -> bool:
    del param
    return bool(value) or ctx.meta.get(LINES_WANTED, False)


def _show_timing(ctx: click.Context, param: click.Parameter, value: object) -> None:
    del param
    if value:
        terminal.listeners.append(print_note)
        ctx.call_on_close(lambda: terminal.listeners.remove(print_note))


_DESIGNATORS = "a day, a month, a year, a set, first, latest, current or today"
KB = click.Option(
    ["--kb"],
    type=NamedPath(),
    callback=_kb,
    metavar="FOLDER",
    help="Folder of the knowledge base. Default: VARIORUM_KB, or your data folder.",
)
SITE = click.Option(
    ["--site"],
    type=SiteAddress(),
    default="",
    envvar="VARIORUM_SITE",
    metavar="URL",
    help="Address of your copy of the website, used in links. Default: VARIORUM_SITE.",
)
TIMING = click.Option(
    ["-v", "--verbose"],
    is_flag=True,
    expose_value=False,
    callback=_show_timing,
    help="Print how long each part of the work took.",
)
JSON = click.Option(
    ["--json", "as_json"], is_flag=True, callback=_is_json, help="Print JSON (docs/json.md)."
)
JSONL = click.Option(
    ["--jsonl"],
    is_flag=True,
    expose_value=False,
    callback=_note_lines,
    is_eager=True,
    help="Print JSON lines, one for each item (docs/json.md).",
)
ON = edition("--on", f"Use this edition: {_DESIGNATORS}. Default: current.")
NUMBER_OF = edition(
    "--on",
    f"The edition that the number is from: {_DESIGNATORS}. Default: the current edition, else the "
    "last that printed it.",
)
EXIT_CODE = flag("--exit-code", "Exit 1 if there is anything to report.")
ONLY = flag("is_alone", "Leave out subrules.", "--only")
LIMIT = value("--limit", "N", "List at most this many.", type=click.IntRange(1))
ASKED = words("QUESTION...", complete_question, required=True)


def takes(*params: click.Parameter) -> Callable[[_Function], _Function]:
    """Return a decorator that adds options to a command of click."""

    def added(function: _Function) -> _Function:
        known = getattr(function, "__click_params__", [])
        function.__click_params__ = [*known, *reversed(params)]  # type: ignore[attr-defined]
        return function

    return added


kb_option, site_option, timing_option, json_option = map(takes, (KB, SITE, TIMING, JSON))


# Commands -----------------------------------------------------------------------------------------


def command(
    *params: click.Parameter,
    apart: Sequence[str] = (),
    needs: dict[str, str] | None = None,
    cls: type[click.Command] = click.Command,
    name: str | None = None,
    is_alone: bool = False,
) -> Callable[[_Function], click.Command]:
    """Return a decorator that makes a command of a function.

    Args:
        params: Its arguments and options; `--kb` is added.
        apart: Groups of options, of which only one may be given: "--json --copy".
        needs: Options that mean something only beside another.
        cls: The class of the command.
        name: Its name, if it is not that of the function.
        is_alone: Whether it opens no base.
    """

    def made(function: _Function) -> click.Command:
        def run(**given: object) -> None:
            _refuse(click.get_current_context(), apart, needs or {})
            o = SimpleNamespace(**given)
            with ExitStack() as open_:
                base = () if is_alone else (open_.enter_context(open_asked(o.kb)),)
                _tell(function(*base, o), o)

        return cls(
            name or function.__name__,
            params=[*params, *([] if KB in params or is_alone else [KB])],
            callback=run,
            help=function.__doc__,
        )

    return made


def _tell(answer: Answer | None, o: SimpleNamespace) -> None:
    """Print an answer; a command without one has printed."""
    if answer is None:
        return
    if getattr(o, "as_json", False):
        print_json(answer.record, answer.items)
    else:
        print_page(answer.page())
    if answer.code:
        raise click.exceptions.Exit(answer.code)


def _refuse(ctx: click.Context, apart: Iterable[str], needs: dict[str, str]) -> None:
    """Refuse options that contradict each other, or that say nothing alone."""
    given = {
        option: param
        for param in ctx.command.params
        for option in ([*param.opts, *param.secondary_opts] if param.opts else [])
        if is_given(ctx, param)
    }
    if ctx.meta.get(LINES_WANTED):
        given |= {option: given.get(option, KB) for option in ("--json", "--jsonl")}
    for group in apart:
        both = [option for option in group.split() if option in given]
        if len(both) > 1:
            refuse_together(*[(_typed(ctx, option), True) for option in both])
    for option, other in needs.items():
        if option in given and other not in given:
            raise click.UsageError(f"{option} needs {other}")


def is_given(ctx: click.Context, param: click.Parameter) -> bool:
    """Return whether the user typed an option or argument."""
    return ctx.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE


def _typed(ctx: click.Context, option: str) -> str:
    """Return an option as it was typed: a choice with its value."""
    for param in ctx.command.params:
        if option in param.opts and isinstance(param.type, click.Choice):
            return f"{option} {ctx.params[param.name or '']}"
    return option


def refuse_together(*options: tuple[str, bool]) -> None:
    """Refuse options, each with whether it was given, if more than one was.

    Raises:
        click.UsageError: More than one was given.
    """
    given = [name for name, is_there in options if is_there]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} cannot be used together; give one of them")


def limited(rows: Sequence[_Row], limit: int | None) -> Sequence[_Row]:
    """Return the first rows of a list; print the total on stderr if it is higher."""
    if limit is None or len(rows) <= limit:
        return rows
    print_note(f"{limit:,} of {len(rows):,} listed; --limit allows more")
    return rows[:limit]


def number_option(option: str, text: str) -> str:
    """Return the number in an option's value, without "CR", "rule" and the like; "" for "".

    Raises:
        click.UsageError: The value is not a number.
    """
    kind, word, _ = parse_question(text)
    if text and kind != NUMBER:
        raise click.UsageError(f"{option} {text}: takes a number, such as 7, 702 or 702.19")
    return word if text else ""


def end(code: int = FINDINGS) -> None:
    """Exit with a code after an answer."""
    raise click.exceptions.Exit(code)
