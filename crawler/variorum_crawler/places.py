"""Where editions are found: a table of places, and a generator of the documents that each kind of place offers.

The table is our own `addresses.tsv` or that of a user. Documents are only named here, not fetched.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

import msgspec
from bs4 import BeautifulSoup

from variorum.errors import WRONG_USAGE, VariorumError
from variorum.files import read_file
from variorum_crawler.fetch import Answer, FetchError, parse_address

Fetch = Callable[[str], Answer]

_OURS = Path(__file__).with_name("addresses.tsv")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# The formats that we read, the easiest first; PDF needs an extra.
_FORMATS = (".txt", ".docx", ".pdf") if find_spec("pypdfium2") else (".txt", ".docx")
# A name decides only whether a file is fetched; its text decides what it is.
_RULES = re.compile(
    r"comp(?:rehensive)?[\W_]*rules?|(?<![^\W_])(?:magic|mtg)[\W_]*cr(?![^\W\d_])", re.IGNORECASE
)
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
# Between the root of the Wayback Machine and an address of which it lists the captures.
_CAPTURES = "/web/*/"
_CAPTURE = re.compile(r"(?P<time>\d{14}) (?P<original>\S+) (?P<type>\S+) (?P<digest>\w{1,128})")


class SourceError(VariorumError, ValueError):
    """A table of places cannot be understood."""

    kind = "wrong usage"
    exit_code = WRONG_USAGE


class Candidate(NamedTuple):
    """A document that may be an edition, with the addresses where it or its like is found, best first.

    `day` is that of the edition according to the table or list; only the text is trusted. What is at the
    address of something `is_fixed` never changes.
    """

    name: str
    addresses: tuple[str, ...]
    day: date | None = None
    is_fixed: bool = False


class Place(NamedTuple):
    """A row of the table."""

    source: str
    kind: str
    day: date | None
    address: str


def file_name(address: str) -> str:
    """Return the decoded name of the file at an address, with U+FFFD for what controls a terminal.

    >>> file_name("https://example.com/2023/MagicCompRules%2020230414.txt?v=2")
    'MagicCompRules 20230414.txt'
    """
    name = re.split(r"[/\\]", _path(address))[-1].strip()
    return "".join([sign if sign.isprintable() else "\ufffd" for sign in name])


def _path(address: str) -> str:
    return unquote(urlsplit(address).path)


# The table ----------------------------------------------------------------------------------------


def load_places(path: Path | None = None, only: Sequence[str] = ()) -> list[Place]:
    """Return the places in the order in which they are asked, those of some sources or all.

    A user's file replaces ours; a row there with the name of one of our sources alone stands for it. Raises
    FileError or SourceError, whose message says where.
    """
    places = [*_rows(_OURS, _OURS.read_text("utf-8"), [])]
    if path:
        table = read_file(path).decode("utf-8-sig", "replace")
        places = [*_rows(path, table, places)]
        if not places:
            raise SourceError(f"{path}: no sources")
    names = {place.source for place in places}
    for name in only:
        if name not in names:
            raise SourceError(f"unknown source {name!r}; known are {', '.join(sorted(names))}")
    return [place for place in places if not only or place.source in only]


def _rows(path: Path, table: str, ours: Sequence[Place]) -> Iterator[Place]:
    for number, line in enumerate(table.splitlines(), start=1):
        name, kind, day, address, *_ = [*(cell.strip() for cell in line.split("\t")), "", "", ""]
        where = f"{path}:{number}"
        if not line.strip() or line.startswith("#") or (name, kind) == ("source", "kind"):
            continue
        if not _NAME.fullmatch(name):
            columns = "the columns are source, kind, day and address, with tabs between them"
            raise SourceError(f"{where}: {name!r} is no name of a source; {columns}")
        named = [place for place in ours if place.source == name]
        if named and not kind:
            yield from named
            continue
        if kind not in _KINDS:
            known = ", ".join(_KINDS)
            raise SourceError(f"{where}: the kind {kind!r} is unknown; known are {known}")
        try:
            url = address if _CAPTURES in address else parse_address(address).url
            yield Place(name, kind, date.fromisoformat(day) if day else None, url)
        except FetchError as error:
            raise SourceError(f"{where}: the address {error.reason}") from None
        except ValueError:
            raise SourceError(f"{where}: {day!r} is no day such as 2021-07-23") from None


# What each kind of place offers -------------------------------------------------------------------


def candidates(place: Place, fetch: Fetch) -> Iterator[Candidate]:
    """Yield what a place offers, in an order that depends only on its answers; or raise FetchError."""
    return _KINDS[place.kind](place, fetch)


def _document(place: Place, fetch: Fetch) -> Iterator[Candidate]:
    del fetch
    yield Candidate(file_name(place.address), (place.address,), place.day)


def _on_page(place: Place, fetch: Fetch) -> Iterator[Candidate]:
    """Yield the rules among the links of a page, found by name: the page is redesigned every few years."""
    page = fetch(place.address)
    text = page.body[:_LONGEST_PAGE].decode("utf-8", "replace")
    soup = BeautifulSoup(_ENDLESS.sub("", _COMMENT.sub("", text)), "html.parser")
    editions: dict[str, set[tuple[int, str]]] = {}
    for link in soup.find_all(href=True):
        try:
            address = parse_address(urljoin(page.url, str(link["href"]).strip())).url
        except (FetchError, ValueError):
            continue
        stem, dot, ending = file_name(address).lower().rpartition(".")
        if dot + ending in _FORMATS and _is_rules(address, link.get_text(" ")):
            editions.setdefault(stem, set()).add((_FORMATS.index(dot + ending), address))
    if not editions:
        reason = "no link to the rules on this page; is it a sign-in page, or was the site rebuilt?"
        raise FetchError(f"{page.url}: {reason}")
    for ranked in editions.values():
        addresses = [address for _, address in sorted(ranked)]
        yield Candidate(file_name(addresses[0]), tuple(addresses))


def _is_rules(address: str, shown: str = "") -> bool:
    named = f"{file_name(address)} {shown}"
    return bool(_RULES.search(named)) and not _OTHERS.search(f"{_path(address)} {shown}")


class _Edition(msgspec.Struct):
    setCode: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_]{2,8}$")]  # noqa: N815 - its name there
    creationDay: date  # noqa: N815 - likewise


class _Editions(msgspec.Struct):
    data: Annotated[list[_Edition], msgspec.Meta(min_length=1)]


def _in_ruins(place: Place, fetch: Fetch) -> Iterator[Candidate]:
    """Yield the editions in the list of Academy Ruins, oldest first; of a set, the later day counts.

    Its files are copies, most of them converted to UTF-8.
    """
    root, days = place.address.rstrip("/"), dict[str, date]()
    listing = fetch(f"{root}/metadata/cr")
    try:
        editions = msgspec.json.decode(listing.body, type=_Editions)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FetchError(f"{listing.url}: not the list that we expect: {error}") from None
    for edition in editions.data:
        code, day = edition.setCode.upper(), edition.creationDay
        days[code] = max(day, days.get(code, day))
    for code in sorted(days, key=lambda code: (days[code], code)):
        yield Candidate(f"{code}.txt", (f"{root}/file/cr/{code}",), days[code])


def _captured(place: Place, fetch: Fetch) -> Iterator[Candidate]:
    """Yield the captures of an address in the Wayback Machine, oldest first; those of equal bytes are one.

    With "id_" after its time, the address of a capture gives the original bytes, without a banner.
    """
    root, _, wanted = place.address.partition(_CAPTURES)
    query = f"url={quote(wanted, safe='')}&fl=timestamp,original,mimetype,digest"
    listing = fetch(f"{root}/cdx/search/cdx?{query}&filter=statuscode:200&collapse=digest")
    documents: dict[str, list[str]] = {}
    for line in sorted(listing.body.decode(errors="replace").split("\n")):
        capture = _CAPTURE.fullmatch(line.strip())
        if line.strip() and not capture:
            raise FetchError(f"{listing.url}: not the list that we expect: {line[:80]!r}")
        if not capture or capture["type"] == "text/html":
            continue
        if not wanted.endswith("*") or _is_rules(capture["original"]):
            address = f"{root}/web/{capture['time']}id_/{capture['original']}"
            documents.setdefault(capture["digest"], []).append(address)
    for addresses in documents.values():
        yield Candidate(file_name(addresses[0]), tuple(addresses), is_fixed=True)


_KINDS: dict[str, Callable[[Place, Fetch], Iterator[Candidate]]] = {
    "document": _document,
    "page": _on_page,
    "ruins": _in_ruins,
    "captures": _captured,
}
