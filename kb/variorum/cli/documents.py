"""`cr identify`, `read`, `build`, `demo` and `completion`: documents, and quoted words."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, chdir
from datetime import date
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import click
from click.shell_completion import get_completion_class
from msgspec import json

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.whole import exported
from variorum.build.build import Builder, Event
from variorum.build.editions import read_document
from variorum.build.numbers import numbers_folder
from variorum.cli import command as opts
from variorum.cli.layout import entry
from variorum.cli.search import printed
from variorum.cli.witnesses import passage_lines
from variorum.documents.find import find_files, load
from variorum.errors import (
    FINDINGS,
    INPUT_OUTPUT,
    FileError,
    LayoutError,
    NotFoundError,
    VariorumError,
)
from variorum.facts import known_editions
from variorum.files import LARGEST_WITNESS, base_folder, read_file, read_standard_input
from variorum.records.document import DocumentOrigin, Passage
from variorum.records.edition import LedgerCounts
from variorum.records.search import Resolution
from variorum.rows import (
    BULLETIN,
    COMMENTARY,
    COPY,
    ONE_SOURCE,
    EditionRow,
    State,
    headword_of,
    named,
)
from variorum.search.query import QueryError
from variorum.search.quoted_words import AMBIGUOUS, RESOLVED, UNKNOWN, find_source
from variorum.terminal import bold
from variorum.text import counted, listed, percent, shortened
from variorum.witnesses.read import DocumentReader

_MOST_NEXT, _LINE = 3, 80
# Of a longer document, only passages that some edition does not confirm are shown.
_MOST_PASSAGES = 40
# What `cr build` counts.
_COUNTED = {
    "taken": "new",
    "known": "known",
    "refused": "refused",
    "again": "compared again",
    "one source": "with one source alone (cr editions marks them)",
    "copies": "kept as copies (cr editions --copies)",
    "skipped": "skipped",
}
_LEDGER = "{:12}  {:>6}  {:>9}  {:>5}  {:>11}  {:>10}  {:>10}"
_LEDGER_HEADS = ("edition", "lines", "accounted", "blank", "unaccounted", "chars", "kept")


# Identify -----------------------------------------------------------------------------------------


@opts.command("FILE|WORDS...")
def identify(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Find the editions that a document may come from, or the rule that quoted words come from.

    cr identify excerpt.txt
    cr 704.5k --copy | cr identify -    from standard input
    cr identify "if a player controls two or more legendary permanents"

    FILE may be an excerpt, a page that quotes rules, a bulletin, an article, or a whole edition. Days that
    it gives for its words are checked. WORDS are what is no file; they may be incomplete or inexact.
    If several rules print them today, the exit code is 1.

    --json --jsonl
    """
    text = " ".join(o.words)
    path = opts.named_path(text)
    if text == "-":
        data = read_standard_input(LARGEST_WITNESS)
    elif opts.is_file_name(path):
        data = read_file(path, LARGEST_WITNESS)
    else:
        return source_of(base, text)
    answer, rows = DocumentReader(base).read(data, text)
    if not (rows or answer.from_):
        why = "".join(answer.evidence) or "it quotes no rule and discusses none"
        raise NotFoundError(f"{text}: {why}", answer=answer)
    return opts.Answer(answer, _identified(answer), answer.passages)


def _identified(answer: DocumentOrigin) -> Iterator[str]:
    """Yield the lines of what a document is, and a line for each passage."""
    passages = answer.passages
    about = f": {counted(answer.of or len(passages), 'passage')}" if passages else ""
    yield f"{answer.kind}{about}"
    yield _origin(answer)
    yield from (f"- {shortened(line, _LINE)}" for line in answer.evidence)
    shown = passages
    if len(passages) > _MOST_PASSAGES:
        shown = [each for each in passages if not _is_plain(each)][:_MOST_PASSAGES]
    told: list[str] = []
    for passage in shown:
        stands = passage.stands or ""
        name = passage.number or passage.headword or headword_of(stands) or stands
        place = f"line {passage.line}  " if passage.verdict == COMMENTARY else ""
        told.append("\n".join(passage_lines(f"{place}{bold(name)} ", passage, name)))
    for each in dict.fromkeys(told):  # an entry of a bulletin may be of several steps
        yield from each.split("\n")
    if hidden := len(passages) - len(shown):
        yield f"  {counted(hidden, 'passage')} not shown here; --json lists all"


def _origin(answer: DocumentOrigin) -> str:
    """Return what is said of the whole document: its edition, and those that come next."""
    edition, first, last = answer.edition, answer.from_, answer.to
    if first is None or last is None:
        return "It tells no edition."
    if answer.kind == BULLETIN:
        count = f"{answer.matched} of its {counted(answer.of, 'entry')}"
        return f"It announces the edition of {edition}, which changed what {count} name."
    if edition is None:
        span = f"the edition of {first}" if first == last else f"editions of {first} to {last}"
        return f"It is about {span}."
    counts = {candidate.edition: candidate.matched for candidate in answer.candidates}
    of, matched = answer.of, counts[edition]
    when = f"{first} alone" if first == last else f"{first} to {last}, likeliest {edition}"
    how = "All agree" if matched == of else f"{matched:,} of {of:,} agree"
    how += "" if answer.matched else ", but for their numbers,"
    said = f"{how} word for word with {when}."
    others = {label: count for label, count in counts.items() if not first <= label <= last}
    if most := max(others.values(), default=0):
        best = sorted(label for label, count in others.items() if count == most)
        how = f"Next, with {most:,}" if most < matched else "With as many"
        said += f" {how}: {listed(best, _MOST_NEXT)}."
    return said


def _is_plain(passage: Passage) -> bool:
    confirmed = [claim.verdict.startswith("confirmed") for claim in passage.claims]
    return passage.verdict == "agrees" and all(confirmed)


def source_of(base: KnowledgeBase, quotation: str) -> opts.Answer:
    """Return the answer of `cr identify` about quoted words."""
    try:
        answer = find_source(base, quotation)
    except QueryError as error:
        raise click.UsageError(str(error)) from None
    if answer.status == UNKNOWN:
        what = "" if " " in quotation else f"{quotation}: not a file, and "
        said = f"{what}no rule prints most of these words in this order"
        raise NotFoundError(said, answer=answer)
    code = 0 if answer.status == RESOLVED else FINDINGS
    return opts.Answer(answer, _sources(answer, base.labels), answer.sources, code)


def _sources(answer: Resolution, labels: Sequence[str]) -> Iterator[str]:
    for source in answer.sources:
        name = named(source.number, source.heading)
        heading = f" {source.heading}" if source.number and source.heading else ""
        alike = "" if source.likeness == 1 else f"; {percent(source.likeness)} alike"
        yield entry(name + heading, f"{printed(source.numbers, source.now, labels)}{alike}", 0)
        yield from [f"    {source.snippet}", ""]
    if answer.status == AMBIGUOUS:
        shown, total = len(answer.sources), answer.total
        some = f"; {shown} of them are shown" if shown < total else ""
        alike = " or similar words" if answer.sources[0].likeness < 1 else ""
        yield f"  ambiguous: {total:,} provisions print these words{alike}{some}"
    if answer.number_fits is False:
        yield "  the number before them does not have these words"


# Read ---------------------------------------------------------------------------------------------


@opts.command("[FILES]...", is_alone=True)
def read(o: SimpleNamespace) -> opts.Answer:
    """Show what documents are, what they hold and what is odd about them.

    cr read MagicCompRules.txt           what it is and what is odd about it
    cr read --ledger MagicCompRules.txt  the role of every line
    cr read --ledger M10                 how many lines of an edition were read, and lost

    FILES may be editions in text, Word, RTF or PDF. A folder means all files in it. An edition that cannot
    be read completely is refused with the reason; any other document is shown as by cr identify.

    --ledger  Show the role of every line. Instead of FILES, name editions; without any, all are shown.
    --json --jsonl --kb
    """
    if o.ledger and not any(map(opts.is_file_name, o.words)):
        return _ledgers(o)
    if not o.words:
        raise click.UsageError("Missing argument 'FILES...'.")
    paths = [*map(opts.named_path, o.words)]
    documents = find_files(paths)
    if not documents:
        raise FileError(f"{paths[0]}: no files in this folder")
    values, lines, refused = list[object](), list[str](), list[VariorumError]()
    with ExitStack() as open_:
        base = cache(lambda: open_.enter_context(opts.open_asked(o.kb)))
        for path in documents:
            try:
                data = load(path)
                edition = read_document(data, str(path))
                if edition is None and o.ledger:
                    raise LayoutError("not an edition, so it has no ledger", str(path))
                origin = None if edition else DocumentReader(base()).read(data, str(path))[0]
            except VariorumError as error:
                refused.append(error)
                continue
            lines += [*([""] if values else []), bold(path.name)]
            if edition:
                row, states = edition.row, edition.states
                account = json.decode(row.ledger, type=LedgerCounts)
                values.append(account if o.ledger else exported(row, states))
                lines += [] if o.as_json else _edition(row, states, account, with_ledger=o.ledger)
            elif origin:
                values.append(origin)
                lines += _identified(origin)
    record = values[0] if values and documents == paths and len(paths) == 1 else values
    return opts.Answer(record, lines, values, failed=refused)


def _ledgers(o: SimpleNamespace) -> opts.Answer:
    """Return how many lines and characters of editions were read, and how many were lost."""
    with opts.open_asked(o.kb) as base:
        chosen = [base.edition(designator) for designator in o.words] or base.editions
        read = base.reader.editions()
        ledgers = [json.decode(read[it.place].ledger, type=LedgerCounts) for it in chosen]
    rows: list[tuple[object, ...]] = [_LEDGER_HEADS]
    for edition, one in zip(chosen, ledgers, strict=True):
        lines = (one.lines, sum(one.accounted.values()), one.blank, len(one.unaccounted))
        rows.append((edition.label, *lines, one.characters, one.characters_kept))
    return opts.Answer(ledgers, [_LEDGER.format(*row) for row in rows])


def _edition(
    row: EditionRow, states: list[State], ledger: LedgerCounts, *, with_ledger: bool
) -> Iterator[str]:
    """Yield what an edition is, what it holds and what is odd about it."""
    facts, name = known_editions().get(date.fromisoformat(row.effective)), row.effective
    if facts is not None:
        name += f".{row.issue}" if len(facts.issues) > 1 else ""
        name += f", {facts.set_name} ({facts.set_code})"
    endings = (("CRLF", row.crlf), ("CR", row.cr), ("LF", row.lf))
    holds = [(sum(state.kind == "chapter" for state in states), "chapter")]
    holds += [(row.sections, "section"), (row.rules, "rule"), (row.examples, "example")]
    holds.append((row.glossary, "glossary entry"))
    lines = sum(ledger.accounted.values())
    kept = f"{ledger.characters_kept:,} of {ledger.characters:,} characters kept"
    irregular = Counter(odd.kind for odd in ledger.irregularities)
    said = [
        ("edition", name),
        ("layout", row.layout),
        ("encoding", f"{row.encoding} ({ledger.reason})"),
        # An original has no line ends.
        ("line ends", ", ".join(f"{number:,} {end}" for end, number in endings if number)),
        ("holds", ", ".join([counted(number, noun) for number, noun in holds])),
        ("lines", f"{ledger.lines:,} = {lines:,} accounted for + {ledger.blank:,} blank; {kept}"),
        ("condition", row.condition),
        ("attested", ", ".join(row.doubts.splitlines()) or "by the table of facts"),
        *[("", note) for note in ledger.notes],
        *[("irregular", f"{kind}: {count:,}") for kind, count in irregular.items()],
    ]
    yield from [f"  {label:<11}{about}" for label, about in said if about]
    if with_ledger:
        yield from [f"  {role:<11}{count:>8,} lines" for role, count in ledger.accounted.items()]


# Build --------------------------------------------------------------------------------------------


@opts.command("[PATHS]...", is_alone=True)
def build(o: SimpleNamespace) -> None:
    """Add documents to the knowledge base and bring it up to date.

    cr build ~/rules               all editions in a folder
    cr build rules.zip new.txt     those in a ZIP, and one more
    cr build                       rebuild after an upgrade of this program

    PATHS are files, folders and ZIPs of editions and other witnesses: originals in Word, RTF and
    PDF, excerpts, rulings pages, wiki pages, bulletins and articles. Other files in folders and ZIPs are
    skipped. A document that cannot be read completely is refused with the reason; the rest are added,
    and the exit code is 1.

    --kb
    """
    folder = base_folder(o.kb)
    builder = Builder(folder, opts.now_words())
    counts: Counter[str] = Counter()
    for event in builder.build(o.words):
        if line := _line(event, counts):
            click.echo(line, err=True)
    told = [
        f"{counts[kind]:,} {words}"
        for kind, words in _COUNTED.items()
        if counts[kind] or kind in {"taken", "known", "refused"}
    ]
    click.echo(f"{folder}: {', '.join(told)}")
    if counts["unreadable"] or counts["refused"]:
        opts.end(INPUT_OUTPUT if counts["unreadable"] else FINDINGS)


def _line(event: Event, counts: Counter[str]) -> str:
    """Count an event and return its line."""
    name, text, witness, error = event.name, event.text, event.witness, event.error
    if text and event.kind == "taken":
        counts["taken"] += 1
        odd = "" if text.row.condition == "sound" else f", {text.row.condition}"
        return f"{text.day}  {name}: {text.row.rules} rules{odd}"
    if text:
        doubts = text.row.doubts.split("\n")
        counts["one source"] += ONE_SOURCE in doubts
        told = ", ".join([doubt for doubt in doubts if doubt != ONE_SOURCE])
        return f"{text.row.label}: {told}" if told else ""
    if witness:
        is_copy = witness.kind == COPY
        is_again = event.kind == "heard again"
        counts["again" if is_again else "copies" if is_copy else "taken"] += 1
        if is_copy:
            return f"{name}: {witness.evidence[0]}"
        verb = "announcements are confirmed" if witness.kind == BULLETIN else "passages agree"
        agree = f", {witness.matched} of {witness.of} {verb}" if witness.of else ""
        return f"{name}: {witness.kind}{agree}"
    counts[event.kind] += 1
    if error and event.kind == "refused":
        counts["unreadable"] += error.exit_code == INPUT_OUTPUT
        return f"cr: {opts.explained(error)}"
    return f"skipped: {error}" if error else ""


# Demo and completion ------------------------------------------------------------------------------


_PROGRAM = """\
# CR 511.2: nobody calls the toss, nobody wins it.
# A player who leaves takes all their cards along (CR 600.4a); see also rule 100.1.
"""
# What each line of the tour shows. The first two ask about the real rules.
_TOUR = {
    "where 511": "The real rules, by the numbers that come with the program: the coin's rules moved",
    "where 600.4": "So did the rule about leaving the game",
    "--sample 511.2": "A number that no rule has today, in the sample rulebook",
    "--sample diff 2008-06-20 current 511": "What changed in a section, although every number moved",
    "--sample audit rules.py --as-of 2008-06-20 --diff": "Citations that are out of date, repaired",
    "--sample editions": "Nine editions, each in its own layout",
    "--sample history 705": "The rules for flipping a coin, through nine editions",
    "--sample read --ledger": "Every line is accounted for",
}


@opts.command(is_alone=True)
def demo(o: SimpleNamespace) -> None:
    """Take a short tour of the shipped numbers of the real rules, and of the sample rulebook.

    cr demo
    cr demo --site demo-site    also build its website

    --site FOLDER  Also build the website of the sample rulebook.
    """
    from variorum.cli.start import run

    tour = {**_TOUR}
    if o.site is not None:
        tour[f"--sample site {o.site.absolute()}"] = "The website of the sample rulebook"
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("rules.py").write_text(_PROGRAM, "utf-8")
        for place, (line, heading) in enumerate(tour.items()):
            click.echo("\n" * bool(place) + f"{bold(heading)}\n$ cr {line}")
            numbers = [] if line.startswith("--sample") else ["--kb", str(numbers_folder())]
            run([*numbers, *line.split()])


@opts.command("[bash|fish|zsh]", is_alone=True)
def completion(o: SimpleNamespace) -> None:
    """Print a script that makes a shell complete commands, options, rule numbers and terms.

    eval "$(cr completion bash)"    in ~/.bashrc
    eval "$(cr completion zsh)"     in ~/.zshrc, after compinit
    cr completion fish | source     in ~/.config/fish/config.fish
    """
    kind = get_completion_class(" ".join(o.words))
    if kind is None:
        raise click.UsageError("name a shell: bash, fish or zsh")
    click.echo(
        kind(click.get_current_context().find_root().command, {}, "cr", "_CR_COMPLETE").source()
    )
