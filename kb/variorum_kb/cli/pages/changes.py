"""Set what changed between two editions, grouped by section."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Protocol

from variorum_kb.answers.changes import CITATION, NONE, SWEEP, TYPOGRAPHIC, Change, Changes, summary
from variorum_kb.cli.pages.diff import bold, marked, named_examples, paragraph, with_examples_named
from variorum_kb.cli.pages.steps import REMOVED, step_words
from variorum_kb.rows import (
    COPIED,
    MERGED,
    SPLIT,
    UNCERTAIN,
    Row,
    count_examples,
    kinds_of,
    name_of,
    wording_of,
)
from variorum_kb.text.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from variorum_kb.answers.subject_changes import SubjectChanges
    from variorum_kb.forms.lineage import BearerThereJson
    from variorum_kb.forms.values import Piece

# As in history/diff.py.
GONE = "-"


class Headings(Protocol):
    """Gives the heading of a section in one of two editions, "" where there is none."""

    def __call__(self, section: str, *, is_old: bool) -> str:
        """Return it."""
        ...


class ChangesPrinter:
    """Sets changes.

    Attributes:
        width: Of the terminal; 0 sets a paragraph a line.
        colour: Whether numbers and marks are coloured.
    """

    def __init__(self, changes: Changes, headings: Headings, width: int, *, colour: bool) -> None:
        self._changes = changes
        self._headings = headings
        self.width = width
        self.colour = colour

    def title(self) -> str:
        """Return the line that names both editions."""
        one, other = self._changes.from_edition, self._changes.to_edition
        return bold(f"From the edition of {one} to that of {other}", is_coloured=self.colour)

    def counts(self) -> Iterator[str]:
        """Yield how much changed."""
        found = summary(self._changes)
        renamed = [one for one in self._changes.all if one.is_moved_only and _is_entry(one)]
        parts = (
            (found["same"], "the same"),
            (found["substantive"], "reworded"),
            (found["new"], "new"),
            (found["gone"], REMOVED),
            (found["parts"], "split off or copied"),
            (found["moved_only"], f"only renumbered{' or renamed' if renamed else ''}"),
            (found["citation_only"], "only citing new numbers"),
            (found["sweep"], "changed by words replaced throughout"),
            (found["typographic"], "changed in typography"),
        )
        told = ", ".join([f"{number:,} {what}" for number, what in parts if number])
        line = f"{counted(found['provisions'], 'provision')}: {told}"
        yield from paragraph(line, 2, self.width, is_coloured=False)
        if found["words_gone"] or found["words_came"]:
            went, came = counted(found["words_gone"], "word"), f"{found['words_came']:,}"
            yield f"  {went} removed, {came} added"

    def sweeps(self) -> Iterator[str]:
        """Yield what was replaced all over, once, with its count."""
        if self._changes.swept:
            yield bold("Replaced throughout", is_coloured=self.colour)
        for before, after, count in self._changes.swept:
            yield f"  {before} → {after or 'nothing'}: in {counted(count, 'provision')}"
        if self._changes.swept:
            yield ""

    def listed(
        self,
        changes: Sequence[Change],
        form: str,
        *,
        context: int | None = 8,
        in_sections: bool = True,
        with_sweeps: bool = True,
    ) -> Iterator[str]:
        """Yield changes as they are listed below the counts.

        Args:
            changes: Those to show.
            form: "page", "stat" or "summary".
            context: How many of the words that stayed stand around a change; None for all.
            in_sections: Below the headings of their sections; else in the order given.
            with_sweeps: Below what was replaced throughout.
        """
        if form == "stat":
            yield from self.stat(changes)
        if form == "page":
            yield from self.sweeps() if with_sweeps else ()
            reworded = [change for change in changes if not change.is_moved_only]
            if in_sections:
                yield from self.sections(reworded, context)
            else:
                yield from (
                    line for change in reworded for line in self.change(change, context=context)
                )
                yield ""
            yield from self.moves([one for one in changes if one.is_moved_only])

    def subject(
        self, found: "SubjectChanges", form: str, shows: Callable[[Change], bool]
    ) -> Iterator[str]:
        """Yield what changed in a provision and its subrules.

        Args:
            found: The changes.
            form: "page", "stat", "summary" or "unified".
            shows: Returns whether to show a change.
        """
        shown = [*filter(shows, found.changes.all)]
        if form == "unified":
            yield from self.unified(shown)
            return
        yield self.title()
        yield from paragraph(_subject_line(found), 2, self.width, is_coloured=False)
        for other in found.others:
            line = _other_line(other, found.changes)
            yield from paragraph(line, 2, self.width, is_coloured=False)
        count = found.changes.same + len(found.changes.all)
        if not found.changes.all:
            rules = f", with its {counted(count - 1, 'subrule')}" if count > 1 else ""
            words = f"the same in both editions{rules}; unchanged since {found.unchanged_since}"
            yield from paragraph(words, 2, self.width, is_coloured=False)
            return
        if count == 1 and found.changes.all[0].is_moved_only:
            yield f"  {_kinds(found.changes.all[0])}, in the same words"
            return
        if count > 1 or form != "page":
            yield from self.counts()
        yield ""
        is_large = any(one.kind in {"section", "chapter"} for one in (*found.old, *found.new))
        yield from self.listed(shown, form, context=8 if is_large else None)

    def sections(self, changes: Sequence[Change], context: int | None) -> Iterator[str]:
        """Yield changes below the headings of their sections, each section once."""
        for title, group in self._by_section(changes).items():
            yield bold(title, is_coloured=self.colour)
            for change in group:
                yield from self.change(change, context=context)
            yield ""

    def _by_section(self, changes: Sequence[Change]) -> dict[str, list[Change]]:
        """Return changes by the titles of the newer edition's sections, what is gone by the older's.

        A section whose number and heading stayed has both below one title.
        """
        found: dict[str, list[Change]] = {}
        for change in changes:
            found.setdefault(self._title_of(change), []).append(change)
        return found

    def _title_of(self, change: Change) -> str:
        section = _section(change)
        if change.new is not None:
            return _titled(section, self._headings(section, is_old=False))
        title = _titled(section, self._headings(section, is_old=True))
        if title == _titled(section, self._headings(section, is_old=False)):
            return title
        return f"{title} (in {self._changes.from_edition})"

    def change(self, change: Change, *, context: int | None) -> Iterator[str]:
        """Yield a change."""
        yield f"  {bold(_names(change), is_coloured=self.colour)}  {_kinds(change)}"
        if change.bits & MERGED and change.new is not None and not change.is_part:
            return
        if change.new is not None and change.old is not None and not change.is_part:
            heading = _heading_diff(change.old, change.new)
            if heading:
                yield from paragraph(heading, 4, self.width, is_coloured=self.colour)
        if change.change != NONE:
            text = marked(_pieces(change), context=None if change.is_part else context)
            yield from paragraph(text, 4, self.width, is_coloured=self.colour)

    def moves(self, changes: Sequence[Change]) -> Iterator[str]:
        """Yield what was only renumbered, a line for each section."""
        rules = [one for one in changes if not _is_entry(one)]
        yield from self._moved("Only renumbered", rules)
        yield from self._moved("Only renamed", [one for one in changes if _is_entry(one)])

    def _moved(self, title: str, changes: Sequence[Change]) -> Iterator[str]:
        if changes:
            yield bold(title, is_coloured=self.colour)
        for (one, other), group in groupby(changes, key=_sections_of_move):
            rows = list(group)
            if len(rows) > 2 and one != "Glossary":  # noqa: PLR2004 - more are a range
                first, last = rows[0], rows[-1]
                yield f"  {_range(first.old, last.old)} → {_range(first.new, last.new)} ({len(rows)})"
            else:
                yield from (f"  {_names(row)}" for row in rows)
            del other
        if changes:
            yield ""

    def stat(self, changes: Sequence[Change]) -> Iterator[str]:
        """Yield a line for each section that changed."""
        yield f"  {'':<34}{'new':>6}{REMOVED:>9}{'reworded':>10}{'moved':>7}"
        for title, rows in self._by_section(changes).items():
            new, gone = sum(one.is_new for one in rows), sum(one.is_gone for one in rows)
            moved = sum(one.is_moved_only for one in rows)
            reworded = len(rows) - new - gone - moved
            yield f"  {title[:32]:<34}{new:>6}{gone:>9}{reworded:>10}{moved:>7}"

    def unified(self, changes: Sequence[Change]) -> Iterator[str]:
        """Yield changes as programs for patches show them, a paragraph a line."""
        yield f"--- {self._changes.from_edition}"
        yield f"+++ {self._changes.to_edition}"
        for change in changes:
            yield f"@@ {_names(change)} @@ {_kinds(change)}"
            for sign, row in (("-", change.old), ("+", change.new)):
                if row is not None and not change.is_moved_only:
                    words = named_examples(wording_of(row), count_examples(row.body))
                    yield from (f"{sign}{line}" for line in words.split("\n"))


def _subject_line(found: "SubjectChanges") -> str:
    """Return what a question names in both editions."""
    old, new = (", ".join([one.name for one in side]) for side in (found.old, found.new))
    gist = next((one.gist for one in (*found.new, *found.old) if one.number), "")
    changes = found.changes
    if not old:
        return f"{new}  {gist} (not in {changes.from_edition})"
    if not new:
        return f"{old}  {gist} (not in {changes.to_edition})"
    return f"{old if old == new else f'{old} → {new}'}  {gist}".rstrip()


def _other_line(other: "BearerThereJson", changes: Changes) -> str:
    """Return the line that names another bearer of the number."""
    edition = other["edition"]
    there = changes.to_edition if edition == changes.from_edition else changes.from_edition
    name = other["elsewhere"]
    where = f"{name} in {there}" if name else f"not in {there}"
    return f"{other['number']} in {edition} is another rule: {other['gist']} ({where})"


def _heading_diff(old: Row, new: Row) -> str:
    if not old.heading or old.heading == new.heading or not (old.body or new.body):
        return ""
    return f"{old.heading} → {new.heading}"


def _names(change: Change) -> str:
    old = "" if change.old is None else name_of(change.old)
    news = [] if change.new is None else [change.new, *change.others]
    new = ", ".join([name_of(row) for row in news])
    if change.bits & UNCERTAIN and new:
        new = f"perhaps {new}"
    if change.is_part:
        return f"+ {new}"
    if not old:
        return f"+ {new}"
    if not new:
        return f"- {old}"
    return old if old == new else f"{old} → {new}"


def _kinds(change: Change) -> str:
    ends = [None if row is None else name_of(row) for row in (change.old, change.new)]
    named = step_words([kind for kind in kinds_of(change.bits) if kind != "kept"], *ends)
    if change.is_part and change.old is not None:
        how = "copied" if change.bits & COPIED and not change.bits & SPLIT else "split off"
        return f"{how} from {name_of(change.old)}"
    if change.change in {TYPOGRAPHIC, CITATION, SWEEP}:
        named.append(f"({change.change})")
    return ", ".join(dict.fromkeys(named))


def _pieces(change: Change) -> "Sequence[Piece]":
    """Return the word diff of a change, with examples named."""
    pieces = change.pieces(exactly=change.change == TYPOGRAPHIC)
    before, after = (
        0 if row is None else count_examples(row.body) for row in (change.old, change.new)
    )
    named = with_examples_named(pieces, before, after)
    # Of a part, what stayed behind is told with its own heir.
    return [piece for piece in named if piece[0] != GONE] if change.is_part else named


def _titled(section: str, heading: str) -> str:
    return f"{section}. {heading}" if heading else section


def _section(change: Change) -> str:
    """Return the section that a change stands under: that of the newer edition if it is there."""
    row = change.new if change.new is not None else change.old
    if row is None or row.kind == "glossary":
        return "Glossary"
    return row.address.partition(".")[0]


def _is_entry(change: Change) -> bool:
    return _section(change) == "Glossary"


def _sections_of_move(change: Change) -> tuple[str, str]:
    if change.old is None or change.new is None:
        return "", ""
    return _above(change.old), _above(change.new)


def _above(row: Row) -> str:
    return "Glossary" if row.kind == "glossary" else row.address.partition(".")[0]


def _range(first: Row | None, last: Row | None) -> str:
    if first is None or last is None:
        return ""
    return f"{name_of(first)} … {name_of(last)}"
