"""The JSON of `cr sync`, as docs/json.md describes it."""

from typing import Annotated, TypedDict

from variorum_kb.forms.values import Constraint, Count, Label, Sha256, Words
from variorum_kb.forms.watch import WatchReportJson


class FailedJson(TypedDict):
    """An address or a whole source that could not be fetched."""

    source: Words
    address: str
    reason: Words


class PutAsideJson(TypedDict):
    """A document that this run put in quarantine."""

    sha256: Sha256
    address: Words
    reason: Words


class PlannedJson(TypedDict):
    """An address that a run would request, or a local document that it would add."""

    source: Words
    address: Words
    what: Annotated[str, Constraint("enum", ("fetch", "ask whether it changed", "take in"))]


class SyncPlanJson(TypedDict):
    """What a run of the crawler would do."""

    would: list[PlannedJson]
    failed: list[FailedJson]


class SyncJson(TypedDict):
    """The result of a run of the crawler; `watched` is null if nothing is watched."""

    base: Words
    new: list[Label]
    further: list[Label]
    editions: Count
    quarantined: list[PutAsideJson]
    in_quarantine: Count
    failed: list[FailedJson]
    failed_sources: list[Words]
    agreements: Count
    requests: Count
    conditional: Count
    unchanged: Count
    hook: str
    watched: WatchReportJson | None
