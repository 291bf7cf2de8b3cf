"""The verdict on a citation, as the modules of the audit exchange it."""

from typing import NamedTuple


class NumberMeaning(NamedTuple):
    """A provision that had a number for a time.

    Attributes:
        first: The label of the first edition.
        last: The label of the last one.
        was: The provision, in a few words.
        heirs: What it is called now.
    """

    first: str
    last: str
    was: str
    heirs: tuple[str, ...]


class CitationVerdict(NamedTuple):
    """The result of checking a citation.

    Attributes:
        status: One of STATUSES.
        heirs: The numbers that should stand there, the main one first; for a range, both ends; a
            glossary entry is "glossary: " and its headword. If it is in doubt, the candidates.
        as_of: The label of the edition it was judged by; an empty string if it has no date.
        confidence: The chance that the main heir is right.
        since: If the provision is gone, the first edition without it.
        was: What it meant, in a few words.
        now_means: The provision that has the number now, if it is another one.
        why: Evidence besides the date, or why it is in doubt.
        meanings: If the verdict is in doubt, everything that the number ever meant, oldest first.
        is_sure: Whether it may be rewritten without asking.
        is_pinned: Whether the writer names the edition, so that nothing is to be rewritten.
        is_late: Whether the number is newer than the edition it was judged by: of the editions that
            have it, a later one is nearest.
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
