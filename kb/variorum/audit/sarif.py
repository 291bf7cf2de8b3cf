"""Writes findings as SARIF 2.1.0 for code hosts and editors."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from variorum.audit.findings import LEVELS, MarkedFinding, cited_of
from variorum.records.audit import CURRENT, STATUSES

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
VERSION = "2.1.0"

_HELP = {
    "reworded": "The words of the rule that is cited changed.",
    "renumbered": "The provision that was cited has another number now.",
    "another provision": "The number that was cited belongs to another provision now.",
    "split": "The provision that was cited was divided.",
    "merged": "The provision that was cited became part of another one.",
    "gone": "The provision that was cited is no longer in the rules.",
    "uncertain": "Nobody can say for sure which provision is cited, or what it became.",
    "says something else": "The rule that is cited hardly says what the sentence about it says.",
    "never existed": "No edition of the rules ever had the number that is cited.",
}
_RULES = [status for status in STATUSES if status != CURRENT]


def log(version: str, results: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the results of an audit by a version of the program."""
    rules = [
        {
            "id": _rule_id(status),
            "name": _rule_id(status).title().replace("-", ""),
            "shortDescription": {"text": _HELP[status]},
            "defaultConfiguration": {"level": LEVELS[status]},
        }
        for status in _RULES
    ]
    tool = {"driver": {"name": "cr audit", "semanticVersion": version, "rules": rules}}
    run = {"tool": tool, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def result(marked: MarkedFinding, message: str, *, is_known: bool) -> Mapping[str, Any]:
    """Return a finding, with its fingerprint and what it says, as a SARIF result."""
    finding = marked.finding
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    location = {"uri": _uri(finding.file)}
    result: dict[str, Any] = {
        "ruleId": _rule_id(finding.status),
        "ruleIndex": _RULES.index(finding.status),
        "level": LEVELS[finding.status],
        "message": {"text": f"{cited_of(finding)}: {message}"},
        "locations": [{"physicalLocation": {"artifactLocation": location, "region": region}}],
        "partialFingerprints": {"citation/v1": marked.mark},
    }
    if is_known:
        result["suppressions"] = [{"kind": "external", "justification": "in the baseline"}]
    if finding.sure and finding.rewrite is not None:
        replacement = {"deletedRegion": region, "insertedContent": {"text": finding.rewrite}}
        change = {"artifactLocation": location, "replacements": [replacement]}
        result["fixes"] = [
            {"description": {"text": "Cite today's number."}, "artifactChanges": [change]}
        ]
    return result


def _rule_id(status: str) -> str:
    return f"citation-{status.replace(' ', '-')}"


def _uri(file: str) -> str:
    path = quote(file.encode("utf-8", "surrogateescape"), safe="/:")
    if PurePath(file).is_absolute():
        return f"file:///{path.lstrip('/')}"
    # Without "./", readers would take the words before such a colon for a scheme, like "https".
    return f"./{path}" if ":" in path.partition("/")[0] else path
