"""Make the man pages from the help of the command.

The build of the wheel makes them (hatch_build.py); `make reference` makes them for people to read, and
writes the examples of docs/json.md anew. Only those examples are committed.
"""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
from jinja2 import Environment

from variorum.cli.command import HelpText, parse_help
from variorum.cli.start import COMMANDS, GROUPS, UNLISTED, cr

ROOT = Path(__file__).resolve().parents[2]
MANUAL = Path("kb/man")


class CommandPage(NamedTuple):
    """A command's part of the reference, and its subcommands."""

    name: str
    usage: str
    text: HelpText
    options: Sequence[tuple[str, str]]
    below: Sequence["CommandPage"]

    def all(self) -> Iterator["CommandPage"]:
        """Yield it and all below it."""
        yield self
        for page in self.below:
            yield from page.all()


def page_of(command: click.Command, name: str) -> CommandPage:
    """Return the page of a command."""
    ctx = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
    usage = " ".join(command.collect_usage_pieces(ctx))
    records = [param.get_help_record(ctx) for param in command.params]
    options = [record for record in records if record is not None and record[0].startswith("-")]
    subcommands = getattr(command, "commands", {}).items()
    below = [page_of(subcommand, f"{name} {own}") for own, subcommand in subcommands]
    return CommandPage(name, usage, parse_help(command.help or ""), options, below)


def manual() -> dict[str, str]:
    """Return the man pages by file name."""
    listed: dict[str, list[CommandPage]] = {}
    for title, group in {**GROUPS, "Not on the first page": UNLISTED}.items():
        for name in group:
            command = getattr(importlib.import_module(COMMANDS[name]), name)
            listed.setdefault(title, []).extend(page_of(command, f"cr {name}").all())
    template = Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)  # noqa: S701 - roff is no HTML
    template.filters["roff"] = roff
    made = template.from_string(Path(__file__).with_name("manual.1.j2").read_text("utf-8"))
    whole = made.render(page=page_of(cr, "cr"), listed=listed)
    pages = [page for group in listed.values() for page in group]
    return {"cr.1": whole} | {
        f"{page.name.replace(' ', '-')}.1": made.render(page=page, listed={}) for page in pages
    }


def roff(text: str) -> str:
    r"""Escape a text for troff.

    >>> roff("--on 'x'"), roff(".5")
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
