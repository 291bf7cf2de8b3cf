"""The table of commands; each is imported when it is called."""

import errno
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, cast

import click

from variorum_kb.errors import VariorumError

if TYPE_CHECKING:
    from io import TextIOWrapper

# Name, the module that holds the command, its one-line help. Modules of the other packages may
# stand here too, since they are imported only when asked for.
COMMANDS = {
    "demo": ("variorum_kb.cli.demo", "Take a short tour of the sample rulebook."),
    "read": ("variorum_kb.cli.read", "Read documents and prove that nothing was lost."),
}


class Commands(click.Group):
    """A group that loads commands when they are called and shows our own errors as one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name][0])
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except VariorumError as error:
            click.echo(f"cr: {error}", err=True)
            raise click.exceptions.Exit(1) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("variorum"), prog_name="cr")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Every edition of the Comprehensive Rules, side by side.

    \b
    cr demo              a short tour
    cr read FILE         what a document is, and proof that nothing of it is lost
    """  # noqa: D301 - click reads \b
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def run(arguments: Sequence[str]) -> None:
    """Run a command and leave the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # What is redirected to a file is UTF-8 on every platform, or scripts could not rely on it.
        # A file's name may hold bytes that are no text; they are shown escaped.
        encoding = stream.encoding if stream.isatty() else "utf-8"
        cast("TextIOWrapper", stream).reconfigure(encoding=encoding, errors="backslashreplace")
    try:
        main(list(arguments), prog_name="cr", standalone_mode=True)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.stderr.write(f"cr: cannot write: {error.strerror}\n")
        raise SystemExit(1) from None
