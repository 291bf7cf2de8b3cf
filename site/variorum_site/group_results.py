"""Results of making some pages, for pages that are made later."""

from typing import Any, TypedDict

# A change: "added", "reworded", "removed" or "renumbered"; the old name; the new name, with "?" before
# it if the step is uncertain; and a short word diff.
ReportedChange = tuple[str, str, str, list[tuple[str, str]]]


class GroupResults(TypedDict, total=False):
    """The results of a group of pages, which are stored with the group.

    Attributes:
        summary: Counts of an edition's changes, the JSON of a `DiffSummary`.
        words: How many words the edition has.
        reported: An edition's changes, for feeds.
        compared: A digest of all that the data for comparing editions depends on.
    """

    summary: dict[str, Any]
    words: int
    reported: list[ReportedChange]
    compared: str
