"""The messages about citations."""

from tests.kb.audit.audited import FINDING
from variorum_kb.answers.through_time.citation_statuses import CURRENT, STATUSES
from variorum_kb.audit.reporting.message import message_of, numbers_of
from variorum_kb.audit.reporting.verdict_levels import LEVELS


def said(status: str, *heirs: list[str], was: str = "", now: str = "", why: str = "") -> str:
    """Return the message of a finding."""
    since = "2010-01-22" if status == "gone" else None
    return message_of(
        {
            **FINDING,
            "status": status,
            "heirs": list(heirs),
            "was": was,
            "now_means": now or None,
            "why": why,
            "since": since,
        }
    )


def test_messages() -> None:
    """A message has the outcome of a citation, its old rule, the new bearer, and the reason."""
    assert [
        said("current", ["300.1"], was="Boats"),
        said("never existed"),
        said("renumbered", ["500.1"]),
        said("renumbered", ["500.1a", "500.1c"], was="Turns"),
        said("another provision", ["500.1"], was="Turns", now="Kinds"),
        said("another provision", was="Turns", now="Kinds"),
        said("split", ["1.1"], ["1.2"]),
        said("split", ["1.1"], ["1.2"], ["1.3"]),
        said("merged", ["500.1"], why="because"),
        said("gone", was="Turns"),
        said("uncertain"),
        said("uncertain", ["500.1"], ["glossary: Boat"], was="Turns", why="no date"),
        said("renumbered", ["glossary: Boat"]),
    ] == [
        "current",
        "no edition ever had this number",
        "renumbered to 500.1",
        "renumbered to 500.1a–500.1c; was “Turns”",
        "now 500.1; was “Turns”; 300.1 means “Kinds” now",
        "gone; was “Turns”; 300.1 means “Kinds” now",
        "split into 1.1 and 1.2",
        "split into 1.1, 1.2 and 1.3",
        "merged into 500.1; because",
        "gone since 2010-01-22; was “Turns”",
        "uncertain",
        "uncertain, perhaps 500.1 or glossary: Boat; no date",
        "renumbered to glossary: Boat",
    ]


def test_every_status_has_a_message() -> None:
    """Every status has a one-line message, with heirs and without."""
    for status in STATUSES:
        for heirs in ([], [["500.1"]], [["500.1"], ["500.2"]]):
            message = said(status, *heirs, was="x", now="y", why="z")
            assert message
            assert "\n" not in message


def test_levels() -> None:
    """A misleading citation is an error, an outdated one a warning, a doubtful one a note."""
    assert list(LEVELS) == list(STATUSES)
    assert LEVELS[CURRENT] == "note"
    assert {LEVELS[word] for word in ("another provision", "gone", "never existed")} == {"error"}
    assert {LEVELS[word] for word in ("renumbered", "split", "merged")} == {"warning"}
    assert LEVELS["uncertain"] == "note"


def test_numbers() -> None:
    """A range counts as one heir."""
    assert numbers_of({**FINDING, "heirs": [["1.1"], ["1.2", "1.4"]]}) == ["1.1", "1.2–1.4"]
