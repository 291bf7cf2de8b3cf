"""Compares an original with the edition of the same date."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lookup import unpacked
from variorum_kb.errors import LayoutError
from variorum_kb.history.word_diffs.diff import word_diff
from variorum_kb.rows import Row, State, full_text
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.stored_rows import ORIGINAL_LAYOUT, EditionRow
from variorum_kb.text.folding import fold_words

# Kind, number or headword, and a counter of provisions with both.
_Key = tuple[str, str, int]


def attest_original(
    base: KnowledgeBase, row: EditionRow, states: Sequence[State], file: str
) -> Attested:
    """Return what an original attests: its edition except the listed passages.

    Raises:
        LayoutError: The base has no edition of its date.
    """
    entry, comparison = compare_with_day(base, row.effective, states, "original", file)
    signs = [f"{comparison.in_signs} of these differ in signs alone"] if comparison.in_signs else []
    agreement = (
        f"{comparison.alike} of {comparison.total} provisions have the words of {entry.label}"
    )
    return Attested(
        layout=f"{ORIGINAL_LAYOUT}{row.layout}",
        stated=row.effective,
        first=entry.place,
        last=entry.place,
        matched=comparison.alike,
        of=comparison.total,
        evidence=(
            agreement,
            *signs,
            *[f"damage: {note}" for note in unpacked(row.ledger)["notes"]],
        ),
        passages=tuple(comparison.passages),
    )


class TextComparison(NamedTuple):
    """A document compared with an edition.

    Attributes:
        passages: The differing passages.
        alike: The number of provisions with the same words.
        in_signs: The number of those that differ in punctuation.
        total: The number of provisions in either text.
    """

    passages: list[Attestation]
    alike: int
    in_signs: int
    total: int


def compare_with_day(
    base: KnowledgeBase, day: str, states: Sequence[State], noun: str, file: str
) -> tuple[EditionEntry, TextComparison]:
    """Compare a document with each issue of a day; return the issue that is most like it.

    If several are equally alike, return the last of them.

    Raises:
        LayoutError: The base has no edition of that day.
    """
    entries = [entry for entry in base.editions if entry.effective.isoformat() == day]
    if not entries:
        missing = "text" if noun == "original" else "edition"
        article = "an" if noun == "original" else "a"
        raise LayoutError(
            f"{article} {noun} of {day}, but the base has no {missing} of that day", file
        )
    compared = [(entry, _compare_provisions(base, entry, states, noun)) for entry in entries]
    return min(compared, key=lambda pair: (len(pair[1].passages), -pair[0].issue))


def _compare_provisions(
    base: KnowledgeBase, entry: EditionEntry, states: Sequence[State], noun: str
) -> TextComparison:
    """Compare a document with an edition."""
    rows = [match.state for match in base.provisions(entry)]
    there = dict(zip(keys_of(rows), rows, strict=True))
    here = dict(zip(keys_of(states), states, strict=True))
    passages: list[Attestation] = []
    alike = in_signs = 0
    for key, state in here.items():
        row = there.get(key)
        if row is None:
            evidence = f"the text of {entry.label} has no such provision"
            passages.append(_plain(state, words_of(state), evidence))
        elif _folded(state) == _folded(row):
            alike += 1
            in_signs += (state.heading, state.body) != (row.heading, row.body)
        else:
            passages.append(_differs(state, row, entry))
    missing = (there[key] for key in there if key not in here)
    passages += [_only_there(row, entry, noun) for row in missing]
    return TextComparison(passages, alike, in_signs, len(here.keys() | there.keys()))


def keys_of(states: Sequence[State]) -> Iterator[_Key]:
    """Yield the keys that pair provisions: kind, number or headword, and a counter."""
    counts: dict[tuple[str, str], Iterator[int]] = {}
    for state in states:
        name = (state.kind, fold_words(state.heading) if state.kind == "glossary" else state.number)
        yield *name, next(counts.setdefault(name, count()))


def _folded(state: State) -> tuple[str, str]:
    return fold_words(state.heading), fold_words(full_text(state.body))


def words_of(state: State) -> str:
    """Return the heading of a provision and all its words."""
    return "\n".join([part for part in (state.heading, full_text(state.body)) if part])


def _plain(state: State, words: str, evidence: str) -> Attestation:
    return Attestation(
        kind=state.kind,
        verdict=PassageVerdict.DIFFERS,
        number=state.number,
        headword=state.heading if state.kind == "glossary" else "",
        words=words,
        evidence=(evidence,),
    )


def _differs(state: State, row: Row, entry: EditionEntry) -> Attestation:
    pieces = word_diff(words_of(row), words_of(state))
    kept = sum([len(text) for operation, text in pieces if operation == "="])
    longest = max(len(words_of(row)), len(words_of(state)), 1)
    return replace(
        _plain(state, words_of(state), f"the text of {entry.label} has other words"),
        provision=row.id,
        edition=entry.place,
        likeness=round(min(kept / longest, 1.0), 3),
        pieces=tuple(pieces),
    )


def _only_there(row: Row, entry: EditionEntry, noun: str) -> Attestation:
    plain = _plain(row, "", f"the {noun} lacks what the text of {entry.label} has")
    return replace(plain, provision=row.id, edition=entry.place)
