"""Turns a record of the library into the answer of a tool: brief, with a link, and not too long."""

import json
from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import quote

from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field

from variorum.cli.layout import CONTEXT, marked
from variorum.permalinks import dated_permalink
from variorum.rows import headword_of

# Letters of the JSON of an answer without `full`.
LONGEST = 12_000


class Reply(BaseModel):
    """The answer of every tool."""

    edition: str = Field(description="The effective date of the edition that says this.")
    link: str = Field(description="A permalink: https on a website, else a cr:// resource.")
    answer: Any = Field(description="What the library answers (docs/json.md), without empty parts.")
    corrected: str = Field("", description="The text, corrected where the new number is certain.")
    left_out: int = Field(0, description="How many more items there are; full=true gives them.")


def permalink(site: str, label: str, name: str = "") -> str:
    """Return the permalink of an edition, or of the provision of a name in it.

    It is a page of the website at `site`, or without one a resource of this server.

    >>> permalink("", "2007-10-01", "600.4a"), permalink("", "2007-10-01", "glossary: Flip a Coin")
    ('cr://2007-10-01/600.4a', 'cr://2007-10-01/Flip%20a%20Coin')
    >>> permalink("https://rules.example/", "2007-10-01", "600.4a")
    'https://rules.example/2007-10-01/6/#600.4a'
    """
    headword = headword_of(name)
    if site:
        number = "" if headword else name
        return site + (dated_permalink(label, number, headword) if name else f"{label}/")
    return f"cr://{label}" + (f"/{quote(headword or name, safe='')}" if name else "")


def reply(  # noqa: PLR0913 - each is a part of the answer
    form: Any,  # noqa: ANN401 - the JSON of any record of the library
    edition: str,
    link: str,
    *,
    full: bool,
    without: Collection[str] = (),
    keeps_last: bool = False,
    corrected: str = "",
) -> CallToolResult:
    """Return an answer of the library as that of a tool.

    Only a full answer has the keys of `without`, and lists of any length; if others are too long,
    they lose their first items where `keeps_last`, else their last.
    """
    answer = _brief(form, () if full else without, None if full else CONTEXT)
    left_out = 0 if full else _shorten(answer, keeps_last=keeps_last)
    told = {"edition": edition, "link": link, "answer": answer}
    told |= {"corrected": corrected} if corrected else {}
    told |= {"left_out": left_out} if left_out else {}
    text = TextContent(type="text", text=json.dumps(told, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=told)


def _brief(form: Any, without: Collection[str], context: int | None) -> Any:  # noqa: ANN401 - JSON
    """Return JSON without empty parts, and with word diffs as text."""
    if isinstance(form, list):
        return [_brief(item, without, context) for item in form]
    if not isinstance(form, dict):
        return form
    brief: dict[str, Any] = {}
    for key, value in form.items():
        if key == "words" and isinstance(value, list):
            pieces = [(str(sign), str(text)) for sign, text in value]
            told = marked(pieces, context=context) if any(s != "=" for s, _ in pieces) else ""
        else:
            told = _brief(value, without, context)
        if key not in without and (told or isinstance(told, bool | int | float)):
            brief[key] = told
    return brief


def _shorten(answer: Any, *, keeps_last: bool) -> int:  # noqa: ANN401 - JSON
    """Shorten the longest lists of JSON until all of it is short enough; return what they lost."""
    left_out = 0
    while (excess := _size(answer) - LONGEST) > 0:
        longest = max(_lists(answer), key=_size, default=None)
        if longest is None:
            break  # a single text, which nobody wants cut
        room, kept = _size(longest) - excess, 0
        for item in reversed(longest) if keeps_last else longest:
            room -= _size(item) + 2
            kept += room >= 0
        kept = max(kept, 1)
        left_out += len(longest) - kept
        longest[:] = longest[-kept:] if keeps_last else longest[:kept]
    return left_out


def _size(form: object) -> int:
    return len(json.dumps(form, ensure_ascii=False))


def _lists(form: Any) -> Iterator[list[Any]]:  # noqa: ANN401 - JSON
    """Yield each list of several items."""
    if isinstance(form, list) and len(form) > 1:
        yield form
    if isinstance(form, list | dict):
        for value in form.values() if isinstance(form, dict) else form:
            yield from _lists(value)
