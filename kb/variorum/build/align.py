"""Follow provisions between the editions that a build adds, in some processes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, groupby, pairwise

from variorum.build.editions import Text
from variorum.facts import all_verdicts, digest_of_words
from variorum.history.canonical import Folder
from variorum.history.sides import Side
from variorum.history.steps import links_between
from variorum.rows import KEPT, RENUMBERED, LinkRow, State, named
from variorum.store.writer import Cells
from variorum.text import words_of
from variorum.workers import Call, outcomes

# A process gets this many pairs at once, as adjacent editions share texts; our own work has no limit of time.
_PAIRS_AT_ONCE, _MOST_SECONDS = 10, 3600
# What returns after one edition without it; at another number, only if it has more words than these.
_RETURNED, _ENOUGH_BLANKS = 0.95, 7
_CAME_BACK = ("", "", "same words, which came back after an absence")

_Dated = tuple[str, list[State]]


def follow(
    editions: Sequence[Text], ids: Mapping[State, int], last: dict[int, int], jobs: int
) -> list[Cells]:
    """Return the rows of `add_links` that lead into editions which a file did not have before, in order.

    `last` are the last editions of the states that it had, by their ids.
    """
    start, read = max(last.values(), default=0), _read_ends(editions)
    dated = [(text.day, text.states) for text in editions[start:]]
    runs = [
        dated[place : place + _PAIRS_AT_ONCE + 1] for place in range(0, len(dated), _PAIRS_AT_ONCE)
    ]
    calls = [(None, Call(align, (run, read), "alignment", _MOST_SECONDS)) for run in runs]
    aligned = list[list[LinkRow]]()
    for _, outcome in outcomes(calls, jobs):
        if isinstance(outcome, Exception):
            raise outcome
        aligned += outcome
    rows, states = list[Cells](), [*ids]
    bearers = defaultdict[str, list[int]](list)
    for state, number in ids.items():
        bearers[state.address].append(number)
        bearers[state.body].append(number)
    for place, links in enumerate(aligned, start + 1):
        ends = editions[place - 1].states, editions[place].states
        old, new = (dict(enumerate(map(ids.__getitem__, held))) for held in ends)
        last |= dict.fromkeys(old.values(), place - 1)
        for link in links:
            readings, verdict, reasons = link.evidence
            step = place, place - 1, old.get(link.old), new.get(link.new)  # None for no place
            how = link.rank, link.kinds, link.change, float(link.confidence)
            rows.append((*step, *how, (readings, verdict, "\n".join(reasons))))
        for number in [new[link.new] for link in links if link.old < 0]:
            state = states[number]
            alike = bearers[state.body] if state.body.count(" ") >= _ENOUGH_BLANKS else []
            same = [it for it in bearers[state.address] if _words(states[it]) == _words(state)]
            for it in [it for it in (*same, *alike) if last.get(it) == place - 2][:1]:
                kinds = KEPT if it in same else RENUMBERED
                rows.append((place, place - 2, it, number, 0, kinds, 0, _RETURNED, _CAME_BACK))
    return rows


def align(editions: Sequence[_Dated], read: Mapping[str, State]) -> list[list[LinkRow]]:
    """Return the links between each edition and the next; `read` is what `_read_ends` returns."""
    folder = Folder()
    sides = [(day, Side(states, folder)) for day, states in editions]
    return [
        links_between(old, new, (old_day, new_day), read)
        for (old_day, old), (new_day, new) in pairwise(sides)
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
            name = named("" if state.kind == "glossary" else state.address, state.address)
            digest = digest_of_words(state.heading, state.body)
            if (name, digest) in ends:
                read[digest] = state
    return read


def _words(state: State) -> list[str]:
    return words_of(f"{state.heading} {state.body}")
