"""`cr history`: the history of a provision."""

from pathlib import Path

import click

from variorum_kb.cli.completions import complete_question
from variorum_kb.cli.options import bearer_option, kb_option, lines_option, only_option, open_asked
from variorum_kb.cli.pages.history import set_history
from variorum_kb.cli.printing import print_json, print_page
from variorum_kb.cli.witness_files import file_names_of
from variorum_kb.system.terminal import page_width


@click.command()
@click.argument("question", nargs=-1, required=True, shell_complete=complete_question)
@click.option(
    "--full",
    "is_full",
    is_flag=True,
    help="Show today's text in full, and each change to a subrule word by word.",
)
@only_option
@bearer_option
@lines_option
@kb_option
def history(
    question: tuple[str, ...],
    *,
    on: str | None,
    is_full: bool,
    is_alone: bool,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Show the history of a rule: its numbers, each rewording, splits, merges and copies.

    For a section or a rule with subrules, show what each edition changed in it and below it.

    \b
    cr history 704.5j                 the rule with this number today, or the last to have it
    cr history 511 --on 2008-02-01    the rule that had it on that day
    cr history 702.19 --full          a keyword with its subrules, every word
    """  # noqa: D301 - click reads \b
    asked = " ".join(question)
    with open_asked(kb) as base:
        answer = base.subject(asked, on).history(is_alone=is_alone, is_full=is_full)
        names = file_names_of(base, answer["witnesses"])
    if as_json:
        print_json(answer, answer["steps"])
        return
    print_page(set_history(answer, names, width=page_width(), is_full=is_full))
