"""Bulletins as read: announcements, reasons, and the role of each line."""

import random
import string

import pytest

from variorum_kb.reading.edition import read_edition
from variorum_kb.references.ranges import BULLETINS
from variorum_kb.sources.reading.bulletins.announcement_patterns import shorten
from variorum_kb.sources.reading.bulletins.announcements import (
    Announcement,
    AnnouncementKind,
    read_heading,
)
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.bulletins.entry_announcements import announce, named_in
from variorum_kb.sources.reading.page import Page

MARKDOWN = """\
<!-- source: the harbour archive, 2017/11/harbour-changes-2017-11-03.md -->

Harbour Rules Changes
=====================

 Posted in **News** on November 3, 2017. By Ada Lantern

This time a lot of rules moved about.

**104.3 & 104.4**
These two rules are switching places. The order that they had was odd.

**200.4b (formerly 200.4a)**
This rule now speaks of boats.

### 702.3 Drift

This rule was deleted, because nobody drifts any more. Subsequent rules in this section were
renumbered.

712
---

This is a new section about towing.

**205.3**
The old 205.3 becomes 205.4, and a new rule took its place.

**301.1, 302.1**
Some words were tidied up so that they match.

* **400.1** gained a cross-reference.
* **400.2** is being added to cover locks.

**Glossary: Mulligan**
This entry was updated.

**Glossary**
New entries were added for keel, oil lamp, and Wick.

Removed glossary entries: rudder
"""

HTML = """\
<!DOCTYPE html>
<html><head><title>Harbour Rules Changes</title></head><body>
<h1>Harbour Rules Changes</h1>
<p>Posted on November 3, 2017. By Ada Lantern</p>
<p><b>104.3 &amp; 104.4</b><br>These two rules are switching places with one another.</p>
<p><b>702.3 Drift</b><br>This rule was deleted, because nobody drifts any more.</p>
<h3>712</h3>
<p>This is a new section about towing.</p>
<ul><li><b>400.2</b> is being added to cover locks.</li></ul>
</body></html>
"""

PLAIN = """\
Harbour Rules Changes

104.3 & 104.4: These two rules are switching places with one another, since their
old order made little sense to anybody who had to read them aloud on deck.

702.3: This rule was deleted, because nobody drifts any more, and the one that is
712.2, as it happens, was never meant to speak of drifting boats or of drifting
rafts in the first place.

205.3 becomes 205.4.

The following rules were deleted: 104.6a, 104.6b
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


def of(bulletin: Bulletin, number: str) -> list[Announcement]:
    """Return the announcements about a number or headword."""
    return [announcement for announcement in bulletin.announcements if number in announcement.names]


def test_markdown() -> None:
    """Headings in bold, with signs or underlined, and list items are read as announcements."""
    assert told(MARKDOWN) == [
        ("moved", ("104.3", "104.4"), ("104.4", "104.3")),
        ("renumbered", ("200.4a",), ("200.4b",)),
        ("removed", ("702.3",), ()),
        ("renumbered", ("702.3",), ()),
        ("new", (), ("712",)),
        ("renumbered", ("205.3",), ("205.4",)),
        ("reworded", ("301.1",), ()),
        ("reworded", ("302.1",), ()),
        ("reworded", ("400.1",), ()),
        ("new", (), ("400.2",)),
        ("reworded", ("Mulligan",), ()),
        ("new", (), ("keel",)),
        ("new", (), ("oil lamp",)),
        ("new", (), ("Wick",)),
        ("removed", ("rudder",), ()),
    ]


def test_html() -> None:
    """An HTML page has the same announcements."""
    assert told(HTML) == [
        ("moved", ("104.3", "104.4"), ("104.4", "104.3")),
        ("removed", ("702.3",), ()),
        ("new", (), ("712",)),
        ("new", (), ("400.2",)),
    ]


def test_plain_and_wrapped() -> None:
    """In wrapped plain text, a number that happens to begin a line begins no announcement."""
    assert told(PLAIN) == [
        ("moved", ("104.3", "104.4"), ("104.4", "104.3")),
        ("removed", ("702.3",), ()),
        ("renumbered", ("205.3",), ("205.4",)),
        ("removed", ("104.6a", "104.6b"), ()),
    ]


def test_day_of_a_comment() -> None:
    """Without a day in the text, the day in the copied address counts."""
    matter = read(MARKDOWN.replace("on November 3, 2017", "today")).matter

    assert matter.dated is not None
    assert str(matter.dated.day) == "2017-11-03"


def test_front_matter() -> None:
    """Front matter between rules is not text of the page."""
    front = '---\n[_date_:written]:- "1066-10-14"\n\nA link to nowhere\n---\n\n'
    bulletin = read(front + MARKDOWN)

    assert bulletin.matter.title == "Harbour Rules Changes"
    assert bulletin.ledger.unaccounted == ()
    assert told(front + MARKDOWN) == told(MARKDOWN)


def test_table() -> None:
    """Each row of a table of old and new numbers is an announcement."""
    rows = "".join([f"| 205.{n} | 205.{n + 1} |\n" for n in range(3, 7)])
    result = told(f"Changes\n\n| Old | New |\n|-----|-----|\n{rows}")

    assert result == [("renumbered", (f"205.{n}",), (f"205.{n + 1}",)) for n in range(3, 7)]


def test_lists_below_headlines() -> None:
    """A heading may apply to all numbers below it."""
    page = """\
# Changes

## Deleted rules

- 104.6a
- 104.6b: nobody needs it.

## New rules

- 105.7
- 105.8: oars.

## Renumbered rules

- 205.3 → 205.4
"""

    assert told(page) == [
        ("removed", ("104.6a",), ()),
        ("removed", ("104.6b",), ()),
        ("new", (), ("105.7",)),
        ("new", (), ("105.8",)),
        ("renumbered", ("205.3",), ("205.4",)),
    ]


@pytest.mark.parametrize(
    ("sentence", "kind", "old", "new"),
    [
        ("205.3 is now rule 205.4.", K.RENUMBERED, "205.3", "205.4"),
        ("205.3 → 205.4", K.RENUMBERED, "205.3", "205.4"),
        ("The old 104.4f & g are renumbered to 104.4g & h.", K.RENUMBERED, "104.4f-g", "104.4g-h"),
        ("702.27-702.31 are renumbered.", K.RENUMBERED, "702.27-31", ""),
        ("The old 110.5d-f are each bumped down a letter.", K.RENUMBERED, "110.5d-f", ""),
        ("The old 602.1a & b were bumped down to c & d.", K.RENUMBERED, "602.1a-b", "602.1c-d"),
        (
            "The old 113 through the old 115 are the new 114-116.",
            K.RENUMBERED,
            "113-115",
            "114-116",
        ),
        ("Rule 205.4 was formerly rule 205.3.", K.RENUMBERED, "205.3", "205.4"),
        ("It was renumbered from 205.3 to 205.4.", K.RENUMBERED, "205.3", "205.4"),
        ("205.3 was split into 205.3a and 205.3b.", K.SPLIT, "205.3", "205.3a-b"),
        ("Old 205.3 splits into 205.3 and 205.3a.", K.SPLIT, "205.3", "205.3, 205.3a"),
        ("205.3, and all its subrules, moved to 206.3.", K.RENUMBERED, "205.3", "206.3"),
        ("Added rules 104.6a and 104.6b.", K.NEW, "", "104.6a-b"),
        ("104.6a and 104.6b are brand-new.", K.NEW, "", "104.6a-b"),
        ("205.3 and 205.4 swap places.", K.MOVED, "205.3, 205.4", "205.4, 205.3"),
        ("205.3 and 205.4 were merged into one rule, 206.1.", K.MERGED, "205.3-4", "206.1"),
        ("New rules: 104.6a, 104.6b", K.NEW, "", "104.6a-b"),
        ("Rules 104.6a and 104.6b have been removed.", K.REMOVED, "104.6a-b", ""),
    ],
)
def test_named(sentence: str, kind: AnnouncementKind, old: str, new: str) -> None:
    """A sentence with several numbers announces each in its own way."""
    (announcement,) = named_in(sentence, 1)

    assert (announcement.kind, announcement.old, announcement.new) == (
        kind,
        BULLETINS.read(old),
        BULLETINS.read(new),
    )


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("This new rule covers boats.", K.NEW),
        ("A new state-based action was needed.", K.NEW),
        ("This is the lamp rule; it's being added.", K.NEW),
        ("So I wrote a new rule.", K.NEW),
        ("Added!", K.NEW),
        ("This is a brand-new rule about oars.", K.NEW),
        ("This subrule is new.", K.NEW),
        ("New rules for oars and keels.", K.NEW),
        ("New rule added.", K.NEW),
        ("Towing is a new keyword action.", K.NEW),
        ("This rule splits in two.", K.SPLIT),
        ("New wording for the third line.", K.REWORDED),
        ("The last sentence is new.", K.REWORDED),
        ("This rule, which spoke of rafts, has been deleted.", K.REMOVED),
        ("The whole thing was obsolete, so it was removed.", K.REMOVED),
        ("We've deleted this rule.", K.REMOVED),
        ("It was moved here from the raft section.", K.MOVED),
        ("This was broken into a rule and a subrule.", K.SPLIT),
        ("This rule was merged with its neighbour.", K.MERGED),
        ("An erroneous word was deleted.", K.REWORDED),
        ("Sloop was added to the list of boats.", K.REWORDED),
        ("Rafts are no cost now, so it was removed as an example.", K.REWORDED),
        ("This rule tells when lamps go out.", K.REWORDED),
    ],
)
def test_said_of_the_rule_above(sentence: str, kind: AnnouncementKind) -> None:
    """A statement about "this rule" differs from one about the rule's words."""
    (announcement,) = announce(read_heading("205.3"), [sentence], 1)

    assert announcement.kind is kind
    assert announcement.names == ("205.3",)


@pytest.mark.parametrize(
    ("heading", "sentence", "expected"),
    [
        ("205.3", "This rule is now 205.4.", [(K.RENUMBERED, ("205.3",), ("205.4",))]),
        ("205.4", "(Formerly 205.3)", [(K.RENUMBERED, ("205.3",), ("205.4",))]),
        (
            "205.4 & 206.1",
            "(Formerly 205.3)",
            [(K.REWORDED, ("205.4",), ()), (K.REWORDED, ("206.1",), ())],
        ),
    ],
)
def test_this_rule_goes(heading: str, sentence: str, expected: list[object]) -> None:
    """ "This rule is now" or "formerly" another one takes its number from the only heading."""
    announced = announce(read_heading(heading), ["It speaks of lamps.", sentence], 1)

    assert [(each.kind, each.old, each.new) for each in announced] == expected


def test_only_spoken_of() -> None:
    """A rule that is mentioned without a change is marked so."""
    (announcement,) = announce(read_heading("205.3"), ["This rule tells when lamps go out."], 1)

    assert not announcement.is_said


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("409.1c & 409.1d", "409.1c-d"),
        ("502.21b-d", "502.21b-d"),
        ("305.2. and 305.3.", "305.2-3"),
        ("The 104 section, 603.9", "104, 603.9"),
        ("601.2 and subrules", "601.2"),
        ("206. Oil Lamp", "206"),
        ("Rule 205.3:", "205.3"),
    ],
)
def test_headings(line: str, numbers: str) -> None:
    """A heading has numbers, and at most a title after them."""
    assert tuple(headed.number for headed in read_heading(line)) == BULLETINS.read(numbers)


@pytest.mark.parametrize(
    "line", ["2009 was a year", "205.3 says so.", "Lamps", "", "100 boats, oars"]
)
def test_no_headings(line: str) -> None:
    """Other lines are no headings."""
    assert read_heading(line) == ()


def test_quotations_are_short() -> None:
    """A quotation has at most 25 words and 160 characters."""
    for words in (" ".join(["boat"] * 60), "ship" * 99, " ".join(["shipwreck"] * 20)):
        short = shorten(words)
        assert len(short.split()) <= 25
        assert len(short) <= 160
        assert short.endswith("…")
    for whole in (" ".join(["boat"] * 25), "s" * 160, f"{'s' * 80} {'s' * 79}"):
        assert shorten(whole) == whole
    assert shorten("s" * 161) == "s" * 159 + "…"
    assert shorten(" ".join(["boat"] * 26)) == " ".join(["boat"] * 24) + "…"


def test_is_bulletin(sample_text: str) -> None:
    """A bulletin is distinguished from an edition, from prose and from an empty text."""
    assert all(map(find, (MARKDOWN, HTML, PLAIN)))
    assert not find(sample_text)
    assert find("x") is None
    assert not find("I like boats.\n\nRule 100.1 says how many there are.")


@pytest.fixture
def sample_text() -> str:
    """Return an edition with rules that no bulletin would announce."""
    rules = "\n\n".join([f"100.{n}. Boat number {n} is moored at pier {n}." for n in range(1, 40)])
    return f"100. General\n\n{rules}\n"


@pytest.mark.parametrize(
    ("sign", "most"), [("x", 2_000_000), ("\n", 40_000), ("<", 40_000)], ids=["x", "lines", "tags"]
)
def test_largest(sign: str, most: int) -> None:
    """A longer page, or one with more lines or tags, is not read as a bulletin."""
    ends = len(MARKDOWN) if sign == "x" else MARKDOWN.count(sign)
    rest = " " * (most - ends) if sign == "x" else sign * (most - ends)

    assert find(f"{MARKDOWN}{rest}")
    assert not find(f"{MARKDOWN}{rest}{sign}")


def test_equal_bytes_give_equal_bulletins() -> None:
    """Equal bytes give equal bulletins."""
    assert read(MARKDOWN) == read(MARKDOWN)


def test_cut_off_anywhere() -> None:
    """A truncated bulletin is read to its end, or is not a bulletin."""
    for end in range(1, len(MARKDOWN), 37):
        text = MARKDOWN[:end]
        bulletin = read_bulletin(text)
        assert bulletin is None or bulletin.ledger.unaccounted == ()


def test_any_signs_in_any_order() -> None:
    """Any text that is no bulletin is refused with our own error."""
    chance = random.Random(7)
    signs = [*string.printable, "205.3", "**", "##", "\n\n", " was deleted.", "(", "Glossary:", "–"]
    for _ in range(60):
        text = "".join(chance.choices(signs, k=400))
        assert find(text) is None


@pytest.mark.slow
def test_long_lines() -> None:
    """Very long lines are read quickly."""
    for text in ("205.3, " * 20_000, "this rule " * 20_000, "205.3 is now " * 9_000, "(" * 50_000):
        assert not find(text + "x")


def test_others(sample_edition: bytes) -> None:
    """A page without announcements, one that is too large, and an edition are not bulletins."""
    assert read_edition(sample_edition, "page").provisions
    for data in (b"Dear readers, the boats are well.\n", b"x" * 5_000_000, sample_edition):
        assert Page(data, "page").bulletin is None


@pytest.fixture
def sample_edition() -> bytes:
    """Return the bytes of an edition of the sample rulebook."""
    from tests.support.small_bases import edition  # noqa: PLC0415 - one test alone needs it

    return edition()
