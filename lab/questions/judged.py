"""Questions that judges answered, with the rules they cited; counts the questions with a hit.

A hit names a cited rule, or the rule above it.
"""

import csv
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

_RULE = re.compile(r"\d+\.\d+")


@dataclass(frozen=True, slots=True)
class Judged:
    """A question that was answered.

    Attributes:
        name: Its name in the file.
        text: The question.
        cited: The numbers cited in the answer.
    """

    name: str
    text: str
    cited: frozenset[str]
    answer: str

    @property
    def rules(self) -> frozenset[str]:
        """Return the cited rules; for subrules, the rules above them."""
        return frozenset([rule_of(number) for number in self.cited])

    def is_hit(self, named: Collection[str]) -> bool:
        """Return whether numbers name a cited rule or the rule above it."""
        return not (self.cited | self.rules).isdisjoint(named)


def rule_of(number: str) -> str:
    """Return the number of a rule, or of the rule above a subrule.

    >>> rule_of("608.2h"), rule_of("702.9")
    ('608.2', '702.9')
    """
    match = _RULE.match(number)
    return match[0] if match else number


def read_judged(path: Path) -> list[Judged]:
    """Return the questions of a file with the columns id, question, cited_rules and answer."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Judged(row["id"], row["question"], frozenset(row["cited_rules"].split()), row["answer"])
            for row in csv.DictReader(file, delimiter="\t")
        ]


def share_hit(questions: Sequence[Judged], named: Sequence[Sequence[str]], most: int) -> float:
    """Return the share of questions with a hit among the first passages."""
    hits = sum(
        question.is_hit(names[:most]) for question, names in zip(questions, named, strict=True)
    )
    return hits / max(1, len(questions))
