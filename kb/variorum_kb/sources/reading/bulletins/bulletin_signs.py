"""Decides by its title and its announcements whether a page is a bulletin."""

import re
from collections.abc import Sequence

from variorum_kb.sources.reading.bulletins.announcements import Announcement, AnnouncementKind
from variorum_kb.thresholds.documents import BULLETIN, BULLETIN_TITLED

_FEWEST = 3
# If the title announces changes, fewer entries need to mention changes.
_FEWEST_TITLED = 2
_SAYS_CHANGES = re.compile(
    r"\brules?\s+(?:changes?|updates?)\b|\bupdate\s+bulletin\b|\bchanges\s+(?:to|in)\s+the\s+(?:\w+\s+)?rules\b",
    re.IGNORECASE,
)
_OF_A_RULE = re.compile(
    r"\b(?:this|these|that|the|both)\s+(?:\w+\s+){0,3}?(?:sub)?(?:rules?|sections?|examples?|entry)\b"
    r"|\brenumbered\b",
    re.IGNORECASE,
)


def is_bulletin(announcements: Sequence[Announcement], title: str, entries: int) -> bool:
    """Say whether the text below enough numbers is about changes to rules.

    Args:
        announcements: All announcements of the page.
        title: Its title.
        entries: How many headings of numbers or headwords it has.
    """
    numbered = [
        announcement
        for announcement in announcements
        if not announcement.is_term and not announcement.is_implied
    ]
    telling = [
        announcement
        for announcement in numbered
        if announcement.kind is not AnnouncementKind.REWORDED
        or (announcement.is_said and _OF_A_RULE.search(announcement.words))
    ]
    fewest, share = (
        (_FEWEST_TITLED, BULLETIN_TITLED) if says_changes(title) else (_FEWEST, BULLETIN)
    )
    return len(telling) >= fewest and len(telling) >= share * entries


def says_changes(title: str) -> bool:
    """Say whether a title announces changes to rules.

    >>> says_changes("July 2009 Update Bulletin"), says_changes("Of lamps")
    (True, False)
    """
    return _SAYS_CHANGES.search(title) is not None
