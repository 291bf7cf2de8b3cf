"""Files that serve Academy Ruins' API in its own forms; docs/reach.md lists the differences.

Addresses with others below them, such as `/cr`, are a folder's index.html so that any static host
serves them; the content is JSON nevertheless.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypedDict

from variorum_kb.answers.between_editions.change_finder import find_changes
from variorum_kb.answers.between_editions.changes import Change, change_json
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.exports.number_table import number_table
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject
from variorum_kb.rows import examples_of, text_of
from variorum_site.data.json_files import Files, encoded
from variorum_site.pages.time_bar import name_of

if TYPE_CHECKING:
    from variorum_kb.forms.lineage import ReadingJson
    from variorum_kb.forms.values import Piece


class MovedJson(TypedDict):
    """The number asked for, if the answer has another one, and the last edition that had it."""

    asked: str
    edition: str


# The folders of these files that have an index.html, which is no page.
ROOTS = ("cr/", "diff/")
_INDEX = "index.html"
# Names that some file systems do not allow.
_NO_NAME = re.compile(r'[/\\:*?"<>|]|^\.|[. ]$')
# The sections whose rules are keywords, with the names that clients use.
_KEYWORDS = {"Keyword Abilities": "keywordAbilities", "Keyword Actions": "keywordActions"}
_ABILITY_WORDS = re.compile(r"[Tt]he ability words are ([^.]+)\.")
# How many numbers one group of files has.
AT_ONCE = 400
# Classes of changes that affect only numbers.
_MOVED = {"", "citation-only"}


class Academy:
    """Makes the files of a base; rules and texts are those of its current edition."""

    def __init__(self, base: KnowledgeBase) -> None:
        """Prepare."""
        self._base = base
        self._edition = base.edition("current")

    @cached_property
    def numbered(self) -> Sequence[Subject]:
        """Return the rules and subrules of the edition, in printed order."""
        provisions = self._base.provisions(self._edition)
        return [subject for subject in provisions if "." in subject.number]

    @cached_property
    def answered(self) -> "Sequence[tuple[str, Subject, MovedJson | None]]":
        """Return all numbers with a file: rules' numbers, then former numbers with their main heirs."""
        own = {_called(rule): rule for rule in self.numbered if "#" not in _called(rule)}
        former: list[tuple[str, Subject, MovedJson | None]] = []
        for number, bearers in number_table(self._base, self._edition)["numbers"].items():
            heir = own.get(next(iter(bearers[-1]["now"]), "").removesuffix("#1"))
            if number not in own and "." in number and "#" not in number and heir is not None:
                former.append((number, heir, {"asked": number, "edition": bearers[-1]["last"]}))
        return [*((number, rule, None) for number, rule in own.items()), *former]

    # Rules -----------------------------------------------------------------------------------------

    def whole_files(self) -> Files:
        """Yield the files of all rules, the glossary, the contents and the editions."""
        rules = self.numbered
        yield f"cr/{_INDEX}", encoded(dict(self._full_rules(rules)))
        yield f"cr/glossary/{_INDEX}", encoded(self._glossary())
        yield "cr/keywords", encoded(self._keywords())
        yield "cr/toc", encoded(self._contents())
        editions = [
            {
                "creationDay": str(edition.effective),
                "setCode": _code(edition),
                "setName": name_of(edition),
            }
            for edition in reversed(self._base.editions)
        ]
        yield "metadata/cr", encoded({"data": editions})
        for term, entry in self._glossary().items():
            if not _NO_NAME.search(term):
                yield f"cr/glossary/{term}", encoded(entry)

    def _full_rules(self, rules: Sequence[Subject]) -> Iterator[tuple[str, dict[str, Any]]]:
        numbers = [None, *[_called(rule) for rule in rules], None]
        for place, rule in enumerate(rules):
            yield (
                _called(rule),
                {
                    **_rule(rule),
                    "examples": rule.examples or None,
                    "fragment": _called(rule).partition(".")[2],
                    "navigation": {"previousRule": numbers[place], "nextRule": numbers[place + 2]},
                },
            )

    def _glossary(self) -> dict[str, dict[str, str]]:
        entries = [entry for entry in self._base.provisions(self._edition) if not entry.number]
        return {
            entry.heading.lower(): {"term": entry.heading, "definition": entry.text}
            for entry in entries
        }

    def _keywords(self) -> dict[str, list[str]]:
        """Return the keywords that head rules of the keyword sections, and the ability words."""
        titles = {
            provision.number: provision.heading
            for provision in self._base.provisions(self._edition)
        }
        headings: dict[str, list[str]] = {"keywordAbilities": [], "keywordActions": []}
        for rule in self.numbered:
            kind = _KEYWORDS.get(titles.get(rule.number.partition(".")[0], ""))
            if kind and rule.heading:
                headings[kind].append(rule.heading)
        listed = [match[1] for rule in self.numbered if (match := _ABILITY_WORDS.search(rule.text))]
        words = [re.sub("^and ", "", word) for word in ", ".join(listed).split(", ") if word]
        return {**headings, "abilityWords": [word.lower() for word in words]}

    def _contents(self) -> list[dict[str, Any]]:
        chapters = self._base.subjects.chapters(self._edition)
        return [
            {
                "number": int(chapter.number),
                "title": chapter.heading,
                "subsections": [
                    {"number": int(each.number), "title": each.heading}
                    for each in chapter.children()
                ],
            }
            for chapter in chapters
            if chapter.number.isdigit()
        ]

    def rule_files(self, first: int, last: int) -> Files:
        """Yield the files of some numbers: words, examples and trace of each rule.

        Args:
            first: The place of the first number in `answered`.
            last: The place after the last number.
        """
        for number, subject, moved in self.answered[first:last]:
            rule: dict[str, Any] = (
                _rule(subject) if moved is None else {**_rule(subject), "moved": moved}
            )
            yield f"cr/{number}", encoded(rule)
            example = {"ruleNumber": _called(subject), "examples": subject.examples or None}
            yield f"cr/example/{number}", encoded(example)
            yield f"cr/trace/{number}", encoded(self._trace(subject))

    # Through time ----------------------------------------------------------------------------------

    def _trace(self, rule: Subject) -> list[dict[str, Any]]:
        """Return what happened to a rule, the latest first."""
        readings = rule.history(is_alone=True)["readings"]
        items = [
            {
                "action": "created",
                "old": None,
                "new": {"ruleNumber": _number(readings[0]), "ruleText": _words(readings[0])},
                "diff": self._sets(readings[0]["from"]),
            }
        ]
        for old, new in pairwise(readings):
            item = self._step(old, new)
            if item is not None:
                items.append(item)
        return items[::-1]

    def _step(self, old: "ReadingJson", new: "ReadingJson") -> dict[str, Any] | None:
        before, after = _number(old), _number(new)
        diff = self._sets(new["from"])
        if new["class"] in _MOVED:
            if before == after:
                return None
            moved = {"old": {"ruleNumber": before}, "new": {"ruleNumber": after}}
            return {"action": "moved", **moved, "diff": diff}
        return {
            "action": "edited" if before == after else "replaced",
            "old": {"ruleNumber": before, "ruleText": _marked(new["words"], "-")},
            "new": {"ruleNumber": after, "ruleText": _marked(new["words"], "+")},
            "diff": diff,
        }

    def _sets(self, label: str) -> dict[str, str | None]:
        edition = self._base.edition(label)
        before = self._base.before(edition)
        return {
            "sourceSet": None if before is None else name_of(before),
            "sourceCode": None if before is None else _code(before),
            "destSet": name_of(edition),
            "destCode": _code(edition),
        }

    # Between editions ------------------------------------------------------------------------------

    def diff_files(self, place: int) -> Files:
        """Yield the file of an edition's changes; for the current edition, also as the latest.

        Args:
            place: The place of the edition, which must not be the first.
        """
        old, new = self._base.editions[place - 1 : place + 1]
        comparison = find_changes(self._base, old, new)
        changes = [
            change for change in comparison.all if _is_rule(change) and not change.is_moved_only
        ]
        items = [item for change in changes if (item := _diff_item(change)) is not None]
        moves = [
            {"from": change.old.address, "to": change.new.address}
            for change in comparison.all
            if _is_rule(change) and change.old and change.new and change.change in _MOVED
            and change.old.address != change.new.address
        ]  # fmt: skip
        nav = {
            "prevSourceCode": _code(self._base.editions[place - 2]) if place > 1 else None,
            "nextDestCode": _code(self._base.editions[place + 1])
            if place + 1 < len(self._base.editions)
            else None,
        }
        value = encoded(
            {
                "creationDay": str(new.effective),
                **self._sets(new.label),
                "changes": items,
                "moves": moves,
                "nav": nav,
            }
        )
        names = (old.label, new.label) if _code(old) == _code(new) else (_code(old), _code(new))
        yield f"diff/cr/{'-'.join(names)}", value
        if new == self._edition:
            yield f"diff/cr/{_INDEX}", value


def _rule(rule: Subject) -> dict[str, Any]:
    words = "\n".join(filter(None, (rule.heading, rule.text)))
    return {"ruleNumber": _called(rule), "ruleText": words}


def _called(rule: Subject) -> str:
    """Return the number of a rule; for the second rule with a number, its address."""
    return rule.address.removesuffix("#1")


def _is_rule(change: Change) -> bool:
    rows = [row for row in (change.old, change.new) if row is not None]
    return any("." in row.number for row in rows)


def _diff_item(change: Change) -> dict[str, Any] | None:
    """Return a change as two texts, differences between <<<< and >>>>; None if it only moved."""
    if change.change in _MOVED and change.old is not None and change.new is not None:
        return None
    words = change_json(change)["words"]
    sides: list[dict[str, str] | None] = []
    for row, sign in ((change.old, "-"), (change.new, "+")):
        if row is None:
            sides.append(None)
            continue
        alone = change.old is None or change.new is None
        text = "\n".join(filter(None, (row.heading, text_of(row.body), *examples_of(row.body))))
        sides.append(
            {"ruleNumber": row.address, "ruleText": text if alone else _marked(words, sign)}
        )
    return {"old": sides[0], "new": sides[1]}


def _marked(words: "Sequence[Piece]", side: str) -> str:
    """Return one side of a word diff that marks differences with <<<< and >>>>."""
    parts: list[str] = []
    for sign, text in words:
        if sign == "=":
            parts.append(text)
        elif sign == side:
            bare = text.strip()
            parts.append(text.replace(bare, f"<<<<{bare}>>>>") if bare else text)
    return "".join(parts).strip()


def _number(reading: "ReadingJson") -> str:
    return reading["number"] or f"Glossary: {reading['term']}"


def _words(reading: "ReadingJson") -> str:
    return "\n".join(filter(None, (reading["heading"], reading["text"])))


def _code(edition: EditionEntry) -> str:
    return edition.set_code or edition.label
