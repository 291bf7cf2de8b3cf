"""Settings of a fetcher."""

from dataclasses import dataclass

from variorum_kb.all_size_limits import LARGEST_EDITION

# Defaults of `cr sync`: seconds between two requests to a host, seconds to wait for a response, and
# further attempts after a temporary failure.
PAUSE, TIMEOUT, RETRIES = 1.0, 30.0, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Settings of a fetcher.

    Attributes:
        pause: Seconds from a host's answer to the next request to it; its robots.txt may ask for
            more.
        timeout: Seconds to connect, and between two reads.
        retries: Further attempts after a temporary failure.
        private_hosts: Hosts, with or without a port, that may be on a private network.
        largest: The longest document, in bytes, unpacked.
        timeouts_a_document: The time limit of a whole document, as a multiple of the timeout.
    """

    pause: float
    timeout: float
    retries: int
    private_hosts: frozenset[str]
    largest: int = LARGEST_EDITION
    timeouts_a_document: float = 10

    @property
    def time_limit(self) -> float:
        """Return the seconds that a whole document may take."""
        return self.timeouts_a_document * self.timeout
