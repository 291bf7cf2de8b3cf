"""Words: their forms and stems, and lists of words that say little. Pure."""

from functools import cache

from variorum.text import set_of

# Forms --------------------------------------------------------------------------------------------

# Irregular verbs, with the forms of their past.
_PAST = {
    verb: tuple(forms)
    for verb, *forms in map(
        str.split,
        [
            "\n        become became",
            " begin began begun",
            " bring brought",
            " cast",
            " choose chose chosen",
            " come came",
            "\n        deal dealt",
            " draw drew drawn",
            " fight fought",
            " give gave given",
            " go went gone",
            " hold held",
            "\n        keep kept",
            " leave left",
            " lose lost",
            " make made",
            " meet met",
            " pay paid",
            " put",
            " set",
            " show shown",
            "\n        spend spent",
            " take took taken",
            " win won\n        ",
        ],
    )
}
_BASE_FORMS = {form: verb for verb, forms in _PAST.items() for form in forms}

# Shorter words have no endings: "is", "as", "its".
_SHORTEST = 3
_GERUNDS = {"die": "dying"}
# Longer verbs that double their last letter, as all short verbs do.
_DOUBLING = frozenset({"control", "equip", "untap"})
_VOWELS = "aeiou"
_SIBILANTS = ("s", "x", "z", "ch", "sh")


def numbers_of(noun: str) -> list[str]:
    """Return the plural forms of a singular noun, or the singular forms of a plural.

    >>> numbers_of("ability"), numbers_of("abilities"), numbers_of("loss"), numbers_of("symbols")
    (['abilities'], ['ability'], ['losses'], ['symbol'])
    """
    if noun.endswith("ies") and len(noun) > _SHORTEST + 1:
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
    return [verb, _with_s(verb), *_PAST.get(verb, (past,)), _GERUNDS.get(verb, gerund)]


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


# Common misspellings, and forms that neither endings nor the table of verbs cover.
_IRREGULAR = _BASE_FORMS | {
    "agreed": "agree",
    "cannot": "can't",
    "cant": "can't",
    "does": "do",
    "doesnt": "doesn't",
    "dont": "don't",
    "goes": "go",
    "isnt": "isn't",
}
_SHORT_STEMS = {"die": "di", "tie": "ti", "use": "us"}
# Endings that make a noun or an adverb of a stem.
_NOUN_ENDINGS = ("ion", "ment", "li")
# Nouns of the verbs that prose uses for one thing: "your controller" and "you control".
_VERBS = {
    "choice": "choose",
    "controller": "control",
    "controllers": "control",
    "owner": "own",
    "owners": "own",
}
_FAMILY_LEFT = 4


@cache
def stem_of(word: str) -> str:
    """Return the stem of a word: the common part of its forms, which need not be a word.

    It removes only endings of number and tense. The usual stemmers also merge commander and
    command, or active and activate, which have different meanings in the rules.

    >>> stem_of("destroyed") == stem_of("destroys") == stem_of("destroy")
    True
    >>> stem_of("sacrificing") == stem_of("sacrificed"), stem_of("died") == stem_of("dies")
    (True, True)
    >>> stem_of("commander") == stem_of("command"), stem_of("can't"), stem_of("704.5k")
    (False, "can't", '704.5k')
    """
    word = _IRREGULAR.get(word, word).replace("colour", "color")
    if not word.isalpha() or len(word) <= _SHORTEST:
        return _short(word)
    if word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        ends = bare != word and (bare[-1:] != "e" or (ending == "ing" and bare[-2:] == "ee"))
        if ends and len(bare) > 1 and any(letter in "aeiouy" for letter in bare):
            word = bare
            break
    if len(word) > _SHORTEST and word[-1] == "e":
        word = word[:-1]
    elif len(word) == _SHORTEST:
        return _short(word)
    if len(word) > _SHORTEST and word[-1] == word[-2]:
        word = word[:-1]
    return f"{word[:-1]}i" if word[-1] == "y" else word


def _short(word: str) -> str:
    """Return the stem of a short word: "fly" for "flying"."""
    if len(word) == _SHORTEST and word[-1] == "y" and word.isalpha():
        return f"{word[:-1]}i"
    return _SHORT_STEMS.get(word, word)


def family_of(stem: str) -> str:
    """Return the stem that a noun or an adverb is made of; "" if the stem has no such ending.

    >>> family_of(stem_of("regeneration")) == stem_of("regenerate")
    True
    >>> family_of("cast")
    ''
    """
    for ending in _NOUN_ENDINGS:
        bare = stem.removesuffix(ending)
        if bare != stem and len(bare) >= _FAMILY_LEFT:
            return stem_of(bare)
    return ""


def topic_of(word: str) -> str:
    """Return the stem of a word, and of a verb for "owner", "controller" and "choice".

    >>> topic_of("controllers"), topic_of("controlled")
    ('control', 'control')
    """
    word = word.removesuffix("'s")
    return stem_of(_VERBS.get(word, word))


# Words that say little ------------------------------------------------------------------------------

# Words that phrase a question and say little about its subject. The list leaves out words that
# decide rules: can, may, must, not, if, only, until, unless.
ASKING = set_of(
    """
    a about an and anyone are at be by did do does doing for from get gets getting happen
    happens has have he her him his how i i'm i've in is it its just let's me mean means my of
    on or our she so somebody someone something still than that the their them then there they
    thing this to want was we were what when where which who why will with work works would you
    your
    """
)
# Words that say nothing about the subject of a sentence of prose.
SILENT = set_of(
    """
    a about above after again all also although always am an and another any anybody anyone
    anything are aren't as at be because been before being below between both but by came can
    can't cannot case come could did didn't do does doesn't doing don't done down each either
    else even ever every everyone everything example few first following follows for from get
    gets go goes going got had has have having he her here hers him his how however i i'd i'll
    i'm i've if in instead into is isn't it it'd it'll it's its itself just know last least less
    let let's like lot made make makes making many may maybe me might more most much must my
    need needs never new next no nobody neither none nor not nothing now of off often old on
    once one ones only onto or other others otherwise our ours out over own part perhaps please
    quite rather really rule rules said same say says second see seem seems several shall she
    should since so some somebody someone something sometimes soon still such sure take takes
    than that that's the their theirs them themselves then there there's therefore these they
    they'll they're thing things think third this those though three through thus time to
    together too two under until up upon us use used uses using usually very want wants was
    wasn't way we we'll we're well were weren't what what's whatever when where whether which
    while who whole whom whose why will with within without won't would wouldn't yes yet you
    you'll you're you've your yours yourself today called section
    """
)
# Everyday words and words of every game. Prose that shares them with a rule may have another
# subject.
EVERYDAY = set_of(
    """
    able act add agree allow amount answer ask attempt back become begin board bring call card
    cards care careful change check choice choose clear close come common complete consider
    continue control copy cost count damage day deal decide deck different discuss draw each
    effect end enough equal exchange explain face fact find finish form format friend full game
    general give group hand happen hit hold hour idea immediately important interact interesting
    involve keep kind lay lead leave left legal life limit line list long longer look lose loss
    main match matter mean minute mode moment move name normal normally note number occur open
    opponent option order original owe own pass pay people person pick piece place play player
    point position possible power prevent problem process put question reach read ready reason
    remain remember remove result return reveal right round run score set share show side
    similar simple simply single situation size special specific stand start state stay step
    stop table talk team tell term text tie total touch tournament track turn type understand
    usual value version wait watch win word work world write wrong year draft money color colors
    red green blue white black two-player consistency consistent section clause cross-reference
    cover new appear erroneous slot currently accept count force game's hour item information
    interaction case exist enter return final level high low top bottom half
    """
)
# Everyday words and words of the rules that the comments of a program may hold by chance.
BY_CHANCE = set_of(
    """
    about after also another back been before being both cannot card cards cause causes choose
    control controls cost costs counts does doesn each either else even every first following
    from game games given have having here into itself just keep like made make makes many more
    most much must need next none number object objects once only onto other over permanent play
    played player players rather rule rules same second some spell spells still such take takes
    than that their them then there these they third this those three through time times turn
    turns under unless until used uses using value very were what when where whether which while
    will with within without would your zone zones
    """
)
# Words that occur in a twentieth of all rules; two rules that share them need not be related.
IN_MOST_RULES = set_of(
    """
    a abilities ability activated all also an and any are as at battlefield be but by can can't
    card cards cast combat controller cost creature creatures damage doesn't during each effect
    effects example face first for from game has have his her he if in into is it it's its keyword
    mana may means more multiple no not number object of on one only or other permanent phase play
    player player's players put rule rules same she some spell spells stack static step such text
    than that the their then these they this those time to trigger triggered turn two type when
    which will with would you zone
    """
)
# Words of sentences and of programs that say nothing about which rule is meant.
IN_PROGRAMS = set_of(
    """
    a all also an and any are as assert at be been but by can cr do does don't e each else etc
    false fn for from g he her here his how i if in into is it its let may must mut n no none not
    of ok on one only or per pub return returns rule rules s see self she so some stories story
    test than that the their then there these they this those to true use used uses using via vs
    was were what when where which who will with would x you your
    """
)
