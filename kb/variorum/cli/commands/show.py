"""`cr show`: provisions as an edition prints them."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import click
from msgspec import structs

from variorum.answers.editions import EditionEntry, last_day
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import WORDS, Asked, asked_for, parse_questions
from variorum.answers.subject import Subject
from variorum.cli.completions import complete_question
from variorum.cli.options import (
    kb_option,
    lines_option,
    on_option,
    open_asked,
    refuse_together,
    site_option,
)
from variorum.cli.pages.moves import earlier_lines, move_lines, namesake_lines
from variorum.cli.pages.provisions import edition_line, set_matches
from variorum.cli.pages.quotations import FORMS, set_copy, set_linked, set_markdown
from variorum.cli.printing import print_json, print_note, print_page
from variorum.errors import (
    AmbiguousEditionError,
    NoEditionError,
    NotFoundError,
    TwoEditionsError,
    VariorumError,
)
from variorum.files import LARGEST_SETTINGS, lines_of_standard_input
from variorum.rows import Row
from variorum.terminal import is_coloured, page_width

STANDARD_INPUT = ("-",)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRequest:
    """The options of `cr show`."""

    with_context: bool
    with_tree: bool
    with_terms: bool
    commentary: bool
    as_copy: bool
    markdown: bool
    as_json: bool
    form: str | None
    site: str

    def refuse_contradictions(self) -> None:
        """Refuse two options if one of them would have no effect.

        Raises:
            click.UsageError: Two such options were given.
        """
        linked = (f"--format {self.form}", self.form is not None)
        plain = (("--copy", self.as_copy), ("--markdown", self.markdown), linked)
        layout = (("--context", self.with_context), ("--tree", self.with_tree))
        refuse_together(("--json", self.as_json), *plain)
        for option in layout:
            refuse_together(("--json", self.as_json), option)
        for option in (*layout, ("--terms", self.with_terms), ("--commentary", self.commentary)):
            for form in plain:
                refuse_together(form, option)


@click.command()
@click.argument("question", nargs=-1, required=True, shell_complete=complete_question)
@on_option
@click.option(
    "--context", "with_context", is_flag=True, help="Also show the rules and headings above it."
)
@click.option(
    "--tree", "with_tree", is_flag=True, help="Show everything below it, not only one level."
)
@click.option(
    "--terms", "with_terms", is_flag=True, help="Also show the glossary entries of its terms."
)
@click.option("--commentary", is_flag=True, help="Also show rulings and articles about it.")
@click.option("--copy", "as_copy", is_flag=True, help="Print it for pasting into a chat.")
@click.option("--markdown", is_flag=True, help="Print it as a Markdown quotation.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="Print it in short form for a chat, a wiki or a web page, with a link and the day of its edition.",
)
@site_option
@lines_option
@kb_option
def show(
    question: tuple[str, ...],
    *,
    on: str | None,
    kb: Path | None,
    form: str | None,
    site: str,
    **options: bool,
) -> None:
    """Show a rule, a range, a section, a chapter or a glossary entry, or several.

    A rule is shown with its subrules, a section with its rules. "show" can be left out. An edition
    can follow a number, or stand alone. With "-", each line of standard input is a question.

    \b
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
    """  # noqa: D301 - click reads \b
    request = ShowRequest(form=form, site=site, **options)
    request.refuse_contradictions()
    is_listed = question == STANDARD_INPUT
    shown: list[object] = []
    failed: list[VariorumError] = []
    asked = " ".join(question)
    if not asked.strip():
        raise click.UsageError("give a number, a term or an edition")
    with open_asked(kb) as base:
        edition = None if is_listed or on else _edition_named(base, asked)
        if edition is not None:
            from variorum.cli.commands.editions import tell_edition

            tell_edition(base, edition, as_json=request.as_json)
            return
        for line in lines_of_standard_input(LARGEST_SETTINGS) if is_listed else [asked]:
            answers = _answers(base, line, on, failed) if line.strip() else []
            if request.as_json:
                shown += [_json(asked, match, request) for asked, match in answers]
            elif answers:
                matches = [match for _, match in answers]
                tell_moves(matches)
                _tell_namesakes(base, answers)
                text = _text(base, matches, request, with_earlier=not is_listed)
                page = f"\n{text}" if shown else text
                shown.append(line)
                if is_listed:
                    click.echo(page, nl=False)
                else:
                    print_page(page)
    end_answers(shown, failed, as_json=request.as_json)


def _edition_named(base: KnowledgeBase, words: str) -> EditionEntry | None:
    """Return the edition that some words name, unless they are a term of the rules.

    Raises:
        AmbiguousEditionError: They are part of several sets' names, and no term.
    """
    first, *others = parse_questions(words)
    if others or first.edition or first.question[0] != WORDS:
        return None
    if not last_day(words):
        with suppress(NotFoundError):
            base.find_anywhere(first)
            return None
    try:
        return base.edition(words)
    except AmbiguousEditionError:
        raise
    except NoEditionError:
        return None


def _answers(
    base: KnowledgeBase, line: str, on: str | None, failed: list[VariorumError]
) -> list[tuple[Asked, Subject]]:
    """Answer a line of questions; append errors to `failed`."""
    answers: list[tuple[Asked, Subject]] = []
    for asked in parse_questions(line):
        try:
            answers += [(asked, match) for match in base.find_anywhere(asked, on)]
        except (NotFoundError, TwoEditionsError) as error:
            failed.append(error)
    return answers


def end_answers(shown: Sequence[object], failed: Sequence[VariorumError], *, as_json: bool) -> None:
    """Print the answers as JSON if wanted, then the errors; exit with their exit code."""
    if as_json and (shown or not failed):
        print_json(shown)
    for error in failed[:-1]:
        print_note(error)
    if failed and not shown:
        raise failed[-1]
    if failed:
        print_note(failed[-1])
        raise click.exceptions.Exit(max(error.exit_code for error in failed))


# A provision, and the provisions shown below it with their depth, from 1.
_Shown = tuple[Subject, Sequence[tuple[int, Subject]]]


def _below(match: Subject, *, with_tree: bool) -> list[tuple[int, Subject]]:
    return [*match.tree()] if with_tree else [(1, child) for child in match.children()]


def tell_moves(matches: Sequence[Subject]) -> None:
    """Print on stderr the present numbers of provisions whose old numbers were asked for."""
    for line in move_lines(matches):
        print_note(line)


def _tell_namesakes(base: KnowledgeBase, answers: Sequence[tuple[Asked, Subject]]) -> None:
    """Print on stderr which number today's rule of each number has in the edition shown."""
    for asked, group in groupby(answers, lambda answer: answer[0]):
        matches = [match for _, match in group]
        for line in namesake_lines(base.namesakes(asked, matches)):
            print_note(line)


def _json(asked: Asked, match: Subject, request: ShowRequest) -> object:
    return structs.replace(
        match.record(asked_for(asked.question)),
        terms=match.terms() if request.with_terms else None,
        commentary=match.commentary() if request.commentary else None,
    )


def _text(
    base: KnowledgeBase, matches: Sequence[Subject], request: ShowRequest, *, with_earlier: bool
) -> str:
    """Format provisions, grouped by edition, with the edition below each group."""
    if request.as_copy:
        return set_copy(matches)
    if request.markdown:
        return set_markdown(matches)
    if request.form:
        editions = groupby(matches, lambda match: match.edition)
        return "\n".join(
            [f"{set_linked(request.form, [*some], request.site)}\n" for _, some in editions]
        )
    pages: list[str] = []
    for _, some in groupby(
        matches, lambda match: (match.edition, request.with_context and match.parent)
    ):
        shown = [(match, _below(match, with_tree=request.with_tree)) for match in some]
        notes = _terms(base, shown) if request.with_terms else []
        notes += _commentary([match for match, _ in shown]) if request.commentary else []
        earlier = earlier_lines(match.earlier() for match, _ in shown) if with_earlier else []
        notes = [*earlier, *([""] if earlier and notes else []), *notes]
        pages.append(_page(base, shown, notes, with_context=request.with_context))
    return "\n".join(pages)


def _commentary(matches: Sequence[Subject]) -> list[str]:
    """Format the rulings and articles about provisions, each with its source."""
    from variorum.cli.pages.witnesses import list_attestations

    attestations = [
        attestation for match in _with_children(matches) for attestation in match.commentary()
    ]
    if not attestations:
        return ["no ruling or article about it has been added"]
    return list(list_attestations(attestations, {}, page_width()))


def _with_children(matches: Sequence[Subject]) -> Iterator[Subject]:
    """Yield provisions, each rule followed by its subrules."""
    for match in matches:
        yield match
        if match.kind == "rule":
            yield from match.children()


def _terms(base: KnowledgeBase, shown: Sequence[_Shown]) -> list[str]:
    """Format the terms that provisions use, in order of their first use."""
    from variorum.cli.pages.glossary import set_terms

    provisions = [
        provision for match, below in shown for provision in (match, *(low for _, low in below))
    ]
    used = dict.fromkeys(term.term for match in provisions for term in match.terms())
    edition = provisions[0].edition
    glosses = (base.glossary.gloss(term, edition) for term in used)
    return set_terms(glosses, width=page_width())


def _page(
    base: KnowledgeBase, shown: Sequence[_Shown], notes: Sequence[str], *, with_context: bool
) -> str:
    first = shown[0][0]
    is_together = all(match.parent == first.parent for match, _ in shown)
    path, edition = first.path() if is_together else (), first.edition
    pages = [
        (match.state, [(depth, below.state) for depth, below in tree]) for match, tree in shown
    ]
    place = [(above.address, above.heading) for above in path]
    if with_context and path:
        pages, place = [_with_context(path, pages)], []
    return set_matches(
        pages,
        place,
        edition_line(edition),
        width=page_width(),
        is_coloured=is_coloured(),
        cited=lambda state: Subject(base, edition, state).citations(),
        notes=notes,
    )


def _with_context(
    path: Sequence[Subject], pages: Sequence[tuple[Row, list[tuple[int, Row]]]]
) -> tuple[Row, list[tuple[int, Row]]]:
    """Add the rules and headings above provisions, each level indented further."""
    first, *others = [above.state for above in path]
    below = list(enumerate(others, start=1))
    for state, lower in pages:
        below.append((len(path), state))
        below += [(depth + len(path), provision) for depth, provision in lower]
    return first, below
