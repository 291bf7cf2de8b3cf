"""Ask a source for the documents that it offers. They are only named here, not fetched."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from importlib.util import find_spec
from typing import Annotated, TypeVar
from urllib.parse import quote, unquote, urljoin, urlsplit

import msgspec
from bs4 import BeautifulSoup

from variorum_crawler.errors import FetchError, SourceError
from variorum_crawler.fetch import Fetched
from variorum_crawler.sources import Offer, Source, file_name
from variorum_crawler.web_address import parse_address

Fetch = Callable[[str], Fetched]
_Decoded = TypeVar("_Decoded")

# The formats that we read, the easiest first; PDF needs an extra.
_FORMATS = (".txt", ".docx", ".pdf") if find_spec("pypdfium2") else (".txt", ".docx")
# A name decides only whether a file is fetched; its text decides what it is.
_RULES = re.compile(
    r"comp(?:rehensive)?[\W_]*rules?|(?<![^\W_])(?:magic|mtg)[\W_]*cr(?![^\W\d_])", re.IGNORECASE
)
_CALLED_RULES = re.compile(r"comprehensive\s+rules", re.IGNORECASE)
# Downloads that are not the rules, and the languages of translations, in names and folders: /pt-br/, _DE_.
# A code of three letters is listed only if it is no set's code.
_OTHERS = re.compile(
    r"tournament|infraction|penalty|procedure|judging|changes|bulletin|notes|summary|basic|faq"
    r"|(?<![a-z0-9])(?:ar|br|chs|cht|cn|cs|ct|cz|de|deu|es|esp|fr|fra|ger|it|ita|ja|jp|jpn|ko|kor|kr|pl"
    r"|pt|ptbr|ru|rus|sc|spa|tc|tw|uk|zh|zhs|zht|chinese|deutsch|espanol|francais|french|german"
    r"|italian|italiano|japanese|korean|polish|portuguese|russian|simplified|spanish|traditional)"
    r"(?![a-z0-9])",
    re.IGNORECASE,
)
# Python's parser of HTML takes minutes for a megabyte of tags that never end, so these are taken out.
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ENDLESS = re.compile(r"<(?=[^<>]*(?:<|\Z))")
_LONGEST_PAGE = 2 * 2**20

_TIME = re.compile(r"\d{14}")
_DIGEST = re.compile(r"[A-Za-z0-9][\w+/=:-]{0,127}", re.ASCII)


def find_offers(source: Source, fetch: Fetch) -> Iterator[Offer]:
    """Yield the offers of a source, in an order that depends only on its answers.

    Raises:
        SourceError: The source cannot be understood.
        FetchError: A page or a list cannot be fetched.
    """
    for place in source.places:
        match place.kind:
            case "page":
                yield from _on_page(fetch(place.address))
            case "ruins":
                yield from _in_ruins(place.address.rstrip("/"), fetch)
            case "wayback":
                of = [captured.address for captured in source.places if captured.kind == "captures"]
                yield from _captured(place.address.rstrip("/"), of, fetch)
            case "captures":
                pass
            case _:
                yield _offer(place.address, day=place.day)


def _offer(*addresses: str, name: str = "", day: date | None = None) -> Offer:
    return Offer(name or file_name(addresses[0]), addresses, day)


def _on_page(page: Fetched) -> list[Offer]:
    """Return the rules among the links of a page, found by name: the page is redesigned every few years."""
    text = page.body[:_LONGEST_PAGE].decode("utf-8", "replace")
    soup = BeautifulSoup(_ENDLESS.sub("", _COMMENT.sub("", text)), "html.parser")
    links: dict[str, str] = {}
    for link in soup.find_all(href=True):
        try:
            address = parse_address(urljoin(page.final_url, str(link["href"]).strip())).url
        except (FetchError, ValueError):
            continue
        if file_name(address).lower().endswith(_FORMATS):
            links[address] = f"{links.get(address, '')} {link.get_text(' ')}"
    rules = [address for address in links if _is_rules(address)] or [
        address
        for address, shown in links.items()
        if _CALLED_RULES.search(shown) and not _OTHERS.search(shown + _path(address))
    ]
    if not rules:
        raise SourceError(
            f"{page.url}: no link to the rules on this page; "
            "is it a sign-in page, or was the site rebuilt?"
        )
    return [
        _offer(address)
        for ending in _FORMATS
        for address in rules
        if file_name(address).lower().endswith(ending)
    ]


def _path(address: str) -> str:
    return unquote(urlsplit(address).path)


def _is_rules(address: str) -> bool:
    """Return whether an address is named like the English rules, in any spelling."""
    return bool(_RULES.search(file_name(address))) and not _OTHERS.search(_path(address))


class _Edition(msgspec.Struct):
    setCode: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_]{2,8}$")]  # noqa: N815 - its name there
    creationDay: date  # noqa: N815 - likewise


class _Editions(msgspec.Struct):
    data: Annotated[list[_Edition], msgspec.Meta(min_length=1)]


def _in_ruins(root: str, fetch: Fetch) -> Iterator[Offer]:
    """Yield the editions in the list of Academy Ruins, oldest first.

    If it has a set twice, only the later day counts. Its files are copies, most of them converted
    to UTF-8.
    """
    days: dict[str, date] = {}
    for edition in _decoded(fetch(f"{root}/metadata/cr"), _Editions).data:
        code, day = edition.setCode.upper(), edition.creationDay
        days[code] = max(day, days.get(code, day))
    for code in sorted(days, key=lambda code: (days[code], code)):
        yield _offer(f"{root}/file/cr/{code}", name=f"{code}.txt", day=days[code])


def _captured(root: str, of: list[str], fetch: Fetch) -> Iterator[Offer]:
    """Yield the captures of each address, oldest first; a list that fails does not hide the others.

    Captures of the same bytes are one offer. With "id_" after its time, the address of a capture
    gives the original bytes, without the archive's banner.
    """
    documents: dict[str, dict[str, str]] = {}  # by digest: the originals by their address
    times: dict[str, str] = {}
    failed: list[FetchError | SourceError] = []
    for wanted in of:
        query = quote(wanted, safe="")
        try:
            address = f"{root}/cdx/search/cdx?url={query}"
            listing = fetch(f"{address}&output=json&filter=statuscode:200&collapse=digest")
            found = list(_captures(listing))
        except (FetchError, SourceError) as error:
            failed.append(error)
            continue
        for time, original, digest in found:
            if not wanted.endswith("*") or _is_rules(original):
                address = f"{root}/web/{time}id_/{original}"
                documents.setdefault(digest, {})[address] = original
                times[digest] = min(time, times.get(digest, time))
    for digest in sorted(documents, key=lambda digest: (times[digest], digest)):
        addresses = sorted(documents[digest])
        yield _offer(*addresses, name=file_name(documents[digest][addresses[0]]))
    if failed:
        raise failed[0]


def _captures(listing: Fetched) -> Iterator[tuple[str, str, str]]:
    """Yield time, address and digest of each capture in a list of the Wayback Machine (CDX).

    The list is a row with the names of the columns, then a row for each capture. An archive without
    captures answers with no rows, or with nothing.
    """
    if not listing.body.strip():
        return
    rows = _decoded(listing, list[list[str]])
    for cells in rows[1:]:
        row = dict(zip(rows[0], cells, strict=False))
        try:
            time, digest = row["timestamp"], row["digest"]
            original = parse_address(row["original"]).url
        except (KeyError, FetchError) as error:
            raise SourceError(f"{listing.url}: a capture: {error}") from None
        if not (_TIME.fullmatch(time) and _DIGEST.fullmatch(digest)):
            raise SourceError(f"{listing.url}: {time!r}, {digest!r}: no capture")
        if row.get("statuscode", "200") == "200" and row.get("mimetype") != "text/html":
            yield time, original, digest


def _decoded(answer: Fetched, kind: type[_Decoded]) -> _Decoded:
    try:
        return msgspec.json.decode(answer.body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SourceError(f"{answer.url}: not the list that we expect: {error}") from None
