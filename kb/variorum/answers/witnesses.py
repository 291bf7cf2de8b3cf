"""Finds the witnesses of a provision: quotations, announcements, commentary, originals."""

from functools import cached_property

from msgspec import json, structs

from variorum.history.lineages import Link, Stretch
from variorum.records.identify import Claim
from variorum.records.witness import Announcement, Attestation, Witness, WitnessName
from variorum.rows import name_of
from variorum.stored_rows import (
    ANNOUNCED,
    COMMENTARY,
    COPY,
    ORIGINAL,
    UNKNOWN,
    PassageRow,
    WitnessRow,
)
from variorum.text import listed, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase

# Below this, the confidence of a passage is printed; above, it would be rounded to 100 %. By
# arithmetic.
_WITNESS_CERTAIN = 0.995


_PASSAGES = f"SELECT {', '.join(PassageRow._fields)} FROM passage "  # noqa: S608 - constant names
_SAID = {COMMENTARY: "discusses it", UNKNOWN: "no such change found"}
# The most runs of editions that are named.
_MOST_RUNS = 3
_NO_PASSAGE = PassageRow("", "", "", "", "", 0, None, None, None, "", 1.0, 1.0, "", "", "", 0, -1)


class Witnesses:
    """Answers about the witnesses of an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        self._reader = base.reader

    @cached_property
    def rows(self) -> dict[int, WitnessRow]:
        """Return all witnesses by their ids."""
        names = ", ".join(WitnessRow._fields)
        rows = self._reader.query(f"SELECT id, {names} FROM witness ORDER BY id")  # noqa: S608
        return {id_: WitnessRow(*cells) for id_, *cells in rows}

    def all(self) -> "list[Witness]":
        """Return all witnesses: dated ones first, oldest first, then by hash."""
        counts = dict(self._reader.query("SELECT witness, count(*) FROM passage GROUP BY witness"))
        witnesses: list[Witness] = [
            Witness(
                **structs.asdict(_name_json(row)),
                from_=self._label(row.first),
                to=self._label(row.last),
                matched=row.matched,
                of=row.total,
                passages=counts.get(id_, 0),
                evidence=_lines(row.evidence),
            )
            for id_, row in self.rows.items()
        ]
        return sorted(witnesses, key=lambda witness: witness.dated or witness.from_ or "9999")

    def passages_of(self, sha256: str) -> "list[Attestation]":
        """Return the passages of a witness, in printed order."""
        ids = [id_ for id_, row in self.rows.items() if row.sha256 == sha256]
        return [self._attestation(row) for row in self._passages("witness", ids)]

    def of(self, life: "Sequence[Stretch]") -> "list[Attestation]":
        """Return what witnesses quote of a provision, announce or say about it, by edition.

        A copy attests nothing. An original attests every provision in which it agrees with its
        edition; such an answer has no words.
        """
        rows = self._of_life(life)
        rows += self._originals(life, {(row.witness, row.provision) for row in rows})
        rows.sort(key=lambda row: (row.edition or 0, row.witness, row.place))
        return [self._attestation(row) for row in rows]

    def quoted(self, life: "Sequence[Stretch]") -> "list[Attestation]":
        """Return what witnesses quote of a provision or say about it; announcements are in its steps."""
        return [said for said in self.of(life) if said.verdict != ANNOUNCED]

    def announced(self, links: "Iterable[Link]") -> "list[Announcement]":
        """Return what bulletins say about a step."""
        if not self.rows:
            return []
        steps = {(link.edition, link.old, link.new) for link in links}
        states = sorted({end for _, *ends in steps for end in ends if end is not None})
        rows = {
            (row.witness, row.place): row
            for column in ("provision", "former")
            for row in self._passages(column, states)
            if row.verdict == ANNOUNCED and (row.edition, row.former, row.provision) in steps
        }
        told: list[Announcement] = []
        for _, row in sorted(rows.items()):
            said = Announcement(
                **structs.asdict(_name_json(self.rows[row.witness])), words=row.words
            )
            told += [said] if said not in told else []
        return told

    def announcements(self, on: "str | EditionEntry" = "current") -> "list[Attestation]":
        """Return what bulletins announce of an edition, in their order.

        Raises:
            NoEditionError: The designator names no edition.
        """
        if not self.rows:
            return []
        place = self._base.edition(on).place
        rows = self._passages("edition", [place])
        bulletins = {row.witness for row in rows if row.verdict == ANNOUNCED}
        return [self._attestation(row) for row in rows if row.witness in bulletins]

    # Rows ----------------------------------------------------------------------------------------

    def _passages(self, column: str, values: "Sequence[int]") -> list[PassageRow]:
        """Return the passages that have one of some values in a column."""
        wanted = f"{_PASSAGES}WHERE {column} IN ({{}}) ORDER BY witness, place"
        return [PassageRow(*cells) for cells in self._reader.query_each(wanted, values)]

    def _of_life(self, life: "Sequence[Stretch]") -> list[PassageRow]:
        """Return the passages about a provision's states in its editions, and about its steps."""
        if not self.rows:
            return []
        states = sorted({stretch.state for stretch in life})
        rows = {
            (row.witness, row.place): row
            for row in (*self._passages("provision", states), *self._passages("former", states))
            if self.rows[row.witness].kind != COPY
            and any(_speaks_of(row, stretch) for stretch in life)
        }
        return list(rows.values())

    def _originals(
        self, life: "Sequence[Stretch]", known: set[tuple[int, int | None]]
    ) -> list[PassageRow]:
        """Return a row for each original that agrees with its edition on the provision."""
        return [
            _NO_PASSAGE._replace(
                witness=id_, verdict="agrees", provision=stretch.state, edition=row.first
            )
            for id_, row in self.rows.items()
            if row.kind.startswith(ORIGINAL) and row.first is not None
            for stretch in life
            if stretch.first <= row.first <= stretch.last and (id_, stretch.state) not in known
        ]

    # Forms ---------------------------------------------------------------------------------------

    def _label(self, place: int | None) -> "Any":  # noqa: ANN401 - None of None, else a label
        return None if place is None else self._base.labels[place]

    def _attestation(self, row: PassageRow) -> "Attestation":
        states = self._base.states.of(
            [id_ for id_ in (row.provision, row.former) if id_ is not None]
        )
        verdict: Any = row.verdict
        return Attestation(
            witness=_name_json(self.rows[row.witness]),
            verdict=verdict,
            number=row.number or None,
            headword=row.headword or None,
            supplied=row.supplied or None,
            words=row.words,
            line=row.line or None,
            edition=self._label(row.edition),
            stands=None if row.provision is None else name_of(states[row.provision]),
            former=None if row.former is None else name_of(states[row.former]),
            editions=[[self._label(place) for place in run] for run in _json(row.runs)],
            likeness=row.likeness,
            confidence=row.confidence,
            claims=[self._claim(*claim) for claim in _json(row.claims)],
            evidence=_lines(row.evidence),
            pieces=_json(row.pieces),
        )

    def _claim(self, words: str, day: str, verdict: "Any", *places: int | None) -> "Claim":  # noqa: ANN401
        return Claim(words, day, verdict, *map(self._label, places))


def _speaks_of(row: PassageRow, stretch: Stretch) -> bool:
    """Return whether a passage is about a stretch's state in its editions, or a step into or out of it."""
    edition = -1 if row.edition is None else row.edition
    if row.verdict != ANNOUNCED:
        return row.provision == stretch.state and stretch.first <= edition <= stretch.last
    is_into = row.provision == stretch.state and edition == stretch.first
    return is_into or (row.former == stretch.state and edition == stretch.last + 1)


def _name_json(row: WitnessRow) -> "WitnessName":
    return WitnessName(row.sha256, row.kind, row.title, row.author, row.dated or None)


def _json(text: str) -> "Any":  # noqa: ANN401 - what a column holds
    return json.decode(text) if text else []


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def verdict_in_words(attestation: "Attestation") -> str:
    """Return the verdict on a passage, the editions that agree, and what the passage is called."""
    verdict, runs = attestation.verdict, attestation.editions
    said = _SAID.get(verdict, verdict)
    if verdict != "differs" and runs:
        shown = [first if first == last else f"{first} to {last}" for first, last in runs]
        said += f": {listed(shown, _MOST_RUNS)}"
    if verdict == "commentary" and attestation.confidence < _WITNESS_CERTAIN:
        said += f", {percent(attestation.confidence)} confidence"
    name = attestation.number or attestation.headword or ""
    stands = attestation.stands or attestation.former or ""
    if attestation.supplied:
        return f"{said}, without its {attestation.supplied}"
    return f"{said}, as {name}" if name and not stands.endswith(name) else said


def claims_in_words(attestation: "Attestation") -> list[str]:
    """Return what the editions say of each day that a passage gives for its words."""
    said: list[str] = []
    for claim in attestation.claims:
        since = {"words": claim.words_since, "number": claim.number_since}
        known = [f"{what} since {label}" for what, label in since.items() if label]
        said.append(", ".join([f"[{claim.words}]: {claim.verdict}", *known]))
    return said
