"""Terms recognised in texts, and their glossary entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.answers.glossary.headword_forms import forms_of
from variorum_kb.answers.glossary.terms import Terms
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.rows import full_text
from variorum_kb.text.folding import fold_in_place
from variorum_kb.text.words import split_words

PARTNER = "Partner, “Partner—[text],” “Partner with [name]”"
HEADWORDS = (
    "Ability",
    "Active Player",
    "Active Player, Nonactive Player Order",
    "“As Though”",
    "Banding, “Bands with Other”",
    "Bury (Obsolete)",
    "Cast",
    "Case",
    "Characteristics",
    "City’s Blessing",
    "Combat Damage",
    "Combat Damage Step",
    "Control, Controller",
    "Copy",
    "Counter",
    "Counts As (Obsolete)",
    "Create",
    "Cycling",
    "Damage",
    "Deal",
    "Destroy",
    "Dies",
    "Double",
    "During (Obsolete)",
    "Effect",
    "Enters the Battlefield",
    "Equip",
    "Face Up",
    "Flipping a Coin",
    "General",
    "Imprinted [quality] card",
    "Intervening “If” Clause",
    "Land",
    "Leaves the Battlefield",
    "Life/Life Total",
    "Limited",
    "Lose the Game",
    "Mana Ability",
    "Match",
    "Name",
    "Nontraditional _Magic_ Card",
    "Modified",
    "Move",
    "Oracle",
    PARTNER,
    "Player",
    "Play",
    "Power",
    "Prepared",
    "Redirect (Obsolete)",
    "Sacrifice",
    "Scry",
    "Source of Damage",
    "Split Cards",
    "Start Your Engines!",
    "State-Based Actions",
    "Step",
    "Tap",
    "Tapped",
    "Team vs. Team Variant",
    "Token",
    "Trample",
    "Type",
    "Venture into [Quality]",
    "X",
    "You, Your",
)
TERMS = Terms(HEADWORDS)
CASES: list[tuple[str, list[str]]] = [
    # Forms.
    ("It was destroyed.", ["destroyed=Destroy"]),
    ("Two tokens, one token", ["tokens=Token", "token=Token"]),
    ("TRAMPLE. Trample", ["TRAMPLE=Trample", "Trample=Trample"]),
    ("When it dies or has died", ["dies=Dies", "died=Dies"]),
    ("cast, casts and casting", ["cast=Cast", "casts=Cast", "casting=Cast"]),
    ("copies, copied", ["copies=Copy", "copied=Copy"]),
    ("scries and scried", ["scries=Scry", "scried=Scry"]),
    ("it is dealt, dealing", ["dealt=Deal", "dealing=Deal"]),
    ("sacrificing what is equipped", ["sacrificing=Sacrifice", "equipped=Equip"]),
    ("taps a tapped one", ["taps=Tap", "tapped=Tapped"]),
    ("a characteristic", ["characteristic=Characteristics"]),
    ("a card is cycled", ["cycled=Cycling"]),
    ("she lost the game", ["lost the game=Lose the Game"]),
    ("it left the battlefield", ["left the battlefield=Leaves the Battlefield"]),
    ("as they enter the battlefield", ["enter the battlefield=Enters the Battlefield"]),
    ("whoever flips a coin", ["flips a coin=Flipping a Coin"]),
    ("sources of damage", ["sources of damage=Source of Damage"]),
    # Possessives and separators.
    ("The player’s and the players' turn", ["player=Player", "players=Player"]),
    ("The city's blessing", ["city's blessing=City’s Blessing"]),
    ("a face-up one", ["face-up=Face Up"]),
    ("state-based action", ["state-based action=State-Based Actions"]),
    ("combat. Damage", ["Damage=Damage"]),
    ("combat, damage", ["damage=Damage"]),
    ("“intervening ‘if’ clause”", ["intervening ‘if’ clause=Intervening “If” Clause"]),
    # The longest term counts.
    ("the combat damage steps", ["combat damage steps=Combat Damage Step"]),
    ("combat damage", ["combat damage=Combat Damage"]),
    ("mana abilities", ["mana abilities=Mana Ability"]),
    (
        "active player, nonactive player order",
        [f"active player, nonactive player order={HEADWORDS[2]}"],
    ),
    # Headwords of several parts, with remarks, quotes, placeholders.
    (
        "controllers have control",
        ["controllers=Control, Controller", "control=Control, Controller"],
    ),
    ("a life total, a life", ["life total=Life/Life Total", "life=Life/Life Total"]),
    ("bury it", ["bury=Bury (Obsolete)"]),
    ("as though it had", ["as though=“As Though”"]),
    ("bands with other", ["bands with other=Banding, “Bands with Other”"]),
    ("partner with Nobody", [f"partner with={PARTNER}"]),
    ("start your engines!", ["start your engines=Start Your Engines!"]),
    ("a nontraditional Magic card", ["nontraditional Magic card=Nontraditional _Magic_ Card"]),
    # Everyday words.
    ("If you do so during your turn, yours counts as mine", []),
    ("a card named so has a name", ["name=Name"]),
    ("in that case; a Case", ["Case=Case"]),
    ("in general; an emperor and a general", ["general=General"]),
    ("limited to one; in limited play", ["limited=Limited", "play=Play"]),
    ("roll a die", []),
    ("it matches the text", []),
    ("a match of two games", ["match=Match"]),
    ("an effect is created; it takes effect", ["effect=Effect"]),
    ("create two tokens", ["create=Create", "tokens=Token"]),
    ("X is 2, {X} is x", ["X=X"]),
    # The words around a term decide its sense.
    ("roll a die; the kind of die; planar die", []),
    ("creatures that would die", ["die=Dies"]),
    ("an old die", []),
    ("turn all lands of it face up", ["lands=Land", "face up=Face Up"]),
    ("a coin lands face up", []),
    ("a double-faced token", ["token=Token"]),
    ("double the damage", ["double=Double", "damage=Damage"]),
    ("move a counter from it", ["move=Move", "counter=Counter"]),
    ("it moves from zone to zone", []),
    ("the steps listed below", []),
    ("a step of the turn", ["step=Step"]),
    ("a type of counter", ["counter=Counter"]),
    ("die", []),
    ("a modified creature is modified", ["modified=Modified"]),
    # Words that show a sense may be eleven words after it or twelve before.
    (f"match {'so ' * 10}games", ["match=Match"]),
    (f"match {'so ' * 11}games", []),
    (f"games {'so ' * 11}match", ["match=Match"]),
    (f"games {'so ' * 12}match", []),
    # Words that show another sense may be six words away.
    (f"card {'so ' * 5}move a counter", ["counter=Counter"]),
    (f"card {'so ' * 6}move a counter", ["move=Move", "counter=Counter"]),
    (f"move a counter {'so ' * 3}card", ["counter=Counter"]),
    (f"move a counter {'so ' * 4}card", ["move=Move", "counter=Counter"]),
    ("“[type]walk”", []),
    ("see rules.example/damage there", []),
    ("It is so. Keeper/damage hurts.", ["damage=Damage"]),
    ("a lamp.damage", ["damage=Damage"]),
    # Names of cards are left alone.
    ("A player casts Redirect.", ["player=Player", "casts=Cast"]),
    ("“Redirect that damage”", ["Redirect=Redirect (Obsolete)", "damage=Damage"]),
    ("One of them (Power Play) says so.", []),
    ("Copy Cat reads, “Copy it.”", ["Copy=Copy"]),
    ("Power Omens shine.", []),
    ("Damage Aura", ["Damage=Damage"]),
    ("Damage X", ["Damage=Damage", "X=X"]),
    ("Power of Omens shines.", []),
    ("Power of lamps shines.", ["Power=Power"]),
    ("Power", ["Power=Power"]),
    ("the Oracle™ text of Trample™", ["Oracle=Oracle"]),
    ("Trample\nOmens", ["Trample=Trample"]),
    ("The Way of Power: Damage is one.", []),
    (", Cast it {T}", []),
    (
        "{1}, {T}, Sacrifice this token: Destroy it",
        ["Sacrifice=Sacrifice", "token=Token", "Destroy=Destroy"],
    ),
    ("See Trample. See also Damage.", ["Trample=Trample", "Damage=Damage"]),
    # Titles of cited provisions.
    ("See rule 702.19, “Trample.” Trample", ["Trample=Trample"]),
    ('See section 3, "Damage."', []),
    ("Say “Trample” twice", ["Trample=Trample"]),
]


def found(text: str, own: str = "") -> list[str]:
    """Return the terms in a text as "printed=headword"."""
    return [f"{text[start:stop]}={term}" for start, stop, term in TERMS.find(text, own)]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_terms(text: str, expected: list[str]) -> None:
    """Each term in the text is found in its printed form, and nothing else is."""
    assert found(text) == expected


@pytest.mark.parametrize(
    ("headword", "names"),
    [
        ("Banding", "band, bands"),
        ("Cycling", "cycle, cycles, cycled"),
        ("Flip a Coin", "flips a coin, flipping a coin, coin flip, coin flips"),
        ("Flipping a Coin", "flip a coin, flips a coin, coin flip, coin flips"),
        ("In Play", "into play, from play, out of play"),
        ("Phasing", "phase in, phases in, phased in, phase out, phases out, phased out"),
        ("Dies", "die, died"),
    ],
)
def test_other_names(headword: str, names: str) -> None:
    """What an entry is about has other names and tenses."""
    text = names.replace("die,", "would die,")

    assert ", ".join([text[start:stop] for start, stop, _ in Terms([headword]).find(text)]) == names


SIGNS = ["a", "the", "’s", "-", ".", ",", "“", "”", "İ", "ß", "{T}", "702.19,", "_", "\n", "isn’t"]
FORMS = sorted({" ".join(form) for headword in HEADWORDS for form, _ in forms_of(headword)})
words = st.sampled_from([*FORMS, *SIGNS])
texts = st.one_of(st.text(), st.lists(words).map(" ".join), st.lists(words).map("".join))


@given(texts)
def test_spans(text: str) -> None:
    """Terms are in text order and not nested, and each is a form of its headword."""
    reach = 0

    for start, stop, term in TERMS.find(text):
        assert reach <= start < stop <= len(text)
        form = tuple(split_words(fold_in_place(text[start:stop]))[1::2])
        assert form in {words for words, _ in forms_of(term)}
        reach = stop


@given(st.text(max_size=30))
def test_any_headword(headword: str) -> None:
    """Every headword in a glossary can be looked for."""
    for start, stop, term in Terms([headword]).find(headword):
        assert term == headword
        assert start < stop


def test_terms_of_a_rule(base: KnowledgeBase) -> None:
    """Terms of a provision belong to its own edition, with places in its text and examples."""
    (rule,) = base.show("702.9a", "2025-05-30")
    text = full_text(rule.state.body)

    terms = rule.terms()

    assert terms
    assert {term["term"] for term in terms} == {"Bar", "Boat", "Undertow"}
    assert all(text[term["start"] : term["end"]] == term["text"] for term in terms)


@pytest.mark.parametrize("place", range(9))
def test_terms_are_headwords(base: KnowledgeBase, place: int) -> None:
    """Every term is a headword of the edition, and no entry leads to itself."""
    provisions = list(base.provisions(base.editions[place]))
    headwords = {provision.heading for provision in provisions if provision.kind == "glossary"}

    used = {
        (provision.address, term["term"]) for provision in provisions for term in provision.terms()
    }

    assert {term for _, term in used} <= headwords
    assert not any(address == term for address, term in used)
    assert len(used) > 100


def test_gloss(base: KnowledgeBase) -> None:
    """A term's gloss has the rule that its entry refers to, and the entry's first sentence."""
    undertow, turn = base.glossary.gloss("Undertow"), base.glossary.gloss("Turn")

    assert (undertow.rule, undertow.heading, undertow.under) == ("702.9", "Undertow", None)
    assert (turn.rule, turn.heading, turn.under) == ("602.2", "Used Abilities", "602")
    assert undertow.sentence == "A keyword that weakens the boats in the way."
    assert turn.sentence == "To lay a card on its side."


def test_gloss_without_a_rule(base: KnowledgeBase) -> None:
    """Without such a rule, the gloss has only the first sentence."""
    gloss = base.glossary.gloss("Flip a Coin", "2003-02-10")

    assert (gloss.rule, gloss.heading, gloss.under) == ("", "", None)
    assert gloss.sentence.endswith(".")


def test_entry_rules(base: KnowledgeBase) -> None:
    """The rules in an entry have their nearest heading; dangling ones say so."""
    (ability,) = base.show("ability")
    lost = [
        rule
        for edition in base.editions
        for match in base.provisions(edition)
        if match.kind == "glossary"
        for rule in match.rules()
        if rule["status"] == "dangling"
    ]

    assert ability.rules() == [
        {
            "text": "6",
            "targets": ["6"],
            "heading": "Flags and Abilities",
            "under": None,
            "status": "resolved",
        }
    ]
    assert all(not entry_rule["targets"] and not entry_rule["heading"] for entry_rule in lost)


def test_last_with(base: KnowledgeBase) -> None:
    """The last edition with a headword is found in any spelling."""
    last = base.glossary.last_with("FLIP A COIN")

    assert last is not None
    assert last.label == "2006-03-01"
    assert base.glossary.last_with("705") is None
