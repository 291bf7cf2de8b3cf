"""What stands in the file, as records; imports next to nothing.

A *state* is what a provision is and says; one state holds in one edition or in many. An edition is
a list of states in printed order. So each text is kept once, however many editions print it.
"""

from variorum_kb.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    IdOf = Mapping[int, int] | Sequence[int]

# Marks a file as ours ("vrrm"), and says how it is laid out. A file of another layout is built
# anew from the documents.
APPLICATION = 0x7672726D
SCHEMA = 9


class State(Record):
    """A state: what a provision is and says.

    Attributes:
        kind: A value of `model.Kind`.
        number: As printed, "" in the glossary.
        address: The number, with #1, #2 where it is printed twice; the headword in the glossary.
        heading: Its own heading or headword.
        body: Its paragraphs, as `join_body` joins them.
        parent: The address of the provision it stands under, "" of chapters and the glossary.
        meant: The number it has by its place, "" where that is the printed one.
        irregularities: JSON as in docs/json.md, "" without any.
    """

    __slots__ = ()
    kind: str
    number: str
    address: str
    heading: str
    body: str
    parent: str
    meant: str
    irregularities: str

    def with_id(self, number: int) -> "Row":
        """Return it with its id in a file."""
        return Row.of((*self, number))


class Row(State):
    """A state with its id in a file."""

    __slots__ = ()
    id: int


# A prime. A checksum is a remainder by it: a change within seven bytes always gives another one, and
# other changes do but once in 2 ** 61. CRC-32 would do it as fast, but importing it takes 3 % of a look-up.
_PRIME = 2**61 - 1


def checksum_of(number: int, state: "Iterable[Any]") -> int:
    """Return the checksum that a file keeps beside a state.

    Args:
        number: The id of the state, which a row that took the place of another has not.
        state: Its cells.

    Raises:
        TypeError: A cell is no text.
        ValueError: A cell holds what no file can hold.
    """
    return remainder("\0".join([*state, str(number)]))


def remainder(text: str) -> int:
    """Return a number by which equal texts are known from others: less than 2 ** 61."""
    return int.from_bytes(text.encode(), "little") % _PRIME


class EditionRow(Record):
    """What a file says of an edition, besides its states.

    The last four columns hold JSON; see schema.sql.

    Attributes:
        attested: By what it is attested, one of `ATTESTED`; "" where one source is all there is.
        doubts: What an answer from it should say with it, a line each: "one source", "lossy",
            "12 rules missing: 405 to 405.4".
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

# Those that hold JSON, and that only few questions need.
LONG_COLUMNS = ("introduction", "index_lines", "credits", "ledger")

# What a step may be, in the order of the bits that stand for them in the file. A link that is kept
# and nothing else, of a state that stays what it is, is not written down.
STEP_KINDS = (
    "kept",
    "renumbered",
    "reworded",
    "split",
    "merged",
    "copied",
    "new",
    "gone",
    "uncertain",
)
KEPT, RENUMBERED, REWORDED, SPLIT, MERGED, COPIED, NEW, GONE, UNCERTAIN = [
    1 << place for place in range(len(STEP_KINDS))
]
# How much a change of words matters, likewise.
CHANGE_CLASSES = ("", "typographic", "citation-only", "sweep", "substantive")
# What may happen to a subrule, as a history counts it; the classes of changed words are among them.
SUBRULE_SORTS = (
    "new",
    "moved_in",
    "parts",
    "substantive",
    "merged",
    "moved_out",
    "gone",
    "uncertain",
    "sweep",
    "citation_only",
    "typographic",
    "moved_only",
)


class RunnerUp(Record):
    """Another provision that might be the heir.

    Attributes:
        place: In the newer edition; in a file the id of its state.
        points: What speaks for it; see docs/lineage.md.
    """

    __slots__ = ()
    place: int
    points: float


class StepEvidence(Record):
    """What a step rests on; the attributes are as of a `LinkRow`."""

    __slots__ = ()
    readings: str
    verdict: str
    reasons: tuple[str, ...]
    runners_up: tuple[RunnerUp, ...]


class LinkRow(Record):
    """Where a provision went from one edition to another.

    Attributes:
        old: The id of a state, -1 of what is new.
        new: Likewise, -1 of what is gone.
        rank: From 0 among the heirs of the old one, the main one first.
        kinds: Bits, see STEP_KINDS.
        change: The place in CHANGE_CLASSES.
        confidence: The chance that the main heir is right.
        readings: Of a step that was read, by how many readings it was decided; else "".
        verdict: Of such a step, why it was decided so, in our words.
        reasons: Of any other step, what speaks for it, in our words.
        runners_up: The best of them first.
    """

    __slots__ = ()
    old: int
    new: int
    rank: int
    kinds: int
    change: int
    confidence: float
    readings: str
    verdict: str
    reasons: tuple[str, ...]
    runners_up: tuple[RunnerUp, ...]

    def led_by(self, old: "IdOf", new: "IdOf") -> "LinkRow":
        """Return it with other ids: of the old state, and of the new one and its runners-up."""
        return self.changed(
            old=-1 if self.old < 0 else old[self.old],
            new=-1 if self.new < 0 else new[self.new],
            runners_up=tuple([RunnerUp(new[row.place], row.points) for row in self.runners_up]),
        )


class StoredLink(Record):
    """A link as a file has it.

    Attributes:
        edition: The place of the edition into which it leads.
        source: That of the one before, or, where a provision returns, of the last that had it.
        old: As of a `LinkRow`, None of what is new.
        new: Likewise, None of what is gone.
        readings: As of a `LinkRow`.
        verdict: Likewise.
        reasons: Lines.
        runners_up: Lines, see `runners_up_of`.
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
    runners_up: str


class StaleRow(Record):
    """A citation that leads astray, in an edition.

    Attributes:
        provision: The id of the state that cites.
        place: Of the citation among those of the state, from 0.
        number: An end of what it cites.
        target: The id of the state to which it led when it was last in order.
        since: The place of the edition in which that moved away.
        is_alike: Whether its heir there says the same, as far as words tell: 1 or 0.
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
    rests_on: str
    layout: str
    title: str
    author: str
    source: str
    stated: str
    dated: str
    first: int | None
    last: int | None
    matched: int
    total: int
    evidence: str


# The layout of an original begins so; it is a witness to the edition of its date.
ORIGINAL_LAYOUT = "original in "
# The layout of another text of an edition that is held; see build/issues_and_copies.py.
COPY_LAYOUT = "copy"
# That of a document which announces changes, and has no passages.
BULLETIN_LAYOUT = "bulletin"

# The kind of a passage that announces a change, and the verdicts on those that quote nothing.
ANNOUNCEMENT = "announcement"
ABOUT_RULES = RULING, COMMENTARY = ("ruling", "commentary")

# The line of evidence that gives an announcement's own reason, the first of them, begins so.
_REASON = "reason: "


def with_reason(reason: str, evidence: tuple[str, ...]) -> tuple[str, ...]:
    """Return evidence as a file and JSON have it: an announcement's own reason is the first line."""
    return (f"{_REASON}{reason}", *evidence) if reason else evidence


def split_reason(lines: "Sequence[str]") -> "tuple[str, Sequence[str]]":
    """Return the reason and the evidence that `with_reason` joined."""
    if lines and lines[0].startswith(_REASON):
        return lines[0].removeprefix(_REASON), lines[1:]
    return "", lines


class PassageRow(Record):
    """What a file says of a passage of a witness; see `Attestation` for its columns."""

    __slots__ = ()
    kind: str
    verdict: str
    number: str
    headword: str
    words: str
    line: int
    provision: int | None
    former: int | None
    edition: int | None
    becomes: str
    claimed: str
    source: str
    supplied: str
    likeness: float
    confidence: float
    evidence: str
    pieces: str


# An example is set apart by characters that no text holds: splitting lines removes them.
_EXAMPLE, _MARKER_END = "\x1e", "\x1f"


def wording_of(state: State) -> str:
    """Return the words of a provision and its examples, its heading where there are none."""
    return full_text(state.body) or state.heading


def name_of(state: State) -> str:
    """Return a provision's address, of a glossary entry its headword behind "glossary: "."""
    return named("" if state.kind == "glossary" else state.address, state.heading)


# Stands before a headword where numbers stand too, in answers and in the table of verdicts.
_ENTRY = "glossary: "


def named(number: str | None, headword: str | None) -> str:
    """Return a number, or without one a headword as it stands among numbers.

    >>> named("702.19", "Trample"), named("", "Trample")
    ('702.19', 'glossary: Trample')
    """
    return number or f"{_ENTRY}{headword}"


def headword_of(name: str) -> str:
    """Return the headword that a name holds; "" of a number.

    >>> headword_of("glossary: Trample"), headword_of("702.19")
    ('Trample', '')
    """
    return name.removeprefix(_ENTRY) if name.startswith(_ENTRY) else ""


def kinds_of(bits: int) -> list[str]:
    """Return the kinds that bits stand for.

    >>> kinds_of(6)
    ['renumbered', 'reworded']
    """
    return [kind for place, kind in enumerate(STEP_KINDS) if bits >> place & 1]


def bits_of(kinds: "list[str]") -> int:
    """Return the bits that stand for kinds."""
    return sum([1 << STEP_KINDS.index(kind) for kind in kinds])


def runners_up_of(text: str) -> tuple[RunnerUp, ...]:
    """Return the runners-up that a file keeps as lines: the id of a state and its points.

    >>> runners_up_of("17 3.5")[0].points
    3.5
    """
    pairs = [line.split(" ") for line in text.split("\n") if line]
    return tuple([RunnerUp(int(place), float(points)) for place, points in pairs])


def lines_of(runners_up: "tuple[RunnerUp, ...]") -> str:
    """Return runners-up as a file keeps them."""
    return "\n".join([f"{runner_up.place} {runner_up.points}" for runner_up in runners_up])


def join_body(paragraphs: list[tuple[str, str]]) -> str:
    """Return paragraphs, each a marker ("" of plain text) and its words, as one string."""
    return "\n".join(
        [
            f"{_EXAMPLE}{marker}{_MARKER_END}{text}" if marker else text
            for marker, text in paragraphs
        ]
    )


def split_body(body: str) -> list[tuple[str, str]]:
    """Return the paragraphs that `join_body` joined."""
    paragraphs: list[tuple[str, str]] = []
    for part in body.split("\n") if body else ():
        if part[:1] == _EXAMPLE:
            marker, _, text = part[1:].partition(_MARKER_END)
            paragraphs.append((marker, text))
        else:
            paragraphs.append(("", part))
    return paragraphs


def text_of(body: str) -> str:
    """Return the paragraphs that are no examples, joined by line feeds."""
    return "\n".join([text for marker, text in split_body(body) if not marker])


def examples_of(body: str) -> list[str]:
    """Return the examples."""
    return [text for marker, text in split_body(body) if marker]


def count_examples(body: str) -> int:
    """Return how many examples there are; they are the last paragraphs of `full_text`."""
    return body.count(_EXAMPLE)


def full_text(body: str) -> str:
    """Return the text and then the examples, joined by line feeds: what offsets count in."""
    if _EXAMPLE not in body:
        return body
    return "\n".join([part for part in (text_of(body), *examples_of(body)) if part])
