"""`cr diff`, `cr changes` and `cr since`: one answer about the changes between two editions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import click
from msgspec import structs

from variorum import rows
from variorum.answers.diff import (
    CITATION,
    NONE,
    SUBSTANTIVE,
    SWEEP,
    TYPOGRAPHIC,
    Change,
    Changes,
    SubjectChanges,
    diff_of,
    find_changes,
    subject_changes,
    summary,
)
from variorum.answers.digest import digest_of, swept_in
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import parse_questions
from variorum.cli import command as opts
from variorum.cli import layout as lay
from variorum.cli.designators import begins_with_number, edition_and_question, take_pair, take_start
from variorum.cli.moves import then_and_now
from variorum.cli.witnesses import list_announcements
from variorum.errors import FINDINGS, NotFoundError
from variorum.records.document import Attestation
from variorum.records.lineage import DiffSummary
from variorum.terminal import bold
from variorum.text import counted, shortened

# What `--kind` names, in the words that are printed; the former words still work.
KINDS = ("new", "removed", "renumbered", "reworded", "throughout", "citations", "typographic")
_FORMER = {"added": "new", "moved": "renumbered"}
_OF_CLASS = {
    SUBSTANTIVE: "reworded",
    SWEEP: "throughout",
    CITATION: "citations",
    TYPOGRAPHIC: "typographic",
}
# The classes of change shown by default for whole editions; for one provision, all are shown.
_BY_DEFAULT = (SUBSTANTIVE, NONE)
# Former options, each for a class.
_SWITCHES = {
    "substantive": SUBSTANTIVE,
    "sweeps": SWEEP,
    "citations": CITATION,
    "typographic": TYPOGRAPHIC,
    "moves": NONE,
}
_MOVES = rows.RENUMBERED | rows.SPLIT | rows.MERGED | rows.COPIED
# More changes than this begin with a digest.
_SCREEN = 100
_MOST_NAMED, _MOST_KEYWORDS, _LOST = 6, 18, 56


class _Kind(click.Choice[str]):
    """A kind of changes, also by its former name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - as click has it
        return super().convert(_FORMER.get(value, value), param, ctx)


_OPTIONS = (
    opts.flag("is_whole", "List all changes, where a digest would come first.", "--all"),
    opts.value(
        "kinds",
        "KIND",
        f"List changes of this kind: {', '.join(KINDS)}. By default the first four; for a NUMBER, "
        "all. May be repeated.",
        "--kind",
        type=_Kind(KINDS),
        multiple=True,
    ),
    opts.flag("is_summary", "Show counts only.", "--summary"),
    opts.flag("--glossary", "Show the entries of the glossary alone."),
    opts.value(
        "--sort",
        "ORDER",
        "number: as the newer edition prints them (the default); size: the largest changes first.",
        type=click.Choice(("number", "size")),
    ),
    opts.ONLY,
    opts.LIMIT,
    opts.EXIT_CODE,
    opts.JSON,
    opts.JSONL,
    *(click.Option([f"--{name}/--no-{name}"], default=None, hidden=True) for name in _SWITCHES),
)
_APART = ("--json --summary --all", "--summary --kind", "--summary --limit")


@opts.command(
    opts.words("A [B|FILE] [NUMBER|PATH...]", opts.complete_edition, required=True),
    opts.edition(
        "--on",
        "The edition that NUMBER is from. Default: the newer edition if it has NUMBER, else the older.",
    ),
    *_OPTIONS,
    apart=_APART,
    is_alone=False,
)
def diff(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer | None:
    """Show what changed from edition A to edition B, word by word.

    Many changes begin with a digest; --all lists them. Removed words are shown in [-brackets-],
    added words in {+braces+}. With a NUMBER, the rule and its subrules are compared even if they
    have other numbers in the other edition.

    FILE is a draft, or an edition that is not in force yet. It is compared with the newest edition
    before it. Citations that it would make wrong are listed: those in its own rules and glossary, and
    those in PATHS, your files and folders. The knowledge base stays as it is.

    cr diff 2005-02-01 current              what matters most
    cr diff 2005-02-01 current --all        everything
    cr diff M10 M11 704.5k                  one rule, also cr diff M10..M11 704.5k
    cr diff 2008-01-01 current 705          a section with its rules
    cr diff M10 current banding             a glossary entry
    cr diff M10 current --kind removed      only what was removed
    cr diff current new-rules.txt           what a draft would change
    cr diff current new-rules.txt src/      also citations in your files
    """
    if len(o.words) > 1 and opts.is_file_name(o.words[1]) and not begins_with_number(o.words[1:2]):
        from variorum.cli.draft import show_draft

        show_draft(base, o)
        return None
    editions, question = take_pair(base, o.words)
    return _answer(base, editions, question, o)


@opts.command(
    opts.words("[EDITION] [NUMBER]", opts.complete_edition),
    opts.edition("--on", "The edition; may be given here instead of as an argument."),
    *_OPTIONS,
    apart=_APART,
)
def changes(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what an edition changed, compared with the one before it.

    cr changes              the current edition
    cr changes M10
    cr changes M10 702.15   one rule and its subrules
    """
    edition, question = edition_and_question(base, o.words, o.on or "current")
    if o.on is not None and question != o.words:
        raise click.UsageError("name one edition")
    before = base.before(edition)
    if before is None:
        raise NotFoundError(f"{edition.label}: the first edition; nothing precedes it")
    announced = None if question else base.witnesses.announcements(edition)
    o.on = None
    return _answer(base, (before, edition), question, o, announced)


@opts.command(
    opts.words("DATE [NUMBER]", opts.complete_edition, required=True), *_OPTIONS, apart=_APART
)
def since(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what changed since a date, for returning players.

    Many changes begin with a digest; --all lists them. Here, a month or a year means its first day;
    in all other commands, its last.

    cr since 2019-06-01
    cr since 2019                 since 1 January 2019
    cr since 2019-06-01 702.19    one rule and its subrules
    cr since 2019 --sort size --limit 20    the largest changes
    """
    start, question = take_start(base, o.words)
    current = base.edition("current")
    o.on = None
    ends = (current, start) if start.place > current.place else (start, current)
    return _answer(base, ends, question, o)


# The answer ---------------------------------------------------------------------------------------


def _answer(
    base: KnowledgeBase,
    editions: tuple[EditionEntry, EditionEntry],
    question: Sequence[str],
    o: SimpleNamespace,
    announced: Sequence[Attestation] | None = None,
) -> opts.Answer:
    text = " ".join(question)
    o.glossary = o.glossary or text.casefold() == "glossary"
    text = "" if text.casefold() == "glossary" else text
    if text:
        for option, there in (
            ("--glossary", o.glossary),
            ("--limit", o.limit is not None),
            ("--sort", o.sort == "size"),
        ):
            opts.refuse_together((option, bool(there)), ("NUMBER", True))
    else:
        for option, there in (("--on", o.on is not None), ("--only", o.is_alone)):
            if there:
                raise click.UsageError(f"{option} needs a NUMBER or a term")
    classes = {
        change
        for name, change in _SWITCHES.items()
        if (bool(text) or change in _BY_DEFAULT if getattr(o, name) is None else getattr(o, name))
    }

    def has_kind(change: Change) -> bool:
        return not o.kinds or bool({*o.kinds} & {*_kinds_of(change)})

    def shows(change: Change) -> bool:
        return has_kind(change) if o.kinds else change.change in classes

    if text:
        subject = subject_changes(base, text, editions, o.on, is_alone=o.is_alone)
        compared, record = subject.changes, diff_of(subject, has_kind)
        lines = partial(ChangesPage(base, compared, editions).subject, subject, shows, o)
    else:
        compared = _compared(base, editions, o)
        record = diff_of(compared, has_kind)
        chosen = list(opts.limited(record.changes, o.limit)) if o.as_json else record.changes
        record = structs.replace(
            record, changes=chosen, announced=None if announced is None else list(announced)
        )
        o.announced = announced
        lines = partial(_lines, base, compared, editions, shows, o)
    is_any = any(map(shows, compared.all))

    def page() -> Iterator[str]:
        yield from trimmed(lines())
        if o.kinds and not is_any:
            yield f"  nothing {' or '.join(o.kinds)}"

    code = FINDINGS if o.exit_code and is_any else 0
    return opts.Answer(record, page, record.changes, code)


def trimmed(lines: Iterable[str]) -> list[str]:
    """Return the lines of a page without blank ones at its end."""
    return "\n".join(lines).rstrip().split("\n")


def _compared(
    base: KnowledgeBase, editions: tuple[EditionEntry, EditionEntry], o: SimpleNamespace
) -> Changes:
    compared = find_changes(base, *editions)
    if o.glossary:
        old, new = (base.texts.among(each.place, "", ("glossary",)) for each in editions)
        compared = compared.within(old, new)
    if o.sort == "size":
        by_size = sorted(compared.all, key=lambda change: -change.size)
        compared = replace(compared, all=tuple(by_size))
    return compared


def _kinds_of(change: Change) -> Iterator[str]:
    """Yield the kinds of a change, as `--kind` names them."""
    if change.is_gone:
        yield "removed"
    elif change.is_new or change.is_part:
        yield "new"
    else:
        yield from ["renumbered"] if change.bits & _MOVES else []
        yield from [_OF_CLASS[change.change]] if change.change != NONE else []


def _lines(
    base: KnowledgeBase,
    compared: Changes,
    editions: tuple[EditionEntry, EditionEntry],
    shows: Callable[[Change], bool],
    o: SimpleNamespace,
) -> Iterator[str]:
    page = ChangesPage(base, compared, editions)
    yield from page.head(is_whole=not o.glossary)
    if o.is_summary:
        return
    yield ""
    shown = [*filter(shows, compared.all)]
    is_chosen = any(getattr(o, name) is not None for name in _SWITCHES)
    is_filtered = o.kinds or o.limit or o.glossary or o.sort == "size" or is_chosen
    if len(shown) > _SCREEN and not (o.is_whole or is_filtered):
        yield from page.digest(len(shown))
    else:
        is_swept = not o.kinds or {"reworded", "throughout"} & {*o.kinds}
        yield from page.sweeps() if is_swept else ()
        listed = opts.limited(shown, o.limit)
        yield from page.listed(listed, lay.CONTEXT, in_sections=o.sort != "size")
    if o.announced:
        yield from ["", bold("Announced"), *list_announcements(o.announced)]


class ChangesPage:
    """The lines about the changes between two editions."""

    def __init__(
        self, base: KnowledgeBase, compared: Changes, editions: tuple[EditionEntry, EditionEntry]
    ) -> None:
        self._base, self._compared, self._editions = base, compared, editions
        self._headings: dict[tuple[str, bool], str] = {}

    # The head and the digest

    def head(self, *, is_whole: bool = True) -> Iterator[str]:
        """Yield the line that names both editions, and the counts of all their provisions or some."""
        compared = self._compared
        yield bold(f"From the edition of {compared.from_edition} to that of {compared.to_edition}")
        total = len(self._base.reader.states_of(self._editions[1].place)) if is_whole else 0
        for line in _counts(compared, summary(compared), total):
            yield from lay.para(line, 2, 2)

    def digest(self, count: int) -> Iterator[str]:
        """Yield what to know first."""
        digest = digest_of(self._base, self._compared)
        renamed = [f"{old.heading} → {new.heading}" for old, new in digest.renamed]
        swept = digest.swept
        parts = (
            (
                "New sections",
                [f"{new.address} {new.heading}" for new in digest.sections],
                _MOST_NAMED,
            ),
            (
                "Removed sections",
                [f"{old.address} {old.heading}" for old in digest.removed],
                _MOST_NAMED,
            ),
            ("Renamed sections", renamed, _MOST_NAMED),
            ("New keywords", digest.keywords, _MOST_KEYWORDS),
            ("No longer in the rules", digest.phrases, len(digest.phrases)),
            (
                "Wording changed throughout",
                [f"{a} → {b or '(removed)'}" for a, b, _ in swept],
                len(swept),
            ),
        )
        for title, names, most in parts:
            if names:
                more = [f"and {len(names) - most:,} more"] if len(names) > most else []
                yield from lay.para(f"{bold(title)}: {'; '.join([*names[:most], *more])}", 0, 2)
        if digest.rules:
            yield bold("Rules removed or rewritten that others cite most")
        for rule in digest.rules:
            lost = shortened(" ".join(rule.lost.split()).lstrip(".,;:() "), _LOST)
            said = f"{_kinds(rule.change)}, cited {counted(rule.cited, 'time')}"
            ends = dict.fromkeys([_name(rule.change.old), _name(rule.change.new)])
            yield f"  {' → '.join(filter(None, ends))}  {said}: [-{lost}-]"
        yield from ["", f"  all {count:,} changes: --all"]

    def sweeps(self) -> Iterator[str]:
        """Yield the wordings that were changed throughout, each with its count."""
        swept = swept_in(self._compared)
        yield from [bold("Wording changed throughout")] if swept else []
        for before, after, count in swept:
            yield f"  {before} → {after or '(removed)'}: in {counted(count, 'provision')}"
        yield from [""] if swept else []

    # The list

    def subject(
        self, answer: SubjectChanges, shows: Callable[[Change], bool], o: SimpleNamespace
    ) -> Iterator[str]:
        """Yield what changed in a provision and its subrules."""
        compared = self._compared
        title, *counts = self.head(is_whole=False)
        yield title
        yield from lay.para(_subject_line(answer), 2)
        question, subjects = parse_questions(answer.asked)[0], (*answer.old, *answer.new)
        here = [each for each in subjects if each.edition == answer.read_in]
        about = then_and_now(self._base, question, here) if here and o.on else []
        for said in about:
            yield from lay.para(said, 2)
        for bearer in () if about else answer.others:
            at_start = bearer.edition == compared.from_edition
            there = compared.to_edition if at_start else compared.from_edition
            where = f"{bearer.elsewhere} in {there}" if bearer.elsewhere else f"not in {there}"
            said = f"{bearer.number} in {bearer.edition} is another rule: {bearer.gist} ({where})"
            yield from lay.para(said, 2)
        count = compared.same + len(compared.all)
        if not compared.all:
            rules = f", with its {counted(count - 1, 'subrule')}" if count > 1 else ""
            said = f"the same in both editions{rules}; unchanged since {answer.unchanged_since}"
            yield from lay.para(said, 2)
            return
        if count == 1 and compared.all[0].is_moved_only:
            yield f"  {_kinds(compared.all[0])}, in the same words"
            return
        yield from counts if count > 1 or o.is_summary else ()
        if not o.is_summary:
            large = {"section", "chapter"}
            is_large = any(each.kind in large for each in (*answer.old, *answer.new))
            shown = [*filter(shows, compared.all)]
            yield from ["", *self.listed(shown, lay.CONTEXT if is_large else None)]

    def listed(
        self, changed: Sequence[Change], context: int | None, *, in_sections: bool = True
    ) -> Iterator[str]:
        """Yield changes, grouped by section; then those that are only renumbered.

        Args:
            changed: Those to show.
            context: How many unchanged words to show around a change; None for all.
            in_sections: Group them under the headings of their sections.
        """
        by_section: dict[str, list[Change]] = {}
        for change in changed:
            if not change.is_moved_only or _is_merged(change):
                by_section.setdefault(self._title(change) if in_sections else "", []).append(change)
        for title, group in by_section.items():
            yield from [bold(title)] if title else []
            for change in group:
                yield from _change(change, context)
            yield ""
        moved = [each for each in changed if each.is_moved_only and not _is_merged(each)]
        yield from _moves("Only renumbered", [each for each in moved if not _is_entry(each)])
        yield from _moves("Only renamed", [each for each in moved if _is_entry(each)])

    def _title(self, change: Change) -> str:
        """Return the title of a change's section: the newer edition's, or the older's if removed."""
        section = _section(change)
        title = self._titled(section, is_old=change.new is None)
        if change.new is not None or title == self._titled(section, is_old=False):
            return title
        return f"{title} (in {self._compared.from_edition})"

    def _titled(self, section: str, *, is_old: bool) -> str:
        if (section, is_old) not in self._headings:
            states = self._base.matches(section, self._editions[0 if is_old else 1])
            heading = next((state.heading for state in states if state.kind == "section"), "")
            self._headings[section, is_old] = f"{section}. {heading}" if heading else section
        return self._headings[section, is_old]


def _counts(compared: Changes, counts: DiffSummary, total: int) -> Iterator[str]:
    """Yield the counts: all provisions of the older edition, then all of the newer."""
    whole = [change for change in compared.all if change.old is not None and not change.is_part]
    heirs = [change.new.id for change in whole if change.new is not None]
    joined = len(heirs) - len({*heirs})
    if total:  # a part may also be the heir of another
        joined = counts.provisions - counts.gone - (total - counts.new - counts.parts)
    is_renamed = any(change.is_moved_only and _is_entry(change) for change in compared.all)
    parts = (
        (counts.same, "the same"),
        (counts.substantive, "reworded"),
        (counts.moved_only, f"only renumbered{' or renamed' if is_renamed else ''}"),
        (counts.citation_only, "only citing new numbers"),
        (counts.sweep, "with wording changed throughout"),
        (counts.typographic, "changed in typography"),
        (counts.gone, lay.REMOVED),
    )
    then = ", ".join([f"{number:,} {noun}" for number, noun in parts if number])
    yield f"{counted(counts.provisions, 'provision')} then: {then or 'none'}"
    kept = counts.provisions - counts.gone - joined
    merged = f" ({joined:,} merged into others)" if joined else ""
    added = ((counts.new, "new"), (counts.parts, "split off or copied"))
    more = "".join([f", {number:,} {noun}" for number, noun in added if number])
    total = kept + counts.new + counts.parts
    if merged or more or counts.gone:
        yield f"{counted(total, 'provision')} now: {kept:,} of these{merged}{more}"
    if counts.words_gone or counts.words_came:
        yield f"{counted(counts.words_gone, 'word')} removed, {counts.words_came:,} added"


def _subject_line(answer: SubjectChanges) -> str:
    """Return the line that names the provision in both editions."""
    old, new = (", ".join([each.name for each in side]) for side in (answer.old, answer.new))
    gist = next((each.gist for each in (*answer.new, *answer.old) if each.number), "")
    compared = answer.changes
    if not old:
        return f"{new}  {gist} (not in {compared.from_edition})"
    if not new:
        return f"{old}  {gist} (not in {compared.to_edition})"
    return f"{old if old == new else f'{old} → {new}'}  {gist}".rstrip()


def _change(change: Change, context: int | None) -> Iterator[str]:
    yield f"  {bold(_names(change))}  {_kinds(change)}"
    old, new = change.old, change.new
    is_whole = change.is_part or _is_merged(change)
    heads = [row.heading for row in (old, new) if row is not None and (row.heading or row.body)]
    is_bare = not ((old and old.body) or (new and new.body))
    if len(heads) > 1 and heads[0] and heads[0] != heads[1] and not (is_whole or is_bare):
        yield from lay.diffed(" → ".join(heads), 4)
    if change.change != NONE or _is_merged(change):
        yield from lay.diffed(lay.marked(_pieces(change), context=None if is_whole else context), 4)


def _pieces(change: Change) -> Any:  # noqa: ANN401 - pieces of a word diff
    """Return the word diff of a change, with examples named."""
    # Only an exact diff gives the older text letter for letter.
    pieces = change.pieces(exactly=change.change == TYPOGRAPHIC or _is_merged(change))
    before, after = (
        0 if row is None else rows.count_examples(row.body) for row in (change.old, change.new)
    )
    # After a split or a merger, the other words are shown with the provision that they are from.
    elsewhere = "-" if change.is_part else "+" if _is_merged(change) else ""
    return [piece for piece in lay.with_examples(pieces, before, after) if piece[0] != elsewhere]


def _is_merged(change: Change) -> bool:
    """Return whether the words of a provision went into the heir of another."""
    return bool(change.bits & rows.MERGED and change.new is not None and not change.is_part)


def _moves(title: str, moved: Sequence[Change]) -> Iterator[str]:
    """Yield the provisions that were only renumbered, a line for each section."""
    yield from [bold(title)] if moved else []
    for (old, _), group in groupby(moved, key=_sections_of_move):
        some = list(group)
        if len(some) > 2 and old != "Glossary":  # noqa: PLR2004 - more are a range
            ends = [
                f"{_name(a)} … {_name(b)}"
                for a, b in zip(*map(_pair, (some[0], some[-1])), strict=True)
            ]
            doubt = lay.doubt_of(min(some, key=lambda row: row.confidence))
            yield f"  {' → '.join(ends)} ({len(some)}{f', {doubt}' if doubt else ''})"
            continue
        for row in some:
            doubt = "" if row.bits & rows.UNCERTAIN else lay.doubt_of(row)
            yield f"  {_names(row)}{f' ({doubt})' if doubt else ''}"
    yield from [""] if moved else []


def _pair(change: Change) -> tuple[rows.Row | None, rows.Row | None]:
    return change.old, change.new


def _name(row: rows.Row | None) -> str:
    return "" if row is None else rows.name_of(row)


def _names(change: Change) -> str:
    news = [] if change.new is None else [change.new, *change.others]
    old, new = _name(change.old), ", ".join(map(rows.name_of, news))
    new = f"perhaps {new}" if change.bits & rows.UNCERTAIN and new else new
    if change.is_part or not old:
        return f"+ {new}"
    if not new:
        return f"- {old}"
    return old if old == new else f"{old} → {new}"


def _kinds(change: Change) -> str:
    if change.is_part and change.old is not None:
        how = (
            "copied" if change.bits & rows.COPIED and not change.bits & rows.SPLIT else "split off"
        )
        return lay.with_doubt(f"{how} from {rows.name_of(change.old)}", change)
    ends = [None if row is None else rows.name_of(row) for row in (change.old, change.new)]
    named = lay.step_words([kind for kind in rows.kinds_of(change.bits) if kind != "kept"], *ends)
    said, of_class = ", ".join(dict.fromkeys(named)), lay.CLASSES.get(change.change, "")
    return lay.with_doubt(said if of_class in said else f"{said} {of_class}".lstrip(), change)


def _section(change: Change) -> str:
    """Return the section of a change: in the newer edition, or in the older for a removed provision."""
    return _above(change.new if change.new is not None else change.old)


def _above(row: rows.Row | None) -> str:
    return "Glossary" if row is None or row.kind == "glossary" else row.address.partition(".")[0]


def _is_entry(change: Change) -> bool:
    return _section(change) == "Glossary"


def _sections_of_move(change: Change) -> tuple[str, str]:
    return _above(change.old), _above(change.new)
