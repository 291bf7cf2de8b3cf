"""Read robots.txt, in which a host restricts programs (RFC 9309)."""

import re
from dataclasses import dataclass

from protego import Protego

from variorum_crawler.fetch.failures import RefusalError

# Our name in robots.txt.
TOKEN = "variorum"  # noqa: S105, a product token of RFC 9309 and no secret
LONGEST = 500 * 1024
MOST_REDIRECTS = 5
# The standard has product names without versions, but people write versions.
_VERSION = re.compile(
    r"^([ \t]*user-agent[ \t]*:[ \t]*[\w-]+)/[^\s#]*", re.IGNORECASE | re.MULTILINE
)
# Client errors (400 to 499) that do not show whether there is a robots.txt.
_PASSING = {408, 425, 429}


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a robots.txt.

    Attributes:
        pause: The seconds between two requests that the host asks for.
    """

    parser: Protego
    pause: float = 0.0

    def check(self, url: str) -> None:
        """Refuse a forbidden address.

        Raises:
            RefusalError: The address is forbidden.
        """
        if not self.parser.can_fetch(url, TOKEN):
            raise RefusalError("robots.txt of the host asks us to stay away")


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A robots.txt that may exist but could not be fetched; it forbids everything."""

    reason: str
    is_passing: bool = True

    def check(self, url: str) -> None:  # noqa: ARG002, the same question as to rules
        """Refuse every address.

        Raises:
            RefusalError: Always.
        """
        raise RefusalError(self.reason, is_passing=self.is_passing)


def parse_robots(body: bytes) -> Rules:
    r"""Return the rules of a robots.txt; unreadable lines forbid nothing.

    >>> parse_robots(b"User-agent: *\nCrawl-delay: 2").pause
    2.0
    """
    text = body[:LONGEST].decode("utf-8-sig", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    if len(body) >= LONGEST:
        # A truncated last line may mean the opposite of the complete line.
        text = "".join(text.splitlines(keepends=True)[:-1])
    parser = Protego.parse(_VERSION.sub(r"\1", text))
    pause = parser.crawl_delay(TOKEN) or 0.0
    return Rules(parser, pause if pause > 0 else 0.0)


def judge_refusal(refusal: RefusalError, *, is_redirected: bool = False) -> Rules | Unreachable:
    """Return the rules for a robots.txt that could not be fetched.

    A missing robots.txt allows everything; a host that does not answer allows nothing.
    """
    status = refusal.status
    has_none = 400 <= status < 500 and status not in _PASSING  # noqa: PLR2004, client errors
    if has_none:
        return parse_robots(b"")
    if refusal.is_of_host and not is_redirected:
        # Every other address of the host would fail in the same way.
        return Unreachable(refusal.reason, refusal.is_passing)
    return Unreachable(f"robots.txt of the host cannot be fetched ({refusal.reason})")
