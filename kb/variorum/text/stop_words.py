"""Words that say little, a list for each task; the lists are not interchangeable.

For example, "can" and "until" matter in a search, but not in prose about rules.
"""

from variorum.text.words import set_of

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
# Everyday words and words of every game. Prose that shares them with a rule may have another subject.
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
