"""The subject of a question: a provision with its subrules, in an edition and through time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from variorum.answers.editions import EditionEntry
from variorum.answers.finding import find_earlier
from variorum.history.lineages import Destination, Stretch, walk
from variorum.records.edition import Irregularity
from variorum.records.lineage import OtherRule
from variorum.records.provision import Moved, Provision
from variorum.rows import State, examples_of, name_of, split_body, text_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase


@dataclass(frozen=True, slots=True)
class Subject:
    """A provision through time, as found in one edition, with its subrules.

    `asked` is the number or headword asked for, if no edition was named; `move` is how it came to have
    another name than the one asked for.
    """

    base: "KnowledgeBase" = field(compare=False, repr=False)
    edition: EditionEntry = field(hash=False)
    state: State
    asked: str = field(default="", compare=False)
    move: Moved | None = field(default=None, compare=False)

    # As the edition has it -----------------------------------------------------------------------

    @property
    def kind(self) -> str:
        return self.state.kind

    @property
    def number(self) -> str:
        return self.state.number

    @property
    def address(self) -> str:
        """Return the number, with #1, #2 if it is printed twice; for an entry, the headword."""
        return self.state.address

    @property
    def heading(self) -> str:
        return self.state.heading

    @property
    def parent(self) -> str:
        return self.state.parent

    @property
    def meant(self) -> str:
        return self.state.meant

    @property
    def name(self) -> str:
        return name_of(self.state)

    @property
    def text(self) -> str:
        return text_of(self.state.body)

    @property
    def paragraphs(self) -> list[tuple[str, str]]:
        """Return all paragraphs in printed order: ("Example:" or "", words)."""
        return split_body(self.state.body)

    @property
    def gist(self) -> str:
        return self.base.gist(self.state, self.edition.place)

    def record(self, asked: str = "") -> Provision:
        """Return it as answers give it; for a number asked for, with the number's earlier rules."""
        return Provision(
            edition=self.edition.label,
            doubts=list(self.edition.doubts),
            number=self.number,
            address=self.address,
            kind=self.kind,
            heading=self.heading,
            text=self.text,
            examples=examples_of(self.state.body),
            parent=self.parent or None,
            children=[child.address for child in self.children()],
            irregularities=irregularities_of(self.state),
            asked=asked or self.address,
            moved=self.move,
            term=self.heading if self.kind == "glossary" else None,
            earlier=self.earlier() if asked else None,
        )

    # Around it -----------------------------------------------------------------------------------

    def children(self) -> "tuple[Subject, ...]":
        """Return the provisions directly below it, in the order of numbers."""
        states = self.base.below(self.address, self.edition.place) if self.number else ()
        return tuple([Subject(self.base, self.edition, state) for state in states])

    def tree(self) -> "Iterator[Subject]":
        """Yield all provisions below it."""
        for child in () if self.kind == "subrule" else self.children():
            yield child
            yield from child.tree()

    def path(self) -> "tuple[Subject, ...]":
        """Return the provisions above it, the chapter first."""
        above = self.base.above(self.state, self.edition.place)
        return tuple([Subject(self.base, self.edition, state) for state in reversed(above)])

    # Through time --------------------------------------------------------------------------------

    @property
    def lineage(self) -> list[Stretch]:
        return self.base.lineages.life(self.state.id, self.edition.place)

    def earlier(self) -> list[OtherRule]:
        """Return the other provisions that the number asked for meant before its edition."""
        return find_earlier(self.base, self.state, self.move, self.edition.place)

    def destination(self, target: EditionEntry) -> Destination:
        """Return where it is in another edition, earlier or later."""
        state, place = self.state.id, self.edition.place
        return walk(self.base.lineages, [state], place, target.place)[state]

    @property
    def today(self) -> "Subject | None":
        """Return its main heir in the edition in force; None if it is gone.

        If its edition is not in force yet, return the provision itself.
        """
        current = self.base.current
        if current is None or current.place <= self.edition.place:
            return self
        heir = self.destination(current).heir
        return None if heir is None else self.base.at(heir, current.place)


def heirs_of(
    base: "KnowledgeBase", states: Iterable[int], edition: int, target: int
) -> dict[int, int | None]:
    """Return the heirs of some states of an edition in another; None for a removed provision."""
    destinations = walk(base.lineages, states, edition, target)
    return {state: destination.heir for state, destination in destinations.items()}


def irregularities_of(state: State) -> list[Irregularity]:
    """Return the misprints of a provision."""
    return msgspec.json.decode(state.irregularities or "[]", type=list[Irregularity])
