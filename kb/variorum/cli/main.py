"""The table of commands, each imported when it is called, and the start of `cr`."""

import difflib
import importlib
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import click
from click.shell_completion import CompletionItem

from variorum.cli.command import SAMPLE, complete_question, open_base
from variorum.cli.failures import fail
from variorum.cli.help import HelpContext, HelpFormatter, show_topic, walk_commands
from variorum.cli.layout import fitted
from variorum.errors import WRONG_USAGE, NoBaseError, NotFoundError, VariorumError
from variorum.terminal import COLOUR_CHOICES, SafeStream, note_width, take_terminal_options
from variorum.text import counted

if TYPE_CHECKING:
    from typing import TextIO

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
    "rules": ("show", "toc", "refs"),
    "glossary": ("glossary",),
    "steps": ("history",),
    "numbers": ("where", "crosswalk"),
    "changes": ("diff", "changes", "since"),
    "words": ("search", "identify"),
    "cards": ("ask", "card"),
    "editions": ("editions", "export", "lint"),
    "audit": ("audit",),
    "upkeep": ("build", "read", "demo", "completion"),
}
# The module of each command; those of other packages are only imported when called.
COMMANDS = {
    **{name: f"variorum.cli.{module}" for module, names in _MODULES.items() for name in names},
    "sync": "variorum_crawler.cli.sync",
    "kb": "variorum_crawler.cli.kb",
    "doctor": "variorum_crawler.cli.doctor",
    "site": "variorum_site.cli",
    "mcp": "variorum.mcp.command",
}
# Aliases, which no help mentions: former names, and names that other tools have.
OTHER_NAMES = {
    "accept": ("kb", "accept"),
    "archive": ("kb", "documents"),
    "blame": ("history", "--words"),
    "cards": ("kb", "cards"),
    "check": ("doctor", "--deep"),
    "ledger": ("read", "--ledger"),
    "log": ("history",),
    "preview": ("diff", "current"),
    "resolve": ("identify", "--quoted"),
    "schema": ("kb", "schema"),
    "serve": ("site", "--serve"),
    "why": ("history", "--evidence"),
    "witnesses": ("history", "--witnesses"),
}
# Words that are answered with a suggestion: what other tools call a command.
_LIKELY_MEANT = {
    "annotate": "history --words",
    "compare": "diff",
    "contents": "toc",
    "find": "search",
    "get": "show",
    "grep": "search",
    "list": "editions",
    "ls": "editions",
    "update": "sync",
    "verify": "doctor --deep",
    "watch": "audit PATH --changed-since EDITION",
}
# Options before a command that take a value.
_WITH_VALUE = ("--kb", "--on", "--from", "--to")
_OF_THE_PROGRAM = ("-h", "--help", "--version")
_OWN_OPTIONS = {*_OF_THE_PROGRAM, "--color"}
# The least likeness of a word to a command that may be meant.
_MISSPELT, _FEWEST_LETTERS = 0.75, 3
# The exit code of a program that SIGPIPE ends.
CLOSED_PIPE = 141
# The key in the context for a question without a command.
_BARE = "variorum.bare"


class MisspeltCommandError(VariorumError):
    """A word is neither a command nor in the rules; the message suggests a command."""

    kind, exit_code = "wrong usage", WRONG_USAGE


def arranged(arguments: list[str]) -> list[str]:
    """Return arguments in the order that the program expects: a command, then its options.

    >>> arranged(["--kb", "rules", "blame", "511"])
    ['history', '--words', '511', '--kb', 'rules']
    >>> arranged(["help", "diff"]), arranged(["version"]), arranged(["--on", "M10", "702.19"])
    (['diff', '--help'], ['--version'], ['--on', 'M10', '702.19'])
    """
    place = _first_word(arguments)
    options, words = arguments[:place], arguments[place:]
    asked = [option for option in options if option in _OF_THE_PROGRAM]
    if not words:
        return asked or arguments
    name, *rest = words
    if name == "version" and not rest:
        return ["--version"]
    if name == "help":
        topic = [*OTHER_NAMES.get(rest[0], rest[:1]), *rest[1:]] if rest else []
        return [*topic, "--help"] if not topic or topic[0] in COMMANDS else words
    name, *more = OTHER_NAMES.get(name, (name,))
    if name not in COMMANDS:
        return arguments
    rest = [*more, *rest]
    return [name, *options, *rest] if "--" in rest else [name, *rest, *options]


def _first_word(arguments: Sequence[str]) -> int:
    """Return the place of the first argument that is neither an option nor its value."""
    place = 0
    while place < len(arguments) and arguments[place][:1] == "-" != arguments[place]:
        place += 2 if arguments[place] in _WITH_VALUE else 1
    return place


class Commands(click.Group):
    """A group that imports commands on demand and prints our own errors as one line."""

    context_class = HelpContext

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; anything that is not a command is a question for `show`."""
        end = args.index("--") if "--" in args else len(args)
        ctx.meta[SAMPLE] = "--sample" in args[:end]
        args = [*(word for word in args[:end] if word != "--sample"), *args[end:]]
        args = arranged(take_terminal_options(args))
        if args and args[0] not in COMMANDS and args[0].partition("=")[0] not in _OWN_OPTIONS:
            if args[0] == "help":
                show_topic(ctx, args[1])
            ctx.meta[_BARE] = args
            args = ["show", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
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
            subcommand.context_class = HelpContext
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in groups, without importing them; then name the options."""
        widest = max(len(name) for group in GROUPS.values() for name in group)
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{widest}}", words) for name, words in group.items()])
        formatter.write("\n")
        names = [param.opts[-1] for param in self.get_params(ctx) if param.opts != ["--color"]]
        cast("HelpFormatter", formatter).write_paragraphs(
            [
                f"Options: {', '.join(names)}, --color WHEN.",
                "More: cr help COMMAND, and cr help exit-codes, environment, json.",
            ]
        )

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
            code = fail(error, arguments)
        finally:
            sys.stdout, sys.stderr = streams
        sys.exit(code)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; tell what was meant if a question without a command finds nothing."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            with suppress(OSError, ValueError):  # nothing is left to be flushed
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(CLOSED_PIPE) from None
        except (NoBaseError, NotFoundError, click.UsageError) as error:
            instead = misspelt(ctx.meta.get(_BARE, ()))
            if instead is None:
                raise _with_term(error) from None
            raise instead from error


def _with_term(error: Exception) -> Exception:
    """Return an error; that of a command without arguments tells of a term with its name."""
    if not isinstance(error, click.MissingParameter) or error.ctx is None:
        return error
    name = error.ctx.info_name or ""
    try:
        with open_base(error.ctx.params.get("kb")) as base:
            terms = [state.heading for state in base.matches(name, base.edition("current"))]
    except VariorumError:
        return error
    if terms:
        told = f"{error.format_message().rstrip('.')}; the term “{terms[0]}”: cr show {name}"
        return click.UsageError(told, error.ctx)
    return error


def misspelt(arguments: Sequence[str]) -> MisspeltCommandError | None:
    """Return the error for arguments whose first word looks like a misspelt command, else None."""
    place = _first_word(arguments)
    if place >= len(arguments):
        return None
    word = arguments[place]
    names = [name for names in GROUPS.values() for name in names]
    begun = [
        name for name in names if len(word) >= _FEWEST_LETTERS and name.startswith(word.lower())
    ]
    like = difflib.get_close_matches(word.lower(), names, cutoff=_MISSPELT)
    guess = begun[0] if len(begun) == 1 else like[0] if like else ""
    meant = _LIKELY_MEANT.get(word.lower(), guess)
    if not meant:
        return None
    typed = shlex.join(["cr", *meant.split(), *arguments[:place], *arguments[place + 1 :]])
    return MisspeltCommandError(f"{word!r} is not a command; type: {typed}")


@click.group(
    cls=Commands,
    invoke_without_command=True,
    # Colours are decided at output; click would strip escapes that documents contain.
    context_settings={"help_option_names": ["-h", "--help"], "color": True},
)
@click.option(
    "--sample",
    is_flag=True,
    expose_value=False,
    help="Use the sample rulebook that ships, nine editions of an invented game.",
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


# Output -------------------------------------------------------------------------------------------


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
