"""The start of `cr`: the table of commands, each imported when it is called; and how all of them end."""

import atexit
import importlib
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn, TextIO, cast

import click

from variorum import errors
from variorum.cli.command import HelpFormatter, complete, explained, option
from variorum.records.answer import json_text
from variorum.terminal import SafeStream

# The groups of `cr --help`: each command with its module and its line of help. The last is not listed.
_TABLE = """\
Look up
  show       variorum.cli.rules           Show a rule, a section or a term; "show" is optional.
  search     variorum.cli.search          Search rules and glossary: --ever (all editions).
  card       variorum.cli.search          Show a card and the rules that govern it.
  history    variorum.cli.rules           Show a rule through time: --words, --evidence, --witnesses.
  where      variorum.cli.rules           Find a rule's number in another edition: --from, --to.
  refs       variorum.cli.rules           Show what a rule cites, and what cites it.
  toc        variorum.cli.rules           List chapters and sections.
  glossary   variorum.cli.rules           List terms, or show an entry.
Between editions
  diff       variorum.cli.changes         Show what changed between two editions, or in one rule.
  changes    variorum.cli.changes         Show what an edition changed: a digest, or --all.
  since      variorum.cli.changes         Show what changed since a date: a digest, or --all.
  editions   variorum.cli.editions        List all editions.
  crosswalk  variorum.cli.editions        List old and new numbers of all rules: --csv, --sed.
  export     variorum.cli.editions        Print a whole edition: --json.
  lint       variorum.cli.editions        Show known errors of an edition.
Your files and your base
  audit      variorum.cli.audit           Find stale citations in your files: --as-of, --blame, --fix.
  identify   variorum.cli.documents       Find the source of quoted words, or the edition of a document.
  sync       variorum_crawler.cli.sync    Fetch new editions and build them in.
  build      variorum.cli.documents       Add documents to the knowledge base.
  kb         variorum_crawler.cli.kb      Manage the knowledge base: cards, documents, schema, ...
  site       variorum_site.cli            Build the website of all editions, or show it (--serve).
  mcp        variorum.mcp.command         Serve the rules to language models.
  doctor     variorum_crawler.cli.doctor  Find problems with this set-up, or damage.
Not on the first page
  completion variorum.cli.documents       Print a script that completes commands in a shell.
  demo       variorum.cli.documents       Take a short tour.
  read       variorum.cli.documents       Show what documents are and hold.
"""
GROUPS: dict[str, dict[str, str]] = {}
COMMANDS: dict[str, str] = {}
for _line in _TABLE.splitlines():
    _name, *_rest = _line.split(maxsplit=2)
    if _line[0] != " ":
        UNLISTED = GROUPS[_line] = {}
    else:
        COMMANDS[_name], UNLISTED[_name] = _rest
GROUPS.pop("Not on the first page")
# Former names, which no help mentions, and what they mean.
_FORMER = (
    "accept: kb accept, archive: kb documents, ask: search, blame: history --words, cards: kb cards, "
    "check: doctor --deep, ledger: read --ledger, resolve: identify, schema: kb schema, "
    "serve: site --serve, verify: doctor --deep, version: --version, why: history --evidence, "
    "witnesses: history --witnesses"
)
_MEANT = {name: [name] for name in COMMANDS}
_MEANT |= {name: words.split() for name, words in re.findall(r"(\w+): ([^,]+)", _FORMER)}
_TELLING = {"--to": "where", "--from": "where", "--words": "history"}  # the command left out
click.Context.formatter_class = HelpFormatter


def arranged(arguments: Sequence[str]) -> list[str]:
    """Return arguments with the command first; without a command, they are a question for `show`.

    >>> arranged(["--kb", "rules", "blame", "511"])
    ['history', '--words', '--kb', 'rules', '511']
    >>> arranged(["help", "diff"]), arranged(["toc", "--sample"]), arranged(["511", "--to", "M11"])
    (['diff', '--help'], ['--sample', 'toc'], ['where', '511', '--to', 'M11'])
    """
    options = arguments[: [*arguments, "--"].index("--")]
    if "--sample" in options:
        return ["--sample", *arranged([it for it in arguments if it != "--sample"])]
    if options[:1] == ["help"]:
        named = options[1:]
        return [*(arranged(named) if {*named[:1]} <= _MEANT.keys() else named), "--help"]
    # Options may come before the command.
    for place, word in enumerate(options if options and options[0][:1] == "-" else options[:1]):
        if word in _MEANT:
            rest = [it for at, it in enumerate(arguments) if at != place]
            needed = rest if word in {"search", "ask"} else [it for it in rest if it != "--in"]
            is_since = word == "changes" and "since" in needed  # "changes in trample since M10"
            return [*_MEANT["since" if is_since else word], *needed]
    is_own = not arguments or arguments[0] in {"-h", "--help", "--version"}
    command = next((_TELLING[it] for it in options if it in _TELLING), "show")
    return [*arguments] if is_own else [command, *arguments]


class Commands(click.Group):
    """A group that imports commands on demand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments in the order that click expects."""
        return super().parse_args(ctx, arranged(args))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete commands, and numbers and terms in their place."""
        from click.shell_completion import CompletionItem

        questions = complete(ctx, None, incomplete) if incomplete[:1].isalnum() else []
        return [*super().shell_complete(ctx, incomplete), *map(CompletionItem, questions)]

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names of the commands that help lists."""
        return sorted(COMMANDS.keys() - UNLISTED.keys())

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        module = COMMANDS.get(cmd_name)
        return cast("Any", getattr(importlib.import_module(module), cmd_name)) if module else None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in groups, without importing them; then name the options."""
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<9}", words) for name, words in group.items()])
        names = [param.opts[-1] for param in self.get_params(ctx)]
        formatter.write(f"\nOptions: {', '.join(names)}. Of most commands: --on EDITION, --json.\n")
        formatter.write("More: cr help COMMAND. Exit codes and environment variables: man cr.\n")


@click.group(
    cls=Commands,
    invoke_without_command=True,
    params=[option("--sample", "Use the sample rulebook: nine editions of an invented game.", {})],
    # Colours are decided at output; click would strip escapes that documents contain.
    context_settings={"help_option_names": ["-h", "--help"], "color": True},
)
@click.version_option(package_name="variorum", prog_name="cr")
@click.pass_context
def cr(ctx: click.Context, /, **_: object) -> None:
    """Every edition of the Comprehensive Rules, side by side.

    cr 511.2                    a rule today, and what its number meant before
    cr 600.4a --on 2007-10-01   as it was that day
    cr --sample 511.2           in the sample rulebook, without a download
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def misspelt(arguments: Sequence[str]) -> str:
    """Return what to say of arguments whose first word looks like a misspelt command, else ""."""
    from difflib import get_close_matches
    from shlex import join

    word = next(iter(arguments), "")
    is_word = word[2:] and word not in {*_MEANT, "how"}  # no misspelt "show"
    names = [name for group in GROUPS.values() for name in group] if is_word else []
    meant = get_close_matches(word.lower(), names, 1, 0.7)
    typed = join(["cr", *meant, *arguments[1:]])
    return f"{word!r} is not a command; type: {typed}" if meant else ""


def _fail(error: BaseException, arguments: Sequence[str]) -> int:
    if isinstance(error, errors.NoBaseError | errors.NotFoundError | click.UsageError):
        error = click.UsageError(said) if (said := misspelt(arguments)) else error
    code, shown = getattr(error, "exit_code", errors.INPUT_OUTPUT), ""
    match error:
        case errors.VariorumError():
            kind, message, shown = error.kind, str(error), explained(error)
        case click.ClickException():
            kind = "wrong usage" if code == errors.WRONG_USAGE else "failed"
            is_option = isinstance(error, click.NoSuchOption)  # click proposes unlike ones
            message = error.message if is_option else error.format_message()
            if (ctx := getattr(error, "ctx", None)) and ctx.parent:
                path = "cr" if arguments[0][:1] == "-" else ctx.command_path
                message = f"{message.rstrip('.')}; {path} --help shows what it takes"
                is_term = ctx.info_name in {"card", "search"}
                if is_term and isinstance(error, click.MissingParameter):
                    message += f"; the term: cr show {ctx.info_name}"
        case click.Abort() | KeyboardInterrupt():
            kind, message, code = "interrupted", "interrupted", errors.INTERRUPTED
        case UnicodeEncodeError():  # only names of files may have such bytes
            kind, message, code = "wrong usage", "an argument has bytes that are no text", 2
        case OSError(strerror=str(reason), filename=file):  # one without a file concerns output
            kind, message = "input or output", f"{file or 'cannot write'}: {reason}"
        case _:
            raise error
    click.echo(f"cr: {shown or message}", err=True)
    options = " ".join(arguments[: [*arguments, "--"].index("--")])
    if re.search(r"--jsonl?( |$)|--format[ =]json", options):
        from variorum.records.upkeep import Failure

        known = error.known if isinstance(error, errors.NotFoundError) else {}
        failure = Failure(kind, message, code, **known)
        with suppress(OSError):  # there may be nowhere left to print to
            click.echo(json_text({"error": failure}, 0 if "--jsonl" in options else 1))
    return code


def run(arguments: Sequence[str]) -> int:
    """Run `cr` with output that escapes what commands a terminal; return its exit code."""
    # One that was closed is None.
    streams: list[Any] = [it or open(os.devnull, "w") for it in (sys.stdout, sys.stderr)]  # noqa: PTH123, SIM115
    for stream in streams:
        # Redirected output is UTF-8 on every platform, so that scripts can rely on it.
        # The name of a file may have bytes that are not text; they are printed escaped.
        encoding = stream.encoding if stream.isatty() and stream.encoding != "ascii" else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace")
    safe = [it if isinstance(it, SafeStream) else SafeStream(it) for it in streams]
    sys.stdout, sys.stderr = cast("list[TextIO]", safe)
    try:
        # Click would choose other exit codes.
        ended = cr.main([*arguments], prog_name="cr", standalone_mode=False)
        streams[0].flush()
        return ended if isinstance(ended, int) else 0
    except click.exceptions.NoArgsIsHelpError as group:
        click.echo(group.format_message())
        return 0
    except (SystemExit, BrokenPipeError) as end:
        if isinstance(end, SystemExit) and isinstance(sys.stdout, SafeStream):
            return cast("int", end.code or 0)  # the shell asked for completions
        # Click replaces a closed pipe.
        with suppress(OSError, ValueError):  # nothing is left to be flushed
            os.dup2(os.open(os.devnull, os.O_WRONLY), streams[0].fileno())
        return 141  # as of a program that SIGPIPE ends
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - a bug is raised again
        return _fail(error, arguments)
    finally:
        sys.stdout, sys.stderr = streams


def process() -> NoReturn:
    """Run the command, and leave at once: to unload modules takes as long as a look-up."""
    codes = list[int]()
    # Registered first, it is called last: temporary folders are removed before.
    atexit.register(lambda: os._exit(codes[0]) if codes else None)
    # What is temporary is removed also when the process is told to end.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # a closed pipe, or a full disk, which was said
            stream.flush()
    codes.append(code)
    sys.exit(code)
