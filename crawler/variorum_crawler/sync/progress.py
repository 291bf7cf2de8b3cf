"""The events of a run."""

from dataclasses import dataclass
from datetime import date

from variorum.build.outcomes import Event as Built
from variorum.model import Sha256
from variorum_crawler.received import Received
from variorum_crawler.trust.quarantine import QuarantineEntry


@dataclass(frozen=True, slots=True)
class Looking:
    """A source is being asked for its offers."""

    source: str


@dataclass(frozen=True, slots=True)
class Got:
    """An offer's document was fetched, or has not changed."""

    sha256: Sha256


@dataclass(frozen=True, slots=True)
class Spared:
    """An address was skipped: it was recently gone, and the base has its edition."""


@dataclass(frozen=True, slots=True)
class Failed:
    """An address failed; with the address "", a whole source failed."""

    source: str
    address: str
    reason: str


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A document is in quarantine.

    Attributes:
        address: The address that served it in this run.
        is_new: Whether it was not in quarantine before.
    """

    entry: QuarantineEntry
    address: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Further:
    """A document differs from the known text of its date, and is kept as another issue."""

    received: Received
    effective: date


@dataclass(frozen=True, slots=True)
class Agreed:
    """A document has the words of another one in another encoding; it is not kept."""


@dataclass(frozen=True, slots=True)
class Next:
    """The next stage begins: "reading" or "building" some documents."""

    what: str
    documents: int


@dataclass(frozen=True, slots=True)
class Read:
    """A document was read."""


Event = Looking | Got | Spared | Failed | Quarantined | Further | Agreed | Next | Read | Built
