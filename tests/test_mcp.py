"""The MCP server by its protocol: every tool, resource and error, as a client sends and reads them."""

import hashlib
import io
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.support.command import run
from tests.test_transcripts import laid_out

Json = dict[str, Any]

CITING = "See CR 511.2, rule 704.5k and rules 600.4a-b.\nBut 999.9 and CR 511.9, too (705.1).\n"
NUMBERS = "705.1", "511.2", "7", "705", "flip a coin", "glossary: Flip a Coin", "704.5a-c", "511.5"
QUOTES = "the coin is tossed without a call", "no such words anywhere", ""


def each(tool: str, name: str, values: Sequence[object], **more: object) -> list[tuple[str, Json]]:
    """Return a call for each value of an argument."""
    return [(tool, {name: value, **more}) for value in values]


CALLS: list[tuple[str, Json]] = [
    *each("rule_as_of", "number", NUMBERS),
    *each("rule_as_of", "number", NUMBERS[:2], on="2008-06-20"),
    *each(
        "rule_as_of", "on", ("first", "2003-02-10", "2007-02", "M10", "nonsense"), number="511.2"
    ),
    *each("rule_as_of", "number", (f"{NUMBERS[3]} {NUMBERS[3]}",), subrules=True),
    *each("rule_as_of", "number", NUMBERS[:1], full=True, on="2022-02-11"),
    *each("where", "number", NUMBERS[1::2]),
    *each("where", "number", NUMBERS[:2], written="2008-06-20", to="first"),
    *each("history", "number", NUMBERS[1:6:2]),
    *each("history", "number", NUMBERS[1:2], on="2008-06-20", full=True),
    *each("search_rules", "query", ("winning a toss", "511.2", "xyzzy", '"a coin"')),
    *each("search_rules", "on", ("ever", "2003", "nonsense"), query="coin", limit=2),
    *each("changes", "to", ("current", "first", "2008")),
    *each("changes", "section", NUMBERS[1:3], **{"from": "2008-06-20", "to": "2010-01-22"}),
    ("changes", {"from": "first", "to": "latest", "section": "705", "full": True}),
    *each("resolve_quote", "words", QUOTES),
    *each("resolve_quote", "words", QUOTES, number="511.2", date="2008-06-20"),
    *each("resolve_quote", "words", QUOTES[:1], number="705.9", full=True),
    *each("check_citations", "text", (CITING, CITING.replace("\n", "\r"), "")),
    *each("check_citations", "as_of", ("2008-06-20", "never"), text=CITING),
    ("check_citations", {"text": CITING, "as_of": "2008-06-20", "full": True}),
    ("check_citations", {"text": "CR 511.2. " * 400, "as_of": "2008-06-20"}),
    ("rule_as_of", {}),
    *each("rule_as_of", "number", (511.2, "x" * 5000, "1 " * 10**5, "1 " * 201, "\ud800")),
    *each("search_rules", "query", ("coin " * 250_000, "\ud83d\ud83d \U0001fa99 \\ud800")),
    *each("resolve_quote", "words", ("coin " * 250_000, "\udfff")),
    *each("check_citations", "text", ("x" * 70_000, "CR 511.2 \udfff")),
    ("search_rules", {"query": "coin", "limit": 0}),
    ("nothing", {}),
]
RESOURCES = "cr://editions", "cr://2008-06-20", "cr://M10/x", "cr://current/511.2", "cr://1/2/3"

GREETING: Json = {
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a client", "version": "1"},
    },
}


class Client(io.RawIOBase):
    """A client's requests as standard input: each is sent when the one before has been answered."""

    def __init__(self, requests: Sequence[Json]) -> None:
        asked = [GREETING, *requests]
        self._left = [
            {"jsonrpc": "2.0", "id": place, **request} for place, request in enumerate(asked)
        ]
        self._left.insert(1, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        self._awaited = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while sys.stdout.written.count(b"\n") < self._awaited:  # type: ignore[attr-defined]
            time.sleep(0.001)
        if not self._left:
            return 0
        request = self._left.pop(0)
        self._awaited += "id" in request
        line = json.dumps(request).encode() + b"\n"
        buffer[: len(line)] = line
        return len(line)


def talk(sample: Path, requests: Sequence[Json], *options: str) -> list[Json]:
    """Return the answers of `cr mcp` to requests, without the answer to the greeting."""
    stream = io.BufferedReader(Client(requests), buffer_size=1 << 22)
    # A test of the website may have left its loop in this thread.
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(run, ["mcp", "--kb", str(sample), *options], given=stream).result()
    assert done.code == 0, done.err
    answers = [json.loads(line) for line in done.out.splitlines()]
    return sorted(answers, key=lambda answer: int(answer["id"]))[1:]


def calls(asked: Sequence[tuple[str, Json]]) -> list[Json]:
    """Return the requests that call tools."""
    return [
        {"method": "tools/call", "params": {"name": name, "arguments": arguments}}
        for name, arguments in asked
    ]


@pytest.fixture(scope="session")
def sample(bases: Callable[[str], Path | None]) -> Path:
    """Return the base of the sample rulebook."""
    folder = bases("sample")
    assert folder
    return folder


@pytest.fixture(scope="session")
def answers(sample: Path) -> list[Json]:
    """Return the answers to all calls."""
    return talk(sample, calls(CALLS))


def test_recorded_calls(answers: list[Json], golden: Callable[[str, str], None]) -> None:
    """Each call is answered as recorded."""
    shown: list[str] = []
    for (name, arguments), answer in zip(CALLS, answers, strict=True):
        words = {key: value if len(str(value)) < 300 else "…" for key, value in arguments.items()}
        result = answer.get("result") or answer
        told = result.get("structuredContent") or result
        answered = laid_out(json.dumps(told))
        if answered.count("\n") > 36:
            answered = f"{len(json.dumps(told)):,} letters, {told.get('left_out')} left out\n"
        shown += [f"{name} {json.dumps(words)}", answered]

    golden("mcp-calls.txt", "\n".join(shown))


def test_answers_are_as_promised(sample: Path, answers: list[Json]) -> None:
    """Answers fit the schemas that the tools declare, and their links can be read."""
    (listed,) = talk(sample, [{"method": "tools/list"}])
    schemas = {tool["name"]: tool["outputSchema"] for tool in listed["result"]["tools"]}
    told = [
        (name, answer["result"]["structuredContent"])
        for (name, _), answer in zip(CALLS, answers, strict=True)
        if not answer.get("result", {}).get("isError", True)
    ]
    for name, answer in told:
        jsonschema.validate(answer, schemas[name])
        assert answer["edition"]
    links = sorted(set(re.findall(r'"(cr://[^"]*)"', json.dumps(told))))
    read = talk(sample, [{"method": "resources/read", "params": {"uri": link}} for link in links])

    assert len(schemas) == 7
    assert len(links) > 15
    assert [link for link, answer in zip(links, read, strict=True) if "error" in answer] == []


def test_descriptions(sample: Path, golden: Callable[[str, str], None]) -> None:
    """The server presents itself, its tools and resources as recorded."""
    told = talk(
        sample,
        [
            {"method": "tools/list"},
            {"method": "resources/templates/list"},
            *({"method": "resources/read", "params": {"uri": uri}} for uri in RESOURCES),
        ],
    )

    for tool in told[0]["result"]["tools"]:  # what they say is tried on every answer, above
        schema = json.dumps(tool["outputSchema"], sort_keys=True)
        tool["outputSchema"] = hashlib.sha256(schema.encode()).hexdigest()[:16]
    golden("mcp-descriptions.txt", "\n".join(laid_out(json.dumps(answer)) for answer in told))


def test_links_of_a_website(sample: Path) -> None:
    """With the address of a website, links are its permanent addresses."""
    told = json.dumps(talk(sample, calls(CALLS[:30]), "--site", "https://rules.example/"))

    assert "cr://" not in told
    assert "https://rules.example/2025-05-30/7/#705.1" in told
    assert "https://rules.example/2003-02-10/glossary/#flip-a-coin" in told


def test_error_no_base(tmp_path: Path) -> None:
    """Without a base, the server does not start, and says what to do."""
    done = run(["mcp", "--kb", str(tmp_path)])

    assert done.code == 3
    assert "cr sync or cr build PATH creates one" in done.err


def test_http(sample: Path) -> None:
    """Over HTTP it answers this computer alone; another name that leads here is refused."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    start = "import sys; from variorum.cli.start import process; process()"
    command = [sys.executable, "-P", "-c", start, "mcp", "--http", "--port", str(port)]
    greeting = json.dumps({"jsonrpc": "2.0", "id": 0, **GREETING})
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    statuses, command = [], [*command, "--kb", str(sample)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr
            assert server.stderr.readline().startswith(f"http://127.0.0.1:{port}/mcp ")
            wait_for(port)
            for host in (f"127.0.0.1:{port}", f"rules.example:{port}"):
                connection = HTTPConnection("127.0.0.1", port, timeout=20)
                connection.request("POST", "/mcp", greeting, {**headers, "Host": host})
                statuses.append(connection.getresponse().status)
                connection.close()
        finally:
            server.kill()  # asked to end, it waits for open connections

    assert statuses == [200, 421]


def wait_for(port: int) -> None:
    """Wait until a server listens, which it does shortly after it has said where."""
    for _ in range(1000):
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), 20):
            return
        time.sleep(0.02)
    pytest.fail("the server does not listen")
