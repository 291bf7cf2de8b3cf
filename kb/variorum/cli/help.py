"""Help pages: the docstring of a command, how `--help` formats it, and the topics of `cr help`.

A docstring holds a summary, paragraphs and examples. An example is a line that begins with a
command, two blanks or more, and what it does.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from typing import NamedTuple

import click

from variorum.cli.layout import wrap
from variorum.terminal import terminal_size

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
    """The text of a help page: its first paragraph, its examples and the other paragraphs."""

    summary: str
    examples: tuple[Example, ...]
    paragraphs: tuple[str, ...]


def parse_help(text: str) -> HelpText:
    r"""Return the parts of a command's docstring.

    >>> parse_help("Show a rule.\n\nLong.\n\ncr 1   the first\ncr 2")[1]
    (Example(command='cr 1', meaning='the first'), Example(command='cr 2', meaning=''))
    """
    examples: list[Example] = []
    paragraphs: list[str] = []
    for part in cleandoc(text).split("\n\n"):
        lines = part.removeprefix("\b\n").strip()
        if lines.startswith(("cr ", "eval ")):
            for line in lines.split("\n"):
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
        self.write_paragraphs([page.summary])
        if page.examples:
            with self.section("Examples" if len(page.examples) > 1 else "Example"):
                self.write_dl(page.examples, _LONGEST_EXAMPLE)
        for paragraph in page.paragraphs:
            self.write("\n")
            self.write_paragraphs([paragraph])

    def write_paragraphs(self, texts: Iterable[str]) -> None:
        """Write paragraphs without blank lines between them."""
        margin = " " * self.current_indent
        for text in texts:
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


# Topics -------------------------------------------------------------------------------------------

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
_TEXTS = {
    "environment": "Environment variables.",
    "exit-codes": """Exit codes, the same for every command.

    Findings are problems that cr doctor, cr kb, cr audit, cr read, cr build and cr sync report.
    cr lint, cr diff, cr changes and cr since exit 0 unless --exit-code is given. If both 1 and 3
    apply, the exit code is 3.
    """,
    "json": """JSON, for scripts.

    cr 704.5k --json             a list of provisions, each with its edition and text
    cr editions --jsonl          one edition a line
    cr history 704.5k --json

    Most commands take --json; lists take --jsonl, one item a line. Keys are never renamed within a
    major version. A failure is one object on stdout, {"error": {"kind", "message", "exit_code", ...}},
    and its message is also on stderr. docs/json.md explains every key. cr kb schema prints
    a JSON Schema of each answer.
    """,
}
_TERMS = {
    "environment": ("Variables", ENVIRONMENT),
    "exit-codes": ("Exit codes", EXIT_CODES),
}


def show_topic(ctx: click.Context, name: str) -> None:
    """Print the help page of a topic and exit.

    Raises:
        click.UsageError: There is no such topic.
    """
    if name not in _TEXTS:
        raise click.UsageError(
            f"no command {name!r}; cr --help lists them. Other topics: {', '.join(_TEXTS)}", ctx
        )
    formatter = HelpFormatter()
    formatter.write_text(_TEXTS[name])
    if name in _TERMS:
        title, terms = _TERMS[name]
        with formatter.section(title):
            formatter.write_dl(terms)
    click.echo(formatter.getvalue(), nl=False)
    ctx.exit()
