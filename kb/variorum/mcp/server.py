"""The MCP server: its tools and resources. A tool is a call of the library."""

import io
import json
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from functools import wraps
from itertools import accumulate
from pathlib import Path
from threading import RLock
from typing import Annotated, Any, TextIO
from urllib.parse import unquote

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BeforeValidator, Field, ValidationError

import variorum
from variorum.errors import VariorumError
from variorum.mcp.reply import Reply, permalink, reply
from variorum.paths import FILE, base_folder
from variorum.rows import named

_INSTRUCTIONS = (
    "Every edition of the Magic: The Gathering Comprehensive Rules, side by side. Rule numbers move: "
    "quote a rule only as `rule_as_of` gives it, with its edition and link; for a number from an old "
    "text, call `where`; before you answer, run `check_citations` over your text."
)
_CURRENT, _EVER = "current", "ever"
# Letters of a text, letters of a question, numbers of a question, hits of a search.
_LONGEST_TEXT, _LONGEST_QUESTION, _MOST_NUMBERS, _MOST_HITS = 65_536, 4_096, 200, 50
# Half of a pair of surrogates, which no text can hold, as JSON escapes it; with what is no such half.
_HALF = re.compile(rb"\\\\|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u[dD][89a-fA-F]\w\w")


def _few_numbers(value: object) -> object:
    if isinstance(value, str) and value.count(" ") + value.count(",") >= _MOST_NUMBERS:
        raise ValueError(f"at most {_MOST_NUMBERS} numbers or words")
    return value


def _says(description: str) -> Any:  # noqa: ANN401 - what pydantic makes
    return Field(description=description)


_Text = Annotated[str, BeforeValidator(_few_numbers), Field(max_length=_LONGEST_QUESTION)]
_Long = Annotated[str, Field(max_length=_LONGEST_TEXT)]
_Numbers = Annotated[_Text, _says("Number, range or term: 704.5k, 508.1d-f, trample; at most 200")]
_Number = Annotated[_Text, _says("Number or term: 704.5k, 702.19, trample")]
_Day = Annotated[_Text, _says("Day, year, set code, first, latest, current or today")]
_Written = Annotated[_Text, _says("Day the number was written; blank: unknown")]
_Origin = Annotated[_Text, _says("Edition the number is from; blank: the last that has it")]
_Words = Annotated[_Text, _says('Words, "phrases", numbers, symbols')]
_Searched = Annotated[
    _Text, _says("Day, year, set code or `current`; `ever` searches the wording of every edition")
]
_From = Annotated[
    _Text, Field(validation_alias="from", description="Blank: the edition before `to`")
]
_Full = Annotated[bool, _says("Everything, uncut")]
_Told = Annotated[CallToolResult, Reply]


class CurrentBase:
    """The base of a long-running server, reopened when the day or the file changes."""

    def __init__(self, folder: Path | None, today: Callable[[], date]) -> None:
        """Open the base in a folder; `today` returns the day that "current" means.

        Raises:
            BaseError: There is no base, or it cannot be used.
        """
        self._folder, self._today, self._lock = folder, today, RLock()
        self._state = self._found()
        self._base = variorum.open(folder, today=today())

    def close(self) -> None:
        """Close the base."""
        with self._lock:
            self._base.close()

    @contextmanager
    def lend(self) -> Generator[variorum.Base]:
        """Lend the base for one question; raises BaseError if it was removed or cannot be used."""
        with self._lock:
            if (state := self._found()) != self._state:
                newer = variorum.open(self._folder, today=self._today())
                self._base.close()
                self._base, self._state = newer, state
            yield self._base

    def _found(self) -> tuple[object, ...]:
        with suppress(OSError):  # opening the base reports what is missing
            status = (base_folder(self._folder) / FILE).stat()
            return self._today(), status.st_size, status.st_mtime_ns, status.st_ino
        return (self._today(),)


def _tools(  # noqa: C901, PLR0915 - a function for each tool
    current: CurrentBase, site: str
) -> Sequence[Callable[..., _Told]]:
    """Return the questions that clients can ask; each is a question of the library."""

    def rule_as_of(
        number: _Numbers, on: _Day = _CURRENT, subrules: bool = False, full: _Full = False
    ) -> _Told:
        """Quote rules or glossary entries exactly as they stood on a day. If the edition lacks the number, the answer has the rule that had it in the nearest edition, and `moved` says so."""
        with current.lend() as base:
            rules = base.show(number, on if on != _CURRENT else None)
            if subrules:
                rules = [*_with_subrules(base, rules)]
        link = permalink(site, rules[0].edition, rules[0].name)
        without = ("number", "term", "earlier", "irregularities", "examples", "parent", "asked")
        form = [rule.as_json() for rule in rules]
        return reply(form, rules[0].edition, link, full=full, without=without)

    def where(number: _Number, written: _Written = "", to: _Day = _CURRENT) -> _Told:
        """Find what an old number is today (renumbered, split, merged or gone), with the confidence and other rules that had it."""
        with current.lend() as base:
            found = base.where(number, to, written or None)
            stop = base.edition(to).label
        label, name = (stop, found.new[0]) if found.new else (found.edition, found.old or number)
        return reply(found.as_json(), stop, permalink(site, label, name), full=False)

    def history(number: _Number, on: _Origin = "", full: _Full = False) -> _Told:
        """List every number and wording a rule has had, with dates; full adds texts and word diffs."""
        with current.lend() as base:
            lineage = base.history(number, on or None, alone=True)
            newest = base.edition(_CURRENT).label
        last, now = lineage.readings[-1], lineage.now
        link = permalink(site, now.edition if now else last.from_, last.name)
        without = ("text", "words", "steps", "witnesses", "doubts")
        label, form = now.edition if now else newest, lineage.as_json()
        return reply(form, label, link, full=full, without=without, keeps_last=True)

    def search_rules(
        query: _Words,
        on: _Searched = _CURRENT,
        limit: Annotated[int, Field(ge=1, le=_MOST_HITS)] = 5,
        full: _Full = False,
    ) -> _Told:
        """Find rules and glossary entries by words; read the best with rule_as_of before quoting."""
        designator = None if on in {_EVER, _CURRENT} else on
        with current.lend() as base:
            found = base.search(query, designator, ever=on == _EVER, limit=limit)
            label = base.edition(designator or _CURRENT).label
        without = ("text", "score", "path", "last", "query")
        return reply(found.as_json(), label, permalink(site, label), full=full, without=without)

    def changes(
        from_: _From = "",
        to: _Day = _CURRENT,
        section: Annotated[_Text, _says("Only this number or term")] = "",
        full: _Full = False,
    ) -> _Told:
        """List what changed between two editions: new, removed and reworded rules, word by word; full adds what was only renumbered or respelt."""
        with current.lend() as base:
            diff = base.diff(from_, to, section) if from_ else base.changes(to, section)
        form: Any = diff.as_json()
        if not full:
            form["summary"] = {key: value for key, value in form["summary"].items() if value}
            form["changes"] = [row for row in form["changes"] if row["class"] == "substantive"]
        stop = diff.summary.to_edition
        return reply(form, stop, permalink(site, stop), full=full)

    def resolve_quote(
        words: Annotated[_Long, _says("The quotation, even if inexact")],
        number: Annotated[_Text, _says("Number given with it")] = "",
        date: Annotated[_Text, _says("Day given with it")] = "",
        full: _Full = False,
    ) -> _Told:
        """Find which rule a quotation comes from, when it had these words, and whether a given number and date fit."""
        with current.lend() as base:
            found = base.resolve(words, number, date or None)
            label, name = base.edition(_CURRENT).label, ""
        if found.sources:
            source = found.sources[0]
            label, name = source.edition, named(source.number, source.heading)
        link = permalink(site, label, name)
        return reply(found.as_json(), label, link, full=full, without=("text", "quotation"))

    def check_citations(
        text: Annotated[_Long, _says("Prose, an answer, source code")],
        as_of: Annotated[_Text, _says("Day it was written; blank: unknown")] = "",
        full: _Full = False,
    ) -> _Told:
        """Judge every rule citation in a text (renumbered, reused for another rule, split, gone, never existed) and correct what is certain; full also lists those still right. Use it on any answer before giving it."""
        with current.lend() as base:
            audit = base.audit(text, as_of, every=full)
        label, fixed = audit.summary.to, _corrected(text, audit.findings)
        without = ("file", "end_line", "end_column", "meanings", "pinned", "sure", "files", "fixed")
        told = fixed if fixed != text else ""
        link, form = permalink(site, label), audit.as_json()
        return reply(form, label, link, full=full, without=without, corrected=told)

    return rule_as_of, where, history, search_rules, changes, resolve_quote, check_citations


def _with_subrules(
    base: variorum.Base, rules: Iterable[variorum.Provision]
) -> Iterable[variorum.Provision]:
    for rule in rules:
        yield from (rule, *base.below(rule.name, rule.edition))


def _corrected(text: str, findings: Sequence[variorum.Finding]) -> str:
    """Return a text with all certain corrections made; the findings are in its order."""
    lines = text.split("\n" if "\n" in text else "\r")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for finding in reversed(findings):
        if finding.rewrite is not None:
            start = starts[finding.line - 1] + finding.column - 1
            end = starts[finding.end_line - 1] + finding.end_column - 1
            text = text[:start] + finding.rewrite + text[end:]
    return text


class _OneLineTool(Tool):
    """A tool that reports wrong arguments in one line."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:  # noqa: ANN401 - as in the class above
        """Run the tool."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            refusals = [
                f"{'.'.join(map(str, refused['loc']))}: {refused['msg'].removeprefix('Value error, ')}"
                for refused in error.__cause__.errors()
            ]
            raise ToolError("; ".join(refusals)) from error.__cause__


def _tool(function: Callable[..., _Told]) -> Tool:
    """Return a read-only tool, without the titles of parameters, which only repeat their names."""

    @wraps(function)
    def answered(*args: Any, **named: Any) -> _Told:  # noqa: ANN401 - whatever the tool takes
        try:
            return function(*args, **named)
        except VariorumError as error:
            line = " ".join(str(error).split())
            return CallToolResult(content=[TextContent(type="text", text=line)], is_error=True)

    tool = _OneLineTool.from_function(answered, annotations=ToolAnnotations(read_only_hint=True))
    tool.parameters.pop("title", None)
    for parameter in tool.parameters["properties"].values():
        parameter.pop("title", None)
    return tool


def make_server(current: CurrentBase, site: str = "") -> MCPServer[Any]:
    """Return the server that answers from a base; `site` is the website that links lead to, or ""."""
    server: MCPServer[Any] = MCPServer(
        "variorum",
        title="Variorum",
        version=variorum.__version__,
        instructions=_INSTRUCTIONS,
        tools=[_tool(tool) for tool in _tools(current, site)],
        log_level="ERROR",
    )

    @server.resource("cr://editions", title="All editions", mime_type="application/json")
    def editions() -> str:
        """List all editions: day, last day in force, set."""
        with current.lend() as base:
            rows = [
                (each.label, each.until, each.set_code, each.set_name) for each in base.editions
            ]
        keys = ("edition", "until", "set", "name")
        told = [dict(zip(keys, row, strict=True)) for row in rows]
        return json.dumps(told, ensure_ascii=False)

    @server.resource("cr://{edition}", title="Contents of an edition", mime_type="text/plain")
    def contents(edition: str) -> str:
        """List the chapters and sections of an edition."""
        with _resource(current) as base:
            label = base.edition(unquote(edition)).label
            lines: list[str] = []
            for number in "123456789":
                with suppress(variorum.NotFoundError):
                    chapter = base.subject(number, label)
                    sections = [base.subject(section, label) for section in chapter.children]
                    lines += [f"{part.number}. {part.heading}" for part in (chapter, *sections)]
        return "\n".join([f"Edition of {label}: {permalink(site, label)}", *lines])

    @server.resource("cr://{edition}/{number}", title="A rule or term", mime_type="text/plain")
    def provision(edition: str, number: str) -> str:
        """Quote a rule or glossary entry with its subrules, as an edition prints it."""
        with _resource(current) as base:
            asked = base.show(unquote(number), unquote(edition))
            below = [each for rule in asked for each in base.below(rule.name, rule.edition)]
        label, name = asked[0].edition, asked[0].name
        head = f"Edition of {label}: {permalink(site, label, name)}"
        return "\n".join([head, *map(_printed, (*asked, *below))])

    return server


@contextmanager
def _resource(current: CurrentBase) -> Generator[variorum.Base]:
    """Lend the base; what the library does not find is a missing resource."""
    try:
        with current.lend() as base:
            yield base
    except VariorumError as error:
        raise ResourceNotFoundError(str(error)) from error


def _printed(provision: variorum.Provision) -> str:
    words = "\n".join(filter(None, (provision.heading, provision.text)))
    first = f"{provision.address} {words}" if provision.number else words
    return "\n".join([first, *[f"Example: {example}" for example in provision.examples]])


class WholeLines(io.BufferedIOBase):
    """Standard input without halves of surrogate pairs, which would leave a request unanswered."""

    def __init__(self, given: TextIO) -> None:
        self._given = given

    def readable(self) -> bool:
        """Return true."""
        return True

    def read1(self, size: int = -1) -> bytes:
        """Return a line, however long."""
        del size
        return _HALF.sub(_without_half, self._given.buffer.readline())


def _without_half(found: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if len(found[0]) == len(b"\\ud800") else found[0]
