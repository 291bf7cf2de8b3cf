"""The messages about citations."""

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING

from tests.kb.audit.audited import FINDING
from variorum_kb.answers.through_time.citation_statuses import CURRENT, STATUSES
from variorum_kb.audit.reporting.message import message_of
from variorum_kb.audit.reporting.verdict_levels import LEVELS

if TYPE_CHECKING:
    from variorum_kb.forms.audit import AuditFindingJson, MeaningJson

SOME = [["1.1"], ["1.2"], ["1.3"], ["glossary: Boat"]]
HEIRS: tuple[list[list[str]], ...] = ([], [["500.1"]], [["500.1a", "500.1c"]], SOME[:3], SOME)
MISSING = "not in the edition of 2003"
REASONS = (("", "", 0), ("Kinds", "", 2), ("", "because", 3), ("Kinds", MISSING, 1))
# One of the messages has exactly so many characters.
WIDTHS = (0, len("gone; was “General”; 300.1 means “Kinds” now"))


def test_messages(golden: Callable[[str, object], None]) -> None:
    """A message has the outcome of a citation, its old rule, the new bearer, and the reason."""
    meaning: MeaningJson = {"first": "1999", "last": "2003", "was": "Turns", "heirs": []}
    lines: list[str] = []
    for status, heirs, (now, why, count), width in product(STATUSES, HEIRS, REASONS, WIDTHS):
        finding: AuditFindingJson = {**FINDING, "status": status, "heirs": heirs, "why": why}
        finding["now_means"], finding["since"] = now or None, "2010-01-22" if why else None
        finding["meanings"] = [{**meaning, "first": str(year)} for year in range(count)]
        lines.append(f"{message_of(finding, width)}\n")

    golden("audit/messages.txt", "".join(lines))


def test_levels() -> None:
    """A misleading citation is an error, an outdated one a warning, a doubtful one a note."""
    assert list(LEVELS) == list(STATUSES)
    assert LEVELS[CURRENT] == "note"
    assert {LEVELS[word] for word in ("another provision", "gone", "never existed")} == {"error"}
    assert {LEVELS[word] for word in ("renumbered", "split", "merged")} == {"warning"}
    assert LEVELS["uncertain"] == "note"
