"""Finds the citations in a provision, and those of it."""

from collections.abc import Callable, Iterator, Sequence

from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.stored import citations_of, in_order
from variorum.records.lineage import Citation, CitingProvision, References
from variorum.rows import State, full_text
from variorum.text import fold_title, sentence_around

_CITED_BY = (
    "SELECT c.provision, c.part, c.start, c.stop FROM cited w "
    "JOIN citation c ON c.provision = w.provision AND c.place = w.place "
    "JOIN span s ON s.provision = w.provision WHERE w.word = ? AND s.first <= ? AND s.last >= ?"
)


def refs_of(subjects: Sequence[Subject]) -> References:
    """Return the citations in and of a provision, or of both bearers of a number printed twice."""
    first = subjects[0]
    base, place = first.base, first.edition.place
    citing = [it for subject in subjects for it in _cited_by(base, subject.state, place)]
    return References(
        number=first.number,
        address=first.address if len(subjects) == 1 else first.number,
        edition=first.edition.label,
        doubts=first.edition.doubts.splitlines(),
        cites=[it for subject in subjects for it in cites(subject)],
        cited_by=list({(it.address, it.start, it.end): it for it in citing}.values()),
    )


def cites(subject: Subject) -> list[Citation]:
    """Return the citations of a provision as its edition prints it, each with its targets there."""
    base, state, place = subject.base, subject.state, subject.edition.place
    cited: list[Citation] = []
    printed = citations_of(base.reader, [state.id]).get(state.id, ())
    for _, part, start, stop, title, numbers in printed:
        named = [base.bearers(number, place) for number in numbers]
        targets = [target for row in named for target in row]
        addresses = [target.address for target in targets]
        status = "resolved" if named[0] and named[-1] else "dangling"
        fit = fits(title, targets, lambda address: base.at_address(address, place))
        text = part_of(state, part)[start:stop]
        cited.append(Citation(text, part, start, stop, addresses, status, title, fit))
    return cited


def fits(title: str, targets: Sequence[State], at: Callable[[str], State | None]) -> bool | None:
    """Return whether a title is the heading of a target or of the rule above it; None without any of them.

    609.7 has no heading: those that cite it call it "Sources of Damage", and its section is no rule.
    """
    above = [at(it.parent) if "." in it.parent and not it.heading else it for it in targets]
    headings = {fold_title(row.heading) for row in above if row and row.heading}
    return fold_title(title) in headings if title and headings else None


def part_of(state: State, part: str) -> str:
    """Return the text to which the offsets of a citation refer."""
    return state.heading if part == "heading" else full_text(state.body)


def _cited_by(base: KnowledgeBase, state: State, place: int) -> Iterator[CitingProvision]:
    """Yield the provisions of an edition that cite another, rules first, in the order of numbers.

    A citation of a number printed twice cites both bearers. A range cites everything in it.
    """
    # A number means the provision that has it in print, not one that should have it.
    words = [it for it in (state.number, state.meant) if it and state in base.bearers(it, place)]
    citing = {row for it in words for row in base.reader.query(_CITED_BY, (it, place, place))}
    rows = base.states.of(number for number, *_ in citing)
    keys: dict[int, tuple[object, ...]] = {
        id_: (0, in_order(it)) if it.number else (1, it.heading.casefold())
        for id_, it in rows.items()
    }
    for id_, part, start, end in sorted(citing, key=lambda it: (*keys[it[0]], *it[1:])):
        row = rows[id_]
        sentence = sentence_around(part_of(row, part), start)
        about = row.number, row.address, row.kind, row.heading, sentence
        yield CitingProvision(*about, start, end)
