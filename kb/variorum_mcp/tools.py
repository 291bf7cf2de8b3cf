"""The tools of the server: a question each to the library, answered in short unless asked in full."""

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Annotated, ParamSpec, TypeVar, cast

from mcp.types import CallToolResult, TextContent
from pydantic import BeforeValidator, Field

import variorum
from variorum_kb.answers.heirs import DOUBTFUL, NEVER, SAYS_ELSE
from variorum_kb.cli.pages.diff import marked
from variorum_kb.errors import VariorumError
from variorum_kb.rows import named
from variorum_mcp.answers import (
    Bearer,
    Change,
    Changes,
    Citation,
    Citations,
    Found,
    Heir,
    History,
    Hit,
    Quote,
    Reading,
    Rule,
    Rules,
    Source,
    Where,
)
from variorum_mcp.corrections import corrected
from variorum_mcp.current_base import CurrentBase
from variorum_mcp.links import Links

# So much stands in an answer that was not asked for in full.
_RULES, _READINGS, _CHANGES, _CITATIONS, _OTHERS = 20, 12, 25, 50, 6
_LETTERS = 400
# Of these verdicts nobody can say for certain what should stand there.
_OPEN = {DOUBTFUL, NEVER, SAYS_ELSE}
CURRENT = "current"
EVER = "ever"


def _as_text(value: object) -> object:
    """Return what a client sent as a figure as the text that was meant, where nothing was lost.

    Raises:
        ValueError: It may have been longer: 702.10 comes as 702.1.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    text = str(value)
    if isinstance(value, float) and len(text.partition(".")[2]) == 1:
        raise ValueError(f'send it as text, "{text}": as a figure it may have been {text}0')
    return text


_Text = Annotated[str, BeforeValidator(_as_text)]
Question = Annotated[_Text, Field(description="Number, range or term: 704.5k, 508.1d-f, trample")]
Number = Annotated[_Text, Field(description="Number or term: 704.5k, 702.19, trample")]
Day = Annotated[_Text, Field(description="Day, year, set code, first, latest or current")]
Full = Annotated[bool, Field(description="Everything, uncut")]

_Parameters = ParamSpec("_Parameters")
_Answer = TypeVar("_Answer")


def _in_one_line(tool: Callable[_Parameters, _Answer]) -> Callable[_Parameters, _Answer]:
    """Make a tool say what the library refuses as a tool error of one line."""

    @wraps(tool)
    def answered(*args: _Parameters.args, **named: _Parameters.kwargs) -> _Answer:
        try:
            return tool(*args, **named)
        except VariorumError as error:
            said = " ".join(str(error).split())
            refused = CallToolResult(content=[TextContent(type="text", text=said)], is_error=True)
            return cast("_Answer", refused)  # the server passes it on as it is

    return answered


class Tools:
    """What clients may ask."""

    def __init__(self, current: CurrentBase, links: Links) -> None:
        self._current, self._links = current, links

    # Rules -----------------------------------------------------------------------------------------

    @_in_one_line
    def rule_as_of(
        self, number: Question, on: Day = CURRENT, subrules: bool = False, full: Full = False
    ) -> Rules:
        """Quote rules or glossary entries exactly as they stood on a day. A number the edition lacks is followed to its heir, and `moved` says so."""
        with self._current.lend() as base:
            found = base.show(number, on if on != CURRENT else None)
            if subrules:
                found = [
                    each for one in found for each in (one, *_below(base, one.name, one.edition))
                ]
            edition = base.edition(found[0].edition)
        shown = found if full else found[:_RULES]
        return Rules(
            edition=edition.label,
            in_force=f"{edition.effective} to {edition.until or 'now'}",
            link=self._links.dated(edition.label, found[0].name),
            rules=[self._rule(one, is_full=full) for one in shown],
            left_out=len(found) - len(shown) or None,
        )

    def _rule(self, one: variorum.Provision, *, is_full: bool) -> Rule:
        moved = one.moved
        how = f"{moved.asked} of {moved.edition} is {one.name} since {moved.since}" if moved else ""
        return Rule(
            name=one.name,
            edition=one.edition,
            link=self._links.dated(one.edition, one.name),
            heading=one.heading,
            text=one.text,
            examples=one.examples if is_full else [],
            example_count=len(one.examples) or None,
            moved=how,
            doubts=one.doubts,
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
        """Say what an old number is today: renumbered, split, merged or gone, how surely, and who else bore it."""
        with self._current.lend() as base:
            found = base.where(number, to, written or None)
            start, stop = base.subject(number, written or None).edition, base.edition(to).label
        old = found.old or number
        return Where(
            written=f"{old} of {start}",
            edition=stop,
            link=self._links.dated(stop, found.new[0])
            if found.new
            else self._links.dated(start, old),
            now=self._heirs(found.new, stop),
            kinds=found.kinds,
            confidence=found.confidence,
            reasons=[f"{one.edition}: {one.reason}" for one in found.read],
            others=_bearers(found.others),
        )

    def _heirs(self, names: Sequence[str], label: str) -> list[Heir]:
        return [Heir(name=one, link=self._links.dated(label, one)) for one in names]

    @_in_one_line
    def history(
        self,
        number: Number,
        on: Annotated[
            Day, Field(description="Whose number it is; blank: the newest bearer's")
        ] = "",
        full: Full = False,
    ) -> History:
        """List every number and wording a rule has had, with dates; full adds texts and word diffs."""
        with self._current.lend() as base:
            found = base.history(number, on or None, alone=True)
            current = base.edition(CURRENT).label
        shown = found.readings if full else found.readings[-_READINGS:]
        last = found.readings[-1]
        return History(
            name=found.now.name if found.now else last.name,
            edition=found.now.edition if found.now else last.to or current,
            link=self._links.life(last.name, found.now.edition if found.now else last.from_),
            readings=[self._reading(one, is_full=full) for one in shown],
            others=_bearers(found.others if full else found.others[:_OTHERS]),
        )

    def _reading(self, one: variorum.Reading, *, is_full: bool) -> Reading:
        return Reading(
            name=one.name,
            first=one.from_,
            last=one.to or "",
            change=one.class_,
            link=self._links.dated(one.from_, one.name),
            text="\n".join(filter(None, (one.heading, one.text))) if is_full else "",
            words=_marked(one.words) if is_full else "",
        )

    # Words -----------------------------------------------------------------------------------------

    @_in_one_line
    def search_rules(
        self,
        query: Annotated[_Text, Field(description='Words, "phrases", numbers, symbols')],
        on: Annotated[Day, Field(description="Day, set code …; ever: all wordings")] = CURRENT,
        limit: Annotated[int, Field(ge=1, le=50)] = 5,
        full: Full = False,
    ) -> Found:
        """Find rules and glossary entries by words; read the best with rule_as_of before quoting."""
        is_ever = on == EVER
        with self._current.lend() as base:
            at = None if on in {EVER, CURRENT} else on
            found = base.search(query, at, ever=is_ever, limit=limit)
            label = base.edition(at or CURRENT).label
        return Found(
            edition=label,
            link=self._links.search(query, label),
            hits=[self._hit(one, is_full=full) for one in found.hits],
            total=found.total,
            missing=found.missing,
            suggestions=found.suggestions,
            also_searched=[f"{one.from_}: {one.to}" for one in found.expanded],
        )

    def _hit(self, one: variorum.Hit, *, is_full: bool) -> Hit:
        name = named(one.number, one.heading)
        return Hit(
            name=name,
            edition=one.edition,
            link=self._links.dated(one.edition, name),
            heading=one.heading,
            text=one.text if is_full else one.snippet,
            now=one.now or "",
        )

    @_in_one_line
    def resolve_quote(
        self,
        words: Annotated[str, Field(description="The quoted words, even altered")],
        number: Annotated[_Text, Field(description="The number they are said to have")] = "",
        date: Annotated[_Text, Field(description="The day they are said to be of")] = "",
        full: Full = False,
    ) -> Quote:
        """Find the rule that words are quoted from, when they stood there, and if number and date fit."""
        with self._current.lend() as base:
            found = base.resolve(words, number, date or None)
            label = base.edition(CURRENT).label
        sources = [self._source(one, is_full=full) for one in found.sources[: None if full else 3]]
        return Quote(
            status=found.status,
            edition=sources[0].edition if sources else label,
            link=sources[0].link if sources else self._links.edition(label),
            number_fits=found.number_fits,
            date_fits=found.edition_fits,
            sources=sources,
            total=found.total,
        )

    def _source(self, one: variorum.Source, *, is_full: bool) -> Source:
        name = named(one.number, one.heading)
        return Source(
            name=name,
            edition=one.edition,
            link=self._links.dated(one.edition, name),
            likeness=one.likeness,
            text=one.text if is_full else one.snippet,
            stood=[" to ".join(dict.fromkeys(run)) for run in one.stood],
            now=one.now or "",
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
            found = _diff(base, from_, to, section)
        summary = found.summary
        told = [one for one in found.changes if full or one.class_ == "substantive"]
        shown = told if full else told[:_CHANGES]
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
            replaced_throughout=[f"{one.before}: {one.after}" for one in summary.sweeps],
            changes=[self._change(one, summary, is_full=full) for one in shown],
            left_out=len(told) - len(shown) or None,
        )

    def _change(
        self, one: variorum.Change, summary: variorum.DiffSummary, *, is_full: bool
    ) -> Change:
        words = marked(
            [(piece.sign, piece.text) for piece in one.words], context=None if is_full else 8
        )
        label = summary.to_edition if one.new else summary.from_edition
        return Change(
            old=one.old or "",
            new=one.new or "",
            kinds=one.kinds,
            sort=one.class_,
            words=words if is_full else _cut(words),
            link=self._links.dated(label, one.new or one.old or ""),
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
            found = base.audit(text, as_of, every=True)
        label = found.summary.to
        told = [one for one in found.findings if full or one.status != "current"]
        fixed = corrected(text, found.findings)
        return Citations(
            edition=label,
            link=self._links.edition(label),
            counts={"citations": found.summary.citations, **found.summary.statuses},
            citations=[self._citation(one, label) for one in told[: None if full else _CITATIONS]],
            corrected=fixed if fixed != text else "",
        )

    def _citation(self, one: variorum.Finding, label: str) -> Citation:
        names = [name for heir in one.heirs for name in heir]
        heirs, is_open = self._heirs(names, label), one.status in _OPEN
        return Citation(
            cited=one.cited,
            line=one.line,
            column=one.column,
            verdict=one.status,
            now=[] if is_open else heirs,
            perhaps=heirs if is_open else [],
            rewrite=one.rewrite or "",
            confidence=one.confidence,
            was=one.was,
            now_means="" if is_open else one.now_means or "",
            why=one.why,
            link="" if is_open or not names else heirs[0].link,
        )


# Whoever asked in short may ask in full next.
@lru_cache(maxsize=16)
def _diff(base: variorum.Base, start: str, stop: str, section: str) -> variorum.Diff:
    return base.diff(start, stop, section) if start else base.changes(stop, section)


@lru_cache(maxsize=64)
def _below(base: variorum.Base, name: str, label: str) -> list[variorum.Provision]:
    return base.below(name, label)


def _bearers(others: Sequence[variorum.OtherBearer]) -> list[Bearer]:
    return [
        Bearer(
            first=one.from_,
            last=one.to or "",
            words=one.heading or _cut(one.text, 80),
            now=one.now.name if one.now else "",
        )
        for one in others
    ]


def _marked(words: Sequence[variorum.Piece]) -> str:
    pieces = [(one.sign, one.text) for one in words]
    return marked(pieces) if any(sign != "=" for sign, _ in pieces) else ""


def _cut(text: str, letters: int = _LETTERS) -> str:
    """Return the beginning of a text, whole words."""
    return text if len(text) <= letters else f"{text[:letters].rsplit(' ', 1)[0]} …"
