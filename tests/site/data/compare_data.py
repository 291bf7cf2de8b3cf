"""Read what a browser compares editions with, as its script does."""

from collections.abc import Sequence

from variorum_site.data.compare_texts import TextsJson


def read_held(held: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the states of each edition again, in printed order."""
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


def read_texts(files: Sequence[TextsJson]) -> list[str]:
    """Return all texts again, each joined of its words: what the script reads."""
    tokens = [
        token if isinstance(token, str) else token[0] for file in files for token in file["tokens"]
    ]
    read: list[list[int]] = []
    for row in (row for file in files for row in file["texts"]):
        read.append(patched(read[len(read) - row[0]], row[1:]) if row[0] else row[1:])
    return ["".join([tokens[code] for code in codes]) for codes in read]


def patched(before: Sequence[int], edits: Sequence[int]) -> list[int]:
    """Return a list with edits made: how many stay, how many go, how many come, and these."""
    numbers: list[int] = []
    place = at = 0
    while at < len(edits):
        keep, drop, came = edits[at : at + 3]
        numbers += [*before[place : place + keep], *edits[at + 3 : at + 3 + came]]
        place += keep + drop
        at += 3 + came
    return [*numbers, *before[place:]]
