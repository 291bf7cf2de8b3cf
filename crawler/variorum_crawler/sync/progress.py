"""The events of a run."""

from dataclasses import dataclass
from datetime import date

from variorum_crawler.places.offer import Offer
from variorum_crawler.received import Received
from variorum_crawler.trust.quarantine import QuarantineEntry
from variorum_kb.build.outcomes import Event as Built
from variorum_kb.model import Sha256


@dataclass(frozen=True, slots=True)
class Looking:
    """A source is asked for what it offers."""

    source: str


@dataclass(frozen=True, slots=True)
class Got:
    """An offer gave a document.

    Attributes:
        address: The address that gave it.
        is_new: The archive does not have it.
        sha256: Of the document.
    """

    offer: Offer
    address: str
    is_new: bool
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class Spared:
    """An address that was gone is not asked, as its edition is held."""

    offer: Offer
    address: str


@dataclass(frozen=True, slots=True)
class Failed:
    """An address gave nothing; with the address "", a whole source gave nothing."""

    source: str
    address: str
    reason: str


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A document is in quarantine.

    Attributes:
        address: The address that gave it in this run.
        is_new: It was not there before.
    """

    entry: QuarantineEntry
    address: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Further:
    """A document differs from the known text of its date; it is kept as a further issue."""

    received: Received
    effective: date


@dataclass(frozen=True, slots=True)
class Agreed:
    """A document has the words of another one in another encoding; it is not kept.

    Attributes:
        of: The hash of that one.
    """

    received: Received
    of: str


@dataclass(frozen=True, slots=True)
class Next:
    """The next stage begins: "reading" or "building" so many documents."""

    what: str
    documents: int


@dataclass(frozen=True, slots=True)
class Read:
    """A document was read."""


Event = Looking | Got | Spared | Failed | Quarantined | Further | Agreed | Next | Read | Built
