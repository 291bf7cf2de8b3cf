"""Tests of the lives of all provisions: they say what `cr history` says of each."""

from tests.site.reading import Site
from variorum_kb.answers.lineage import name_of
from variorum_kb.answers.whole import paragraphs_of
from variorum_site.atlas import Atlas, page_of


def test_lives_are_histories(atlas: Atlas) -> None:
    """The readings of a life are those of the history, with the same diffs."""
    labels = atlas.labels
    for match in atlas.base.provisions("latest"):
        end = atlas.lives.end_of(match.state[8], _first(atlas, match.state[8]))
        life, history = atlas.life(end), atlas.base.history_of(match)
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


def _first(atlas: Atlas, state: int) -> int:
    into = atlas.whole.lineages.into(state, atlas.latest.place)
    return into[0].edition if into else 0


def test_tenures_cover_all(atlas: Atlas) -> None:
    """Every edition that holds a number is in exactly one tenure of each of its bearers."""
    for page in atlas.pages:
        runs = [run for tenure in atlas.tenures(page) for run in tenure.runs]
        assert all(first <= last for first, last in runs)
    for edition in atlas.editions:
        for state in atlas.whole.held(edition.place):
            tenures = atlas.tenures(page_of(atlas.states[state]))
            assert any(
                first <= edition.place <= last for one in tenures for first, last in one.runs
            )


def test_gone_has_a_fate(atlas: Atlas) -> None:
    """A life that ended says when and how."""
    lives = [atlas.life(one.end) for page in atlas.pages for one in atlas.tenures(page)]
    gone = [life for life in lives if life.gone is not None]

    assert gone
    assert all(life.fate for life in gone)
    assert {kind for life in gone for kind in life.fate} <= {
        "gone",
        "merged",
        "split",
        "copied",
        "uncertain",
        "renumbered",
        "reworded",
        "kept",
    }


def test_bearers(atlas: Atlas) -> None:
    """Who bears a number in an edition is whom a question for it finds."""
    for edition in atlas.editions:
        for one in atlas.base.provisions(edition):
            if one.number:
                found = atlas.base.show(one.number, edition)
                bearers = atlas.whole.bearers(one.number, edition.place)
                assert [match.state[8] for match in found] == bearers


def test_paragraphs_are_printed_in_order(atlas: Atlas) -> None:
    """Paragraphs joined by their offsets give the text that citations count in."""
    for row in atlas.states.values():
        for one in paragraphs_of(row):
            assert one.text in row[4]


def test_nothing_is_left_out(sample_site: Site, atlas: Atlas) -> None:
    """Each reading of each life stands in the table of some page."""
    rows = sum(
        page.text.count(" data-since=")
        for name, page in sample_site.pages.items()
        if name.startswith(("rule/", "glossary/"))
    )
    ends = {one.end for page in atlas.pages for one in atlas.tenures(page)}

    assert rows == sum(len(atlas.life(end).readings) for end in ends)
