"""Addresses of the web: parsed into one form, followed through redirects, and shown in messages."""

import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from urllib3.util import parse_url

from variorum_crawler.fetch.failures import RefusalError

_PORTS = {"http": 80, "https": 443}
_PASSWORD = re.compile(r"//[^/?#]*@")
_UNFIT = re.compile(r"[\x00-\x20\x7f-\x9f\\]")
_LONGEST_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Address:
    """An address of the web in its normal form.

    Attributes:
        url: The whole address without its fragment; blanks and letters outside ASCII are escaped.
        host: In small letters, without IPv6 brackets or a final dot.
    """

    url: str
    scheme: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """Return the scheme, host and port, as an address that a path can follow."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


def parse_address(text: str) -> Address:
    """Parse an address.

    >>> parse_address("HTTPS://Example.org/Comprehensive Rules 20221007.txt#top").url
    'https://example.org/Comprehensive%20Rules%2020221007.txt'

    Raises:
        RefusalError: It is not http or https, contains a password, or is malformed.
    """
    scheme = text.partition(":")[0].lower()
    if scheme not in _PORTS or "://" not in text:
        raise RefusalError("is no http or https address")
    if _PASSWORD.match(text, text.index("//")):
        raise RefusalError("holds a user name or a password")
    bare = text.partition("#")[0]
    if not bare.partition("://")[2].partition("/")[0].isascii():
        raise RefusalError("must write its host in ASCII (xn--)")
    try:
        netloc = urlsplit(bare).netloc
        parts = parse_url(bare)
    except ValueError:
        raise RefusalError("is no well-formed address") from None
    # A blank in a path is a mistake that servers accept; anywhere else it is an attack.
    if _UNFIT.search(bare.replace(" ", "")) or _UNFIT.search(netloc):
        raise RefusalError("is no well-formed address")
    host = (parts.host or "").strip("[]").rstrip(".")
    if not host:
        raise RefusalError("names no host")
    port = _PORTS[scheme] if parts.port is None else parts.port
    return Address(parts.url, scheme, host, port)


def follow(base: Address, location: str) -> Address:
    """Return the address that a redirect leads to.

    Raises:
        RefusalError: It leads to something other than a web address, or from https to http.
    """
    # Header fields arrive as Latin-1, although servers mostly send UTF-8.
    text = location.strip().encode("latin-1", "replace").decode("utf-8", "replace")
    try:
        target = parse_address(urljoin(base.url, text))
    except ValueError:
        raise RefusalError("redirects to something that is not an address") from None
    except RefusalError as error:
        raise RefusalError(f"redirects to {show(text)}, which {error.reason}") from None
    if base.scheme == "https" and target.scheme == "http":
        raise RefusalError(f"redirects from https to http ({show(target.url)})")
    return target


def show(url: str) -> str:
    """Return an address for a message: on one line, without a password, of limited length."""
    text = _PASSWORD.sub("//", url)
    text = "".join(c if c.isprintable() else f"%{ord(c):02X}" for c in text)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
