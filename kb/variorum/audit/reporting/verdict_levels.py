"""How serious each verdict is, in the words of SARIF, and which verdicts make an audit fail."""

from variorum.answers.cited_heirs import (
    CURRENT,
    DOUBTFUL,
    GONE_SINCE,
    MERGED_INTO,
    NEVER,
    RENUMBERED,
    REUSED,
    REWORDED,
    SAYS_ELSE,
    SPLIT_UP,
)

# An error means a misleading number; a warning means an outdated one.
LEVELS = {
    CURRENT: "note",
    REWORDED: "warning",
    RENUMBERED: "warning",
    REUSED: "error",
    SPLIT_UP: "warning",
    MERGED_INTO: "warning",
    GONE_SINCE: "error",
    DOUBTFUL: "note",
    SAYS_ELSE: "warning",
    NEVER: "error",
}


def fails(status: str) -> bool:
    """Return whether a finding with a verdict makes `cr audit` exit with 1, unless it is known."""
    return LEVELS[status] != "note"
