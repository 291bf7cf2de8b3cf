"""The report on a file: its findings and the counts of its citations."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from variorum.records.audit import Finding


class MarkedFinding(NamedTuple):
    """A finding, with the marks by which a baseline recognises it.

    Attributes:
        finding: The finding.
        known_as: Its file, relative to the folder of the baseline.
        mark: Its fingerprint.
    """

    finding: Finding
    known_as: str
    mark: str


@dataclass(slots=True)
class Report:
    """The findings of a file.

    Attributes:
        file: Its path, with slashes.
        known_as: Its path, relative to the folder of the baseline.
        findings: The findings, in order.
        counts: How many citations have each status.
        sure: How many citations can be rewritten without asking.
        late: How many citations have a number that is newer than their edition.
        bare: How many numbers with a letter were ignored because no word before them marks a rule.
        undated: How often each number is cited without a date.
        notice: Why the file was not read; "" if it was.
        left_alone: Why nothing in the file was judged; "" if it was.
    """

    file: str
    known_as: str = ""
    findings: list[MarkedFinding] = field(default_factory=list[MarkedFinding])
    counts: Counter[str] = field(default_factory=Counter[str])
    sure: int = 0
    late: int = 0
    bare: int = 0
    undated: Counter[str] = field(default_factory=Counter[str])
    notice: str = ""
    left_alone: str = ""
