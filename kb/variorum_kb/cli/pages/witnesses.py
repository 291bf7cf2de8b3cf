"""Format what witnesses attest; without click, for the fast path."""

from itertools import groupby

from variorum_kb.cli.pages.diff import diff_paragraph, marked, paragraph
from variorum_kb.rows import named
from variorum_kb.stored_rows import ABOUT_RULES, ANNOUNCEMENT, BULLETIN_LAYOUT
from variorum_kb.system.terminal import bold
from variorum_kb.text.counts import percent
from variorum_kb.thresholds.sure import WITNESS_CERTAIN

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


def witness_name(witness: "WitnessNameJson | WitnessJson", names: "Mapping[str, str]") -> str:
    """Return the name of a witness: its title and author, else its file, else its hash.

    Args:
        witness: The witness.
        names: Names of files, by hash.
    """
    title = " by ".join([part for part in (witness["title"], witness["author"]) if part])
    return title or names.get(witness["sha256"], "") or witness["sha256"][:_HASH]


def list_witnesses(
    witnesses: "Sequence[WitnessJson]", names: "Mapping[str, str]"
) -> "Iterator[str]":
    """Yield the lines of `cr witnesses`."""
    for witness in witnesses:
        yield bold(witness_name(witness, names))
        dated = f", {witness['dated']}" if witness["dated"] else ""
        yield f"  {witness['sha256'][:_HASH]}  {witness['layout']}{dated}"
        yield f"  {_span(witness)}"
        for line in witness["evidence"][:_SHOWN]:
            yield f"  - {line}"
        more = len(witness["evidence"]) - _SHOWN
        if more > 0:
            yield f"  - and {more} more"


def _span(witness: "WitnessJson") -> str:
    start, stop = witness["from"], witness["to"]
    span = f"the edition of {start}" if start == stop else f"the editions of {start} to {stop}"
    if start is None:
        none = "no edition could be determined"
        return f"{none} for its {witness['of']} passages" if witness["of"] else none
    if not witness["of"]:
        return f"about {span}"
    happened = (
        "announced changes happened in"
        if witness["layout"] == BULLETIN_LAYOUT
        else "passages agree with"
    )
    return f"{witness['matched']} of {witness['of']} {happened} {span}"


def editions_of(history: "HistoryJson") -> "Iterator[str]":
    """Yield a line for each name that a provision has had, with the editions that print it."""
    for name, group in groupby(history["readings"], _name):
        readings = list(group)
        start, stop = readings[0]["from"], readings[-1]["to"] or "today"
        many = "in the same words" if len(readings) == 1 else f"in {len(readings)} wordings"
        yield f"  {start:<{_DATE - 2}}to {stop}: as {name}, {many}"


def _name(reading: "ReadingJson") -> str:
    return named(reading["number"], reading["term"])


def list_attestations(
    attestations: "Sequence[AttestationJson]",
    names: "Mapping[str, str]",
    width: int,
    *,
    with_witness: bool = True,
) -> "Iterator[str]":
    """Yield the lines about a provision's witnesses: their words and the verdict of the editions.

    Args:
        attestations: In the form of `cr witnesses NUMBER --json`.
        names: Names of files, by hash.
        width: Columns of the terminal; 0 puts each paragraph on one line.
        with_witness: Begin with the name of the witness, not with the rule that it is about.
    """
    for attestation in attestations:
        yield _head(attestation, names, with_witness=with_witness)
        if attestation["pieces"]:
            yield from diff_paragraph(marked(attestation["pieces"]), _DATE, width)
        elif attestation["words"] and (
            attestation["verdict"] not in _AGREES or attestation["kind"] == ANNOUNCEMENT
        ):
            yield from paragraph(attestation["words"], _DATE, width)
        for line in attestation["evidence"]:
            yield from paragraph(f"- {line}", _DATE, width)


def _head(attestation: "AttestationJson", names: "Mapping[str, str]", *, with_witness: bool) -> str:
    edition = attestation["edition"] or ""
    here = attestation["number"] or attestation["headword"] or ""
    if attestation["becomes"]:
        here = f"{here or 'new'} → {attestation['becomes']}"
    stands = attestation["stands"] or attestation["former"] or ""
    is_said = stands in {here, attestation["becomes"]}
    place = (here if is_said else f"{here} ({stands})" if stands else here) if here else stands
    if attestation["supplied"]:
        place += f" ({attestation['supplied']} supplied)"
    claim = f", dated {attestation['claimed']}" if attestation["claimed"] else ""
    claim += f" by {attestation['claimed_by']}" if attestation["claimed_by"] else ""
    is_unsure = 0.0 < attestation["confidence"] < WITNESS_CERTAIN
    sure = f", {percent(attestation['confidence'])} confidence" if is_unsure else ""
    if not place and attestation["verdict"] in ABOUT_RULES:
        sure = ", rule unknown"
    line = f", line {attestation['line']}" if attestation["line"] else ""
    name = bold(witness_name(attestation["witness"], names))
    whose = f"{name} ({attestation['witness']['layout']}{line}): " if with_witness else ""
    verdict = f"{attestation['verdict']}{claim}{sure}"
    about = f"{place}: " if place and not with_witness else ""
    as_ = f" as {place}" if place and with_witness else ""
    width = max(_DATE - 2, len(edition) + 1)
    return f"  {edition:<{width}}{whose}{about}{verdict}{as_}"


def announced_lines(announcements: "Sequence[AnnouncedJson]") -> "Iterator[str]":
    """Yield a line for each announcement of a step, and one for its reason."""
    for announcement in announcements:
        source = announcement["title"] or announcement["sha256"][:_HASH]
        dated = f", {announcement['dated']}" if announcement["dated"] else ""
        how = "" if announcement["verdict"] == "confirmed" else f" ({announcement['verdict']})"
        yield f"announced{how} in {source}{dated}: “{announcement['words']}”"
        if announcement["reason"]:
            yield f"reason given: “{announcement['reason']}”"
