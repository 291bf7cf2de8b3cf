"""Measure the processor time of new calls of the MCP server.

    python -m lab.mcp.latency KB

The server is warm, as it is some seconds after its start; no call repeats an earlier one.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from mcp import Client

import variorum
from variorum_mcp.current_base import CurrentBase
from variorum_mcp.server import make_server, warm_up

Call = tuple[str, dict[str, object]]
QUERIES = (
    "first strike damage",
    "mulligan",
    "copy a spell",
    "legend rule",
    "double strike deathtouch",
    "token ceases to exist",
    "order of replacement effects",
    "dependency of layers",
    "cast face down",
    "split second",
    "priority after resolving",
    "phasing",
)


def calls(base: variorum.Base) -> Iterator[tuple[str, list[Call]]]:
    """Yield calls of each kind, with the kind."""
    labels = [edition.label for edition in base.editions]
    rules = [rule for rule in base.below("7") if rule.text][:: 1 + len(base.below("7")) // 40]
    numbers = [rule.number or "" for rule in rules]
    yield "rule_as_of", [("rule_as_of", {"number": number}) for number in numbers]
    yield "where", [("where", {"number": number}) for number in numbers]
    yield "history, full", [("history", {"number": number, "full": True}) for number in numbers]
    yield "search_rules", [("search_rules", {"query": query}) for query in QUERIES]
    yield (
        "search_rules, ever",
        [("search_rules", {"query": query, "on": "ever"}) for query in QUERIES],
    )
    yield "resolve_quote", [("resolve_quote", {"words": rule.text[:120]}) for rule in rules]
    texts = [
        f"see CR {first} and rule {second}"
        for first, second in zip(numbers, numbers[5:], strict=False)
    ]
    yield (
        "check_citations",
        [("check_citations", {"text": text, "as_of": "first"}) for text in texts],
    )
    yield "changes of an edition", [("changes", {"to": label}) for label in labels[1::4]]
    yield "changes since an edition", [("changes", {"from": label}) for label in labels[:-1:12]]


async def measure(kb: Path) -> None:
    """Print median, slowest twentieth and slowest call of each kind, in milliseconds."""
    current = CurrentBase(kb, lambda: date.max)
    warm_up(current, lambda: False)
    with current.lend() as base:
        kinds = list(calls(base))
    async with Client(make_server(current)) as client:
        await client.call_tool("rule_as_of", {"number": "100"})
        for kind, asked in kinds:
            took = sorted([await _milliseconds(client, call) for call in asked])
            slow = took[int(0.95 * (len(took) - 1))]
            median = statistics.median(took)
            sys.stdout.write(f"{kind:26}{median:8.1f}{slow:8.1f}{took[-1]:8.1f}\n")
    current.close()


async def _milliseconds(client: Client, call: Call) -> float:
    start = time.process_time()
    await client.call_tool(*call)
    return 1000 * (time.process_time() - start)


def main(arguments: Sequence[str]) -> None:
    """Measure on a base."""
    asyncio.run(measure(Path(arguments[0])))


if __name__ == "__main__":
    main(sys.argv[1:])
