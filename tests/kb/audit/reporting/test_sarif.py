"""Findings as code hosts read them."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.kb.audit.audited import FINDING as SIMPLE
from variorum_kb.answers.through_time.citation_statuses import STATUSES
from variorum_kb.audit.reporting import sarif
from variorum_kb.forms.audit import AuditFindingJson

# Typed loosely, because type checkers know only some of the types that the validator accepts.
STANDARD: Any = jsonschema.Draft202012Validator(
    json.loads((Path(__file__).parents[3] / "support" / "sarif-2.1.0.json").read_text("utf-8"))
)

FINDING: AuditFindingJson = {
    **SIMPLE,
    "file": "in/a b.txt",
    "end_line": 4,
    "end_column": 2,
    "cited": "CR\n// 300.1",
    "was": "Turns",
    "now_means": "Kinds",
    "rewrite": "CR\n// 500.1",
}


def checked(*results: object, version: str = "1.2.3") -> None:
    """Check a document with the standard's own schema."""
    run = {"tool": sarif.tool(version), "columnKind": "unicodeCodePoints", "results": results}
    document = {"$schema": sarif.SCHEMA, "version": sarif.VERSION, "runs": [run]}
    plain: Any = json.loads(json.dumps(document))
    STANDARD.validate(plain)


@pytest.mark.parametrize("status", STATUSES[1:])
@pytest.mark.parametrize("is_known", [False, True])
def test_schema(status: str, is_known: bool) -> None:
    """Each kind of finding is a result that fits the standard's schema."""
    heirs = [] if status in {"gone", "never existed"} else FINDING["heirs"]
    finding: AuditFindingJson = {**FINDING, "status": status, "heirs": heirs}

    checked(sarif.result(finding, "0123", is_known=is_known))
    checked(sarif.result({**finding, "sure": False, "rewrite": None}, "0123", is_known=is_known))


def test_result() -> None:
    """A result states the place, the problem, the confidence, and the replacement."""
    region = {"startLine": 3, "startColumn": 5, "endLine": 4, "endColumn": 2}
    location = {"uri": "in/a%20b.txt"}

    assert sarif.result(FINDING, "0123", is_known=False) == {
        "ruleId": "citation-another-provision",
        "ruleIndex": 1,
        "level": "error",
        "message": {
            "text": "CR 300.1: now 500.1; was “Turns”; 300.1 means “Kinds” now",
        },
        "locations": [{"physicalLocation": {"artifactLocation": location, "region": region}}],
        "partialFingerprints": {"citation/v1": "0123"},
        "fixes": [
            {
                "description": {"text": "Cite today's number."},
                "artifactChanges": [
                    {
                        "artifactLocation": location,
                        "replacements": [
                            {
                                "deletedRegion": region,
                                "insertedContent": {"text": "CR\n// 500.1"},
                            }
                        ],
                    }
                ],
            }
        ],
    }


def test_no_fix() -> None:
    """An uncertain finding has no automatic fix."""
    unsure: AuditFindingJson = {**FINDING, "sure": False, "rewrite": "CR 500.1"}

    assert "fixes" not in sarif.result(unsure, "0123", is_known=False)
    assert "fixes" not in sarif.result({**FINDING, "rewrite": None}, "0123", is_known=False)


def test_known() -> None:
    """Findings in the baseline are suppressed, and new ones are not."""
    known = sarif.result(FINDING, "0123", is_known=True)

    assert known["suppressions"] == [{"kind": "external", "justification": "in the baseline"}]
    assert "suppressions" not in sarif.result(FINDING, "0123", is_known=False)


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a.txt", "a.txt"),
        ("in/a b.txt", "in/a%20b.txt"),
        ("a:b.txt", "./a:b.txt"),
        ("a#b?c%20.txt", "a%23b%3Fc%2520.txt"),
        ("é.txt", "%C3%A9.txt"),
        ("../a.txt", "../a.txt"),
        ("/srv/a b#c.txt", "file:///srv/a%20b%23c.txt"),
        ("caf\udce9.txt", "caf%E9.txt"),
        ("/caf\udce9.txt", "file:///caf%E9.txt"),
        ("a\\b.txt", "a%5Cb.txt"),
    ],
)
def test_addresses(file: str, uri: str) -> None:
    """Different files have different addresses."""
    result = sarif.result({**FINDING, "file": file}, "0123", is_known=False)

    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": uri}
    checked(result)


def test_rules() -> None:
    """Each status has a rule, in the order of the results' indexes."""
    driver = sarif.tool("1.2.3")["driver"]

    assert [rule["id"] for rule in driver["rules"]] == [
        *("citation-renumbered", "citation-another-provision", "citation-split", "citation-merged"),
        *("citation-gone", "citation-uncertain"),
        *("citation-says-something-else", "citation-never-existed"),
    ]
    for place, status in enumerate(STATUSES[1:]):
        result = sarif.result({**FINDING, "status": status, "heirs": []}, "0123", is_known=False)
        rule = driver["rules"][place]
        assert (result["ruleIndex"], result["ruleId"]) == (place, rule["id"])
        assert result["level"] == rule["defaultConfiguration"]["level"]
