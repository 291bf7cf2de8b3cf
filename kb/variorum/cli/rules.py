"""`cr show`, `toc`, `refs` and `glossary`: what an edition prints."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from types import SimpleNamespace

import click
from msgspec import structs

from variorum.answers.editions import EditionEntry, last_day
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import NUMBER, WORDS, Asked, asked_for, parse_questions
from variorum.answers.subject import Subject
from variorum.cli import command as opts
from variorum.cli.layout import edition_line, entry, print_note
from variorum.cli.wording import earlier_lines, former_lines, move_lines, then_and_now
from variorum.errors import (
    AmbiguousEditionError,
    NoEditionError,
    NotFoundError,
    TwoEditionsError,
    VariorumError,
)
from variorum.files import LARGEST_SETTINGS, lines_of_standard_input
from variorum.records.provision import Citation, Heading, ReferenceLine, References
from variorum.rows import split_body
from variorum.terminal import DIM, HANG, PLAIN, bold, page_width
from variorum.text import shortened

_STANDARD_INPUT = ("-",)
_WIDEST_HEADING = 78
# Questions with what they name.
_Answers = list[tuple[Asked, list[Subject]]]


# Questions ----------------------------------------------------------------------------------------


def answered(
    base: KnowledgeBase, words: tuple[str, ...], find: Callable[[Asked], Iterable[Subject]]
) -> tuple[_Answers, list[VariorumError]]:
    """Return the answers and the errors of questions, "-" for those on standard input.

    Words behind a number that name no edition are said in a note, and do not hinder an answer.
    """
    is_listed = words == _STANDARD_INPUT
    lines = lines_of_standard_input(LARGEST_SETTINGS) if is_listed else [" ".join(words)]
    answers: _Answers = []
    failed: list[VariorumError] = []
    noted: set[str] = set()
    for place, line in enumerate(lines, start=1):
        for asked in parse_questions(line) if line.strip() else []:
            try:
                answers.append((asked, list(_found(find, _plainly(base, asked, noted)))))
            except (NotFoundError, TwoEditionsError) as error:
                kind, number, _ = asked.question
                error.also = former_lines(base, number) if kind == NUMBER else ()
                if is_listed:
                    error.args = (f"line {place}: {error}", *error.args[1:])
                failed.append(error)
    return answers, failed


def _found(find: Callable[[Asked], Iterable[Subject]], asked: Asked) -> Iterable[Subject]:
    """Return what a question names; a term is also looked for with a hyphen in it."""
    kind, text, more = asked.question
    hyphened = [f"{text[: at.start()]}-{text[at.end() :]}" for at in re.finditer(" ", text)]
    for spelling in [text, *hyphened] if kind == WORDS else ():
        with suppress(NotFoundError):
            return find(asked._replace(question=(kind, spelling, more)))
    return find(asked)


def _plainly(base: KnowledgeBase, asked: Asked, noted: set[str]) -> Asked:
    """Return a question without words that name no edition; print a note about them, once."""
    kind, number, _ = asked.question
    if kind == WORDS or not asked.edition or any(map(str.isdigit, asked.edition)):
        return asked
    try:
        base.edition_of(asked, None)
    except NoEditionError as error:
        if isinstance(error, AmbiguousEditionError) or "near:" in str(error):
            raise
        if asked.edition not in noted:
            noted.add(asked.edition)
            typed = f"cr search {asked.edition} --in {number.partition('.')[0]}"
            print_note(f"“{asked.edition}” names no edition; {typed} searches there")
        return asked._replace(edition="")
    return asked


# Show ---------------------------------------------------------------------------------------------


@opts.command(
    "QUESTION...",
    complete=opts.complete_question,
    apart=("--json --copy --markdown", "--terms --copy --markdown"),
)
def show(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show a rule, a range, a section, a chapter or a glossary entry, or several.

    cr 704.5k                     the rule as it is today
    cr 600.4a --on 2007-10-01     as it was on that day, also cr 600.4a 2007-10-01
    cr 508.1d-f 702.19 M10        a range; a rule in the edition of M10
    cr show - < numbers.txt       many, one on each line
    cr "state-based actions"      a glossary entry
    cr 2014-03-01                 an edition, also cr M10, cr july 2009
    cr 704.5k --terms             with the glossary entries of its terms
    cr 704.5k --copy              for pasting into a chat; also --markdown

    A rule is shown with its subrules, a section with its rules. "show" can be left out.

    --on
    --terms     Also show the glossary entries of its terms.
    --copy      Print it for pasting into a chat.
    --markdown  Print it as a Markdown quotation.
    --json --jsonl
    """
    words = " ".join(o.words)
    if not words.strip():
        raise click.UsageError("give a number, a term or an edition")
    if not o.on and (named := _edition_named(base, words)):
        from variorum.cli.editions import one_edition

        return one_edition(base, named)
    answers, failed = answered(base, o.words, lambda asked: base.find_anywhere(asked, o.on))
    if failed and not (answers or o.as_json or o.words == _STANDARD_INPUT):
        from variorum.cli.search import found_instead
        from variorum.cli.start import misspelt

        instead = None if misspelt(o.words) else found_instead(base, words, failed[0])
        if instead:
            return instead
    if o.as_json:
        records = [_record(asked, match, o) for asked, some in answers for match in some]
        return opts.Answer(records, (), failed=failed)
    matches = [match for _, some in answers for match in some]
    for line in move_lines(matches):
        print_note(line)
    if o.copy or o.markdown:
        page: Iterable[str] = ["\n\n".join(_quoted(matches, is_markdown=o.markdown))]
    else:
        page = _pages(base, answers, with_terms=o.terms)
    return opts.Answer(answers, page, failed=failed)


def _quoted(matches: Sequence[Subject], *, is_markdown: bool) -> Iterator[str]:
    """Yield provisions for pasting, each with its edition; subrules follow a rule that is only a heading."""
    for head in matches:
        is_bare = head.kind == "rule" and not head.paragraphs
        for match in (head, *(head.children() if is_bare else ())):
            name = match.address if match.number else f"{match.heading}:"
            label = match.edition.label
            lines = [f"{marker} {text}".strip() for marker, text in match.paragraphs]
            heading = match.heading if match.number else ""
            if is_markdown:  # the rules use "*" as a value of power
                signs = re.compile(r"([\\`*_])")
                texts = [signs.sub(r"\\\1", text) for text in (name, heading, *lines)]
                name, heading, *lines = [f"**{texts[0]}**", *texts[1:]]
            first = " ".join(filter(None, [name, heading, *lines[:1]]))
            if is_markdown:
                said = [first, *lines[1:], f"*Comprehensive Rules, {label}*"]
                yield "\n>\n".join([f"> {line}" for line in said])
            else:
                yield "\n".join([first, *lines[1:]]) + f" (CR {label})"


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
    return structs.replace(record, terms=match.base.glossary.terms(match)) if o.terms else record


def _pages(base: KnowledgeBase, answers: _Answers, *, with_terms: bool) -> Iterator[str]:
    """Yield the lines of all answers, each with what else its number means, and its place."""
    for place, (asked, matches) in enumerate(answers):
        notes = then_and_now(base, asked, matches)
        for match in matches:
            notes += [*earlier_lines(base, match.earlier(), match), *_rules_of(base, match)]
        more = [*_terms(base, matches)] if with_terms else []
        notes = [*dict.fromkeys(notes), *([""] if notes and more else []), *more]
        yield from ["", *_provisions(matches, notes)] if place else _provisions(matches, notes)


def _terms(base: KnowledgeBase, matches: Sequence[Subject]) -> Iterator[str]:
    """Yield the glossary entries of the terms that provisions use."""
    provisions = [each for match in matches for each in (match, *match.children())]
    used = dict.fromkeys(term.term for each in provisions for term in base.glossary.terms(each))
    yield bold("Terms") if used else "No term of the glossary is used here."
    for term in used:
        for each in base.find(f"glossary: {term}", matches[0].edition):
            if each.kind == "glossary":
                yield entry(term, each.text.replace("\n", "\n    "))


def _rules_of(base: KnowledgeBase, match: Subject) -> Iterator[str]:
    """Yield what to type for the rules that a glossary entry names."""
    rules = base.glossary.rules(match) if match.kind == "glossary" else []
    if named := [*dict.fromkeys(rule.text for rule in rules if rule.targets)]:
        on = "" if match.edition == base.current else f" --on {match.edition.label}"
        yield f"rules: cr {' '.join(named)}{on}"


def _provisions(matches: Sequence[Subject], notes: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of provisions of one edition, notes, and the line that says where they are."""
    first = matches[0]
    for match in matches:
        for provision in (match, *match.children()):
            yield from _provision(provision)
        yield ""
    yield from [*notes, ""] if notes else []
    path = first.path() if len({match.parent for match in matches}) == 1 else ()
    place = [f"{up.address}. {up.heading}" if up.heading else up.address for up in path]
    place += [first.address] if len(matches) == 1 and place else []
    lines = ["Glossary"] if first.kind == "glossary" else [" › ".join(place)] if place else []
    lines += [
        f"{match.address} is a misprint for {match.meant}" for match in matches if match.meant
    ]
    yield from [f"  {HANG}{DIM}{line}{PLAIN}" for line in [*lines, edition_line(first.edition)]]


def _provision(provision: Subject) -> Iterator[str]:
    state = provision.state
    number = "" if state.kind == "glossary" else state.address
    paragraphs = [f"{marker} {text}".lstrip() for marker, text in split_body(state.body)]
    if number and not state.heading and paragraphs:
        yield f"{bold(number)}  {HANG}{paragraphs.pop(0)}"
    else:
        yield bold("  ".join(filter(None, (number, state.heading))))
    yield from (f"{HANG}{text}" for text in paragraphs)


# Contents -----------------------------------------------------------------------------------------


@opts.command("[NUMBER]", complete=opts.complete_question)
def toc(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List chapters and sections, or what is below NUMBER.

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
        Heading(at.edition.label, list(at.edition.doubts), at.address, at.kind, at.heading)
        for _, at in listed
    ]
    lines = [_heading(depth, each) for depth, each in listed]
    return opts.Answer(records, [*lines, "", f"  {edition_line(edition)}"])


def _heading(depth: int, provision: Subject) -> str:
    said = (provision.number and provision.heading) or provision.text
    line = f"{'  ' * depth}{provision.address}  {said.replace('_', '')}".rstrip()
    return shortened(line, (page_width() or _WIDEST_HEADING) - 1)


# Citations ----------------------------------------------------------------------------------------


@opts.command("QUESTION...", complete=opts.complete_question)
def refs(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what a rule cites and what cites it, in one edition, quoting the sentences.

    cr refs 704.5k
    cr refs 217.7 --on 2007-10-01

    --on --json --jsonl
    """
    text = " ".join(o.words)
    matches = base.show(text, o.on)
    edition = matches[0].edition
    if any(match.edition != edition for match in matches):
        raise click.UsageError("ask for one edition at a time")
    from variorum.answers.refs import refs_of

    answer = refs_of(matches)
    items = [ReferenceLine("cites", cites=citation) for citation in answer.cites]
    items += [ReferenceLine("cited by", cited_by=citing) for citing in answer.cited_by]
    for line in () if o.as_json else move_lines(matches):
        print_note(line)
    about = then_and_now(base, parse_questions(text)[0], matches)
    place = ["", *about, *([""] if about else []), f"  {edition_line(edition)}"]
    return opts.Answer(answer, [*_refs(answer), *place], items)


def _refs(answer: References) -> Iterator[str]:
    number, cites, cited_by = answer.number or answer.address, answer.cites, answer.cited_by
    yield bold(f"{number} cites {f'{len(cites):,}:' if cites else 'nothing'}")
    yield from (f"  {_cited(citation)}" for citation in cites)
    times = f"{len(cited_by):,} {'time' if len(cited_by) == 1 else 'times'}:"
    yield bold(f"{number} is cited {times if cited_by else 'nowhere'}")
    yield from (entry(citing.address, citing.text) for citing in cited_by)


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

    cr glossary removed from the game
    cr glossary mana burn --on 2008-05-01

    A term no longer in the glossary is shown as last printed.

    --on --json --jsonl
    """
    asked = parse_questions(" ".join(o.words))[0]
    term = asked_for(asked.question) if asked.edition else " ".join(o.words)
    on = o.on or asked.edition or "current"
    edition = base.edition(on)
    if not o.words:
        entries = [each for each in base.provisions(edition) if each.kind == "glossary"]
        lines = [*(each.heading for each in entries), "", f"  {edition_line(edition)}"]
        return opts.Answer([each.record() for each in entries], lines)
    from variorum.answers.histories import history_of

    found = _entries(base, term, on)
    records = [
        structs.replace(each.record(), rules=base.glossary.rules(each), history=history_of(each))
        for each in found
    ]
    there = found[0].edition
    typed = f"cr history {term}{'' if there == base.current else f' --on {there.label}'}"

    def page() -> Iterator[str]:
        if there != edition:
            yield f"Not in today's glossary; last printed in {there.label}."
        for each in found:
            yield from _provisions([each], [*_rules_of(base, each), f"history: {typed}"])

    return opts.Answer(records, page())


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
