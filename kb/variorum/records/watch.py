"""The JSON of `cr watch`, and of what `cr sync` says of watched rules; docs/json.md describes it."""

from typing import Annotated, TypedDict

from msgspec import Meta

from variorum.records.audit import Finding
from variorum.records.lineage import ChangeJson
from variorum.records.values import Count, Label, Words, one_of


class WatchedJson(TypedDict):
    """A watched rule or path, and the edition that was reported last."""

    kind: Annotated[str, one_of("rule", "files")]
    name: Words
    edition: Label


class WatchedRuleJson(TypedDict):
    """What changed in a watched rule and its subrules; `now` is null if it was removed."""

    name: Words
    now: Words | None
    since: Label
    gist: str
    changes: Annotated[list[ChangeJson], Meta(min_length=1)]


class WatchedFilesJson(TypedDict):
    """The citations in watched files that an edition affects.

    `findings` are the citations of rules that changed. `renumbered` counts the citations of rules that
    only got another number.
    """

    path: Words
    since: Label
    findings: Annotated[list[Finding], Meta(min_length=1)]
    renumbered: Count


class WatchReportJson(TypedDict):
    """What an edition changed in the watched rules and files, apart from mere renumbering."""

    edition: Label
    rules: list[WatchedRuleJson]
    files: list[WatchedFilesJson]
