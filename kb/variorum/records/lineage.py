"""Answers about provisions: in an edition, through time and between editions; and about every number ever printed."""

from typing import Annotated, Literal

from msgspec import Meta, field

from variorum.records.answer import *
from variorum.records.document import Passage
from variorum.records.edition import Irregularity
from variorum.rows import State, name_of, named


class Named(Answer):
    """A number or, for a glossary entry, a headword; one of the two is None."""

    number: str | None
    term: str | None

    name = property(lambda self: named(self.number, self.term))


class Whereabouts(Answer):
    edition: Label
    number: str | None
    term: str | None

    name = property(lambda self: named(self.number, self.term))


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
    """Another rule that a number meant; `heirs` continue it, `now` is the main one, else it was `removed`."""

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
    words: list[Piece]
    examples: list[Count]


class SubrulesChanged(Answer):
    edition: Label
    counts: dict[SubruleSort, Count]
    changes: list[SubruleStep]


class Subrule(Answer):
    """A subrule: the last number it had below the provision, and its name today, with the chance of that."""

    number: str
    heading: str
    now: Whereabouts | None
    confidence: Chance


class Subrules(Answer):
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


class Term(Answer):
    term: Words
    text: Words
    start: Count
    end: Place


class Moved(Answer):
    asked: Words
    edition: Label
    since: Label
    kinds: list[StepKind]
    confidence: Chance
    heirs: list[Words]


class Provision(Answer):
    """A provision that answers a question; a glossary entry has no `number`, `parent` or `children`.

    `earlier` are other rules that the number meant before. `terms` are there if asked for.
    """

    edition: Label
    doubts: list[Words]
    number: str
    address: Words
    kind: ProvisionKind
    heading: str
    text: str
    examples: list[str]
    parent: Words | None
    children: list[Words]
    irregularities: list[Irregularity]
    asked: Words
    moved: Moved | None
    term: Words | None = None
    earlier: list[OtherRule] | None = None
    terms: list[Term] | None = None

    name = property(name_of)


class Citation(Answer):
    """A printed citation and what it leads to; `title_fits` is null without a title to compare."""

    text: Words
    part: CitationPart
    start: Count
    end: Place
    targets: list[Words]
    status: Annotated[str, one_of("resolved, dangling")]
    title: str
    title_fits: bool | None


class CitingProvision(Answer):
    number: str
    address: Words
    kind: ProvisionKind
    heading: str
    text: Words
    start: Count
    end: Place


class References(Answer):
    number: str
    address: Words
    edition: Label
    doubts: list[Words]
    cites: list[Citation]
    cited_by: list[CitingProvision]


class Heading(Answer):
    edition: Label
    doubts: list[Words]
    address: Words
    kind: ProvisionKind
    heading: str


class CrosswalkRow(Answer):
    old: str | None
    new: list[str]
    kinds: list[StepKind]
    confidence: Chance
    read: list[DecidedStep]


class Destination(CrosswalkRow):
    asked: Words
    edition: Label
    others: list[OtherRule]


class Change(Answer):
    old: str | None
    new: str | None
    kinds: list[StepKind]
    class_: ChangeClass
    words: list[Piece]
    confidence: Chance


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
    confidence: Chance


class DiffSubject(Answer):
    asked: str
    edition: Label
    from_: list[str]
    to: list[str]
    others: list[BearerThere]
    unchanged_since: Label | None


class Diff(Answer):
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


class NumberedBearer(Answer):
    """A provision that had a number, and its numbers `now`; people decided the steps into editions `read`.

    `text`, its last words under the number, is in the files of the website.
    """

    number: Words
    first: Label
    last: Label
    now: list[Words]
    kinds: list[StepKind]
    confidence: Chance
    read: list[Label] = field(default_factory=list)
    text: str | None = None


class NumberTable(Answer):
    format: Literal["variorum-crosswalk"]
    version: Literal[1]
    edition: Label
    editions: list[Label]
    numbers: dict[Words, list[NumberedBearer]]
