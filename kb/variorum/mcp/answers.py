"""The models that the tools return; clients see the schemas made from them."""

from typing import Annotated

from pydantic import BaseModel, Field, SerializerFunctionWrapHandler, model_serializer

Edition = Annotated[str, Field(description="The effective date of the edition that says this.")]
Link = Annotated[str, Field(description="A permalink: https on a website, else a cr:// resource.")]
Confidence = Annotated[float, Field(ge=0, le=1)]


class Result(BaseModel):
    """An answer; optional fields without a value are left out."""

    @model_serializer(mode="wrap")
    def _without_blanks(self, make: SerializerFunctionWrapHandler) -> dict[str, object]:
        made: dict[str, object] = make(self)
        fields = type(self).model_fields
        return {
            key: value
            for key, value in made.items()
            if fields[key].is_required() or value not in (None, "", [], {})
        }


class Rule(Result):
    """A provision as an edition prints it; `name` is its number, or "glossary: " and its term."""

    name: str
    edition: Edition
    link: Link
    heading: str = ""
    text: str = ""
    examples: list[str] = []
    example_count: int | None = None
    moved: str = Field("", description="Why its number differs from the one asked for.")
    doubts: list[str] = []


class Rules(Result):
    """The rules as they stood."""

    edition: Edition
    in_force: str
    link: Link
    rules: list[Rule]
    left_out: int | None = Field(None, description="How many more there are; full=true gives them.")


class Heir(Result):
    """What a provision is called in an edition."""

    name: str
    link: Link


class Bearer(Result):
    """Another provision that has had the number."""

    first: str
    last: str = ""
    words: str
    now: str = Field("", description="Its name today; absent if removed.")


class Where(Result):
    """A number of one edition, and what its provision is called in another edition."""

    written: str = Field(description="The number and the edition that it is from.")
    edition: Edition
    link: Link
    now: list[Heir] = Field(description="The main heir first; empty if removed.")
    kinds: list[str]
    confidence: Confidence
    reasons: list[str] = []
    others: list[Bearer] = Field(
        [], description="Other rules that have had the number; the writer may have meant one."
    )


class Reading(Result):
    """A period in which a provision kept the same number and words."""

    name: str
    first: str
    last: str = Field("", description="Absent if still in force.")
    change: str = ""
    link: Link
    text: str = ""
    words: str = Field("", description="The changes: [-removed-] {+added+}.")


class History(Result):
    """A provision through time, the oldest reading first."""

    name: str
    edition: Edition
    link: Link
    readings: list[Reading]
    others: list[Bearer] = []


class Hit(Result):
    """A provision that answers a query."""

    name: str
    edition: Edition
    link: Link
    heading: str = ""
    text: str
    now: str = ""


class Found(Result):
    """The results of a search, best hit first."""

    edition: Edition
    link: Link
    hits: list[Hit]
    total: int
    missing: list[str] = []
    suggestions: list[str] = []
    also_searched: list[str] = []


class Change(Result):
    """How a provision changed between two editions."""

    old: str = ""
    new: str = ""
    kinds: list[str]
    sort: str
    words: str = Field("", description="The changes: [-removed-] {+added+}.")
    link: Link


class Changes(Result):
    """What changed from one edition to another."""

    before: str
    edition: Edition
    link: Link
    counts: dict[str, int]
    replaced_throughout: list[str] = []
    changes: list[Change]
    left_out: int | None = Field(None, description="How many more there are; full=true gives them.")


class Source(Result):
    """A provision that the words come from."""

    name: str
    edition: Edition
    link: Link
    likeness: Confidence
    text: str
    stood: list[str]
    now: str = ""


class Quote(Result):
    """Where quoted words come from."""

    status: str
    edition: Edition
    link: Link
    number_fits: bool | None = None
    date_fits: bool | None = None
    sources: list[Source]
    total: int


class Citation(Result):
    """A citation and the verdict on it."""

    cited: str
    line: int
    column: int
    verdict: str
    now: list[Heir] = []
    perhaps: list[Heir] = Field([], description="Rules that may be meant, likeliest first.")
    rewrite: str = Field("", description="The corrected citation, if certain.")
    confidence: Confidence
    was: str = ""
    now_means: str = Field("", description="The rule that has the number now.")
    why: str = ""
    link: Link = ""


class Citations(Result):
    """The citations of a text, judged."""

    edition: Edition
    link: Link
    counts: dict[str, int]
    citations: list[Citation]
    corrected: str = Field("", description="The text, corrected where the new number is certain.")
