"""`cr diff`, `cr changes` and `cr since`: one answer about the changes between two editions."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import click

from variorum import rows
from variorum.answers import diff as differences
from variorum.answers.diff import NONE, SUBSTANTIVE, TYPOGRAPHIC, Change, Changes
from variorum.answers.digest import digest_of, recognisable
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import parse_questions
from variorum.cli import command as opts
from variorum.cli import wording
from variorum.cli.asked import Ends, take_edition, take_pair
from variorum.cli.layout import CONTEXT, diffed, marked, with_examples
from variorum.errors import NotFoundError
from variorum.records.lineage import DiffSubject
from variorum.terminal import bold
from variorum.text import counted, shortened

# What `--kind` names, in the words that are printed; the last four for classes of changes of words.
_KINDS = ("new", "removed", "renumbered", "reworded", "throughout", "citations", "typographic")
_OF_CLASS = dict(
    zip(
        (SUBSTANTIVE, differences.SWEEP, differences.CITATION, TYPOGRAPHIC), _KINDS[3:], strict=True
    )
)
_MOVES = rows.RENUMBERED | rows.SPLIT | rows.MERGED | rows.COPIED
# More changes than this begin with a digest.
_SCREEN = 100
_MOST_NAMED, _MOST_KEYWORDS, _LOST = 6, 18, 56
_SORTS_THEN = "same substantive moved_only citation_only sweep typographic gone"


_SETTINGS: dict[str, Any] = {
    "all": {"name": "is_whole"},
    "kind": {"name": "kinds"},
    "apart": ("--json --all",),
    "more": """
--all         List all changes, where a digest would come first.
--kind KIND   List changes of this kind: new, removed, renumbered, reworded, throughout, citations,
              typographic. By default the first four; for a NUMBER, all. May be repeated.
--only --json --jsonl
""",
}


@opts.command("A [B] [NUMBER]", **_SETTINGS)
def diff(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what changed from edition A to edition B, word by word.

    cr diff 2005-02-01 current              what matters most
    cr diff 2005-02-01 current --all        everything
    cr diff M10 M11 704.5k                  one rule, also cr diff M10..M11 704.5k
    cr diff M10 current banding             a glossary entry
    cr diff M10 current --kind removed      only what was removed

    Removed words are shown in [-brackets-], added words in {+braces+}. With a NUMBER, the rule and its
    subrules are compared even if they have other numbers in the other edition.

    --on EDITION  The edition that NUMBER is from. Default: the newer edition if it has NUMBER, else
                  the older.
    """
    ends, question = take_pair(base, o.words)
    return _answer(base, ends, question, o)


@opts.command("[EDITION] [NUMBER]", **_SETTINGS)
def changes(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what an edition changed, compared with the one before it.

    cr changes              the current edition
    cr changes M10 702.15   one rule and its subrules
    """
    edition, question = take_edition(base, o.words, "current")
    before = base.before(edition)
    if before is None:
        raise NotFoundError(f"{edition.label}: the first edition; nothing precedes it")
    return _answer(base, (before, edition), question, o)


@opts.command("DATE [NUMBER]", **_SETTINGS)
def since(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what changed since a date, for returning players.

    cr since 2019                 since 1 January 2019
    cr since 2019-06-01 702.19    one rule and its subrules
    cr since 2019 --kind removed  only what was removed

    Many changes begin with a digest; --all lists them. Here, a month or a year means its first day;
    in all other commands, its last.
    """
    start, question = take_edition(base, o.words, is_start=True)
    current = base.edition("current")
    ends = (current, start) if start.place > current.place else (start, current)
    return _answer(base, ends, question, o)


def _answer(
    base: KnowledgeBase, ends: Ends, question: Sequence[str], o: SimpleNamespace
) -> opts.Answer:
    text, on = " ".join(question), getattr(o, "on", None)
    for name, given in (("--on", on), ("--only", o.only)):
        if given and not text:
            raise click.UsageError(f"{name} needs a NUMBER or a term")
    if text:
        compared = differences.subject_changes(base, text, ends, on, is_alone=o.only)
    else:
        compared = differences.find_changes(base, *ends)

    def has_kind(change: Change) -> bool:
        kinds = {"new" if change.new else "removed"}
        if change.old and change.new and not change.is_part:
            kinds = {_OF_CLASS.get(change.change, ""), "renumbered" * bool(change.bits & _MOVES)}
        return not o.kinds or not kinds.isdisjoint(o.kinds)

    if o.as_json:
        record = compared.record(has_kind)
        return opts.Answer(record, (), record.changes)
    classes = {*_OF_CLASS, NONE} if o.kinds or text else {SUBSTANTIVE, NONE}
    told = [it for it in compared.all if has_kind(it) and it.change in classes]
    lines = [*head(base, compared)]
    if compared.subject:
        lines[1:1] = _subject(base, compared, compared.subject, on)
        is_large = any(it.kind in {"section", "chapter"} for side in compared.sides for it in side)
        lines += ["", *_listed(base, ends, told, CONTEXT if is_large else None)]
    elif len(told) > _SCREEN and not (o.is_whole or o.kinds):
        lines += ["", *_digest(base, compared), "", f"  all {len(told):,} changes: --all"]
    else:
        swept = "" if o.kinds else _swept(compared)
        lines += ["", *([swept, ""] if swept else []), *_listed(base, ends, told, CONTEXT)]
    lines += [f"  nothing {' or '.join(o.kinds)}"] if o.kinds and not told else []
    return opts.Answer(compared, "\n".join(lines).rstrip().split("\n"))


def head(base: KnowledgeBase, compared: Changes) -> Iterator[str]:
    """Yield the line that names both editions, and the counts of provisions and words."""
    counts = compared.summary
    yield bold(f"From the edition of {counts.from_edition} to that of {counts.to_edition}")
    then, came = (
        [
            f"{count:,} {wording.COUNTED[it]}"
            for it in sorts.split()
            if (count := getattr(counts, it))
        ]
        for sorts in (_SORTS_THEN, "new parts")
    )
    if compared.subject and counts.provisions + counts.new + counts.parts == 1:
        return
    yield f"  {counted(counts.provisions, 'provision')} then: {', '.join(then) or 'none'}"
    # Those that went into the heir of another one, which may have stayed as it was.
    changed = {it.old.id for it in compared.all if it.old and not it.is_part}
    heirs = [it.new.id for it in compared.all if it.old and it.new and not it.is_part]
    stayed = {*base.reader.states_of(compared.editions[0].place)} - changed
    kept = counts.same + len({*heirs} - stayed)
    if came or counts.gone or kept < counts.provisions:
        now, merged = kept + counts.new + counts.parts, counts.provisions - counts.gone - kept
        these = f"{kept:,} of these" + (f" ({merged:,} merged into others)" if merged else "")
        yield f"  {counted(now, 'provision')} now: {', '.join([these, *came])}"
    if counts.words_gone or counts.words_came:
        yield f"  {counted(counts.words_gone, 'word')} removed, {counts.words_came:,} added"


def _swept(compared: Changes) -> str:
    swept = recognisable(compared.swept)
    names = [f"{before} → {after or '(removed)'} ({count:,})" for before, after, count in swept]
    return f"{bold('Wording changed throughout')}: {'; '.join(names)}" if names else ""


def _digest(base: KnowledgeBase, compared: Changes) -> Iterator[str]:
    """Yield what to know first."""
    told = digest_of(base, compared)
    for title, names, most in (
        ("New sections", [f"{it.address} {it.heading}" for it in told.sections], _MOST_NAMED),
        ("Removed sections", [f"{it.address} {it.heading}" for it in told.removed], _MOST_NAMED),
        ("Renamed sections", [f"{a.heading} → {b.heading}" for a, b in told.renamed], _MOST_NAMED),
        ("New keywords", told.keywords, _MOST_KEYWORDS),
        ("No longer in the rules", told.phrases, len(told.phrases)),
    ):
        more = [f"and {len(names) - most:,} more"] if len(names) > most else []
        yield from [f"{bold(title)}: {'; '.join([*names[:most], *more])}"] if names else []
    yield from filter(None, [_swept(compared)])
    yield from [bold("Rules removed or rewritten that others cite most")] if told.rules else []
    for rule in told.rules:
        lost = shortened(" ".join(rule.lost.split()).lstrip(".,;:() "), _LOST)
        times = counted(rule.cited, "time")
        yield f"  {_names(rule.change)}  {_said(rule.change)}, cited {times}: [-{lost}-]"


def _subject(
    base: KnowledgeBase, compared: Changes, answer: DiffSubject, on: str | None
) -> Iterator[str]:
    """Yield what was compared, and what else its number means."""
    subjects = [*compared.sides[1], *compared.sides[0]]
    old, new = ", ".join(answer.from_), ", ".join(answer.to)
    gist = next((each.gist for each in subjects if each.number), "")
    lost = f"(not in {compared.editions[bool(old)].label})"
    names = " → ".join(dict.fromkeys(filter(None, (old, new))))
    yield f"  {names}  {gist} {'' if old and new else lost}".rstrip()
    here = [each for each in subjects if each.edition.label == answer.edition]
    about = (
        wording.then_and_now(base, parse_questions(answer.asked)[0], here) if here and on else []
    )
    yield from [f"  {said}" for said in about]
    for bearer in () if about else answer.others:
        there = compared.editions[bearer.edition == compared.editions[0].label].label
        where = f"{bearer.elsewhere} in {there}" if bearer.elsewhere else f"not in {there}"
        named = f"{bearer.number} in {bearer.edition} is another rule: {bearer.gist} ({where})"
        yield f"  {named}; --on {bearer.edition} shows it"
    if not compared.all:
        yield f"  the same in both editions; unchanged since {answer.unchanged_since}"


def _listed(
    base: KnowledgeBase, ends: Ends, changed: Sequence[Change], context: int | None
) -> Iterator[str]:
    """Yield changes by section, with some unchanged words or all; then those only renumbered."""

    @cache
    def title_of(section: str, place: int) -> str:
        states = base.named(section, ends[place].place)
        headings = [f"{section}. {state.heading}" for state in states if state.kind == "section"]
        return next(iter(headings), section)

    moved = [each for each in changed if not each.change and not _is_merged(each)]
    worded: dict[str, list[str]] = {}
    for change in changed:
        if change.change or _is_merged(change):
            section = _above(change.new or change.old)
            title = title_of(section, int(change.new is not None))
            title += f" (in {ends[0].label})" if title != title_of(section, 1) else ""
            worded.setdefault(title, []).extend(_change(change, context))
    for title, lines in worded.items():
        yield from [bold(title), *lines, ""]
    yield from [bold("Only renumbered or renamed")] if moved else []
    for (old, _), group in groupby(moved, key=lambda it: (_above(it.old), _above(it.new))):
        some = list(group)
        if len(some) > 2 and old != "Glossary":  # noqa: PLR2004 - more are a range
            names = [_name(it) for row in (some[0], some[-1]) for it in (row.old, row.new)]
            sure = wording.confidence(min(row.confidence for row in some))
            yield f"  {names[0]} … {names[2]} → {names[1]} … {names[3]} ({len(some)}){sure}"
        else:
            yield from [f"  {_names(row)}{wording.confidence(row.confidence)}" for row in some]


def _change(change: Change, context: int | None) -> Iterator[str]:
    yield f"  {bold(_names(change))}  {_said(change)}"
    old, new, is_merged = change.old, change.new, _is_merged(change)
    if old and new and "" != old.heading != new.heading != "" and (old.body or new.body):
        yield from diffed(f"{old.heading} → {new.heading}", 4)
    if change.change == NONE and not is_merged:
        return
    # Only an exact diff gives the older text letter for letter.
    pieces = change.pieces(exactly=change.change == TYPOGRAPHIC or is_merged)
    pieces = with_examples(
        pieces, *(rows.count_examples(it.body) if it else 0 for it in (old, new))
    )
    # After a split or a merger, the other words are shown with the provision that they are from.
    elsewhere = "-" if change.is_part else "+" if is_merged else ""
    pieces = [piece for piece in pieces if piece[0] != elsewhere]
    yield from diffed(marked(pieces, context=None if elsewhere else context), 4)


def _is_merged(change: Change) -> bool:
    """Return whether the words of a provision went into the heir of another."""
    return bool(change.bits & rows.MERGED and change.new is not None and not change.is_part)


def _name(row: rows.State | None) -> str:
    return "" if row is None else rows.name_of(row)


def _names(change: Change) -> str:
    old, new = _name(change.old), ", ".join(map(_name, filter(None, (change.new, *change.others))))
    if change.is_part or not (old and new):
        old, new = ("+", new) if new else ("-", old)
        return f"{old} {new}"
    new = f"perhaps {new}" if change.bits & rows.UNCERTAIN else new
    return old if old == new else f"{old} → {new}"


def _said(change: Change) -> str:
    """Return what happened to a provision, in words."""
    old, new = _name(change.old), _name(change.new)
    if change.is_part and old:
        is_copy = change.bits & rows.COPIED and not change.bits & rows.SPLIT
        how = f"{'copied' if is_copy else 'split off'} from {old}"
        return how + wording.confidence(change.confidence)
    return wording.step_words(
        change.kinds, old or None, new or None, change.change, change.confidence
    )


def _above(row: rows.State | None) -> str:
    """Return the section of a provision."""
    return "Glossary" if row is None or row.kind == "glossary" else row.address.partition(".")[0]
