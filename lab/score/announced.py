"""Moves that were announced with an edition, compared with the steps."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lab.score.editions import Editions, Pair, address_of, places_of
from lab.score.pair_results import Outcome
from lab.score.report import Report
from variorum_kb.history.aligning.sides import NOWHERE
from variorum_kb.history.steps import StepKind

COLUMNS = ("old_edition", "old_number", "new_edition", "new_number", "verb")
VERBS = ("deleted", "merged", "moved", "new", "renumbered", "split")


@dataclass(frozen=True, slots=True)
class Move:
    """A move in an announcement.

    Attributes:
        pair: Two editions, not always consecutive.
        old: The address in the older edition; "" for a new provision.
        new: The address in the newer edition; "" for a deleted provision, and several addresses
            with semicolons for a split.
        verb: One of `VERBS`.
    """

    pair: Pair
    old: str
    new: str
    verb: str


def read_moves(path: Path) -> list[Move]:
    """Return all announced moves."""
    with path.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Move(
            (row["old_edition"], row["new_edition"]),
            row["old_number"],
            row["new_number"],
            row["verb"],
        )
        for row in rows
    ]


def went(editions: Editions, outcomes: Mapping[Pair, Outcome], move: Move) -> str:
    """Return the heir of a provision after all editions in between.

    The answer is an address of the newer edition, or a remark in brackets.
    """
    place = places_of(editions.held[move.pair[0]]).get(move.old, NOWHERE)
    if place == NOWHERE:
        return "(not there)"
    for pair in editions.between(*move.pair):
        step = outcomes[pair].steps[place]
        if not step.new or StepKind.GONE in step.kinds:
            return "(gone)"
        place = step.new[0]
    return address_of(editions.held[move.pair[1]][place])


def say(report: Report, editions: Editions, outcomes: Mapping[Pair, Outcome], path: Path) -> None:
    """Report the moves that contradict the steps."""
    moves = read_moves(path)
    both = [move for move in moves if move.old and move.new]
    ends = [(move, went(editions, outcomes, move)) for move in both]
    differing = [(move, end) for move, end in ends if end not in move.new.split(";")]
    report.title("announced moves")
    report.say(f"{len(both) - len(differing)} of {len(both)} with an old and a new number agree")
    for move, end in differing:
        report.say(f"  {' '.join(move.pair)}  {move.old}: {move.verb} {move.new}; found {end}")
    deleted = [(move, went(editions, outcomes, move)) for move in moves if not move.new]
    alive = [(move, end) for move, end in deleted if end != "(gone)"]
    report.say(f"{len(deleted) - len(alive)} of {len(deleted)} that were deleted are gone")
    for move, end in alive:
        report.say(f"  {' '.join(move.pair)}  {move.old}: {move.verb}; found {end}")
