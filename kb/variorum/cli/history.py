"""`cr history`: a provision through time, the age of its words, its evidence and its witnesses."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from types import SimpleNamespace
from typing import NamedTuple

from variorum.answers.histories import history_of, why
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import parse_questions
from variorum.cli import command as opts
from variorum.cli.layout import (
    EXAMPLE,
    diffed,
    marked,
    named_examples,
    para,
    titled,
    with_examples,
    without_examples,
)
from variorum.cli.witnesses import announced_lines, file_names, list_witnesses
from variorum.cli.wording import CLASSES, REMOVED, confidence, other_lines, step_words, then_and_now
from variorum.history.word_diffs import Piece
from variorum.records.document import Passage
from variorum.records.lineage import (
    DatedProvision,
    DatedSubrule,
    DatedWord,
    History,
    Reading,
    Step,
    SubrulesChanged,
    SubruleStep,
)
from variorum.rows import ORIGINAL
from variorum.terminal import HANG, bold
from variorum.text import counted, percent, shortened

_MARGIN, _NAME, _SHORT, _MOST_NAMES = 14, 12, 160, 4
# How many unchanged words are shown on each side of a change.
_CONTEXT, _CONTEXT_IF_FULL = 3, 8
# A run of fewer characters is a shred of its neighbours.
_SHRED = 4
# The letters of 702.19b, the rule of 705.1.
_LAST_PART = re.compile(r".*?((?<=\d)[a-z]+|\.\d+)\Z")
_ENDS = re.compile(r"[.,;:!?)\]”’]+\s*")
# The words for what happened to subrules, by sort; of the last four only the number is told.
_SORTS = {
    "new": "new",
    "moved_in": "from elsewhere",
    "parts": "split off or copied",
    "substantive": "reworded",
    "merged": "merged",
    "moved_out": "moved elsewhere",
    "gone": REMOVED,
    "uncertain": "uncertain",
    "sweep": "with wording changed throughout",
    "moved_only": "only renumbered",
    "citation_only": "only citing new numbers",
    "typographic": "changed in typography",
}
_UNNAMED = ("sweep", "citation_only", "typographic", "moved_only")
# Editions that changed only these are counted in one line.
_SLIGHT = ("citation_only", "typographic")
_SLIGHT_WORDS = {"", CLASSES["citation-only"], CLASSES["typographic"]}


@opts.command(
    "QUESTION...",
    complete=opts.complete_question,
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

    --full        Show every edition, today's text in full, and each change word by word.
    --words       Show when each word was added.
    --evidence    Show each step, the confidence in it, and the reasons for those that moved it.
    --witnesses   Show what other documents quote of it or say about it.
    --only
    --on EDITION  The edition that the number is from. Default: the current edition, else the last that
                  printed it.
    --json --jsonl
    """
    subject = base.subject(" ".join(o.words), o.on)
    if o.evidence:
        steps = why(subject)
        return opts.Answer(steps, _evidence(steps))
    if o.witnesses:
        said = base.witnesses.of(subject.lineage)
        none = "  no other document quotes or discusses it; cr build adds rulings, articles or originals"
        return opts.Answer(said, [*list_witnesses(said, file_names(base))] or [none])
    asked, about = parse_questions(" ".join(o.words))[0], list[str]()
    if o.on or asked.edition:
        about = then_and_now(base, asked, [subject], is_said=not o.of_words)
    about = [f"  {said}" for said in about]
    if o.of_words:
        dated = base.ages.blame(subject, is_alone=o.only)
        return opts.Answer(dated, _dated(dated, about))
    answer = history_of(subject, is_alone=o.only, is_full=o.full)
    others = other_lines(base, subject.asked, answer.others, base.current or subject.edition)
    page = [*_history(answer, about, is_full=o.full)] if not o.as_json else []
    page += titled("Other rules that have had this number", (f"  {line}" for line in others))
    return opts.Answer(answer, page, answer.steps)


def _history(history: History, about: Sequence[str], *, is_full: bool) -> Iterator[str]:
    last, now = history.readings[-1], history.now
    where = f"today, in the edition of {now.edition}" if now else f"until {last.to}"
    yield f"{bold(last.name)}  {f'{last.heading} ({where})' if last.heading and last.number else where}"
    yield from [*about, "", *_timeline(history, is_full=is_full)]
    if last.text != last.heading:
        text = named_examples(last.text, last.examples)
        yield from ["", *para(text if is_full else shortened(text, _SHORT), 2)]
    others = {said.witness for said in history.witnesses if said.witness}
    if count := len([it for it in others if not it.kind.startswith(ORIGINAL)]):
        verb = "quotes or discusses" if count == 1 else "quote or discuss"
        shows = f"cr history {last.number or last.name} --witnesses shows the words"
        yield from ["", f"  {counted(count, 'other document')} {verb} it; {shows}"]


# Events -------------------------------------------------------------------------------------------


class _Event(NamedTuple):
    """What happened to a provision in an edition; `number` is its name from then on, "" if unchanged."""

    edition: str
    number: str
    words: str
    pieces: Sequence[Piece] = ()
    announced: Sequence[Passage] = ()


def _timeline(history: History, *, is_full: bool) -> Iterator[str]:
    """Yield the lines of what each edition changed in a provision and below it; slight changes are counted."""
    subrules = history.subrules
    changes = {changed.edition: changed for changed in subrules.editions} if subrules else {}
    elsewhere = {name for it in changes.values() for step in it.changes for name in step.to}
    own: dict[str, list[_Event]] = {}
    for event in _events(history, elsewhere, is_full=is_full):
        own.setdefault(event.edition, []).append(event)
    slight = 0
    for label in sorted({*changes, *own}, key=lambda label: (label[:10], len(label), label)):
        here, changed = own.get(label, []), changes.get(label)
        number = next((each.number for each in here if each.number), "")
        announced = [said for each in here for said in each.announced]
        words = [each.words for each in here if is_full or each.words not in _SLIGHT_WORDS]
        words += _counts(changed, is_full=is_full) if changed else []
        if not (number or announced or words):
            slight += 1
            continue
        gap = " " * (max(2, _NAME - len(number)) if number else _NAME)
        said = "; ".join(words)
        yield f"  {label:<{_MARGIN - 2}}{bold(number)}{gap}{HANG}{said}".rstrip()
        context = _CONTEXT_IF_FULL if is_full else _CONTEXT
        diffs = [
            marked(each.pieces, context=context)
            for each in here
            if each.pieces and (is_full or not subrules)
        ]
        diffs += [
            f"{''.join(_name(step))}  {marked(with_examples(step.words, *step.examples))}"
            for step in (changed.changes if changed and is_full else ())
            if step.words
        ]
        yield from [part for words_changed in diffs for part in diffed(words_changed, _MARGIN)]
        yield from [part for line in announced_lines(announced) for part in para(line, _MARGIN)]
    if slight:
        noun = "more edition" if slight == 1 else "more editions"
        yield from ["", f"  {slight} {noun} changed typography or citations; --full shows them"]
    if subrules:
        yield ""
    if subrules and history.now:
        names = [subrule.number for subrule in (*subrules.last[:1], *subrules.last[-1:])]
        span = " to ".join(dict.fromkeys(names)) or "none"
        yield f"  {counted(len(subrules.last), 'subrule')} today: {span}"
    elif subrules:
        ends = [
            f"{each.number} {f'→ {each.now.name}' if each.now else REMOVED}"
            for each in subrules.last
        ]
        yield f"  Its subrules today: {', '.join(ends)}"


def _events(history: History, elsewhere: Collection[str], *, is_full: bool) -> Iterator[_Event]:
    """Yield the events of a provision without its subrules, oldest first.

    `elsewhere` are the names of parts that the page lists elsewhere. Word diffs have examples if only
    they changed, or `is_full`.
    """
    readings = history.readings
    if not any(step.to_edition == readings[0].from_ for step in history.steps):
        yield _Event(readings[0].from_, readings[0].name, "the first edition")
    before: Reading | None = None
    for step in history.steps:
        place = next((n for n, each in enumerate(readings) if each.from_ == step.to_edition), -1)
        reading = readings[place]
        if place < 0 or reading.name not in step.to or reading is before:
            if step.to != [step.from_] or step.kinds != ["kept"]:
                yield _Event(step.to_edition, "", _said(step, "", ()), announced=step.announced)
            continue
        previous = readings[place - 1] if place else None
        number = reading.name if previous is None or previous.name != reading.name else ""
        examples = 0 if previous is None else previous.examples, reading.examples
        pieces = with_examples(reading.words, *examples)
        pieces = pieces if is_full else _without_examples(pieces)
        words = _said(step, reading.name, elsewhere)
        yield _Event(step.to_edition, number, words, pieces, step.announced)
        before = reading


def _without_examples(pieces: list[Piece]) -> list[Piece]:
    """Return a word diff without its examples; if only they changed, the beginning of their diff."""
    own = without_examples(pieces)
    if any(sign != "=" and text.strip() for sign, text in own):
        return own
    begun: list[Piece] = []
    for sign, text in pieces:
        if sum(len(words) for _, words in begun) > _SHORT:
            return [*begun, ("=", " …")]
        begun += [(sign, text)] if begun or sign != "=" else []
    return begun


def _said(step: Step, name: str, elsewhere: Collection[str]) -> str:
    """Return what happened in a step to the provision with a name; without one, to a relative of it."""
    sure = confidence(step.confidence)
    if not (step.from_ and step.to):
        return ("new" if step.to else REMOVED) + sure
    kinds = step_words(step.kinds, step.from_, step.to[0], step.class_ if name else "")
    if not name:
        former = "the former " if step.from_ in step.to else ""
        return f"{kinds or 'kept'}: {former}{step.from_} → {', '.join(step.to)}{sure}"
    if step.to[0] != name:
        return f"{'copied' if 'copied' in step.kinds else 'split off'} from {step.from_}{sure}"
    others = [number for number in step.to if number not in {name, *elsewhere}]
    beside = f" with {', '.join(others)}" if others else ""
    return (kinds or ("cites something else" if step.class_ else "unchanged")) + beside + sure


def _counts(changed: SubrulesChanged, *, is_full: bool) -> list[str]:
    """Return the sorts of changes of subrules, with counts and some numbers."""
    counts: list[str] = []
    for sort, words in _SORTS.items():
        steps = [step for step in changed.changes if step.sort == sort]
        if not steps or (sort in _SLIGHT and not is_full):
            continue
        count = f"{len(steps):,} {words}"
        if sort not in _UNNAMED:
            names = [*dict.fromkeys(map(_name, steps))]
            most = len(names) if is_full else _MOST_NAMES
            groups = groupby(names[:most], key=lambda pair: pair[1])
            told = [", ".join([name for name, _ in some]) + how for how, some in groups]
            more = f" and {len(names) - most:,} more" if len(names) > most else ""
            count += f" ({', '.join(told)}{more})"
        counts.append(count)
    return counts


def _name(step: SubruleStep) -> tuple[str, str]:
    """Return a subrule's number, and its former number if it came from elsewhere, or its new ones."""
    old, new, sure = step.from_ or "", step.to[0] if step.to else "", confidence(step.confidence)
    if step.way == "out" or step.sort == "merged":
        to = f"{' into' if step.sort == 'merged' else ' →'} {', '.join(step.to) or REMOVED}"
        return f"{'the former ' if old in step.to else ''}{old}", to + sure
    last_parts = {_LAST_PART.sub(r"\1", name) for name in (old, new)}
    is_told = old and new and (step.way == "in" or len(last_parts) > 1)
    return new or old, (f" from {old}" if is_told else "") + sure


# Evidence -----------------------------------------------------------------------------------------


def _evidence(steps: Sequence[Step]) -> Iterator[str]:
    shown = [step for step in steps if step.kinds != ["kept"]]
    yield from [] if shown else ["  unchanged since the first edition"]
    for step in shown:
        old, new = step.from_ or "nothing", ", ".join(step.to) or "nothing"
        kinds = step_words(step.kinds, step.from_, next(iter(step.to), None))
        yield bold(f"{old} ({step.from_edition}) → {new} ({step.to_edition})")
        sure = f"{percent(step.confidence)} confidence"
        yield f"  {kinds}; {f'decided: {step.read.reason}' if step.read else sure}"
        if step.kinds != ["reworded"]:
            reasons = [*step.evidence, *announced_lines(step.announced)]
            yield from [f"  - {reason}" for reason in reasons]


# The age of words ---------------------------------------------------------------------------------


def _dated(dated: DatedProvision, about: Sequence[str]) -> Iterator[str]:
    yield f"{bold(dated.name)}  in the edition of {dated.edition}"
    yield from [*about, *_dated_words(dated)]
    for subrule in dated.subrules:
        yield from titled(subrule.name, _dated_words(subrule))


def _dated_words(dated: DatedSubrule) -> Iterator[str]:
    text = _text(dated.words)
    if _text(dated.heading) != text:  # a heading stands in for missing words
        yield from _runs([(word.since, word.text) for word in dated.heading])
    others, is_start = text.count("\n") + 1 - dated.examples, True
    words: list[tuple[str, str]] = []
    for word in dated.words:
        words.append((word.since, f"{EXAMPLE if is_start and others <= 0 else ''}{word.text}"))
        others -= word.text.count("\n")
        is_start = word.text.endswith("\n")
    yield from _runs(words)


def _text(words: Sequence[DatedWord]) -> str:
    return "".join([word.text for word in words])


def _runs(words: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield words of one edition together; a shred belongs to the words before it, or after."""
    runs: list[tuple[str, str]] = []
    for since, group in groupby(words, key=lambda word: word[0]):
        text = "".join([words for _, words in group])
        if runs and (sign := _ENDS.match(text)):  # a sign ends the words before it
            runs[-1] = runs[-1][0], runs[-1][1] + sign[0]
            text = text[sign.end() :]
        if runs and (runs[-1][0] == since or len(text.strip()) < _SHRED):
            runs[-1] = runs[-1][0], runs[-1][1] + text
        elif runs and len(runs[-1][1].strip()) < _SHRED:
            runs[-1] = since, runs[-1][1] + text
        else:
            runs.append((since, text))
    for since, run in runs:
        first, *rest = run.strip().split("\n")
        yield f"  {since:<{_MARGIN - 2}}{HANG}{first}"
        yield from (f"{' ' * _MARGIN}{HANG}{part}" for part in rest)
