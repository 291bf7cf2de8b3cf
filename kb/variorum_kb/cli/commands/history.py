"""`cr history`: the whole life of a provision."""

from pathlib import Path

import click

from variorum_kb.cli.commands.show import complete_question
from variorum_kb.cli.options import bearer_option, json_option, kb_option, open_base, print_json
from variorum_kb.cli.pager import print_page
from variorum_kb.cli.pages.history import set_history
from variorum_kb.system.terminal import is_coloured, page_width


@click.command()
@click.argument("question", nargs=-1, required=True, shell_complete=complete_question)
@bearer_option
@json_option
@kb_option
def history(question: tuple[str, ...], *, on: str | None, as_json: bool, kb: Path | None) -> None:
    """Show the life of a rule: its numbers, each rewording, splits, merges and copies.

    \b
    cr history 704.5j                 of what bears the number today, and who bore it before
    cr history 511 --on 2008-02-01    of what bore it that day
    """  # noqa: D301 - click reads \b
    asked = " ".join(question)
    with open_base(kb) as base:
        found = base.subject(asked, on).history()
    if as_json:
        print_json(found)
        return
    print_page(set_history(found, width=page_width(), is_coloured=is_coloured()))
