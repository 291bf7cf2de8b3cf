"""How often the first results of a search, and the first passages for a question, are right."""

from collections.abc import Iterator
from pathlib import Path

import variorum
from lab.gates import Program
from lab.questions.judged import read_judged, share_hit
from lab.score.report import Score
from lab.score.searches import EDITION, kept_out, rank_of

# The edition that was in force when the judged questions were answered.
_ASKED_OF = "2026-06-19"


def search_scores(program: Program, corpus: Path) -> Iterator[Score]:  # noqa: ARG001 - as the other parts
    """Yield the share of queries, kept out of any tuning, with an accepted answer first or among five."""
    queries, first, five = kept_out(), list[str](), list[str]()
    with variorum.open(program.base) as base:
        for query in queries:
            hits = base.search(query.text, EDITION, limit=5).hits
            rank = rank_of(query, [hit.number or f"glossary: {hit.heading}" for hit in hits])
            first += [query.text] * (rank != 1)
            five += [query.text] * (rank == 0)
    for name, missed in (("first", first), ("among the first five", five)):
        share = 100 * (1 - len(missed) / len(queries))
        yield Score(f"search: accepted answer {name}, %", round(share, 1), missed)


def question_scores(program: Program, corpus: Path) -> Iterator[Score]:
    """Yield the share of judges' questions with a rule that the judge cited, without cards.

    The weights were fitted to these questions, so this notices losses; `make questions` says how
    good the answers to other questions are.
    """
    questions = read_judged(corpus.parent / "gold" / "questions.tsv")
    named: list[list[str]] = []
    with variorum.open(program.base) as base:
        for question in questions:
            passages = base.ask(question.text, _ASKED_OF, limit=5).passages
            named.append([passage.number for passage in passages])
    for most, name in ((1, "first passage"), (5, "one of five passages")):
        share = 100 * share_hit(questions, named, most)
        yield Score(f"questions: {name} cited by the judge, %", round(share, 1))
