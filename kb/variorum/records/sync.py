"""The JSON of `cr sync`, as docs/json.md describes it."""

from typing import TypedDict

from variorum.records.values import Count, Label, Sha256, Words
from variorum.records.watch import WatchReport


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
    watched: WatchReport | None
