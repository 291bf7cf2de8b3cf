"""The MCP server: its tools, its resources and its prompt."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any, TypeVar
from urllib.parse import unquote

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import Field, ValidationError

import variorum
from variorum.errors import VariorumError
from variorum.mcp.current_base import CurrentBase
from variorum.mcp.links import Links
from variorum.mcp.tools import Tools

_Answer = TypeVar("_Answer")

_INSTRUCTIONS = (
    "Every edition of the Magic: The Gathering Comprehensive Rules, side by side. Rule numbers move: "
    "quote a rule only as `rule_as_of` gives it, with its edition and link; for a number from an old "
    "text, call `where`; before you answer, run `check_citations` over your text."
)


def make_server(current: CurrentBase, site: str = "") -> MCPServer[Any]:
    """Return the server that answers from a base.

    Args:
        current: Lends the base.
        site: The address of the website that permalinks lead to; "" if there is none.
    """
    tools = Tools(current, Links(site))
    server: MCPServer[Any] = MCPServer(
        "variorum",
        title="Variorum",
        version=variorum.__version__,
        instructions=_INSTRUCTIONS,
        tools=[
            _tool(tool)
            for tool in (
                tools.rule_as_of,
                tools.where,
                tools.history,
                tools.search_rules,
                tools.changes,
                tools.resolve_quote,
                tools.check_citations,
            )
        ],
        log_level="ERROR",
    )
    _add_resources(server, current, Links(site))
    server.prompt(title="Answer with citations")(cited_answer)
    return server


def warm_up(current: CurrentBase, is_over: Callable[[], bool]) -> None:
    """Load what the first answers need: the indexes, and the rules for judging citations.

    Args:
        current: Lends the base.
        is_over: Called between steps; returns whether to stop.
    """
    steps: tuple[Callable[[variorum.Base], object], ...] = (
        lambda base: base.search("a player has priority"),
        lambda base: base.audit("CR 100.1: players", "first"),
        lambda base: base.resolve("a player has priority"),
        lambda base: base.search("a player has priority", ever=True),
        lambda base: base.changes(),
    )
    for step in steps:
        if is_over():
            return
        with suppress(VariorumError), current.lend() as base:
            step(base)


class _OneLineTool(Tool):
    """A tool that reports wrong arguments in one line."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:  # noqa: ANN401 - as in the class above
        """Run the tool."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                refusals = [
                    f"{'.'.join(map(str, refusal['loc']))}: {refusal['msg'].removeprefix('Value error, ')}"
                    for refusal in error.__cause__.errors()
                ]
                raise ToolError("; ".join(refusals)) from error.__cause__
            raise


def _tool(function: Callable[..., object]) -> Tool:
    """Return a read-only tool, without the titles of parameters, which only repeat their names."""
    tool = _OneLineTool.from_function(function, annotations=ToolAnnotations(read_only_hint=True))
    tool.parameters.pop("title", None)
    for parameter in tool.parameters["properties"].values():
        parameter.pop("title", None)
    return tool


def cited_answer(
    question: Annotated[str, Field(description="A question about the rules")],
    day: Annotated[str, Field(description="The day it is about; today if blank")] = "",
) -> str:
    """Answer a question about the rules with checked quotations."""
    return (
        f"Answer this question about the rules as of {day or 'today'}:\n\n{question}\n\n"
        "1. Find the rules with search_rules; read each, with its subrules, with rule_as_of.\n"
        f"2. Quote only words that rule_as_of returned for {day or 'today'}. After each quotation, "
        "give the number, the edition's day and the link.\n"
        "3. If a source cites a number, call `where` to see what it means now; numbers move.\n"
        "4. Run check_citations over your answer, and correct what it reports.\n"
        "5. If the rules do not settle the question, say so."
    )


def _add_resources(server: MCPServer[Any], current: CurrentBase, links: Links) -> None:
    @server.resource("cr://editions", title="All editions", mime_type="application/json")
    def editions() -> str:
        """List all editions: day, last day in force, set."""
        with current.lend() as base:
            rows = [
                {
                    "edition": edition.label,
                    "until": edition.until,
                    "set": edition.set_code,
                    "name": edition.set_name,
                }
                for edition in base.editions
            ]
        return json.dumps(rows, ensure_ascii=False)

    @server.resource("cr://{edition}", title="Contents of an edition", mime_type="text/plain")
    def contents(edition: str) -> str:
        """List the chapters and sections of an edition."""
        with current.lend() as base:
            entry = _asked(lambda: base.edition(unquote(edition)))
            chapters = [
                line for chapter in "123456789" for line in _chapter(base, chapter, entry.label)
            ]
        return "\n".join([f"Edition of {entry.label}: {links.edition(entry.label)}", *chapters])

    @server.resource("cr://{edition}/{number}", title="A rule or term", mime_type="text/plain")
    def provision(edition: str, number: str) -> str:
        """Quote a rule or glossary entry with its subrules, as an edition prints it."""
        with current.lend() as base:
            provisions = _asked(lambda: base.show(unquote(number), unquote(edition)))
            below = [
                subrule for rule in provisions for subrule in base.below(rule.name, rule.edition)
            ]
        first = provisions[0]
        head = f"Edition of {first.edition}: {links.dated(first.edition, first.name)}"
        return "\n".join([head, *[_set(rule) for rule in (*provisions, *below)]])


def _asked(ask: Callable[[], _Answer]) -> _Answer:
    """Return an answer of the library; report an error of the library as a missing resource."""
    try:
        return ask()
    except VariorumError as error:
        raise ResourceNotFoundError(str(error)) from error


def _chapter(base: variorum.Base, number: str, label: str) -> list[str]:
    try:
        chapter = base.subject(number, label)
    except variorum.NotFoundError:
        return []
    sections = [base.subject(section, label) for section in chapter.children]
    return [f"{part.number}. {part.heading}" for part in (chapter, *sections)]


def _set(provision: variorum.Provision) -> str:
    words = "\n".join(filter(None, (provision.heading, provision.text)))
    first = f"{provision.address} {words}" if provision.number else words
    return "\n".join([first, *[f"Example: {example}" for example in provision.examples]])
