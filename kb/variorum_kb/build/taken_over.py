"""What a build takes over from the base as it was: editions, links, citations, findings."""

from datetime import date
from itertools import pairwise, takewhile

from variorum_kb.answers.stored.whole import citations_of
from variorum_kb.errors import BaseError
from variorum_kb.model import Condition
from variorum_kb.rows import EditionRow, LinkRow, runners_up_of
from variorum_kb.store.citations import Citation
from variorum_kb.store.findings import EditionFindings, load_findings
from variorum_kb.store.reader import Reader
from variorum_kb.store.writer import Merger


def copy_editions(reader: Reader) -> Merger:
    """Return the rows of all editions.

    Raises:
        BaseError: They are not rows that this program writes.
    """
    merger = Merger()
    states = reader.all_states()
    for edition in reader.editions():
        try:
            date.fromisoformat(edition["effective"])
            Condition(edition["condition"])
            held = [states[number] for number in reader.states_of(edition["id"])]
        except (KeyError, TypeError, ValueError) as error:
            raise BaseError(f"{reader.file}: damaged: {edition['label']}: {error!r}") from None
        merger.add(EditionRow.of([edition[name] for name in EditionRow.columns]), held)
    return merger


def copy_links(reader: Reader, merger: Merger) -> None:
    """Take over where provisions went, of editions that follow each other.

    What was copied from a file has the ids there that it has in the merger.
    """
    hashes = [str(edition["sha256"]) for edition in reader.editions(with_long=False)]
    for pair in pairwise(hashes):
        merger.links[pair] = []
    for link in reader.links():
        if link.source != link.edition - 1:
            continue  # what came back is looked for anew
        row = LinkRow(
            -1 if link.old is None else link.old,
            -1 if link.new is None else link.new,
            link.rank,
            link.kinds,
            link.change,
            link.confidence,
            link.readings,
            link.verdict,
            tuple(link.reasons.split("\n")) if link.reasons else (),
            runners_up_of(link.runners_up),
        )
        merger.links[hashes[link.source], hashes[link.edition]].append(row)


def known_citations(reader: Reader) -> dict[int, list[Citation]]:
    """Return what the states of a file cite, by the ids that they have in it and in the merger."""
    found = citations_of(reader)
    ((count,),) = reader.query("SELECT count(*) FROM provision")
    return {
        number: [
            (one.part, one.start, one.stop, one.title, one.numbers) for one in found.get(number, ())
        ]
        for number in range(count)
    }


def known_findings(reader: Reader, merger: Merger) -> list[EditionFindings]:
    """Return what is wrong in the first editions, as far as they are the same as before."""
    before = [str(edition["sha256"]) for edition in reader.editions(with_long=False)]
    now = [edition.columns.sha256 for edition in merger.in_order()]
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, now, strict=False))
    return load_findings(reader)[: len(list(same))]
