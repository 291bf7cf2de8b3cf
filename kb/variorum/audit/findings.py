"""Findings: what is said of a citation, how serious it is, and where it stands."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from variorum.audit.files import TextFile
from variorum.audit.grammar import Citation
from variorum.audit.meanings import CitationVerdict, NumberMeanings
from variorum.records import audit
from variorum.records.audit import STATUSES, Finding
from variorum.rows import ACTED_ON
from variorum.text import doubted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from variorum.audit.baseline import RewrittenNumber

# How serious each status is: a misleading number is an error, an outdated one a warning.
_LEVELS = "note warning warning error warning warning error note warning error"
LEVELS = dict(zip(STATUSES, _LEVELS.split(), strict=True))
# Marks of comments, quotation marks and the like.
_BETWEEN = re.compile(r"\s*\n\s*[^\w\s]*|[\"“”'`*_:=<>\[\]{}()]+")
_PLAIN = re.compile(r"[\w.§#– -]+")
_BECAME = dict(
    zip(STATUSES[2:6], ("renumbered to", "now", "split into", "merged into"), strict=True)
)
# The most heirs, and meanings of a number, the latest first, that a message names.
_SHOWN_HEIRS, _SHOWN_MEANINGS = 3, 2


class MarkedFinding(NamedTuple):
    """A finding, and its line."""

    finding: Finding
    line: str

    @property
    def mark(self) -> str:
        """Return what recognises a finding, the same if its line moves in the file."""
        finding = self.finding
        heirs = [number for pair in finding.heirs for number in pair]
        parts = [finding.number, finding.last or "", finding.status, *heirs, mark_of(self.line)]
        return _digest("\0".join(parts))


class Rewritten(NamedTuple):
    """A file before and after citations were rewritten, and the number written for each."""

    before: bytes
    after: bytes
    numbers: "Sequence[RewrittenNumber]"


@dataclass(slots=True)
class Report:
    """The findings of a file.

    It counts each status. `sure` citations can be rewritten without asking; `bare` numbers have no word
    before them. `notice` says why the file was not read, `left_alone` why nothing was judged.
    """

    file: str
    known_as: str = ""
    findings: list[MarkedFinding] = field(default_factory=list[MarkedFinding])
    counts: Counter[str] = field(default_factory=Counter[str])
    sure: int = 0
    bare: int = 0
    notice: str = ""
    left_alone: str = ""
    rewritten: Rewritten | None = None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@lru_cache(maxsize=1)
def mark_of(line: str) -> str:
    """Return the mark that recognises a line, whatever its white space."""
    return _digest(" ".join(line.split()))


def finding_of(
    name: str,
    judged: tuple[Citation, CitationVerdict],
    file: TextFile,
    numbers: NumberMeanings,
    rewrite: str | None = None,
) -> Finding:
    """Return a finding; `rewrite` is the corrected citation, None if it stays."""
    citation, verdict = judged
    (line, column), (end_line, end_column) = file.place(citation.start), file.place(citation.end)
    return Finding(
        file=name,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        cited=file.text[citation.start : citation.end],
        number=citation.first.number,
        last=citation.last.number if citation.last else None,
        as_of=verdict.as_of or None,
        status=verdict.status,
        heirs=[list(dict.fromkeys(heir)) for heir in verdict.heirs],
        confidence=round(verdict.confidence, 4),
        since=verdict.since or None,
        was=numbers.gist(verdict.was),
        now_means=numbers.gist(verdict.now_means) or None,
        why=verdict.why,
        meanings=[numbers.shown(meaning) for meaning in verdict.meanings],
        sure=verdict.certain is not None,
        pinned=verdict.is_pinned,
        rewrite=rewrite,
        changes=list(verdict.changes),
    )


# Messages ----------------------------------------------------------------------------------------


def message_of(finding: Finding, width: int = 0) -> str:
    """Describe a finding in a line of at most `width` characters; 0 for no limit."""
    status = finding.status
    # The edition of its date lacks the number.
    is_missing = status == audit.DOUBTFUL and finding.why.startswith("not in ")
    parts = [finding.why + _likeliest(finding) if is_missing else _said(finding)]
    if finding.was and status not in {audit.CURRENT, audit.DOUBTFUL}:
        parts.append(f"{'is' if status == audit.SAYS_ELSE else 'was'} “{finding.was}”")
    if finding.now_means and status not in {audit.SAYS_ELSE, audit.NEVER, audit.DOUBTFUL}:
        parts.append(f"{finding.number} means “{finding.now_means}” now")
    if finding.why and not is_missing and status != audit.SAYS_ELSE:
        parts.append(finding.why)
    if status == audit.DOUBTFUL and not is_missing:
        shown = finding.meanings[: -_SHOWN_MEANINGS - 1 : -1]
        parts += [f"{each.first} to {each.last} “{each.was}”" for each in shown]
        if (more := len(finding.meanings) - _SHOWN_MEANINGS) > 0:
            parts.append(f"{more} more before")
    while width and len(parts) > 1 and len("; ".join(parts)) > width:
        parts.pop()
    return "; ".join(parts)


def _said(finding: Finding) -> str:
    heirs, status, chance = numbers_of(finding), finding.status, finding.confidence or 1.0
    if status in {audit.CURRENT, audit.REWORDED}:
        return doubted(status, chance)
    if status == audit.NEVER:
        return f"no edition ever had this number{_likeliest(finding)}"
    if status == audit.SAYS_ELSE:
        said = doubted("says something else than this line", chance)
        return f"the rule {said}{_likeliest(finding)}"
    gone = f"gone since {finding.since}" if finding.since else "gone"
    if status == audit.GONE_SINCE or not (heirs or status == audit.DOUBTFUL):
        also = ", another provision has its number" * (status == audit.REUSED)
        return doubted(gone, chance) + also
    if finding.sure:  # the others only repeat it
        heirs = heirs[:1]
    some = " or ".join(heirs[:_SHOWN_HEIRS] + ["…"] * (len(heirs) > _SHOWN_HEIRS))
    if status == audit.DOUBTFUL:  # without a chance if the number has several meanings
        some = some or gone * bool(finding.since)
        said = doubted(some, chance) if finding.confidence else f"perhaps {some}"
        return f"uncertain, {said}" if some else "uncertain"
    if status in {audit.SPLIT_UP, audit.MERGED_INTO} and len(heirs) > 1:
        some = f"{', '.join(heirs[:-1])} and {heirs[-1]}"
    is_unsure = chance < ACTED_ON and not (heirs[1:] or finding.changes)
    return doubted(f"{_BECAME[status]} {some}", chance, "too uncertain for --fix" * is_unsure)


def _likeliest(finding: Finding) -> str:
    heirs = numbers_of(finding)
    if not heirs:
        return ""
    gist = f" “{finding.now_means}”" if finding.now_means else ""
    if finding.status == audit.SAYS_ELSE and finding.why:
        gist = f", {finding.why}{',' * (len(heirs) > 1)}"
    return f"; likeliest {' or '.join([f'{heirs[0]}{gist}', *heirs[1:]])}"


def numbers_of(finding: Finding) -> list[str]:
    """Return the heirs of a citation, a range with a dash."""
    return ["–".join(pair) for pair in finding.heirs]


def cited_of(finding: Finding) -> str:
    """Return a citation on one line, without signs of comments or tables between its words."""
    cited = " ".join(_BETWEEN.sub(" ", finding.cited).split())
    if _PLAIN.fullmatch(cited) and finding.number in cited.casefold():
        return cited
    return "–".join([number for number in (finding.number, finding.last) if number])
