"""Help pages: the docstring of a command, and how `--help` formats it.

A docstring holds a summary, paragraphs and examples. The line before the examples tells
click to keep line breaks. An example is a command, two blanks or more, and what it does.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from typing import NamedTuple

import click

from variorum.cli.pages.provisions import wrap
from variorum.terminal import terminal_size

_KEPT = "\b\n"
_WIDEST = 80
# On a narrower page, the meaning of a command or option is printed below it.
_NARROW = 70
_LONGEST_TERM = 34
_LONGEST_EXAMPLE = 40


class Example(NamedTuple):
    """A command line of a help page, and what it does ("" if obvious)."""

    command: str
    meaning: str


class HelpText(NamedTuple):
    """The text of a help page.

    Attributes:
        summary: Its first paragraph.
        examples: In the order shown.
        paragraphs: The paragraphs after the summary.
    """

    summary: str
    examples: tuple[Example, ...]
    paragraphs: tuple[str, ...]


def parse_help(text: str) -> HelpText:
    r"""Return the parts of a command's docstring.

    >>> parse_help("Show a rule.\n\nLong.\n\n\b\ncr 1   the first\ncr 2")[1]
    (Example(command='cr 1', meaning='the first'), Example(command='cr 2', meaning=''))
    """
    examples: list[Example] = []
    paragraphs: list[str] = []
    for part in cleandoc(text).split("\n\n"):
        if part.startswith(_KEPT):
            for line in part.removeprefix(_KEPT).split("\n"):
                command, meaning, *_ = [*re.split(r" {2,}", line.strip(), maxsplit=1), ""]
                examples.append(Example(command, meaning))
        else:
            paragraphs.append(" ".join(part.split()))
    summary, *others = paragraphs or [""]
    return HelpText(summary, tuple(examples), tuple(others))


def walk_commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield a command with its full name, then its subcommands."""
    yield name, command
    if isinstance(command, click.Group):
        for below, subcommand in command.commands.items():
            yield from walk_commands(subcommand, f"{name} {below}")


class HelpFormatter(click.HelpFormatter):
    """Formats help pages: examples before details; words and options are never broken."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        """Format for the width of the terminal by default."""
        columns = width or min(terminal_size(sys.stdout)[0], max_width or _WIDEST)
        super().__init__(indent_increment, columns)

    def write_text(self, text: str) -> None:
        """Write the text of a help page: summary, examples, details."""
        page = parse_help(text)
        self._write_paragraph(page.summary)
        if page.examples:
            with self.section("Examples" if len(page.examples) > 1 else "Example"):
                self.write_dl(page.examples, _LONGEST_EXAMPLE)
        for paragraph in page.paragraphs:
            self.write("\n")
            self._write_paragraph(paragraph)

    def _write_paragraph(self, text: str) -> None:
        margin = " " * self.current_indent
        for line in wrap(text, self.width - self.current_indent):
            self.write(f"{margin}{line}\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _LONGEST_TERM, col_spacing: int = 2
    ) -> None:
        """Write terms with their meanings, beside them or, on a narrow page, below."""
        rows = list(rows)
        margin = " " * self.current_indent
        widest = max([len(term) for term, _ in rows if len(term) <= col_max], default=0)
        column = len(margin) + widest + col_spacing if self.width >= _NARROW else len(margin) + 4
        for term, meaning in rows:
            lines = wrap(meaning, self.width - column) if meaning else []
            first = f"{margin}{term}"
            if lines and len(first) + col_spacing <= column:
                first = f"{first:<{column}}{lines.pop(0)}"
            self.write("\n".join([first, *(" " * column + line for line in lines)]) + "\n")


class HelpContext(click.Context):
    """A context with our format of help pages."""

    formatter_class = HelpFormatter
