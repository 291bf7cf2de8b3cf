"""Find the rules among the links of the official page, by name.

Positions on the page mean nothing, because the page is redesigned every few years.
"""

import re
from urllib.parse import urljoin, urlsplit

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.addresses import parse_address
from variorum_crawler.fetch.failures import RefusalError
from variorum_crawler.fetch.fetched import Fetched
from variorum_crawler.places.offer import Offer
from variorum_crawler.places.page_links import Link, find_links
from variorum_crawler.places.published_file_names import (
    FORMATS,
    date_in_name,
    file_name,
    format_of,
    is_foreign_folder,
    is_other_name,
    is_rules_name,
)

_CALLED_RULES = re.compile(r"comprehensive\s+rules", re.IGNORECASE)
# How UTF-16 begins.
_MARKS = (b"\xff\xfe", b"\xfe\xff")


def find_offers(source: str, page: Fetched) -> list[Offer]:
    """Return the offers of a page, sorted by the newest day in their names, then by format.

    The same file at several hosts is one offer with several addresses. Each format is a document of
    its own.

    Args:
        source: The name of the source.
        page: The page as fetched.

    Raises:
        SourceError: No link on the page is named like the rules.
    """
    links, base = _parse_page(page)
    addressed = [(link, address) for link in links if (address := _absolute(base, link.target))]
    rules_addresses = [address for _, address in addressed if _is_rules(address)]
    rules_addresses = rules_addresses or [
        address for link, address in addressed if _is_called_rules(link, address)
    ]
    if not rules_addresses:
        raise SourceError(
            f"{source}: {page.url}: no link to the rules on this page; "
            "is it a sign-in page, or was the site rebuilt?"
        )
    return [_offer(source, copies) for copies in _sorted(_grouped(rules_addresses))]


def _parse_page(page: Fetched) -> tuple[list[Link], str]:
    encoding = "utf-16" if page.body.startswith(_MARKS) else "utf-8-sig"
    links, base = find_links(page.body.decode(encoding, "replace"))
    return links, _absolute(page.final_url, base) or page.final_url


def _absolute(base: str, target: str) -> str:
    """Return the address that a link leads to; "" if it is not a web address."""
    try:
        # Browsers accept either slash.
        return parse_address(urljoin(base, target.replace("\\", "/"))).url
    except (RefusalError, ValueError):
        return ""


def _is_rules(address: str) -> bool:
    return is_rules_name(file_name(address)) and not is_foreign_folder(address)


def _is_called_rules(link: Link, address: str) -> bool:
    """Return whether only the words of a link, not its address, name the rules."""
    is_shown = bool(_CALLED_RULES.search(link.shown))
    is_other = is_other_name(link.shown) or is_other_name(file_name(address))
    return is_shown and not is_other and not is_foreign_folder(address)


def _grouped(addresses: list[str]) -> list[list[str]]:
    """Return the addresses of each document, in the order of the page."""
    groups: dict[str, dict[str, None]] = {}
    for address in addresses:
        name, parts = file_name(address).casefold(), urlsplit(address)
        is_dated = date_in_name(name) is not None
        document = name if is_dated else parts.path.casefold() + parts.query
        groups.setdefault(document, {})[address] = None
    return [_without_repeats(list(group)) for group in groups.values()]


def _without_repeats(addresses: list[str]) -> list[str]:
    """Leave out addresses that differ from another one only by http or by their query."""
    kept: dict[str, str] = {}
    for address in sorted(addresses, key=lambda address: not address.startswith("https:")):
        parts = urlsplit(address)
        kept.setdefault(parts.netloc + parts.path, address)
    chosen = set(kept.values())
    return [address for address in addresses if address in chosen]


def _sorted(groups: list[list[str]]) -> list[list[str]]:
    def order(copies: list[str]) -> tuple[int, int, str]:
        name = file_name(copies[0])
        day = date_in_name(name)
        return (-day.toordinal() if day else 0, FORMATS.index(format_of(name)), copies[0])

    return sorted(groups, key=order)


def _offer(source: str, copies: list[str]) -> Offer:
    return Offer(source=source, name=file_name(copies[0]), addresses=tuple(copies))
