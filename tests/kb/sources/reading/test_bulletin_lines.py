"""Terse bulletins: one announcement a line, several numbers or headwords at once."""

import pytest

from variorum_kb.sources.reading.bulletins.announcements import AnnouncementKind, read_heading
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.bulletins.entry_announcements import announce
from variorum_kb.sources.reading.page import Page

ONE_A_LINE = """\
Harbour Rules Changes
May 3, 2017
By Ada Lantern

Rules 104.1-104.2 are renumbered to 104.2-104.3.
201.1a-b are now 202.1a-b.
205.3 (and its subrules) moved to 205.4.
301.2a-c are new.
301.3: New rule for oars.
302.1: This is a brand-new rule.
303.1 has been renumbered 303.2.
304.1 and 304.2 have been combined into 305.1.
"""

K = AnnouncementKind


def find(text: str) -> Bulletin | None:
    """Return a text as a bulletin; None for any other."""
    return Page(text.encode(), "page").bulletin


def read_bulletin(text: str) -> Bulletin | None:
    """Read a text as a bulletin, and compare it with the golden file."""
    return find(text)


def read(text: str) -> Bulletin:
    """Return a bulletin."""
    bulletin = read_bulletin(text)
    assert bulletin is not None
    return bulletin


def told(text: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Return the announcements of a text, without their words."""
    return [
        (announcement.kind.value, announcement.old, announcement.new)
        for announcement in read(text).announcements
    ]


def test_one_a_line() -> None:
    """One-line announcements are separate, with or without blank lines between them."""
    expected = [
        ("renumbered", ("104.1", "104.2"), ("104.2", "104.3")),
        ("renumbered", ("201.1a", "201.1b"), ("202.1a", "202.1b")),
        ("renumbered", ("205.3",), ("205.4",)),
        ("new", (), ("301.2a", "301.2b", "301.2c")),
        ("new", (), ("301.3",)),
        ("new", (), ("302.1",)),
        ("renumbered", ("303.1",), ("303.2",)),
        ("merged", ("304.1", "304.2"), ("305.1",)),
    ]

    assert told(ONE_A_LINE) == expected
    assert told(ONE_A_LINE.replace("\n", "\n\n")) == expected


def test_title_speaks_for_it() -> None:
    """If the title says that rules change, two announcements in a long text are enough."""
    rows = [f"{n}.1: Boats of kind {n} float." for n in range(201, 215)]
    page = "\n\n".join([*rows, "301.1: This is a new rule.", "302.1: This rule was deleted."])

    assert find(f"Harbour Rules Changes\n\n{page}\n")
    assert not find(f"Boats of the Harbour\n\n{page}\n")


def test_lists_of_headwords_behind_one_word() -> None:
    """Below a heading about the glossary, a single word may apply to a list."""
    page = f"{ONE_A_LINE}\n**Glossary**\n\nNew: keel, oar\n\nUpdated: wick, Long Rope\n"

    rows = [
        (announcement.kind, announcement.names)
        for announcement in read(page).announcements
        if announcement.is_term
    ]

    assert rows == [
        (K.NEW, ("keel",)),
        (K.NEW, ("oar",)),
        (K.REWORDED, ("wick",)),
        (K.REWORDED, ("Long Rope",)),
    ]


def test_neighbours_are_no_reason() -> None:
    """A line with another announcement is not a reason."""
    announcements = read(ONE_A_LINE).announcements
    (moved, _) = announce(
        read_heading("205.3"), ["This is a new rule. The old 205.3 becomes 205.4."], 1
    )

    assert {announcement.reason for announcement in announcements} == {""}
    assert (moved.kind, moved.reason) == (K.RENUMBERED, "")


def test_author_and_day_on_lines_of_their_own() -> None:
    """A title ends at the author or the day, even without a blank line."""
    matter = read(ONE_A_LINE).matter

    assert (matter.title, matter.author) == ("Harbour Rules Changes", "Ada Lantern")
    assert matter.dated is not None
    assert (matter.dated.words, matter.dated.line) == ("May 3, 2017", 2)


def test_items_have_their_own_lines() -> None:
    """A list item whose number follows a verb is reported at its own line."""
    page = """\
Changes

- 205.3 is now 205.4.
- New: 301.3.
- Removed: 302.1.
- Deleted 303.1.
- 304.1–304.2: These rules are renumbered 304.2–304.3.
"""

    rows = [
        (announcement.line, announcement.kind, announcement.names)
        for announcement in read(page).announcements
    ]

    assert rows == [
        (3, K.RENUMBERED, ("205.3", "205.4")),
        (4, K.NEW, ("301.3",)),
        (5, K.REMOVED, ("302.1",)),
        (6, K.REMOVED, ("303.1",)),
        (7, K.RENUMBERED, ("304.1", "304.2", "304.3")),
    ]


@pytest.mark.parametrize(
    ("sentence", "kind", "new"),
    [
        ("These rules have been renumbered 206.2-3.", K.RENUMBERED, ("206.2", "206.3")),
        ("Both rules become 206.2 and 206.3.", K.RENUMBERED, ("206.2", "206.3")),
        ("Renumbered to 206.2 & 206.3.", K.RENUMBERED, ("206.2", "206.3")),
        ("These rules were merged into 206.2.", K.MERGED, ("206.2",)),
    ],
)
def test_these_rules_go(sentence: str, kind: AnnouncementKind, new: tuple[str, ...]) -> None:
    """ "These rules" are the rules of the heading; each is announced separately."""
    (announcement,) = announce(read_heading("205.3-4"), [sentence], 1)

    assert (announcement.kind, announcement.old, announcement.new) == (
        kind,
        ("205.3", "205.4"),
        new,
    )


@pytest.mark.parametrize(
    ("heading", "words", "terms"),
    [
        ("Keel, Oar, Wick", "New entries.", ("Keel", "Oar", "Wick")),
        ("Keel and Oar", "These entries are new.", ("Keel", "Oar")),
        ("Keel; Oar", "Added.", ("Keel", "Oar")),
        ("Lamp, Lit", "This is a new entry.", ("Lamp, Lit",)),
        ("Rope and Tackle", "Added.", ("Rope and Tackle",)),
    ],
)
def test_several_headwords(heading: str, words: str, terms: tuple[str, ...]) -> None:
    """A heading with several headwords announces each; a headword with a comma stays whole."""
    announcements = read(f"{ONE_A_LINE}\n**Glossary: {heading}**\n{words}\n").announcements

    assert [
        (announcement.kind, announcement.new)
        for announcement in announcements
        if announcement.is_term
    ] == [(K.NEW, (n,)) for n in terms]


def test_headwords_before_their_words() -> None:
    """A paragraph that begins with several headwords announces each."""
    announcements = read(f"{ONE_A_LINE}\nGlossary: keel, oar: new entries\n").announcements

    assert [announcement.new for announcement in announcements if announcement.is_term] == [
        ("keel",),
        ("oar",),
    ]
