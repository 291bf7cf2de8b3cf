"""Help pages: what a docstring says of a command, and how `--help` shows it.

A docstring holds a summary, examples, paragraphs and options. An example is a line that begins with a
command, two blanks or more, and what it does; an option is a line of the same kind.
"""

import re
from inspect import cleandoc
from typing import NamedTuple

import click

ENVIRONMENT = (
    ("VARIORUM_KB", "Folder of the knowledge base. Default: the platform's data folder."),
    ("VARIORUM_SITE", "Address of your copy of the website, used in links."),
    ("VARIORUM_CACHE", "Folder of the search indexes. Default: the platform's cache folder."),
    ("NO_COLOR", "If set, no colour is used."),
    ("TERM", "If dumb, no colour is used."),
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
_SHOWN = re.compile("(cr|eval) ").match


class HelpText(NamedTuple):
    """The text of a help page: its first paragraph, its examples and the other paragraphs.

    An example is a command line, and what it does ("" if obvious).
    """

    summary: str
    examples: tuple[tuple[str, str], ...]
    paragraphs: tuple[str, ...]


def parse_help(text: str) -> HelpText:
    r"""Return the parts of a command's help.

    >>> parse_help("Show a rule.\n\ncr 1   the first\ncr 2")[1]
    (('cr 1', 'the first'), ('cr 2', ''))
    """
    parts = [part.removeprefix("\b\n").strip() for part in cleandoc(text).split("\n\n")]
    examples = [_pair(line) for part in parts if _SHOWN(part) for line in part.split("\n")]
    summary, *paragraphs = [" ".join(part.split()) for part in parts if not _SHOWN(part)]
    return HelpText(summary, tuple(examples), tuple(paragraphs))


def _pair(line: str) -> tuple[str, str]:
    command, meaning, *_ = [*re.split(r" {2,}", line.strip(), maxsplit=1), ""]
    return command, meaning


def split_options(docstring: str) -> tuple[str, list[tuple[str, str]]]:
    r"""Split a docstring into the text of the help page and its options with their help.

    >>> split_options("Show a rule.\n\n--on EDITION  The edition: a day\n    or a set.\n--json")
    ('Show a rule.', [('--on EDITION', 'The edition: a day or a set.'), ('--json', '')])
    """
    parts = cleandoc(docstring).split("\n\n")
    declared = "\n".join([part for part in parts if part.startswith("-")])
    joined = re.sub(r"\n\s+", " ", declared)
    text = "\n\n".join([part for part in parts if not part.startswith("-")])
    return text, [_pair(line) for line in joined.split("\n") if line]


class HelpFormatter(click.HelpFormatter):
    """Click's own, with examples in a section after the summary."""

    def write_text(self, text: str) -> None:
        """Write the text of a help page."""
        page = parse_help(text)
        super().write_text(page.summary)
        if page.examples:
            with self.section("Examples" if len(page.examples) > 1 else "Example"):
                self.write_dl(page.examples, col_max=40)
        for paragraph in page.paragraphs:
            self.write_paragraph()
            super().write_text(paragraph)
