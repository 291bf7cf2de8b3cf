"""Converts findings between their stored form and the record."""

import json
from collections.abc import Sequence

import msgspec

from variorum.records.lint import LintFinding

_NOTHING = msgspec.to_builtins(LintFinding("misprint", "", ""))


def as_stored(finding: LintFinding) -> str:
    """Return a finding as JSON, without fields that say nothing."""
    fields = msgspec.to_builtins(finding)
    known = {name: value for name, value in fields.items() if value != _NOTHING[name]}
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"))


def as_found(stored: str, labels: Sequence[str]) -> LintFinding:
    """Return a finding from its stored form, in which `since` is the place of an edition."""
    known = {"kind": "misprint", "address": "", "printed": "", **json.loads(stored)}
    if "since" in known:
        known["since"] = labels[int(known["since"])]
    return msgspec.convert(known, LintFinding)
