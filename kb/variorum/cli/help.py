"""Help pages: what a docstring says of a command, and how `--help` shows it.

A docstring holds a summary, paragraphs, examples and options. An example is a line that begins with a
command, two blanks or more, and what it does; an option is a line of the same kind.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from textwrap import wrap
from typing import NamedTuple

import click

from variorum.terminal import terminal_size

_WIDEST = 80
# On a narrower page, the meaning of a command or option is printed below it.
_NARROW = 70
_LONGEST_TERM, _LONGEST_EXAMPLE = 34, 40
ENVIRONMENT = (
    ("VARIORUM_KB", "Folder of the knowledge base. Default: the platform's data folder."),
    ("VARIORUM_SITE", "Address of your copy of the website, used in links."),
    ("VARIORUM_CACHE", "Folder of the search indexes. Default: the platform's cache folder."),
    ("CR_PAGER, PAGER", "Command that shows long answers. Default: less. Empty: no pager."),
    ("NO_COLOR", "If set, no colour is used unless --color=always is given."),
    ("TERM", "If dumb, neither colour nor pager is used."),
    ("COLUMNS", "Width to use instead of the one that the terminal reports."),
)
EXIT_CODES = (
    ("0", "Found."),
    ("1", "Not found, or there are findings."),
    ("2", "Wrong usage, or an ambiguous name."),
    ("3", "The knowledge base or a file cannot be read or written."),
    ("10", "Only cr sync --exit-code: there is a new edition."),
    ("130", "Interrupted."),
    ("141", "The reader of a pipe has gone."),
)


class HelpText(NamedTuple):
    """The text of a help page: its first paragraph, its examples and the other paragraphs.

    An example is a command line, and what it does ("" if obvious).
    """

    summary: str
    examples: tuple[tuple[str, str], ...]
    paragraphs: tuple[str, ...]


def parse_help(text: str) -> HelpText:
    r"""Return the parts of a command's help.

    >>> parse_help("Show a rule.\n\nLong.\n\ncr 1   the first\ncr 2")[1]
    (('cr 1', 'the first'), ('cr 2', ''))
    """
    examples: list[tuple[str, str]] = []
    paragraphs: list[str] = []
    for part in cleandoc(text).split("\n\n"):
        lines = part.removeprefix("\b\n").strip()
        if lines.startswith(("cr ", "eval ")):
            for line in lines.split("\n"):
                command, meaning, *_ = [*re.split(r" {2,}", line.strip(), maxsplit=1), ""]
                examples.append((command, meaning))
        else:
            paragraphs.append(" ".join(part.split()))
    return HelpText(paragraphs[0], tuple(examples), tuple(paragraphs[1:]))


def split_options(docstring: str) -> tuple[str, list[tuple[str, str]]]:
    r"""Split a docstring into the text of the help page and its options with their help.

    >>> split_options("Show a rule.\n\n--on EDITION  The edition: a day\n    or a set.\n--json")
    ('Show a rule.', [('--on EDITION', 'The edition: a day or a set.'), ('--json', '')])
    """
    text, options = list[str](), list[tuple[str, str]]()
    for part in cleandoc(docstring).split("\n\n"):
        if not part.startswith("-"):
            text.append(part)
            continue
        for line in part.split("\n"):
            if line.startswith("-"):
                name, words, *_ = [*re.split(r" {2,}", line, maxsplit=1), ""]
                options.append((name, words))
            else:
                name, words = options.pop()
                options.append((name, f"{words} {line.strip()}"))
    return "\n\n".join(text), options


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
        columns = width or min(terminal_size(sys.stdout)[0], max_width or _WIDEST)
        super().__init__(indent_increment, columns)

    def write_text(self, text: str) -> None:
        """Write the text of a help page: summary, examples, details."""
        page = parse_help(text)
        self.write_words(page.summary)
        if page.examples:
            with self.section("Examples" if len(page.examples) > 1 else "Example"):
                self.write_dl(page.examples, _LONGEST_EXAMPLE)
        for paragraph in page.paragraphs:
            self.write("\n")
            self.write_words(paragraph)

    def write_words(self, text: str) -> None:
        """Write a paragraph."""
        for line in _wrapped(text, self.width - self.current_indent):
            self.write(f"{' ' * self.current_indent}{line}\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _LONGEST_TERM, col_spacing: int = 2
    ) -> None:
        """Write terms with their meanings, beside them or, on a narrow page, below."""
        rows = list(rows)
        margin = " " * self.current_indent
        widest = max([len(term) for term, _ in rows if len(term) <= col_max], default=0)
        column = len(margin) + widest + col_spacing if self.width >= _NARROW else len(margin) + 4
        for term, meaning in rows:
            lines = _wrapped(meaning, self.width - column)
            first = f"{margin}{term}"
            if lines and len(first) + col_spacing <= column:
                first = f"{first:<{column}}{lines.pop(0)}"
            self.write("\n".join([first, *(" " * column + line for line in lines)]) + "\n")


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False)


class HelpContext(click.Context):
    """A context with our format of help pages."""

    formatter_class = HelpFormatter
