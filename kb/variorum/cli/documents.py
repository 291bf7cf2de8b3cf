"""`cr identify`, `read`, `build`, `demo` and `completion`: documents, and quoted words."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, chdir
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
from click.shell_completion import get_completion_class
from msgspec import json

from variorum import errors
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.whole import exported
from variorum.build.build import Builder, Event
from variorum.build.editions import read_document
from variorum.build.numbers import numbers_folder
from variorum.cli import command as opts
from variorum.cli.layout import table
from variorum.cli.search import source_of
from variorum.cli.wording import passage_lines
from variorum.documents.archive import find_files
from variorum.facts import known_editions
from variorum.files import LARGEST_WITNESS, base_folder, read_file, read_standard_input
from variorum.records.document import DocumentOrigin
from variorum.records.edition import LedgerCounts
from variorum.rows import BULLETIN, COMMENTARY, COPY, ONE_SOURCE, EditionRow, headword_of
from variorum.terminal import bold
from variorum.text import counted, listed, shortened
from variorum.witnesses.read import DocumentReader

_MOST_NEXT, _LINE = 3, 80
# Of a longer document, only passages that some edition does not confirm are shown.
_MOST_PASSAGES = 40
# What `cr build` counts, and what it always tells.
_COUNTED = {
    "taken": "new",
    "known": "known",
    "refused": "refused",
    "heard again": "compared again",
    "one source": "with one source alone (cr editions marks them)",
    "copy": "kept as copies (cr editions --copies)",
    "skipped": "skipped",
}
_ALWAYS = {"taken", "known", "refused"}
_LEDGER = ("edition", "lines", "accounted", "blank", "unaccounted", "chars", "kept")


# Identify and read --------------------------------------------------------------------------------


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
    if text != "-" and not opts.is_file_name(path):
        return source_of(base, text)
    is_piped = text == "-"
    data = read_standard_input(LARGEST_WITNESS) if is_piped else read_file(path, LARGEST_WITNESS)
    answer, rows = DocumentReader(base).read(data, text)
    if not (rows or answer.from_):
        why = "".join(answer.evidence) or "it quotes no rule and discusses none"
        raise errors.NotFoundError(f"{text}: {why}", answer=answer)
    return opts.Answer(answer, _identified(answer), answer.passages)


@opts.command("[FILES]...", is_alone=True)
def read(o: SimpleNamespace) -> opts.Answer:
    """Show what documents are, what they hold and what is odd about them.

    cr read MagicCompRules.txt           what it is and what is odd about it
    cr read --ledger MagicCompRules.txt  how many of its lines were read, and lost
    cr read --ledger M10                 those of an edition

    FILES may be editions in text, Word, RTF or PDF. A folder means all files in it. An edition that cannot
    be read completely is refused with the reason; any other document is shown as by cr identify.

    --ledger  Count the lines that were read, with their roles in JSON. Instead of FILES, name editions;
              without any, all are counted.
    --json --jsonl --kb
    """
    paths, documents = [*map(opts.named_path, o.words)], list[Path]()
    if not o.ledger or any(map(opts.is_file_name, paths)):
        documents = find_files(paths)
        if not documents:
            missing = click.UsageError("Missing argument 'FILES...'.")
            raise errors.FileError(f"{paths[0]}: no files in this folder") if paths else missing
    values, lines, refused = list[Any](), list[str](), list[errors.VariorumError]()
    with ExitStack() as open_:
        base = cache(lambda: open_.enter_context(opts.open_asked(o.kb)))
        for path in documents:
            try:
                data = read_file(path)
                edition = read_document(data, str(path))
                if o.ledger and edition is None:
                    raise errors.FormatError("not an edition, so it has no ledger", str(path))
                origin = None if edition else DocumentReader(base()).read(data, str(path))[0]
            except errors.VariorumError as error:
                refused.append(error)
                continue
            lines += [*([""] if values else []), bold(path.name)]
            if edition:
                row, states = edition.row, edition.states
                account = json.decode(row.ledger, type=LedgerCounts)
                values.append(account if o.ledger else exported(row, states))
                lines += _edition(row, sum(it.kind == "chapter" for it in states), account)
            elif origin:
                values.append(origin)
                lines += _identified(origin)
        chosen = [] if documents else [*map(base().edition, o.words)] or base().editions
        rows = base().reader.editions() if chosen else ()
        values += [json.decode(rows[it.place].ledger, type=LedgerCounts) for it in chosen]
    record = values[0] if values and documents == paths and len(paths) == 1 else values
    page = table([_LEDGER, *map(_counts, values)]) if o.ledger else lines
    return opts.Answer(record, page, values, failed=refused)


def _counts(ledger: LedgerCounts) -> tuple[object, ...]:
    lines = ledger.lines, sum(ledger.accounted.values()), ledger.blank, len(ledger.unaccounted)
    return (ledger.effective, *lines, ledger.characters, ledger.characters_kept)


def _edition(row: EditionRow, chapters: int, ledger: LedgerCounts) -> Iterator[str]:
    """Yield what an edition is, what it holds and what is odd about it."""
    facts = known_editions().get(row.effective)
    of_set = f", {facts.set_name} ({facts.set_code})" if facts else ""
    accounted = sum(ledger.accounted.values())
    kept = f"{ledger.characters_kept:,} of {ledger.characters:,} characters kept"
    endings = {"CRLF": row.crlf, "CR": row.cr, "LF": row.lf}  # an original has none
    holds = {"chapter": chapters, "section": row.sections, "rule": row.rules}
    holds |= {"example": row.examples, "glossary entry": row.glossary}
    irregular = Counter(odd.kind for odd in ledger.irregularities)
    said = {
        "edition": f"{row.effective}{of_set}",
        "layout": row.layout,
        "encoding": f"{row.encoding} ({ledger.reason})",
        "line ends": ", ".join([f"{count:,} {end}" for end, count in endings.items() if count]),
        "holds": ", ".join([counted(count, noun) for noun, count in holds.items()]),
        "lines": f"{ledger.lines:,} = {accounted:,} accounted for + {ledger.blank:,} blank; {kept}",
        "condition": "; ".join([row.condition, *ledger.notes]),
        "attested": ", ".join(row.doubts.splitlines()) or "by the table of facts",
        "irregular": ", ".join([f"{kind}: {count:,}" for kind, count in irregular.items()]),
    }
    yield from [f"  {label:<11}{about}" for label, about in said.items() if about]


def _identified(answer: DocumentOrigin) -> Iterator[str]:
    """Yield the lines of what a document is, and a line for each passage."""
    passages = shown = answer.passages
    about = f": {counted(answer.of or len(passages), 'passage')}" if passages else ""
    yield f"{answer.kind}{about}"
    yield _origin(answer)
    yield from (f"- {shortened(line, _LINE)}" for line in answer.evidence)
    if len(passages) > _MOST_PASSAGES:
        doubted = [
            it
            for it in passages
            if it.verdict != "agrees"
            or not all(claim.verdict.startswith("confirmed") for claim in it.claims)
        ]
        shown = doubted[:_MOST_PASSAGES]
    told: dict[tuple[str, ...], None] = {}  # an entry of a bulletin may be of several steps
    for passage in shown:
        stands = passage.stands or ""
        name = passage.number or passage.headword or headword_of(stands) or stands
        place = f"line {passage.line}  " if passage.verdict == COMMENTARY else ""
        told[tuple(passage_lines(f"{place}{bold(name)} ", passage, name))] = None
    yield from [line for lines in told for line in lines]
    if hidden := len(passages) - len(shown):
        yield f"  {counted(hidden, 'passage')} not shown here; --json lists all"


def _origin(answer: DocumentOrigin) -> str:
    """Return what is said of the whole document: its edition, and those that come next."""
    edition, first, last, of = answer.edition, answer.from_, answer.to, answer.of
    if first is None or last is None:
        return "It tells no edition."
    if answer.kind == BULLETIN:
        count = f"{answer.matched} of its {counted(of, 'entry')}"
        return f"It announces the edition of {edition}, which changed what {count} name."
    if edition is None:
        span = f"the edition of {first}" if first == last else f"editions of {first} to {last}"
        return f"It is about {span}."
    counts = {candidate.edition: candidate.matched for candidate in answer.candidates}
    matched = counts.get(edition, 0)
    when = f"{first} alone" if first == last else f"{first} to {last}, likeliest {edition}"
    how = "All agree" if matched == of else f"{matched:,} of {of:,} agree"
    how += ", but for their numbers," if matched and not answer.matched else ""
    others = {label: count for label, count in counts.items() if not first <= label <= last}
    most = max(others.values(), default=0)
    best = listed(sorted(it for it, count in others.items() if count == most), _MOST_NEXT)
    following = f"Next, with {most:,}" if most < matched else "With as many"
    return f"{how} word for word with {when}." + (f" {following}: {best}." if most else "")


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
    counts: Counter[str] = Counter()
    codes = [0]
    for event in Builder(folder, opts.now_words()).build(o.words):
        kind, line = _told(event)
        counts[kind] += 1
        if line:
            click.echo(line, err=True)
        if kind == "refused" and event.error:
            codes.append(
                errors.INPUT_OUTPUT
                if event.error.exit_code == errors.INPUT_OUTPUT
                else errors.FINDINGS
            )
    shown = [
        f"{counts[kind]:,} {words}"
        for kind, words in _COUNTED.items()
        if counts[kind] or kind in _ALWAYS
    ]
    click.echo(f"{folder}: {', '.join(shown)}")
    if [it.name for it in folder.iterdir()] == ["lock"]:  # there is still no base
        (folder / "lock").unlink()
    if code := max(codes):
        raise click.exceptions.Exit(code)


def _told(event: Event) -> tuple[str, str]:
    """Return what an event counts as, and its line."""
    kind, name, text, witness, error = event
    if error:
        said = f"cr: {opts.explained(error)}" if kind == "refused" else f"skipped: {error}"
        return kind, said
    if text and kind == "taken":
        odd = "" if text.row.condition == "sound" else f", {text.row.condition}"
        return kind, f"{text.day}  {name}: {text.row.rules} rules{odd}"
    if text:
        doubts = text.row.doubts.split("\n")
        others = ", ".join([doubt for doubt in doubts if doubt != ONE_SOURCE])
        said = f"{text.row.label}: {others}" if others else ""
        return "one source" if ONE_SOURCE in doubts else kind, said
    if witness and witness.kind == COPY:
        return kind if kind == "heard again" else "copy", f"{name}: {witness.evidence[0]}"
    if witness:
        verb = "announcements are confirmed" if witness.kind == BULLETIN else "passages agree"
        agree = f", {witness.matched} of {witness.of} {verb}" if witness.of else ""
        return kind if kind == "heard again" else "taken", f"{name}: {witness.kind}{agree}"
    return kind, ""


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
def demo(o: SimpleNamespace) -> None:  # noqa: ARG001 - as the other commands
    """Take a short tour of the shipped numbers of the real rules, and of the sample rulebook.

    cr demo
    """
    from variorum.cli.start import run

    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("rules.py").write_text(_PROGRAM, "utf-8")
        for place, (line, heading) in enumerate(_TOUR.items()):
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
