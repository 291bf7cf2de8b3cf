"""Follow provisions between the editions that a build adds, in some processes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from operator import itemgetter

from variorum.build.settle import Text
from variorum.facts import all_verdicts, digest_of_words
from variorum.history.canonical import Folder
from variorum.history.sides import Side
from variorum.history.steps import links_between
from variorum.rows import KEPT, RENUMBERED, LinkRow, State, named
from variorum.store.writer import Cells
from variorum.text import words_of
from variorum.workers import Call, outcomes

# A process gets this many pairs at once, since adjacent editions share most of their texts. Fewer
# provisions are aligned before a process has started.
_PAIRS_AT_ONCE, _WORTH_A_PROCESS = 10, 12_000
_MOST_SECONDS = 3600  # our own work has no limit that matters
# The chance that words which return are the provision that disappeared: short words may return by chance,
# so with fewer blanks than these they must have the same number or headword.
_RETURNED, _ENOUGH_BLANKS = 0.95, 7
_CAME_BACK = ("", "", "same words, which came back after an absence")

_Dated = tuple[str, list[State]]


def follow(
    editions: Sequence[Text],
    ids: Mapping[State, int],
    first: int,
    gone: Iterable[tuple[int, int]],
    jobs: int,
) -> list[Cells]:
    """Return the rows of `Writer.add_links` that lead into the editions from the place `first` on, in order.

    `gone` are the ids of states that left for good before, each with the place of the last edition that
    had it.
    """
    start, read = max(first - 1, 0), _read_ends(editions)
    dated = [(text.day, text.states) for text in editions[start:]]
    runs = [
        dated[place : place + _PAIRS_AT_ONCE + 1] for place in range(0, len(dated), _PAIRS_AT_ONCE)
    ]
    if jobs > 1 and sum(len(states) for _, states in dated) > _WORTH_A_PROCESS:
        calls = (Call(align, (run, read), "alignment", _MOST_SECONDS) for run in runs)
        aligned = list[list[LinkRow]]()
        for outcome in outcomes(calls, jobs):
            if isinstance(outcome, Exception):
                raise outcome
            aligned += outcome
    else:
        aligned = [links for run in runs for links in align(run, read)]
    rows = list[Cells]()
    for place, links in enumerate(aligned, start + 1):
        # The last id is that of no place, which is -1.
        old, new = ([*map(ids.get, editions[end].states), None] for end in (place - 1, place))
        for link in links:
            readings, verdict, reasons = link.evidence
            ends = place, place - 1, old[link.old], new[link.new]
            how = link.rank, link.kinds, link.change, float(link.confidence)
            rows.append((*ends, *how, (readings, verdict, "\n".join(reasons))))
    return sorted([*rows, *_returns(rows, [*ids], gone)], key=itemgetter(0))


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


def _returns(
    rows: Sequence[Cells], states: Sequence[State], gone: Iterable[tuple[int, int]]
) -> Iterator[Cells]:
    """Yield the links of provisions that come back, word for word, after editions that lack them."""

    def words(number: int) -> tuple[bool, str]:
        state = states[number]
        return state.kind == "glossary", " ".join(words_of(f"{state.heading} {state.body}"))

    absent = defaultdict[tuple[bool, str], list[tuple[int, int]]](list)
    for last, number in gone:
        absent[words(number)].append((last, number))
    for place, group in groupby(rows, itemgetter(0)):
        ends = [(old, new) for _, _, old, new, *_ in group]
        for here in [new for old, new in ends if old is None]:
            candidates, address = absent[words(here)], states[here].address
            same = [pair for pair in candidates if states[pair[1]].address == address]
            is_telling = len(candidates) == 1 and states[here].body.count(" ") >= _ENOUGH_BLANKS
            for source, former in same[-1:] or (candidates if is_telling else ())[:1]:
                candidates.remove((source, former))
                kinds = KEPT if states[former].address == address else RENUMBERED
                yield place, source, former, here, 0, kinds, 0, _RETURNED, _CAME_BACK
        for number in [old for old, new in ends if new is None]:
            absent[words(number)].append((place - 1, number))
