"""The fitted weights of questions, from weights.tsv, and their numbers in another edition."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from variorum.answers.crosswalk import crosswalk_rows
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase

TABLE = Path(__file__).with_name("weights.tsv")


class QuestionWeights(NamedTuple):
    """The weights by which rules are ranked, with the numbers of an edition.

    `features` are by name; `rules` is what a rule gets for any question, by its number; `signs` has the
    rules and sections that each sign of a question speaks for, as in the table.
    """

    edition: str
    features: Mapping[str, float]
    rules: Mapping[str, float]
    signs: Mapping[str, str]

    def spoken_for(self, sign: str) -> Iterator[tuple[str, float]]:
        """Yield the numbers of the rules and sections that a sign speaks for, with weights."""
        for cell in self.signs.get(sign, "").split():
            number, _, weight = cell.partition(":")
            yield number, float(weight)


@cache
def fitted_weights() -> QuestionWeights:
    """Return the weights that ship with the program: a kind, a name and a value in each line."""
    tables: dict[str, dict[str, str]] = {"edition": {}, "feature": {}, "rule": {}, "sign": {}}
    for line in TABLE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            kind, name, value = line.split("\t")
            tables[kind][name] = value
    features, rules = [
        {name: float(value) for name, value in tables[kind].items()} for kind in ("feature", "rule")
    ]
    return QuestionWeights(next(iter(tables["edition"]), ""), features, rules, tables["sign"])


def numbers_now(base: KnowledgeBase, former: str, edition: EditionEntry) -> dict[str, str]:
    """Return the changed numbers of a former edition's rules, if the base has it; "" for a removed rule."""
    if former not in base.labels or former == edition.label:
        return {}
    now = {
        row.old: (row.new or [""])[0] for row in crosswalk_rows(base, former, edition) if row.old
    }
    return {old: new for old, new in now.items() if old != new}
