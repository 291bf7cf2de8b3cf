"""The types of the verdict on a citation."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from variorum.records.lineage import Change


class NumberMeaning(NamedTuple):
    """A provision that had a number for a time.

    Attributes:
        first: The label of the first edition.
        last: The label of the last edition.
        was: The provision, in a few words.
        heirs: Its present numbers.
    """

    first: str
    last: str
    was: str
    heirs: tuple[str, ...]


class CitationVerdict(NamedTuple):
    """The result of checking a citation.

    Attributes:
        status: One of STATUSES.
        heirs: The correct numbers, the main heir's first. A range has both ends; a glossary entry
            is "glossary: " and its headword. If the citation is in doubt, the candidates.
        as_of: The label of the edition by which it was judged; "" if it has no date.
        confidence: The chance that the main heir is right.
        since: If the provision is gone, the label of the first edition without it.
        was: The cited provision, in a few words.
        now_means: The provision that has the number now, if it is not the cited one.
        why: Evidence besides the date, or the reason for doubt.
        meanings: If the verdict is in doubt, everything that the number ever meant, oldest first.
        is_sure: Whether `--fix` may rewrite the citation without asking.
        is_pinned: Whether the author names the edition. Then the citation is never rewritten.
        is_late: Whether the edition by which it was judged lacks the number, and the nearest
            edition that has it is later.
        changes: What changed since an edition that the user asks about.
    """

    status: str
    heirs: tuple[tuple[str, str], ...]
    as_of: str
    confidence: float = 1.0
    since: str = ""
    was: str = ""
    now_means: str = ""
    why: str = ""
    meanings: tuple[NumberMeaning, ...] = ()
    is_sure: bool = False
    is_pinned: bool = False
    is_late: bool = False
    changes: "tuple[Change, ...]" = ()

    @property
    def heir(self) -> str:
        """Return the main heir's number, or the first of its range; "" if there is none."""
        return next((first for first, _ in self.heirs), "")
