"""The tools of the server. Each asks the library one question; without `full`, it answers briefly."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Annotated, ParamSpec, TypeVar, cast

from mcp.types import CallToolResult, TextContent
from pydantic import BeforeValidator, Field

import variorum
from variorum.errors import VariorumError
from variorum.mcp.answer_limits import (
    CHANGES,
    CITATIONS,
    HITS,
    MOST_HITS,
    OTHERS,
    READINGS,
    RULES,
    SOURCES,
)
from variorum.mcp.answer_parts import AnswerParts, bearers
from variorum.mcp.answers import Changes, Citations, Found, History, Quote, Rules, Where
from variorum.mcp.corrections import corrected
from variorum.mcp.current_base import CurrentBase
from variorum.mcp.links import Links

CURRENT = "current"
EVER = "ever"


def _as_text(value: object) -> object:
    """Convert a rule number that a client sent as a JSON number to text.

    Raises:
        ValueError: The number may have lost a zero: 702.10 arrives as 702.1.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    text = str(value)
    if isinstance(value, float) and len(text.partition(".")[2]) == 1:
        raise ValueError(
            f'send it as a string, "{text}": as a JSON number it may have been {text}0'
        )
    return text


_Text = Annotated[str, BeforeValidator(_as_text)]
Question = Annotated[_Text, Field(description="Number, range or term: 704.5k, 508.1d-f, trample")]
Number = Annotated[_Text, Field(description="Number or term: 704.5k, 702.19, trample")]
Day = Annotated[_Text, Field(description="Day, year, set code, first, latest, current or today")]
Full = Annotated[bool, Field(description="Everything, uncut")]

_Parameters = ParamSpec("_Parameters")
_Answer = TypeVar("_Answer")


def _in_one_line(tool: Callable[_Parameters, _Answer]) -> Callable[_Parameters, _Answer]:
    """Return a tool that reports the library's errors as one-line tool errors."""

    @wraps(tool)
    def answered(*args: _Parameters.args, **named: _Parameters.kwargs) -> _Answer:
        try:
            return tool(*args, **named)
        except VariorumError as error:
            line = " ".join(str(error).split())
            refused = CallToolResult(content=[TextContent(type="text", text=line)], is_error=True)
            return cast("_Answer", refused)  # the server passes it on as it is

    return answered


class Tools:
    """The questions that clients can ask."""

    def __init__(self, current: CurrentBase, links: Links) -> None:
        self._current, self._links = current, links
        self._parts = AnswerParts(links)

    # Rules -----------------------------------------------------------------------------------------

    @_in_one_line
    def rule_as_of(
        self, number: Question, on: Day = CURRENT, subrules: bool = False, full: Full = False
    ) -> Rules:
        """Quote rules or glossary entries exactly as they stood on a day. If the edition lacks the number, the answer has the rule that had it in the nearest edition, and `moved` says so."""
        with self._current.lend() as base:
            provisions = base.show(number, on if on != CURRENT else None)
            if subrules:
                provisions = [
                    each
                    for provision in provisions
                    for each in (provision, *_below(base, provision.name, provision.edition))
                ]
            edition = base.edition(provisions[0].edition)
        shown = provisions if full else provisions[:RULES]
        return Rules(
            edition=edition.label,
            in_force=f"{edition.effective} to {edition.until or 'now'}",
            link=self._links.dated(edition.label, provisions[0].name),
            rules=[self._parts.rule(provision, is_full=full) for provision in shown],
            left_out=len(provisions) - len(shown) or None,
        )

    @_in_one_line
    def where(
        self,
        number: Number,
        written: Annotated[
            _Text, Field(description="Day the number was written; blank: unknown")
        ] = "",
        to: Day = CURRENT,
    ) -> Where:
        """Find what an old number is today (renumbered, split, merged or gone), with the confidence and other rules that had it."""
        with self._current.lend() as base:
            destination = base.where(number, to, written or None)
            start, stop = base.subject(number, written or None).edition, base.edition(to).label
        old = destination.old or number
        return Where(
            written=f"{old} of {start}",
            edition=stop,
            link=self._links.dated(stop, destination.new[0])
            if destination.new
            else self._links.dated(start, old),
            now=self._parts.heirs(destination.new, stop),
            kinds=destination.kinds,
            confidence=destination.confidence,
            reasons=[f"{step.edition}: {step.reason}" for step in destination.read],
            others=bearers(destination.others),
        )

    @_in_one_line
    def history(
        self,
        number: Number,
        on: Annotated[
            Day, Field(description="Edition the number is from; blank: the last that has it")
        ] = "",
        full: Full = False,
    ) -> History:
        """List every number and wording a rule has had, with dates; full adds texts and word diffs."""
        with self._current.lend() as base:
            rule_history = base.history(number, on or None, alone=True)
            current = base.edition(CURRENT).label
        shown = rule_history.readings if full else rule_history.readings[-READINGS:]
        last = rule_history.readings[-1]
        return History(
            name=rule_history.now.name if rule_history.now else last.name,
            edition=rule_history.now.edition if rule_history.now else last.to or current,
            link=self._links.life(
                last.name, rule_history.now.edition if rule_history.now else last.from_
            ),
            readings=[self._parts.reading(reading, is_full=full) for reading in shown],
            others=bearers(rule_history.others if full else rule_history.others[:OTHERS]),
        )

    # Words -----------------------------------------------------------------------------------------

    @_in_one_line
    def search_rules(
        self,
        query: Annotated[_Text, Field(description='Words, "phrases", numbers, symbols')],
        on: Annotated[
            Day,
            Field(
                description="Day, year, set code or `current`; `ever` searches the wording of every edition"
            ),
        ] = CURRENT,
        limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = HITS,
        full: Full = False,
    ) -> Found:
        """Find rules and glossary entries by words; read the best with rule_as_of before quoting."""
        is_ever = on == EVER
        with self._current.lend() as base:
            designator = None if on in {EVER, CURRENT} else on
            result = base.search(query, designator, ever=is_ever, limit=limit)
            label = base.edition(designator or CURRENT).label
        return Found(
            edition=label,
            link=self._links.search(query, label),
            hits=[self._parts.hit(hit, is_full=full) for hit in result.hits],
            total=result.total,
            missing=result.missing,
            suggestions=result.suggestions,
            also_searched=[f"{words.from_}: {words.to}" for words in result.expanded],
        )

    @_in_one_line
    def resolve_quote(
        self,
        words: Annotated[str, Field(description="The quotation, even if inexact")],
        number: Annotated[_Text, Field(description="Number given with it")] = "",
        date: Annotated[_Text, Field(description="Day given with it")] = "",
        full: Full = False,
    ) -> Quote:
        """Find which rule a quotation comes from, when it had these words, and whether a given number and date fit."""
        with self._current.lend() as base:
            resolution = base.resolve(words, number, date or None)
            label = base.edition(CURRENT).label
        sources = [
            self._parts.source(source, is_full=full)
            for source in resolution.sources[: None if full else SOURCES]
        ]
        return Quote(
            status=resolution.status,
            edition=sources[0].edition if sources else label,
            link=sources[0].link if sources else self._links.edition(label),
            number_fits=resolution.number_fits,
            date_fits=resolution.edition_fits,
            sources=sources,
            total=resolution.total,
        )

    # Editions --------------------------------------------------------------------------------------

    @_in_one_line
    def changes(
        self,
        from_: Annotated[
            _Text, Field(validation_alias="from", description="Blank: the edition before `to`")
        ] = "",
        to: Day = CURRENT,
        section: Annotated[_Text, Field(description="Only this number or term")] = "",
        full: Full = False,
    ) -> Changes:
        """List what changed between two editions: new, removed and reworded rules, word by word."""
        with self._current.lend() as base:
            diff = _diff(base, from_, to, section)
        summary = diff.summary
        listed = [change for change in diff.changes if full or change.class_ == "substantive"]
        shown = listed if full else listed[:CHANGES]
        counts = {
            key: value
            for key, value in summary.as_json().items()
            if isinstance(value, int) and value and not key.startswith("words")
        }
        return Changes(
            before=summary.from_edition,
            edition=summary.to_edition,
            link=self._links.between(summary.from_edition, summary.to_edition),
            counts=counts,
            replaced_throughout=[f"{sweep.before}: {sweep.after}" for sweep in summary.sweeps],
            changes=[self._parts.change(change, summary, is_full=full) for change in shown],
            left_out=len(listed) - len(shown) or None,
        )

    # Citations -------------------------------------------------------------------------------------

    @_in_one_line
    def check_citations(
        self,
        text: Annotated[str, Field(description="Prose, an answer, source code")],
        as_of: Annotated[_Text, Field(description="Day it was written; blank: unknown")] = "",
        full: Full = False,
    ) -> Citations:
        """Judge every rule citation in a text (renumbered, reused for another rule, split, gone, never existed) and correct what is certain; full also lists those still right. Use it on any answer before giving it."""
        with self._current.lend() as base:
            report = base.audit(text, as_of, every=True)
        label = report.summary.to
        listed = [finding for finding in report.findings if full or finding.status != "current"]
        fixed = corrected(text, report.findings)
        return Citations(
            edition=label,
            link=self._links.edition(label),
            counts={"citations": report.summary.citations, **report.summary.statuses},
            citations=[
                self._parts.citation(finding, label)
                for finding in listed[: None if full else CITATIONS]
            ],
            corrected=fixed if fixed != text else "",
        )


# A short answer is often followed by a request for the full one.
@lru_cache(maxsize=16)
def _diff(base: variorum.Base, start: str, stop: str, section: str) -> variorum.Diff:
    return base.diff(start, stop, section) if start else base.changes(stop, section)


@lru_cache(maxsize=64)
def _below(base: variorum.Base, name: str, label: str) -> list[variorum.Provision]:
    return base.below(name, label)
