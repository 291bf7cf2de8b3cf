"""The results for a pair of editions, as processes exchange them."""

from dataclasses import dataclass

from lab.score.editions import Pair
from variorum_kb.history.steps import Step


@dataclass(frozen=True, slots=True)
class Twins:
    """The outcome of the twins of one edition.

    Attributes:
        all: How many there are, not counting glossary entries.
        renumbered: How many are below a provision whose number changes in the next edition.
        swapped: For each twin below another's heir: its address, its heir and the right heir.
    """

    all: int = 0
    renumbered: int = 0
    swapped: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A citation whose new target is not the heir of the old one.

    Attributes:
        cited: The address of the old target.
        cited_now: The address of the new target.
        lineage: The main heir of the old target; "" if there is none.
        citing: The citing provision in the older edition.
    """

    cited: str
    cited_now: str
    lineage: str
    citing: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results for a pair.

    Attributes:
        steps: The steps of old provisions, by place.
        arrivals: The steps of new provisions without predecessors.
        decided: All steps, with verdicts.
        twins: The outcome of provisions with equal words.
        compared: How many citations were compared with the steps.
        contradictions: The citations that contradict the steps.
        novelties: For each arrival, the result of `steps.novelty`.
    """

    pair: Pair
    steps: tuple[Step, ...]
    arrivals: tuple[Step, ...]
    decided: tuple[Step, ...]
    twins: Twins
    compared: int
    contradictions: tuple[Contradiction, ...]
    novelties: tuple[tuple[float, ...], ...] = ()
