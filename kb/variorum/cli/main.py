"""The table of commands; each is imported when it is called."""

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import click

from variorum.cli.command_table import COMMANDS, GROUPS, arranged
from variorum.cli.failures import error_json, explained, fail, system_message
from variorum.cli.help_pages import HelpContext, walk_commands
from variorum.cli.pages.provisions import fitted
from variorum.errors import (
    INPUT_OUTPUT,
    INTERRUPTED,
    WRONG_USAGE,
    NoBaseError,
    NotFoundError,
    VariorumError,
)
from variorum.records.failure import Failure
from variorum.terminal import COLOUR_CHOICES, SafeStream, note_width, take_terminal_options
from variorum.text import counted

if TYPE_CHECKING:
    from io import TextIOWrapper
    from typing import TextIO

    from click.shell_completion import CompletionItem

# The key in the context for a question without a command.
_BARE = "variorum.bare"
_OWN_OPTIONS = {"-h", "--help", "--version", "--color"}


class Commands(click.Group):
    """A group that imports commands on demand and prints our own errors as one line."""

    context_class = HelpContext

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; anything that is not a command is a question for `show`."""
        args = arranged(take_terminal_options(args))
        if args and args[0] not in COMMANDS and args[0].partition("=")[0] not in _OWN_OPTIONS:
            if args[0] == "help":
                from variorum.cli.help_topics import show_topic

                show_topic(ctx, args[1])
            ctx.meta[_BARE] = args
            args = ["show", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete commands, and numbers and terms in their place."""
        from variorum.cli.completions import complete_question

        commands = super().shell_complete(ctx, incomplete)
        if not incomplete or incomplete.startswith("-"):
            return commands
        try:
            return [*commands, *complete_question(ctx, ctx.command.params[0], incomplete)]
        except VariorumError:
            return commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name])
        command: click.Command = getattr(module, cmd_name)
        for _, subcommand in walk_commands(command, cmd_name):
            subcommand.context_class = HelpContext
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in groups, without importing them."""
        del ctx
        widest = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{widest}}", words) for name, words in group.items()])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, then the options."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def main(self, *args: Any, **settings: Any) -> Any:  # noqa: ANN401 - as click has it
        """Run the command with escaped output, and exit with its exit code."""
        given = args[0] if args else settings.pop("args", None)
        arguments: list[str] = sys.argv[1:] if given is None else list(given)
        streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = map(safely, streams)
        try:
            settings["standalone_mode"] = False  # click would choose other exit codes
            ended = super().main(arguments, *args[1:], **settings)
            code = ended if isinstance(ended, int) else 0
        except (click.ClickException, click.Abort, VariorumError, OSError, UnicodeError) as error:
            code = _fail(error, arguments)
        finally:
            sys.stdout, sys.stderr = streams
        sys.exit(code)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        return _invoke_known(ctx, super().invoke)


def _fail(error: Exception, arguments: Sequence[str]) -> int:
    """Print how a command failed and return its exit code; raise a bug again."""
    if isinstance(error, VariorumError):
        return fail(error_json(error), arguments, line=f"cr: {explained(error)}")
    if isinstance(error, UnicodeEncodeError):  # only names of files may have such bytes
        error = click.UsageError("an argument has bytes that are no text")
    if isinstance(error, click.ClickException):
        error.show()
        kind = "wrong usage" if error.exit_code == WRONG_USAGE else "failed"
        return fail(Failure(kind, error.format_message(), error.exit_code), arguments)
    if isinstance(error, click.Abort):
        failure = Failure("interrupted", "interrupted", INTERRUPTED)
        return fail(failure, arguments, line="cr: interrupted")
    if not isinstance(error, OSError) or not error.strerror:
        raise error
    message = system_message(error)
    return fail(Failure("input or output", message, INPUT_OUTPUT), arguments, line=f"cr: {message}")


def _invoke_known(ctx: click.Context, invoke: Callable[[click.Context], object]) -> object:
    """Run a command; if a question without a command finds nothing, check for a misspelt command."""
    try:
        return invoke(ctx)
    except (NoBaseError, NotFoundError, click.UsageError) as error:
        from variorum.cli.misspelt import misspelt

        instead = misspelt(ctx.meta.get(_BARE, ()))
        if instead is None:
            raise
        raise instead from error


@click.group(
    cls=Commands,
    invoke_without_command=True,
    # Colours are decided at output; click would strip escapes that documents contain.
    context_settings={"help_option_names": ["-h", "--help"], "color": True},
)
@click.option(
    "--color",
    type=click.Choice(COLOUR_CHOICES),
    expose_value=False,
    help="When to use colour. Also allowed after the command. NO_COLOR turns it off.",
)
@click.option(
    "--no-pager",
    is_flag=True,
    expose_value=False,
    help="Never use a pager. CR_PAGER or PAGER names the pager; empty means none.",
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of a failure.")
@click.version_option(package_name="variorum", prog_name="cr")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Every edition of the Comprehensive Rules, side by side.

    \b
    cr 704.5k                      a rule as it is today
    cr 600.4a --on 2007-10-01      as it was that day
    cr "state-based actions"       a term of the glossary
    cr toc 702                     the contents of a section
    cr M10                         an edition
    cr help show                   help for a command
    cr help exit-codes             help for a topic; also json, environment
    cr demo                        a short tour
    """  # noqa: D301 - click reads \b
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        click.echo(f"\n{_state()}")


def _state() -> str:
    """Return a line about the contents of the knowledge base."""
    from variorum.cli.options import open_base

    try:
        with open_base(None) as base:
            first, latest = base.edition("first").label, base.edition("latest").label
            return f"The knowledge base holds {counted(len(base.editions), 'edition')}, {first} to {latest}."
    except VariorumError as error:
        return str(error)


class NoteStream(SafeStream):
    """Stderr: notes break between words where the terminal is narrower."""

    def write(self, text: str) -> int:
        """Write a text; return its length."""
        super().write(fitted(text, note_width(self.raw)))
        return len(text)


def safely(stream: "TextIO") -> "TextIO":
    """Return a stream that escapes terminal control characters; a wrapped stream is returned as it is."""
    if isinstance(stream, SafeStream):
        return stream
    wrapped = NoteStream(stream) if stream is sys.stderr else SafeStream(stream)
    return cast("TextIO", wrapped)


def run(arguments: Sequence[str]) -> None:
    """Run a command and exit with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Redirected output is UTF-8 on every platform, so that scripts can rely on it.
        # The name of a file may have bytes that are not text; they are printed escaped.
        is_unicode = stream.isatty() and stream.encoding != "ascii"
        encoding = stream.encoding if is_unicode else "utf-8"
        cast("TextIOWrapper", stream).reconfigure(encoding=encoding, errors="backslashreplace")
    # This also covers tracebacks, which Python prints after the command has ended.
    sys.stdout, sys.stderr = map(safely, (sys.stdout, sys.stderr))
    main(list(arguments), prog_name="cr")
