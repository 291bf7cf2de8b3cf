"""Groups of pages that are made together, and digests of everything that they may depend on."""

from dataclasses import dataclass, replace
from functools import cached_property

from variorum.answers.editions import EditionEntry
from variorum_site.output_folder import EarlierGroup, digest_of
from variorum_site.page_index import PageIndex, page_of
from variorum_site.page_inputs import PageInputs
from variorum_site.settings import SiteSettings


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that are made together.

    Attributes:
        kind: The name of their kind.
        inputs: A digest of everything that the pages depend on.
        first: The place of the edition or number that they show.
        is_last: Whether the pages also depend on the results of all other groups.
        earlier: The group in the manifest of the last build, if it was there.
    """

    kind: str
    name: str
    inputs: str
    first: int = 0
    is_last: bool = False
    earlier: EarlierGroup | None = None


class Inputs:
    """Digests of everything that pages may depend on."""

    def __init__(self, index: PageIndex, program: str, settings: SiteSettings) -> None:
        self.index = index
        self.editions = index.editions
        self.current = index.current
        self.settings = settings
        made_by = sorted(index.base.made_by().items())
        self.made_by = repr((program, made_by, settings.base_url))

    @cached_property
    def numbers(self) -> PageInputs:
        """Return the inputs of number and headword pages."""
        return PageInputs(self.index, digest_of(repr((self.made_by, self._heard)).encode()))

    @cached_property
    def everything(self) -> str:
        """Return a digest of the whole base."""
        editions = [self._of(edition) for edition in self.editions]
        rests_on = self.made_by, self._heard, self.current.label, editions
        return digest_of(repr(rests_on).encode())

    @cached_property
    def whole_site(self) -> str:
        """Return a digest of everything that the whole site depends on."""
        # The day matters only through the edition in force.
        settings = replace(self.settings, day=None)
        return digest_of(repr((self.everything, self.index.base.digest, settings)).encode())

    def around(self, place: int) -> str:
        """Return a digest of an edition and its neighbours, which its steps depend on."""
        near = [self._of(edition) for edition in self.editions[max(place - 2, 0) : place + 2]]
        day = self.editions[place].effective
        same_day = [candidate.label for candidate in self.editions if candidate.effective == day]
        heard = [
            sha256
            for sha256, first, last in self._heard
            if first is not None and last is not None and first <= place <= last
        ]
        standing = (place > self.current.place) - (place < self.current.place)
        rests_on = (self.made_by, near, same_day, heard, standing, self._today(place))
        return digest_of(repr(rests_on).encode())

    def _today(self, place: int) -> list[object]:
        """Return the pages of today's heirs of an edition's chapters and sections."""
        heirs = self.index.heirs_of_heads(place).values()
        return [heir if heir is None else page_of(self.index.states[heir]) for heir in heirs]

    @cached_property
    def _heard(self) -> list[tuple[str, int | None, int | None]]:
        """Return the witnesses, each with the first and last edition that it can come from."""
        places = {edition.label: edition.place for edition in self.editions}
        places_of = places.get
        return [
            (witness.sha256, places_of(witness.from_ or ""), places_of(witness.to or ""))
            for witness in self.index.witnesses.all()
        ]

    def _of(self, edition: EditionEntry) -> tuple[object, ...]:
        published = self.index.published(edition.sha256)
        names = edition.set_code, edition.set_name
        return edition.label, edition.sha256, edition.is_chosen, names, edition.doubts, published
