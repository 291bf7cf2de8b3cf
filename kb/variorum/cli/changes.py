"""`cr diff`, `cr changes` and `cr since`: one answer about the changes between two editions."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from types import SimpleNamespace
from typing import Any

import click

from variorum import rows
from variorum.answers import diff as differences
from variorum.answers.diff import TYPOGRAPHIC, Change, Changes
from variorum.answers.digest import digest_of
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.sweeps import recognisable
from variorum.cli import command as opts
from variorum.cli import wording
from variorum.errors import NotFoundError
from variorum.facts import days_besides
from variorum.history.word_diffs import SAME, word_diff
from variorum.terminal import bold
from variorum.text import counted, doubt, doubted, listed, shortened

# Sorts of changes by what `--kind` calls them; the last three are listed only of what moved, or if asked for.
_KINDS = {"new": "new", "parts": "new", "gone": "removed", "substantive": "reworded"}
_SLIGHT = {"sweep": "throughout", "citation_only": "citations", "typographic": "typographic"}
_MOVES = rows.RENUMBERED | rows.SPLIT | rows.MERGED | rows.COPIED
_THEN = ("same", "substantive", "moved_only", "citation_only", "sweep", "typographic", "gone")
# More changes than this do not fit on a screen: a digest is shown, of up to sixty in a section a line each.
_SCREEN, _PAGES = 12, 60
_MOST_NAMED, _WORDS = 6, 56  # the latter in characters
_SETTINGS: dict[str, Any] = {
    "apart": ("--json --all",),
    "more": """
--all         List all changes instead of a digest.
--kind KIND   Only this kind: new, removed, renumbered, renamed, reworded, throughout, citations, typographic.
              By default the first four, of a section all but the last, of a rule all. May be repeated.
--only --json --jsonl
""",
}


@opts.command("A [B] [NUMBER]", **_SETTINGS)
def diff(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what changed from edition A to edition B, word by word; a digest if much changed.

    cr diff 2005-02-01 current              what matters most
    cr diff M10 M11 704.5k                  one rule, also cr diff 704.5k M10..M11
    cr diff M10 current banding             a glossary entry; "glossary" for all
    cr diff current                         what the current edition changed
    cr diff M10 current --kind removed      only what was removed

    Removed words are shown in [-brackets-], added words in {+braces+}. With a NUMBER, the rule and its
    subrules are compared even if they have other numbers in the other edition.

    --on EDITION  The edition that NUMBER is from. Default: the newer edition if it has NUMBER, else
                  the older.
    """
    return _answer(base, *opts.take_pair(base, o.words), o)


@opts.command("[EDITION] [NUMBER]", **_SETTINGS)
def changes(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what an edition changed, compared with the one before it; a digest if much changed.

    cr changes M10 --all    every change of an edition
    cr changes M10 702.15   one rule and its subrules
    """
    edition, question = opts.take_edition(base, o.words, "current")
    if (before := base.before(edition)) is None:
        raise NotFoundError(f"{edition.label}: the first edition; nothing precedes it")
    if missing := [it for it in days_besides(base.labels) if before.label < it < edition.label]:
        wording.print_note(f"with the changes of {listed(missing, 3)}, which this base lacks")
    return _answer(base, (before, edition), question, o)


@opts.command("DATE [NUMBER]", **_SETTINGS)
def since(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what changed since a date, for returning players; a digest if much changed.

    cr since 2019                 since 1 January 2019
    cr since 2019-06-01 702.19    one rule and its subrules; also 702, glossary

    Here, a month or a year means its first day; in all other commands, its last.
    """
    start, question = opts.take_edition(base, o.words, is_start=True)
    first, last = sorted((start, base.edition("current")), key=lambda it: it.place)
    return _answer(base, (first, last), question, o)


def _answer(
    base: KnowledgeBase, ends: opts.Ends, question: Sequence[str], o: SimpleNamespace
) -> opts.Answer:
    text, on = " ".join(question), getattr(o, "on", None)
    if not text and (on or o.only):
        raise click.UsageError("--on and --only need a NUMBER or a term")
    is_glossary = text.lower() == "glossary"
    if text and not is_glossary:
        compared = differences.subject_changes(base, text, ends, on, is_alone=o.only)
    else:
        compared = differences.find_changes(base, *ends)

    def is_moved(change: Change) -> bool:
        return bool(change.old and change.new and not change.is_part and change.bits & _MOVES)

    def is_wanted(change: Change) -> bool:
        kinds = {(_KINDS | _SLIGHT).get(change.sort), *("renumbered", "renamed") * is_moved(change)}
        is_there = not is_glossary or _section(change.new or change.old) == "Glossary"
        return is_there and not (o.kind and kinds.isdisjoint(o.kind))

    if o.as_json:
        record = compared.record(is_wanted)
        return opts.Answer(record, (), record.changes)
    is_wide = is_glossary or any(it.kind in {"chapter", "section"} for it in chain(*compared.sides))
    hidden = () if o.kind else _SLIGHT if not text else ("typographic",) * is_wide
    told = [it for it in filter(is_wanted, compared.all) if it.sort not in hidden or is_moved(it)]
    weighty = [it for it in told if it.change and it.sort not in hidden]
    is_much = len(told) > (_PAGES if text else _SCREEN) and not is_glossary
    if is_much and not (o.all or o.kind):
        lines = ["", *_digest(base, compared, weighty), "", f"  all {len(told):,} changes: --all"]
    else:
        lines = ["", *swept] if not o.kind and (swept := [*_swept(compared)]) else []
        is_brief = len(told) > _SCREEN and not o.all
        context = 0 if is_brief else None if text and not told[3:] else wording.CONTEXT
        lines += [*_listed(base, ends, told, context), *["", "  in full: --all"] * is_brief]
    lines += ["", f"  nothing {' or '.join(o.kind)}"] if o.kind and not told else []
    title, *counts = [*head(base, compared)][: 1 if is_glossary else None]
    return opts.Answer(compared, [title, *_subject(compared), *counts, *lines])


def head(base: KnowledgeBase, compared: Changes) -> Iterator[str]:
    """Yield the line that names both editions, and the counts of provisions and words."""
    counts = compared.summary
    yield bold(f"From the edition of {counts.from_edition} to that of {counts.to_edition}")
    if compared.subject and counts.provisions + counts.new + counts.parts == 1:
        return
    then, came = (
        [f"{count:,} {wording.COUNTED[it]}" for it in sorts if (count := getattr(counts, it))]
        for sorts in (_THEN, ("new", "parts"))
    )
    yield f"  {counted(counts.provisions, 'provision')} then: {', '.join(then) or 'none'}"
    # Those that went into the heir of another one, which may have stayed as it was.
    heirs = {it.old.id: it.new and it.new.id for it in compared.all if it.old and not it.is_part}
    stayed = {*base.reader.states_of(compared.editions[0].place)} - heirs.keys()
    kept = counts.same + len({*heirs.values()} - {None} - stayed)
    if came or counts.gone or kept < counts.provisions:
        now, merged = kept + counts.new + counts.parts, counts.provisions - counts.gone - kept
        these = f"{kept:,} of these" + (f" ({merged:,} merged into others)" if merged else "")
        yield f"  {counted(now, 'provision')} now: {', '.join([these, *came])}"
    if counts.words_gone or counts.words_came:
        yield f"  {counted(counts.words_gone, 'word')} removed, {counts.words_came:,} added"


def _named(title: str, names: Sequence[str], most: int = _MOST_NAMED) -> Iterator[str]:
    more = [f"and {len(names) - most:,} more"] if len(names) > most else []
    yield from [f"{bold(title)}: {'; '.join([*names[:most], *more])}"] if names else []


def _swept(compared: Changes) -> Iterator[str]:
    told = [f"{old} → {new or '(removed)'} ({n:,})" for old, new, n in recognisable(compared.swept)]
    return _named("Wording changed throughout", told)


def _digest(base: KnowledgeBase, compared: Changes, weighty: Sequence[Change]) -> Iterator[str]:
    digest = digest_of(base, compared)
    most = Counter([_title(base, compared.editions, it) for it in weighty]).most_common()
    for title, some in {"New": digest.sections, "Removed": digest.removed}.items():
        names = [doubted(f"{it.address} {it.heading}", sure) for it, sure in some]
        yield from _named(f"{title} sections", names)
    names = [doubted(f"{a.heading} → {b.heading}", sure) for a, b, sure in digest.renamed]
    yield from _named("Renamed sections", names)
    names = [doubted(*it) for it in digest.keywords]
    yield from _named("New keywords", names, len(names))
    yield from _named("Most changes in", [f"{title} ({count:,})" for title, count in most])
    yield from _named("No longer in the rules", digest.phrases, len(digest.phrases))
    yield from _swept(compared)
    yield from [bold("Rules removed or rewritten that others cite most")] if digest.rules else []
    for rule in digest.rules:
        change, times = rule.change, counted(rule.cited, "time")
        yield f"  {_names(change, 4)}  {_said(change)}, cited {times}: {_gist(change)}"


def _gist(change: Change) -> str:
    """Return the beginning of the largest change of words: of examples, only without another."""
    if change.is_part and change.new:
        return shortened(change.new.body, _WORDS)
    own = [rows.text_of(it.body) if it else "" for it in change.ends]
    pieces = change.pieces if own[0] == own[1] else word_diff(*own)
    runs = [[*run] for is_same, run in groupby(pieces, lambda it: it.sign == SAME) if not is_same]
    best = max(runs, key=lambda run: sum(len(it.text) for it in (*run, *run[1:])), default=[])
    return wording.marked([(it.sign, shortened(it.text.strip(), _WORDS)) for it in best])


def _subject(compared: Changes) -> Iterator[str]:
    if (answer := compared.subject) is None:
        return
    subjects = [*compared.sides[1], *compared.sides[0]]
    old, new = ", ".join(answer.from_), ", ".join(answer.to)
    gist = next((each.gist for each in subjects if each.number), "")
    own = {it.state.id for it in subjects}
    known = [it.confidence for it in compared.all for end in it.ends if end and end.id in own]
    sure = min(known, default=1.0)
    names = " → ".join(dict.fromkeys(filter(None, (old, new))))
    lost = f"({doubt(sure)}not in {compared.editions[bool(old)].label})"
    yield f"  {doubted(names, sure)}  {gist}" if old and new else f"  {names}  {gist} {lost}"
    typed = wording.to_type(subjects[0], f"diff {' '.join(it.label for it in compared.editions)} ")
    yield from [f"  {said}" for said in typed[:-1]]
    for it in answer.others:
        there = doubted(f"{it.elsewhere or 'not'} in the other edition", it.confidence)
        named = f"{it.number} in {it.edition} is another rule: {it.gist} ({there})"
        yield f"  {named}; --on {it.edition} shows it"
    if not compared.all:
        yield f"  the same in both editions; unchanged since {answer.unchanged_since}"


def _listed(
    base: KnowledgeBase,
    editions: opts.Ends,
    changed: Sequence[Change],
    context: int | None,
) -> Iterator[str]:
    """Yield changes by section, with some unchanged words, or all, or in a line; then those only renumbered."""
    worded, moved = defaultdict[str, list[str]](list), list[str]()
    for change in changed:
        if change.change or _is_merged(change):
            worded[_title(base, editions, change)] += _change(change, context)
    bare = [it for it in changed if it.old and it.new and not (it.change or _is_merged(it))]
    for (section, _), group in groupby(bare, lambda it: (_section(it.old), _section(it.new))):
        some = list(group)
        if len(some) > 2 and section != "Glossary":  # noqa: PLR2004 - more are a range
            ends = [rows.name_of(it) for row in (some[0], some[-1]) for it in row.ends if it]
            said = f"{ends[0]} … {ends[2]} → {ends[1]} … {ends[3]} ({len(some)})"
            moved.append(f"  {doubted(said, min(row.confidence for row in some))}")
        else:
            moved += [f"  {doubted(_names(row), row.confidence)}" for row in some]
    for title, lines in (*worded.items(), ("Only renumbered or renamed", moved)):
        yield from wording.titled(title, lines)


def _section(row: rows.State | None) -> str:
    return "Glossary" if row is None or row.kind == "glossary" else row.address.partition(".")[0]


def _title(base: KnowledgeBase, ends: opts.Ends, change: Change) -> str:
    section = _section(change.new or change.old)
    heads = [base.at_address(section, end.place) for end in ends]
    then, now = [f"{section}. {head.heading}" if head else section for head in heads]
    return now if change.new or then == now else f"{then} (in {ends[0].label})"


def _change(change: Change, context: int | None) -> Iterator[str]:
    if context == 0:
        yield f"  {bold(_names(change, 4))}  {_said(change)}: {_gist(change)}".rstrip(" :")
        return
    yield f"  {bold(_names(change))}  {_said(change)}"
    old, new, is_merged = change.old, change.new, _is_merged(change)
    if old and new and "" != old.heading != new.heading != "" and (old.body or new.body):
        yield from wording.diffed(f"{old.heading} → {new.heading}", 4)
    is_exact = change.change == TYPOGRAPHIC or is_merged  # shows the older text letter for letter
    pieces = change.compare(exactly=True) if is_exact else change.pieces
    examples = [len(rows.examples_of(it.body if it else "")) for it in (old, new)]
    # After a split or a merger, the other words are shown with the provision that they are from.
    elsewhere = "-" if change.is_part else "+" if is_merged else ""
    pieces = [it for it in wording.with_examples(pieces, *examples) if it.sign != elsewhere]
    yield from wording.diffed(wording.marked(pieces, context=None if elsewhere else context), 4)


def _is_merged(change: Change) -> bool:
    return bool(change.bits & rows.MERGED and change.new is not None and not change.is_part)


def _names(change: Change, most: int = 99) -> str:
    heirs = [rows.name_of(it) for it in (change.new, *change.others) if it]
    old, new = change.old and rows.name_of(change.old), listed(heirs, most)
    if change.is_part or not (old and new):
        return f"+ {new}" if new else f"- {old}"
    new = " or ".join(heirs) if change.bits & rows.UNCERTAIN else new
    return old if old == new else f"{old} → {new}"


def _said(change: Change) -> str:
    old, new = (row and rows.name_of(row) for row in change.ends)
    if change.is_part:
        how = "copied" if change.bits & (rows.COPIED | rows.SPLIT) == rows.COPIED else "split off"
        return doubted(f"{how} from {old}", change.confidence)
    kinds, sort = wording.step_words(change.kinds, old, new), wording.CLASSES.get(change.change, "")
    return doubted(kinds, change.confidence, sort)
