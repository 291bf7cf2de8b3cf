"""Compare `cr export --crosswalk` with `cr where`, for every number of every edition.

    python -m lab.score.number_table KB [EDITION]

KB is a base, EDITION the edition of the heirs. All editions take some minutes.
"""

import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from variorum_kb.answers.exports.number_table import bearers_of, number_table
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.forms.number import NumberTableJson, TableBearerJson

# The table has one confidence for all editions of a bearer, that of its last edition; earlier ones
# differ by rounding.
_SAME_CHANCE = 0.006


class Differences:
    """The disagreements between a table and `cr where`.

    Attributes:
        asked: How many numbers of editions were compared.
    """

    def __init__(self, base: KnowledgeBase, table: NumberTableJson) -> None:
        self._base, self._table = base, table
        self.asked = 0

    def __iter__(self) -> Iterator[str]:
        """Yield a line for each number of an edition on which they disagree."""
        places = {label: place for place, label in enumerate(self._base.labels)}
        covered: set[tuple[str, int]] = set()
        for number, bearer in bearers_of(self._table):
            for place in range(places[bearer["first"]], places[bearer["last"]] + 1):
                twice = (number, place) in covered
                covered.add((number, place))
                if twice or not self._agrees(number, bearer, place):
                    yield f"{number} of {self._base.labels[place]}"
        printed = {
            (subject.address, edition.place)
            for edition in self._base.editions
            for subject in self._base.provisions(edition)
            if subject.number
        }
        for number, place in sorted(printed ^ covered):
            yield f"{number} of {self._base.labels[place]}: printed or listed alone"

    def _agrees(self, number: str, bearer: TableBearerJson, place: int) -> bool:
        self.asked += 1
        edition = self._base.editions[place]
        (subject,) = [
            each for each in self._base.subjects.find(number, edition) if each.address == number
        ]
        answer = subject.where(self._table["edition"])
        off = abs(answer["confidence"] - bearer["confidence"])
        return (
            (answer["new"], answer["kinds"]) == (bearer["now"], bearer["kinds"])
            and [step["edition"] for step in answer["read"]] == bearer.get("read", [])
            and off <= (0 if edition.label == bearer["last"] else _SAME_CHANCE)
        )


def main() -> int:
    """Print the disagreements and the count of compared numbers; return 1 if there are any."""
    folder, *rest = sys.argv[1:]
    # The newest edition, even if not in force.
    with KnowledgeBase.open(Path(folder), today=date.max) as base:
        table = number_table(base, *rest)
        differences = Differences(base, table)
        listed = list(differences)
    numbers = len(table["numbers"])
    lines = [
        *listed,
        f"{numbers:,} numbers, {differences.asked:,} of editions: {len(listed)} differ",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(bool(listed))


if __name__ == "__main__":
    sys.exit(main())
