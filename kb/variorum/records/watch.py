"""What a user watches, and what new editions or a draft changed in it."""

from typing import Annotated

from msgspec import Meta

from variorum.records.answer import Answer
from variorum.records.audit import Finding
from variorum.records.lineage import Change, Diff
from variorum.records.lint import LintFinding
from variorum.records.values import Count, Label, Words, one_of


class Watched(Answer):
    """A watched rule or path, and the last edition reported for it.

    `name` is the number or headword of a rule in that edition, or an absolute path.
    """

    kind: Annotated[str, one_of("rule", "files")]
    name: Words
    edition: Label


class WatchedRule(Answer):
    """What changed in a watched rule and its subrules; `now` is None if it was removed."""

    name: Words
    now: Words | None
    since: Label
    gist: str
    changes: Annotated[list[Change], Meta(min_length=1)]


class WatchedFiles(Answer):
    """The citations, in watched files, that an edition affects.

    `findings` are the citations of rules that changed. `renumbered` counts the citations of rules
    that only got another number.
    """

    path: Words
    since: Label
    findings: Annotated[list[Finding], Meta(min_length=1)]
    renumbered: Count


class WatchReport(Answer):
    """What an edition changed in the watched rules and files, apart from mere renumbering."""

    edition: Label
    rules: list[WatchedRule]
    files: list[WatchedFiles]


class DraftChanges(Answer):
    """What a draft would change, and the citations that it would break.

    `broken` are the citations in the draft that became wrong. `citations` counts all citations in
    your files; `findings` are the stale ones among them.
    """

    edition: Label
    before: Label
    diff: Diff
    broken: list[LintFinding]
    findings: list[Finding]
    citations: Count
