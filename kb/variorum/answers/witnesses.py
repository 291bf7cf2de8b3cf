"""Finds the witnesses of a provision: quotations, announcements, commentary, originals."""

from collections import Counter
from functools import cached_property
from types import MappingProxyType

from msgspec import convert, json, structs

from variorum.records.document import Claim, Passage, Witness, WitnessName
from variorum.rows import ANNOUNCED, COMMENTARY, COPY, ORIGINAL, UNKNOWN, headword_of
from variorum.store.reader import PassageRow
from variorum.text import percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    def _by_hash(self) -> "dict[str, Witness]":
        rows = self._base.reader.query("SELECT sha256, body FROM witness ORDER BY sha256")
        return {sha256: json.decode(body, type=Witness) for sha256, body in rows}

    def all(self) -> "list[Witness]":
        """Return all witnesses: dated ones first, oldest first, then by hash."""
        witnesses = self._by_hash.values()
        return sorted(witnesses, key=lambda witness: witness.dated or witness.from_ or "9999")

    def passages_of(self, sha256: str) -> "list[Passage]":
        """Return the passages of a witness, in printed order."""
        return [row.said for row in self._rows("witness IN asked", [sha256])]

    def of(self, life: "Sequence[Stretch]") -> "list[Passage]":
        """Return what witnesses quote of a provision or say about it, by edition.

        A copy attests nothing. An original attests every provision in which it agrees with its
        edition; such an answer has no words.
        """
        found = [
            row
            for row in self._rows("provision IN asked", [it.state for it in life])
            if row.said.verdict != ANNOUNCED and row.said.witness and row.said.witness.kind != COPY
            if any(
                it.state == row.provision and it.first <= (row.edition or 0) <= it.last
                for it in life
            )
        ]
        differing = {(row.said.witness, row.provision) for row in found}
        names = self._base.reader.names_by_id([it.state for it in life])
        for sha256, witness in self._by_hash.items():
            label, about = witness.from_, self._names[sha256]
            place = self._base.labels.index(label) if label else -1
            for it in life if witness.kind.startswith(ORIGINAL) else ():
                if it.first <= place <= it.last and (about, it.state) not in differing:
                    said = {"stands": names[it.state], "edition": label, "witness": about}
                    found.append(PassageRow(it.state, None, place, structs.replace(BARE, **said)))
        return [row.said for row in sorted(found, key=lambda row: row.edition or 0)]

    def announced(self, links: "Iterable[Link]") -> "list[Passage]":
        """Return what bulletins say about some steps, each sentence once."""
        steps = {(link.new, link.old, link.edition) for link in links}
        ends = {end for *ends, _ in steps for end in ends if end is not None}
        rows = self._rows("provision IN asked OR former IN asked", [*ends])
        said = [row.said for row in rows if row[:3] in steps and row.said.verdict == ANNOUNCED]
        return [*{(each.witness, each.words): each for each in reversed(said)}.values()][::-1]

    @cached_property
    def _names(self) -> "dict[str, WitnessName]":
        count = len(WitnessName.__struct_fields__)
        return {
            sha256: WitnessName(*structs.astuple(witness)[:count])
            for sha256, witness in self._by_hash.items()
        }

    def _rows(self, where: str, asked: "Sequence[int | str]") -> "list[PassageRow]":
        query = f"WITH asked AS ({{}}) SELECT * FROM passage WHERE {where} ORDER BY witness, place"  # noqa: S608 - our own
        rows = []
        for sha256, _, new, old, edition, body in self._base.reader.query_each(query, asked):
            said = structs.replace(json.decode(body, type=Passage), witness=self._names[sha256])
            rows.append(PassageRow(new, old, edition, said))
        return rows


def name_of_witness(witness: WitnessName, files: "Mapping[str, str]" = MappingProxyType({})) -> str:
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
