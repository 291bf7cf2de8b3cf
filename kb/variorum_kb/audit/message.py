"""What is said of a citation, in one line."""

from variorum_kb.answers.fates import (
    CURRENT,
    DOUBTFUL,
    GONE_SINCE,
    MERGED_INTO,
    NEVER,
    RENUMBERED,
    REUSED,
    SPLIT_UP,
)
from variorum_kb.audit.forms import FindingJson

# Who reads an error is misled by the number; a warning is merely out of date.
LEVELS = {
    CURRENT: "note",
    RENUMBERED: "warning",
    REUSED: "error",
    SPLIT_UP: "warning",
    MERGED_INTO: "warning",
    GONE_SINCE: "error",
    DOUBTFUL: "note",
    NEVER: "error",
}


_ALONE = {CURRENT: "current", NEVER: "no edition ever had this number"}
_BECAME = {
    RENUMBERED: "renumbered to",
    REUSED: "now",
    SPLIT_UP: "split into",
    MERGED_INTO: "merged into",
}


def message_of(finding: FindingJson) -> str:
    """Say what became of a citation.

    Args:
        finding: Of the citation.
    """
    parts = [_said(finding)]
    if finding["was"] and finding["status"] not in {CURRENT, DOUBTFUL}:
        parts.append(f"was “{finding['was']}”")
    if finding["now_means"]:
        parts.append(f"{finding['number']} means “{finding['now_means']}” now")
    if finding["why"]:
        parts.append(finding["why"])
    return "; ".join(parts)


def cited_of(finding: FindingJson) -> str:
    """Return a citation as it was found, on one line; in full where it is a letter alone."""
    cited = " ".join(finding["cited"].split())
    return cited if finding["number"] in cited.casefold() else f"{cited} ({finding['number']})"


def numbers_of(finding: FindingJson) -> list[str]:
    """Return the heirs of a citation, a range with a dash."""
    return ["–".join(pair) for pair in finding["heirs"]]


def _said(finding: FindingJson) -> str:
    heirs, status = numbers_of(finding), finding["status"]
    if status in _ALONE:
        return _ALONE[status]
    if status == DOUBTFUL:
        return f"uncertain, perhaps {' or '.join(heirs)}" if heirs else "uncertain"
    if not heirs:
        return f"gone since {finding['since']}" if finding["since"] else "gone"
    joined = f"{', '.join(heirs[:-1])} and {heirs[-1]}" if len(heirs) > 1 else heirs[0]
    return f"{_BECAME[status]} {joined}"
