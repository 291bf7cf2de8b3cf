"""The story of a rule as its page tells it: what each edition did to it and to all below it."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache, cached_property
from typing import NamedTuple

from variorum.answers.number_histories import End, Life, NumberHolder
from variorum.answers.readings import LifeReading, Relative
from variorum.cli.layout import named_examples, with_examples
from variorum.permalinks import slug_of
from variorum.records.lineage import SubruleStep
from variorum.rows import SHOWN_CERTAIN, State, count_examples, headword_of, wording_of
from variorum.text import percent
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex, called, page_of, page_of_name
from variorum_site.pages.markup import Html, Link, set_columns, set_text, unmarked
from variorum_site.pages.timeline import life_line, signs
from variorum_site.pages.witnesses import AttestationView, Attested
from variorum_site.render import in_words

# Labels for changes that keep the meaning.
QUIET = {
    "sweep": "wording changed in many rules at once",
    "citation-only": "only cites new numbers",
    "typographic": "typography",
}
# What happened to the rules below, and for how many of them it says which.
_BELOW = {
    "new": "new",
    "moved_in": "from elsewhere",
    "parts": "split off or copied",
    "substantive": "reworded",
    "merged": "merged",
    "moved_out": "moved elsewhere",
    "gone": "removed",
    "uncertain": "uncertain",
    "sweep": "with a wording that changed in many rules at once",
    "moved_only": "only renumbered",
}
_COUNTED = {"sweep", "moved_only"}
_NAMED = 12


class Wording(NamedTuple):
    """The words of a provision under one number, until they changed in substance.

    Attributes:
        holder: The provision.
        state: Its last state.
        number: The id of that state.
        first: The place of its first edition.
        last: The place of its last edition.
    """

    holder: NumberHolder
    state: State
    number: int
    first: int
    last: int


class Row(NamedTuple):
    """What an edition did.

    Attributes:
        anchor: Its anchor; "" if another part of the page has it.
        day: Its day, linked to the rule as this edition prints it.
        edition: Its name, linked to its changes.
        name: The number or headword that it gave; "" if that stayed.
        what: What happened, in words.
        sure: How sure that is; "" if nearly certain.
        read: The reason that people gave who read both editions; "" if nobody did.
        relatives: The provisions that words came from or went to.
        sides: The old and the new words; "" if they can't be compared.
        words: The words in full, where no later row shows them beside others.
        page: The page of these words; None if it is this page.
        below: What happened to the rules below, in groups: words, links, and how many more.
        announced: What bulletins announced about it.
    """

    anchor: str
    day: Link
    edition: Link
    name: str = ""
    what: str = ""
    sure: str = ""
    read: str = ""
    relatives: tuple[tuple[str, Link, str], ...] = ()
    sides: tuple[Html, Html] = (Html(""), Html(""))
    words: Html = Html("")
    page: Link | None = None
    below: tuple[tuple[str, tuple[Link, ...], int], ...] = ()
    announced: tuple[AttestationView, ...] = ()


class Story(NamedTuple):
    """The story of a provision: a picture, what editions did, the latest first, and how it ended.

    `quiet` lists the editions that changed only typography or citations.
    """

    picture: Html
    signs: list[tuple[str, str]]
    rows: list[Row]
    quiet: list[Link]
    ending: str
    heirs: list[tuple[str, Link, str]]


class Stories:
    """Tells the stories of provisions."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self._current = index.current.place
        self._days = [edition.effective for edition in index.editions[: self._current + 1]]
        self._wordings: dict[urls.Page, dict[str, list[Wording]]] = {}

    # Wordings ------------------------------------------------------------------------------------

    def wordings(self, page: urls.Page) -> dict[str, list[Wording]]:
        """Return the wordings of all holders of a number, by their first editions."""
        known = self._wordings.get(page)
        if known is None:
            known = self._wordings[page] = {}
            for holder in self._index.holders(page):
                for wording in self.wordings_of(page, holder):
                    known.setdefault(self._index.labels[wording.first], []).append(wording)
        return known

    def wordings_of(self, page: urls.Page, holder: NumberHolder) -> list[Wording]:
        """Return the wordings of a provision under one of its numbers, oldest first."""
        wordings: list[Wording] = []
        before: LifeReading | None = None
        for reading in self._index.life(holder.end).readings:
            first, last = (
                max(reading.first, holder.runs[0][0]),
                min(reading.last, holder.runs[-1][1]),
            )
            if page_of(reading.state) == page and first <= last:
                if before is not None and wordings and reading.change != "substantive":
                    first = wordings.pop().first
                wordings.append(Wording(holder, reading.state, reading.number, first, last))
                before = reading
            else:
                before = None
        return wordings

    @cache  # noqa: B019 - stories and their base go together
    def paged(self, page: urls.Page) -> frozenset[str]:
        """Return the editions that began the wordings of a number that have pages of their own.

        The last wording of the number's last holder is on the number's page.
        """
        if page.startswith(urls.GLOSSARY) or not self.wordings(page):
            return frozenset()
        shown = self.wordings_of(page, self._index.holders(page)[0])[-1]
        return frozenset(
            [
                label
                for label, wordings in self.wordings(page).items()
                if any(it.state.body for it in wordings) and wordings != [shown]
            ]
        )

    # Stories -------------------------------------------------------------------------------------

    def story(
        self, here: urls.Page, end: End, seen: Attested, anchors: set[str], *, is_current: bool
    ) -> Story:
        """Return the story of a provision.

        Args:
            here: The page that tells it.
            end: The end of its history.
            seen: What other documents say about it.
            anchors: The anchors that the page has already; those of the story are added.
            is_current: Whether the page shows its present words.
        """
        life = self._index.life(end)
        rows, quiet = self._own_rows(here, life, seen, is_current=is_current)
        state = self._index.states[end.state]
        if state.kind == "section" or (state.kind == "rule" and state.address in self._parents):
            self._add_below(here, end, life, rows)
        for place, row in rows.items():
            label = self._index.labels[place]
            is_own = page_of(self._at(life, place)) == here and label not in anchors
            anchor = label if is_own else f"_{label}"
            anchor = anchor if anchor not in anchors else f"_{label}-{len(anchors)}"
            anchors.add(anchor)
            rows[place] = row._replace(anchor=anchor)
        ending = ""
        if life.gone is not None:
            ended = ", ".join(life.ending).replace("gone", "removed") or "removed"
            ending = f"{ended[:1].upper()}{ended[1:]} on {in_words(self._index.labels[life.gone])}"
        places = {place: row.anchor for place, row in rows.items()}
        return Story(
            picture=life_line(life, self._days, places) if len(life.readings) > 1 else Html(""),
            signs=signs(life),
            rows=[rows[place] for place in sorted(rows, reverse=True)],
            quiet=quiet,
            ending=ending,
            heirs=[self._relative(here, heir) for heir in life.heirs],
        )

    @cached_property
    def _parents(self) -> set[str]:
        """Return the addresses of all rules that ever had subrules."""
        return {state.parent for state in self._index.states.values() if state.kind == "subrule"}

    def _at(self, life: Life, place: int) -> State:
        return next(each.state for each in reversed(life.readings) if each.first <= place)

    def _own_rows(
        self, here: urls.Page, life: Life, seen: Attested, *, is_current: bool
    ) -> tuple[dict[int, Row], list[Link]]:
        """Return what happened to a provision itself, by edition, and the quiet changes."""
        rows: dict[int, Row] = {}
        quiet: list[Link] = []
        is_shown = is_current  # whether something above shows these words
        befores = [None, *life.readings]
        for before, reading in zip(reversed(befores[:-1]), reversed(life.readings), strict=True):
            label = self._index.labels[reading.first]
            changes = urls.link(here, urls.changes(label)) if reading.first else ""
            is_renamed = before is None or called(before.state) != called(reading.state)
            if before is not None and not is_renamed and not says_more(reading):
                quiet.append(Link(in_words(label), changes))
                continue
            can_compare = before is not None and bool(before.state.body) == bool(reading.state.body)
            sides = Html(""), Html("")
            if before is not None and can_compare:
                counts = [count_examples(each.state.body) for each in (before, reading)]
                sides = set_columns(with_examples(reading.pieces, *counts))
            examples = count_examples(reading.state.body)
            whole = named_examples(wording_of(reading.state), examples)
            words = Html("") if is_shown else set_text(whole, ())
            page, own = page_of(reading.state), None
            if label in self.paged(page):
                own = Link("these words", urls.link(here, urls.wording(page, label)))
            rows[reading.first] = Row(
                anchor="",
                day=self.day(here, reading.number, reading.first),
                edition=Link(self._name(reading.first), changes),
                name=unmarked(called(reading.state)) if is_renamed else "",
                what=what_happened(reading),
                sure="" if reading.confidence >= SHOWN_CERTAIN else percent(reading.confidence),
                read=self._index.read_reason(reading),
                relatives=tuple([self._relative(here, kin) for kin in reading.relatives]),
                sides=sides,
                words=words,
                page=own,
                announced=seen.announced.get(label, ()),
            )
            is_shown = bool(sides[0]) or can_compare
        return rows, quiet

    def _add_below(self, here: urls.Page, end: End, life: Life, rows: dict[int, Row]) -> None:
        """Add what editions did to the rules below a provision."""
        below = self._index.subject(end.state, end.first).history().subrules
        places = {label: place for place, label in enumerate(self._index.labels)}
        for changed in below.editions if below else ():
            place = places[changed.edition]
            groups: dict[str, list[SubruleStep]] = {}
            for step in changed.changes:
                groups.setdefault(step.sort, []).append(step)
            told = tuple(
                [
                    (words, *self._named(here, changed.edition, groups[sort]))
                    for sort, words in _BELOW.items()
                    if sort in groups
                ]
            )
            if told and place <= self._current and place > life.readings[0].first:
                row = rows.get(place) or Row(
                    anchor="",
                    day=Link(in_words(changed.edition), ""),
                    edition=Link(self._name(place), urls.link(here, urls.changes(changed.edition))),
                )
                rows[place] = row._replace(below=told)

    def _named(
        self, here: urls.Page, label: str, steps: Sequence[SubruleStep]
    ) -> tuple[tuple[Link, ...], int]:
        """Return links to the rules of some steps into an edition, and how many more there are."""
        if steps[0].sort in _COUNTED:
            return (), len(steps)
        links: dict[str, Link] = {}
        for step in steps:
            old, new = step.from_ or "", step.to[0] if step.to else ""
            names = [name_in_words(name) for name in (old, new) if name]
            words = " → ".join(dict.fromkeys(names))
            if step.sort == "merged":
                words = f"{'the former ' if old == new else ''}{' into '.join(names)}"
            page = page_of_name(new or old)
            anchor = label if new and label in self.wordings(page) else ""
            href = urls.link(here, page, anchor) if self._index.has_page(page) else ""
            links.setdefault(words, Link(words, href))
        named = list(links.values())
        return tuple(named[:_NAMED]), max(0, len(named) - _NAMED)

    def _name(self, place: int) -> str:
        edition = self._index.editions[place]
        return edition.set_name or "changes"

    def _relative(self, here: urls.Page, relative: Relative) -> tuple[str, Link, str]:
        name = Link(name_in_words(relative.name), urls.link(here, page_of_name(relative.name)))
        return relative.how, name, in_words(self._index.labels[relative.edition])

    def since(self, life: Life) -> LifeReading:
        """Return the reading that began the present words, apart from typography and citations."""
        first = life.readings[-1]
        for reading in reversed(life.readings):
            first = reading
            if reading.change in {"sweep", "substantive"}:
                break
        return first

    # Days ----------------------------------------------------------------------------------------

    def day(self, here: urls.Page, state: int, edition: int) -> Link:
        """Return an edition's day, linked to what has a state's name there."""
        there = urls.link(here, *self.place_of(state, edition))
        return Link(in_words(self._index.labels[edition]), there)

    def place_of(self, state: int, edition: int) -> tuple[urls.Page, str]:
        """Return the page and anchor of what has a state's name in an edition."""
        row, spans = self._index.states[state], self._index.whole.spans[state]
        if any(first <= edition <= last for first, last in spans):
            return self._index.dated(state, edition)
        if row.kind == GLOSSARY:
            return urls.edition_glossary(self._index.labels[edition]), slug_of(row.heading)
        bearers = self._index.whole.bearers(row.number, edition)
        if bearers:
            return self._index.dated(bearers[0], edition)
        return urls.edition(self._index.labels[edition]), ""

    def until(self, edition: int) -> str:
        """Return the last day of an edition, the day before the next one; "" of the one in force."""
        if edition >= self._current:
            return ""
        last = self._days[edition + 1] - timedelta(days=1)
        return in_words(max(last, self._days[edition]))

    def period(self, first: int, last: int) -> str:
        """Return when some editions were in force, in words."""
        start, until = in_words(self._index.labels[first]), self.until(last)
        if not until:
            return f"since {start}"
        return start if start == until else f"{start} to {until}"


def name_in_words(name: str) -> str:
    """Return a number, or how readers call an entry of the glossary."""
    headword = headword_of(name)
    return f"the entry “{unmarked(headword)}”" if headword else name


def what_happened(reading: LifeReading) -> str:
    """Return the event that began a reading, in words."""
    kinds = [kind for kind in reading.kinds if kind not in {"kept", "uncertain"}]
    if reading.change in QUIET:
        kinds = [kind for kind in kinds if kind != "reworded"] + [QUIET[reading.change]]
    if "uncertain" in reading.kinds:
        kinds.append("uncertain")
    return ", ".join(dict.fromkeys(kinds)) or ("" if reading.first else "in the first edition here")


def says_more(reading: LifeReading) -> bool:
    """Return whether a reading changes more than number, citations or typography."""
    return reading.change in {"substantive", "sweep"} or bool(
        reading.relatives or {"new", "split", "merged", "copied", "uncertain"} & set(reading.kinds)
    )
