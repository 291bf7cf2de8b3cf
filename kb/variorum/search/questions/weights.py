"""The fitted weights of the ranking, from weights.tsv."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("weights.tsv")


class QuestionWeights(NamedTuple):
    """The weights of the ranking.

    Attributes:
        edition: The label of the edition of the numbers.
        features: The weight of each feature, by its name.
        rules: How often each rule is an answer, whatever the question, by its number.
        sections: The same for sections.
        subrules: How often answers cite each rule or subrule itself, by its number.
        signs: The rules and sections that each sign supports, as in the table, by the sign.
    """

    edition: str
    features: Mapping[str, float]
    rules: Mapping[str, float]
    sections: Mapping[str, float]
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
        numbers("section"),
        numbers("cited"),
        tables.get("sign", {}),
    )
