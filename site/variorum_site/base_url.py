"""The address of a site; without one, links to its own pages are relative."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from variorum_site import urls


def is_root(base_url: str) -> bool:
    """Return whether a site is at the root of its host.

    >>> is_root("https://example.org/"), is_root("https://example.org/rules/")
    (True, False)
    """
    return urlsplit(base_url).path == "/"


@dataclass(frozen=True, slots=True)
class Linker:
    """Links from a file that is not a page.

    Attributes:
        base_url: The address of the site; "" if unknown.
        file: Its path from the root of the site.
    """

    base_url: str
    file: str

    def to_page(self, page: urls.Page) -> str:
        """Return the permalink of a page; without a base URL, the relative path of its file."""
        if self.base_url:
            return f"{self.base_url}{page}"
        return self.to_file(urls.file_of(page))

    def to_file(self, file: str) -> str:
        """Return the address of a file."""
        return (self.base_url or "../" * self.file.count("/")) + file
