"""The library's records of provisions through time; docs/json.md describes each field."""

from dataclasses import dataclass

from variorum.answer import Answer, Piece
from variorum.records.lineage import (
    BlamedJson,
    BlameJson,
    HistoryJson,
    NowJson,
    OtherBearerJson,
    ReadingJson,
    ReadJson,
    StepJson,
    SubruleNowJson,
    SubrulesChangedJson,
    SubrulesJson,
    SubruleStepJson,
    WordJson,
)
from variorum.records.witness import Announcement, Attestation
from variorum.rows import named


@dataclass(frozen=True)
class Whereabouts(Answer[NowJson]):
    """The place of a provision: an edition, and a number or the term of an entry."""

    edition: str
    number: str | None
    term: str | None

    @property
    def name(self) -> str:
        """Return the number; for a glossary entry, "glossary: " and its headword."""
        return named(self.number, self.term)


@dataclass(frozen=True)
class Reading(Answer[ReadingJson]):
    """A period in which a provision kept the same number and words."""

    number: str | None
    term: str | None
    from_: str
    to: str | None
    heading: str
    text: str
    examples: int
    class_: str
    words: list[Piece]

    @property
    def name(self) -> str:
        """Return the number; for a glossary entry, "glossary: " and its headword."""
        return named(self.number, self.term)


@dataclass(frozen=True)
class Decision(Answer[ReadJson]):
    """How people who read both editions decided a step."""

    readings: str
    reason: str


@dataclass(frozen=True)
class Step(Answer[StepJson]):
    """How a provision came from one edition to another."""

    from_edition: str
    to_edition: str
    from_: str | None
    to: list[str]
    kinds: list[str]
    class_: str
    confidence: float
    read: Decision | None
    evidence: list[str]
    announced: list[Announcement]


@dataclass(frozen=True)
class OtherBearer(Answer[OtherBearerJson]):
    """Another provision that has had the number."""

    from_: str
    to: str | None
    heading: str
    text: str
    now: Whereabouts | None
    last: Whereabouts


@dataclass(frozen=True)
class SubruleStep(Answer[SubruleStepJson]):
    """What happened to a subrule in an edition."""

    sort: str
    from_: str | None
    to: list[str]
    kinds: list[str]
    class_: str
    confidence: float
    way: str
    now: Whereabouts | None
    words: list[Piece]
    examples: list[int]


@dataclass(frozen=True)
class SubrulesChanged(Answer[SubrulesChangedJson]):
    """An edition's changes to subrules, and the name of the provision above them."""

    edition: str
    number: str | None
    term: str | None
    provisions: int
    counts: dict[str, int]
    changes: list[SubruleStep]


@dataclass(frozen=True)
class Subrule(Answer[SubruleNowJson]):
    """A subrule: the last number it had below the provision, and its name today."""

    number: str
    heading: str
    now: Whereabouts | None


@dataclass(frozen=True)
class Subrules(Answer[SubrulesJson]):
    """The history of everything below a provision."""

    last: list[Subrule]
    editions: list[SubrulesChanged]


@dataclass(frozen=True)
class History(Answer[HistoryJson]):
    """A provision through time, the oldest reading first."""

    now: Whereabouts | None
    readings: list[Reading]
    steps: list[Step]
    others: list[OtherBearer]
    witnesses: list[Attestation]
    doubts: dict[str, list[str]]
    subrules: Subrules | None


@dataclass(frozen=True)
class DatedWord(Answer[WordJson]):
    """A word, with the spaces after it, and the edition that added it."""

    text: str
    since: str


@dataclass(frozen=True)
class DatedSubrule(Answer[BlamedJson]):
    """When each word of a subrule was added."""

    number: str | None
    term: str | None
    heading: list[DatedWord]
    words: list[DatedWord]
    examples: int


@dataclass(frozen=True)
class DatedProvision(Answer[BlameJson]):
    """When each word of a provision and of its subrules was added."""

    number: str | None
    term: str | None
    heading: list[DatedWord]
    words: list[DatedWord]
    examples: int
    edition: str
    doubts: list[str]
    subrules: list[DatedSubrule]
