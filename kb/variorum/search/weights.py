"""The fitted weights of `cr ask`, from weights.tsv, and their numbers in another edition."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from variorum.answers.crosswalk import crosswalk_rows
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase

TABLE = Path(__file__).with_name("weights.tsv")


class QuestionWeights(NamedTuple):
    """The weights of the ranking.

    Attributes:
        edition: The label of the edition of the numbers.
        features: The weight of each feature, by its name.
        rules: How often each rule is an answer, whatever the question, by its number.
        subrules: How often answers cite each rule or subrule itself, by its number.
        signs: The rules and sections that each sign supports, as in the table, by the sign.
    """

    edition: str
    features: Mapping[str, float]
    rules: Mapping[str, float]
    subrules: Mapping[str, float]
    signs: Mapping[str, str]

    def spoken_for(self, sign: str) -> Iterator[tuple[str, float]]:
        """Yield the rules and sections that a sign supports, with weights."""
        for cell in self.signs.get(sign, "").split():
            number, _, weight = cell.partition(":")
            yield number, float(weight)


@cache
def fitted_weights() -> QuestionWeights:
    """Return the weights that ship with the program."""
    return parse_weights(TABLE.read_text("utf-8"))


def parse_weights(text: str) -> QuestionWeights:
    """Read a table with kind, name and value in each line, separated by tabs."""
    tables: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            kind, name, value = line.split("\t")
            tables.setdefault(kind, {})[name] = value

    def numbers(kind: str) -> dict[str, float]:
        return {name: float(value) for name, value in tables.get(kind, {}).items()}

    return QuestionWeights(
        next(iter(tables.get("edition", {})), ""),
        numbers("feature"),
        numbers("rule"),
        numbers("cited"),
        tables.get("sign", {}),
    )


def numbers_now(base: KnowledgeBase, former: str, edition: EditionEntry) -> dict[str, str]:
    """Return the present numbers of a former edition's rules; "" for a removed rule.

    If the base lacks the former edition, all numbers stay.
    """
    if former not in base.labels or former == edition.label:
        return {}
    rows = crosswalk_rows(base, former, edition)
    now = {row.old: (row.new or [""])[0] for row in rows if row.old}
    return {old: new for old, new in now.items() if old != new}
