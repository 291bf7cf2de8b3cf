"""Read the comparison data as the browser's script does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from variorum_site.data.compare_forms import LinksJson, PartJson, PartsJson
from variorum_site.data.compare_texts import token_of


def read_held(held: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the states of each edition, in printed order."""
    lists: list[list[int]] = []
    due = 0
    for coded in held:
        edits = list(coded)
        at = 0
        while at < len(edits):
            for place in range(at + 3, at + 3 + edits[at + 2]):
                edits[place] += due
                due = edits[place] + 1
            at += 3 + edits[at + 2]
        lists.append(patched(lists[-1] if lists else (), edits))
    return lists


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadState:
    """A state of a part, read back."""

    id: int
    kind: str
    address: str
    heading: str
    body: str
    runs: list[tuple[int, int]]
    words: list[str]
    cited: list[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPart:
    """A part as read: links are edition, source, old state, new state and bits."""

    states: list[ReadState]
    links: list[tuple[int, int, int, int | None, int]]
    texts: list[str]
    words: list[str]
    slugs: dict[str, str]


def read_part(part: PartJson, listed: PartsJson) -> ReadPart:
    """Return a part as read."""
    file, columns = part["texts"], part["states"]
    tokens = [token_of(token) for token in [*listed["words"], *file["tokens"]]]
    codes: list[list[int]] = []
    for row in file["texts"]:
        codes.append(patched(codes[len(codes) - row[0]], row[1:]) if row[0] else row[1:])
    texts: list[str] = ["".join([tokens[code].text for code in cells]) for cells in codes]
    canon: list[list[str]] = [
        file["canon"].get(str(place), [word for code in cells for word in tokens[code].canon])
        for place, cells in enumerate(codes)
    ]
    cited: list[list[tuple[str, str]]] = [
        [pair for code in cells for pair in tokens[code].citations] for cells in codes
    ]
    ids, numbers = read_ids(columns["ids"]), iter(accumulate(columns["numbers"]))
    headings, spans = columns["headings"], columns["spans"]
    bodies, firsts = (list(accumulate(columns[name])) for name in ("bodies", "firsts"))
    states = [
        ReadState(
            id=number,
            kind=kind,
            address="" if kind == "g" else columns["names"][next(numbers)],
            heading=texts[headings[place]],
            body=texts[bodies[place]],
            runs=_runs(
                [firsts[place], spans[place], *columns["returns"].get(str(place), ())],
                len(listed["editions"]),
            ),
            words=canon[headings[place]] + canon[bodies[place]],
            cited=cited[headings[place]] + cited[bodies[place]],
        )
        for place, (number, kind) in enumerate(zip(ids, columns["kinds"], strict=True))
    ]
    slugs = {texts[int(place)]: slug for place, slug in file["slugs"].items()}
    words = [repr(token) for token in file["tokens"]]
    return ReadPart(
        states=states,
        links=list(_links(part["links"], ids)),
        texts=texts,
        words=words,
        slugs=slugs,
    )


def read_ids(runs: Sequence[int]) -> list[int]:
    """Return the ids of runs: for each run, how many to skip, then how many follow."""
    ids: list[int] = []
    due = 0
    for skipped, count in batched_pairs(runs):
        due += skipped + count
        ids += range(due - count, due)
    return ids


def batched_pairs(values: Sequence[int]) -> list[tuple[int, int]]:
    """Return values in pairs."""
    return list(zip(values[::2], values[1::2], strict=True))


def _runs(values: Sequence[int], count: int) -> list[tuple[int, int]]:
    return [
        (first, first + span - 1 if span else count - 1) for first, span in batched_pairs(values)
    ]


def _links(
    columns: LinksJson, ids: Sequence[int]
) -> Iterator[tuple[int, int, int, int | None, int]]:
    olds = list(accumulate(columns["olds"]))
    news = list(accumulate(step or 0 for step in columns["news"]))
    place = edition = 0
    for step, count in batched_pairs(columns["counts"]):
        edition += step
        for at in range(place, place + count):
            is_here = columns["news"][at] is not None
            new = ids[news[at]] if is_here else columns["away"].get(str(at))
            source = columns["sources"].get(str(at), edition - 1)
            yield edition, source, ids[olds[at]], new, columns["bits"][at]
        place += count


def patched(before: Sequence[int], edits: Sequence[int]) -> list[int]:
    """Return a list after edits: how many items to keep, remove and add, and the added items."""
    numbers: list[int] = []
    place = at = 0
    while at < len(edits):
        keep, drop, came = edits[at : at + 3]
        numbers += [*before[place : place + keep], *edits[at + 3 : at + 3 + came]]
        place += keep + drop
        at += 3 + came
    return [*numbers, *before[place:]]
