"""Follow provisions between the editions that a build adds, in some processes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from operator import itemgetter

from variorum.build.settle import Text
from variorum.facts import all_verdicts, digest_of_words
from variorum.history.canonical import Folder
from variorum.history.links import links_between
from variorum.history.sides import Side
from variorum.rows import KEPT, RENUMBERED, State, named
from variorum.store.writer import Link
from variorum.stored_rows import LinkRow
from variorum.text import words_of
from variorum.workers import Call, in_processes

# A process gets this many pairs at once, since adjacent editions share most of their texts.
_PAIRS_AT_ONCE = 10
# Fewer provisions than this are aligned before a process has started.
_WORTH_A_PROCESS = 12_000
# The chance that words which return are the provision that disappeared. By hand: short words may return
# by chance.
_RETURNED = 0.95
# Fewer words show a return only under the same number or headword.
_ENOUGH_BLANKS = 7
_CAME_BACK = "same words, which came back after an absence"

_Dated = tuple[str, list[State]]


def follow(
    editions: Sequence[Text], first: int, gone: Iterable[tuple[int, State]], jobs: int
) -> list[Link]:
    """Return the links that lead into the editions from the place `first` on, in order.

    Args:
        editions: All editions.
        first: The place of the first new one.
        gone: As `_returns` takes it.
        jobs: How many processes work at once.
    """
    start, read = max(first - 1, 0), _read_ends(editions)
    dated = [(text.day, text.states) for text in editions[start:]]
    runs = [
        dated[place : place + _PAIRS_AT_ONCE + 1] for place in range(0, len(dated), _PAIRS_AT_ONCE)
    ]
    if jobs > 1 and sum(len(states) for _, states in dated) > _WORTH_A_PROCESS:
        calls = (Call(place, align, (run, read)) for place, run in enumerate(runs))
        aligned = [links for _, some in in_processes(calls, jobs) for links in some]
    else:
        aligned = [links for run in runs for links in align(run, read)]
    rows: list[Link] = []
    for place, links in enumerate(aligned, start + 1):
        old, new = editions[place - 1].states, editions[place].states
        rows += [_row(place, link, old, new) for link in links]
    return sorted([*rows, *_returns(rows, gone)], key=itemgetter(0))


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


def align(editions: Sequence[_Dated], read: Mapping[str, State]) -> list[list[LinkRow]]:
    """Return the links between each edition and the next; their ends are places in the editions.

    `read` is what `_read_ends` returns.
    """
    folder = Folder()
    sides = [(day, Side(states, folder)) for day, states in editions]
    return [
        links_between(old, new, (old_day, new_day), read)
        for (old_day, old), (new_day, new) in pairwise(sides)
    ]


def _row(place: int, link: LinkRow, old: Sequence[State], new: Sequence[State]) -> Link:
    why = link.evidence
    return (
        place,
        place - 1,
        None if link.old < 0 else old[link.old],
        None if link.new < 0 else new[link.new],
        link.rank,
        link.kinds,
        link.change,
        float(link.confidence),
        (why.readings, why.verdict, "\n".join(why.reasons)),
    )


def _returns(links: Sequence[Link], gone: Iterable[tuple[int, State]]) -> Iterator[Link]:
    """Yield the links of provisions that come back, word for word, after editions that lack them.

    Args:
        links: The links between adjacent editions, in order.
        gone: The provisions gone from earlier editions, each with the place of the last that had it.
    """
    absent: defaultdict[tuple[bool, str], list[tuple[int, State]]] = defaultdict(list)
    for last, state in gone:
        absent[_words(state)].append((last, state))
    for place, group in groupby(links, itemgetter(0)):
        adjacent = list(group)
        for new in [link[3] for link in adjacent if link[2] is None and link[3]]:
            candidates = absent[_words(new)]
            same = [pair for pair in candidates if pair[1].address == new.address]
            is_telling = len(candidates) == 1 and new.body.count(" ") >= _ENOUGH_BLANKS
            for source, old in same[-1:] or (candidates if is_telling else ())[:1]:
                candidates.remove((source, old))
                kinds = KEPT if old.address == new.address else RENUMBERED
                yield place, source, old, new, 0, kinds, 0, _RETURNED, ("", "", _CAME_BACK)
        for old in [link[2] for link in adjacent if link[3] is None and link[2]]:
            absent[_words(old)].append((place - 1, old))


def _words(state: State) -> tuple[bool, str]:
    return state.kind == "glossary", " ".join(words_of(f"{state.heading} {state.body}"))
