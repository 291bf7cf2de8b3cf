"""The start of `cr`: the table of commands, each imported when it is called; and how all of them end."""

import gc
import importlib
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO, cast

import click

from variorum.cli.command import complete_question, open_base, options_of_the_program
from variorum.cli.help import HelpContext, HelpFormatter, walk_commands
from variorum.errors import (
    INPUT_OUTPUT,
    INTERRUPTED,
    WRONG_USAGE,
    NoBaseError,
    NotFoundError,
    VariorumError,
)
from variorum.records.answer import json_text
from variorum.terminal import DEFAULTS, SafeStream, wished
from variorum.text import counted

if TYPE_CHECKING:
    from io import TextIOWrapper

    from click.shell_completion import CompletionItem

# The groups of `cr --help`: the commands of each, with their one-line help.
GROUPS = {
    "Look up": {
        "show": 'Show a rule, a section or a term; "show" is optional.',
        "search": "Search rules and glossary.",
        "card": "Show a card and the rules that govern it.",
        "history": "Show a rule through time: --words, --evidence, --witnesses.",
        "where": "Find a rule's number in another edition.",
        "refs": "Show what a rule cites, and what cites it.",
        "toc": "List chapters and sections.",
        "glossary": "List terms, or show an entry.",
    },
    "Between editions": {
        "diff": "Show what changed between two editions, or in a draft.",
        "changes": "Show what an edition changed.",
        "since": "Show what changed since a date.",
        "editions": "List all editions.",
        "crosswalk": "List old and new numbers of all rules.",
        "export": "Print a whole edition.",
        "lint": "Show known errors of an edition.",
    },
    "Your files and your base": {
        "audit": "Find stale citations in your files.",
        "identify": "Find the source of quoted words, or the edition of a document.",
        "sync": "Fetch new editions and build them in.",
        "build": "Add documents to the knowledge base.",
        "kb": "Manage the knowledge base: cards, documents, schema, ...",
        "site": "Build the website of all editions, or show it (--serve).",
        "mcp": "Serve the rules to language models.",
        "doctor": "Find problems with this set-up, or damage.",
    },
}
# Commands that no help lists.
HIDDEN = ("ask", "completion", "demo", "read")
_MODULES = {
    "rules": "show toc refs glossary",
    "history": "history",
    "numbers": "where crosswalk",
    "changes": "diff changes since",
    "words": "search identify",
    "cards": "ask card",
    "editions": "editions export lint",
    "audit": "audit",
    "upkeep": "build read demo completion",
}
# The module of each command; those of other packages are only imported when called.
COMMANDS = {
    **{
        each: f"variorum.cli.{module}" for module, some in _MODULES.items() for each in some.split()
    },
    "sync": "variorum_crawler.cli.sync",
    "kb": "variorum_crawler.cli.kb",
    "doctor": "variorum_crawler.cli.doctor",
    "site": "variorum_site.cli",
    "mcp": "variorum.mcp.command",
}
# Aliases, which no help mentions: former names, and names that other tools have.
OTHER_NAMES = {
    "accept": "kb accept",
    "annotate": "history --words",
    "archive": "kb documents",
    "blame": "history --words",
    "cards": "kb cards",
    "check": "doctor --deep",
    "compare": "diff",
    "contents": "toc",
    "find": "search",
    "get": "show",
    "grep": "search",
    "ledger": "read --ledger",
    "list": "editions",
    "log": "history",
    "ls": "editions",
    "preview": "diff current",
    "resolve": "identify --quoted",
    "schema": "kb schema",
    "serve": "site --serve",
    "update": "sync",
    "verify": "doctor --deep",
    "version": "--version",
    "why": "history --evidence",
    "witnesses": "history --witnesses",
}
# Options before a command that take a value.
_WITH_VALUE = ("--kb", "--on", "--from", "--to", "--color")
# The least likeness of a word to a command that may be meant.
_MISSPELT, _FEWEST_LETTERS = 0.75, 3
# The exit code of a program that SIGPIPE ends.
_CLOSED_PIPE = 141


class MisspeltCommandError(VariorumError):
    """A word is neither a command nor in the rules; the message suggests a command."""

    kind, exit_code = "wrong usage", WRONG_USAGE


# Arguments ----------------------------------------------------------------------------------------


def arranged(arguments: Sequence[str]) -> list[str]:
    """Return arguments with the command first; without a command, they are a question for `show`.

    >>> arranged(["--kb", "rules", "blame", "511"])
    ['history', '--words', '511', '--kb', 'rules']
    >>> arranged(["help", "diff"]), arranged(["version"]), arranged(["--on", "M10", "702.19"])
    (['diff', '--help'], ['--version'], ['show', '--on', 'M10', '702.19'])
    """
    place = _first_word(arguments)
    options, words = arguments[:place], arguments[place:]
    if not words:
        return [*arguments]
    name, *rest = words
    if name == "help" and rest:
        topic = [*OTHER_NAMES.get(rest[0], rest[0]).split(), *rest[1:]]
        return [*topic, "--help"] if topic[0] in COMMANDS else [*words]
    if name == "help":
        return ["--help"]
    name, *more = OTHER_NAMES.get(name, name).split() or [name]
    if name not in COMMANDS:
        return [name] if name == "--version" else ["show", *arguments]
    rest = [*more, *rest]
    return [name, *options, *rest] if "--" in rest else [name, *rest, *options]


def _first_word(arguments: Sequence[str]) -> int:
    """Return the place of the first argument that is neither an option nor its value."""
    place = 0
    while place < len(arguments) and arguments[place][:1] == "-" != arguments[place]:
        place += 2 if arguments[place] in _WITH_VALUE else 1
    return place


class Commands(click.Group):
    """A group that imports commands on demand."""

    context_class = HelpContext

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments in the order that click expects."""
        args = arranged(args)
        if args and args[0] == "help":
            raise click.UsageError(f"no command {args[1]!r}; cr --help lists them", ctx)
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete commands, and numbers and terms in their place."""
        commands = super().shell_complete(ctx, incomplete)
        if not incomplete or incomplete.startswith("-"):
            return commands
        return [*commands, *complete_question(ctx, ctx.command.params[0], incomplete)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands that help lists."""
        del ctx
        return sorted(COMMANDS.keys() - {*HIDDEN})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(COMMANDS[cmd_name]), cmd_name)
        for _, subcommand in walk_commands(command, cmd_name):
            if subcommand.context_class is not HelpContext:
                subcommand.context_class = HelpContext
                subcommand.params += options_of_the_program(hidden=True)
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in groups, without importing them; then name the options."""
        widest = max(len(name) for group in GROUPS.values() for name in group)
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{widest}}", words) for name, words in group.items()])
        formatter.write("\n")
        names = [param.opts[-1] for param in self.get_params(ctx)]
        page = cast("HelpFormatter", formatter)
        page.write_words(f"Options: {', '.join(names)}.")
        page.write_words("More: cr help COMMAND. Exit codes and environment variables: man cr.")

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; end quietly if nobody reads on."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            with suppress(OSError, ValueError):  # nothing is left to be flushed
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(_CLOSED_PIPE) from None


@click.group(
    cls=Commands,
    invoke_without_command=True,
    params=[*options_of_the_program(hidden=False)],
    # Colours are decided at output; click would strip escapes that documents contain.
    context_settings={"help_option_names": ["-h", "--help"], "color": True},
)
@click.version_option(package_name="variorum", prog_name="cr")
@click.pass_context
def cr(ctx: click.Context) -> None:
    """Every edition of the Comprehensive Rules, side by side.

    cr 511.2                    a rule today, and what its number meant before
    cr 600.4a --on 2007-10-01   as it was that day
    cr --sample 511.2           in the sample rulebook, without a download
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        try:
            with open_base(None) as base:
                ends = f"{base.edition('first').label} to {base.edition('latest').label}"
                held = counted(len(base.editions), "edition")
                click.echo(f"\nThe knowledge base holds {held}, {ends}.")
        except VariorumError as error:
            click.echo(f"\n{error}")


# Failures -----------------------------------------------------------------------------------------


def explained(error: VariorumError) -> str:
    """Return the line of an error, and further lines of it; with `--debug`, its traceback."""
    if not wished["debug"]:
        return "\n  ".join([str(error), *error.also])
    from traceback import format_exception

    return f"{error}\n{''.join(format_exception(error)).rstrip()}"


def _meant(error: BaseException, arguments: Sequence[str]) -> BaseException:
    """Return an error, or what was meant by a question without a command that found nothing."""
    if not isinstance(error, NoBaseError | NotFoundError | click.UsageError):
        return error
    instead = misspelt(arguments)
    if instead or not isinstance(error, click.MissingParameter) or error.ctx is None:
        return instead or error
    # A term may have the name of a command.
    name = error.ctx.info_name or ""
    with suppress(VariorumError), open_base(error.ctx.params.get("kb")) as base:
        for state in base.matches(name, base.edition("current")):
            told = (
                f"{error.format_message().rstrip('.')}; the term “{state.heading}”: cr show {name}"
            )
            return click.UsageError(told, error.ctx)
    return error


def misspelt(arguments: Sequence[str]) -> MisspeltCommandError | None:
    """Return the error for arguments whose first word looks like a misspelt command, else None."""
    from difflib import get_close_matches
    from shlex import join

    place = _first_word(arguments)
    word = arguments[place].lower() if place < len(arguments) else ""
    if word in COMMANDS or word in OTHER_NAMES:
        return None
    names = [name for names in GROUPS.values() for name in names]
    begun = [each for each in names if len(word) >= _FEWEST_LETTERS and each.startswith(word)]
    meant = begun if len(begun) == 1 else get_close_matches(word, names, cutoff=_MISSPELT)
    if not meant:
        return None
    typed = join(["cr", meant[0], *arguments[:place], *arguments[place + 1 :]])
    return MisspeltCommandError(f"{arguments[place]!r} is not a command; type: {typed}")


def _fail(error: BaseException, arguments: Sequence[str]) -> int:
    """Print a failure, on stdout if JSON was asked for, and return its exit code; raise a bug again."""
    error = _meant(error, arguments)
    if isinstance(error, UnicodeEncodeError):  # only names of files may have such bytes
        error = click.UsageError("an argument has bytes that are no text")
    if isinstance(error, VariorumError):
        kind, message, code = error.kind, str(error), error.exit_code
    elif isinstance(error, click.ClickException):
        kind, message, code = "failed", error.format_message(), error.exit_code
        kind = "wrong usage" if code == WRONG_USAGE else kind
    elif isinstance(error, click.Abort | KeyboardInterrupt):
        kind, message, code = "interrupted", "interrupted", INTERRUPTED
    elif isinstance(error, OSError) and error.strerror:
        # An error without a file concerns output.
        file = "cannot write" if error.filename is None else error.filename
        kind, message, code = "input or output", f"{file}: {error.strerror}", INPUT_OUTPUT
    else:
        raise error
    if isinstance(error, click.ClickException):
        error.show()
    else:
        line = explained(error) if isinstance(error, VariorumError) else message
        click.echo(f"cr: {line}", err=True)
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    is_lines, joined = "--jsonl" in options, " ".join(options)
    if is_lines or "--json" in options or re.search("--format[ =]json", joined):
        from variorum.records.upkeep import Failure, FailureReport

        found = error if isinstance(error, NotFoundError) else NotFoundError("")
        failure = Failure(
            kind,
            message,
            code,
            last_edition=found.last_edition or None,
            last_words=found.last_words or None,
            heirs=list(found.heirs),
            near=list(found.near),
            answer=getattr(error, "answer", None),
        )
        try:
            click.echo(json_text(FailureReport(failure), None if is_lines else 1))
        except OSError:
            return INPUT_OUTPUT  # there is nowhere left to print to
    return code


# Processes ----------------------------------------------------------------------------------------


def run(arguments: Sequence[str]) -> int:
    """Run `cr` with output that escapes what commands a terminal; return its exit code."""
    streams = sys.stdout, sys.stderr
    wished.update(DEFAULTS)
    if not isinstance(sys.stdout, SafeStream):
        sys.stdout = cast("TextIO", SafeStream(sys.stdout))
        sys.stderr = cast("TextIO", SafeStream(sys.stderr))
    try:
        # Click would choose other exit codes.
        ended = cr.main([*arguments], prog_name="cr", standalone_mode=False)
        return ended if isinstance(ended, int) else 0
    except (click.ClickException, click.Abort, VariorumError, OSError, UnicodeError) as error:
        return _fail(error, arguments)
    finally:
        sys.stdout, sys.stderr = streams


def main() -> None:
    """Run the command that the arguments name, and exit with its exit code."""
    # Imports and short answers leave no garbage worth collecting; a long build still collects.
    gc.set_threshold(500_000)
    for stream in (sys.stdout, sys.stderr):
        # Redirected output is UTF-8 on every platform, so that scripts can rely on it.
        # The name of a file may have bytes that are not text; they are printed escaped.
        is_unicode = stream.isatty() and stream.encoding != "ascii"
        encoding = stream.encoding if is_unicode else "utf-8"
        cast("TextIOWrapper", stream).reconfigure(encoding=encoding, errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def process() -> None:
    """Run the command as a process of its own, and end without unloading what it imported."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the stream was closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt as stopped:
        code = _fail(stopped, sys.argv[1:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = code or _CLOSED_PIPE
    except OSError:
        code = code or INPUT_OUTPUT  # the answer could not be written
    os._exit(code)
