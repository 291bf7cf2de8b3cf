"""Ask a source for the documents that it offers. They are only named here, not fetched."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit

from bs4 import BeautifulSoup

from variorum_crawler.errors import FetchError, RefusalError, SourceError
from variorum_crawler.fetch import Fetched
from variorum_crawler.sources import Offer, Source, file_name
from variorum_crawler.web_address import parse_address

Fetch = Callable[[str], Fetched]

# The formats that we read, the easiest first.
_FORMATS = (".txt", ".docx", ".pdf")
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

_SET_CODE = re.compile(r"[A-Za-z0-9_]{2,8}")
_TIME = re.compile(r"\d{14}")
_DIGEST = re.compile(r"[A-Za-z0-9][\w+/=:-]{0,127}", re.ASCII)


def find_offers(source: Source, fetch: Fetch) -> Iterator[Offer]:
    """Yield the offers of a source, in an order that depends only on its answers.

    Raises:
        SourceError: The source cannot be understood. If only a part is unreadable, the rest is
            offered first.
        FetchError: A page or a list cannot be fetched.
    """
    for place in source.places:
        match place.kind:
            case "page":
                yield from _on_page(source.name, fetch(place.address))
            case "ruins":
                yield from _in_ruins(source.name, place.address.rstrip("/"), fetch)
            case "wayback":
                of = [captured.address for captured in source.places if captured.kind == "captures"]
                yield from _captured(source.name, place.address.rstrip("/"), of, fetch)
            case "captures":
                pass
            case _:
                yield _offer(source.name, place.address, day=place.day)


def _offer(source: str, *addresses: str, name: str = "", day: date | None = None) -> Offer:
    name = name or file_name(addresses[0])
    return Offer(source=source, name=name, addresses=addresses, effective=day)


def _on_page(source: str, page: Fetched) -> list[Offer]:
    """Return the rules among the links of a page, found by name: the page is redesigned every few years."""
    text = page.body[:_LONGEST_PAGE].decode("utf-8", "replace")
    soup = BeautifulSoup(_ENDLESS.sub("", _COMMENT.sub("", text)), "html.parser")
    links: dict[str, str] = {}
    for link in soup.find_all(href=True):
        try:
            address = parse_address(urljoin(page.final_url, str(link["href"]).strip())).url
        except (RefusalError, ValueError):
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
            f"{source}: {page.url}: no link to the rules on this page; "
            "is it a sign-in page, or was the site rebuilt?"
        )
    return [
        _offer(source, address)
        for ending in _FORMATS
        for address in rules
        if file_name(address).lower().endswith(ending)
    ]


def _path(address: str) -> str:
    return unquote(urlsplit(address).path)


def _is_rules(address: str) -> bool:
    """Return whether an address is named like the English rules, in any spelling."""
    return bool(_RULES.search(file_name(address))) and not _OTHERS.search(_path(address))


def _in_ruins(source: str, root: str, fetch: Fetch) -> Iterator[Offer]:
    """Yield the editions in the list of Academy Ruins, oldest first.

    For each edition it has {"creationDay": "2023-09-01", "setCode": "WOE", "setName": …} under
    "data". If it has a set twice, only the later day counts. Its files are copies, most of them
    converted to UTF-8.
    """
    listing = fetch(f"{root}/metadata/cr")
    where = f"{source}: {listing.url}"
    answer = _parse_json(listing, where)
    entries = answer.get("data") if isinstance(answer, dict) else answer
    if not isinstance(entries, list):
        raise SourceError(f"{where}: the answer is no list of editions")
    if not entries:
        raise SourceError(f"{where}: the list of editions is empty")
    days: dict[str, date] = {}
    odd = 0
    for number, entry in enumerate(entries, start=1):
        try:
            code, day = entry["setCode"], date.fromisoformat(entry["creationDay"][:10])
            if not _SET_CODE.fullmatch(code):
                raise ValueError(code)  # noqa: TRY301 - as odd as what cannot be read
        except (TypeError, KeyError, ValueError):
            odd = odd or number
        else:
            days[code.upper()] = max(day, days.get(code.upper(), day))
    for day, code in sorted((day, code) for code, day in days.items()):
        yield _offer(source, f"{root}/file/cr/{code}", name=f"{code}.txt", day=day)
    if odd:
        raise SourceError(
            f"{where}: entry {odd} of the list has no setCode or creationDay in the form we expect"
        )


def _captured(source: str, root: str, of: list[str], fetch: Fetch) -> Iterator[Offer]:
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
            listing = fetch(
                f"{root}/cdx/search/cdx?url={query}"
                "&output=json&filter=statuscode:200&collapse=digest"
            )
            found = list(_captures(listing, f"{source}: {listing.url}"))
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
        yield _offer(source, *addresses, name=file_name(documents[digest][addresses[0]]))
    if failed:
        raise failed[0]


def _captures(listing: Fetched, where: str) -> Iterator[tuple[str, str, str]]:
    """Yield time, address and digest of each capture in a list of the Wayback Machine (CDX).

    The list is JSON: a row with the names of the columns, then a row for each capture. An archive
    without captures answers with no rows, or with nothing.
    """
    if not listing.body.strip():
        return
    rows = _parse_json(listing, where)
    is_table = isinstance(rows, list) and all(isinstance(row, list) for row in rows)
    if not is_table or not all(isinstance(cell, str) for row in rows for cell in row):
        raise SourceError(f"{where}: the answer is no list of captures")
    for cells in rows[1:]:
        row = dict(zip(rows[0], cells, strict=False))
        try:
            time, digest = row["timestamp"], row["digest"]
            original = parse_address(row["original"]).url
        except KeyError as error:
            raise SourceError(f"{where}: a capture has no {error}") from None
        except RefusalError as error:
            raise SourceError(f"{where}: {row['original']!r} {error.reason}") from None
        if not (_TIME.fullmatch(time) and _DIGEST.fullmatch(digest)):
            raise SourceError(f"{where}: {time!r} {digest!r} are no time and digest of a capture")
        if row.get("statuscode", "200") == "200" and row.get("mimetype") != "text/html":
            yield time, original, digest


def _parse_json(answer: Fetched, where: str) -> Any:  # noqa: ANN401 - the caller checks it
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        raise SourceError(f"{where}: the answer is not JSON") from None
