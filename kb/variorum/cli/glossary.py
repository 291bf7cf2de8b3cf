"""`cr glossary`: headwords, or an entry with the rules it names and its own history."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace

from msgspec import structs

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import asked_for, parse_questions
from variorum.answers.subject import Subject
from variorum.cli.command import JSON, JSONL, LIMIT, ON, Answer, command, limited, words
from variorum.cli.layout import edition_line, para
from variorum.cli.rules import cited_rule, set_provisions
from variorum.cli.steps import event_lines, events, is_slight, name_of_reading
from variorum.errors import NotFoundError
from variorum.records.lineage import History
from variorum.records.provision import EntryRule
from variorum.rows import headword_of
from variorum.terminal import bold

_MOST_EVENTS = 6


@command(words("[TERM]..."), ON, LIMIT, JSON, JSONL)
def glossary(base: KnowledgeBase, o: SimpleNamespace) -> Answer:
    """List the headwords of the glossary, or show the entry for TERM.

    An entry is shown with the rules it names and a short history. A term no longer in the glossary
    is shown as last printed.

    cr glossary
    cr glossary trample
    cr glossary removed from the game
    cr glossary mana burn --on 2008-05-01
    """
    asked = parse_questions(" ".join(o.words))[0]
    term = asked_for(asked.question) if asked.edition else " ".join(o.words)
    on = o.on or asked.edition or "current"
    edition = base.edition(on)
    if not o.words:
        all_entries = [each for each in base.provisions(edition) if each.kind == "glossary"]
        listed = limited(all_entries, o.limit)
        return Answer(
            [each.record() for each in listed],
            lambda: [*(each.heading for each in listed), "", f"  {edition_line(edition)}"],
        )
    entries = _entries(base, term, on)
    records = [
        structs.replace(each.record(), rules=each.rules(), history=each.history())
        for each in entries
    ]
    there = entries[0].edition
    is_former = there != edition
    named = f" --on {there.label}" if is_former or on != "current" else ""
    command_line = f"cr history {term}{named}"

    def page() -> Iterator[str]:
        for place, (each, record) in enumerate(zip(entries, records, strict=True)):
            yield from [""] if place else []
            history = record.history
            if is_former and history:
                yield from _former(base, history, there.label)
            notes = [*_rules(record.rules or ()), *_life(history, command_line)] if history else []
            yield from set_provisions([(each, [])], notes)

    return Answer(records, page)


def _entries(base: KnowledgeBase, term: str, on: str) -> list[Subject]:
    """Return the entries for a term, from the edition or, by default, the last that has it.

    Raises:
        NotFoundError: No edition has the term, or the named edition lacks it.
    """
    edition = base.edition(on)
    missing = NotFoundError(f"{term!r}: no headword in the edition of {edition.label}")
    try:
        entries = [match for match in base.find(term, edition) if match.kind == "glossary"]
    except NotFoundError as error:
        entries, missing = [], error
    last = base.glossary.last_with(term) if on == "current" and not entries else None
    if last is not None:
        entries = [each for each in base.find(term, base.edition(last)) if each.kind == "glossary"]
    if not entries:
        raise missing
    return entries


def _rules(rules: Sequence[EntryRule]) -> list[str]:
    """Return the lines of the rules that an entry names."""
    lines: dict[str, None] = {}
    for rule in rules:
        number = rule.targets[0] if len(rule.targets) == 1 else rule.text
        dangling = "" if rule.status == "resolved" else "  dangling in part"
        named = cited_rule(number, rule.heading, rule.under) + dangling
        lines[named if rule.targets else f"{rule.text}  dangling"] = None
    listed = [line for said in lines for line in para(said, 2, 2)]
    return [bold("cites:"), *listed, ""] if lines else []


def _life(history: History, more: str) -> Iterator[str]:
    entries = [reading for reading in history.readings if reading.number is None]
    first, last = entries[0].from_, entries[-1].to
    when = f"from {first} to {last}" if last else f"since {first}"
    yield bold(f"in the glossary {when}:")
    # `cr history` shows the words of each change.
    bare = structs.replace(
        history, readings=[structs.replace(reading, words=[]) for reading in history.readings]
    )
    number = len(list(events(bare)))
    steps = [step for step in history.steps if not is_slight(step)]
    own = list(events(structs.replace(bare, steps=steps)))
    listed = own if len(own) <= _MOST_EVENTS else [own[0], *own[1 - _MOST_EVENTS :]]
    yield from (line for event in listed for line in event_lines(event))
    if number > len(listed):
        yield f"  … {number - len(listed)} more: {more}"


def _former(base: KnowledgeBase, history: History, label: str) -> list[str]:
    """Return the lines about an entry that the current glossary no longer has."""
    last = history.readings[-1]
    outcome = f"today it is {name_of_reading(last)}"
    if history.now is None:
        outcome = "it no longer exists"
        if last.to != label:
            outcome = f"it was last seen as {name_of_reading(last)} in the edition of {last.to}"
        for step in reversed(history.steps):
            numbers = [name for name in step.to if not headword_of(name)]
            if numbers:
                # The first number is that of the section or rule above the others.
                heirs = base.show(numbers[0], step.to_edition)[0].where().new
                outcome += f", but parts of it are {', '.join(heirs)} today" if heirs else ""
                break
    said = f"Not in today's glossary; this is the edition of {label}, the last that had it."
    return [*para(f"{said} {outcome[0].upper()}{outcome[1:]}."), ""]
