"""`cr history` and `cr where`: a provision through time, its words, evidence, witnesses and other numbers."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from types import SimpleNamespace

from variorum.answers.crosswalk import destination_of
from variorum.answers.histories import history_of, why
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import asked_for, parse_questions
from variorum.cli import command as opts
from variorum.cli import layout, wording
from variorum.cli.asked import answered
from variorum.cli.witnesses import announced_lines, list_witnesses
from variorum.errors import NotFoundError
from variorum.history.word_diffs import word_diff
from variorum.records import lineage as records
from variorum.rows import NO_WORDS, SUBRULE_SORTS
from variorum.terminal import HANG, bold
from variorum.text import counted, percent, shortened

_MARGIN, _SHORT, _MOST_NAMES = 14, 160, 4
# How many unchanged words are shown on each side of a change, if not in full.
_CONTEXT = 3
# A run of fewer characters is a shred of its neighbours.
_SHRED = 4
_ENDS = re.compile(r"[.,;:!?)\]”’]+\s*")
# Of these changes of subrules only the number is told, and editions with the slight ones alone are counted.
_UNNAMED = ("sweep", "citation_only", "typographic", "moved_only")
_SLIGHT = ("citation_only", "typographic")
_SLIGHT_WORDS = {wording.CLASSES["citation-only"], wording.CLASSES["typographic"]}


@opts.command(
    "QUESTION...",
    words={"name": "of_words"},
    apart=("--full --words --evidence --witnesses", "--evidence --only", "--words --jsonl"),
)
def history(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show the history of a rule: its numbers, each rewording, splits, merges and copies.

    cr history 704.5j                 the rule with this number today, or the last to have it
    cr history 511 --on 2008-02-01    the rule that had it on that day
    cr history 702.19 --full          a keyword with its subrules, every word
    cr history 800.4a --words         when each word was added
    cr history 600.4a --witnesses     other documents that quote or discuss it
    cr history 705.1 --evidence       where it came from and went, and how sure that is

    Steps with a percentage are what the program found; those called "decided" were compared and settled
    by readers, whose reason --evidence prints.

    --full        Show every edition, today's text in full, and each change word by word.
    --words       Show when each word was added.
    --evidence    Show each step, the confidence in it, and the reasons for those that moved it.
    --witnesses   Show what other documents quote of it or say about it.
    --only
    --on EDITION  The edition that the number is from. Default: the current edition, else the last that
                  printed it.
    --json --jsonl
    """
    text = " ".join(o.words)
    subject, asked = base.subject(text, o.on), parse_questions(text)[0]
    if o.evidence:
        return opts.Answer(steps := why(subject), _evidence(steps))
    if o.witnesses:
        life = subject.lineage
        said, originals = base.witnesses.of(life), base.witnesses.originals(life)
        told = [*list_witnesses(said, originals, opts.file_names(base))]
        none = "  no other document quotes or discusses it; cr build adds rulings, articles or originals"
        return opts.Answer(said, told or [none])
    shown = [subject] if o.on or asked.edition else []
    lines = wording.then_and_now(base, asked, shown, is_said=not o.of_words) if shown else []
    about = [f"  {line}" for line in lines]
    if o.of_words:
        if not base.has_words:
            raise NotFoundError("no words yet; cr sync brings them")
        from variorum.answers.blame import Blame

        dated = Blame(base).of(subject, is_alone=o.only)
        return opts.Answer(dated, _dated(dated, about))
    answer = history_of(subject, is_alone=o.only, is_full=o.full)
    return opts.Answer(answer, _page(subject, answer, about, is_full=o.full), answer.steps)


def _page(
    subject: Subject, answer: records.History, about: Sequence[str], *, is_full: bool
) -> Iterator[str]:
    last, now, below = answer.readings[-1], answer.now, answer.subrules
    where = f"today, in the edition of {now.edition}" if now else f"until {last.to}"
    where = f"{last.heading} ({where})" if last.heading and last.number else where
    yield from [f"{bold(last.name)}  {where}", *about, ""]
    rows = _rows(answer, is_full=is_full)
    shown = {label: row for label, row in rows.items() if row.number or row.said or row.lines}
    for label, row in sorted(shown.items(), key=lambda it: (it[0][:10], len(it[0]), it[0])):
        gap = " " * max(2, 12 - len(row.number))
        yield f"  {label:<12}{bold(row.number)}{gap}{HANG}{'; '.join(row.said)}".rstrip()
        yield from row.lines
    if slight := len(rows) - len(shown):
        yield f"\n  {counted(slight, 'more edition')} changed typography or citations; --full shows them"
    if below:
        ends = dict.fromkeys([below.last[0].number, below.last[-1].number]) if below.last else ()
        today = f"{counted(len(below.last), 'subrule')} today: {' to '.join(ends)}"
        heirs = [f"{it.number} {f'→ {it.now.name}' if it.now else 'removed'}" for it in below.last]
        lost = f"Its subrules today: {', '.join(heirs)}"
        yield from ["", f"  {today if now else lost}"]
    if last.text != last.heading:
        words = layout.named_examples(last.text, last.examples)
        yield from ["", *layout.para(words if is_full else shortened(words, _SHORT), 2)]
    if others := len({it.witness for it in answer.witnesses}):
        verb = "quotes or discusses" if others == 1 else "quote or discuss"
        shows = f"cr history {last.number or last.name} --witnesses shows the words"
        yield from ["", f"  {counted(others, 'other document')} {verb} it; {shows}"]
    target = subject.base.current or subject.edition
    bearers = wording.other_lines(subject.base, subject.asked, answer.others, target)
    yield from layout.titled("Other rules that have had this number", [f"  {it}" for it in bearers])


@dataclass
class _Row:
    """What an edition did to a provision: its new number, the words for that, and lines that show it."""

    number: str = ""
    said: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def _rows(history: records.History, *, is_full: bool) -> dict[str, _Row]:
    rows = defaultdict[str, _Row](_Row)
    below = history.subrules.editions if history.subrules else []
    has_words = not any(NO_WORDS in doubts for doubts in history.doubts.values())
    elsewhere = {name for changed in below for step in changed.changes for name in step.to}
    first, *_ = readings = history.readings
    if first.from_ not in {step.to_edition for step in history.steps}:
        rows[first.from_] = _Row(first.name, ["the first edition"])
    before = dict(zip([it.from_ for it in readings], [None, *readings], strict=False))
    for step in history.steps:
        label = step.to_edition
        reading = next((it for it in readings if it.from_ == label and it.name in step.to), None)
        if reading is None or label not in before:
            if step.to != [step.from_] or step.kinds != ["kept"]:
                rows[label].said.append(_said(step, None, elsewhere))
            continue
        row, former = rows[label], before.pop(label)
        row.number = reading.name if former is None or former.name != reading.name else ""
        words = _said(step, reading.name, elsewhere)
        row.said += [words] if is_full or words not in _SLIGHT_WORDS else []
        if has_words and former and reading.words and (is_full or not below):
            texts = [layout.named_examples(it.text, it.examples) for it in (former, reading)]
            own = [text.partition(f"\n{layout.EXAMPLE}")[0] for text in texts]
            # Perhaps only examples changed.
            pieces = word_diff(*(texts if is_full or own[0] == own[1] else own))
            context = layout.CONTEXT if is_full else _CONTEXT
            row.lines += layout.diffed(layout.marked(pieces, context=context), _MARGIN)
        for line in announced_lines(step.announced):
            row.lines += layout.para(line, _MARGIN)
    for changed in below:
        row = rows[changed.edition]
        row.said += _counts(changed, is_full=is_full)
        for it in [it for it in changed.changes if is_full and it.words]:
            words = layout.marked(layout.with_examples(it.words, *it.examples))
            row.lines += layout.diffed(f"{''.join(_moved(it))}  {words}", _MARGIN)
    return rows


def _said(step: records.Step, name: str | None, elsewhere: set[str]) -> str:
    """Return what happened in a step to the provision with a name; without one, to a relative of it."""
    old, new, sure = step.from_, [*step.to, ""][0], wording.confidence(step.confidence)
    kinds = wording.step_words(step.kinds, old, new or None, step.class_ if name else "")
    if not (old and new):
        return kinds + sure
    if name is None:
        former = "the former " * (old in step.to)
        return f"{kinds or 'kept'}: {former}{old} → {', '.join(step.to)}{sure}"
    if new != name:
        return f"{'copied' if 'copied' in step.kinds else 'split off'} from {old}{sure}"
    others = [number for number in step.to if number not in {name, *elsewhere}]
    beside = f" with {', '.join(others)}" if others else ""
    return (kinds or ("cites something else" if step.class_ else "unchanged")) + beside + sure


def _counts(changed: records.SubrulesChanged, *, is_full: bool) -> Iterator[str]:
    for sort in SUBRULE_SORTS:
        steps = [step for step in changed.changes if step.sort == sort]
        if steps and (is_full or sort not in _SLIGHT):
            names = [*dict.fromkeys(map(_moved, steps))] if sort not in _UNNAMED else []
            most = len(names) if is_full else _MOST_NAMES
            groups = groupby(names[:most], key=itemgetter(0, 2))
            told = [f"{a}{', '.join([it[1] for it in some])}{z}" for (a, z), some in groups]
            more = f" and {len(names) - most:,} more" if len(names) > most else ""
            yield f"{len(steps):,} {wording.COUNTED[sort]}" + f" ({', '.join(told)}{more})" * bool(
                told
            )


def _moved(step: records.SubruleStep) -> tuple[str, str, str]:
    """Return a subrule's former number with an arrow, if it has another; its new one; how sure that is."""
    new = ", ".join(step.to if step.way == "out" else step.to[:1])
    is_moved = step.from_ and new and (step.from_ != new or step.sort == "merged")
    old = f"{'the former ' * (step.from_ == new)}{step.from_} → " if is_moved else ""
    return old, new or step.from_ or "", wording.confidence(step.confidence)


def _evidence(steps: Sequence[records.Step]) -> Iterator[str]:
    shown = [step for step in steps if step.kinds != ["kept"]]
    yield from [] if shown else ["  unchanged since the first edition"]
    for step in shown:
        old, new = step.from_ or "nothing", ", ".join(step.to) or "nothing"
        kinds = wording.step_words(step.kinds, step.from_, next(iter(step.to), None))
        yield bold(f"{old} ({step.from_edition}) → {new} ({step.to_edition})")
        sure = f"{percent(step.confidence)} confidence"
        yield f"  {kinds}; {f'decided: {step.read.reason}' if step.read else sure}"
        if step.kinds != ["reworded"]:
            reasons = [*step.evidence, *announced_lines(step.announced)]
            yield from [f"  - {reason}" for reason in reasons]


def _dated(dated: records.DatedProvision, about: Sequence[str]) -> Iterator[str]:
    yield from [f"{bold(dated.name)}  in the edition of {dated.edition}", *about]
    for it in (dated, *dated.subrules):
        # A heading stands in for missing words.
        heading = [] if [*map(str, it.heading)] == [*map(str, it.words)] else it.heading
        lines = [*_runs(heading), *_runs(it.words)]
        yield from lines if it is dated else layout.titled(it.name, lines)


def _runs(words: Sequence[records.DatedWord]) -> Iterator[str]:
    """Yield words of one edition together; a shred belongs to the words before it, or after."""
    runs = [[word.since, ""] for word in words[:1]]
    for since, group in groupby(words, key=lambda word: word.since):
        text = "".join([word.text for word in group])
        end = sign.end() if (sign := _ENDS.match(text)) else 0  # a sign ends the words before it
        runs[-1][1] += text[:end]
        if since != runs[-1][0] and len(text[end:].strip()) >= _SHRED:
            is_shred = len(runs[-1][1].strip()) < _SHRED
            runs[-1:] = [[since, runs[-1][1]]] if is_shred else [runs[-1], [since, ""]]
        runs[-1][1] += text[end:]
    for since, run in runs:
        first, *rest = run.strip().split("\n")
        yield f"  {since:<{_MARGIN - 2}}{HANG}{first}"
        yield from (f"{' ' * _MARGIN}{HANG}{part}" for part in rest)


@opts.command("QUESTION...", to={"default": "current"}, apart=("--on --from",))
def where(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Find the number that a rule of one edition has in another, later or earlier.

    cr where 600.4a 410.8
    cr where 511 --from 2008-02-01
    cr where 705.1 --from latest --to 2008-02-01
    cr where - --from 2008-02-01 --jsonl < numbers.txt

    What is called "decided" was settled by readers; a percentage is the confidence of the program.

    --from EDITION  The edition that the number is from. Default: all editions that printed it.
    --on EDITION    The same as --from.
    --to EDITION    The edition to find it in. Default: the current one.
    --json --jsonl
    """
    target = base.edition(o.to)
    start = base.edition(o.from_ or o.on) if o.from_ or o.on else None
    answers, failed = answered(
        base, o.words, lambda it: base.find(it, start) if start else [base.subject(it)]
    )
    found = [
        (asked, subject, destination_of(subject, target, asked_for(asked.question)))
        for asked, subjects in answers
        for subject in subjects
    ]
    records = [row for *_, row in found]

    def page() -> Iterator[str]:
        for asked, subject, row in found:
            yield wording.fact(subject, target, row)
            yield from [f"  {step.edition}, decided: {step.reason}" for step in row.read]
            is_dated = start is not None or asked.edition
            now = wording.then_and_now(base, asked, [subject], is_said=True) if is_dated else []
            yield from [f"  {said}" for said in (*now, *wording.to_type(subject)[:-1])]
            yield from wording.other_lines(base, row.asked, row.others, target)

    is_lost = bool(records) and not any(row.new for row in records)
    if o.as_json and is_lost:
        said = f"{records[0].asked} of {records[0].edition}: nothing in the edition of "
        raise NotFoundError(f"{said}{target.label} continues it", answer=records)
    return opts.Answer(records, page(), code=int(is_lost), failed=failed)
