"""What is found for a pair of editions, as one process sends it to another."""

from dataclasses import dataclass

from lab.score.editions import Pair
from variorum_kb.history.steps import Step


@dataclass(frozen=True, slots=True)
class Twins:
    """The outcome of the twins of one edition.

    Attributes:
        all: How many there are, numbered ones alone.
        renumbered: How many are below a provision with another number in the next edition.
        swapped: Address, heir and the heir it should have, of those that came under another's heir.
    """

    all: int = 0
    renumbered: int = 0
    swapped: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A citation that went elsewhere than what it cites.

    Attributes:
        cited: What it led to, by address.
        cited_now: What it leads to.
        lineage: The main heir of its target, "" if there is none.
        citing: The provision that cites, in the older edition.
    """

    cited: str
    cited_now: str
    lineage: str
    citing: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found for a pair.

    Attributes:
        steps: Of the old provisions, by place.
        arrivals: Of the new ones that came from nothing.
        decided: Of all, with verdicts.
        twins: The outcome of provisions with equal words.
        compared: How many citations were compared with the steps.
        contradictions: Those that do not agree.
        novelties: Of the arrivals, what `steps.novelty` returns.
    """

    pair: Pair
    steps: tuple[Step, ...]
    arrivals: tuple[Step, ...]
    decided: tuple[Step, ...]
    twins: Twins
    compared: int
    contradictions: tuple[Contradiction, ...]
    novelties: tuple[tuple[float, ...], ...] = ()
