"""Finds the witnesses of a provision: who quotes it, discusses it or announced it; and says so in words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import convert, json, structs

from variorum.records.document import Claim, Passage, Witness, WitnessName
from variorum.rows import ANNOUNCED, COMMENTARY, ORIGINAL, UNKNOWN, headword_of
from variorum.store.reader import PassageRow
from variorum.text import percent

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.history.lineages import Link, Stretch

# Below this, the confidence of a passage is printed; above, it would be rounded to 100 %.
_CERTAIN = 0.995
_SAID = {COMMENTARY: "discusses it", UNKNOWN: "no such change found"}
# Of a passage that has nothing but a verdict.
BARE = convert(
    dict.fromkeys(("number", "headword", "supplied", "stands", "line", "edition", "former"))
    | {name: [] for name in ("editions", "pieces", "claims", "evidence")}
    | {"verdict": "agrees", "words": "", "is_part": False, "likeness": 0.0, "confidence": 1.0},
    Passage,
)


class Witnesses:
    """Answers about the witnesses of an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base

    @cached_property
    def all(self) -> list[Witness]:
        """All witnesses: dated ones first, oldest first, then by hash."""
        bodies = self._base.reader.query("SELECT body FROM witness ORDER BY sha256")
        witnesses = [json.decode(body, type=Witness) for (body,) in bodies]
        return sorted(witnesses, key=lambda witness: witness.dated or witness.from_ or "9999")

    def passages_of(self, sha256: str) -> list[Passage]:
        """Return the passages of a witness, in printed order."""
        return [row.said for row in self._rows("witness IN asked", [sha256])]

    def of(self, life: "Sequence[Stretch]") -> list[Passage]:
        """Return what witnesses quote of a provision or say about it, by edition."""
        stood = {(it.state, place) for it in life for place in range(it.first, it.last + 1)}
        found = self._rows("provision IN asked", [it.state for it in life])
        rows = sorted(found, key=lambda row: row.edition or 0)
        said = [row.said for row in rows if (row.provision, row.edition) in stood]
        return [passage for passage in said if passage.verdict != ANNOUNCED]

    def originals(self, life: "Sequence[Stretch]") -> list[str]:
        """Return the editions of a provision whose originals (Word, RTF, PDF) have the same words."""
        are = [it for it in self.all if it.kind.startswith(ORIGINAL) and it.matched == it.of]
        stood = [label for it in life for label in self._base.labels[it.first : it.last + 1]]
        return [label for label in stood if label in {it.from_ for it in are}]

    def announced(self, links: "Iterable[Link]") -> list[Passage]:
        """Return what bulletins say about some steps, each sentence once."""
        steps = {(link.new, link.old, link.edition) for link in links}
        ends = {end for *ends, _ in steps for end in ends if end is not None}
        rows = self._rows("provision IN asked OR former IN asked", ends)
        said = [row.said for row in rows if row[:3] in steps and row.said.verdict == ANNOUNCED]
        return [*{(each.witness, each.words): each for each in reversed(said)}.values()][::-1]

    def _rows(self, where: str, asked: Iterable[int | str]) -> Iterator[PassageRow]:
        query = f"WITH asked AS ({{}}) SELECT * FROM passage WHERE {where} ORDER BY witness, place"  # noqa: S608 - our own
        names = {it.sha256: convert(it, WitnessName, from_attributes=True) for it in self.all}
        for sha256, _, *about, body in self._base.reader.query_each(query, asked):
            said = structs.replace(json.decode(body, type=Passage), witness=names[sha256])
            yield PassageRow._make((*about, said))


def name_of_witness(witness: WitnessName, files: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the title and author of a witness, else the name of its file, else its kind and hash."""
    title = " by ".join([part for part in (witness.title, witness.author) if part])
    kind = f"{witness.kind[:1].upper()}{witness.kind[1:]} {witness.sha256[:8]}"
    return title or files.get(witness.sha256, "") or kind


def told(passage: Passage, shown: str) -> str:
    """Return the verdict on a passage in words, with what is not shown: its other name, editions, claims."""
    name, stands = passage.number or passage.headword, passage.stands or passage.former or ""
    other = next((it for it in (name, headword_of(stands) or stands) if it and it != shown), "")
    parts = [_SAID.get(passage.verdict, passage.verdict) + (f" as {other}" if other else "")]
    runs = [run for run in passage.editions if run[0] <= (passage.edition or "") <= run[1]]
    for first, last in runs or passage.editions[-1:]:
        parts.append(f"{first} alone" if first == last else f"{first} to {last}")
    if passage.supplied:
        parts.append(f"{passage.supplied} supplied")
    if passage.verdict == "differs" and passage.likeness:
        parts.append(f"{percent(passage.likeness)} alike")
    if passage.verdict == COMMENTARY and passage.confidence < _CERTAIN:
        parts.append(f"{percent(passage.confidence)} confidence")
    for said, count in Counter(map(_claimed, passage.claims)).items():
        parts.append(said + (f" ({count} times)" if count > 1 else ""))
    return ", ".join(parts)


def _claimed(claim: Claim) -> str:
    said, since = f"says {claim.day}: {claim.verdict}", claim.words_since
    if claim.verdict == "contradicted" and since:
        said += f", words since {since}"
        if claim.number_since not in {None, since}:
            said += f", number since {claim.number_since}"
    return said
