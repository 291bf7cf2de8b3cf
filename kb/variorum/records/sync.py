"""The answer of `cr sync`."""

import msgspec

from variorum.records.answer import Answer
from variorum.records.values import Count, Label, Sha256, Words


class FailedSource(Answer):
    """An address or a whole source that could not be fetched."""

    source: Words
    address: str
    reason: Words


class QuarantinedDocument(Answer):
    """A document that this run put in quarantine."""

    sha256: Sha256
    address: Words
    reason: Words


class SyncResult(msgspec.Struct, forbid_unknown_fields=True):
    """The result of a run of the crawler, which fills it."""

    base: Words
    new: list[Label] = []
    further: list[Label] = []
    editions: Count = 0
    quarantined: list[QuarantinedDocument] = []
    in_quarantine: Count = 0
    failed: list[FailedSource] = []
    failed_sources: list[Words] = []
    agreements: Count = 0
    requests: Count = 0
    conditional: Count = 0
    unchanged: Count = 0
    hook: str = ""
