"""`cr show`, `toc`, `refs` and `glossary`: what an edition prints."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from types import SimpleNamespace

import click
from msgspec import structs

from variorum.answers.editions import EditionEntry, last_day
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import NUMBER, WORDS, Asked, asked_for, parse_questions
from variorum.answers.subject import Subject
from variorum.cli import command as opts
from variorum.cli.layout import edition_line, entry, print_json, print_note, print_page
from variorum.cli.wording import earlier_lines, former_lines, move_lines, then_and_now
from variorum.errors import (
    AmbiguousEditionError,
    NoEditionError,
    NotFoundError,
    TwoEditionsError,
    VariorumError,
)
from variorum.files import LARGEST_SETTINGS, lines_of_standard_input
from variorum.records.provision import Citation, EntryRule, Heading, ReferenceLine, References
from variorum.rows import split_body
from variorum.terminal import (
    DIM,
    HANG,
    NO_UNDERLINE,
    PLAIN,
    UNDERLINE,
    bold,
    may_colour,
    page_width,
)

_STANDARD_INPUT = ("-",)
_FORMS = ("discord", "wiki", "html")
_WIDEST_HEADING = 78


# Questions ----------------------------------------------------------------------------------------


def answered(
    base: KnowledgeBase, asked_words: tuple[str, ...], find: Callable[[Asked], Iterable[Subject]]
) -> Iterator[tuple[list[tuple[Asked, list[Subject]]], list[VariorumError]]]:
    """Yield the answers and the errors of each line of questions.

    Words behind a number that name no edition are said in a note, and do not hinder an answer.
    """
    is_listed = asked_words == _STANDARD_INPUT
    lines = lines_of_standard_input(LARGEST_SETTINGS) if is_listed else [" ".join(asked_words)]
    told: set[str] = set()
    for place, line in enumerate(lines, start=1):
        answers: list[tuple[Asked, list[Subject]]] = []
        failed: list[VariorumError] = []
        for asked in parse_questions(line) if line.strip() else []:
            try:
                answers.append((asked, list(_found(find, _plainly(base, asked, told)))))
            except (NotFoundError, TwoEditionsError) as error:
                kind, number, _ = asked.question
                error.also = former_lines(base, number) if kind == NUMBER else ()
                if is_listed:
                    error.args = (f"line {place}: {error}", *error.args[1:])
                failed.append(error)
        yield answers, failed


def _found(find: Callable[[Asked], Iterable[Subject]], asked: Asked) -> Iterable[Subject]:
    """Return what a question names; a term is also looked for with a hyphen in it."""
    kind, text, more = asked.question
    hyphened = [f"{text[: at.start()]}-{text[at.end() :]}" for at in re.finditer(" ", text)]
    for spelling in [text, *hyphened] if kind == WORDS else ():
        with suppress(NotFoundError):
            return find(asked._replace(question=(kind, spelling, more)))
    return find(asked)


def _plainly(base: KnowledgeBase, asked: Asked, told: set[str]) -> Asked:
    """Return a question without words that name no edition; print a note about them, once."""
    kind, number, _ = asked.question
    if kind == WORDS or not asked.edition or any(map(str.isdigit, asked.edition)):
        return asked
    try:
        base.edition_of(asked, None)
    except AmbiguousEditionError:
        raise
    except NoEditionError as error:
        if "near:" in str(error):
            raise
        if asked.edition not in told:
            told.add(asked.edition)
            typed = f"cr search {asked.edition} --in {number.partition('.')[0]}"
            print_note(f"“{asked.edition}” names no edition; {typed} searches there")
        return asked._replace(edition="")
    return asked


def end_answers(found: Sequence[object], failed: Sequence[VariorumError], *, as_json: bool) -> None:
    """Print the answers as JSON if wanted, then the errors; exit with their exit code."""
    from variorum.cli.start import explained

    if as_json and (found or not failed):
        print_json(found)
    if failed and not found:
        for error in failed[:-1]:
            print_note(explained(error))
        raise failed[-1]
    for error in failed:
        print_note(explained(error))
    if failed:
        opts.end(max(error.exit_code for error in failed))


# Show ---------------------------------------------------------------------------------------------


@opts.command(
    "QUESTION...",
    complete=opts.complete_question,
    format={"type": click.Choice(_FORMS)},
    apart=(
        "--json --copy --markdown --format",
        *(
            f"{form} {part}"
            for form in ("--copy", "--markdown", "--format")
            for part in ("--tree", "--terms")
        ),
        "--json --tree",
    ),
)
def show(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer | None:
    """Show a rule, a range, a section, a chapter or a glossary entry, or several.

    A rule is shown with its subrules, a section with its rules. "show" can be left out. An edition
    can follow a number, or stand alone. With "-", each line of standard input is a question.

    cr 704.5k                     the rule as it is today
    cr 600.4a --on 2007-10-01     as it was on that day
    cr "CR 600.4a (2007-10-01)"   the same
    cr 702.19 M10                 in the edition of M10
    cr 508.1d-f                   a range
    cr 704.5k 704.5j              several
    cr show - < numbers.txt       many, one on each line
    cr 702 --tree                 a section with everything below it
    cr 704.5k --terms             with the glossary entries of its terms
    cr "state-based actions"      a glossary entry
    cr 2014-03-01                 an edition, also cr M10, cr july 2009
    cr 704.5k --copy              text for pasting; --markdown quotes it
    cr 704.5k --format discord    short, with a link; also wiki, html
    cr 704.5k --json              for scripts

    --on
    --tree         Show everything below it, not only one level.
    --terms        Also show the glossary entries of its terms.
    --copy         Print it for pasting into a chat.
    --markdown     Print it as a Markdown quotation.
    --format FORM  Print it in short form, with a link: discord, wiki, html.
    --site --json --jsonl
    """
    if not "".join(o.words).strip():
        raise click.UsageError("give a number, a term or an edition")
    is_listed = o.words == _STANDARD_INPUT
    named = None if is_listed or o.on else _edition_named(base, " ".join(o.words))
    if named is not None:
        from variorum.cli.editions import one_edition

        return one_edition(base, named)
    records: list[object] = []
    all_failed: list[VariorumError] = []
    for answers, failed in answered(base, o.words, lambda asked: base.find_anywhere(asked, o.on)):
        all_failed += failed
        if o.as_json:
            records += [_record(asked, match, o) for asked, some in answers for match in some]
        elif any(some for _, some in answers):
            for line in move_lines([match for _, some in answers for match in some]):
                print_note(line)
            lines = [*([""] if records else []), *_pages(base, answers, o, is_listed=is_listed)]
            records.append(lines)
            print_page(lines)
    if not (o.as_json or is_listed or records) and all_failed:
        from variorum.cli.start import misspelt

        if misspelt(o.words) is None:
            from variorum.cli.words import found_instead

            found_instead(base, " ".join(o.words), all_failed)
    end_answers(records, all_failed, as_json=o.as_json)
    return None


def _edition_named(base: KnowledgeBase, text: str) -> EditionEntry | None:
    """Return the edition that some words name, unless they are a term of the rules."""
    first, *others = parse_questions(text)
    if others or first.edition or first.question[0] != WORDS:
        return None
    if not last_day(text):
        with suppress(NotFoundError):
            base.find_anywhere(first)
            return None
    try:
        return base.edition(text)
    except AmbiguousEditionError:
        raise
    except NoEditionError:
        return None


def _record(asked: Asked, match: Subject, o: SimpleNamespace) -> object:
    record = match.record(asked_for(asked.question))
    return structs.replace(record, terms=match.terms()) if o.terms else record


def _pages(
    base: KnowledgeBase,
    answers: Sequence[tuple[Asked, list[Subject]]],
    o: SimpleNamespace,
    *,
    is_listed: bool,
) -> Iterator[str]:
    """Yield the lines of provisions, grouped by edition, with the edition below each group."""
    matches = [match for _, some in answers for match in some]
    if o.copy or o.markdown or o.format:
        from variorum.cli.quotations import set_copy, set_linked, set_markdown

        if not o.format:
            yield from set_copy(matches) if o.copy else set_markdown(matches)
            return
        for _, some in groupby(matches, lambda match: match.edition):
            yield from set_linked(o.format, [*some], o.site)
        return
    about = {match: then_and_now(base, asked, some) for asked, some in answers for match in some}
    groups = groupby(matches, lambda match: match.edition)
    for place, (_, group) in enumerate(groups):
        here = [*group]
        shown = [(match, _below(match, is_whole=o.tree)) for match in here]
        said: list[str] = []
        for match in () if is_listed else here:
            said += [*about[match], *earlier_lines(base, match.earlier())]
        notes = [*dict.fromkeys(said)]
        more = _terms(base, shown) if o.terms else []
        notes += [*([""] if notes and more else []), *more]
        yield from [""] if place else []
        yield from _provisions(shown, notes)


def _below(match: Subject, *, is_whole: bool) -> list[tuple[int, Subject]]:
    return [*match.tree()] if is_whole else [(1, low) for low in match.children()]


def _terms(base: KnowledgeBase, shown: Sequence["_Shown"]) -> list[str]:
    """Return the lines of the glossary entries of the terms that provisions use."""
    provisions = [each for match, below in shown for each in (match, *(low for _, low in below))]
    used = dict.fromkeys(term.term for each in provisions for term in each.terms())
    if not used:
        return ["No term of the glossary is used here."]
    found = [(term, base.find(f"glossary: {term}", shown[0][0].edition)) for term in used]
    entries = [(term, one.text) for term, some in found for one in some if one.kind == "glossary"]
    return [bold("Terms"), *(entry(term, text.replace("\n", "\n    ")) for term, text in entries)]


# Provisions ---------------------------------------------------------------------------------------


# A provision, and the provisions shown below it with their depth, from 1.
_Shown = tuple[Subject, Sequence[tuple[int, Subject]]]


def _provisions(shown: Sequence[_Shown], notes: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of provisions of one edition, notes, and the line that says where they are."""
    first = shown[0][0]
    is_together = all(match.parent == first.parent for match, _ in shown)
    path = first.path() if is_together else ()
    for match, below in shown:
        for depth, provision in ((0, match), *below):
            yield from _provision(provision, depth)
        yield from [""] if len(shown) > 1 else []
    yield from [""] if len(shown) == 1 else []
    yield from [*notes, ""] if notes else []
    place = [f"{up.address}. {up.heading}" if up.heading else up.address for up in path]
    place += [first.address] if len(shown) == 1 else []
    lines = [" › ".join(place)] if path else []
    lines += [
        f"{match.address} is a misprint for {match.meant}" for match, _ in shown if match.meant
    ]
    lines = ["Glossary"] if first.kind == "glossary" else lines
    yield from [f"  {HANG}{DIM}{line}{PLAIN}" for line in [*lines, edition_line(first.edition)]]


def _provision(provision: Subject, depth: int) -> Iterator[str]:
    """Yield the lines of a provision; only a terminal shows by margins what is below what."""
    state = provision.state
    number = "" if state.kind == "glossary" else state.address
    margin, inner = (" " * 4 * depth, " " * 4 * (depth + 1)) if page_width() else ("", "")
    paragraphs = [
        _underlined(f"{marker} {text}".lstrip(), provision)
        for marker, text in split_body(state.body)
    ]
    opening = "  ".join(filter(None, (number, state.heading)))
    if number and not state.heading and paragraphs:
        yield f"{margin}{bold(number)}  {HANG}{paragraphs.pop(0)}"
    else:
        yield f"{margin}{bold(opening)}"
    yield from (f"{inner}{HANG}{text}" for text in paragraphs)


def _underlined(text: str, provision: Subject) -> str:
    """Return a text with its citations underlined, where colours are shown."""
    cited = sorted(set(provision.citations()), key=len, reverse=True) if may_colour() else []
    if not cited:
        return text
    # Not "702.5" within "702.52", nor the end of "CR 702.5" twice.
    any_cited = rf"(?<![\w.])({'|'.join(map(re.escape, cited))})(?!\w|\.\d)"
    return re.sub(any_cited, rf"{UNDERLINE}\1{NO_UNDERLINE}", text)


# Contents -----------------------------------------------------------------------------------------


@opts.command("[NUMBER]", complete=opts.complete_question)
def toc(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List chapters and sections, or what is below NUMBER.

    cr toc                  the whole edition
    cr toc 702              the rules of a section
    cr toc 7 --on M10       the sections of a chapter in the edition of M10

    --on --json --jsonl
    """
    edition = base.edition(o.on or "current")
    heads: Sequence[Subject] = base.chapters(edition)
    if o.words:
        heads = base.show(" ".join(o.words), o.on)
        for line in move_lines(heads):
            print_note(line)
        edition = heads[0].edition
    listed = [row for head in heads for row in ((0, head), *((1, low) for low in head.children()))]
    records = [
        Heading(
            edition=each.edition.label,
            doubts=list(each.edition.doubts),
            address=each.address,
            kind=each.kind,
            heading=each.heading,
        )
        for _, each in listed
    ]
    lines = [_heading(depth, each) for depth, each in listed]
    return opts.Answer(records, lambda: [*lines, "", f"  {edition_line(edition)}"])


def _heading(depth: int, provision: Subject) -> str:
    said = (provision.number and provision.heading) or provision.text
    said = said.replace("\n", " ").replace("_", "")
    line = f"{'  ' * depth}{provision.address}  {said}".rstrip()
    width = page_width() or _WIDEST_HEADING
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"


# Citations ----------------------------------------------------------------------------------------


@opts.command("QUESTION...", complete=opts.complete_question)
def refs(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what a rule cites and what cites it, in one edition, quoting the sentences.

    cr refs 704.5k
    cr refs 217.7 --on 2007-10-01

    --on --limit --json --jsonl
    """
    text = " ".join(o.words)
    matches = base.show(text, o.on)
    edition = matches[0].edition
    if any(match.edition != edition for match in matches):
        raise click.UsageError("ask for one edition at a time")
    from variorum.answers.refs import refs_of

    answer = refs_of(matches)
    lines = [ReferenceLine("cites", cites=citation) for citation in answer.cites]
    lines += [ReferenceLine("cited by", cited_by=citing) for citing in answer.cited_by]
    lines = [*opts.limited(lines, o.limit)]
    cites = answer.cites[: len(lines)]
    answer = structs.replace(
        answer, cites=cites, cited_by=answer.cited_by[: len(lines) - len(cites)]
    )
    for line in () if o.as_json else move_lines(matches):
        print_note(line)
    about = then_and_now(base, parse_questions(text)[0], matches)
    return opts.Answer(answer, lambda: _refs(answer, edition, about), lines)


def _refs(answer: References, edition: EditionEntry, about: Sequence[str]) -> Iterator[str]:
    number, cites, cited_by = answer.number or answer.address, answer.cites, answer.cited_by
    yield bold(f"{number} cites {f'{len(cites):,}:' if cites else 'nothing'}")
    yield from (f"  {_cited(citation)}" for citation in cites)
    times = f"{len(cited_by):,} {'time' if len(cited_by) == 1 else 'times'}:"
    yield bold(f"{number} is cited {times if cited_by else 'nowhere'}")
    yield from (entry(citing.address, citing.text) for citing in cited_by)
    yield from ["", *about, *([""] if about else []), f"  {edition_line(edition)}"]


def _cited(citation: Citation) -> str:
    targets = ", ".join(citation.targets)
    title = f" “{citation.title}”" if citation.title else ""
    if citation.status != "resolved":
        return f"{citation.text}{title}: dangling" + (f", but for {targets}" if targets else "")
    named = "" if targets == citation.text else f" = {targets}"
    misfit = ", which has another title" if citation.title_fits is False else ""
    return f"{citation.text}{title}{named}{misfit}"


# Glossary -----------------------------------------------------------------------------------------


@opts.command("[TERM]...")
def glossary(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List the headwords of the glossary, or show the entry for TERM.

    An entry is shown with the rules it names. A term no longer in the glossary is shown as last printed.

    cr glossary
    cr glossary trample
    cr glossary removed from the game
    cr glossary mana burn --on 2008-05-01

    --on --limit --json --jsonl
    """
    asked = parse_questions(" ".join(o.words))[0]
    term = asked_for(asked.question) if asked.edition else " ".join(o.words)
    on = o.on or asked.edition or "current"
    edition = base.edition(on)
    if not o.words:
        entries = [each for each in base.provisions(edition) if each.kind == "glossary"]
        some = opts.limited(entries, o.limit)
        lines = [*(each.heading for each in some), "", f"  {edition_line(edition)}"]
        return opts.Answer([each.record() for each in some], lambda: lines)
    found = _entries(base, term, on)
    records = [
        structs.replace(each.record(), rules=each.rules(), history=each.history()) for each in found
    ]
    there = found[0].edition
    typed = (
        f"cr history {term}" if there == base.current else f"cr history {term} --on {there.label}"
    )

    def page() -> Iterator[str]:
        if there != edition:
            yield f"Not in today's glossary; last printed in {there.label}."
        for place, each in enumerate(found):
            yield from [""] if place else []
            said = [f"  {cited}" for cited in dict.fromkeys(map(_rule, each.rules()))]
            yield from _provisions(
                [(each, [])], [*([bold("cites:")] if said else []), *said, f"history: {typed}"]
            )

    return opts.Answer(records, page)


def _entries(base: KnowledgeBase, term: str, on: str) -> list[Subject]:
    """Return the entries for a term, from the edition or, by default, the last that has it."""
    edition = base.edition(on)
    missing = NotFoundError(f"{term!r}: no headword in the edition of {edition.label}")
    last = base.glossary.last_with(term) if on == "current" else None
    for place in (edition, *([base.edition(last)] if last else ())):
        try:
            found = [each for each in base.find(term, place) if each.kind == "glossary"]
        except NotFoundError as error:
            found, missing = [], error
        if found:
            return found
    raise missing


def _rule(rule: EntryRule) -> str:
    """Return a rule that an entry names, with its heading or the heading above it."""
    if not rule.targets:
        return f"{rule.text}  dangling"
    said = rule.targets[0] if len(rule.targets) == 1 else rule.text
    if rule.heading:
        said += f" ({rule.under}. {rule.heading})" if rule.under else f". {rule.heading}"
    return said if rule.status == "resolved" else f"{said}  dangling in part"
