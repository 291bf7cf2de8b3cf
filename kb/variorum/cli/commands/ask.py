"""`cr ask`: the rules that answer a question in plain words, and why."""

from pathlib import Path

import click

from variorum.cards.store import Cards
from variorum.cli.options import kb_option, lines_option, on_option, open_asked
from variorum.cli.pages.ask import set_passages
from variorum.cli.pages.provisions import edition_line
from variorum.cli.printing import print_json, print_page
from variorum.errors import NotFoundError
from variorum.search.questions.question_answers import MOST_PASSAGES, Inquiry, QuestionAnswers
from variorum.terminal import page_width


@click.command()
@click.argument("question", nargs=-1, required=True)
@on_option
@click.option(
    "--limit",
    type=click.IntRange(1, 1000),
    metavar="N",
    default=MOST_PASSAGES,
    show_default=True,
    help="Show at most this many passages.",
)
@click.option("--no-cards", is_flag=True, help="Ignore the cards added with cr cards.")
@lines_option
@kb_option
def ask(
    question: tuple[str, ...],
    *,
    on: str | None,
    limit: int,
    no_cards: bool,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Find the rules that answer QUESTION, asked in plain words.

    Ask as you would ask a judge: with cards, names and what happened. Each passage says why it is
    there. If you add cards with cr cards, their text also counts. See docs/search.md.

    \b
    cr ask "Two creatures die at the same time. Do both abilities trigger?"
    cr ask can I respond to morph
    """  # noqa: D301 - click reads \b
    words = " ".join(question).strip()
    if not words:
        raise click.UsageError("give a question")
    with open_asked(kb) as base:
        answers = QuestionAnswers(base, None if no_cards else Cards.open(base.folder))
        try:
            answer = answers.ask(Inquiry(words, on, limit))
        finally:
            answers.close()
        edition = base.edition(on or "current")
    if not answer.passages:
        raise NotFoundError("no word of this question is in the rules, and it names no known card")
    if as_json:
        print_json(answer, answer.passages)
        return
    line = edition_line(edition)
    print_page(set_passages(answer, line, width=page_width()))
