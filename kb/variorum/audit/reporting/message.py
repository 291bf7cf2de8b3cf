"""Describes the verdict on a citation in one line."""

import re

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
from variorum.model import ACTED_ON
from variorum.records.audit import Finding

# Marks of comments, quotation marks and the like.
_BETWEEN = re.compile(r"\s*\n\s*[^\w\s]*|[\"“”'`*_:=<>\[\]{}()]+")
_PLAIN = re.compile(r"[\w.§#– -]+")
_ALONE = {
    CURRENT: "current",
    REWORDED: "reworded",
    NEVER: "no edition ever had this number",
}
_BECAME = {
    RENUMBERED: "renumbered to",
    REUSED: "now",
    SPLIT_UP: "split into",
    MERGED_INTO: "merged into",
}


# The most meanings of a number that are shown, latest first.
_SHOWN_MEANINGS = 2


def message_of(finding: Finding, width: int = 0) -> str:
    """Describe a finding.

    Args:
        finding: The finding.
        width: The most characters of the line; 0 for no limit.
    """
    parts = [_said(finding)]
    if finding.was and finding.status not in {CURRENT, DOUBTFUL}:
        verb = "is" if finding.status == SAYS_ELSE else "was"
        parts.append(f"{verb} “{finding.was}”")
    if finding.now_means and finding.status not in {SAYS_ELSE, NEVER, DOUBTFUL}:
        parts.append(f"{finding.number} means “{finding.now_means}” now")
    if finding.why and not _is_missing(finding):
        parts.append(finding.why)
    if finding.status == DOUBTFUL and not _is_missing(finding):
        parts += _meant(finding)
    while width and len(parts) > 1 and len("; ".join(parts)) > width:
        parts.pop()
    return "; ".join(parts)


def _is_missing(finding: Finding) -> bool:
    """Say whether the target edition lacks a number."""
    return finding.status == DOUBTFUL and finding.why.startswith("not in ")


def _likeliest(finding: Finding) -> str:
    """Name the candidates."""
    heirs = numbers_of(finding)
    if not heirs:
        return ""
    gist = f" “{finding.now_means}”" if finding.now_means else ""
    return f"; likeliest {' or '.join([f'{heirs[0]}{gist}', *heirs[1:]])}"


def _meant(finding: Finding) -> list[str]:
    """Name the meanings of a number, latest first."""
    meanings = finding.meanings[::-1]
    meant = [
        f"{meaning.first} to {meaning.last} “{meaning.was}”"
        for meaning in meanings[:_SHOWN_MEANINGS]
    ]
    more = len(meanings) - _SHOWN_MEANINGS
    return [*meant, *([f"{more} more before"] if more > 0 else [])]


def cited_of(finding: Finding) -> str:
    """Return a citation on one line, without signs of comments or tables between its words."""
    cited = " ".join(_BETWEEN.sub(" ", finding.cited).split())
    if _PLAIN.fullmatch(cited) and finding.number in cited.casefold():
        return cited
    return "–".join([number for number in (finding.number, finding.last) if number])


def numbers_of(finding: Finding) -> list[str]:
    """Return the heirs of a citation, a range with a dash."""
    return ["–".join(pair) for pair in finding.heirs]


def _said(finding: Finding) -> str:
    heirs, status = numbers_of(finding), finding.status
    if _is_missing(finding):
        return f"{finding.why}{_likeliest(finding)}"
    if status == SAYS_ELSE:
        probably = "" if finding.confidence >= ACTED_ON else "probably "
        chance = f"{finding.confidence:.0%}".replace("%", " %")
        return (
            f"the rule {probably}says something else than this line ({chance}){_likeliest(finding)}"
        )
    if status in _ALONE:
        return _ALONE[status] + (_likeliest(finding) if status == NEVER else "")
    if status == GONE_SINCE or not (heirs or status == DOUBTFUL):
        return f"gone since {finding.since}" if finding.since else "gone"
    some = " or ".join(heirs[:3] + ["…"] * (len(heirs) > 3))  # noqa: PLR2004 - a line is short
    if status == DOUBTFUL:
        return f"uncertain, perhaps {some}" if heirs else "uncertain"
    if finding.sure:  # the others only repeat it
        heirs, some = heirs[:1], heirs[0]
    if status not in {SPLIT_UP, MERGED_INTO}:
        return f"{_BECAME[status]} {some}"
    joined = f"{', '.join(heirs[:-1])} and {heirs[-1]}" if len(heirs) > 1 else heirs[0]
    return f"{_BECAME[status]} {joined}"
