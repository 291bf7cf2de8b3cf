"""Number and tense: the forms that a noun or a verb takes."""

# Irregular verbs, with the forms of their past.
PAST = {
    "become": ("became",),
    "begin": ("began", "begun"),
    "bring": ("brought",),
    "cast": (),
    "choose": ("chose", "chosen"),
    "come": ("came",),
    "deal": ("dealt",),
    "draw": ("drew", "drawn"),
    "fight": ("fought",),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "hold": ("held",),
    "keep": ("kept",),
    "leave": ("left",),
    "lose": ("lost",),
    "make": ("made",),
    "meet": ("met",),
    "pay": ("paid",),
    "put": (),
    "set": (),
    "show": ("shown",),
    "spend": ("spent",),
    "take": ("took", "taken"),
    "win": ("won",),
}
BASE_FORMS = {form: verb for verb, forms in PAST.items() for form in forms}

_GERUNDS = {"die": "dying"}
# Longer verbs that double their last letter, as all short verbs do.
_DOUBLING = frozenset({"control", "equip", "untap"})
_VOWELS = "aeiou"
_SIBILANTS = ("s", "x", "z", "ch", "sh")
_SHORT = 4


def numbers_of(noun: str) -> list[str]:
    """Return the plural forms of a singular noun, or the singular forms of a plural.

    >>> numbers_of("ability"), numbers_of("abilities"), numbers_of("loss"), numbers_of("symbols")
    (['abilities'], ['ability'], ['losses'], ['symbol'])
    """
    if noun.endswith("ies") and len(noun) > _SHORT:
        return [f"{noun[:-3]}y"]
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
        return [noun[:-1]]
    return [_with_s(noun)]


def tenses_of(verb: str) -> list[str]:
    """Return the forms of a verb.

    >>> tenses_of("tap"), tenses_of("scry")
    (['tap', 'taps', 'tapped', 'tapping'], ['scry', 'scries', 'scried', 'scrying'])
    >>> tenses_of("choose"), tenses_of("die")
    (['choose', 'chooses', 'chose', 'chosen', 'choosing'], ['die', 'dies', 'died', 'dying'])
    """
    stem = verb + verb[-1] if _is_doubling(verb) else verb
    if verb.endswith("e"):
        past = f"{verb}d"
        gerund = f"{verb}ing" if verb.endswith("ee") else f"{verb[:-1]}ing"
    elif _ends_in_y(verb):
        past, gerund = f"{verb[:-1]}ied", f"{verb}ing"
    else:
        past, gerund = f"{stem}ed", f"{stem}ing"
    return [verb, _with_s(verb), *PAST.get(verb, (past,)), _GERUNDS.get(verb, gerund)]


def _with_s(word: str) -> str:
    if _ends_in_y(word):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(_SIBILANTS) else f"{word}s"


def _ends_in_y(word: str) -> bool:
    return word.endswith("y") and word[-2:-1] not in _VOWELS


def _is_doubling(verb: str) -> bool:
    if verb in _DOUBLING:
        return True
    is_closed = len(verb) > 2 and verb[-1] not in "aeiouwxy" and verb[-2] in _VOWELS  # noqa: PLR2004
    return is_closed and sum([sign in _VOWELS for sign in verb]) == 1
