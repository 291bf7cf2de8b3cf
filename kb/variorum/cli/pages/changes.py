"""Format the changes between two editions, grouped by section."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Protocol

from variorum.answers.diff import NONE, TYPOGRAPHIC, Change, Changes, summary
from variorum.cli.pages.diff import CONTEXT, diff_paragraph, marked, paragraph, with_examples_named
from variorum.cli.pages.steps import CLASSES, REMOVED, doubt_of, step_words, with_doubt
from variorum.rows import COPIED, MERGED, SPLIT, UNCERTAIN, Row, count_examples, kinds_of, name_of
from variorum.terminal import bold
from variorum.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from variorum.answers.diff import SubjectChanges
    from variorum.history.word_diffs.diff import Piece
    from variorum.records.lineage import BearerThere

# As in history/word_diffs/diff.py.
GONE, CAME = "-", "+"


class Headings(Protocol):
    """Returns the heading of a section in one of two editions, or ""."""

    def __call__(self, section: str, *, is_old: bool) -> str:
        """Return the heading."""
        ...


class ChangesPrinter:
    """Formats changes."""

    def __init__(self, changes: Changes, headings: Headings, width: int) -> None:
        self._changes = changes
        self._headings = headings
        self.width = width

    def title(self) -> str:
        """Return the line that names both editions."""
        old, new = self._changes.from_edition, self._changes.to_edition
        return bold(f"From the edition of {old} to that of {new}")

    def counts(self) -> Iterator[str]:
        """Yield the counts of changes."""
        counts = summary(self._changes)
        renamed = [
            change for change in self._changes.all if change.is_moved_only and _is_entry(change)
        ]
        parts = (
            (counts.same, "the same"),
            (counts.substantive, "reworded"),
            (counts.new, "new"),
            (counts.gone, REMOVED),
            (counts.parts, "split off or copied"),
            (counts.moved_only, f"only renumbered{' or renamed' if renamed else ''}"),
            (counts.citation_only, "only citing new numbers"),
            (counts.sweep, "with wording changed throughout"),
            (counts.typographic, "changed in typography"),
        )
        listed = ", ".join([f"{number:,} {noun}" for number, noun in parts if number])
        line = f"{counted(counts.provisions, 'provision')}: {listed}"
        yield from paragraph(line, 2, self.width)
        if counts.words_gone or counts.words_came:
            went, came = counted(counts.words_gone, "word"), f"{counts.words_came:,}"
            yield f"  {went} removed, {came} added"

    def sweeps(self) -> Iterator[str]:
        """Yield each wording that was changed throughout, with its count."""
        if self._changes.swept:
            yield bold("Wording changed throughout")
        for before, after, count in self._changes.swept:
            yield f"  {before} → {after or '(removed)'}: in {counted(count, 'provision')}"
        if self._changes.swept:
            yield ""

    def listed(
        self,
        changes: Sequence[Change],
        *,
        context: int | None = CONTEXT,
        in_sections: bool = True,
        with_sweeps: bool = True,
    ) -> Iterator[str]:
        """Yield the list of changes, which follows the counts.

        Args:
            changes: Those to show.
            context: How many unchanged words to show around a change; None for all.
            in_sections: Group them under the headings of their sections.
            with_sweeps: The list follows a list of wording changed throughout.
        """
        yield from self.sweeps() if with_sweeps else ()
        reworded = [change for change in changes if not change.is_moved_only]
        if in_sections:
            yield from self.sections(reworded, context)
        else:
            yield from (
                line for change in reworded for line in self.change(change, context=context)
            )
            yield ""
        yield from self.moves([change for change in changes if change.is_moved_only])

    def subject(
        self, answer: "SubjectChanges", shows: Callable[[Change], bool], *, is_summary: bool
    ) -> Iterator[str]:
        """Yield what changed in a provision and its subrules.

        Args:
            answer: The changes.
            shows: Returns whether to show a change.
            is_summary: Leave the list of changes out.
        """
        yield self.title()
        yield from paragraph(_subject_line(answer), 2, self.width)
        for other_bearer in answer.others:
            line = _other_line(other_bearer, answer.changes)
            yield from paragraph(line, 2, self.width)
        count = answer.changes.same + len(answer.changes.all)
        if not answer.changes.all:
            rules = f", with its {counted(count - 1, 'subrule')}" if count > 1 else ""
            words = f"the same in both editions{rules}; unchanged since {answer.unchanged_since}"
            yield from paragraph(words, 2, self.width)
            return
        if count == 1 and answer.changes.all[0].is_moved_only:
            yield f"  {_kinds(answer.changes.all[0])}, in the same words"
            return
        if count > 1 or is_summary:
            yield from self.counts()
        if is_summary:
            return
        yield ""
        is_large = any(
            provision.kind in {"section", "chapter"} for provision in (*answer.old, *answer.new)
        )
        shown = [*filter(shows, answer.changes.all)]
        yield from self.listed(shown, context=CONTEXT if is_large else None)

    def sections(self, changes: Sequence[Change], context: int | None) -> Iterator[str]:
        """Yield changes grouped under the headings of their sections."""
        for title, group in self._by_section(changes).items():
            yield bold(title)
            for change in group:
                yield from self.change(change, context=context)
            yield ""

    def _by_section(self, changes: Sequence[Change]) -> dict[str, list[Change]]:
        """Return changes by the title of their section: the newer edition's, or the older's if removed.

        A section that kept its number and heading has one title.
        """
        by_section: dict[str, list[Change]] = {}
        for change in changes:
            by_section.setdefault(self._title_of(change), []).append(change)
        return by_section

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
        yield f"  {bold(_names(change))}  {_kinds(change)}"
        with_another = change.is_part or _is_merged(change)
        if change.new is not None and change.old is not None and not with_another:
            heading = _heading_diff(change.old, change.new)
            if heading:
                yield from diff_paragraph(heading, 4, self.width)
        if change.change != NONE:
            text = marked(_pieces(change), context=None if with_another else context)
            yield from diff_paragraph(text, 4, self.width)

    def moves(self, changes: Sequence[Change]) -> Iterator[str]:
        """Yield the provisions that were only renumbered, a line for each section."""
        rules = [change for change in changes if not _is_entry(change)]
        yield from self._moved("Only renumbered", rules)
        yield from self._moved("Only renamed", [change for change in changes if _is_entry(change)])

    def _moved(self, title: str, changes: Sequence[Change]) -> Iterator[str]:
        if changes:
            yield bold(title)
        for (old, bearer), group in groupby(changes, key=_sections_of_move):
            rows = list(group)
            if len(rows) > 2 and old != "Glossary":  # noqa: PLR2004 - more are a range
                first, last = rows[0], rows[-1]
                doubt = doubt_of(min(rows, key=lambda row: row.confidence))
                ends = f"{_range(first.old, last.old)} → {_range(first.new, last.new)}"
                yield f"  {ends} ({len(rows)}{f', {doubt}' if doubt else ''})"
            else:
                for row in rows:
                    doubt = "" if row.bits & UNCERTAIN else doubt_of(row)
                    yield f"  {_names(row)}{f' ({doubt})' if doubt else ''}"
            del bearer
        if changes:
            yield ""


def _subject_line(answer: "SubjectChanges") -> str:
    """Return the line that names the provision in both editions."""
    old, new = (
        ", ".join([provision.name for provision in side]) for side in (answer.old, answer.new)
    )
    gist = next(
        (provision.gist for provision in (*answer.new, *answer.old) if provision.number), ""
    )
    changes = answer.changes
    if not old:
        return f"{new}  {gist} (not in {changes.from_edition})"
    if not new:
        return f"{old}  {gist} (not in {changes.to_edition})"
    return f"{old if old == new else f'{old} → {new}'}  {gist}".rstrip()


def _other_line(bearer: "BearerThere", changes: Changes) -> str:
    """Return the line about another provision that had the number."""
    edition = bearer.edition
    there = changes.to_edition if edition == changes.from_edition else changes.from_edition
    name = bearer.elsewhere
    where = f"{name} in {there}" if name else f"not in {there}"
    return f"{bearer.number} in {edition} is another rule: {bearer.gist} ({where})"


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
    if change.is_part or not old:
        return f"+ {new}"
    if not new:
        return f"- {old}"
    return old if old == new else f"{old} → {new}"


def _kinds(change: Change) -> str:
    ends = [None if row is None else name_of(row) for row in (change.old, change.new)]
    named = step_words([kind for kind in kinds_of(change.bits) if kind != "kept"], *ends)
    if change.is_part and change.old is not None:
        how = "copied" if change.bits & COPIED and not change.bits & SPLIT else "split off"
        return with_doubt(f"{how} from {name_of(change.old)}", change)
    words, of_class = ", ".join(dict.fromkeys(named)), CLASSES.get(change.change, "")
    words = words if of_class in words else f"{words} {of_class}".lstrip()
    return with_doubt(words, change)


def _pieces(change: Change) -> "Sequence[Piece]":
    """Return the word diff of a change, with examples named."""
    # Only an exact diff gives the older text letter for letter.
    pieces = change.pieces(exactly=change.change == TYPOGRAPHIC or _is_merged(change))
    before, after = (
        0 if row is None else count_examples(row.body) for row in (change.old, change.new)
    )
    named = with_examples_named(pieces, before, after)
    # After a split or a merger, the other words are shown with the provision that they are from.
    elsewhere = GONE if change.is_part else CAME if _is_merged(change) else ""
    return [piece for piece in named if piece[0] != elsewhere]


def _is_merged(change: Change) -> bool:
    """Return whether the words of a provision went into the heir of another."""
    return bool(change.bits & MERGED and change.new is not None and not change.is_part)


def _titled(section: str, heading: str) -> str:
    return f"{section}. {heading}" if heading else section


def _section(change: Change) -> str:
    """Return the section of a change: in the newer edition, or in the older for a removed provision."""
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
