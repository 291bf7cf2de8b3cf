"""The JSON of `cr preview`, as docs/json.md describes it."""

from typing import TypedDict

from variorum_kb.forms.audit import AuditFindingJson
from variorum_kb.forms.lineage import DiffJson
from variorum_kb.forms.lint import LintFindingJson
from variorum_kb.forms.values import Count, Label


class PreviewJson(TypedDict):
    """What a draft would change.

    `broken` are the citations in the draft that became wrong. `findings` are the stale citations in
    your files, and `citations` is how many those have.
    """

    edition: Label
    before: Label
    diff: DiffJson
    broken: list[LintFindingJson]
    findings: list[AuditFindingJson]
    citations: Count
