"""The traits of a card that rules govern: keywords, types, counters, actions, costs, abilities; pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from variorum.cards.card import Card


class Trait(NamedTuple):
    """A trait of a card that rules govern.

    Attributes:
        reason: Its sort: layout, type, cost, keyword, ability, action, counter or token.
        words: The trait as the card prints it.
        titles: What the rules may call it: a heading or a headword, the likeliest first.
    """

    reason: str
    words: str
    titles: tuple[str, ...]


# The titles in the rules for layouts, for symbols of costs and for words of abilities. A title that
# an edition lacks is ignored.
LAYOUT_TITLES = {
    "adventure": ("Adventurer Cards",),
    "aftermath": ("Aftermath", "Split Cards"),
    "augment": (),
    "case": ("Case Cards",),
    "class": ("Class Cards",),
    "flip": ("Flip Cards",),
    "leveler": ("Leveler Cards",),
    "meld": ("Meld Cards", "Double-Faced Cards"),
    "modal_dfc": ("Modal Double-Faced Cards", "Double-Faced Cards"),
    "mutate": ("Mutate",),
    "omen": ("Omen Cards",),
    "planar": ("Planechase",),
    "prototype": ("Prototype Cards",),
    "saga": ("Saga Cards",),
    "scheme": ("Archenemy",),
    "split": ("Split Cards",),
    "station": ("Station Cards",),
    "transform": ("Double-Faced Cards",),
    "vanguard": ("Vanguard",),
}
_COSTS = (
    (r"\{X\}", ("X",)),
    (r"\{[2WUBRG]/[WUBRG]\}", ("Hybrid Mana Symbols",)),
    (r"\{[WUBRG]/P\}", ("Phyrexian Mana Symbol",)),
    (r"\{[WUBRG]/[WUBRG]/P\}", ("Hybrid Phyrexian Mana Symbols", "Phyrexian Mana Symbol")),
    (r"\{C\}", ("Colorless",)),
    (r"\{S\}", ("Snow Mana Symbol",)),
)
_TEXT_COSTS = (
    (r"\{T\}[^\n.]*:", ("Tap Symbol",)),
    (r"\{Q\}[^\n.]*:", ("Untap Symbol",)),
    (r"\{E\}", ("Energy Symbol",)),
    (r"as an additional cost", ("Additional Cost",)),
    (r"rather than pay|without paying (?:its|their) mana costs?", ("Alternative Cost",)),
    (r"costs? (?:up to )?(?:\{\w+\}|\d+) (?:less|more)", ("Total Cost",)),
    (r"where X is", ("X",)),
)
_ABILITIES = (
    (
        r"(?m)^(?:\w[^\n:]* — )?(?:When|Whenever|At)\b",
        ("Handling Triggered Abilities", "Triggered Ability"),
    ),
    (r"(?m)^(?:When|Whenever|At)\b[^\n,]*, if ", ("Intervening “If” Clause",)),
    (
        r"(?i)at the beginning of the next|when that \w+ (?:dies|leaves)",
        ("Delayed Triggered Ability",),
    ),
    (r"(?i)when you do\b", ("Reflexive Triggered Ability",)),
    (
        r"(?m)^[^\n:\"]*(?:\{|[Dd]iscard|[Ss]acrifice|[Pp]ay|[Rr]emove|[Ee]xile|[Tt]ap)[^\n:\"]*: ",
        ("Activating Activated Abilities", "Activated Ability"),
    ),
    (
        r":[^\n.]*\b[Aa]dds? (?:\{|one|two|three|an amount|that much|X)",
        ("Mana Abilities", "Mana Ability"),
    ),
    (r"(?m)^[\[+\u2212-]*[\dX]+\]?: ", ("Loyalty Ability",)),
    (
        r"(?i)\binstead\b|enters (?:the battlefield )?(?:tapped|with|as)|as ~ enters",
        ("Replacement Effect",),
    ),
    (r"(?i)\bprevent\b", ("Prevention Effect",)),
    (r"(?i)\bcop(?:y|ies)\b", ("Copying Objects", "Copy")),
    (
        r"(?i)\b(?:becomes?|is|are) (?:an? )?[\w/, ]*\b(?:creature|artifact|land|enchantment)s?\b[^\n.]*in addition",
        ("Type-Changing Effect",),
    ),
    (r"(?i)\bgain control of\b|control of .* until", ("Continuous Effect",)),
    (
        r"(?i)\bas long as\b|creatures? (?:you control )?(?:gets?|has|have)\b",
        ("Handling Static Abilities", "Static Ability"),
    ),
    (r"(?i)\btargets?\b", ("Target",)),
    (
        r"(?i)\bchoose (?:one|two|three|up to \w+|any number|one or both|one or more)\b[^\n.]*—",
        ("Modal, Mode", "Mode"),
    ),
    (r"(?i)\bface[ -]down\b", ("Face Down",)),
    (r"(?i)\bphases? (?:in|out)\b", ("Phasing",)),
    (r"(?i)\bextra turn\b", ("Extra Turn",)),
    (r"(?i)\bflips? (?:a|two|three|\w+) coins?\b", ("Flipping a Coin",)),
    (r"(?i)\bmonarch\b", ("Monarch",)),
    (r"(?i)\binitiative\b", ("Initiative",)),
    (r"(?i)\bdevotion\b", ("Devotion",)),
    (r"(?i)\bmana value\b|converted mana cost", ("Mana Value", "Converted Mana Cost")),
    (r"(?i)\bunspent mana\b|mana pool", ("Mana Pool",)),
    (
        r"(?i)\bloses? all (?:other )?(?:abilities|creature types)|base power|\b(?:is|are) [\w ]*in addition to",
        ("Interaction of Continuous Effects", "Layer"),
    ),
    (r"(?i)\bdies\b", ("Dies",)),
    (r"(?i)\bdraws?\b", ("Drawing a Card", "Draw")),
    (r"(?i)\bdamage\b", ("Damage",)),
    (r"(?i)\b(?:un)?taps?\b", ("Tap and Untap", "Tap")),
    (r"(?i)\bcan't (?:be )?block(?:ed)?\b", ("Declare Blockers Step",)),
    (r"(?i)\bcan't attack\b|\battacks? each\b", ("Declare Attackers Step",)),
    (
        r"(?i)\bwould (?:be put into|draw|die|deal|lose|gain|enter|create)\b",
        ("Replacement Effect",),
    ),
    (r"(?i)\bcommander\b", ("Commander",)),
    (r"(?i)\bmaximum hand size\b", ("Maximum Hand Size",)),
    (r"(?i)\bw(?:in|ins) the game\b", ("Win the Game",)),
    (r"(?i)\blos(?:e|es) the game\b", ("Lose the Game",)),
)
_COUNTER = re.compile(r"([+-]\d/[+-]\d|[\w-]+(?: strike)?) counters?\b", re.IGNORECASE)
_NO_KINDS = {
    "a",
    "an",
    "the",
    "those",
    "of",
    "more",
    "that",
    "additional",
    "these",
    "any",
    "all",
    "its",
    "many",
    "no",
}
_TOKEN = re.compile(r"\b([A-Z]\w+) tokens?\b")
_SPELL_COUNTERED = re.compile(
    r"(?i)\bcounter (?:target|that|it|the|all|any|each|up)\b|\bcountered\b"
)


def traits_of(card: Card) -> Iterator[Trait]:
    """Yield the traits of a card, except keyword actions."""
    text = card.rules_text
    titles = LAYOUT_TITLES.get(card.layout, ())
    if titles:
        yield Trait("layout", card.layout.replace("_", " "), titles)
    yield from _types(card)
    costs = " ".join([face.cost for face in card.faces])
    yield from _matching("cost", _COSTS, costs)
    yield from _matching("cost", _TEXT_COSTS, text)
    yield from _keywords(card)
    yield from _matching("ability", _ABILITIES, text)
    yield from _counters(text)
    for match in _TOKEN.finditer(text):
        yield Trait("token", match[0], (f"{match[1]} Token", "Token"))
    if re.search(r"(?i)\btokens?\b", text):
        yield Trait("token", "token", ("Token",))


def _matching(
    reason: str, table: tuple[tuple[str, tuple[str, ...]], ...], text: str
) -> Iterator[Trait]:
    for pattern, titles in table:
        match = re.search(pattern, text)
        if match:
            yield Trait(reason, " ".join(match[0].split()).strip(" :"), titles)


def _types(card: Card) -> Iterator[Trait]:
    for word in card.types:
        plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
        yield Trait("type", word, (plural, word))
        if word == "Legendary":
            yield Trait("type", word, ("Legend Rule",))
        elif word == "World":
            yield Trait("type", word, ("World Rule",))
        elif word == "Planeswalker":
            yield Trait("type", word, ("Loyalty",))


def _keywords(card: Card) -> Iterator[Trait]:
    """Yield the keywords that a card's source lists, and those that its lines begin with."""
    lines = [part.strip() for line in card.rules_text.splitlines() for part in line.split(",")]
    starts = [re.split(r"[—{]| from | \d| — ", line)[0].strip() for line in lines]
    begun = [start for start in starts if start and len(start.split()) <= _MOST_WORDS]
    listed = {keyword.lower(): keyword for keyword in card.keywords}
    for word in [*card.keywords, *[start for start in begun if start.lower() not in listed]]:
        ending = re.sub(r"^.*(cycling|walk)$", r"\1", word.lower())
        more = {"cycling": "Cycling", "walk": "Landwalk"}.get(ending)
        yield Trait("keyword", word, (word, *((more,) if more else ())))


_MOST_WORDS = 3


def _counters(text: str) -> Iterator[Trait]:
    for match in _COUNTER.finditer(text):
        if match[1].lower() not in _NO_KINDS:
            yield Trait("counter", match[0], (f"{match[1].title()} Counter", "Counter", "Counters"))


def may_name_action(heading: str, text: str) -> bool:
    """Say whether a text that has the words of a keyword action uses it as one.

    >>> may_name_action("Counter", "Remove a counter."), may_name_action("Counter", "Counter target spell.")
    (False, True)
    """
    return heading != "Counter" or bool(_SPELL_COUNTERED.search(text))
