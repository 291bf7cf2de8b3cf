"""Rows of kb.sqlite that rows.py lacks, as records: editions, links, stale citations, witnesses."""

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from variorum.records.witness import Attestation, Witness


class EditionRow(NamedTuple):
    """What a file says of an edition, besides its states; see schema.sql. The last four columns hold JSON."""

    effective: str
    issue: int
    sha256: str
    set_code: str
    set_name: str
    layout: str
    encoding: str
    crlf: int
    cr: int
    lf: int
    sections: int
    rules: int
    examples: int
    glossary: int
    irregularities: int
    condition: str
    attested: str
    doubts: str
    introduction: str
    index_lines: str
    credits: str
    ledger: str


# What attests an edition: the table of facts, independent publishers that agreed, or a person.
BY_FACTS, BY_AGREEMENT, BY_PERSON = ATTESTED = ("facts", "agreement", "person")
DECIDED = (BY_AGREEMENT, BY_PERSON)

# What is said of an edition that nothing attests.
ONE_SOURCE = "one source"
NOT_KNOWN = "not the known text of its date"
# What is said of one whose numbers alone are known.
NO_WORDS = "no words"

# Columns of an edition that hold JSON and that few questions need.
LONG_COLUMNS = ("introduction", "index_lines", "credits", "ledger")


class StepEvidence(NamedTuple):
    """What a step rests on: how often it was read, and the reason for the verdict; else our reasons."""

    readings: str
    verdict: str
    reasons: tuple[str, ...]


class LinkRow(NamedTuple):
    """A link between a provision of one edition and its heir in the next, by their places there.

    -1 is no place, of a new or a removed provision. `rank` counts the heirs from 0, the main one first;
    `kinds` are bits, see STEP_KINDS; `change` is a place in CHANGE_CLASSES; `confidence` is the chance that
    the main heir is right.
    """

    old: int
    new: int
    rank: int
    kinds: int
    change: int
    confidence: float
    evidence: StepEvidence


class StaleRow(NamedTuple):
    """A stale citation of an edition.

    The citation at a place of the state `provision` cited by a number the state `target`, which moved
    away in the edition `since`. `is_alike` is 1 if the wording of its heir suggests the same meaning.
    """

    provision: int
    place: int
    number: str
    target: int
    since: int
    is_alike: int


# The kind of an original begins so; it is a witness to the edition of its date.
ORIGINAL = "original in "
# Kinds of other documents. A copy is another text of an edition that is held; see build/settle.py.
COPY, BULLETIN = "copy", "bulletin"

# Verdicts on passages that quote nothing: prose, also a kind of document; an announcement that its edition
# confirms, and one that none does.
COMMENTARY, ANNOUNCED, UNKNOWN = "commentary", "announced", "unknown"


class PassageRow(NamedTuple):
    """What a passage of a witness says, and the ids and the place by which it is found; see schema.sql."""

    provision: int | None
    former: int | None
    edition: int | None
    said: "Attestation"


class WitnessRows(NamedTuple):
    """A witness and its passages."""

    about: "Witness"
    passages: tuple[PassageRow, ...]


def evidence_of(readings: str, verdict: str, reasons: str) -> StepEvidence:
    """Return the evidence for a step from cells of a row; the last holds several lines."""
    lines = tuple(reasons.split("\n")) if reasons else ()
    return StepEvidence(readings, verdict, lines)
