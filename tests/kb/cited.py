"""What provisions cite, said by the base and by the pure resolver, in a form to compare."""

from variorum_kb.answers.editions import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject
from variorum_kb.references.find import find_references
from variorum_kb.references.resolve import EditionIndex, Resolved, Target, TitleCheck, resolve
from variorum_kb.rows import full_text


def by_base(base: KnowledgeBase, match: Subject) -> list[object]:
    """Return what the base says of a provision, from its rows."""
    return [
        (
            one["part"],
            one["start"],
            one["end"],
            sorted(one["targets"]),
            one["status"] == "resolved",
            one["title_fits"],
        )
        for one in base.cites(match)
    ]


def index_of(base: KnowledgeBase, edition: EditionEntry) -> EditionIndex:
    """Return what the pure resolver needs of an edition."""
    headings: dict[str, str] = {}
    targets: list[Target] = []
    for one in base.provisions(edition):
        if one.kind == "glossary":
            continue
        headings[one.address] = one.heading or headings.get(one.parent, "")
        targets.append(Target(one.address, one.number, one.meant, headings[one.address]))
    return EditionIndex(targets)


def by_resolver(match: Subject, index: EditionIndex) -> list[object]:
    """Return what the pure finder and resolver say of a provision."""
    texts = [("text", full_text(match.state.body))]
    if match.number:
        texts.insert(0, ("heading", match.heading))
    found: list[object] = []
    for part, text in texts:
        for one in find_references(text):
            outcome = resolve(one, index)
            fits = None
            if one.title:
                fits = isinstance(outcome, Resolved) and outcome.title is TitleCheck.SAME
            found.append(
                (
                    part,
                    one.start,
                    one.end,
                    sorted(target.address for target in outcome.targets),
                    isinstance(outcome, Resolved),
                    fits,
                )
            )
    return found
