"""The JSON of `cr diff current FILE`, as docs/json.md describes it."""

from typing import TypedDict

from variorum.records.audit import Finding
from variorum.records.lineage import DiffJson
from variorum.records.lint import LintFindingJson
from variorum.records.values import Count, Label


class PreviewJson(TypedDict):
    """What a draft would change.

    `broken` are the citations in the draft that became wrong. `citations` counts all citations in
    your files; `findings` are the stale ones among them.
    """

    edition: Label
    before: Label
    diff: DiffJson
    broken: list[LintFindingJson]
    findings: list[Finding]
    citations: Count
