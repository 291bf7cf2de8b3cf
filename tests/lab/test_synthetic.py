"""Invented editions agree with their true lineages."""

from collections import Counter
from itertools import pairwise

import pytest

from lab.score.synthetic import HEAVY, LIGHT, WRECKED, Damage, Maker, Synthetic
from variorum_kb.build.build import load_sample
from variorum_kb.references.find import find_references
from variorum_kb.rows import State
from variorum_kb.store.edition_rows import rows_of

DAMAGES = {"light": LIGHT, "heavy": HEAVY, "wrecked": WRECKED}
NOTHING = Damage(
    reword=0.0,
    sweeps=0,
    delete=0.0,
    insert=0.0,
    swap=0.0,
    move=0.0,
    split=0.0,
    merge=0.0,
    copy=0.0,
    forget=0.0,
)


@pytest.fixture(scope="module")
def samples() -> list[list[State]]:
    """Return the editions of the sample rulebook, oldest first."""
    return [rows_of(edition)[1] for edition in load_sample()]


def make(samples: list[list[State]], damage: Damage, seed: int) -> Synthetic:
    """Return an edition made from the last sample edition, with the first as donor."""
    return Maker(samples[-1], samples[0], damage, seed).make()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("damage", DAMAGES)
def test_places_exist(samples: list[list[State]], damage: str, seed: int) -> None:
    """Every old provision has its heirs on record, and all of them are in the edition."""
    made = make(samples, DAMAGES[damage], seed)

    places = range(len(made.states))
    assert list(made.heirs) == list(range(len(samples[-1])))
    assert all(place in places for heirs in made.heirs.values() for place in heirs)
    assert all(place in places for place in (*made.merged.values(), *made.copies))
    assert all(old in made.heirs for old in (*made.merged, *made.copies.values()))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("damage", DAMAGES)
def test_nothing_has_two_sources(samples: list[list[State]], damage: str, seed: int) -> None:
    """A new provision is the heir of at most one old one, and a merged provision has no heir."""
    made = make(samples, DAMAGES[damage], seed)

    sources = Counter(place for heirs in made.heirs.values() for place in heirs)
    assert set(sources.values()) == {1}
    assert sources.keys().isdisjoint(made.copies)
    assert all(made.heirs[old] == [] for old in made.merged)
    assert all(place in sources for place in made.merged.values())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("damage", DAMAGES)
def test_numbers_are_in_order(samples: list[list[State]], damage: str, seed: int) -> None:
    """No number occurs twice, and each provision is below its parent."""
    made = make(samples, DAMAGES[damage], seed)

    numbered = [state for state in made.states if state.kind != "glossary"]
    places = {state.address: place for place, state in enumerate(numbered)}
    assert len(places) == len(numbered)
    assert all(places[state.parent] < places[state.address] for state in numbered if state.parent)
    assert all(state.kind != "glossary" for state in made.states[: len(numbered)])


def test_same_seed_same_edition(samples: list[list[State]]) -> None:
    """Equal seeds give equal editions and truths; other seeds give others."""
    first, same, different = (make(samples, HEAVY, seed) for seed in (1, 1, 2))

    assert first == same
    assert first != different


def test_without_damage_nothing_changes(samples: list[list[State]]) -> None:
    """Without damage, each provision is its own heir, with the same words."""
    old = samples[-1]

    made = make(samples, NOTHING, 1)

    assert [heirs for _, heirs in sorted(made.heirs.items())] == [
        [place] for place in range(len(old))
    ]
    assert [state.heading for state in made.states] == [state.heading for state in old]
    assert made.merged == made.copies == {}


def test_citations_follow(samples: list[list[State]]) -> None:
    """If no citation is forgotten, each leads to the heir of its old target."""
    old = samples[-1]
    moving = Damage(0.0, 0.0, 0, 0.0, 0.0, swap=0.5, move=0.3, split=0.0, merge=0.0, forget=0.0)

    made = make(samples, moving, 3)

    here = {state.address: place for place, state in enumerate(old) if state.kind != "glossary"}
    moved = 0
    for place, heirs in made.heirs.items():
        before = [
            reference.first
            for reference in find_references(old[place].body)
            if reference.first in here
        ]
        if not before:
            continue
        after = {reference.first for reference in find_references(made.states[heirs[0]].body)}
        ends = {made.states[made.heirs[here[number]][0]].address for number in before}
        assert ends <= after
        moved += ends != set(before)
    assert moved > 0


def test_forgotten_citations_stay(samples: list[list[State]]) -> None:
    """If all citations are forgotten, all bodies stay as they were."""
    old = samples[-1]
    moving = Damage(0.0, 0.0, 0, 0.0, 0.0, swap=0.5, move=0.3, split=0.0, merge=0.0, forget=1.0)

    made = make(samples, moving, 3)

    assert all(made.states[heirs[0]].body == old[place].body for place, heirs in made.heirs.items())


def test_damage_grows(samples: list[list[State]]) -> None:
    """With more damage, fewer provisions keep their words."""
    old = {state.body for state in samples[-1]}

    left = [
        sum(state.body in old for seed in range(5) for state in make(samples, damage, seed).states)
        for damage in DAMAGES.values()
    ]

    assert all(more > fewer for more, fewer in pairwise(left))
