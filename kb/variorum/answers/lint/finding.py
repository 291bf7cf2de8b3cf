"""Converts findings between their stored form and their JSON form."""

import json
from collections.abc import Mapping, Sequence
from typing import Unpack

from variorum.records.lint import DetailsJson, LintFindingJson, LintKind

# The values of unknown fields of a finding.
_NOTHING: LintFindingJson = {
    "kind": "misprint",
    "address": "",
    "printed": "",
    "part": None,
    "start": None,
    "end": None,
    "title": "",
    "targets": [],
    "heading": "",
    "titled": None,
    "missing": [],
    "misprint": "",
    "evidence": "",
    "means": None,
    "gone": False,
    "since": None,
    "confidence": None,
}


def new_finding(
    kind: LintKind, address: str, printed: str, **more: Unpack[DetailsJson]
) -> LintFindingJson:
    """Return a finding with the given fields; all other fields are unknown."""
    return {**_NOTHING, **more, "kind": kind, "address": address, "printed": printed}


def as_stored(finding: LintFindingJson) -> str:
    """Return a finding as JSON, without unknown fields."""
    nothing: Mapping[str, object] = _NOTHING
    known = {name: value for name, value in finding.items() if value != nothing[name]}
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"))


def as_found(stored: str, labels: Sequence[str]) -> LintFindingJson:
    """Return a finding from its stored form.

    Args:
        stored: JSON, with the place of an edition instead of its label.
        labels: The labels of all editions, oldest first.
    """
    known: LintFindingJson = json.loads(stored)
    finding: LintFindingJson = {**_NOTHING, **known}
    since = finding["since"]
    return finding if since is None else {**finding, "since": labels[int(since)]}
