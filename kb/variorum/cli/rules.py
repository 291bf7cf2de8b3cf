"""`cr show`, `toc`, `refs` and `glossary`: what an edition prints."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from types import SimpleNamespace

import click
from msgspec import structs

from variorum.answers.editions import EditionEntry, last_day
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import NUMBER, WORDS, Asked, asked_for, parse_questions
from variorum.answers.refs import misfits_in, refs_of
from variorum.answers.subject import Subject
from variorum.cli import command as opts
from variorum.cli.failures import explained
from variorum.cli.layout import edition_line, entry, para, print_json, print_note, print_page
from variorum.cli.moves import earlier_lines, former_lines, move_lines, then_and_now
from variorum.cli.quotations import FORMS, set_copy, set_linked, set_markdown
from variorum.errors import (
    AmbiguousEditionError,
    NoEditionError,
    NotFoundError,
    TwoEditionsError,
    VariorumError,
)
from variorum.files import LARGEST_SETTINGS, lines_of_standard_input
from variorum.records.provision import Citation, Heading, ReferenceLine, References
from variorum.rows import Row, split_body
from variorum.terminal import DIM, NO_UNDERLINE, PLAIN, UNDERLINE, bold, is_coloured, page_width

STANDARD_INPUT = ("-",)
_NARROW = 50
_WIDEST_HEADING, _WIDEST_TERM = 78, 26


# Questions ----------------------------------------------------------------------------------------


def answered(
    base: KnowledgeBase, asked_words: tuple[str, ...], find: Callable[[Asked], Iterable[Subject]]
) -> Iterator[tuple[str, list[tuple[Asked, list[Subject]]], list[VariorumError]]]:
    """Answer each line of questions; yield the line, its answers and its errors.

    Words behind a number that name no edition are said in a note, and do not hinder an answer.
    """
    is_listed = asked_words == STANDARD_INPUT
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
        yield line, answers, failed


def _found(find: Callable[[Asked], Iterable[Subject]], asked: Asked) -> Iterable[Subject]:
    """Return what a question names; a term is also looked for with a hyphen in it."""
    kind, text, more = asked.question
    spellings = [text, *(text[:at] + "-" + text[at + 1 :] for at in _blanks(text))]
    for spelling in spellings if kind == WORDS else ():
        with suppress(NotFoundError):
            return find(asked._replace(question=(kind, spelling, more)))
    return find(asked)


def _blanks(text: str) -> list[int]:
    return [place for place, sign in enumerate(text) if sign == " "]


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
    if as_json and (found or not failed):
        print_json(found)
    for error in failed[:-1]:
        print_note(explained(error))
    if failed and not found:
        raise failed[-1]
    if failed:
        print_note(explained(failed[-1]))
        opts.end(max(error.exit_code for error in failed))


# Show ---------------------------------------------------------------------------------------------


@opts.command(
    opts.ASKED,
    opts.ON,
    opts.flag("with_context", "Also show the rules and headings above it.", "--context"),
    opts.flag("with_tree", "Show everything below it, not only one level.", "--tree"),
    opts.flag("with_terms", "Also show the glossary entries of its terms.", "--terms"),
    opts.flag("--commentary", "Also show rulings and articles about it."),
    opts.flag("as_copy", "Print it for pasting into a chat.", "--copy"),
    opts.flag("--markdown", "Print it as a Markdown quotation."),
    opts.value(
        "form",
        "FORM",
        f"Print it in short form, with a link: {', '.join(FORMS)}.",
        "--format",
        type=click.Choice(FORMS),
    ),
    opts.SITE,
    opts.JSON,
    opts.JSONL,
    apart=(
        "--json --copy --markdown --format",
        *(
            f"{form} {part}"
            for form in ("--copy", "--markdown", "--format")
            for part in ("--context", "--tree", "--terms", "--commentary")
        ),
        "--json --context",
        "--json --tree",
    ),
)
def show(base: KnowledgeBase, o: SimpleNamespace) -> None:
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
    """
    if not "".join(o.words).strip():
        raise click.UsageError("give a number, a term or an edition")
    is_listed = o.words == STANDARD_INPUT
    edition = None if is_listed or o.on else edition_named(base, " ".join(o.words))
    if edition is not None:
        from variorum.cli.editions import one_edition

        one = one_edition(base, edition)
        print_json(one.record) if o.as_json else print_page(one.page())
        return
    records: list[object] = []
    all_failed: list[VariorumError] = []
    for _, answers, failed in answered(
        base, o.words, lambda asked: base.find_anywhere(asked, o.on)
    ):
        all_failed += failed
        given = [(asked, match) for asked, some in answers for match in some]
        if o.as_json:
            records += [_record(asked, match, o) for asked, match in given]
        elif given:
            for line in move_lines([match for _, match in given]):
                print_note(line)
            lines = [*([""] if records else []), *_pages(base, answers, o, is_listed=is_listed)]
            records.append(lines)
            if is_listed:
                click.echo("".join(f"{line}\n" for line in lines), nl=False)
            else:
                print_page(lines)
    if not (o.as_json or is_listed or records) and all_failed:
        from variorum.cli.main import misspelt
        from variorum.cli.words import found_instead

        if misspelt(o.words) is None:
            found_instead(base, " ".join(o.words), all_failed)
    end_answers(records, all_failed, as_json=o.as_json)


def edition_named(base: KnowledgeBase, text: str) -> EditionEntry | None:
    """Return the edition that some words name, unless they are a term of the rules.

    Raises:
        AmbiguousEditionError: They are part of several sets' names, and no term.
    """
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
    return structs.replace(
        match.record(asked_for(asked.question)),
        terms=match.terms() if o.with_terms else None,
        commentary=match.commentary() if o.commentary else None,
    )


def _pages(
    base: KnowledgeBase,
    answers: Sequence[tuple[Asked, list[Subject]]],
    o: SimpleNamespace,
    *,
    is_listed: bool,
) -> Iterator[str]:
    """Yield the lines of provisions, grouped by edition, with the edition below each group."""
    matches = [match for _, some in answers for match in some]
    if o.as_copy or o.markdown:
        yield from set_copy(matches) if o.as_copy else set_markdown(matches)
        return
    if o.form:
        for _, some in groupby(matches, lambda match: match.edition):
            yield from set_linked(o.form, [*some], o.site)
        return
    about = {match: then_and_now(base, asked, some) for asked, some in answers for match in some}
    for place, (_, group) in enumerate(
        groupby(matches, lambda match: (match.edition, o.with_context and match.parent))
    ):
        here = [*group]
        tree = [
            (match, [*match.tree()] if o.with_tree else [(1, low) for low in match.children()])
            for match in here
        ]
        earlier: list[str] = []
        for match in () if is_listed else here:
            earlier += [*about[match], *earlier_lines(base, match.earlier())]
        notes = _terms(base, tree) if o.with_terms else []
        notes += _commentary(here) if o.commentary else []
        earlier = [line for said in dict.fromkeys(earlier) for line in para(said, 0, 4)]
        notes = [*earlier, *([""] if earlier and notes else []), *notes]
        yield from [""] if place else []
        yield from set_provisions(tree, notes, with_context=o.with_context)


def _commentary(matches: Sequence[Subject]) -> list[str]:
    """Return the lines of rulings and articles about provisions and the subrules of rules."""
    whole = [
        each
        for match in matches
        for each in (match, *(match.children() if match.kind == "rule" else ()))
    ]
    from variorum.cli.witnesses import list_attestations

    said = [attestation for match in whole for attestation in match.commentary()]
    return list(list_attestations(said, {})) or ["no ruling or article about it has been added"]


def _terms(base: KnowledgeBase, tree: Sequence["_Shown"]) -> list[str]:
    """Return the lines of the glossary entries of the terms that provisions use."""
    used: dict[str, None] = {}
    for match, below in tree:
        for provision in (match, *(low for _, low in below)):
            used |= {term.term: None for term in provision.terms()}
    if not used:
        return ["No term of the glossary is used here."]
    lines = [bold("Terms")]
    for term in used:
        for found in base.find(f"glossary: {term}", tree[0][0].edition):
            lines += entry(term, found.text) if found.kind == "glossary" else []
    return lines


def cited_rule(number: str, heading: str, under: str | None) -> str:
    """Return a number with its heading, or with the heading above it."""
    if not heading:
        return number
    return f"{number} ({under}. {heading})" if under else f"{number}. {heading}"


# Provisions ---------------------------------------------------------------------------------------


# A provision, and the provisions shown below it with their depth, from 1.
_Shown = tuple[Subject, Sequence[tuple[int, Subject]]]


def set_provisions(
    tree: Sequence[_Shown],
    notes: Sequence[str] = (),
    *,
    with_context: bool = False,
) -> Iterator[str]:
    """Yield the lines of provisions of one edition, notes, and the line that says where they are."""
    first = tree[0][0]
    is_together = all(match.parent == first.parent for match, _ in tree)
    path = first.path() if is_together else ()
    pages = [(match, [*below]) for match, below in tree]
    if with_context and path:
        top, *others = path
        below = list(enumerate(others, start=1))
        for match, lower in tree:
            below += [(len(path), match), *((depth + len(path), low) for depth, low in lower)]
        pages, path = [(top, below)], ()
    for match, below in pages:
        for depth, provision in ((0, match), *below):
            cited = provision.citations() if is_coloured() else ()
            yield from _set(provision.state, depth, cited)
        yield from [""] if len(pages) > 1 else []
    yield from [""] if len(pages) == 1 else []
    yield from [*notes, ""] if notes else []
    for line in [*_place(pages, path), edition_line(first.edition)]:
        for part in para(line, 2):
            yield f"  {DIM}{part[2:]}{PLAIN}" if is_coloured() else part


def _place(pages: Sequence[_Shown], path: Sequence[Subject]) -> list[str]:
    """Return the lines about the place of provisions, and about misprinted numbers."""
    first = pages[0][0]
    if first.kind == "glossary":
        return ["Glossary"]
    place = [f"{up.address}. {up.heading}" if up.heading else up.address for up in path]
    if len(pages) == 1:
        place.append(first.address)
    lines = [" › ".join(place)] if path else []
    return lines + [f"{m.address} is a misprint for {m.meant}" for m, _ in pages if m.meant]


def _set(state: Row, depth: int, citations: Sequence[str]) -> list[str]:
    width = page_width()
    number, heading = "" if state.kind == "glossary" else state.address, state.heading
    step = 2 if width and width < _NARROW else 4
    margin = step * depth if width else 0
    opening = f"{number}  {heading}" if number and heading else number or heading
    paragraphs = split_body(state.body)
    lines: list[str] = []
    hanging = step
    if number and not heading and paragraphs:
        marker, text = paragraphs.pop(0)
        hanging = min(len(number) + 2, 2 * step)
        lines += para(f"{number}  {f'{marker} {text}' if marker else text}", margin, hanging)
    else:
        lines += para(opening, margin, hanging)
    for marker, text in paragraphs:
        said = f"{marker} {text}" if marker else text
        lines += para(said, margin + hanging if width else 0, 2 if marker else 0)
    if not is_coloured():
        return lines
    first, *rest = lines
    opened = margin + len(opening) if first.startswith(" " * margin + opening) else 0
    head = f"{' ' * margin}{bold(opening)}" if opened else ""
    return [head + _underline(first[opened:], citations), *(_underline(r, citations) for r in rest)]


def _underline(line: str, citations: Iterable[str]) -> str:
    """Underline citations in a line; a citation has no blanks, so no line break splits it."""
    for cited in sorted(set(citations), key=len, reverse=True):
        place = line.find(cited)
        while place >= 0:
            stop = place + len(cited)
            before, after = line[place - 1 : place], line[stop : stop + 1]
            # Skip "702.5" within "702.52" and within underlined text.
            is_part = before.isalnum() or before in {".", "m"} or after.isalnum()
            if not (is_part or (after == "." and line[stop + 1 : stop + 2].isdigit())):
                line = f"{line[:place]}{UNDERLINE}{cited}{NO_UNDERLINE}{line[stop:]}"
                stop += len(UNDERLINE) + len(NO_UNDERLINE)
            place = line.find(cited, stop)
    return line


# Contents -----------------------------------------------------------------------------------------


@opts.command(opts.words("[NUMBER]", opts.complete_question), opts.ON, opts.JSON, opts.JSONL)
def toc(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List chapters and sections, or what is below NUMBER.

    cr toc                  the whole edition
    cr toc 702              the rules of a section
    cr toc 7 --on M10       the sections of a chapter in the edition of M10
    """
    edition = base.edition(o.on or "current")
    heads: Sequence[Subject] = base.chapters(edition)
    if o.words:
        heads = base.show(" ".join(o.words), o.on)
        for line in move_lines(heads):
            print_note(line)
        edition = heads[0].edition
    listed: list[tuple[int, Subject]] = []
    for head in heads:
        listed += [(0, head), *((1, low) for low in head.children())]
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
    return opts.Answer(
        records, lambda: [*(_heading(*row) for row in listed), "", f"  {edition_line(edition)}"]
    )


def _heading(depth: int, provision: Subject) -> str:
    width = page_width() or _WIDEST_HEADING
    said = (provision.number and provision.heading) or provision.text
    line = f"{'  ' * depth}{provision.address}  {said.replace(chr(10), ' ').replace('_', '')}"
    line = line.rstrip()
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"


# Citations ----------------------------------------------------------------------------------------


@opts.command(
    opts.words("[QUESTION]...", opts.complete_question),
    opts.ON,
    opts.flag(
        "--dangling", "List an edition's citations that lead nowhere or give another rule's title."
    ),
    opts.LIMIT,
    opts.JSON,
    opts.JSONL,
)
def refs(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer | None:
    """Show what a rule cites and what cites it, in one edition, quoting the sentences.

    cr refs 704.5k
    cr refs 217.7 --on 2007-10-01
    cr refs --dangling M10          citations of an edition that lead nowhere
    """
    text = " ".join(o.words)
    if o.dangling:
        if text and o.on:
            raise click.UsageError("name one edition")
        return _dangling(base, base.edition(text or o.on or "current"), o)
    if not text:
        raise click.UsageError("name a rule, or give --dangling")
    matches = base.show(text, o.on)
    answer = _first(refs_of(matches), o.limit)
    edition = matches[0].edition
    if any(match.edition != edition for match in matches):
        raise click.UsageError("ask for one edition at a time")
    if not o.as_json:
        for line in move_lines(matches):
            print_note(line)
    about = then_and_now(base, parse_questions(text)[0], matches)
    return opts.Answer(answer, lambda: _set_refs(answer, edition, about), _citations(answer))


def _first(answer: References, limit: int | None) -> References:
    """Return an answer with only its first citations, in the order of `_citations`."""
    count = len(opts.limited(_citations(answer), limit))
    cites = answer.cites[:count]
    return structs.replace(answer, cites=cites, cited_by=answer.cited_by[: count - len(cites)])


def _citations(answer: References) -> list[ReferenceLine]:
    """Return the citations in an answer: what the provision cites, then what cites it."""
    cites = [ReferenceLine("cites", cites=citation) for citation in answer.cites]
    return cites + [ReferenceLine("cited by", cited_by=citing) for citing in answer.cited_by]


def _set_refs(answer: References, edition: EditionEntry, about: Sequence[str]) -> Iterator[str]:
    number, cites, cited_by = answer.number or answer.address, answer.cites, answer.cited_by
    yield bold(f"{number} cites {f'{len(cites):,}:' if cites else 'nothing'}")
    for citation in cites:
        yield from para(_cited(citation), 2, 4)
    times = f"{len(cited_by):,} {'time' if len(cited_by) == 1 else 'times'}:"
    yield bold(f"{number} is cited {times if cited_by else 'nowhere'}")
    for citing in cited_by:
        yield from entry(citing.address, citing.text)
    yield from ["", *(line for said in about for line in para(said))]
    yield from [""] if about else []
    yield f"  {edition_line(edition)}"


def _cited(citation: Citation) -> str:
    targets = ", ".join(citation.targets)
    title = f" “{citation.title}”" if citation.title else ""
    if citation.status != "resolved":
        return f"{citation.text}{title}: dangling" + (f", but for {targets}" if targets else "")
    named = "" if targets == citation.text else f" = {targets}"
    misfit = ", which has another title" if citation.title_fits is False else ""
    return f"{citation.text}{title}{named}{misfit}"


def _dangling(base: KnowledgeBase, edition: EditionEntry, o: SimpleNamespace) -> opts.Answer:
    misfits = list(misfits_in(base.provisions(edition)))
    found = list(opts.limited(misfits, o.limit))
    lost = sum(misfit.status == "dangling" for misfit in misfits)

    def page() -> Iterator[str]:
        for misfit in found:
            fault = "dangling" if misfit.status == "dangling" else "has another title"
            title = f" “{misfit.title}”" if misfit.title else ""
            yield f"{misfit.address}  cites {misfit.text}{title}: {fault}"
        click.echo(
            f"{edition.label}: {lost} dangling, {len(misfits) - lost} with another title", err=True
        )

    return opts.Answer(found, page)
