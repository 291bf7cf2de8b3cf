"""Finds the witnesses of a provision: quotations, rulings, announcements, commentary."""

from functools import cached_property

from variorum_kb.history.lineages import Link, Stretch
from variorum_kb.rows import name_of
from variorum_kb.stored_rows import (
    ANNOUNCEMENT,
    COPY_LAYOUT,
    ORIGINAL_LAYOUT,
    PassageRow,
    WitnessRow,
    split_reason,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from variorum_kb.answers.edition_entry import EditionEntry
    from variorum_kb.answers.knowledge_base import KnowledgeBase
    from variorum_kb.forms.values import Piece
    from variorum_kb.forms.witness import AnnouncedJson, AttestationJson, WitnessJson


class _Passage(PassageRow):
    """A passage with the id of its witness and its place among the passages."""

    __slots__ = ()
    witness: int
    place: int


_PASSAGES = f"SELECT {', '.join(_Passage.columns)} FROM passage "  # noqa: S608 - constant names


class Witnesses:
    """Answers about the witnesses of an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        self._reader = base.reader
        self._states = base.states
        self._labels = base.labels
        self._loaded: dict[str, dict[int, list[_Passage]]] | None = None

    @cached_property
    def rows(self) -> dict[int, WitnessRow]:
        """Return all witnesses by their ids."""
        names = ", ".join(WitnessRow.columns)
        rows = self._reader.query(f"SELECT id, {names} FROM witness ORDER BY id")  # noqa: S608
        return {id_: WitnessRow(*cells) for id_, *cells in rows}

    def all(self) -> "list[WitnessJson]":
        """Return all witnesses: dated ones first, oldest first, then by hash."""
        counts = dict(self._reader.query("SELECT witness, count(*) FROM passage GROUP BY witness"))
        witnesses = [self._witness(row, counts.get(id_, 0)) for id_, row in self.rows.items()]
        # The base stores them by hash.
        return sorted(witnesses, key=lambda witness: witness["dated"] or witness["from"] or "9999")

    def passages_of(self, sha256: str) -> "list[AttestationJson]":
        """Return the passages of a witness, in printed order."""
        ids = [id_ for id_, row in self.rows.items() if row.sha256 == sha256]
        return self._attestations(self._passages("witness", ids))

    def of(self, life: "Sequence[Stretch]") -> "list[AttestationJson]":
        """Return the documents that attest or discuss a provision, by edition, then by hash.

        An original attests every provision in which it agrees with its edition; the answer then
        leaves out the words of the original. A copy attests nothing.
        """
        if not self.rows:
            return []
        rows = self._of_life(life)
        rows += self._originals(life, {(row.witness, row.provision) for row in rows})
        return self._attestations(rows)

    def quoted(self, life: "Sequence[Stretch]") -> "list[AttestationJson]":
        """Return the documents that quote or discuss a provision.

        Announcements are listed with their steps.
        """
        return [attestation for attestation in self.of(life) if attestation["kind"] != ANNOUNCEMENT]

    def announced(self, links: "Iterable[Link]") -> "list[AnnouncedJson]":
        """Return the announcements of a step."""
        if not self.rows:
            return []
        ends = {
            (link.edition, end) for link in links for end in (link.old, link.new) if end is not None
        }
        states = sorted({end for _, end in ends})
        rows = {
            (row.witness, row.place): row
            for column in ("provision", "former")
            for row in self._passages(column, states)
            if row.kind == ANNOUNCEMENT and (row.edition, getattr(row, column)) in ends
        }
        return [self._announced(rows[key]) for key in sorted(rows)]

    def announcements(self, on: "str | EditionEntry" = "current") -> "list[AttestationJson]":
        """Return the announcements of changes in an edition, in the bulletins' order.

        Raises:
            NoEditionError: The designator names no edition.
        """
        if not self.rows:
            return []
        place = self._base.edition(on).place
        rows = [row for row in self._passages("edition", [place]) if row.kind == ANNOUNCEMENT]
        return self._attestations(rows)

    # Rows ----------------------------------------------------------------------------------------

    def load(self) -> None:
        """Read all passages, for questions about every provision."""
        loaded: dict[str, dict[int, list[_Passage]]] = {}
        for cells in self._reader.query(f"{_PASSAGES}ORDER BY witness, place"):
            row = _Passage(*cells)
            for column in ("witness", "provision", "former", "edition"):
                value: int | None = getattr(row, column)
                if value is not None:
                    loaded.setdefault(column, {}).setdefault(value, []).append(row)
        self._loaded = loaded

    def _passages(self, column: str, values: "Sequence[int]") -> list[_Passage]:
        """Return the passages that have one of some values in a column."""
        if self._loaded is not None:
            known = self._loaded.get(column, {})
            return [row for value in values for row in known.get(value, ())]
        wanted = f"{_PASSAGES}WHERE {column} IN ({{}}) ORDER BY witness, place"
        return [_Passage(*cells) for cells in self._reader.query_each(wanted, values)]

    def _of_life(self, life: "Sequence[Stretch]") -> list[_Passage]:
        """Return the passages about a provision's states in its editions."""
        states = sorted({stretch.state for stretch in life})
        rows = {
            (row.witness, row.place): row
            for row in (*self._passages("provision", states), *self._passages("former", states))
            if any(_speaks_of(row, stretch) for stretch in life)
        }
        copies = {id_ for id_, row in self.rows.items() if row.layout == COPY_LAYOUT}
        return [row for row in rows.values() if row.witness not in copies]

    def _originals(
        self, life: "Sequence[Stretch]", known: set[tuple[int, int | None]]
    ) -> list[_Passage]:
        """Return a row for each original that agrees with its edition on the provision."""
        places = {
            id_: row.first
            for id_, row in self.rows.items()
            if row.layout.startswith(ORIGINAL_LAYOUT) and row.first is not None
        }
        return [
            _agreeing(id_, place, stretch.state)
            for id_, place in places.items()
            for stretch in life
            if stretch.first <= place <= stretch.last and (id_, stretch.state) not in known
        ]

    # Forms ---------------------------------------------------------------------------------------

    def _witness(self, row: WitnessRow, passages: int) -> "WitnessJson":
        return {
            "sha256": row.sha256,
            "layout": row.layout,
            "title": row.title,
            "author": row.author,
            "source": row.source,
            "stated": row.stated,
            "dated": row.dated or None,
            "from": self._label(row.first),
            "to": self._label(row.last),
            "matched": row.matched,
            "of": row.total,
            "passages": passages,
            "evidence": _lines(row.evidence),
        }

    def _label(self, place: int | None) -> str | None:
        return None if place is None else self._labels[place]

    def _attestations(self, rows: "Sequence[_Passage]") -> "list[AttestationJson]":
        ids = [id_ for row in rows for id_ in (row.provision, row.former)]
        states = self._states.of([state for state in ids if state is not None])
        names = {id_: name_of(state) for id_, state in states.items()}
        rows = sorted(rows, key=lambda row: (*self._when(row), row.witness, row.place))
        return [self._attestation(row, names) for row in rows]

    def _when(self, row: _Passage) -> tuple[int, int]:
        return (1, 0) if row.edition is None else (0, row.edition)

    def _attestation(self, row: _Passage, names: dict[int, str]) -> "AttestationJson":
        witness = self.rows[row.witness]
        return {
            "witness": {
                "sha256": witness.sha256,
                "layout": witness.layout,
                "title": witness.title,
                "author": witness.author,
                "source": witness.source,
                "dated": witness.dated or None,
            },
            "kind": row.kind,
            "verdict": _verdict_of(row),
            "number": row.number or None,
            "headword": row.headword or None,
            "words": row.words,
            "line": row.line or None,
            "edition": self._label(row.edition),
            "stands": None if row.provision is None else names[row.provision],
            "former": None if row.former is None else names[row.former],
            "becomes": row.becomes or None,
            "claimed": row.claimed or None,
            "claimed_by": row.source or None,
            "supplied": row.supplied or None,
            "likeness": row.likeness,
            "confidence": row.confidence,
            "evidence": _lines(row.evidence),
            "pieces": _pieces(row.pieces),
        }

    def _announced(self, row: _Passage) -> "AnnouncedJson":
        witness = self.rows[row.witness]
        reason, _ = split_reason(_lines(row.evidence))
        return {
            "sha256": witness.sha256,
            "title": witness.title,
            "author": witness.author,
            "dated": witness.dated or None,
            "verdict": _verdict_of(row),
            "words": row.words,
            "reason": reason or None,
        }


def _speaks_of(row: _Passage, stretch: Stretch) -> bool:
    """Return whether a passage is about a stretch's state, in its editions or the next edition."""
    edition = row.edition
    if row.provision == stretch.state:
        return edition is None or stretch.first <= edition <= stretch.last + 1
    if row.former != stretch.state or edition is None:
        return False
    return stretch.first < edition <= stretch.last + 1


def _pieces(text: str) -> "list[Piece]":
    if not text:
        return []
    import json  # noqa: PLC0415 - a history without a word diff does not need it

    pieces: list[Piece] = json.loads(text)
    return pieces


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _agreeing(witness: int, edition: int, state: int) -> _Passage:
    """Return the passage that represents an original's agreement with its edition."""
    row = _Passage.of("" for _ in _Passage.columns)
    return row.changed(
        witness=witness,
        place=-1,
        kind="edition",
        verdict="agrees",
        line=0,
        provision=state,
        former=None,
        edition=edition,
        likeness=1.0,
        confidence=1.0,
    )


def _verdict_of(row: _Passage) -> "Any":  # noqa: ANN401 - announcements have verdicts of their own
    """Return the verdict on a passage."""
    return row.verdict
