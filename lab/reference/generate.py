"""Make the man pages from the help of the command.

The build of the wheel makes them (hatch_build.py); `make reference` makes them for people to read, and
writes the examples of docs/json.md anew. Only those examples are committed.
"""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from variorum.cli.command import ENVIRONMENT, EXIT_CODES, HelpText, parse_help
from variorum.cli.start import COMMANDS, GROUPS, UNLISTED, cr

ROOT = Path(__file__).resolve().parents[2]
MANUAL = Path("kb/man")

# Terms and their meanings: options, variables, exit codes.
Terms = Sequence[tuple[str, str]]


class CommandPage(NamedTuple):
    """A command's part of the reference."""

    name: str
    usage: str
    text: HelpText
    options: Terms


def pages_of(command: click.Command, name: str) -> Iterator[CommandPage]:
    """Yield the pages of a command and its subcommands."""
    ctx = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
    usage = " ".join(command.collect_usage_pieces(ctx))
    records = [param.get_help_record(ctx) for param in command.params]
    options = [record for record in records if record is not None and record[0].startswith("-")]
    yield CommandPage(name, usage, parse_help(command.help or ""), options)
    for below, subcommand in getattr(command, "commands", {}).items():
        yield from pages_of(subcommand, f"{name} {below}")


def groups() -> Iterator[tuple[str, list[CommandPage]]]:
    """Yield the groups of `cr --help`, each with the pages of its commands."""
    for title, group in {**GROUPS, "Not on the first page": UNLISTED}.items():
        commands = {name: getattr(importlib.import_module(COMMANDS[name]), name) for name in group}
        yield (
            title,
            [
                page
                for name, command in commands.items()
                for page in pages_of(command, f"cr {name}")
            ],
        )


# Manual -------------------------------------------------------------------------------------------


def manual() -> dict[str, str]:
    """Return the man pages by file name."""
    listed = [(title, pages) for title, pages in groups()]
    pages = [page for _, group in listed for page in group]
    files = {"cr.1": _man(next(pages_of(cr, "cr")), listed)}
    return files | {f"{page.name.replace(' ', '-')}.1": _man(page, ()) for page in pages}


def _man(page: CommandPage, listed: Sequence[tuple[str, list[CommandPage]]]) -> str:
    name = page.name.replace(" ", "-")
    lines = [
        f'.TH {_roff(name.upper())} 1 "" Variorum "Variorum manual"',
        ".SH NAME",
        f"{_roff(name)} \\- {_roff(page.text.summary.rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {_roff(page.name)}",
        _roff(page.usage),
    ]
    if page.text.paragraphs:
        lines.append(".SH DESCRIPTION")
        for paragraph in page.text.paragraphs:
            lines += [".PP", _roff(paragraph)]
    lines += _section("EXAMPLES", page.text.examples)
    for title, pages in listed:
        below = [(page.name.replace(" ", "-") + "(1)", page.text.summary) for page in pages]
        lines += _section(title.upper(), below)
    lines += _section("OPTIONS", page.options)
    if listed:
        lines += [*_section("ENVIRONMENT", ENVIRONMENT), *_section("EXIT STATUS", EXIT_CODES)]
    else:
        lines += [".SH SEE ALSO", ".BR cr (1)"]
    return "\n".join(lines) + "\n"


def _section(title: str, terms: Terms) -> Iterator[str]:
    if terms:
        yield f".SH {title}"
    for term, meaning in terms:
        yield from (".TP", f".B {_roff(term)}", _roff(meaning) or r"\&")


def _roff(text: str) -> str:
    r"""Escape a text for troff.

    >>> _roff("--on 'x'"), _roff(".5")
    ('\\-\\-on \\(aqx\\(aq', '\\&.5')
    """
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    text = text.replace('"', "\\(dq").replace("~", "\\(ti").replace("^", "\\(ha")
    return f"\\&{text}" if text.startswith(".") else text


def shipped() -> dict[Path, str]:
    """Return the files that the wheel has and the project does not: the man pages."""
    return {MANUAL / name: text for name, text in manual().items()}


def write(root: Path, made: Mapping[Path, str]) -> None:
    """Write files below a folder if they changed, and remove others from the folder of man pages."""
    folder = root / MANUAL
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.relative_to(root) not in made:
            path.unlink()
    for name, text in made.items():
        path = root / name
        if not path.exists() or path.read_bytes() != text.encode():
            path.write_bytes(text.encode())


if __name__ == "__main__":
    from lab.reference.json_examples import write_examples  # needs all that the program needs

    write(ROOT, shipped())
    write_examples(ROOT)
