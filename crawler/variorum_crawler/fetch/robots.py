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


def parse_robots(body: bytes) -> Rules:
    r"""Return the rules of a robots.txt; unreadable lines forbid nothing.

    >>> parse_robots(b"User-agent: *\nCrawl-delay: 2").pause
    2.0
    """
    text = body[:LONGEST].decode("utf-8-sig", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    if len(body) > LONGEST:
        # A truncated last line may mean the opposite of the complete line.
        text = "".join(text.splitlines(keepends=True)[:-1])
    parser = Protego.parse(_VERSION.sub(r"\1", text))
    return Rules(parser, max(0.0, parser.crawl_delay(TOKEN) or 0.0))


def judge_refusal(refusal: RefusalError, *, is_redirected: bool) -> Rules | RefusalError:
    """Return the rules for a robots.txt that could not be fetched, or why no address is allowed.

    A missing robots.txt allows everything; a host that does not answer allows nothing.
    """
    if refusal.is_missing:
        return parse_robots(b"")
    if refusal.is_of_host and not is_redirected:
        # Every other address of the host would fail in the same way.
        return refusal
    reason = f"robots.txt of the host cannot be fetched ({refusal.reason})"
    return RefusalError(reason, is_passing=True)
