"""Follow provisions between the editions that a build adds, in some processes."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from variorum.build.editions import Text
from variorum.facts import all_verdicts, digest_of_words
from variorum.history.canonical import Folder
from variorum.history.sides import Side
from variorum.history.steps import links_between
from variorum.rows import CHANGE_CLASSES, State
from variorum.store.writer import Cells
from variorum.workers import outcomes

# A process gets this many pairs at once, as adjacent editions share texts; our own work has no limit of time.
_PAIRS_AT_ONCE, _MOST_SECONDS = 10, 3600


def follow(
    editions: Sequence[Text], ids: Mapping[State, int], first: int, jobs: int
) -> list[Cells]:
    """Return the rows of `add_links` that lead into the editions from the place `first` on, in order."""
    start, states = max(first - 1, 0), {it: it._replace(id=number) for it, number in ids.items()}
    later = enumerate(editions[start:], start)
    placed = [(at, text.day, [states[it] for it in text.states]) for at, text in later]
    # The ends of verdicts, which further editions may print with other numbers.
    wanted = {end[-16:] for it in all_verdicts() for end in (it.asked, *it.others, *it.also)}
    said = [(digest_of_words(it.heading, it.body), it) for it in states]
    read = {digest: state for digest, state in said if digest in wanted}
    runs = range(0, len(placed), _PAIRS_AT_ONCE)
    calls = [(at, (placed[at : at + _PAIRS_AT_ONCE + 1], read)) for at in runs]
    found = list[Cells]()
    for _, outcome in outcomes(align, calls, jobs, _MOST_SECONDS):
        if isinstance(outcome, Exception):
            raise outcome
        found += outcome
    return found


def align(
    editions: Sequence[tuple[int, str, list[State]]], read: Mapping[str, State]
) -> list[Cells]:
    """Return such rows between editions, given by place, day and provisions with their ids."""
    folder = Folder()
    sides = [(place, day, Side(states, folder)) for place, day, states in editions]
    return [
        (*it[:5], CHANGE_CLASSES.index(it.change), it.confidence, why)
        for (_, old_day, old), (place, day, new) in pairwise(sides)
        for it, why in links_between(old, new, (old_day, day), place, read)
    ]
