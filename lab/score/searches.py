"""How often the first results of a search, and the first passages for a question, are right."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import variorum
from lab.gates import Program
from lab.score.gold import Score, read_judged, rows_of
from variorum.rule_numbers import is_below

# No setting was tuned on these queries; those in the other files are for tuning.
_KEPT_OUT = ("kept_out", "kept_out_more")
# What was asked, and whether each answer is right.
Places = list[tuple[str, list[bool]]]
# What accepted answers were decided on.
_SEARCHED = "2026-08-07"
# The edition that was in force when the judged questions were answered.
_ASKED = "2026-06-19"


def search_scores(program: Program, corpus: Path) -> Iterator[Score]:  # noqa: ARG001 - as the other parts
    """Yield the share of queries with an accepted answer first, or among five."""
    places: Places = []
    with variorum.open(program.base) as base:
        for name in _KEPT_OUT:
            table = Path(__file__).parent / "queries" / f"{name}.toml"
            for query in tomllib.loads(table.read_text("utf-8"))["query"]:
                hits = base.search(query["text"], _SEARCHED, limit=5).hits
                names = [hit.number or f"glossary: {hit.heading}" for hit in hits]
                places.append((query["text"], [name in query["accepted"] for name in names]))
        plain = [*_plain_questions(base)]
    yield _share("search: accepted answer first, %", places, 1)
    yield _share("search: accepted answer among the first five, %", places, 5)
    yield _share("search: plain questions answered by the first three, %", plain, 3)


def _plain_questions(base: variorum.Base) -> Iterator[tuple[str, list[bool]]]:
    """Yield the questions of a table; what stands below an accepted rule is right, too."""
    for row in rows_of(Path(__file__).parent / "queries" / "plain.tsv"):
        accepted = row["accepted"].split()
        hits = base.search(row["question"], _SEARCHED, limit=3).hits
        names = [hit.number or f"glossary:{hit.heading.replace(' ', '_')}" for hit in hits]
        right = [any(name == it or is_below(name, it) for it in accepted) for name in names]
        yield row["question"], right


def question_scores(program: Program, corpus: Path) -> Iterator[Score]:
    """Yield the share of judges' questions with a rule that the judge cited, without cards.

    The weights were fitted to these questions, so this notices losses; `make fit` says how good the
    answers to other questions are.
    """
    places: Places = []
    with variorum.open(program.base) as base:
        for question in read_judged(corpus.parent / "gold" / "questions.tsv"):
            passages = base.ask(question.text, _ASKED, limit=5).passages
            places.append((question.text, [question.is_hit([each.number]) for each in passages]))
    yield _share("questions: first passage cited by the judge, %", places, 1)
    yield _share("questions: one of five passages cited by the judge, %", places, 5)


def _share(name: str, places: Places, most: int) -> Score:
    missed = [asked for asked, right in places if not any(right[:most])]
    return Score(name, round(100 * (1 - len(missed) / len(places)), 1), missed)
