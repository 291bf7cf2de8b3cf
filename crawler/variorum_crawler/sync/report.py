"""The result of a run: one line for people and cron, JSON for scripts."""

from dataclasses import dataclass, field

from variorum.records.sync import FailedJson, PutAsideJson, SyncJson
from variorum.records.watch import WatchReportJson
from variorum.text.counts import counted


@dataclass(slots=True)
class Report:
    """The result of a run.

    Attributes:
        base: The folder of the knowledge base.
        new: The labels of the editions that the run added.
        further: The labels of the new editions that are further issues of known dates.
        editions: How many editions the base has after the run.
        quarantined: The documents that the run put in quarantine.
        in_quarantine: How many documents are in quarantine after the run.
        failed: The addresses that failed; "" for a whole source.
        failed_sources: The names of the sources that failed entirely.
        agreements: How many stored documents were also found at another address.
        requests: How many addresses were asked.
        conditional: How many of these requests only asked whether a document had changed.
        unchanged: How many of these documents had not changed.
        hook: "" without a hook, "done", or why it failed.
        watched: What changed in watched rules and files; None if nothing is watched.
    """

    base: str
    new: list[str] = field(default_factory=list[str])
    further: list[str] = field(default_factory=list[str])
    editions: int = 0
    quarantined: list[PutAsideJson] = field(default_factory=list[PutAsideJson])
    in_quarantine: int = 0
    failed: list[FailedJson] = field(default_factory=list[FailedJson])
    failed_sources: list[str] = field(default_factory=list[str])
    agreements: int = 0
    requests: int = 0
    conditional: int = 0
    unchanged: int = 0
    hook: str = ""
    watched: WatchReportJson | None = None

    @property
    def is_well(self) -> bool:
        """Return whether nothing needs attention."""
        is_hooked = self.hook in {"", "done"}
        return not (self.quarantined or self.failed_sources) and is_hooked

    def fail(self, source: str, address: str, reason: str) -> None:
        """Record that an address failed or, with "", a whole source."""
        self.failed.append({"source": source, "address": address, "reason": reason})
        if not address:
            self.failed_sources.append(source)

    def json(self) -> SyncJson:
        """Return the report in the form of docs/json.md."""
        return {
            "base": self.base,
            "new": self.new,
            "further": self.further,
            "editions": self.editions,
            "quarantined": self.quarantined,
            "in_quarantine": self.in_quarantine,
            "failed": self.failed,
            "failed_sources": self.failed_sources,
            "agreements": self.agreements,
            "requests": self.requests,
            "conditional": self.conditional,
            "unchanged": self.unchanged,
            "hook": self.hook,
            "watched": self.watched,
        }

    def line(self) -> str:
        """Return the report in one line.

        >>> Report("kb", new=["2030-01-02"], editions=3, requests=4, unchanged=2).line()
        'kb: 1 new (2030-01-02), 3 editions; 4 requests, 2 unchanged'
        """
        new = f"{len(self.new)} new" if self.new else "nothing new"
        words = [new + (f" ({_listed(self.new)})" if self.new else "")]
        if self.further:
            words.append(f"{counted(len(self.further), 'further issue')} ({_listed(self.further)})")
        if self.quarantined:
            words.append(f"{len(self.quarantined)} put in quarantine")
        if self.failed_sources:
            words.append(f"failed: {', '.join(self.failed_sources)}")
        words.append(counted(self.editions, "edition"))
        requests = f"{counted(self.requests, 'request')}, {self.unchanged} unchanged"
        return f"{self.base}: {', '.join(words)}; {requests}"


# A line has no room for more labels.
_LISTED = 3


def _listed(labels: list[str]) -> str:
    if len(labels) <= _LISTED:
        return ", ".join(labels)
    return f"{labels[0]} … {labels[-1]}"
