"""Whether the tables of witnesses speak of what the editions hold, and can be understood."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from variorum_kb.rows import PASSAGE_COLUMNS, WITNESS_COLUMNS
from variorum_kb.store.consistency import Contents
from variorum_kb.store.reader import Reader
from variorum_kb.store.witnesses import load_witnesses

_MARKS = ("=", "-", "+")


def find_in_witnesses(reader: Reader, contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield witnesses, by their hashes, and what is wrong with them.

    Raises:
        BaseError: The file is damaged.
    """
    held = [set(states) for states in contents.held]
    known = load_witnesses(reader)
    hashes = [one.sha256 for one in known]
    if hashes != sorted(hashes):
        yield hashes[0], "the witnesses do not stand in the order of their hashes"
    editions = {edition["sha256"] for edition in contents.editions}
    for one in known:
        if one.sha256 in editions:
            yield one.sha256, "it is an edition and a witness at once"
        row = dict(zip(WITNESS_COLUMNS, one.columns, strict=True))
        for what in _in_span(row):
            yield one.sha256, what
        for place, cells in enumerate(one.passages):
            passage = dict(zip(PASSAGE_COLUMNS, cells, strict=True))
            for what in _in_passage(passage, held):
                yield one.sha256, f"passage {place} {what}"


def _in_span(row: Mapping[str, Any]) -> Iterator[str]:
    first, last = row["first"], row["last"]
    if (first is None) is not (last is None) or (first is not None and first > last):
        yield f"it can come from the editions {first} to {last}"
    if not 0 <= row["matched"] <= row["total"]:
        yield f"{row['matched']} of its {row['total']} passages match"


def _in_passage(passage: Mapping[str, Any], held: list[set[int]]) -> Iterator[str]:
    provision, former, edition = (passage[name] for name in ("provision", "former", "edition"))
    if former is None and provision is not None and edition is not None:
        if provision not in held[edition]:
            yield "speaks of a provision that its edition does not hold"
    elif former is not None and not _is_near(former, edition, held):
        yield "speaks of a former provision that no edition before holds"
    for name in ("likeness", "confidence"):
        if not 0.0 <= passage[name] <= 1.0:
            yield f"has the {name} {passage[name]}"
    if passage["pieces"] and not _is_diff(passage["pieces"]):
        yield "has a word diff that cannot be understood"


def _is_near(former: int, edition: int | None, held: list[set[int]]) -> bool:
    return edition is not None and any(former in states for states in held[: edition + 1])


def _is_diff(text: str) -> bool:
    try:
        pieces: Any = json.loads(text)
        return all(mark in _MARKS and isinstance(words, str) for mark, words in pieces)
    except (ValueError, TypeError):
        return False
