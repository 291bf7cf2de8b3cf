"""`cr blame`: the edition that added each word."""

from pathlib import Path

import click

from variorum_kb.cli.completions import complete_question
from variorum_kb.cli.options import bearer_option, json_option, kb_option, only_option, open_asked
from variorum_kb.cli.pages.blame import set_blame
from variorum_kb.cli.printing import print_json, print_page
from variorum_kb.system.terminal import page_width


@click.command()
@click.argument("question", nargs=-1, required=True, shell_complete=complete_question)
@only_option
@bearer_option
@json_option
@kb_option
def blame(
    question: tuple[str, ...], *, on: str | None, is_alone: bool, as_json: bool, kb: Path | None
) -> None:
    """Show when each word of a rule and its subrules was added, through all renumberings.

    \b
    cr blame 800.4a
    cr blame 705           a section with its rules
    """  # noqa: D301 - click reads \b
    with open_asked(kb) as base:
        blamed = base.subject(" ".join(question), on).blame(is_alone=is_alone)
    if as_json:
        print_json(blamed)
        return
    print_page(set_blame(blamed, width=page_width()))
