"""`cr history`: a provision through time, the age of its words, its evidence and its witnesses."""

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from types import SimpleNamespace
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import parse_questions
from variorum.cli import command as opts
from variorum.cli.layout import (
    EXAMPLE,
    diffed,
    marked,
    named_examples,
    para,
    with_examples,
    without_examples,
)
from variorum.cli.witnesses import announced_lines, file_names, list_attestations
from variorum.cli.wording import CLASSES, REMOVED, confidence, step_words, then_and_now, with_doubt
from variorum.errors import NotFoundError
from variorum.history.word_diffs.diff import Piece
from variorum.records.document import Announcement
from variorum.records.lineage import (
    DatedProvision,
    DatedSubrule,
    DatedWord,
    History,
    OtherBearer,
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
_CONTEXT = 3
# A run of fewer characters is a shred of its neighbours.
_SHRED = 4
_ENDS = re.compile(r"[.,;:!?)\]”’]+\s*")
# The words for what happened to subrules, by sort; of the last four only the number is told.
_SORTS = {
    "new": "new",
    "moved_in": "from elsewhere",
    "parts": "split off or copied",
    "substantive": "reworded",
    "merged": "merged",
    "moved_out": "moved elsewhere",
    "parts out": "with words copied or moved elsewhere",
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
    needs={"--at": "--evidence"},
)
def history(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show the history of a rule: its numbers, each rewording, splits, merges and copies.

    For a section or a rule with subrules, show what each edition changed in it and below it.

    With --words, show when each word of a rule and its subrules was added, through all renumberings.
    With --witnesses, show other documents that quote it, whether they agree, and the articles about it.
    With --evidence, show where a rule came from and where it went, and how sure that is.

    cr history 704.5j                 the rule with this number today, or the last to have it
    cr history 511 --on 2008-02-01    the rule that had it on that day
    cr history 702.19 --full          a keyword with its subrules, every word
    cr history 800.4a --words         when each word was added
    cr history 705 --words            a section with its rules
    cr history 600.4a --witnesses     other documents that quote or discuss it
    cr history 705.1 --evidence
    cr history 705.1 --evidence --at M10

    --full        Show every edition, today's text in full, and each change word by word.
    --words       Show when each word was added.
    --evidence    Show each step, and the confidence in it.
    --witnesses   Show what other documents quote of it or say about it.
    --at EDITION  With --evidence: show only the step into this edition, with its evidence.
    --only
    --on EDITION  The edition that the number is from: a day, a month, a year, a set, first, latest,
                  current or today. Default: the current edition, else the last that printed it.
    --json --jsonl
    """
    subject = base.subject(" ".join(o.words), o.on)
    if o.evidence:
        label = base.edition(o.at).label if o.at else ""
        steps = [step for step in subject.why() if label in {"", step.to_edition}]
        if label and not steps:
            labels = list(dict.fromkeys(step.to_edition for step in subject.why()))
            raise NotFoundError(f"{subject.name}: unchanged in {label}", near=labels)
        return opts.Answer(steps, lambda: _evidence(steps, label, o.words))
    if o.witnesses:
        said = base.witnesses.quoted(subject.lineage)
        none = "  no other document quotes or discusses it; cr build adds rulings, articles or originals"
        return opts.Answer(said, lambda: list(list_attestations(said, file_names(base))) or [none])
    asked, about = parse_questions(" ".join(o.words))[0], list[str]()
    if o.on or asked.edition:
        about = then_and_now(base, asked, [subject], is_said=not o.of_words)
    about = [f"  {said}" for said in about]
    if o.of_words:
        dated = subject.blame(is_alone=o.only)
        return opts.Answer(dated, lambda: _dated(dated, about))
    answer = subject.history(is_alone=o.only, is_full=o.full)
    return opts.Answer(answer, lambda: _history(answer, about, is_full=o.full), answer.steps)


# Events -------------------------------------------------------------------------------------------


class Event(NamedTuple):
    """What happened to a provision in an edition; `number` is its name from then on, "" if unchanged."""

    edition: str
    number: str
    words: str
    pieces: Sequence[Piece]
    announced: list[Announcement]

    @property
    def is_slight(self) -> bool:
        """Return whether only typography or citations changed."""
        return not (self.number or self.announced) and self.words in _SLIGHT_WORDS


def _history(history: History, about: Sequence[str], *, is_full: bool) -> Iterator[str]:
    last, now = history.readings[-1], history.now
    where = f"today, in the edition of {now.edition}" if now else f"until {last.to}"
    yield f"{bold(last.name)}  {f'{last.heading} ({where})' if last.heading and last.number else where}"
    yield from [*about, ""]
    yield from (_below if history.subrules else _timeline)(history, is_full=is_full)
    if last.text != last.heading:
        text = named_examples(last.text, last.examples)
        yield from ["", *para(text if is_full else shortened(text, _SHORT), 2)]
    others = [
        said.witness for said in history.witnesses if not said.witness.kind.startswith(ORIGINAL)
    ]
    if count := len({witness.sha256 for witness in others}):
        verb = "quotes or discusses" if count == 1 else "quote or discuss"
        shows = f"cr history {last.number or last.name} --witnesses shows the words"
        yield from ["", f"  {counted(count, 'other document')} {verb} it; {shows}"]
    if history.others:
        yield from ["", bold("Other rules that have had this number"), *_others(history.others)]


def _timeline(history: History, *, is_full: bool) -> Iterator[str]:
    """Yield the lines of a history, each rewording with its word diff; slight ones are counted."""
    slight = 0
    for event in events(history, is_full=is_full):
        if event.is_slight and not is_full:
            slight += 1
            continue
        yield event_line(event)
        if event.pieces:
            yield from diffed(marked(event.pieces, context=8 if is_full else _CONTEXT), _MARGIN)
        yield from _announced(event)
    yield from _slight_line(slight)


def _slight_line(count: int) -> list[str]:
    editions = "more edition" if count == 1 else "more editions"
    line = f"  {count} {editions} changed typography or citations; --full shows them"
    return ["", line] if count else []


def event_line(event: Event) -> str:
    """Return the line of an event: its edition, the number from then on, and what happened."""
    gap = " " * (max(2, _NAME - len(event.number)) if event.number else _NAME)
    return f"  {event.edition:<{_MARGIN - 2}}{bold(event.number)}{gap}{HANG}{event.words}".rstrip()


def _announced(event: Event) -> list[str]:
    return [line for said in announced_lines(event.announced) for line in para(said, _MARGIN)]


def events(
    history: History, elsewhere: Collection[str] = (), *, is_full: bool = False
) -> Iterator[Event]:
    """Yield the events of a provision without its subrules, oldest first.

    `elsewhere` are the names of parts that the page lists elsewhere. Word diffs have examples if only
    they changed, or `is_full`.
    """
    readings = history.readings
    first = readings[0]
    if not any(step.to_edition == first.from_ for step in history.steps):
        yield Event(first.from_, first.name, "the first edition", [], [])
    before: Reading | None = None
    for step in history.steps:
        place = next((n for n, each in enumerate(readings) if each.from_ == step.to_edition), -1)
        reading = readings[place]
        if place < 0 or reading.name not in step.to or reading is before:
            if step.to != [step.from_] or step.kinds != ["kept"]:
                yield Event(
                    step.to_edition, "", with_doubt(_beside(step), step), [], step.announced
                )
            continue
        previous = readings[place - 1] if place else None
        number = reading.name if previous is None or previous.name != reading.name else ""
        examples = 0 if previous is None else previous.examples, reading.examples
        pieces = (with_examples if is_full else _own_pieces)(reading.words, *examples)
        words = with_doubt(_event_words(step, reading, elsewhere), step)
        yield Event(step.to_edition, number, words, pieces, step.announced)
        before = reading


def _own_pieces(pieces: Sequence[Piece], before: int, after: int) -> Sequence[Piece]:
    """Return a word diff without its examples; if only they changed, the beginning of their diff."""
    own = without_examples(pieces, before, after)
    if any(sign != "=" and text.strip() for sign, text in own):
        return own
    begun: list[Piece] = []
    for sign, text in with_examples(pieces, before, after):
        if sum(len(words) for _, words in begun) > _SHORT:
            return [*begun, ("=", " …")]
        begun += [(sign, text)] if begun or sign != "=" else []
    return begun


def _event_words(step: Step, reading: Reading, elsewhere: Collection[str]) -> str:
    if step.from_ is None:
        return "new"
    if step.to[0] != reading.name:
        unsaid = {reading.name, *elsewhere, step.from_}
        others = ", ".join([number for number in step.to if number not in unsaid])
        is_copy = "copied" in step.kinds
        how, there = ("copied", "also in ") if is_copy else ("split off", "other parts: ")
        return f"{how} from {step.from_}{f'; {there}{others}' if others else ''}"
    kinds = [kind for kind in step.kinds if kind != "kept"]
    parts = [", ".join(step_words(kinds, step.from_, step.to[0]))] if kinds else []
    if step.class_ in CLASSES:
        parts.append(CLASSES[step.class_])
    elif step.class_ and not kinds:
        parts.append("cites something else")
    others = ", ".join([number for number in step.to[1:] if number not in elsewhere])
    return " ".join([*parts, *([f"with {others}"] if others else [])]) or "unchanged"


def _beside(step: Step) -> str:
    """Return the words for what happened to a related provision, or for the end of a history."""
    if not step.to:
        return REMOVED
    if "merged" in step.kinds:
        return f"{step.from_} was merged into {', '.join(step.to)}"
    if "uncertain" in step.kinds:
        return f"uncertain: {step.from_} may have become {' or '.join(step.to)}"
    words = step_words(sorted({*step.kinds} - {"kept"}), step.from_, step.to[0])
    return f"{', '.join(words) or 'kept'}: {step.from_} became {', '.join(step.to)}"


def _others(others: Sequence[OtherBearer]) -> Iterator[str]:
    """Yield lines for each other bearer of a number: when it had the number, and its place now."""
    for bearer in others:
        last = bearer.last
        seen = f"last seen as {last.number or last.term} in {last.edition}"
        outcome = f"now {bearer.now.name}" if bearer.now else seen
        yield f"  {bearer.from_} to {bearer.to or 'today'}: {outcome}"
        yield from para(shortened(bearer.text, _SHORT), 4) if bearer.text else ()


# Subrules -----------------------------------------------------------------------------------------


def _below(history: History, *, is_full: bool) -> Iterator[str]:
    """Yield the lines about what each edition changed in a provision and its subrules."""
    subrules = history.subrules
    changes = {changed.edition: changed for changed in subrules.editions} if subrules else {}
    names = {name for changed in changes.values() for step in changed.changes for name in step.to}
    own: dict[str, list[Event]] = {}
    for event in events(history, names, is_full=is_full):
        own.setdefault(event.edition, []).append(event)
    number, slight = history.readings[0].number or "", 0
    for label in sorted({*changes, *own}, key=lambda label: (label[:10], len(label), label)):
        changed, here = changes.get(label), own.get(label, [])
        heads = number, (changed.number if changed else "") or ""
        number = heads[1] or number
        words = [each.words for each in here if each.words and (is_full or not each.is_slight)]
        words += _counts(changed, heads, is_full=is_full) if changed else ()
        announced = [said for each in here for said in each.announced]
        name = next((each.number for each in here if each.number), "")
        line = Event(label, name, "; ".join(words), [], announced)
        if line.is_slight and not line.words:
            slight += 1
        else:
            yield from [event_line(line), *_announced(line)]
        if is_full:
            diffs = [marked(event.pieces) for event in here if event.pieces]
            for step in changed.changes if changed else ():
                pieces = with_examples(step.words, *step.examples) if step.words else []
                named = "".join(_name(step, ("", "")))
                diffs += [f"{named}  {marked(pieces)}"] if pieces else []
            yield from [part for diff in diffs for part in diffed(diff, _MARGIN)]
    yield from [*_slight_line(slight), ""]
    last = subrules.last if subrules else []
    if history.now:
        span = " to ".join(dict.fromkeys(subrule.number for subrule in (*last[:1], *last[-1:])))
        yield f"  {counted(len(last), 'subrule')} today: {span or 'none'}"
    else:
        rules = [each for each in last if is_full or each.number[-1:].isdigit()] or last
        ends = [f"{each.number} {f'→ {each.now.name}' if each.now else REMOVED}" for each in rules]
        yield f"  Its subrules today: {', '.join(ends)}"


def _counts(changed: SubrulesChanged, heads: tuple[str, str], *, is_full: bool) -> Iterator[str]:
    """Yield the sorts of changes of subrules, with counts and some numbers."""
    by_sort: dict[str, list[SubruleStep]] = {}
    for step in changed.changes:
        is_out = step.sort == "parts" and step.way == "out"
        by_sort.setdefault("parts out" if is_out else step.sort, []).append(step)
    for sort, words in _SORTS.items():
        steps = by_sort.get(sort, [])
        if not steps or (sort in _SLIGHT and not is_full):
            continue
        if sort in _UNNAMED:
            is_with_it = sort == "moved_only" and heads[0] and heads[0] != heads[1]
            yield f"{len(steps):,} {words}{' with it' if is_with_it else ''}"
        else:
            yield f"{len(steps):,} {words} ({_names(steps, heads, is_full=is_full)})"


def _names(steps: list[SubruleStep], heads: tuple[str, str], *, is_full: bool) -> str:
    """Return the numbers of subrules; a new rule represents its subrules."""
    ends = [(step.to[0] if step.to else step.from_) or "" for step in steps]
    above = [
        step
        for step, name in zip(steps, ends, strict=True)
        if step.sort not in {"new", "gone"}
        or not name[-1:].islower()
        or name.rstrip(_LETTERS) not in ends
    ]
    shown = above if is_full else above[:_MOST_NAMES]
    names = dict.fromkeys(_name(step, heads) for step in shown)
    groups = groupby(names, key=lambda pair: pair[1])
    listed = ", ".join([", ".join([words for words, _ in group]) + how for how, group in groups])
    more = len(above) - len(shown)
    return listed + (f" and {more:,} more" if more else "")


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _name(step: SubruleStep, heads: tuple[str, str]) -> tuple[str, str]:
    """Return a subrule's number, and its former or new number with today's."""
    old, new = step.from_ or "", step.to[0] if step.to else ""
    words, how = new or old, ""
    if step.way == "out" or step.sort == "merged":
        words = f"the former {old}" if old in step.to else old
        how = f"{' into ' if step.sort == 'merged' else ' → '}{', '.join(step.to)}"
        how += f" (now {step.now.name})" if step.now and step.now.name not in step.to else ""
    elif old and new and old.removeprefix(heads[0]) != new.removeprefix(heads[1]):
        how = f" from {old}"
    return words, how + confidence(step.confidence)


# Evidence -----------------------------------------------------------------------------------------


def _evidence(steps: Sequence[Step], label: str, question: tuple[str, ...]) -> Iterator[str]:
    shown = [step for step in steps if label or step.kinds != ["kept"]]
    if not shown:
        yield f"{' '.join(question)}: unchanged since the first edition"
        return
    for step in shown:
        old, new = step.from_ or "nothing", ", ".join(step.to) or "nothing"
        kinds = ", ".join(step_words(step.kinds, step.from_, next(iter(step.to), None)))
        yield bold(f"{old} ({step.from_edition}) → {new} ({step.to_edition})")
        sure = f"{percent(step.confidence)} confidence"
        yield f"  {kinds}; {f'decided: {step.read.reason}' if step.read else sure}"
        reasons = [*step.evidence, *announced_lines(step.announced)] if label else []
        yield from [f"  - {reason}" for reason in reasons]
    if not label:
        typed = f"cr history {shlex.join(question)} --evidence --at {shown[-1].to_edition}"
        yield from ["", f"  {typed} shows the evidence of one step"]


# The age of words ---------------------------------------------------------------------------------


def _dated(dated: DatedProvision, about: Sequence[str]) -> Iterator[str]:
    yield f"{bold(dated.name)}  in the edition of {dated.edition}"
    yield from [*about, *_dated_words(dated)]
    for subrule in dated.subrules:
        yield from ["", bold(subrule.name), *_dated_words(subrule)]


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
