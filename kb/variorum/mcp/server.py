"""The MCP server: its tools, its resources and its prompt."""

import io
import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from typing import Annotated, Any, TextIO, TypeVar
from urllib.parse import unquote

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import BeforeValidator, Field, ValidationError

import variorum
from variorum.errors import VariorumError
from variorum.mcp.current_base import CurrentBase
from variorum.mcp.links import Links
from variorum.mcp.reply import Reply, refusal, reply
from variorum.rows import named

_Answer = TypeVar("_Answer")

_INSTRUCTIONS = (
    "Every edition of the Magic: The Gathering Comprehensive Rules, side by side. Rule numbers move: "
    "quote a rule only as `rule_as_of` gives it, with its edition and link; for a number from an old "
    "text, call `where`; before you answer, run `check_citations` over your text."
)
CURRENT, EVER = "current", "ever"
# Letters of a text, letters of a question, numbers of a question, hits of a search.
_LONGEST_TEXT, _LONGEST_QUESTION, _MOST_NUMBERS, _MOST_HITS = 65_536, 4_096, 200, 50
# Half of a pair of surrogates, which no text can hold, as JSON escapes it; with what is no such half.
_HALF = re.compile(rb"\\\\|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u[dD][89a-fA-F]\w\w")


def _few_numbers(value: object) -> object:
    if isinstance(value, str) and value.count(" ") + value.count(",") >= _MOST_NUMBERS:
        raise ValueError(f"at most {_MOST_NUMBERS} numbers or words")
    return value


_Text = Annotated[str, BeforeValidator(_few_numbers), Field(max_length=_LONGEST_QUESTION)]
_Long = Annotated[str, Field(max_length=_LONGEST_TEXT)]
Question = Annotated[
    _Text, Field(description="Number, range or term: 704.5k, 508.1d-f, trample; at most 200")
]
Number = Annotated[_Text, Field(description="Number or term: 704.5k, 702.19, trample")]
Day = Annotated[_Text, Field(description="Day, year, set code, first, latest, current or today")]
Full = Annotated[bool, Field(description="Everything, uncut")]
Told = Annotated[CallToolResult, Reply]


def _tools(  # noqa: C901, PLR0915 - a function for each tool
    current: CurrentBase, links: Links
) -> Sequence[Callable[..., Told]]:
    """Return the questions that clients can ask; each is a question of the library."""

    def rule_as_of(
        number: Question, on: Day = CURRENT, subrules: bool = False, full: Full = False
    ) -> Told:
        """Quote rules or glossary entries exactly as they stood on a day. If the edition lacks the number, the answer has the rule that had it in the nearest edition, and `moved` says so."""
        with current.lend() as base:
            rules = base.show(number, on if on != CURRENT else None)
            if subrules:
                below = [base.below(rule.name, rule.edition) for rule in rules]
                rules = [
                    each for pair in zip(rules, below, strict=True) for each in (pair[0], *pair[1])
                ]
        label = rules[0].edition
        link = links.dated(label, rules[0].name)
        without = ("number", "term", "earlier", "irregularities", "examples", "parent", "asked")
        return reply([r.as_json() for r in rules], label, link, full=full, without=without)

    def where(
        number: Number,
        written: Annotated[
            _Text, Field(description="Day the number was written; blank: unknown")
        ] = "",
        to: Day = CURRENT,
    ) -> Told:
        """Find what an old number is today (renumbered, split, merged or gone), with the confidence and other rules that had it."""
        with current.lend() as base:
            found = base.where(number, to, written or None)
            stop = base.edition(to).label
        label, name = (stop, found.new[0]) if found.new else (found.edition, found.old or number)
        return reply(found.as_json(), stop, links.dated(label, name), full=False)

    def history(
        number: Number,
        on: Annotated[
            Day, Field(description="Edition the number is from; blank: the last that has it")
        ] = "",
        full: Full = False,
    ) -> Told:
        """List every number and wording a rule has had, with dates; full adds texts and word diffs."""
        with current.lend() as base:
            lineage = base.history(number, on or None, alone=True)
            label = lineage.now.edition if lineage.now else base.edition(CURRENT).label
        last = lineage.readings[-1]
        link = links.life(last.name, lineage.now.edition if lineage.now else last.from_)
        without = ("text", "words", "steps", "witnesses", "doubts")
        form = lineage.as_json()
        return reply(form, label, link, full=full, without=without, keeps_last=True)

    def search_rules(
        query: Annotated[_Text, Field(description='Words, "phrases", numbers, symbols')],
        on: Annotated[
            Day,
            Field(
                description="Day, year, set code or `current`; `ever` searches the wording of every edition"
            ),
        ] = CURRENT,
        limit: Annotated[int, Field(ge=1, le=_MOST_HITS)] = 5,
        full: Full = False,
    ) -> Told:
        """Find rules and glossary entries by words; read the best with rule_as_of before quoting."""
        designator = None if on in {EVER, CURRENT} else on
        with current.lend() as base:
            found = base.search(query, designator, ever=on == EVER, limit=limit)
            label = base.edition(designator or CURRENT).label
        without = ("text", "score", "path", "last", "query")
        link = links.search(query, label)
        return reply(found.as_json(), label, link, full=full, without=without)

    def changes(
        from_: Annotated[
            _Text, Field(validation_alias="from", description="Blank: the edition before `to`")
        ] = "",
        to: Day = CURRENT,
        section: Annotated[_Text, Field(description="Only this number or term")] = "",
        full: Full = False,
    ) -> Told:
        """List what changed between two editions: new, removed and reworded rules, word by word; full adds what was only renumbered or respelt."""
        with current.lend() as base:
            diff = base.diff(from_, to, section) if from_ else base.changes(to, section)
        start, stop = diff.summary.from_edition, diff.summary.to_edition
        form: Any = diff.as_json()
        if not full:
            form["summary"] = {key: value for key, value in form["summary"].items() if value}
            listed = [change for change in form["changes"] if change["class"] == "substantive"]
            form["changes"] = listed
        return reply(form, stop, links.between(start, stop), full=full)

    def resolve_quote(
        words: Annotated[_Long, Field(description="The quotation, even if inexact")],
        number: Annotated[_Text, Field(description="Number given with it")] = "",
        date: Annotated[_Text, Field(description="Day given with it")] = "",
        full: Full = False,
    ) -> Told:
        """Find which rule a quotation comes from, when it had these words, and whether a given number and date fit."""
        with current.lend() as base:
            found = base.resolve(words, number, date or None)
            label = base.edition(CURRENT).label
        link = links.edition(label)
        if found.sources:
            source = found.sources[0]
            label, name = source.edition, named(source.number, source.heading)
            link = links.dated(label, name)
        return reply(found.as_json(), label, link, full=full, without=("text", "quotation"))

    def check_citations(
        text: Annotated[_Long, Field(description="Prose, an answer, source code")],
        as_of: Annotated[_Text, Field(description="Day it was written; blank: unknown")] = "",
        full: Full = False,
    ) -> Told:
        """Judge every rule citation in a text (renumbered, reused for another rule, split, gone, never existed) and correct what is certain; full also lists those still right. Use it on any answer before giving it."""
        with current.lend() as base:
            audit = base.audit(text, as_of, every=full)
        label, fixed = audit.summary.to, _corrected(text, audit.findings)
        without = ("file", "end_line", "end_column", "meanings", "pinned", "sure", "files", "fixed")
        told = fixed if fixed != text else ""
        link = links.edition(label)
        form = audit.as_json()
        return reply(form, label, link, full=full, without=without, corrected=told)

    return rule_as_of, where, history, search_rules, changes, resolve_quote, check_citations


def _corrected(text: str, findings: Sequence[variorum.Finding]) -> str:
    """Return a text with all certain corrections made; the findings are in its order."""
    sign = "\n" if "\n" in text else "\r"
    starts = [0]
    for line in text.split(sign):
        starts.append(starts[-1] + len(line) + 1)
    parts: list[str] = []
    copied = 0
    for finding in findings:
        if finding.rewrite is not None:
            start = starts[finding.line - 1] + finding.column - 1
            parts += [text[copied:start], finding.rewrite]
            copied = starts[finding.end_line - 1] + finding.end_column - 1
    return "".join([*parts, text[copied:]])


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
                    f"{'.'.join(map(str, refused['loc']))}: {refused['msg'].removeprefix('Value error, ')}"
                    for refused in error.__cause__.errors()
                ]
                raise ToolError("; ".join(refusals)) from error.__cause__
            raise


def _tool(function: Callable[..., Told]) -> Tool:
    """Return a read-only tool, without the titles of parameters, which only repeat their names."""

    @wraps(function)
    def answered(*args: Any, **named: Any) -> Told:  # noqa: ANN401 - whatever the tool takes
        try:
            return function(*args, **named)
        except VariorumError as error:
            return refusal(error)

    tool = _OneLineTool.from_function(answered, annotations=ToolAnnotations(read_only_hint=True))
    tool.parameters.pop("title", None)
    for parameter in tool.parameters["properties"].values():
        parameter.pop("title", None)
    return tool


def make_server(current: CurrentBase, site: str = "") -> MCPServer[Any]:
    """Return the server that answers from a base; `site` is the website that links lead to, or ""."""
    links = Links(site)
    server: MCPServer[Any] = MCPServer(
        "variorum",
        title="Variorum",
        version=variorum.__version__,
        instructions=_INSTRUCTIONS,
        tools=[_tool(tool) for tool in _tools(current, links)],
        log_level="ERROR",
    )
    _add_resources(server, current, links)
    server.prompt(title="Answer with citations")(cited_answer)
    return server


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
            label = _asked(lambda: base.edition(unquote(edition))).label
            lines: list[str] = []
            for number in "123456789":
                with suppress(variorum.NotFoundError):
                    chapter = base.subject(number, label)
                    sections = [base.subject(section, label) for section in chapter.children]
                    lines += [f"{part.number}. {part.heading}" for part in (chapter, *sections)]
        return "\n".join([f"Edition of {label}: {links.edition(label)}", *lines])

    @server.resource("cr://{edition}/{number}", title="A rule or term", mime_type="text/plain")
    def provision(edition: str, number: str) -> str:
        """Quote a rule or glossary entry with its subrules, as an edition prints it."""
        with current.lend() as base:
            rules = _asked(lambda: base.show(unquote(number), unquote(edition)))
            below = [each for rule in rules for each in base.below(rule.name, rule.edition)]
        first = rules[0]
        head = f"Edition of {first.edition}: {links.dated(first.edition, first.name)}"
        return "\n".join([head, *[_set(rule) for rule in (*rules, *below)]])


def _asked(ask: Callable[[], _Answer]) -> _Answer:
    """Return an answer of the library; report an error of the library as a missing resource."""
    try:
        return ask()
    except VariorumError as error:
        raise ResourceNotFoundError(str(error)) from error


def _set(provision: variorum.Provision) -> str:
    words = "\n".join(filter(None, (provision.heading, provision.text)))
    first = f"{provision.address} {words}" if provision.number else words
    return "\n".join([first, *[f"Example: {example}" for example in provision.examples]])


class WholeLines(io.RawIOBase):
    """Standard input without halves of surrogate pairs, which would leave a request unanswered."""

    def __init__(self, given: TextIO) -> None:
        self._given, self._rest = given, b""

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - a writable buffer
        """Read a line, or a part of one."""
        line = self._rest or _HALF.sub(
            lambda found: b"\\ufffd" if len(found[0]) == len(b"\\ud800") else found[0],
            self._given.buffer.readline(),
        )
        part, self._rest = line[: len(buffer)], line[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)
