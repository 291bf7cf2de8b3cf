"""`cr show`, `toc`, `refs` and `glossary`: what an edition prints."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import SimpleNamespace

import click
from msgspec import structs

from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import asked_for, parse_questions
from variorum.answers.refs import refs_of, rules_named
from variorum.cli import command as opts
from variorum.cli.asked import STANDARD_INPUT, Answers, answered, is_number, take_edition
from variorum.cli.layout import edition_line, entry, titled
from variorum.cli.wording import earlier_lines, note_moves, then_and_now, to_type
from variorum.errors import NoEditionError, NotFoundError, VariorumError
from variorum.records.lineage import Heading, ReferenceLine
from variorum.terminal import DIM, HANG, PLAIN, bold, page_width
from variorum.text import counted, shortened

_WIDEST = 78
# Signs that mean something in Markdown; the rules use "*" as a value of power.
_MARKDOWN = re.compile(r"([\\`*_])")


@opts.command(
    "QUESTION...",
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
    answers, failed = answered(base, o.words, lambda asked: base.find(asked, o.on, elsewhere=True))
    if failed and not (answers or o.on or o.words == STANDARD_INPUT or is_number(words)):
        from variorum.cli.editions import one_edition
        from variorum.cli.search import found_instead
        from variorum.cli.start import misspelt

        try:
            return one_edition(base, base.edition(words))
        except NoEditionError:
            with suppress(VariorumError):
                _, rest = take_edition(base, o.words)
                take_edition(base, rest)
                raise click.UsageError(f"two editions; cr diff {words} compares them") from None
            is_plain = not (o.as_json or misspelt(o.words))
            if instead := found_instead(base, words, failed[0]) if is_plain else None:
                return instead
    records: list[object] = []
    for asked, matches in answers if o.as_json else ():
        for match in matches:
            record = match.record(asked_for(asked.question))
            records.append(structs.replace(record, terms=match.terms()) if o.terms else record)
    return opts.Answer(records or answers, _show(base, answers, o), failed=failed)


def _show(base: KnowledgeBase, answers: Answers, o: SimpleNamespace) -> Iterator[str]:
    note_moves(match for _, matches in answers for match in matches)
    for place, (asked, matches) in enumerate(answers):
        yield from [""] * bool(place)
        if o.copy or o.markdown:
            yield "\n\n".join(_quoted(matches, is_markdown=o.markdown))
            continue
        notes = then_and_now(base, asked, matches)
        for match in matches:
            notes += [*earlier_lines(base, match.earlier(), match), *to_type(match)]
        notes = [*dict.fromkeys(notes)]
        if o.terms:
            provisions = [each for match in matches for each in (match, *match.children())]
            used = dict.fromkeys(it.term for each in provisions for it in each.terms())
            found = [base.find(f"glossary: {name}", matches[0].edition) for name in used]
            entries = [it for some in found for it in some if it.kind == "glossary"]
            lines = [entry(it.heading, it.text.replace("\n", "\n    ")) for it in entries]
            lines = titled("Terms", lines) or ["", "No term of the glossary is used here."]
            notes += lines if notes else lines[1:]
        yield from _provisions(matches, notes)


def _quoted(matches: Sequence[Subject], *, is_markdown: bool) -> Iterator[str]:
    """Yield provisions for pasting, each with its edition; subrules follow a rule that is only a heading."""
    for head in matches:
        is_bare = head.kind == "rule" and not head.paragraphs
        for it in (head, *(head.children() if is_bare else ())):
            name, heading = (it.address, it.heading) if it.number else (f"{it.heading}:", "")
            parts = [name, heading, *(f"{marker} {text}".strip() for marker, text in it.paragraphs)]
            end, between, margin = f"(CR {it.edition.label})", "\n", ""
            if is_markdown:
                parts = [_MARKDOWN.sub(r"\\\1", part) for part in parts]
                parts[0], between, margin = f"**{parts[0]}**", "\n>\n", "> "
            said = [" ".join(filter(None, parts[:3])), *parts[3:]]
            yield between.join([f"{margin}{line}" for line in [*said[:-1], f"{said[-1]} {end}"]])


def _provisions(matches: Sequence[Subject], notes: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of provisions of one edition, notes, and the line that says where they are."""
    for match in matches:
        for provision in (match, *match.children()):
            number = provision.address if provision.number else ""
            paragraphs = [f"{marker} {text}".lstrip() for marker, text in provision.paragraphs]
            if number and not provision.heading and paragraphs:
                yield f"{bold(number)}  {HANG}{paragraphs.pop(0)}"
            else:
                yield bold("  ".join(filter(None, (number, provision.heading))))
            yield from (f"{HANG}{text}" for text in paragraphs)
        yield ""
    yield from [*notes, ""] if notes else []
    first, states = matches[0], [match.state for match in matches]
    path = first.path() if len({state.parent for state in states}) == 1 else ()
    place = [f"{up.address}. {up.heading}" if up.heading else up.address for up in path]
    place += [first.address] if len(matches) == 1 and place else []
    lines = ["Glossary"] if first.kind == "glossary" else [" › ".join(place)] if place else []
    lines += [f"{it.address} is a misprint for {it.meant}" for it in states if it.meant]
    yield from [f"  {HANG}{DIM}{line}{PLAIN}" for line in [*lines, edition_line(first.edition)]]


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
    doubts = list(edition.doubts)
    records = [Heading(edition.label, doubts, it.address, it.kind, it.heading) for _, it in rows]

    def page() -> Iterator[str]:
        note_moves(heads)
        width = (page_width() or _WIDEST) - 1
        for margin, it in rows:
            said = ((it.number and it.heading) or it.text).replace("_", "")
            yield shortened(f"{margin}{it.address}  {said}".rstrip(), width)
        yield from ["", f"  {edition_line(edition)}"]

    return opts.Answer(records, page())


@opts.command("QUESTION...")
def refs(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show what a rule cites and what cites it, in one edition, quoting the sentences.

    cr refs 704.5k
    cr refs 217.7 --on 2007-10-01

    --on --json --jsonl
    """
    matches = base.show(text := " ".join(o.words), o.on)
    if len({match.edition for match in matches}) > 1:
        raise click.UsageError("ask for one edition at a time")
    answer = refs_of(matches)
    items = [ReferenceLine("cites", cites=citation) for citation in answer.cites]
    items += [ReferenceLine("cited by", cited_by=citing) for citing in answer.cited_by]

    def page() -> Iterator[str]:
        note_moves(matches)
        number, cites, cited_by = answer.number or answer.address, answer.cites, answer.cited_by
        yield bold(f"{number} cites {f'{len(cites):,}:' if cites else 'nothing'}")
        for it in cites:
            targets = ", ".join(it.targets)
            said = f"  {it.text}{f' “{it.title}”' if it.title else ''}"
            if it.status == "resolved":
                said += "" if targets == it.text else f" = {targets}"
                yield said + ", which has another title" * (it.title_fits is False)
            else:
                yield f"{said}: dangling{f', but for {targets}' if targets else ''}"
        times = f"{counted(len(cited_by), 'time')}:" if cited_by else "nowhere"
        yield bold(f"{number} is cited {times}")
        yield from [*(entry(citing.address, citing.text) for citing in cited_by), ""]
        about = then_and_now(base, parse_questions(text)[0], matches)
        yield from [*about, *([""] if about else []), f"  {edition_line(matches[0].edition)}"]

    return opts.Answer(answer, page(), items)


@opts.command("[TERM]...")
def glossary(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List the headwords of the glossary, or show the entry for TERM.

    cr glossary removed from the game
    cr glossary mana burn --on 2008-05-01

    A term no longer in the glossary is shown as last printed.

    --on --json --jsonl
    """
    from variorum.answers.histories import history_of

    term = " ".join(o.words)
    asked = parse_questions(term)[0]
    term = asked_for(asked.question) if asked.edition else term
    edition = base.edition_of(asked, o.on)
    if not o.words:
        entries = [each for each in base.provisions(edition) if each.kind == "glossary"]
        lines = [*(each.heading for each in entries), "", f"  {edition_line(edition)}"]
        return opts.Answer([each.record() for each in entries], lines)
    last, found = base.last_with(term), list[Subject]()
    for there in filter(None, (edition, None if o.on or asked.edition else last)):
        with suppress(NotFoundError):
            found = found or [it for it in base.find(term, there) if it.kind == "glossary"]
    if not found:
        base.find(term, edition)  # says what is like it
        raise NotFoundError(f"{term!r}: no headword in the edition of {edition.label}")
    records = [
        structs.replace(each.record(), rules=rules_named(each), history=history_of(each))
        for each in found
    ]

    def page() -> Iterator[str]:
        if found[0].edition != edition:
            yield f"Not in today's glossary; last printed in {found[0].edition.label}."
        for each in found:
            yield from _provisions([each], to_type(each))

    return opts.Answer(records, page())
