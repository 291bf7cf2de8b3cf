"""Check that the tables of witnesses are valid and refer to states of the editions."""

import json
from collections.abc import Iterator
from typing import Any

from variorum_kb.store.consistency import Contents
from variorum_kb.store.reader import Reader
from variorum_kb.store.witnesses import load_witnesses
from variorum_kb.stored_rows import PassageRow, WitnessRow

_MARKS = ("=", "-", "+")


def find_in_witnesses(reader: Reader, contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield the hashes of witnesses, each with a problem.

    Raises:
        BaseError: The file is damaged.
    """
    held = [set(states) for states in contents.held]
    known = load_witnesses(reader)
    hashes = [witness.sha256 for witness in known]
    if hashes != sorted(hashes):
        yield hashes[0], "the witnesses do not stand in the order of their hashes"
    editions = {edition["sha256"] for edition in contents.editions}
    for witness in known:
        if witness.sha256 in editions:
            yield witness.sha256, "it is an edition and a witness at once"
        for fault in _in_span(witness.row):
            yield witness.sha256, fault
        for place, passage in enumerate(witness.passages):
            for fault in _in_passage(passage, held):
                yield witness.sha256, f"passage {place} {fault}"


def _in_span(row: WitnessRow) -> Iterator[str]:
    first, last = row.first, row.last
    is_ordered = first == last is None or (first is not None and last is not None and first <= last)
    if not is_ordered:
        yield f"it can come from the editions {first} to {last}"
    if not 0 <= row.matched <= row.total:
        yield f"{row.matched} of its {row.total} passages match"


def _in_passage(passage: PassageRow, held: list[set[int]]) -> Iterator[str]:
    provision, former, edition = passage.provision, passage.former, passage.edition
    if former is None and provision is not None and edition is not None:
        if provision not in held[edition]:
            yield "speaks of a provision that its edition does not hold"
    elif former is not None and not _is_near(former, edition, held):
        yield "speaks of a former provision that no edition before holds"
    for name, share in (("likeness", passage.likeness), ("confidence", passage.confidence)):
        if not 0.0 <= share <= 1.0:
            yield f"has the {name} {share}"
    if passage.pieces and not _is_diff(passage.pieces):
        yield "has a word diff that cannot be understood"


def _is_near(former: int, edition: int | None, held: list[set[int]]) -> bool:
    return edition is not None and any(former in states for states in held[: edition + 1])


def _is_diff(text: str) -> bool:
    try:
        pieces: Any = json.loads(text)
        return all(mark in _MARKS and isinstance(words, str) for mark, words in pieces)
    except (ValueError, TypeError):
        return False
