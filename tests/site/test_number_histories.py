"""Tests of the lives of all provisions: they say what `cr history` says of each."""

from tests.site.reading import Site
from variorum_kb.answers.stored.whole import paragraphs_of
from variorum_kb.rows import name_of
from variorum_site.page_index import PageIndex, page_of


def test_histories_are_those_of_cr(index: PageIndex) -> None:
    """The readings of a life are those of the history, with the same diffs."""
    labels = index.labels
    for match in index.base.provisions("latest"):
        end = index.histories.end_of(match.state.id, _first(index, match.state.id))
        life, history = index.life(end), match.history()
        told = [
            (one["number"] or one["term"], one["from"], one["to"] or labels[-1], one["words"])
            for one in history["readings"]
        ]
        shown = [
            (
                name_of(one.state).removeprefix("glossary: "),
                labels[one.first],
                labels[one.last],
                list(one.pieces),
            )
            for one in life.readings
        ]
        assert shown == told


def _first(index: PageIndex, state: int) -> int:
    into = index.base.lineages.into(state, index.current.place)
    return into[0].edition if into else 0


def test_tenures_cover_all(index: PageIndex) -> None:
    """Every edition that holds a number is in exactly one run of each of its bearers."""
    for page in index.pages:
        runs = [run for holder in index.holders(page) for run in holder.runs]
        assert all(first <= last for first, last in runs)
    for edition in index.editions:
        for state in index.whole.held(edition.place):
            holders = index.holders(page_of(index.states[state]))
            assert any(
                first <= edition.place <= last for one in holders for first, last in one.runs
            )


def test_gone_has_a_fate(index: PageIndex) -> None:
    """A life that ended says when and how."""
    histories = [index.life(one.end) for page in index.pages for one in index.holders(page)]
    gone = [life for life in histories if life.gone is not None]

    assert gone
    assert all(life.ending for life in gone)
    assert {kind for life in gone for kind in life.ending} <= {
        "gone",
        "merged",
        "split",
        "copied",
        "uncertain",
        "renumbered",
        "reworded",
        "kept",
    }


def test_bearers(index: PageIndex) -> None:
    """Who bears a number in an edition is whom a question for it finds."""
    for edition in index.editions:
        for one in index.base.provisions(edition):
            if one.number:
                found = index.base.show(one.number, edition)
                bearers = index.whole.bearers(one.number, edition.place)
                assert [match.state.id for match in found] == bearers


def test_paragraphs_are_printed_in_order(index: PageIndex) -> None:
    """Paragraphs joined by their offsets give the text that citations count in."""
    for row in index.states.values():
        for one in paragraphs_of(row):
            assert one.text in row.body


def test_nothing_is_left_out(sample_site: Site, index: PageIndex) -> None:
    """Each reading of each life stands in the table of some page."""
    rows = sum(
        page.text.count(" data-since=")
        for name, page in sample_site.pages.items()
        if name.startswith(("rule/", "glossary/"))
    )
    ends = {one.end for page in index.pages for one in index.holders(page)}

    assert rows == sum(len(index.life(end).readings) for end in ends)
