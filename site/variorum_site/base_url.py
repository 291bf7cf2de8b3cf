"""The address under which a site will stand; without one, everything it says of itself is relative."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from variorum_site import urls

# What may stand in a path as it is; all else is written %XX.
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*", re.ASCII)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?")


def base_url_of(text: str) -> str:
    """Return an address as we write it: with small letters in front of the path, a slash behind.

    >>> base_url_of("HTTPS://Example.org/rules")
    'https://example.org/rules/'

    Raises:
        ValueError: It is none; the message says why, in a line.
    """
    what = f"{text!r}: takes https://host or https://host/path"
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        raise ValueError(what) from None
    scheme, host = parts.scheme.lower(), parts.netloc.lower()
    if scheme not in {"http", "https"} or not _HOST.fullmatch(host):
        raise ValueError(what)
    if "?" in text or "#" in text:
        raise ValueError(f"{what}, without ? and #")
    if not _PATH.fullmatch(parts.path) or "//" in parts.path or _climbs(parts.path):
        raise ValueError(f"{what}; its path is written as a browser would show it")
    return f"{scheme}://{host}{parts.path.rstrip('/')}/"


def is_root(base_url: str) -> bool:
    """Say whether a site takes up all of its host.

    >>> is_root("https://example.org/"), is_root("https://example.org/rules/")
    (True, False)
    """
    return urlsplit(base_url).path == "/"


def _climbs(path: str) -> bool:
    return any(part in {".", ".."} for part in path.split("/"))


@dataclass(frozen=True, slots=True)
class Linker:
    """Links from a file that is no page.

    Attributes:
        base_url: Of the site; "" where nobody said.
        file: From the root of the site.
    """

    base_url: str
    file: str

    def to_page(self, page: urls.Page) -> str:
        """Return the permalink of a page; where that would have no beginning, the way to its file."""
        if self.base_url:
            return f"{self.base_url}{page}"
        return self.to_file(urls.file_of(page))

    def to_file(self, file: str) -> str:
        """Return the address of a file."""
        return (self.base_url or "../" * self.file.count("/")) + file
