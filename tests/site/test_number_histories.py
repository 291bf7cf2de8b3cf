"""The histories of all provisions agree with `cr history`."""

import re

from tests.pages.built_site import Site
from variorum_kb.answers.stored.whole import paragraphs_of
from variorum_kb.rows import name_of
from variorum_site.page_index import PageIndex, page_of


def test_histories_are_those_of_cr(index: PageIndex) -> None:
    """The readings on the site are those of `cr history`, with the same diffs."""
    labels = index.labels
    for match in index.base.provisions("latest"):
        end = index.histories.end_of(match.state.id, _first(index, match.state.id))
        life, history = index.life(end), match.history()
        readings = [
            (
                reading["number"] or reading["term"],
                reading["from"],
                reading["to"] or labels[-1],
                reading["words"],
            )
            for reading in history["readings"]
        ]
        shown = [
            (
                name_of(reading.state).removeprefix("glossary: "),
                labels[reading.first],
                labels[reading.last],
                list(reading.pieces),
            )
            for reading in life.readings
        ]
        assert shown == readings


def _first(index: PageIndex, state: int) -> int:
    into = index.base.lineages.into(state, index.current.place)
    return into[0].edition if into else 0


def test_tenures_cover_all(index: PageIndex) -> None:
    """Every edition with a number is in exactly one run of each of its bearers."""
    for page in index.pages:
        runs = [run for holder in index.holders(page) for run in holder.runs]
        assert all(first <= last for first, last in runs)
    for edition in index.editions:
        for state in index.whole.held(edition.place):
            holders = index.holders(page_of(index.states[state]))
            assert any(
                first <= edition.place <= last for holder in holders for first, last in holder.runs
            )


def test_gone_has_a_fate(index: PageIndex) -> None:
    """A history that ended says how."""
    histories = [index.life(holder.end) for page in index.pages for holder in index.holders(page)]
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
    """A number has its bearers in the given edition."""
    for edition in index.editions:
        for provision in index.base.provisions(edition):
            if provision.number:
                subjects = index.base.show(provision.number, edition)
                bearers = index.whole.bearers(provision.number, edition.place)
                assert [match.state.id for match in subjects] == bearers


def test_paragraphs_are_printed_in_order(index: PageIndex) -> None:
    """Paragraphs joined by their offsets are the text in which citations are counted."""
    for row in index.states.values():
        for paragraph in paragraphs_of(row):
            assert paragraph.text in row.body


def test_nothing_is_left_out(sample_site: Site, index: PageIndex) -> None:
    """Some page's table has each reading of each history."""
    tables = [
        table
        for name, page in sample_site.pages.items()
        if name.startswith(("rule/", "glossary/"))
        for table in re.findall(r'<table class="readings".*?</table>', page.text, re.DOTALL)
    ]
    rows = sum(len(re.findall(r'<tr(?: class="quiet")?><td', table)) for table in tables)
    ends = {holder.end for page in index.pages for holder in index.holders(page)}

    assert rows == sum(len(index.life(end).readings) for end in ends)
