"""Follow provisions between the editions that a build adds, in some processes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, groupby, pairwise

from variorum.build.editions import Text
from variorum.facts import all_verdicts, digest_of_words
from variorum.history.canonical import Folder
from variorum.history.sides import Side
from variorum.history.steps import links_between
from variorum.rows import KEPT, LinkRow, State, named
from variorum.store.writer import Cells
from variorum.text import words_of
from variorum.workers import Call, outcomes

# A process gets this many pairs at once, since adjacent editions share most of their texts. Fewer
# provisions are aligned before a process has started.
_PAIRS_AT_ONCE, _WORTH_A_PROCESS = 10, 12_000
_MOST_SECONDS = 3600  # our own work has no limit that matters
# The chance that a provision which returns to its number, word for word, is the one that disappeared.
_RETURNED, _CAME_BACK = 0.95, ("", "", "same words, which came back after an absence")

_Dated = tuple[str, list[State]]


def follow(
    editions: Sequence[Text], ids: Mapping[State, int], first: int, jobs: int
) -> list[Cells]:
    """Return the rows of `add_links` that lead into the editions from the place `first` on, in order."""
    start, read = max(first - 1, 0), _read_ends(editions)
    dated = [(text.day, text.states) for text in editions[start:]]
    runs = [
        dated[place : place + _PAIRS_AT_ONCE + 1] for place in range(0, len(dated), _PAIRS_AT_ONCE)
    ]
    aligned = list[list[LinkRow]]()
    if jobs > 1 and sum(len(states) for _, states in dated) > _WORTH_A_PROCESS:
        calls = [(None, Call(align, (run, read), "alignment", _MOST_SECONDS)) for run in runs]
        for _, outcome in outcomes(calls, jobs):
            if isinstance(outcome, Exception):
                raise outcome
            aligned += outcome
    else:
        aligned = [links for run in runs for links in align(run, read)]
    rows, last = list[Cells](), dict[int, int]()  # the last edition of each state so far
    states, bearers = [*ids], defaultdict[tuple[str, str], list[int]](list)
    for state, number in ids.items():
        bearers[state.kind, state.address].append(number)
    for place, text in enumerate(editions[:start]):
        last |= dict.fromkeys([ids[state] for state in text.states], place)
    for place, links in enumerate(aligned, start + 1):
        old, new = ([ids[state] for state in editions[end].states] for end in (place - 1, place))
        last |= dict.fromkeys(old, place - 1)
        for link in links:
            readings, verdict, reasons = link.evidence
            ends = (
                old[link.old] if link.old >= 0 else None,
                new[link.new] if link.new >= 0 else None,
            )
            how = link.rank, link.kinds, link.change, float(link.confidence)
            rows.append((place, place - 1, *ends, *how, (readings, verdict, "\n".join(reasons))))
        for number in [new[link.new] for link in links if link.old < 0]:
            state = states[number]
            former = [
                it for it in bearers[state.kind, state.address] if last.get(it, place) < place - 1
            ]
            same = [it for it in former if _words(states[it]) == _words(state)]
            for it in sorted(same, key=last.__getitem__)[-1:]:
                rows.append((place, last[it], it, number, 0, KEPT, 0, _RETURNED, _CAME_BACK))
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
