"""The MCP server: a tool is a call of the library, its record as JSON, a link, and one limit of size."""

import inspect
import io
import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from itertools import accumulate
from typing import Annotated, Any, NamedTuple, TextIO
from urllib.parse import quote, unquote

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, BeforeValidator, Field, ValidationError

import variorum
from variorum.cli.wording import CONTEXT, marked
from variorum.errors import VariorumError
from variorum.rows import headword_of, named
from variorum.text import dated_permalink

_INSTRUCTIONS = (
    "Every edition of the Magic: The Gathering Comprehensive Rules, side by side. Rule numbers move: "
    "quote a rule only as `rule_as_of` gives it, with its edition and link; for a number from an old "
    "text, call `where`; before you answer, run `check_citations` over your text."
)
_CURRENT, _EVER = "current", "ever"
# Letters of a text, letters of a question, numbers of a question, hits of a search; letters of an answer.
_LONGEST_TEXT, _LONGEST_QUESTION, _MOST_NUMBERS, _MOST_HITS = 65_536, 4_096, 200, 50
_LONGEST = 12_000
# Half of a pair of surrogates, which no text can hold, as JSON escapes it; with what is no such half.
_HALF = re.compile(rb"\\\\|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u[dD][89a-fA-F]\w\w")


class Reply(BaseModel):
    """The answer of every tool."""

    edition: str = Field(description="The effective date of the edition that says this.")
    link: str = Field(description="A permalink: https on a website, else a cr:// resource.")
    answer: Any = Field(description="What the library answers (docs/json.md), without empty parts.")
    corrected: str = Field(default="", description="The text, corrected where that is certain.")
    left_out: int = Field(default=0, description="How many more items full=true gives.")


Opened = Callable[[], variorum.Base]


class Ask(NamedTuple):
    """The base, and whether to answer with everything, uncut."""

    base: variorum.Base
    full: bool


class Told(NamedTuple):
    """What a tool found in an edition; a link leads to the provision of a name, there or `of` another edition.

    Only a full answer has the keys `without`, and lists of any length; others lose their last items where
    they are too long, or their first ones if the answer `keeps_last`.
    """

    form: Any
    edition: str
    name: str = ""
    without: str = ""
    of: str = ""
    keeps_last: bool = False
    corrected: str = ""


def permalink(site: str, label: str, name: str = "") -> str:
    """Return the permalink of an edition, or of a provision in it: on a website, else a resource."""
    if site:
        return site + dated_permalink(label, name)
    return f"cr://{label}" + (f"/{quote(headword_of(name) or name, safe='')}" if name else "")


def _reply(told: Told, site: str, *, full: bool) -> CallToolResult:
    without, context = (set[str](), None) if full else ({*told.without.split()}, CONTEXT)
    answer = _brief(told.form, without, context)
    link = permalink(site, told.of or told.edition, told.name)
    reply = Reply(edition=told.edition, link=link, answer=answer, corrected=told.corrected)
    parts = [answer, *answer.values()] if isinstance(answer, dict) else [answer]
    while not full and _size(answer) > _LONGEST:
        longest = max([it for it in parts if isinstance(it, list)], key=_size, default=[])
        if len(longest) <= 1:
            break  # a single text, which nobody wants cut
        cut = -(-len(longest) // 16)
        del longest[slice(cut) if told.keeps_last else slice(-cut, None)]
        reply.left_out += cut
    sent = reply.model_dump(exclude_defaults=True)
    text = TextContent(type="text", text=json.dumps(sent, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=sent)


def _brief(form: Any, without: set[str], context: int | None) -> Any:  # noqa: ANN401 - JSON
    """Return JSON without empty parts, and with word diffs as text."""
    if isinstance(form, list):
        return [_brief(item, without, context) for item in form]
    if not isinstance(form, dict):
        return form
    brief: dict[str, Any] = {}
    for key, value in form.items():
        told = _brief(value, without, context)
        if key == "words" and isinstance(value, list):
            is_changed = any(sign != "=" for sign, _ in value)
            told = marked([(*piece,) for piece in value], context=context) if is_changed else ""
        if key not in without and (told or isinstance(told, bool | int | float)):
            brief[key] = told
    return brief


def _size(form: object) -> int:
    return len(json.dumps(form, ensure_ascii=False))


def _few_numbers(value: object) -> object:
    if isinstance(value, str) and value.count(" ") + value.count(",") >= _MOST_NUMBERS:
        raise ValueError(f"at most {_MOST_NUMBERS} numbers or words")
    return value


_Text = Annotated[str, BeforeValidator(_few_numbers), Field(max_length=_LONGEST_QUESTION)]
_Long = Annotated[str, Field(max_length=_LONGEST_TEXT)]
_From = Annotated[_Text, Field(validation_alias="from")]
_Limit = Annotated[int, Field(ge=1, le=_MOST_HITS)]
_FULL = inspect.Parameter("full", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=bool)
# What is said of the parameters of all tools, or of one.
_SAID = {
    "full": "Everything, uncut",
    "number": "Number or term: 704.5k, 702.19, trample",
    "rule_as_of number": "Number, range or term: 704.5k, 508.1d-f, trample; at most 200",
    "resolve_quote number": "Number given with it",
    "on": "Day, year, set code, first, latest, current or today",
    "history on": "Edition the number is from; blank: the last that has it",
    "search_rules on": "Day, year, set code or `current`; `ever` searches the wording of every edition",
    "to": "Day, year, set code, first, latest, current or today",
    "written": "Day the number was written; blank: unknown",
    "query": 'Words, "phrases", numbers, symbols',
    "from": "Blank: the edition before `to`",
    "section": "Only this number or term",
    "words": "The quotation, even if inexact",
    "date": "Day given with it",
    "text": "Prose, an answer, source code",
    "as_of": "Day it was written; blank: unknown",
}


def rule_as_of(ask: Ask, number: _Text, on: _Text = _CURRENT, subrules: bool = False) -> Told:
    """Quote rules or glossary entries exactly as they stood on a day. If the edition lacks the number, the answer has the rule that had it in the nearest edition, and `moved` says so."""
    rules = ask.base.show(number, on if on != _CURRENT else None)
    first, without = rules[0], "number term earlier irregularities examples parent asked"
    if subrules:
        rules = _with_subrules(ask.base, rules)
    return Told([rule.as_json() for rule in rules], first.edition, first.name, without)


def where(ask: Ask, number: _Text, written: _Text = "", to: _Text = _CURRENT) -> Told:
    """Find what an old number is today (renumbered, split, merged or gone), with the confidence and other rules that had it."""
    found, stop = ask.base.where(number, to, written or None), ask.base.edition(to).label
    label, name = (stop, found.new[0]) if found.new else (found.edition, found.old or number)
    return Told(found.as_json(), stop, name, of=label)


def history(ask: Ask, number: _Text, on: _Text = "") -> Told:
    """List every number and wording a rule has had, with dates, the steps between them and the confidence in these; full adds texts and word diffs."""
    lineage = ask.base.history(number, on or None, alone=True)
    last, now = lineage.readings[-1], lineage.now
    edition = now.edition if now else ask.base.edition(_CURRENT).label
    without, label = "text words evidence announced witnesses doubts", "" if now else last.from_
    return Told(lineage.as_json(), edition, last.name, without, label, keeps_last=True)


def search_rules(ask: Ask, query: _Text, on: _Text = _CURRENT, limit: _Limit = 5) -> Told:
    """Find rules and glossary entries by words; read the best with rule_as_of before quoting."""
    designator = None if on in {_EVER, _CURRENT} else on
    found = ask.base.search(query, designator, ever=on == _EVER, limit=limit)
    edition = ask.base.edition(designator or _CURRENT).label
    return Told(found.as_json(), edition, without="text score path last query")


def changes(ask: Ask, from_: _From = "", to: _Text = _CURRENT, section: _Text = "") -> Told:
    """List what changed between two editions: new, removed and reworded rules, word by word; full adds what was only renumbered or respelt."""
    diff = ask.base.diff(from_, to, section) if from_ else ask.base.changes(to, section)
    form: Any = diff.as_json()
    if not ask.full:
        form["summary"] = {key: value for key, value in form["summary"].items() if value}
        form["changes"] = [row for row in form["changes"] if row["class"] == "substantive"]
    return Told(form, diff.summary.to_edition)


def resolve_quote(ask: Ask, words: _Long, number: _Text = "", date: _Text = "") -> Told:
    """Find which rule a quotation comes from, when it had these words, and whether a given number and date fit."""
    found = ask.base.resolve(words, number, date or None)
    edition, name = ask.base.edition(_CURRENT).label, ""
    for source in found.sources[:1]:
        edition, name = source.edition, named(source.number, source.heading)
    return Told(found.as_json(), edition, name, "text quotation")


def check_citations(ask: Ask, text: _Long, as_of: _Text = "") -> Told:
    """Judge every rule citation in a text (renumbered, reused for another rule, split, gone, never existed) and correct what is certain; full also lists those still right. Use it on any answer before giving it."""
    audit = ask.base.audit(text, as_of, every=ask.full)
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n" if "\n" in text else "\r"))]
    fixed = text
    for it in reversed(audit.findings):  # they are in the order of the text
        if it.rewrite is not None:
            end = starts[it.end_line - 1] + it.end_column - 1
            fixed = fixed[: starts[it.line - 1] + it.column - 1] + it.rewrite + fixed[end:]
    without = "file end_line end_column meanings pinned sure files fixed"
    fixed = fixed if fixed != text else ""
    return Told(audit.as_json(), audit.summary.to, without=without, corrected=fixed)


_TOOLS = rule_as_of, where, history, search_rules, changes, resolve_quote, check_citations


class _OneLineTool(Tool):
    """A tool that reports wrong arguments, and what the library refuses, in one line."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:  # noqa: ANN401 - as in the class above
        """Run the tool."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            cause, line = error.__cause__, " ".join(str(error.__cause__).split())
            if isinstance(cause, ValidationError):
                refused = [(".".join(map(str, it["loc"])), it["msg"]) for it in cause.errors()]
                line = "; ".join([": ".join(pair) for pair in refused]).replace("Value error, ", "")
            elif not isinstance(cause, VariorumError):
                raise
            raise ToolError(line) from cause


def _tool(function: Callable[..., Told], opened: Opened, site: str) -> Tool:
    """Return a read-only tool, without the titles of parameters, which only repeat their names."""

    @wraps(function)
    def answered(full: bool, **named: Any) -> CallToolResult:  # noqa: ANN401 - what the tool takes
        with opened() as base:
            return _reply(function(Ask(base, full), **named), site, full=full)

    _, *asked = inspect.signature(function).parameters.values()
    answered.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # of the tool
        [*asked, _FULL], return_annotation=Annotated[CallToolResult, Reply]
    )
    tool = _OneLineTool.from_function(answered, annotations=ToolAnnotations(read_only_hint=True))
    tool.parameters.pop("title", None)
    for name, parameter in tool.parameters["properties"].items():
        parameter.pop("title", None)
        if said := _SAID.get(f"{tool.name} {name}") or _SAID.get(name):
            parameter["description"] = said
    return tool


def make_server(opened: Opened, site: str = "") -> MCPServer[Any]:
    """Return a server that opens the base for each question; links lead to the website `site`, or to resources."""
    server: MCPServer[Any] = MCPServer(
        "variorum",
        title="Variorum",
        version=variorum.__version__,
        instructions=_INSTRUCTIONS,
        tools=[_tool(tool, opened, site) for tool in _TOOLS],
        log_level="ERROR",
    )

    @server.resource("cr://editions", title="All editions", mime_type="application/json")
    def editions() -> str:
        """List all editions: day, last day in force, set."""
        keys = ("edition", "until", "set", "name")
        with opened() as base:
            rows = [(it.label, it.until, it.set_code, it.set_name) for it in base.editions]
        return json.dumps([dict(zip(keys, row, strict=True)) for row in rows], ensure_ascii=False)

    @server.resource("cr://{edition}", title="Contents of an edition", mime_type="text/plain")
    def contents(edition: str) -> str:
        """List the chapters and sections of an edition."""
        with _resource(opened) as base:
            label = base.edition(unquote(edition)).label
            parts = [
                it for it in base.export(label).provisions if it.kind in {"chapter", "section"}
            ]
        lines = [f"{it.number}. {it.heading}" for it in parts]
        return "\n".join([f"Edition of {label}: {permalink(site, label)}", *lines])

    @server.resource("cr://{edition}/{number}", title="A rule or term", mime_type="text/plain")
    def provision(edition: str, number: str) -> str:
        """Quote a rule or glossary entry with its subrules, as an edition prints it."""
        with _resource(opened) as base:
            rules = _with_subrules(base, base.show(unquote(number), unquote(edition)))
        label, lines = rules[0].edition, list[str]()
        for rule in rules:
            words = "\n".join(filter(None, (rule.heading, rule.text)))
            lines.append(f"{rule.address} {words}" if rule.number else words)
            lines += [f"Example: {example}" for example in rule.examples]
        return "\n".join([f"Edition of {label}: {permalink(site, label, rules[0].name)}", *lines])

    return server


def _with_subrules(
    base: variorum.Base, rules: list[variorum.Provision]
) -> list[variorum.Provision]:
    once = {it.name: it for it in rules}.values()
    return [it for rule in once for it in (rule, *base.below(rule.name, rule.edition))]


@contextmanager
def _resource(opened: Opened) -> Generator[variorum.Base]:
    """Open the base; what the library does not find is a missing resource."""
    try:
        with opened() as base:
            yield base
    except VariorumError as error:
        raise ResourceNotFoundError(str(error)) from error


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
        return _HALF.sub(
            lambda it: b"\\ufffd" if len(it[0]) == len(b"\\ud800") else it[0],
            self._given.buffer.readline(),
        )
