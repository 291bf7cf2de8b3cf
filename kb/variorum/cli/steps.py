"""`cr history`: a provision through time, the age of its words, its evidence and its witnesses."""

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from types import SimpleNamespace
from typing import NamedTuple

from msgspec import structs

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import parse_questions
from variorum.cli import layout as lay
from variorum.cli.command import ASKED, JSON, JSONL, NUMBER_OF, ONLY, Answer, command, edition, flag
from variorum.cli.moves import then_and_now
from variorum.cli.witnesses import announced_lines, file_names, list_attestations
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
    Subrule,
    SubrulesChanged,
    SubruleStep,
)
from variorum.rows import ORIGINAL, SHOWN_CERTAIN, named
from variorum.terminal import bold, page_width
from variorum.text import counted, percent, shortened

_MARGIN, _NAME, _SHORT, _HASH = 14, 12, 160, 8
# On a narrower page, numbers share a column with the words.
_NARROW = 70
_MOST_NAMES = 4
# How many unchanged words are shown on each side of a change, unless all is asked for.
_CONTEXT = 3
# A run of fewer characters is a shred of its neighbours.
_SHRED = 4
_ENDS = re.compile(r"[.,;:!?)\]”’]+\s*")
# The words for what happened to subrules, by label.
_LABELS = {
    "new": "new",
    "in": "from elsewhere",
    "parts": "split off or copied",
    "substantive": "reworded",
    "merged": "merged",
    "out": "moved elsewhere",
    "parts out": "with words copied or moved elsewhere",
    "gone": lay.REMOVED,
    "uncertain": "uncertain",
    "sweep": "with wording changed throughout",
    "citation_only": "only citing new numbers",
    "typographic": "changed in typography",
    "moved_only": "only renumbered",
}
_UNNAMED = ("sweep", "citation_only", "typographic", "moved_only")
# Editions that changed only these are counted in one line.
_SLIGHT = ("citation_only", "typographic")


@command(
    ASKED,
    flag(
        "is_full",
        "Show every edition, today's text in full, and each change word by word.",
        "--full",
    ),
    flag("of_words", "Show when each word was added.", "--words"),
    flag("of_evidence", "Show each step, and the confidence in it.", "--evidence"),
    flag("of_witnesses", "Show what other documents quote of it or say about it.", "--witnesses"),
    edition("--at", "With --evidence: show only the step into this edition, with its evidence."),
    ONLY,
    NUMBER_OF,
    JSON,
    JSONL,
    apart=("--full --words --evidence --witnesses", "--evidence --only", "--words --jsonl"),
    needs={"--at": "--evidence"},
)
def history(base: KnowledgeBase, o: SimpleNamespace) -> Answer:
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
    """
    text = " ".join(o.words)
    subject = base.subject(text, o.on)
    if o.of_evidence:
        label = None if o.at is None else base.edition(o.at).label
        steps = _evidence(subject.why(), label, subject.name)
        return Answer(steps, lambda: _evidence_lines(steps, label, o.words))
    if o.of_witnesses:
        said = base.witnesses.quoted(subject.lineage)
        none = "  no other document quotes or discusses it; cr build adds rulings, articles or originals"
        return Answer(said, lambda: list(list_attestations(said, file_names(base))) or [none])
    asked = parse_questions(text)[0]
    about = (
        then_and_now(base, asked, [subject], is_said=not o.of_words)
        if o.on or asked.edition
        else []
    )
    if o.of_words:
        dated = subject.blame(is_alone=o.is_alone)
        return Answer(dated, lambda: _dated_lines(dated, about))
    answer = subject.history(is_alone=o.is_alone, is_full=o.is_full)
    return Answer(answer, lambda: _history(answer, about, is_full=o.is_full), answer.steps)


# Events -------------------------------------------------------------------------------------------


class Event(NamedTuple):
    """What happened to a provision in an edition.

    Attributes:
        edition: Its label.
        number: The number or headword from then on; "" if unchanged.
        words: What happened.
        pieces: The word diff, if words changed.
        announced: What bulletins announced about it.
    """

    edition: str
    number: str
    words: str
    pieces: Sequence[Piece]
    announced: list[Announcement]

    @property
    def is_slight(self) -> bool:
        """Return whether only typography or citations changed."""
        return not self.number and self.words in {
            lay.CLASSES["citation-only"],
            lay.CLASSES["typographic"],
        }


def is_slight(step: Step) -> bool:
    """Return whether a step changed only typography or citations, and no number."""
    return step.class_ in {"typographic", "citation-only"} and step.to == [step.from_]


def _history(history: History, about: Sequence[str], *, is_full: bool) -> Iterator[str]:
    last, now, name = history.readings[-1], history.now, name_of_reading(history.readings[-1])
    where = f"today, in the edition of {now.edition}" if now else f"until {last.to}"
    if last.heading and last.number:
        where = f"{last.heading} ({where})"
    first, *rest = lay.para(f"{name}  {where}")
    yield first.replace(name, bold(name), 1)
    yield from [*rest, *(line for said in about for line in lay.para(said, 2)), ""]
    if history.subrules:
        yield from _subrules(history, is_full=is_full)
    else:
        yield from timeline(history, is_full=is_full)
    if last.text != last.heading:
        text = lay.named_examples(last.text, last.examples)
        yield from ["", *lay.para(text if is_full else shortened(text, _SHORT), 2)]
    others = {
        said.witness.sha256
        for said in history.witnesses
        if not said.witness.kind.startswith(ORIGINAL)
    }
    if others:
        verb = "quotes or discusses" if len(others) == 1 else "quote or discuss"
        shows = f"cr history {last.number or name} --witnesses shows the words"
        yield from ["", f"  {counted(len(others), 'other document')} {verb} it; {shows}"]
    if history.others:
        yield from ["", bold("Other rules that have had this number"), *other_lines(history.others)]


def timeline(history: History, *, is_full: bool = False) -> Iterator[str]:
    """Yield the lines of a history, each rewording with its word diff; slight ones are counted."""
    slight = 0
    for event in events(history, is_full=is_full):
        if event.is_slight and not event.announced and not is_full:
            slight += 1
            continue
        yield from event_lines(event)
        if event.pieces:
            context = lay.CONTEXT if is_full else _CONTEXT
            yield from lay.diffed(lay.marked(event.pieces, context=context), _MARGIN)
        yield from _announced(event)
    yield from _slight_line(slight)


def _slight_line(count: int) -> list[str]:
    editions = "more edition" if count == 1 else "more editions"
    line = f"{count} {editions} changed typography or citations; --full shows them"
    return ["", *lay.para(line, 2)] if count else []


def event_lines(event: Event) -> Iterator[str]:
    """Yield the lines of an event: its edition, the number from then on, and what happened."""
    number, width = event.number, page_width()
    columns = min(width, lay.WIDEST)
    if width and columns < _NARROW:
        first, *rest = lay.wrap(
            f"{event.edition}  {number}  {event.words}".rstrip(), columns - 2, 2
        )
        line = first.replace(number, bold(number), 1) if number else first
        yield from (f"  {line}", *(f"    {part}" for part in rest))
        return
    shown = bold(number) + " " * max(2, _NAME - len(number)) if number else " " * _NAME
    used = _MARGIN + max(_NAME, len(number) + 2 if number else 0)
    words = (
        lay.wrap(event.words, columns - used, _NAME + _MARGIN - used) if width else [event.words]
    )
    yield f"  {event.edition:<{_MARGIN - 2}}{shown}{words[0]}".rstrip()
    yield from (" " * (_MARGIN + _NAME) + line for line in words[1:])


def events(
    history: History, listed_elsewhere: Collection[str] = (), *, is_full: bool = False
) -> Iterator[Event]:
    """Yield the events of a provision without its subrules, oldest first.

    Args:
        history: In the form of `cr history --json`.
        listed_elsewhere: Names of parts that the page lists elsewhere.
        is_full: Whether the word diffs have examples, even if the rule itself was reworded.
    """
    readings = history.readings
    first = readings[0]
    if not any(step.to_edition == first.from_ for step in history.steps):
        yield Event(first.from_, name_of_reading(first), "the first edition", [], [])
    before: Reading | None = None
    for step in history.steps:
        reading = next((each for each in readings if each.from_ == step.to_edition), None)
        is_own = reading is not None and name_of_reading(reading) in step.to
        if reading is None or not is_own or reading is before:
            if step.to != [step.from_] or step.kinds != ["kept"]:
                words = lay.with_doubt(_beside(step), step)
                yield Event(step.to_edition, "", words, [], step.announced)
            continue
        place = readings.index(reading)
        previous = readings[place - 1] if place else None
        moved = previous is None or name_of_reading(previous) != name_of_reading(reading)
        examples = 0 if previous is None else previous.examples, reading.examples
        pieces = (lay.with_examples if is_full else _own_pieces)(reading.words, *examples)
        words = lay.with_doubt(_event_words(step, reading, listed_elsewhere), step)
        number = name_of_reading(reading) if moved else ""
        yield Event(step.to_edition, number, words, pieces, step.announced)
        before = reading


def _own_pieces(pieces: Sequence[Piece], before: int, after: int) -> Sequence[Piece]:
    """Return a word diff without its examples; if only they changed, the beginning of their diff."""
    own: list[Piece] = []
    left = {
        side: "".join([t for s, t in pieces if s in {"=", side}]).count("\n") + 1 - count
        for side, count in (("-", before), ("+", after))
    }
    for sign, text in pieces:
        side = "+" if sign == "=" else sign
        paragraphs = text.split("\n")
        kept = "\n".join(paragraphs[: max(left[side], 0)])
        own += [(sign, kept)] if kept else []
        for each in "-+" if sign == "=" else sign:
            left[each] -= len(paragraphs) - 1
    is_changed = any(sign != "=" and text.strip() for sign, text in own)
    if is_changed:
        return own
    begun: list[Piece] = []
    for place, piece in enumerate(named := lay.with_examples(pieces, before, after)):
        if sum(len(text) for _, text in begun) > _SHORT and place < len(named) - 1:
            return [*begun, ("=", " …")]
        begun += [piece] if place or piece[0] != "=" else []
    return begun


def name_of_reading(reading: Reading) -> str:
    """Return the number of a reading, or the headword of a glossary entry."""
    return named(reading.number, reading.term)


def _event_words(step: Step, reading: Reading, listed_elsewhere: Collection[str]) -> str:
    name = name_of_reading(reading)
    if step.from_ is None:
        return "new"
    if step.to[0] != name:
        unsaid = {name, *listed_elsewhere, step.from_}
        others = ", ".join([number for number in step.to if number not in unsaid])
        is_copy = "copied" in step.kinds
        how, elsewhere = ("copied", "also in ") if is_copy else ("split off", "other parts: ")
        return f"{how} from {step.from_}{f'; {elsewhere}{others}' if others else ''}"
    kinds = [kind for kind in step.kinds if kind != "kept"]
    words = lay.step_words(kinds, step.from_, step.to[0])
    parts = [", ".join(words)] if words else []
    if step.class_ in lay.CLASSES:
        parts.append(lay.CLASSES[step.class_])
    elif step.class_ and not kinds:
        parts.append("cites something else")
    others = ", ".join([number for number in step.to[1:] if number not in listed_elsewhere])
    return " ".join([*parts, *([f"with {others}"] if others else [])]) or "unchanged"


def _beside(step: Step) -> str:
    """Return the words for what happened to a related provision, or for the end of a history."""
    if not step.to:
        return lay.REMOVED
    to = ", ".join(step.to)
    if "merged" in step.kinds:
        return f"{step.from_} was merged into {to}"
    if "uncertain" in step.kinds:
        return f"uncertain: {step.from_} may have become {' or '.join(step.to)}"
    words = lay.step_words(sorted({*step.kinds} - {"kept"}), step.from_, step.to[0])
    return f"{', '.join(words) or 'kept'}: {step.from_} became {to}"


def other_lines(others: Sequence[OtherBearer]) -> Iterator[str]:
    """Yield lines for each other bearer of a number: when it had the number, and its place now."""
    for bearer in others:
        last = bearer.last
        outcome = f"last seen as {last.number or last.term} in {last.edition}"
        outcome = f"now {bearer.now.name}" if bearer.now else outcome
        yield f"  {bearer.from_} to {bearer.to or 'today'}: {outcome}"
        yield from lay.para(shortened(bearer.text, _SHORT), 4) if bearer.text else ()


def _announced(event: Event) -> list[str]:
    said = announced_lines(event.announced)
    return [line for words in said for line in lay.para(words, _MARGIN)]


# Subrules -----------------------------------------------------------------------------------------


def _subrules(history: History, *, is_full: bool) -> Iterator[str]:
    """Yield the lines about what each edition changed in a provision and its subrules."""
    subrules = history.subrules
    changes = {edition.edition: edition for edition in subrules.editions} if subrules else {}
    elsewhere = {
        name for edition in changes.values() for step in edition.changes for name in step.to
    }
    own: dict[str, list[Event]] = {}
    for event in events(history, elsewhere, is_full=is_full):
        own.setdefault(event.edition, []).append(event)
    number, slight = history.readings[0].number or "", 0
    for label in sorted({*changes, *own}, key=_in_order):
        changed, here = changes.get(label), own.get(label, [])
        heads = number, (changed.number if changed else "") or ""
        number = heads[1] or number
        words = [each.words for each in here if each.words and (is_full or not each.is_slight)]
        words += _counts(changed, heads, is_full=is_full) if changed else ()
        announced = [said for each in here for said in each.announced]
        name = next((each.number for each in here if each.number), "")
        line = Event(label, name, "; ".join(words), [], announced)
        if line.number or line.words:
            yield from [*event_lines(line), *_announced(line)]
        else:
            slight += 1
        for event in here if is_full else ():
            yield from lay.diffed(lay.marked(event.pieces), _MARGIN) if event.pieces else ()
        for step in changed.changes if changed and is_full else ():
            if step.words:
                pieces = lay.with_examples(step.words, *step.examples)
                yield from lay.diffed(
                    f"{''.join(_name(step, ('', '')))}  {lay.marked(pieces)}", _MARGIN
                )
    yield from [*_slight_line(slight), ""]
    last = subrules.last if subrules else []
    if history.now:
        names = [subrule.number for subrule in last]
        span = f"{names[0]} to {names[-1]}" if len(names) > 1 else (names or ["none"])[0]
        yield from lay.para(f"{counted(len(last), 'subrule')} today: {span}", 2)
    else:
        rules = [each for each in last if is_full or each.number[-1:].isdigit()] or last
        yield from lay.para(f"Its subrules today: {', '.join(map(_outcome, rules))}", 2)


def _in_order(label: str) -> tuple[str, int]:
    day, _, issue = label.partition(".")
    return day, int(issue or 0)


def _counts(changed: SubrulesChanged, heads: tuple[str, str], *, is_full: bool) -> Iterator[str]:
    """Yield the sorts of changes of subrules, with counts and some numbers."""
    by_label: dict[str, list[SubruleStep]] = {}
    for step in changed.changes:
        label = {"moved_in": "in", "moved_out": "out"}.get(step.sort, step.sort)
        label = "parts out" if label == "parts" and step.way == "out" else label
        by_label.setdefault(label, []).append(step)
    for label, words in _LABELS.items():
        steps = by_label.get(label, [])
        if not steps or (label in _SLIGHT and not is_full):
            continue
        if label in _UNNAMED:
            is_with_it = label == "moved_only" and heads[0] and heads[0] != heads[1]
            yield f"{len(steps):,} {words}{' with it' if is_with_it else ''}"
        else:
            yield f"{len(steps):,} {words} ({_names(steps, heads, is_full=is_full)})"


def _names(steps: list[SubruleStep], heads: tuple[str, str], *, is_full: bool) -> str:
    """Return the numbers of subrules; a new rule represents its subrules."""
    ends = {step.to[0] if step.to else step.from_ for step in steps}
    above = [s for s in steps if s.sort not in {"new", "gone"} or _parent(s) not in ends]
    shown = above if is_full else above[:_MOST_NAMES]
    names = dict.fromkeys(_name(step, heads) for step in shown)
    groups = groupby(names, key=lambda pair: pair[1])
    listed = ", ".join([", ".join([words for words, _ in group]) + how for how, group in groups])
    more = len(above) - len(shown)
    return listed + (f" and {more:,} more" if more else "")


def _parent(step: SubruleStep) -> str:
    name = (step.to[0] if step.to else step.from_) or ""
    stem = name.rstrip("abcdefghijklmnopqrstuvwxyz")
    return stem if stem != name else ""


def _name(step: SubruleStep, heads: tuple[str, str]) -> tuple[str, str]:
    """Return a subrule's number, its former or new number, and today's."""
    old, new = step.from_ or "", step.to[0] if step.to else ""
    now = step.now.name if step.now else ""
    words, how = new or old, ""
    if step.way == "out" or step.sort == "merged":
        sign = " into " if step.sort == "merged" else " → "
        words = f"the former {old}" if old in step.to else old
        how = f"{sign}{', '.join(step.to)}"
        how += f" (now {now})" if now and now not in step.to else ""
    elif old and new and old.removeprefix(heads[0]) != new.removeprefix(heads[1]):
        how = f" from {old}"
    doubt = step.confidence
    return words, how if doubt >= SHOWN_CERTAIN else f"{how} ({percent(doubt)} confidence)"


def _outcome(subrule: Subrule) -> str:
    return f"{subrule.number} {'→ ' + subrule.now.name if subrule.now else lay.REMOVED}"


# Evidence -----------------------------------------------------------------------------------------


def _evidence(steps: list[Step], label: str | None, name: str) -> list[Step]:
    """Return the steps of a provision, or those into one edition.

    Raises:
        NotFoundError: There is no step into this edition.
    """
    shown = [step for step in steps if label in {None, step.to_edition}]
    if label is not None and not shown:
        labels = list(dict.fromkeys(step.to_edition for step in steps))
        raise NotFoundError(f"{name}: unchanged in {label}", near=labels)
    return shown


def _evidence_lines(
    steps: Sequence[Step], label: str | None, question: tuple[str, ...]
) -> Iterator[str]:
    shown = [step for step in steps if label is not None or step.kinds != ["kept"]]
    if not shown:
        yield f"{' '.join(question)}: unchanged since the first edition"
        return
    for step in shown:
        old, new = step.from_ or "nothing", ", ".join(step.to) or "nothing"
        kinds = ", ".join(lay.step_words(step.kinds, step.from_, next(iter(step.to), None)))
        yield bold(f"{old} ({step.from_edition}) → {new} ({step.to_edition})")
        sure = f"{percent(step.confidence)} confidence"
        yield f"  {kinds}; {f'decided: {step.read.reason}' if step.read else sure}"
        if label is not None:
            reasons = [*step.evidence, *announced_lines(step.announced)]
            yield from [f"  - {reason}" for reason in reasons]
    if label is None:
        typed = f"cr history {shlex.join(question)} --evidence --at {shown[-1].to_edition}"
        yield from ["", f"  {typed} shows the evidence of one step"]


# The age of words ---------------------------------------------------------------------------------


def _dated_lines(dated: DatedProvision, about: Sequence[str]) -> Iterator[str]:
    yield f"{bold(dated.name)}  in the edition of {dated.edition}"
    yield from (line for said in about for line in lay.para(said, 2))
    yield from _dated(dated)
    for subrule in dated.subrules:
        yield from ["", bold(subrule.name), *_dated(subrule)]


def _dated(dated: DatedSubrule) -> Iterator[str]:
    if _text(dated.heading) != _text(dated.words):  # a heading stands in for missing words
        yield from _runs(dated.heading)
    others = _text(dated.words).count("\n") + 1 - dated.examples
    words, ends, is_start = list[DatedWord](), 0, True
    for word in dated.words:
        name = lay.EXAMPLE if is_start and ends >= others else ""
        words.append(structs.replace(word, text=name + word.text))
        ends += word.text.count("\n")
        is_start = word.text.endswith("\n")
    yield from _runs(words)


def _text(words: Sequence[DatedWord]) -> str:
    return "".join([word.text for word in words])


def _runs(words: Sequence[DatedWord]) -> Iterator[str]:
    """Yield words of one edition together; a shred belongs to the words before it, or after."""
    runs: list[tuple[str, str]] = []
    for since, group in groupby(words, key=lambda word: word.since):
        text = _text([*group])
        if runs and (sign := _ENDS.match(text)):  # a sign ends the words before it
            runs[-1] = runs[-1][0], runs[-1][1] + sign[0]
            text = text[sign.end() :]
        if runs and not text.strip():
            runs[-1] = runs[-1][0], runs[-1][1] + text
            continue
        is_shred = len(text.strip()) < _SHRED
        if runs and (runs[-1][0] == since or is_shred):
            runs[-1] = runs[-1][0], runs[-1][1] + text
        elif runs and len(runs[-1][1].strip()) < _SHRED:
            runs[-1] = since, runs[-1][1] + text
        else:
            runs.append((since, text))
    for since, run in runs:
        first, *rest = lay.para(run.strip(), _MARGIN)
        yield f"  {since:<{_MARGIN - 2}}{first[_MARGIN:]}"
        yield from rest
