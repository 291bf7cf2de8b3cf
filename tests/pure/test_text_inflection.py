"""The forms of nouns and verbs."""

import pytest

from variorum.text.inflection import numbers_of, tenses_of


@pytest.mark.parametrize(
    ("noun", "other"),
    [
        ("ability", "abilities"),
        ("day", "days"),
        ("tax", "taxes"),
        ("buzz", "buzzes"),
        ("match", "matches"),
        ("dash", "dashes"),
        ("loss", "losses"),
        ("status", "statuses"),
        ("basis", "basises"),
        ("abilities", "ability"),
        ("ties", "tie"),
        ("boats", "boat"),
    ],
)
def test_numbers(noun: str, other: str) -> None:
    """A noun has a plural and a plural a singular; a noun in -ss, -us or -is is no plural."""
    assert numbers_of(noun) == [other]


@pytest.mark.parametrize(
    "forms",
    [
        "tap taps tapped tapping",
        "control controls controlled controlling",
        "equip equips equipped equipping",
        "reveal reveals revealed revealing",
        "attack attacks attacked attacking",
        "draw draws drew drawn drawing",
        "play plays played playing",
        "scry scries scried scrying",
        "phase phases phased phasing",
        "free frees freed freeing",
        "die dies died dying",
        "cast casts casting",
        "ax axes axed axing",
        "up ups uped uping",
    ],
)
def test_tenses(forms: str) -> None:
    """A verb has regular or irregular tenses; short verbs double their last letter."""
    verb = forms.partition(" ")[0]

    assert tenses_of(verb) == forms.split()
