"""Editions and ledgers as JSON, in the form that docs/json.md promises.

The functions return plain values (`dict`, `list`, `str`, `int`), ready for `json.dumps`; the keys
stand in the order of the schemas in `schemas/`.
"""

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:  # commands that answer from the base have no use for the model
    from variorum_kb.model import Edition, Irregularity, Provision


class LineEndsJson(TypedDict):
    """How many lines end in each way."""

    crlf: int
    cr: int
    lf: int


class EditionJson(TypedDict):
    """What an edition is and how much it holds."""

    effective: str
    issue: int
    sha256: str
    encoding: str
    line_ends: LineEndsJson
    layout: str
    sections: int
    rules: int
    examples: int
    glossary: int
    irregularities: int


class IrregularityJson(TypedDict):
    """Something odd in the print; `start` is null where it is not in the text."""

    kind: str
    printed: str
    meant: str
    evidence: str
    start: int | None


class ProvisionJson(TypedDict):
    """A chapter, section, rule or subrule."""

    number: str
    address: str
    kind: str
    heading: str
    text: str
    examples: list[str]
    irregularities: list[IrregularityJson]


class EntryJson(TypedDict):
    """A glossary entry."""

    term: str
    text: str
    examples: list[str]


class ExportJson(TypedDict):
    """A whole edition in printed order."""

    edition: EditionJson
    provisions: list[ProvisionJson]
    glossary: list[EntryJson]
    introduction: list[str]
    index: list[str]
    credits: list[str]


class OddityJson(IrregularityJson):
    """An irregularity and where it is: an address, a headword, or "" for the whole document."""

    address: str


class CitesJson(TypedDict):
    """A printed citation and what it leads to; `title_fits` is null without a title."""

    text: str
    part: str
    start: int
    end: int
    targets: list[str]
    status: str
    title: str
    title_fits: bool | None


class CitedByJson(TypedDict):
    """A provision that cites, with the sentence."""

    number: str
    address: str
    kind: str
    heading: str
    text: str
    start: int
    end: int


class RefsJson(TypedDict):
    """What a provision cites in an edition, and what cites it."""

    number: str
    address: str
    edition: str
    cites: list[CitesJson]
    cited_by: list[CitedByJson]


class MisfitJson(CitesJson):
    """A citation that leads nowhere or has another title, and the provision that prints it."""

    address: str


class LedgerJson(TypedDict):
    """The account of every line of a document."""

    effective: str
    lines: int
    blank: int
    accounted: dict[str, int]
    unaccounted: list[int]
    characters: int
    characters_kept: int
    hyphens: list[int]
    condition: str
    reason: str
    notes: list[str]
    irregularities: list[OddityJson]


def edition_json(edition: "Edition", issue: int) -> EditionJson:
    """Return what an edition is and how much it holds.

    Args:
        edition: As it was read.
        issue: Which issue of its date this is, from 1.
    """
    counts = edition.counts()
    ends = edition.line_ends
    return {
        "effective": edition.effective.isoformat(),
        "issue": issue,
        "sha256": edition.sha256,
        "encoding": edition.decoding.encoding,
        "line_ends": {"crlf": ends.crlf, "cr": ends.cr, "lf": ends.lf},
        "layout": edition.layout,
        "sections": counts["sections"],
        "rules": counts["rules"],
        "examples": counts["examples"],
        "glossary": counts["glossary"],
        "irregularities": counts["irregularities"],
    }


def export_json(edition: "Edition", issue: int) -> ExportJson:
    """Return a whole edition in printed order.

    Args:
        edition: As it was read.
        issue: Which issue of its date this is, from 1.
    """
    return {
        "edition": edition_json(edition, issue),
        "provisions": [_provision(provision) for provision in edition.provisions],
        "glossary": [_entry(entry) for entry in edition.glossary],
        "introduction": list(edition.introduction),
        "index": list(edition.index),
        "credits": list(edition.credits),
    }


def ledger_json(edition: "Edition") -> LedgerJson:
    """Return the account of every line, and all that is odd about the document."""
    ledger = edition.ledger
    oddities = [_oddity("", one) for one in edition.irregularities]
    for provision in (*edition.provisions, *edition.glossary):
        oddities += [_oddity(provision.address, one) for one in provision.irregularities]
    return {
        "effective": edition.effective.isoformat(),
        "lines": ledger.lines,
        "blank": ledger.blank,
        "accounted": {role.value: number for role, number in ledger.accounted},
        "unaccounted": list(ledger.unaccounted),
        "characters": ledger.characters,
        "characters_kept": ledger.characters_kept,
        "hyphens": list(ledger.hyphens),
        "condition": edition.condition.value,
        "reason": edition.decoding.reason,
        "notes": list(edition.notes),
        "irregularities": oddities,
    }


def _provision(provision: "Provision") -> ProvisionJson:
    return {
        "number": provision.number,
        "address": provision.address,
        "kind": provision.kind.value,
        "heading": provision.heading,
        "text": provision.text,
        "examples": list(provision.examples),
        "irregularities": [irregularity_json(one) for one in provision.irregularities],
    }


def _entry(entry: "Provision") -> EntryJson:
    return {"term": entry.heading, "text": entry.text, "examples": list(entry.examples)}


def irregularity_json(one: "Irregularity") -> IrregularityJson:
    """Return something odd in the print."""
    return {
        "kind": one.kind.value,
        "printed": one.printed,
        "meant": one.meant,
        "evidence": one.evidence,
        "start": one.start if one.start >= 0 else None,
    }


def _oddity(address: str, one: "Irregularity") -> OddityJson:
    return {**irregularity_json(one), "address": address}
