"""Format what numbers of one edition are in another."""

from variorum.cli.pages.history import other_lines
from variorum.cli.pages.steps import step_words
from variorum.rows import SHOWN_CERTAIN
from variorum.text import percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from variorum.answers.editions import EditionEntry
    from variorum.records.lineage import CrosswalkRow, Destination


def set_where(answer: "Sequence[Destination]", target: "EditionEntry", *, width: int) -> str:
    """Format what numbers are in another edition, a line each.

    Args:
        answer: In the form of `cr where --json`.
        target: The other edition.
        width: Columns of the terminal; 0 puts each paragraph on one line.
    """
    return "\n".join([*_lines(answer, target, width), ""])


def _lines(answer: "Sequence[Destination]", target: "EditionEntry", width: int) -> "Iterator[str]":
    for row in answer:
        asked_in = row.edition
        if row.new:
            yield f"{row.old} in {asked_in} is {_heirs(row)} in {target.label}{_how(row)}"
        else:
            outcome = "no longer exists" if asked_in <= target.label else "did not exist yet"
            yield f"{row.old} in {asked_in} {outcome} in {target.label}{_how(row)}"
        for step in row.read:
            yield f"  the step to {step.edition} was decided by readers: {step.reason}"
        if row.others:
            yield f"Other rules that have had the number {row.old}"
            yield from other_lines(row.others, width)


def _heirs(row: "CrosswalkRow") -> str:
    if "uncertain" in row.kinds:
        return f"perhaps {' or '.join(row.new)}"
    return ", ".join(row.new)


def _how(row: "CrosswalkRow") -> str:
    return f" ({', '.join([*kinds_said(row), *how_sure(row)])})"


def kinds_said(row: "CrosswalkRow") -> list[str]:
    """Return the words for the steps of a number."""
    return step_words(row.kinds, row.old, next(iter(row.new), None))


def how_sure(row: "CrosswalkRow") -> list[str]:
    """Return "decided" if people decided a step, and the confidence if it is low."""
    decided = ["decided"] if row.read else []
    if row.confidence >= SHOWN_CERTAIN:
        return decided
    return [*decided, f"{percent(row.confidence)} confidence"]
