"""How serious each verdict is, in the words of SARIF."""

from variorum_kb.answers.through_time.citation_statuses import (
    CURRENT,
    DOUBTFUL,
    GONE_SINCE,
    MERGED_INTO,
    NEVER,
    RENUMBERED,
    REUSED,
    SAYS_ELSE,
    SPLIT_UP,
)

# An error means a misleading number; a warning means an outdated one.
LEVELS = {
    CURRENT: "note",
    RENUMBERED: "warning",
    REUSED: "error",
    SPLIT_UP: "warning",
    MERGED_INTO: "warning",
    GONE_SINCE: "error",
    DOUBTFUL: "note",
    SAYS_ELSE: "warning",
    NEVER: "error",
}
