"""Academy Ruins: a list of editions by set, and a file for each set.

Its list has for each edition {"creationDay": "2023-09-01", "setCode": "WOE", "setName": …}, newest
first, under "data". Its files are copies, most of them converted to UTF-8, so their bytes differ
from the publisher's.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import cast

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.fetched import Fetched
from variorum_crawler.places.json_answers import parse_json
from variorum_crawler.places.offer import Offer

_SET_CODE = re.compile(r"[A-Za-z0-9_]{2,8}")


def list_address(address: str) -> str:
    """Return the address of the list of editions, from the address of the archive."""
    return f"{address.rstrip('/')}/metadata/cr"


def find_offers(source: str, address: str, listing: Fetched) -> Iterator[Offer]:
    """Yield the editions in the list, oldest first.

    If the list has a set twice, only the later day counts.

    Args:
        source: The name of the source.
        address: The address of the archive.
        listing: The list as fetched.

    Raises:
        SourceError: The answer is no such list. If only one entry is unreadable, all others are
            offered first.
    """
    where = f"{source}: {listing.url}"
    entries = _entries(parse_json(source, listing), where)
    days: dict[str, date] = {}
    odd: list[str] = []
    for number, entry in enumerate(entries, start=1):
        code, day = _read(entry)
        if code is None or day is None:
            odd.append(
                f"{where}: entry {number} of the list has no setCode or creationDay in the form we expect"
            )
        else:
            days[code] = max(day, days.get(code, day))
    for code, day in sorted(
        days.items(), key=lambda code_and_day: (code_and_day[1], code_and_day[0])
    ):
        file = f"{address.rstrip('/')}/file/cr/{code}"
        yield Offer(source=source, name=f"{code}.txt", addresses=(file,), effective=day)
    if odd:
        raise SourceError(odd[0])


def _entries(answer: object, where: str) -> list[object]:
    is_table = isinstance(answer, dict)
    listed = cast("Mapping[str, object]", answer).get("data") if is_table else answer
    if not isinstance(listed, list):
        raise SourceError(f"{where}: the answer is no list of editions")
    entries = cast("list[object]", listed)
    if not entries:
        raise SourceError(f"{where}: the list of editions is empty")
    return entries


def _read(entry: object) -> tuple[str, date] | tuple[None, None]:
    """Return the code of an entry's set, and its day."""
    if not isinstance(entry, dict):
        return None, None
    fields = cast("Mapping[str, object]", entry)
    code, day = fields.get("setCode"), fields.get("creationDay")
    if isinstance(code, str) and isinstance(day, str) and _SET_CODE.fullmatch(code):
        try:
            return code.upper(), date.fromisoformat(day[:10])  # the day of a timestamp
        except ValueError:
            pass
    return None, None
