"""Settings of a fetcher, and how it introduces itself to servers."""

from dataclasses import dataclass, field

from variorum_kb.versions import PROGRAM

PAUSE = 1.0
"""Seconds between two requests to a host, unless the user or the host asks for more."""
TIMEOUT = 30.0
"""Seconds to wait for a silent server."""
TIMEOUTS_A_DOCUMENT = 10
"""The time limit of a whole document, as a multiple of the timeout."""
RETRIES = 4
"""How often a temporary failure is retried."""


def name_ourselves() -> str:
    """Return the user agent that we send to servers."""
    return f"Variorum/{PROGRAM} (archive of the Comprehensive Rules)"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Settings of a fetcher.

    Attributes:
        user_agent: Our name for servers; in robots.txt, we are always "variorum".
        pause: Seconds from a host's answer to the next request to it; its robots.txt may ask for
            more.
        timeout: Seconds to connect, and between two reads.
        time_limit: Seconds for a whole document.
        retries: Further attempts after a temporary failure.
        largest: The longest document, in bytes, unpacked.
        private_hosts: Hosts, with or without a port, that may be on a private network.
        backoff: Seconds before the second attempt; doubles with each.
    """

    user_agent: str = field(default_factory=name_ourselves)
    pause: float = PAUSE
    timeout: float = TIMEOUT
    time_limit: float = TIMEOUTS_A_DOCUMENT * TIMEOUT
    retries: int = RETRIES
    largest: int = 64 * 2**20
    private_hosts: frozenset[str] = frozenset()
    backoff: float = 1.0
