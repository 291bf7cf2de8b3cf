"""`cr identify`, `read`, `build`, `demo` and `completion`: documents, and quoted words."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import chdir
from pathlib import Path
from types import SimpleNamespace

import click
from click.shell_completion import get_completion_class
from msgspec import json

from variorum import errors
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import exported
from variorum.build.build import Builder
from variorum.build.editions import Text, read_document
from variorum.build.numbers import numbers_folder
from variorum.cli import command as opts
from variorum.cli.search import source_of
from variorum.cli.wording import passage_lines, table
from variorum.files import LARGEST_OTHER, base_folder, read_file, read_whole
from variorum.records.document import DocumentOrigin
from variorum.records.edition import LedgerCounts
from variorum.rows import BULLETIN, COMMENTARY, COPY, headword_of
from variorum.terminal import bold
from variorum.text import counted, shortened
from variorum.witnesses.read import DocumentReader

_LINE = 80
_MOST_PASSAGES = 40  # of a longer document, only those that some edition does not confirm
_LEDGER = ("edition", "lines", "accounted", "blank", "unaccounted", "chars", "kept")
_FINE = {"agrees", "confirmed"}  # verdicts on passages and days of which no more is said


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
    data = read_whole(most=LARGEST_OTHER) if text == "-" else read_file(path, LARGEST_OTHER)
    answer, rows = DocumentReader(base).read(data, text)
    if not (rows or answer.from_):
        why = "".join(answer.evidence) or "it quotes no rule and discusses none"
        raise errors.NotFoundError(f"{text}: {why}", answer=answer)
    return opts.Answer(answer, _identified(answer), answer.passages)


@opts.command("[FILE]", is_alone=True)
def read(o: SimpleNamespace) -> opts.Answer:
    """Show what a document is, what it holds and what is odd about it.

    cr read MagicCompRules.txt           what it is and what is odd about it
    cr read --ledger MagicCompRules.txt  how many of its lines were read, and lost

    FILE is an edition in text, Word, RTF or PDF. If it cannot be read completely, the reason is told.

    --ledger  Count the lines that were read, with their roles in JSON. Instead of FILE, name an edition;
              without any, all are counted.
    --json --jsonl --kb
    """
    name = " ".join(map(str, o.words))
    if o.ledger and not (name and opts.is_file_name(name)):
        base = click.get_current_context().with_resource(opts.open_asked(o.kb))
        chosen, rows = [base.edition(name)] if name else base.editions, base.reader.editions()
        ledgers = [json.decode(rows[it.place].ledger, type=LedgerCounts) for it in chosen]
        return opts.Answer(ledgers, _ledger_table(ledgers))
    data = read_file(opts.named_path(name))
    edition = read_document(data, name)
    if edition is None:
        raise errors.FormatError("not an edition; cr identify says what it is", name)
    ledger = json.decode(edition.row.ledger, type=LedgerCounts)
    if o.ledger:
        return opts.Answer(ledger, _ledger_table([ledger]))
    return opts.Answer(exported(edition.row, edition.states), _edition(edition, ledger))


def _ledger_table(ledgers: Iterable[LedgerCounts]) -> list[str]:
    rows: list[tuple[object, ...]] = [_LEDGER]
    for it in ledgers:
        lines = it.lines, sum(it.accounted.values()), it.blank, len(it.unaccounted)
        rows.append((it.effective, *lines, it.characters, it.characters_kept))
    return table(rows)


def _edition(edition: Text, ledger: LedgerCounts) -> Iterator[str]:
    row, accounted = edition.row, sum(ledger.accounted.values())
    kept = f"{ledger.characters_kept:,} of {ledger.characters:,} characters kept"
    holds = Counter(it.kind for it in edition.states if it.kind in {"chapter", "section"})
    holds |= {"rule": row.rules, "example": row.examples, "glossary entry": row.glossary}
    irregular = Counter(odd.kind for odd in ledger.irregularities)
    said = {
        "edition": row.effective,
        "layout": row.layout,
        "encoding": f"{row.encoding} ({ledger.reason})",
        "holds": ", ".join([counted(count, noun) for noun, count in holds.items()]),
        "lines": f"{ledger.lines:,} = {accounted:,} accounted for + {ledger.blank:,} blank; {kept}",
        "condition": "; ".join([row.condition, *ledger.notes]),
        "attested": ", ".join(row.doubts.splitlines()) or "by the table of facts",
        "irregular": ", ".join([f"{kind}: {count:,}" for kind, count in irregular.items()]),
    }
    yield from [f"{label:<11}{about}" for label, about in said.items() if about]


def _identified(answer: DocumentOrigin) -> Iterator[str]:
    passages = shown = answer.passages
    about = f": {counted(answer.of or len(passages), 'passage')}" if passages else ""
    yield f"{answer.kind}{about}"
    yield _origin(answer)
    yield from (f"- {shortened(line, _LINE)}" for line in answer.evidence)
    if len(passages) > _MOST_PASSAGES:
        shown = [
            it
            for it in passages
            if {it.verdict, *(claim.verdict.partition(" ")[0] for claim in it.claims)} - _FINE
        ][:_MOST_PASSAGES]
    told: dict[str, None] = {}  # an entry of a bulletin may be of several steps
    for passage in shown:
        stands = passage.stands or ""
        name = passage.number or passage.headword or headword_of(stands) or stands
        place = f"line {passage.line}  " if passage.verdict == COMMENTARY else ""
        told |= dict.fromkeys(["\n".join(passage_lines(f"{place}{bold(name)} ", passage, name))])
    yield from told
    if hidden := len(passages) - len(shown):
        yield f"  {counted(hidden, 'passage')} not shown here; --json lists all"


def _origin(answer: DocumentOrigin) -> str:
    edition, first, last, of = answer.edition, answer.from_, answer.to, answer.of
    if first is None or last is None:
        return "It tells no edition."
    if answer.kind == BULLETIN:
        count = f"{answer.matched} of its {counted(of, 'entry')}"
        return f"It announces the edition of {edition}, which changed what {count} name."
    span = " to ".join(dict.fromkeys((first, last)))
    if edition is None:
        return f"It is about the rules of {span}."
    matched = next((it.matched for it in answer.candidates if it.edition == edition), 0)
    how = "All agree" if matched == of else f"{matched:,} of {of:,} agree"
    how += ", but for their numbers," if matched and not answer.matched else ""
    likeliest = " alone" if first == last else f", likeliest {edition}"
    return f"{how} word for word with {span}{likeliest}."


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
    folder, counts, code = base_folder(o.kb), Counter(new=0, known=0, refused=0), 0
    for kind, name, text, witness, error in Builder(folder, opts.now_words()).build(o.words):
        counted_as, line = kind, ""
        if error:
            line = f"{'cr' if kind == 'refused' else kind}: {opts.explained(error)}"
            code = max(code, error.exit_code * (kind == "refused"))
        elif text and kind == "doubted":
            counted_as, line = "", f"{text.row.label}: {', '.join(text.row.doubts.splitlines())}"
        elif text:
            odd = "" if text.row.condition == "sound" else f", {text.row.condition}"
            counted_as, line = "new", f"{text.day}  {name}: {text.row.rules} rules{odd}"
        elif witness:
            confirmed = f", {witness.matched} of {witness.of} confirmed" if witness.of else ""
            is_copy = witness.kind == COPY
            new = "kept as copies" if is_copy else "new"
            counted_as = new if kind == "heard" else "compared again"
            line = f"{name}: {witness.evidence[0] if is_copy else f'{witness.kind}{confirmed}'}"
        counts.update([counted_as] if counted_as else ())
        if line:
            click.echo(line, err=True)
    click.echo(f"{folder}: {', '.join([f'{count:,} {kind}' for kind, count in counts.items()])}")
    if [it.name for it in folder.iterdir()] == ["lock"]:  # there is still no base
        (folder / "lock").unlink()
    if code:
        raise click.exceptions.Exit(code)


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
    root = click.get_current_context().find_root().command
    click.echo(kind(root, {}, "cr", "_CR_COMPLETE").source())
