"""Read robots.txt, in which a host tells programs where not to go (RFC 9309)."""

import re
from dataclasses import dataclass

from protego import Protego

from variorum_crawler.fetch.failures import RefusalError

# The name that a robots.txt calls us by.
TOKEN = "variorum"  # noqa: S105, a product token of RFC 9309 and no secret
LONGEST = 500 * 1024
MOST_REDIRECTS = 5
# The standard names products without their versions, but people write them.
_VERSION = re.compile(
    r"^([ \t]*user-agent[ \t]*:[ \t]*[\w-]+)/[^\s#]*", re.IGNORECASE | re.MULTILINE
)
# Codes between 400 and 499 that say nothing about whether there is a robots.txt.
_PASSING = {408, 425, 429}


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a robots.txt.

    Attributes:
        pause: Seconds between two requests, as the host wishes.
    """

    parser: Protego
    pause: float = 0.0

    def check(self, url: str) -> None:
        """Refuse an address that we are asked to stay away from.

        Raises:
            RefusalError: We are.
        """
        if not self.parser.can_fetch(url, TOKEN):
            raise RefusalError("robots.txt of the host asks us to stay away")


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A robots.txt that could not be fetched but may exist, so that nothing is allowed."""

    reason: str
    is_passing: bool = True

    def check(self, url: str) -> None:  # noqa: ARG002, the same question as to rules
        """Refuse every address.

        Raises:
            RefusalError: Always.
        """
        raise RefusalError(self.reason, is_passing=self.is_passing)


def parse_robots(body: bytes) -> Rules:
    r"""Return the rules of a robots.txt; anything unreadable allows everything.

    >>> parse_robots(b"User-agent: *\nCrawl-delay: 2").pause
    2.0
    """
    text = body[:LONGEST].decode("utf-8-sig", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    if len(body) >= LONGEST:
        # A line that is cut off at the end may mean the opposite of the complete one.
        text = "".join(text.splitlines(keepends=True)[:-1])
    parser = Protego.parse(_VERSION.sub(r"\1", text))
    pause = parser.crawl_delay(TOKEN) or 0.0
    return Rules(parser, pause if pause > 0 else 0.0)


def judge_refusal(refusal: RefusalError, *, is_redirected: bool = False) -> Rules | Unreachable:
    """Return the rules for a robots.txt that could not be fetched.

    A host that has none allows everything; one that does not answer allows nothing.
    """
    status = refusal.status
    has_none = 400 <= status < 500 and status not in _PASSING  # noqa: PLR2004, client errors
    if has_none:
        return parse_robots(b"")
    if refusal.is_of_host and not is_redirected:
        # Any other address of the host would have failed in the same way.
        return Unreachable(refusal.reason, refusal.is_passing)
    return Unreachable(f"robots.txt of the host cannot be fetched ({refusal.reason})")
