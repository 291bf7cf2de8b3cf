"""Citations of provisions by the base and by a simple resolver, for comparison."""

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject
from variorum_kb.model import RuleNumber
from variorum_kb.references.find import Reference, find_references
from variorum_kb.rows import full_text
from variorum_kb.text.keys import fold_title


class Target(NamedTuple):
    """A provision that can be cited, with its heading or the one above it."""

    address: str
    number: str
    meant: str
    heading: str


class Outcome(NamedTuple):
    """The targets of a citation; `title_fits` is None without a printed title."""

    targets: tuple[str, ...]
    is_resolved: bool
    title_fits: bool | None
    by_meaning: bool


class Resolver:
    """Resolves citations by printed and right numbers, without the rows of the base."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self._numbers = [(RuleNumber.read(target.number), target) for target in targets]
        self._printed: defaultdict[str, list[Target]] = defaultdict(list)
        self._meant: defaultdict[str, list[Target]] = defaultdict(list)
        for _, item in self._numbers:
            self._printed[item.number].append(item)
            self._meant[item.meant].append(item)
        self._known: dict[tuple[str, str, str], Outcome] = {}

    def resolve(self, reference: Reference) -> Outcome:
        """Return the outcome of a citation."""
        key = reference.first, reference.last, reference.title
        if key not in self._known:
            self._known[key] = self._resolve(*key)
        return self._known[key]

    def _resolve(self, first: str, last: str, title: str) -> Outcome:
        ends = [self._bearers(first), self._bearers(last)]
        between = self._between(first, last) if first != last else []
        fromkeys = list(dict.fromkeys([*ends[0], *between, *ends[1]]))
        is_resolved = all(ends)
        headings = {fold_title(target.heading) for target in ends[0]}
        return Outcome(
            tuple(fromkey.address for fromkey in fromkeys),
            is_resolved,
            (is_resolved and fold_title(title) in headings) if title else None,
            any(first != target.number for target in ends[0])
            or any(last != target.number for target in ends[1]),
        )

    def _bearers(self, number: str) -> Sequence[Target]:
        return self._printed.get(number) or self._meant.get(number) or []

    def _between(self, first: str, last: str) -> list[Target]:
        start, stop = RuleNumber.read(first), RuleNumber.read(last)
        return [
            target
            for number, target in self._numbers
            if start and stop and number and bool(number.rule) is bool(start.rule)
            if bool(number.letters) is bool(stop.letters) and start <= number <= stop
        ]


def by_base(match: Subject) -> list[object]:
    """Return the base's outcomes for a provision, from its rows."""
    return [
        (
            cite["part"],
            cite["start"],
            cite["end"],
            sorted(cite["targets"]),
            cite["status"] == "resolved",
            cite["title_fits"],
        )
        for cite in match.cites()
    ]


def resolver_of(base: KnowledgeBase, edition: EditionEntry) -> Resolver:
    """Return a resolver of an edition."""
    headings: dict[str, str] = {}
    targets: list[Target] = []
    for provision in base.provisions(edition):
        if provision.kind == "glossary":
            continue
        headings[provision.address] = provision.heading or headings.get(provision.parent, "")
        targets.append(
            Target(
                provision.address, provision.number, provision.meant, headings[provision.address]
            )
        )
    return Resolver(targets)


def by_resolver(match: Subject, resolver: Resolver) -> list[object]:
    """Return the finder's citations in a provision with the simple resolver's outcomes."""
    return [
        (part, reference.start, reference.end, sorted(outcome.targets), *outcome[1:3])
        for part, reference, outcome in resolved(match, resolver)
    ]


def resolved(match: Subject, resolver: Resolver) -> Iterator[tuple[str, Reference, Outcome]]:
    """Yield the citations of a provision by part."""
    texts = [("heading", match.heading)] if match.number else []
    for part, text in [*texts, ("text", full_text(match.state.body))]:
        for reference in _references_of(text):
            yield part, reference, resolver.resolve(reference)


# Most provisions of an edition are the same in the one before.
_references_of = functools.cache(find_references)
