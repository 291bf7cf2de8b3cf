"""The MCP server with clients in memory: recorded calls, working links, one-line errors."""

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import jsonschema
import pytest
from click.testing import CliRunner

import variorum
from variorum_kb.errors import MissingPackageError
from variorum_mcp import command
from variorum_mcp.answer_parts import AnswerParts, bearers
from variorum_mcp.corrections import corrected
from variorum_mcp.current_base import CurrentBase
from variorum_mcp.links import Links

# Its packages take a second to import, even in processes that only collect these tests.
if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

TODAY = date(2026, 1, 1)
CITING = "See CR 511.2, rule 704.5k and rules 600.4a-b.\nBut 999.9 and CR 511.9, too (705.1).\n"

_Found = TypeVar("_Found")
Asked = tuple[str, dict[str, object]]

NUMBERS = (
    "705.1",
    "511.2",
    "7",
    "705",
    "flip a coin",
    "glossary: Flip a Coin",
    "704.5a-c",
    "511.5",
)
DAYS = ("current", "first", "latest", "2003-02-10", "2008", "2007-02", "nonsense")


def each(tool: str, name: str, values: Sequence[object], **more: object) -> list[Asked]:
    """Return a call for each value of an argument."""
    return [(tool, {name: value, **more}) for value in values]


QUERIES = ("winning a toss", "511.2", "xyzzy", '"a coin"')
QUOTES = ("the coin is tossed without a call", "no such words anywhere", "")
CALLS: list[Asked] = [
    *[call for day in DAYS[:5] for call in each("rule_as_of", "number", NUMBERS[:6], on=day)],
    *each("rule_as_of", "number", NUMBERS, subrules=True),
    *each("rule_as_of", "number", NUMBERS[:4], full=True, on="2022-02-11"),
    *each("where", "number", NUMBERS),
    *each("where", "number", NUMBERS[:5], written="2008-06-20", to="first"),
    *each("history", "number", NUMBERS),
    *each("history", "number", NUMBERS[1:4], on="2008-06-20", full=True),
    *each("search_rules", "query", QUERIES),
    *each("search_rules", "on", ("ever", "2003", "nonsense"), query="coin", limit=2),
    *each("changes", "to", DAYS),
    *each("changes", "section", NUMBERS[:4], **{"from": "2008-06-20", "to": "2010-01-22"}),
    ("changes", {"from": "first", "to": "latest", "section": "705", "full": True}),
    *each("resolve_quote", "words", QUOTES),
    *each("resolve_quote", "words", QUOTES, number="511.2", date="2008-06-20"),
    *each("resolve_quote", "words", QUOTES, number="705.9", full=True),
    *each("check_citations", "text", (CITING, "")),
    *each("check_citations", "as_of", ("2008-06-20", "never"), text=CITING),
    ("check_citations", {"text": CITING, "as_of": "2008-06-20", "full": True}),
    ("rule_as_of", {}),
    ("rule_as_of", {"number": 511.2}),
    ("where", {"number": 511, "written": 2008}),
    ("search_rules", {"query": "coin", "limit": 0}),
]


@pytest.fixture
def current(sample_base: Path) -> Iterator[CurrentBase]:
    """Return an object that lends the sample base."""
    lender = CurrentBase(sample_base, lambda: TODAY)
    yield lender
    lender.close()


def alone(asked: Coroutine[object, object, _Found]) -> _Found:
    """Run a coroutine in a thread of its own: browser tests may have left a loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, asked).result()


def with_client(
    current: CurrentBase, use: Callable[["Client"], Awaitable[_Found]], site: str = ""
) -> _Found:
    """Return the result of using a client of the server."""

    from mcp import Client  # noqa: PLC0415 - see above

    from variorum_mcp.server import make_server  # noqa: PLC0415 - likewise

    async def run() -> _Found:
        async with Client(make_server(current, site)) as client:
            return await use(client)

    return alone(run())


async def answered(client: "Client", asked: Asked) -> "CallToolResult":
    """Call a tool."""
    from mcp.types import CallToolResult  # noqa: PLC0415 - see above

    result = await client.call_tool(*asked)
    assert isinstance(result, CallToolResult)
    return result


def ask_all(current: CurrentBase, calls: list[Asked], site: str = "") -> "list[CallToolResult]":
    """Return the answers of tools, in order."""

    async def use(client: "Client") -> "list[CallToolResult]":
        return [await answered(client, item) for item in calls]

    return with_client(current, use, site)


def text_of(result: "CallToolResult") -> str:
    """Return the text of an answer."""
    from mcp.types import TextContent  # noqa: PLC0415 - see above

    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def links_of(value: object) -> Iterator[str]:
    """Yield all links of an answer."""
    if isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield from [str(inner)] if key == "link" else links_of(inner)
    elif isinstance(value, list):
        yield from chain.from_iterable(map(links_of, cast("list[object]", value)))


def errors_of(schema: Mapping[str, Any], value: object) -> Iterator[object]:
    """Yield the errors of a value by its schema."""
    validator = jsonschema.Draft202012Validator(schema)
    return cast("Iterator[object]", cast("Any", validator).iter_errors(value))


def test_recorded_calls(current: CurrentBase, golden: Callable[[str, object], None]) -> None:
    """A hundred calls get the recorded answers, as text and data, and one-line errors."""
    results = ask_all(current, CALLS)

    assert len(CALLS) >= 100
    for result in results:
        if result.is_error:
            assert "\n" not in text_of(result)
        else:
            assert json.loads(text_of(result)) == result.structured_content
    golden(
        "mcp/calls",
        [
            {"tool": tool, "arguments": given, "error" if item.is_error else "answer": text_of(item)
             if item.is_error else item.structured_content}
            for (tool, given), item in zip(CALLS, results, strict=True)
        ],
    )  # fmt: skip


def test_tools_are_few_and_described(current: CurrentBase) -> None:
    """The list of tools has at most 6 KB without output schemas, and answers fit these schemas."""
    tools = with_client(current, lambda client: client.list_tools()).tools
    schemas: dict[str, Any] = {item.name: item.output_schema for item in tools}
    listed = [item.model_dump(mode="json", by_alias=True, exclude_none=True) for item in tools]
    for member in listed:
        del member["outputSchema"]

    assert len(json.dumps({"tools": listed}).encode()) <= 6_000
    assert all(item.description and item.annotations for item in tools)
    for (tool, _), result in zip(CALLS, ask_all(current, CALLS), strict=True):
        if not result.is_error:
            assert not list(errors_of(schemas[tool], result.structured_content))


def test_many_citations(current: CurrentBase) -> None:
    """At most fifty citations are listed, unless all are asked for."""
    text = "CR 999.9\n" * 51

    short, full = ask_all(
        current,
        [("check_citations", {"text": text}), ("check_citations", {"text": text, "full": True})],
    )

    assert [text_of(answer).count('"cited": ') for answer in (short, full)] == [50, 51]


def test_answers_have_a_day_and_links_that_lead_somewhere(current: CurrentBase) -> None:
    """Every answer names its edition and a permalink, and every cr:// link can be read."""
    answers = [
        result.structured_content for result in ask_all(current, CALLS) if not result.is_error
    ]
    assert all(answer and answer["edition"] and answer["link"] for answer in answers)
    links = sorted({link for answer in answers for link in links_of(answer) if link})

    async def read(client: "Client") -> list[str]:
        return [str((await client.read_resource(link)).contents[0]) for link in links]

    read_all = with_client(current, read)

    for link, text in zip(links, read_all, strict=True):
        assert link.removeprefix("cr://").split("/")[0] in text
    assert len(links) > 100


def test_links_of_a_website(current: CurrentBase) -> None:
    """With the address of a website, links are the permalinks of docs/permalinks.md."""
    site = "https://rules.example/"
    results = ask_all(current, CALLS[:30], site)
    links = set(chain.from_iterable(links_of(result.structured_content) for result in results))

    assert f"{site}2025-05-30/7/#705.1" in links
    assert f"{site}2003-02-10/glossary/#flip-a-coin" in links
    assert all(link.startswith(site) for link in links)
    assert Links(site).life("705.1#2", "2025-05-30") == f"{site}rule/705.1/"
    assert Links(site).search("a b", "2025-05-30") == f"{site}search/?q=a+b"


def test_resources_and_prompt(current: CurrentBase) -> None:
    """Editions, contents and rules can be read, missing ones fail; the prompt asks for quotations."""

    async def use(client: "Client") -> tuple[list[str], str, str]:
        uris = (
            "cr://editions",
            "cr://2008-06-20",
            "cr://M10/x",
            "cr://current/511.2",
            "cr://1/2/3",
        )
        texts: list[str] = []
        for uri in uris:
            try:
                texts.append(
                    str(getattr((await client.read_resource(uri)).contents[0], "text", ""))
                )
            except Exception as error:  # noqa: BLE001 - whatever the client raises
                texts.append(str(error))
        templates = await client.list_resource_templates()
        prompt = await client.get_prompt("cited_answer", {"question": "Who wins?", "day": "2008"})
        names = " ".join(
            resource_template.uri_template for resource_template in templates.resource_templates
        )
        return texts, names, str(prompt.messages[0].content)

    (editions, contents, no_set, rule, nowhere), templates, prompt = with_client(current, use)

    assert len(json.loads(editions)) == len({load["edition"] for load in json.loads(editions)}) == 9
    assert "\n511. " in contents
    assert rule.startswith("Edition of 2025-05-30: cr://2025-05-30/705.2\n705.2 ")
    assert no_set.startswith("no edition is called 'M10'")
    assert "cr://1/2/3" in nowhere
    assert templates == "cr://{edition} cr://{edition}/{number}"
    assert "Who wins?" in prompt
    assert "check_citations" in prompt


def test_corrections_are_those_of_the_audit(sample_base: Path) -> None:
    """The corrected text has no certain corrections left, and nothing else changed."""
    with variorum.open(sample_base, today=TODAY) as base:
        for text in (CITING, CITING.replace("\n", "\r"), CITING.replace("\n", "\r\n"), ""):
            audit = base.audit(text, "2008-06-20")
            fixed = corrected(text, audit.findings)

            assert fixed == text or "See CR 705.2, rule 704.5k" in fixed
            assert len(fixed.splitlines()) == len(text.splitlines())
            assert not [finding for finding in base.audit(fixed, "latest").findings if finding.sure]
        for sign in ("\n", "\r", "\r\n"):
            text = sign.join(("One", "CR 511.2", "", "see CR 511.1."))
            fixed = corrected(text, base.audit(text, "2008-06-20").findings)
            assert fixed == text.replace(" 511.", " 705.")


def test_a_new_day_or_base_is_seen(sample_base: Path, tmp_path: Path) -> None:
    """The server uses the day of the question, and the base that exists then."""
    folder = tmp_path / "kb"
    shutil.copytree(sample_base, folder)
    days = [date(2008, 7, 1)]
    lender = CurrentBase(folder, lambda: days[-1])
    with lender.lend() as first, lender.lend() as again:
        assert first is again
        assert first.edition().label == "2008-06-20"
        days.append(TODAY)
        with lender.lend() as second:
            assert second.edition().label == "2025-05-30"
        assert first.subject("511.2").number == "511.2"  # it is still lent
    (folder / "kb.sqlite").unlink()
    with pytest.raises(variorum.NoBaseError), lender.lend():
        pass
    lender.close()


@pytest.mark.parametrize("more", [0, 1])
def test_long_words_are_cut(more: int) -> None:
    """Unless all is wanted, a long change and the words of a former bearer are cut."""
    text, words = "x" * (80 + more), [["+", "y" * (396 + more)]]
    former: dict[str, Any] = {
        "from": "2008",
        "to": "2009",
        "heading": "",
        "text": text,
        "now": None,
    }
    change: dict[str, Any] = {
        "old": None,
        "new": "1",
        "kinds": ["new"],
        "class": "",
        "words": words,
    }
    summary = variorum.DiffSummary.of(cast("variorum.DiffSummaryJson", {"to_edition": "2008"}))
    parts = AnswerParts(Links())

    (bearer,) = bearers([variorum.OtherBearer.of(cast("variorum.OtherBearerJson", former))])
    made = variorum.Change.of(cast("variorum.ChangeJson", change))
    short, full = (parts.change(made, summary, is_full=is_full) for is_full in (False, True))

    assert (bearer.words == text) == (not more)
    assert (short.words == full.words) == (not more)
    assert full.words == f"{{+{words[0][1]}+}}"


def test_the_packages_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If optional packages are missing, the command names them in a line and exits with 3."""
    answer: Mapping[str, object] = {}
    monkeypatch.setattr(command, "find_spec", answer.get)

    done = CliRunner().invoke(command.mcp, [])

    assert isinstance(done.exception, MissingPackageError)
    assert str(done.exception) == 'cr mcp needs more packages: pip install "variorum[mcp]"'
    assert done.exception.exit_code == 3


def test_other_hosts_are_refused(current: CurrentBase) -> None:
    """Over HTTP, a request for another host name than this machine's is refused."""
    from variorum_mcp.server import make_server  # noqa: PLC0415 - see above

    app = make_server(current).streamable_http_app(host="127.0.0.1")

    async def status(host: bytes) -> int:
        sent: list[Mapping[str, Any]] = []
        scope: dict[str, Any] = {
            "type": "http", "method": "POST", "path": "/mcp", "raw_path": b"/mcp", "root_path": "",
            "query_string": b"", "http_version": "1.1", "scheme": "http", "server": ("127.0.0.1", 1),
            "headers": [(b"host", host), (b"content-type", b"application/json")],
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message: Mapping[str, Any]) -> None:
            sent.append(message)

        async with app.router.lifespan_context(app):
            await app(scope, receive, cast("Any", send))
        return int(sent[0]["status"])

    assert alone(status(b"rules.example:8319")) == 421


def test_warm_up(current: CurrentBase) -> None:
    """The data for first answers is read in advance, unless the server has ended."""
    from variorum_mcp.server import warm_up  # noqa: PLC0415 - see above

    answers = iter([False] * 5 + [True])

    warm_up(current, lambda: next(answers))
    warm_up(current, lambda: next(answers))

    assert list(answers) == []
    with current.lend() as base:
        assert base.audit(CITING, "2008-06-20").summary.citations
