"""Answers about provisions through time and between editions, and about every number ever printed."""

from typing import Annotated, Literal

from msgspec import Meta, field

from variorum.records.answer import *
from variorum.records.document import Passage
from variorum.rows import State, named


class Named(Answer):
    """A number or, for a glossary entry, a headword; one of the two is None."""

    number: str | None
    term: str | None

    @property
    def name(self) -> str:
        """Return the number; for a glossary entry, "glossary: " and its headword."""
        return named(self.number, self.term)


class Whereabouts(Answer):
    """The place of a provision: an edition, and a number or the term of an entry."""

    edition: Label
    number: str | None
    term: str | None

    @property
    def name(self) -> str:
        return named(self.number, self.term)


def whereabouts(state: State, label: str) -> Whereabouts:
    """Return the place of a provision in an edition with a label."""
    is_entry = state.kind == "glossary"
    return Whereabouts(label, *((None, state.heading) if is_entry else (state.address, None)))


class Reading(Named):
    from_: Label
    to: Label | None
    heading: str
    text: str
    examples: Count
    class_: ChangeClass
    words: list[Piece]


class DecidedStep(Answer):
    edition: Label
    readings: str
    reason: str


class Step(Answer):
    from_edition: Label
    to_edition: Label
    from_: str | None
    to: list[str]
    kinds: list[StepKind]
    class_: ChangeClass
    confidence: Chance
    read: DecidedStep | None
    evidence: list[str]
    announced: list[Passage]


class OtherRule(Answer):
    """Another rule that a number meant in some editions; `heirs` continue it, `now` is the main one.

    `about` is its heading or the nearest one above it; `removed` is there if nothing continues it.
    """

    number: Words
    from_: Label
    to: Label
    about: str
    text: str
    now: Words | None
    heirs: list[Words]
    kinds: list[StepKind]
    confidence: Chance
    removed: Label | None


class SubruleStep(Answer):
    """What happened to a subrule in an edition; `way` is "in" or "out" if it came from or went elsewhere."""

    sort: SubruleSort
    from_: str | None
    to: list[str]
    kinds: list[StepKind]
    class_: ChangeClass
    confidence: Chance
    way: Annotated[str, one_of("", "in", "out")]
    now: Whereabouts | None
    words: list[Piece]
    examples: list[Count]


class SubrulesChanged(Whereabouts):
    """An edition's changes to subrules, and the name of the provision above them."""

    provisions: Count
    counts: dict[SubruleSort, Count]
    changes: list[SubruleStep]


class Subrule(Answer):
    """A subrule: the last number it had below the provision, and its name today."""

    number: str
    heading: str
    now: Whereabouts | None


class Subrules(Answer):
    """The history of everything below a provision; `last` lists the subrules of its last edition."""

    last: list[Subrule]
    editions: list[SubrulesChanged]


class History(Answer):
    """A provision through time, the oldest reading first; `subrules` is None if it never had any."""

    now: Whereabouts | None
    readings: Annotated[list[Reading], Meta(min_length=1)]
    steps: list[Step]
    others: list[OtherRule]
    witnesses: list[Passage]
    doubts: dict[Label, list[Words]]
    subrules: Subrules | None


class CrosswalkRow(Answer):
    old: str | None
    new: list[str]
    kinds: list[StepKind]
    confidence: Chance
    read: list[DecidedStep]


class Destination(CrosswalkRow):
    """A provision's number in another edition; `others` have had the number asked for."""

    asked: Words
    edition: Label
    others: list[OtherRule]


class Change(Answer):
    old: str | None
    new: str | None
    kinds: list[StepKind]
    class_: ChangeClass
    words: list[Piece]


class Sweep(Answer):
    before: str
    after: str
    provisions: Count


class DiffSummary(Answer):
    from_edition: Label
    to_edition: Label
    provisions: Count
    same: Count
    moved_only: Count
    new: Count
    gone: Count
    parts: Count
    typographic: Count
    citation_only: Count
    sweep: Count
    substantive: Count
    words_gone: Count
    words_came: Count
    sweeps: list[Sweep]
    doubts: dict[Label, list[Words]]


class BearerThere(Answer):
    """Another provision that has the number in one of the two editions; `elsewhere` is its number in the other."""

    edition: Label
    number: str
    gist: str
    elsewhere: str | None


class DiffSubject(Answer):
    """The provision that was compared, if only one was."""

    asked: str
    edition: Label
    from_: list[str]
    to: list[str]
    others: list[BearerThere]
    unchanged_since: Label | None


class Diff(Answer):
    """What changed between two editions; `subject` is of a number or term."""

    summary: DiffSummary
    changes: list[Change]
    subject: DiffSubject | None = None


class DatedWord(Answer):
    """A word, with the spaces after it, and the edition that added it."""

    text: Words
    since: Label


class DatedSubrule(Named):
    heading: list[DatedWord]
    words: list[DatedWord]
    examples: Count


class DatedProvision(DatedSubrule):
    edition: Label
    doubts: list[Words]
    subrules: list[DatedSubrule]


# Every number ever printed -----------------------------------------------------------------------


class PrintedRun(Answer):
    """The editions in which a provision had a number; `to` is None if it still has it."""

    from_: Label
    to: Label | None


class Successor(Answer):
    how: Words
    edition: Label
    number: str | None
    term: str | None


class PastReading(Named):
    from_: Label
    to: Label | None
    heading: str
    kinds: list[StepKind]
    class_: ChangeClass


class Bearer(Answer):
    """A provision that has had the number; its `history` may be in the file of `now` or `last` instead."""

    address: Words
    kind: Words
    heading: str
    text: str
    runs: Annotated[list[PrintedRun], Meta(min_length=1)]
    now: Named | None
    last: Whereabouts | None
    heirs: list[Successor]
    history: list[PastReading] | None


class NumberBearers(Answer):
    """A number or headword that has been printed, and the provisions that have had it, latest first."""

    number: Words | None
    term: Words | None
    bearers: list[Bearer]


class NumberedBearer(Answer):
    """A provision that had a number, and its numbers `now`; people decided the steps into editions `read`."""

    number: Words
    first: Label
    last: Label
    now: list[Words]
    kinds: list[StepKind]
    confidence: Chance
    read: list[Label] = field(default_factory=list)


class NumberTable(Answer):
    """Every number ever printed, the provisions that have had it, and their numbers in one edition."""

    format: Literal["variorum-crosswalk"]
    version: Literal[1]
    edition: Label
    editions: list[Label]
    numbers: dict[Words, list[NumberedBearer]]
