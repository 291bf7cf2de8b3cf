"""The fitted weights of the ranking, from weights.tsv."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("weights.tsv")


class QuestionWeights(NamedTuple):
    """The weights of the ranking.

    Attributes:
        edition: The label of the edition whose numbers are meant.
        features: By the name of a feature.
        rules: By the number of a rule: how often it answers, whatever is asked.
        sections: Likewise, by that of a section.
        subrules: How often a rule or subrule itself was cited, by its number.
        signs: By a sign, the rules and sections that it speaks for, as the table has them.
    """

    edition: str
    features: Mapping[str, float]
    rules: Mapping[str, float]
    sections: Mapping[str, float]
    subrules: Mapping[str, float]
    signs: Mapping[str, str]

    def spoken_for(self, sign: str) -> Iterator[tuple[str, float]]:
        """Yield the rules and sections that a sign makes likelier, with weights."""
        for cell in self.signs.get(sign, "").split():
            number, _, weight = cell.partition(":")
            yield number, float(weight)


@cache
def fitted_weights() -> QuestionWeights:
    """Return the weights that ship with the program."""
    return parse_weights(TABLE.read_text("utf-8"))


def parse_weights(text: str) -> QuestionWeights:
    """Return the weights of a table: kind, name and value in each line, separated by tabs."""
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
