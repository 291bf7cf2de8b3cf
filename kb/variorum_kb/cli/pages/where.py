"""Set what numbers of one edition are in another; without click, for the fast path."""

from variorum_kb.cli.pages.diff import percent
from variorum_kb.cli.pages.history import other_lines
from variorum_kb.thresholds import SHOWN_CERTAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from variorum_kb.answers.edition_entry import EditionEntry
    from variorum_kb.forms.lineage import CrosswalkRowJson, WhereJson


def set_where(
    found: "Sequence[WhereJson]", editions: "tuple[EditionEntry, EditionEntry]", *, width: int
) -> str:
    """Return what numbers of the first edition are in the other, a line each.

    Args:
        found: In the form of `cr where --json`.
        editions: The two.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
    """
    return "\n".join([*_lines(found, *editions, width), ""])


def _lines(
    found: "Sequence[WhereJson]", one: "EditionEntry", other: "EditionEntry", width: int
) -> "Iterator[str]":
    for row in found:
        if row["new"]:
            yield f"{row['old']} in {one.label} is {_heirs(row)} in {other.label}{_how(row)}"
        else:
            what = "is no more" if one.place <= other.place else "did not exist yet"
            yield f"{row['old']} in {one.label} {what} in {other.label}{_how(row)}"
        for step in row["read"]:
            yield f"  read, into {step['edition']}: {step['reason']}"
    others = [bearer for row in found for bearer in row["others"]]
    if others:
        yield "The number was also borne by"
        yield from other_lines(others, width)


def _heirs(row: "CrosswalkRowJson") -> str:
    if "uncertain" in row["kinds"]:
        return f"perhaps {' or '.join(row['new'])}"
    return ", ".join(row["new"])


def _how(row: "CrosswalkRowJson") -> str:
    return f" ({', '.join([*row['kinds'], *how_sure(row)])})"


def how_sure(row: "CrosswalkRowJson") -> list[str]:
    """Say whether steps on the way were read, and what chance there is if it is in doubt."""
    read = ["read"] if row["read"] else []
    if row["confidence"] >= SHOWN_CERTAIN:
        return read
    return [*read, f"{percent(row['confidence'])} sure"]
