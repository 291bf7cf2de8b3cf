"""Set what witnesses attest, for a terminal or a pipe; without click, for the fast path."""

from itertools import groupby

from variorum_kb.cli.pages.diff import bold, marked, paragraph
from variorum_kb.rows import ABOUT_RULES, ANNOUNCEMENT, BULLETIN_LAYOUT, named
from variorum_kb.text.counts import percent
from variorum_kb.thresholds import WITNESS_CERTAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from variorum_kb.forms.lineage import HistoryJson, ReadingJson
    from variorum_kb.forms.witness import (
        AnnouncedJson,
        AttestationJson,
        WitnessJson,
        WitnessNameJson,
    )

_DATE = 14
_SHOWN = 12
_HASH = 8
_AGREES = ("agrees", "confirmed", "confirmed (words)", "confirmed (number)")


def witness_name(one: "WitnessNameJson | WitnessJson", names: "Mapping[str, str]") -> str:
    """Return what to call a witness: its title and author, else its file, else its hash.

    Args:
        one: The witness.
        names: Of files, by hash.
    """
    title = " by ".join([part for part in (one["title"], one["author"]) if part])
    return title or names.get(one["sha256"], "") or one["sha256"][:_HASH]


def list_witnesses(
    found: "Sequence[WitnessJson]", names: "Mapping[str, str]", *, colour: bool
) -> "Iterator[str]":
    """Yield the lines of `cr witnesses`."""
    for one in found:
        yield bold(witness_name(one, names), is_coloured=colour)
        dated = f", {one['dated']}" if one["dated"] else ""
        yield f"  {one['sha256'][:_HASH]}  {one['layout']}{dated}"
        yield f"  {_span(one)}"
        for line in one["evidence"][:_SHOWN]:
            yield f"  - {line}"
        more = len(one["evidence"]) - _SHOWN
        if more > 0:
            yield f"  - and {more} more"


def _span(one: "WitnessJson") -> str:
    start, stop = one["from"], one["to"]
    span = f"the edition of {start}" if start == stop else f"the editions of {start} to {stop}"
    if start is None:
        return f"none of {one['of']} passages can be told" if one["of"] else "of no edition"
    if not one["of"]:
        return f"about {span}"
    happened = (
        "of the steps it announces happened so" if one["layout"] == BULLETIN_LAYOUT else "stand so"
    )
    return f"{one['matched']} of {one['of']} {happened} in {span}"


def editions_of(found: "HistoryJson") -> "Iterator[str]":
    """Yield the lines that say which editions have a provision, by its numbers."""
    for name, group in groupby(found["readings"], _name):
        readings = list(group)
        start, stop = readings[0]["from"], readings[-1]["to"] or "today"
        many = "in the same words" if len(readings) == 1 else f"in {len(readings)} wordings"
        yield f"  {start:<{_DATE - 2}}editions to {stop}: {many} as {name}"


def _name(one: "ReadingJson") -> str:
    return named(one["number"], one["term"])


def list_attestations(
    found: "Sequence[AttestationJson]",
    names: "Mapping[str, str]",
    width: int,
    *,
    colour: bool,
    with_witness: bool = True,
) -> "Iterator[str]":
    """Yield the lines that say who attests a provision, in which words, and what editions say.

    Args:
        found: In the form of `cr witnesses NUMBER --json`.
        names: Of files, by hash.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
        colour: Names and the marks of word diffs.
        with_witness: Say who it is; else what it speaks of comes first.
    """
    for one in found:
        yield _head(one, names, colour=colour, with_witness=with_witness)
        if one["pieces"]:
            yield from paragraph(marked(one["pieces"]), _DATE, width, is_coloured=colour)
        elif one["words"] and (one["verdict"] not in _AGREES or one["kind"] == ANNOUNCEMENT):
            yield from paragraph(one["words"], _DATE, width, is_coloured=False)
        for line in one["evidence"]:
            yield from paragraph(f"- {line}", _DATE, width, is_coloured=False)


def _head(
    one: "AttestationJson", names: "Mapping[str, str]", *, colour: bool, with_witness: bool
) -> str:
    edition = one["edition"] or ""
    here = one["number"] or one["headword"] or ""
    if one["becomes"]:
        here = f"{here or 'new'} → {one['becomes']}"
    stands = one["stands"] or one["former"] or ""
    place = stands if not here or here == stands else f"{here} ({stands})" if stands else here
    if one["supplied"]:
        place += f" ({one['supplied']} supplied)"
    claim = f", dated {one['claimed']}" if one["claimed"] else ""
    claim += f" by {one['claimed_by']}" if one["claimed_by"] else ""
    is_unsure = 0.0 < one["confidence"] < WITNESS_CERTAIN
    sure = f", {percent(one['confidence'])} confidence" if is_unsure else ""
    if not place and one["verdict"] in ABOUT_RULES:
        sure = ", of no rule that could be told"
    line = f", line {one['line']}" if one["line"] else ""
    name = bold(witness_name(one["witness"], names), is_coloured=colour)
    whose = f"{name} ({one['witness']['layout']}{line}): " if with_witness else ""
    said = f"{one['verdict']}{claim}{sure}"
    about = f"{place}: " if place and not with_witness else ""
    as_ = f" as {place}" if place and with_witness else ""
    width = max(_DATE - 2, len(edition) + 1)
    return f"  {edition:<{width}}{whose}{about}{said}{as_}"


def announced_lines(found: "Sequence[AnnouncedJson]") -> "Iterator[str]":
    """Yield a line for each announcement of a step, and one for its reason."""
    for one in found:
        source = one["title"] or one["sha256"][:_HASH]
        dated = f", {one['dated']}" if one["dated"] else ""
        how = "" if one["verdict"] == "confirmed" else f" ({one['verdict']})"
        yield f"announced{how} in {source}{dated}: “{one['words']}”"
        if one["reason"]:
            yield f"reason given: “{one['reason']}”"
