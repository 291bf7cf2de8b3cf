"""Follow provisions between the editions that a build adds, in some processes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, groupby, pairwise

from variorum.build.editions import Text
from variorum.facts import all_verdicts, digest_of_words
from variorum.history.canonical import Folder
from variorum.history.lineages import Link
from variorum.history.sides import Side
from variorum.history.steps import Why, links_between
from variorum.rows import CHANGE_CLASSES, KEPT, RENUMBERED, State, name_of
from variorum.store.writer import Cells
from variorum.text import words_of
from variorum.workers import outcomes

# A process gets this many pairs at once, as adjacent editions share texts; our own work has no limit of time.
_PAIRS_AT_ONCE, _MOST_SECONDS = 10, 3600
# What returns after one edition without it; at another number, only if it has more words than these.
_RETURNED, _ENOUGH_BLANKS = 0.95, 7
_CAME_BACK = ("", "", "same words, which came back after an absence")

# An edition: its place, its day and its provisions with their ids.
_Placed = tuple[int, str, list[State]]
_Links = list[tuple[Link, Why]]


def follow(
    editions: Sequence[Text], ids: Mapping[State, int], last: dict[int, int], jobs: int
) -> list[Cells]:
    """Return the rows of `add_links` that lead into editions which a file did not have before, in order.

    `last` are the last editions of the states that it had, by their ids.
    """
    start, read = max(last.values(), default=0), _read_ends(editions)
    states = {state: state._replace(id=number) for state, number in ids.items()}
    later = enumerate(editions[start:], start)
    placed = [(at, text.day, [states[it] for it in text.states]) for at, text in later]
    runs = range(0, len(placed), _PAIRS_AT_ONCE)
    calls = [(at, (placed[at : at + _PAIRS_AT_ONCE + 1], read)) for at in runs]
    aligned, every = list[_Links](), [*states.values()]
    for _, outcome in outcomes(align, calls, jobs, _MOST_SECONDS):
        if isinstance(outcome, Exception):
            raise outcome
        aligned += outcome
    bearers = defaultdict[str, list[State]](list)
    for state in every:
        bearers[state.address].append(state)
        bearers[state.body].append(state)
    for (place, _, held), links in zip(placed, aligned, strict=False):
        last |= dict.fromkeys([it.id for it in held], place)
        for state in [every[link.new or 0] for link, _ in links if link.old is None]:
            alike = bearers[state.body] if state.body.count(" ") >= _ENOUGH_BLANKS else []
            same = [it for it in bearers[state.address] if _words(it) == _words(state)]
            for it in [it for it in (*same, *alike) if last.get(it.id) == place - 1][:1]:
                bits = KEPT if it in same else RENUMBERED
                link = Link(place + 1, place - 1, it.id, state.id, 0, bits, "", _RETURNED)
                links.append((link, _CAME_BACK))
    return [
        (*it[:6], CHANGE_CLASSES.index(it.change), it.confidence, why)
        for it, why in chain(*aligned)
    ]


def align(editions: Sequence[_Placed], read: Mapping[str, State]) -> list[_Links]:
    """Return the links between each edition and the next; `read` is what `_read_ends` returns."""
    folder = Folder()
    sides = [(place, day, Side(states, folder)) for place, day, states in editions]
    return [
        [*links_between(old, new, (old_day, new_day), place, read)]
        for (_, old_day, old), (place, new_day, new) in pairwise(sides)
    ]


def _read_ends(editions: Sequence[Text]) -> dict[str, State]:
    """Return the ends of verdicts on steps that further editions divide, by the digests of their words."""
    by_day = {text.day: text.states for text in editions}
    read: dict[str, State] = {}
    for days, some in groupby(all_verdicts(), lambda it: (it.old_edition, it.new_edition)):
        if days in pairwise(by_day) or not by_day.keys() >= {*days}:
            continue
        ends = {end for it in some for end in (it.asked, *it.others, *it.also)}
        for state in chain(*[by_day[day] for day in days]):
            digest = digest_of_words(state.heading, state.body)
            if f"{name_of(state)} {digest}" in ends:
                read[digest] = state
    return read


def _words(state: State) -> list[str]:
    return words_of(f"{state.heading} {state.body}")
