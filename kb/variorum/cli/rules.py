"""`cr show`, `toc`, `refs` and `glossary`: what an edition prints; `history` and `where`: a rule through time."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from types import SimpleNamespace
from typing import Any

import click
from msgspec import Struct, structs

from variorum.answers.crosswalk import destination_of
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import Asked, find_edition, is_written_as_day
from variorum.answers.refs import refs_of
from variorum.answers.witnesses import name_of_witness
from variorum.cli import command as opts
from variorum.cli import wording
from variorum.errors import NoEditionError, NotFoundError, VariorumError, WrongUsageError
from variorum.history.word_diffs import word_diff
from variorum.records import lineage
from variorum.records.answer import Piece
from variorum.records.document import Passage
from variorum.rows import ANNOUNCED, SUBRULE_SORTS, headword_of
from variorum.terminal import DIM, HANG, PLAIN, bold, page_width
from variorum.text import counted, doubted, fold_title, listed, percent, shortened

_WIDEST = 78
_MARGIN, _MOST_NAMES, _MOST_BELOW, _FEW = 14, 4, 30, 3
_INDENT = " " * _MARGIN + HANG
_CONTEXT = 3  # so many unchanged words are shown on each side of a change, if not in full
_ASIDE = 40  # a run of fewer characters stands in the line before it, its date in brackets
# Of these changes of subrules only the number is told, and editions with the slight ones alone are counted.
_UNNAMED = ("sweep", "citation_only", "typographic", "moved_only")
_SLIGHT = ("citation_only", "typographic")
_SLIGHT_WORDS = {f"({wording.CLASSES[it]})" for it in ("citation-only", "typographic")}


@opts.command("QUESTION...", apart=("--json --copy", "--terms --copy"))
def show(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show a rule, a range, a section, a chapter or a glossary entry, or several.

    cr 704.5k                     the rule as it is today
    cr 600.4a --on 2007-10-01     as it was on that day, also cr 600.4a 2007-10-01
    cr 508.1d-f 702.19 M10        a range; a rule in the edition of M10
    cr show - < numbers.txt       many, one on each line
    cr "state-based actions"      a glossary entry
    cr 2014-03-01                 an edition, also cr M10, cr july 2009

    A rule is shown with its subrules (as JSON, their names), a section with its rules. "show" can be left out.

    --on
    --terms  Also show the glossary entries of its terms.
    --copy   Print it for pasting, with its edition.
    --json --jsonl
    """
    answers, failed = opts.answered(base, o.words, lambda it: base.find(it, o.on, elsewhere=True))
    words, is_listed = " ".join(o.words), o.words == opts.STANDARD_INPUT
    if failed and not (answers or is_listed or opts.is_number(words)):
        return _instead(base, words, failed[0], o)
    found = [match for matches in answers for match in matches] if o.as_json else ()
    records = [structs.replace(it.record(), terms=it.terms() if o.terms else None) for it in found]
    return opts.Answer(records or answers, _show(base, answers, o), failed=failed)


def _instead(
    base: KnowledgeBase, words: str, error: VariorumError, o: SimpleNamespace
) -> opts.Answer:
    """Return the edition that words name, if they name no provision, or run the command that they ask for."""
    from variorum.cli.editions import one_edition
    from variorum.cli.start import misspelt

    try:
        return one_edition(base, base.edition(words))
    except NoEditionError as missing:
        error = missing if is_written_as_day(words) else error
    if misspelt(o.words) or "last_words" in getattr(error, "known", ()):
        raise error
    ctx = click.get_current_context()
    commands: Any = ctx.find_root().command
    for name, form in wording.QUESTIONS[: -2 if o.as_json or not base.has_words else None]:
        parts = [it.groupdict() for it in re.finditer(form, words.lower())]
        about = " ".join([it["words"] for it in parts])
        on = next((it["on"] for it in parts if it.get("on")), o.on)
        try:
            for day in filter(None, (on, about if name in {"changes", "editions"} else "")):
                find_edition(base.editions, day, base.today)
            is_named = name != "show" or opts.is_number(about)
            if about and (is_named or opts.answered(base, (about,), base.find)[0]):
                given = vars(o) | {"words": tuple(about.split()), "on": on, "limit": _FEW}
                ctx.invoke(commands.get_command(ctx, name), **given)
                wording.print_note(f"read as: cr {name} {about}{f' --on {on}' if on else ''}")
                ctx.exit(int(name == "search"))
        except (NotFoundError, WrongUsageError) as missing:
            is_told = type(missing) is NotFoundError and name != "search"
            error = missing if is_told else error
    raise error


def _show(
    base: KnowledgeBase, answers: Sequence[Sequence[Subject]], o: SimpleNamespace
) -> Iterator[str]:
    wording.note_moves(match for matches in answers for match in matches)
    for place, matches in enumerate(answers):
        yield from [""] * bool(place)
        if o.copy:
            yield "\n\n".join(_quoted(matches))
            continue
        notes = wording.then_and_now(matches)
        for match in matches:
            notes += [*wording.earlier_lines(base, match.earlier(), match), *wording.to_type(match)]
        if o.terms:
            each = [it for match in matches for it in (match, *match.children())]
            used = dict.fromkeys(f"glossary: {term.term}" for it in each for term in it.terms())
            entries = [it for name in used for it in base.find(name, matches[0].edition)]
            terms = [wording.entry(it.heading, it.text.replace("\n", "\n    ")) for it in entries]
            notes += wording.titled("Terms", terms or ["  none of the glossary"])[not notes :]
        yield from _provisions(matches, dict.fromkeys(notes))


def _quoted(matches: Sequence[Subject]) -> Iterator[str]:
    for head in matches:
        is_bare = head.kind == "rule" and not head.paragraphs
        for it in (head, *(head.children() if is_bare else ())):
            named = (it.address, it.heading) if it.number else (f"{it.heading}:",)
            said = " ".join(filter(None, (*named, "\n".join(it.paragraphs))))
            yield f"{said} (CR {it.edition.label})"


def _provisions(matches: Sequence[Subject], notes: Collection[str] = ()) -> Iterator[str]:
    for match in matches:
        is_whole = match.kind != "section" or match.move is None or "." not in match.move.asked
        for provision in (match, *(match.children() if is_whole else ())):
            number = provision.address if provision.number else ""
            paragraphs = provision.paragraphs
            if number and not provision.heading and paragraphs:
                yield f"{bold(number)}  {HANG}{paragraphs.pop(0)}"
            else:
                yield bold("  ".join(filter(None, (number, provision.heading))))
            yield from (f"{HANG}{text}" for text in paragraphs)
        yield ""
    yield from [*notes, ""] if notes else []
    first, states = matches[0], [match.state for match in matches]
    path = first.path() if len({state.parent for state in states}) == 1 else ()
    place = [". ".join(filter(None, (it.address, it.heading))) for it in path]
    place += [first.address] if len(matches) == 1 and place else []
    lines = ["Glossary"] if first.kind == "glossary" else [" › ".join(place)] if place else []
    lines += [f"{it.address} is a misprint for {it.meant}" for it in states if it.meant]
    lines.append(wording.edition_line(first.edition))
    yield from [f"  {HANG}{DIM}{line}{PLAIN}" for line in lines]


@opts.command("[NUMBER]")
def toc(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List chapters and sections, or what is below NUMBER.

    cr toc 702              the rules of a section
    cr toc 7 --on M10       the sections of a chapter in the edition of M10

    --on --json --jsonl
    """
    heads = base.show(" ".join(o.words), o.on) if o.words else []
    edition = heads[0].edition if heads else base.edition(o.on or "current")
    heads = heads or [it for it in base.provisions(edition) if it.kind == "chapter"]
    rows = [row for head in heads for row in (("", head), *(("  ", it) for it in head.children()))]
    about = edition.label, edition.doubts.splitlines()
    records = [lineage.Heading(*about, it.address, it.kind, it.heading) for _, it in rows]

    def page() -> Iterator[str]:
        wording.note_moves(heads)
        for margin, it in rows:
            said = ((it.number and it.heading) or it.text).replace("_", "")
            yield shortened(f"{margin}{it.address}  {said}".rstrip(), (page_width() or _WIDEST) - 1)
        yield from ["", f"  {wording.edition_line(edition)}"]

    return opts.Answer(records, page())


@opts.command("QUESTION...")
def refs(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what a rule cites and what cites it, in one edition, quoting the sentences.

    cr refs 704.5k
    cr refs 217.7 --on 2007-10-01

    --on --json --jsonl
    """
    matches = base.show(" ".join(o.words), o.on)
    if len({match.edition for match in matches}) > 1:
        raise click.UsageError("ask for one edition at a time")
    answer = refs_of(matches)

    def page() -> Iterator[str]:
        wording.note_moves(matches)
        number, cites, cited_by = answer.number or answer.address, answer.cites, answer.cited_by
        yield bold(f"{number} cites {f'{len(cites):,}:' if cites else 'nothing'}")
        for it in cites:
            targets, title = ", ".join(it.targets), f" “{it.title}”" if it.title else ""
            said = "" if targets == it.text else f" = {targets}"
            if it.status != "resolved":
                said = f": dangling{f', but for {targets}' if targets else ''}"
            other = ", which has another title" * (it.title_fits is False)
            yield f"  {it.text}{title}{said}{other}"
        times = f"{counted(len(cited_by), 'time')}:" if cited_by else "nowhere"
        yield bold(f"{number} is cited {times}")
        yield from [*(wording.entry(citing.address, citing.text) for citing in cited_by), ""]
        about = wording.then_and_now(matches) + wording.to_type(matches[0], "refs ")[:1]
        yield from [f"{line}\n" for line in about]
        yield f"  {wording.edition_line(matches[0].edition)}"

    return opts.Answer(answer, page())


@opts.command("[TERM]...")
def glossary(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List the headwords of the glossary, or show the entry for TERM.

    cr glossary removed from the game
    cr glossary mana burn --on 2008-05-01

    A term no longer in the glossary is shown as last printed.

    --on --json --jsonl
    """
    if not o.words:
        edition = base.edition(o.on or "current")
        entries = [each for each in base.provisions(edition) if each.kind == "glossary"]
        lines = [*(each.heading for each in entries), "", f"  {wording.edition_line(edition)}"]
        return opts.Answer([each.record() for each in entries], lines)

    def entry(asked: Asked) -> list[Subject]:
        if (found := base.subject(asked, o.on)).kind == "glossary":
            return [found]
        raise NotFoundError(f"{asked.word!r}: no headword in the edition of {found.edition.label}")

    answers, failed = opts.answered(base, o.words, entry)
    shown, lines = [it for some in answers for it in some], list[str]()
    for it in shown:
        is_old = not it.asked.edition and it.edition != base.current
        lines += [f"Not in today's glossary; last printed in {it.edition.label}."] * is_old
        lines += _provisions([it], wording.to_type(it))
    return opts.Answer([it.record() for it in shown], lines, failed=failed)


@opts.command(
    "QUESTION...",
    words={"name": "of_words"},
    apart=("--full --words --evidence --witnesses", "--evidence --only", "--words --jsonl"),
)
def history(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show the history of a rule: its numbers, each rewording, splits, merges and copies.

    cr history 704.5j                 the rule with this number today, or the last to have it
    cr history 511 --on 2008-02-01    the rule that had it on that day
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
    from variorum.answers.histories import history_of

    subject = base.subject(" ".join(o.words), o.on)
    if o.witnesses:
        said = base.witnesses.of(subject.lineage)
        said += [it for step in history_of(subject).steps for it in step.announced]
        if not subject.number:  # bulletins speak of a term elsewhere
            every = [it for w in base.witnesses.all for it in base.witnesses.passages_of(w.sha256)]
            naming = re.compile(rf"\b{re.escape(subject.asked.word)}\b", re.IGNORECASE).search
            said += [it for it in every if it.verdict == ANNOUNCED and naming(it.words)]
        return opts.Answer(said, _witnesses(subject, said))
    about = wording.then_and_now([subject], is_said=not o.of_words)
    about += wording.to_type(subject, "history ")[:-1]
    if not o.of_words:
        answer = history_of(subject, is_alone=o.only or o.evidence, is_full=o.full)
        record = answer.steps if o.evidence else answer
        return opts.Answer(record, _page(subject, answer, about, o), answer.steps)
    if not base.has_words:
        raise NotFoundError("no words yet; cr sync brings them")
    from variorum.answers.blame import Blame

    dated = Blame(base).of(subject, is_alone=o.only)
    return opts.Answer(dated, _dated(dated, about))


def _page(
    subject: Subject, answer: lineage.History, about: Sequence[str], o: SimpleNamespace
) -> Iterator[str]:
    last, now, below = answer.readings[-1], answer.now, answer.subrules
    where = f"today, in the edition of {now.edition}" if now else f"until {last.to}"
    where = f"{last.heading} ({where})" if last.heading and last.number else where
    yield from [f"{bold(last.name)}  {where}", *(f"  {line}" for line in about), ""]
    rows = _rows(answer, o)
    for changed in below.editions if below else ():
        rows[changed.edition].add_subrules(changed, is_full=o.full)
    shown = {label: row for label, row in rows.items() if row.number or row.said or row.lines}
    for label, row in sorted(shown.items(), key=lambda it: (it[0][:10], len(it[0]), it[0])):
        gap = " " * max(2, 12 - len(row.number))
        yield f"  {label:<12}{bold(row.number)}{gap}{HANG}{'; '.join(row.said)}".rstrip()
        yield from row.lines
    if slight := len(rows) - len(shown):
        yield f"\n  {counted(slight, 'more edition')} changed typography or citations; --full shows them"
    if below and below.last:
        ends = dict.fromkeys([below.last[0].number, below.last[-1].number])
        today = f"{counted(len(below.last), 'subrule')} today: {' to '.join(ends)}"
        became = [(it, f"→ {it.now.name}" if it.now else "removed") for it in below.last]
        heirs = [f"{it.number} {doubted(now, it.confidence)}" for it, now in became]
        yield f"\n  {today if now else 'Its subrules today: ' + ', '.join(heirs)}"
    if last.text != last.heading:
        words = wording.named_examples(last.text, last.examples)
        yield from ["", *wording.para(words if o.full else shortened(words, wording.SHORT), 2)]
    if others := len({it.witness for it in answer.witnesses}):
        said = f"quoted or discussed by {counted(others, 'other document')}"
        yield f"\n  {said}: cr history {last.number or last.name} --witnesses"
    target = subject.base.current or subject.edition
    bearers = wording.other_lines(subject.base, subject.asked.word, answer.others, target)
    title = f"Other rules that have had this {'number' if last.number else 'name'}"
    yield from wording.titled(title, [f"  {it}" for it in bearers])


class _Row(Struct):
    """What an edition did to a provision: its new number, the words for that, and lines that show it."""

    number: str = ""
    said: list[str] = []
    lines: list[str] = []

    def add_subrules(self, changed: lineage.SubrulesChanged, *, is_full: bool) -> None:
        """Add what the edition did to subrules."""
        for sort in SUBRULE_SORTS:
            names = [_moved(step) for step in changed.changes if step.sort == sort]
            if names and (is_full or sort not in _SLIGHT):
                most = len(names) if is_full else _MOST_NAMES
                told = "" if sort in _UNNAMED else f" ({listed([*dict.fromkeys(names)], most)})"
                self.said.append(f"{len(names):,} {wording.COUNTED[sort]}{told}")
        for it in [it for it in changed.changes if it.words]:
            words = wording.marked(wording.with_examples(it.words, *it.examples))
            self.lines += wording.diffed(f"{_moved(it)}  {words}", _MARGIN)


def _rows(history: lineage.History, o: SimpleNamespace) -> dict[str, _Row]:
    rows, readings = defaultdict[str, _Row](_Row), history.readings
    below = history.subrules.editions if history.subrules else ()
    elsewhere = {name for changed in below for step in changed.changes for name in step.to}
    if readings[0].from_ not in {step.to_edition for step in history.steps}:
        rows[readings[0].from_] = _Row(readings[0].name, ["the first edition"])
    pairs = {it.from_: (former, it) for former, it in pairwise([None, *readings]) if it}
    for step in history.steps:
        former, reading = pairs.get(step.to_edition, (None, None))
        own = reading.name if reading and reading.name in step.to else None
        words = _said(step, own, elsewhere)
        if own is None and "kept: the former" in words:
            continue
        row = rows[step.to_edition]
        if own is None or o.full or words not in _SLIGHT_WORDS:
            row.said.append(words)
            sure = f"{percent(step.confidence)} confidence"
            reasons = [f"decided: {step.read.reason}" if step.read else sure]
            reasons += step.evidence if step.kinds != ["reworded"] else ()
            row.lines += [f"{_INDENT}- {reason}" for reason in reasons if o.evidence]
        if own and reading:
            key = str if o.full else fold_title  # other quotation marks make no other name
            row.number = "" if former and key(former.name) == key(own) else own
            is_heading = reading.text == reading.heading and "copied from" in words
            if former and reading.words and not (o.evidence or is_heading):
                texts = [wording.named_examples(it.text, it.examples) for it in (former, reading)]
                own_words = [text.partition(f"\n{wording.EXAMPLE}")[0] for text in texts]
                is_whole = o.full or own_words[0] == own_words[1]  # perhaps only examples changed
                pieces = word_diff(*(texts if is_whole else own_words))
                marked = wording.marked(pieces, context=wording.CONTEXT if o.full else _CONTEXT)
                row.lines += wording.diffed(marked, _MARGIN) if marked != "…" else []
            del pairs[step.to_edition]
        row.lines += [f"{_INDENT}{line}" for line in wording.announced_lines(step.announced)]
    return rows


def _said(step: lineage.Step, name: str | None, elsewhere: set[str]) -> str:
    old, new = step.from_, next(iter(step.to), None)
    how, sort = wording.step_words(step.kinds, old, new), ""
    copies = [it for it in step.to if it != old]
    if name is None and how == "copied" and copies:
        how = f"copied to {', '.join(copies)}"
    elif old and new and (name is None or how == "merged"):
        former, arrow = "the former " * (old in step.to), "into" if how == "merged" else "→"
        how = f"{how or 'kept'}: {former}{old} {arrow} {', '.join(step.to)}"
    elif new != name and old and new:
        how = f"{'copied' if 'copied' in step.kinds else 'split off'} from {old}"
    elif old and new:
        sort = wording.CLASSES.get(step.class_, "")
        how = how or ("" if sort else "cites something else" if step.class_ else "unchanged")
        others = [number for number in step.to if number not in {name, *elsewhere}]
        how += f" with {', '.join(others)}" if others else ""
    return doubted(how, step.confidence, sort)


def _moved(step: lineage.SubruleStep) -> str:
    new = ", ".join(step.to if step.way == "out" else step.to[:1])
    is_moved = step.from_ and new and (step.from_ != new or step.sort == "merged")
    old = f"{step.from_} → " if step.from_ != new else f"the former {step.from_} into "
    return doubted(f"{old * bool(is_moved)}{new or step.from_ or ''}", step.confidence)


def _witnesses(subject: Subject, passages: Sequence[Passage]) -> Iterator[str]:
    names = opts.file_names(subject.base)
    for passage in passages:
        if witness := passage.witness:
            stands, line = passage.stands or "", f", line {passage.line}" if passage.line else ""
            name = f"{bold(name_of_witness(witness, names))} ({witness.kind}{line})"
            head, shown = f"{passage.edition}  {name}:", headword_of(stands) or stands
            yield from wording.passage_lines(head, passage, shown, _MARGIN)
            yield from (f"{_INDENT}- {reason}" for reason in passage.evidence)
    if originals := subject.base.witnesses.originals(subject.lineage):
        yield f"  confirmed by originals (Word, RTF, PDF) of {', '.join(originals)}"
    elif not passages:
        yield "  no other document quotes or discusses it; cr build adds rulings, articles or originals"


def _dated(dated: lineage.DatedProvision, about: Sequence[str]) -> Iterator[str]:
    below, more = dated.subrules, list[str]()
    if len(below) > _MOST_BELOW:
        more = [f"{len(below):,} rules below it; of one: cr history {below[0].name} --words"]
        below = []
    head = f"{bold(dated.name)}  in the edition of {dated.edition}"
    yield from [head, *(f"  {line}" for line in (*about, *more))]
    for it in (dated, *below):
        named = wording.with_examples([Piece("+", each.text) for each in it.words], 0, it.examples)
        words = [(each.since, text) for each, (_, text) in zip(it.words, named, strict=True)]
        heading = [(each.since, each.text) for each in it.heading]
        # A heading stands in for missing words.
        lines = [*_runs(heading if heading != words else ()), *_runs(words)]
        yield from lines if it is dated else wording.titled(it.name, lines)


def _runs(words: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield words of one edition together, a line each; a few words stand in the line beside them."""
    dated = [(it, "".join(map(itemgetter(1), some))) for it, some in groupby(words, itemgetter(0))]
    is_beside = len(dated) > 1 and len(dated[0][1]) < _ASIDE <= len(dated[1][1])
    lines = [[since, ""] for since, _ in dated[is_beside : is_beside + 1]]
    for since, run in dated:
        bare = run.rstrip()
        if since != lines[-1][0] and len(run) >= _ASIDE:
            lines.append([since, ""])
        aside = f"[{since}: {bare}]{run[len(bare) :]}"
        lines[-1][1] += run if since == lines[-1][0] else aside
    for since, run in lines:
        for at, part in enumerate(run.strip().split("\n")):
            yield f"  {'' if at else since:<{_MARGIN - 2}}{HANG}{part}"


@opts.command("QUESTION...", to={"default": "current"})
def where(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Find the number that a rule of one edition has in another, later or earlier.

    cr where 600.4a 410.8
    cr where 511 --from 2008-02-01
    cr where 705.1 --from latest --to 2008-02-01
    cr where - --from 2008-02-01 --jsonl < numbers.txt

    Readers settled what is called "decided"; a percentage is the confidence of the program.

    --on, --from EDITION  The edition that the number is from. Default: all that printed it.
    --to EDITION          The edition to find it in. Default: the current one.
    --json --jsonl
    """
    target = base.edition(o.to)
    answers, failed = opts.answered(
        base, o.words, lambda it: base.find(it, o.from_) if o.from_ else [base.subject(it)]
    )
    found = [(it, destination_of(it, target)) for some in answers for it in some]
    records = [row for _, row in found]

    def page() -> Iterator[str]:
        for subject, row in found:
            yield wording.fact(subject, target, row)
            yield from [f"  {step.edition}, decided: {step.reason}" for step in row.read]
            about = wording.then_and_now([subject], is_said=True) + wording.to_type(subject)[:-1]
            yield from [f"  {said}" for said in about]
            yield from wording.other_lines(base, row.asked, row.others, target)

    is_lost = bool(records) and not any(row.new for row in records)
    return opts.Answer(records, page(), code=int(is_lost), failed=failed)
