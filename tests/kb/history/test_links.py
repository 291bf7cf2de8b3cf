"""The heirs of each provision of the sample rulebook, with all stored details."""

from collections.abc import Callable
from itertools import pairwise

from variorum_kb.build.build import load_sample
from variorum_kb.history.aligning.sides import Side
from variorum_kb.history.canonical import Folder
from variorum_kb.history.links import links_between
from variorum_kb.rows import CHANGE_CLASSES, State, kinds_of
from variorum_kb.store.edition_rows import rows_of
from variorum_kb.stored_rows import LinkRow


def test_links(golden: Callable[[str, object], None]) -> None:
    """Heirs, kinds, classes of change, confidences and reasons are unchanged."""
    folder = Folder()
    editions = [rows_of(edition) for edition in load_sample()]
    lines = [
        line_of(link, columns.effective, old, new)
        for (_, old), (columns, new) in pairwise(editions)
        for link in links_between(Side(old, folder), Side(new, folder))
    ]

    golden("history-links.txt", "".join(f"{line}\n" for line in lines))


def line_of(link: LinkRow, day: str, old: list[State], new: list[State]) -> str:
    """Return a link as a line."""
    return " | ".join(
        [
            f"{day} {name(old, link.old)} > {name(new, link.new)} #{link.rank}",
            f"{' '.join(kinds_of(link.kinds))} {CHANGE_CLASSES[link.change]} {link.confidence}",
            *link.evidence.reasons,
        ]
    )


def name(states: list[State], place: int) -> str:
    """Return the name of the provision at a place of an edition; "-" for none."""
    return "-" if place < 0 else states[place].address or states[place].heading
