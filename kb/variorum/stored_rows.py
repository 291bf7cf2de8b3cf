"""Rows of kb.sqlite that rows.py lacks, as records: editions, links, stale citations, witnesses."""

from variorum.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    IdOf = Mapping[int, int] | Sequence[int]


class EditionRow(Record):
    """What a file says of an edition, besides its states.

    The last four columns hold JSON; see schema.sql.

    Attributes:
        attested: What attests it, one of `ATTESTED`; "" if it has only one source.
        doubts: The warnings that its answers should show, a line each: "one source", "lossy", "12
            rules missing: 405 to 405.4".
    """

    __slots__ = ()
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

# Columns of an edition that hold JSON and that few questions need.
LONG_COLUMNS = ("introduction", "index_lines", "credits", "ledger")


class StepEvidence(Record):
    """What a step rests on.

    Attributes:
        readings: How many readings decided a step that was read; else "".
        verdict: The reason for that decision, in our words.
        reasons: The evidence for any other step, in our words.
    """

    __slots__ = ()
    readings: str
    verdict: str
    reasons: tuple[str, ...]


class LinkRow(Record):
    """A link between a provision of one edition and its heir in another.

    Attributes:
        old: The id of a state; -1 for a new provision.
        new: The id of a state; -1 for a removed provision.
        rank: From 0 among the heirs of the old one, the main one first.
        kinds: Bits, see STEP_KINDS.
        change: The place in CHANGE_CLASSES.
        confidence: The chance that the main heir is right.
        evidence: What that rests on.
    """

    __slots__ = ()
    old: int
    new: int
    rank: int
    kinds: int
    change: int
    confidence: float
    evidence: StepEvidence

    def led_by(self, old: "IdOf", new: "IdOf") -> "LinkRow":
        """Return the link with other ids for its old state and its new state."""
        return self.changed(
            old=-1 if self.old < 0 else old[self.old], new=-1 if self.new < 0 else new[self.new]
        )


class StoredLink(Record):
    """A link as a file has it.

    Attributes:
        edition: The place of the edition into which it leads.
        source: The place of the edition before; for a return, of the last edition that had it.
        old: As in a `LinkRow`; None for a new provision.
        new: As in a `LinkRow`; None for a removed provision.
        readings: As in a `StepEvidence`.
        verdict: Likewise.
        reasons: Lines.
    """

    __slots__ = ()
    edition: int
    source: int
    old: int | None
    new: int | None
    rank: int
    kinds: int
    change: int
    confidence: float
    readings: str
    verdict: str
    reasons: str


class StaleRow(Record):
    """A stale citation of an edition.

    Attributes:
        provision: The id of the state that cites.
        place: The place of the citation among those of the state, from 0.
        number: An end of what it cites.
        target: The id of the state to which it led when it was last in order.
        since: The place of the edition in which the target moved away from the number.
        is_alike: 1 if the wording of its heir there suggests the same meaning; otherwise 0.
    """

    __slots__ = ()
    provision: int
    place: int
    number: str
    target: int
    since: int
    is_alike: int


class WitnessRow(Record):
    """What a file says of a witness; see schema.sql."""

    __slots__ = ()
    sha256: str
    kind: str
    title: str
    author: str
    dated: str
    first: int | None
    last: int | None
    matched: int
    total: int
    evidence: str


# The kind of an original begins so; it is a witness to the edition of its date.
ORIGINAL = "original in "
# Kinds of other documents. A copy is another text of an edition that is held; see build/issues_and_copies.py.
COPY, BULLETIN = "copy", "bulletin"

# Verdicts on passages that quote nothing: prose, also a kind of document; an announcement that its edition
# confirms, and one that none does.
COMMENTARY, ANNOUNCED, UNKNOWN = "commentary", "announced", "unknown"


class PassageRow(Record):
    """What a file says of a passage of a witness; see schema.sql."""

    __slots__ = ()
    verdict: str
    number: str
    headword: str
    supplied: str
    words: str
    line: int
    provision: int | None
    former: int | None
    edition: int | None
    runs: str
    likeness: float
    confidence: float
    claims: str
    evidence: str
    pieces: str


def evidence_of(readings: str, verdict: str, reasons: str) -> StepEvidence:
    """Return the evidence for a step from cells of a row; the last holds several lines."""
    lines = tuple(reasons.split("\n")) if reasons else ()
    return StepEvidence(readings, verdict, lines)
