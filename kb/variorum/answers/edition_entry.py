"""Editions of a knowledge base."""

from msgspec import structs

from variorum.record import Record
from variorum.records.edition import Edition, EditionSummary, LineEnds

TYPE_CHECKING = False
if TYPE_CHECKING:  # preparing the forms would slow every start
    from collections.abc import Sequence
    from datetime import date
    from typing import Any


class EditionEntry(Record):
    """An edition of the knowledge base, without its provisions.

    Attributes:
        place: Its place among all editions, from 0.
        label: Its effective date, with its issue if the base has several of this date.
        is_chosen: Whether the date without an issue means this edition.
        attested: How it is attested, one of `rows.ATTESTED`; "" for "one source".
        doubts: The warnings that an answer from it shows.
        row: The columns of the table `edition` by name, without long texts.
    """

    __slots__ = ()
    place: int
    label: str
    issue: int
    is_chosen: bool
    set_code: str
    set_name: str
    sha256: str
    condition: str
    attested: str
    doubts: tuple[str, ...]
    row: "dict[str, Any]"

    @property
    def effective(self) -> "date":
        """Return the first day on which it is in force."""
        from datetime import date  # noqa: PLC0415 - most answers do not need it

        return date.fromisoformat(self.row["effective"])

    def as_json(self) -> "EditionSummary":
        """Return the edition object of the export format."""
        row = self.row
        return EditionSummary(
            effective=row["effective"],
            issue=self.issue,
            condition=row["condition"],
            attested=row["attested"] or None,
            doubts=list(self.doubts),
            sha256=self.sha256,
            encoding=row["encoding"],
            line_ends=LineEnds(row["crlf"], row["cr"], row["lf"]),
            layout=row["layout"],
            sections=row["sections"],
            rules=row["rules"],
            examples=row["examples"],
            glossary=row["glossary"],
            irregularities=row["irregularities"],
        )


def listed_json(entry: EditionEntry, editions: "Sequence[EditionEntry]", file: str) -> "Edition":
    """Return an edition in the form of `cr editions --json`.

    Args:
        entry: The edition.
        editions: All editions, the oldest first.
        file: The name of its document's file.
    """
    before, after = editions[: entry.place], editions[entry.place + 1 :]
    return Edition(
        **structs.asdict(entry.as_json()),
        label=entry.label,
        until=_until(entry, after),
        previous=before[-1].label if before else None,
        next=after[0].label if after else None,
        set_code=entry.set_code,
        set_name=entry.set_name,
        file=file,
    )


def _until(entry: EditionEntry, later: "Sequence[EditionEntry]") -> str | None:
    """Return the last day on which an edition was in force; None for the newest."""
    from datetime import timedelta  # noqa: PLC0415 - see above

    following = (edition.effective for edition in later if edition.effective > entry.effective)
    day = next(following, None)
    return None if day is None else (day - timedelta(days=1)).isoformat()


def entry_of(row: "dict[str, Any]") -> EditionEntry:
    """Return the entry of a row."""
    return EditionEntry(
        row["id"],
        row["label"],
        row["issue"],
        bool(row["is_chosen"]),
        row["set_code"],
        row["set_name"],
        row["sha256"],
        row["condition"],
        row["attested"],
        tuple(row["doubts"].splitlines()),
        row,
    )
