"""Patterns for sentences that announce new, removed, moved or changed rules."""

import re
from collections.abc import Container, Sequence

from variorum_kb.references.ranges import BULLETINS
from variorum_kb.sources.reading.bulletins.announcements import AnnouncementKind
from variorum_kb.text.sentences import sentences_of_bulletin

_NUMBER, _LIST = BULLETINS.number, BULLETINS.list
_MOST_WORDS, _MOST_CHARACTERS = 25, 160
_LONGEST = 2000

# Sentences ----------------------------------------------------------------------------------------

_WHY = re.compile(
    r"\b(?:because|since|so that|so|due to|unnecessary|obsolete|redundant|errat(?:a|um)|typo|"
    r"mistake|error\w*|oops|incomplete|inconsisten\w+|(?:in order )?to (?:cover|make|match|reflect|"
    r"clarify|handle|address|allow|govern|regulate|specify|state|account|agree|fit)|"
    r"doesn['’]t|didn['’]t|wasn['’]t|isn['’]t|weren['’]t|aren['’]t|no longer|should|for consistency)\b",
    re.IGNORECASE,
)

# "205.3: This rule is new." is not about the rule of the heading.
_OTHER = re.compile(rf"{_LIST}\s*:")


def announcing_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a paragraph; only the first if it is very long."""
    return tuple([part[:_LONGEST] for part in sentences_of_bulletin(text)])


def shorten(text: str) -> str:
    """Return the beginning of a text, short enough for a quotation.

    >>> shorten("one two")
    'one two'
    """
    words = " ".join(text.split()).split(" ")
    short = " ".join(words[:_MOST_WORDS])
    if len(words) <= _MOST_WORDS and len(short) <= _MOST_CHARACTERS:
        return short
    short = short[: _MOST_CHARACTERS - 1]
    return f"{short.rpartition(' ')[0] or short}…"


def reason_of(sentences: Sequence[str], words: str, announced: Container[str]) -> str:
    """Return the sentence with the reason, shortened, preferably not the announcing sentence.

    Args:
        sentences: The sentences to choose from.
        words: The announcing sentence, shortened, which may also have the reason.
        announced: Shortened announcing sentences. They are reasons only if they say why.
    """
    announcing = next((sentence for sentence in sentences if shorten(sentence) == words), "")
    own = [sentence for sentence in sentences if not _OTHER.match(sentence)]
    silent = [
        sentence
        for sentence in own
        if sentence != announcing and shorten(sentence) not in announced
    ]
    why = [sentence for sentence in (*silent, announcing, *own) if _WHY.search(sentence)]
    return shorten(next(iter(why or silent), ""))


# What a sentence says -----------------------------------------------------------------------------

_WORDS = (
    r"(?:is|are|was|were|has|have|will|be|been|being|now|also|all|both|simply|just|get|gets|getting|"
    r"got|each|obsolete,?|therefore|changed\s+and|going\s+to)"
)
_AUX = rf"(?:['’](?:s|re|ve)(?:\s+{_WORDS})*|(?:\s+{_WORDS})+)"
_THING = (
    r"(?:sub)?(?:rules?|sections?|subsections?|entry|entries|definition|term|ability|paragraph)"
)
_SUBJECT = (
    rf"(?:^|\b(?:so|and|but|then)\s+)(?:(?:th(?:is|ese|e)|both)\s+(?:\w+\s+){{0,2}}?{_THING}\b"
    r"(?:,[^,.;]{0,90},|\s+(?:about|for|in|on|to|covering|defining|that|which)\b[^.;,]{0,70}?)?"
    rf"|(?:that|those)\s+{_THING}|it|they|this|these|an? (?:entry|definition) for this term"
    rf"|(?:sub)?(?:rules?|sections?)\s+{_LIST}|{_LIST})"
)
_S = re.IGNORECASE
_REMOVED = (
    re.compile(
        rf"{_SUBJECT}{_AUX}\s+(?:deleted|removed|eliminated|cut|gone|retired)\b(?!\s+(?:as|from)\b)",
        _S,
    ),
    re.compile(
        rf"\b(?:I|we)(?:['’]ve)?\s+(?:have\s+)?(?:deleted|removed|cut)\s+th(?:is|ese|at)\s+{_THING}",
        _S,
    ),
    re.compile(rf"{_SUBJECT}\s+(?:no longer exists?|goes away|go away)\b", _S),
    re.compile(r"^(?:deleted|removed)\b[.:!]?$", _S),
)
_NEW_THING = (
    r"(?:brand[\s-]?)?new\s+(?:(?:keyword|ability|action|state-based|turn-based|special|glossary|child|rules)\s+)"
    r"{0,3}(?:(?:sub)?rules?|sections?|subsections?|entry|entries|actions?|abilit(?:y|ies)|keyword"
    r"|definition|addition)\b"
)
_NEW = (
    re.compile(
        r"\b(?:this|these|here|it)(?:['’]?s|\s+is|\s+are|\s+was)?\s+"
        rf"(?:(?:all|both|the|a|an|some|two|three|simply|just)\s+)*{_NEW_THING}",
        _S,
    ),
    re.compile(rf"^an?\s+{_NEW_THING}", _S),
    # "New rules for boats.", but not "New rules were added", which means other rules below.
    re.compile(
        rf"^(?:(?:the|another|both|all|some|two|three|four|five|several|just|entirely)\s+)*{_NEW_THING}"
        r"(?=\s*(?:[.;,!:–—-]|$|(?:for|about|on|to|that|which|covering|defining|governing|explaining|"
        r"describing|concerning|regarding|dealing|saying|stating)\b))",
        _S,
    ),
    re.compile(r"^new\s+(?:sub)?(?:rule|section|entry)\s+(?:(?:was|is|has\s+been)\s+)?added\b", _S),
    # "Tow is a new keyword action."
    re.compile(
        r"^[\w'’-]+(?:\s+[\w'’-]+){0,4}?\s+(?:is|are)\s+(?:(?:an?|the|also|two|three)\s+)*"
        r"(?:brand[\s-]?)?new\s+(?:(?:keyword|state-based|turn-based|special)\s+)?"
        r"(?:actions?|abilit(?:y|ies)|keywords?|ability\s+words?|(?:sub)?rules?|sections?)\b",
        _S,
    ),
    re.compile(
        rf"^(?:(?:th(?:is|ese)|both|all)\s+(?:\w+\s+){{0,2}}?{_THING}|both|all)\s+(?:is|are)\s+"
        r"(?:(?:all|both|also|entirely|completely|brand)[\s-]+)*new"
        r"(?=\s+(?:to|and|in|with|for|as)\b|[.;,!]|$)",
        _S,
    ),
    re.compile(
        r"\b(?:this|it|these|they)(?:['’]?s|\s+is|\s+are)\s+(?:an\s+)?(?:addition|new)"
        r"(?=\s+to\b|[.;,!]|$)",
        _S,
    ),
    re.compile(r"^this\s+(?:\w+\s+)?addition\b", _S),
    re.compile(rf"{_SUBJECT}{_AUX}\s+(?:added|created|inserted|introduced)\b", _S),
    re.compile(r"\bit['’]s\s+(?:being\s+)?(?:added|created|inserted)\b", _S),
    re.compile(
        r"^this\s+\w+(?:\s+\w+)?\s+(?:is|was)\s+(?:being\s+)?(?:added|created)\s+to\s+"
        r"(?:cover|explain|handle|govern)\b",
        _S,
    ),
    re.compile(r"^an?\s+(?:\w+\s+){0,2}(?:sub)?rule\s+(?:is|was|has been|is being)\s+added\b", _S),
    re.compile(
        r"\b(?:I|we)\s+(?:wrote|added|created|made|inserted)\s+a(?:nother)?\s+new\s+rule", _S
    ),
    re.compile(r"\bhave\s+a\s+new\s+rule\b", _S),
    re.compile(r"^(?:added|new)\b[.:!]?$", _S),
)
_SPLIT = re.compile(
    rf"{_SUBJECT}\s+(?:splits?\s+(?:in|into|up)|divides\s+into)\b"
    rf"|{_SUBJECT}{_AUX}\s+(?:split|broken\s+(?:(?:out\s+|up\s+)?into|in\s+half)|divided\s+into)\b"
    r"|\bsubrule\s+(?:and\s+)?(?:snapped|split|broke)\b",
    _S,
)
_MERGED = re.compile(
    rf"{_SUBJECT}{_AUX}\s+(?:merged|combined|folded|rolled|consolidated)\s+(?:into|with|in)\b", _S
)
MOVED = re.compile(rf"{_SUBJECT}{_AUX}\s+moved\s+(?P<way>here|to|into|from)\b", _S)
SWAPPED = re.compile(
    r"\b(?:switch(?:ing|ed)?\s+(?:places|the\s+order)|chang(?:ed|ing)\s+places|swap(?:ping|ped)?(?:\s+places)?|trad(?:ing|ed)\s+places)\b",
    _S,
)
_CLEARLY = re.compile(
    r"\b(?:(?:un)?chang(?:ed|ing)|(?-i:[cC]hanges?)\s+(?:to|in|were|was)|(?:a|one|two|three)\s+changes?"
    r"|reword\w*|rewr\w+|edited|updat(?:ed|ing)|tweak\w*|clarif\w+|clean\w*|expan[ds]\w*|adjust\w*|revis\w+"
    r"|modif\w+|broaden\w*|correct(?:ed|ing|ion)\w*|fix\w*|streamlin\w+|rework\w*|gained|gains|revert\w*"
    r"|overhaul\w*|reorganiz\w+|aligned)\b",
    _S,
)
_CHANGED = re.compile(
    r"\b(?:\w*chang\w*|notation|delet\w+|add(?:s|ed|ing)?|remov\w+|no longer|now|incomplete|typo|"
    r"got|getting|join(?:s|ed)?)\b",
    _S,
)
NEW_BELOW = re.compile(
    r"\b(?:gain(?:ed|s)?|gets?|getting|got|has|have|add(?:ed|s)?|there are)\s+(?:(?:some|two|three|four|"
    r"five|several|a|an|few|more)\s+){0,2}new\s+(?:child\s+)?(?:subrules?|subsections?|rules)\b"
    r"|\bnew\s+(?:\w+\s+){1,3}(?:was|were|have been)\s+added\s+to\s+this\s+section\b"
    r"|\b(?:two|three|four|more|new|some)\s+(?:more\s+|new\s+)?(?:sub)?rules\s+(?:were|have been|are being)\s+added\b",
    _S,
)
SHIFT = re.compile(
    r"\b(?:renumber\w*|re-?letter\w*|bump(?:s|ed|ing)?\s+(?:\w+\s+){0,2}?(?:down|up|back)"
    r"|bump(?:s|ed)?\s+down|mov(?:e|es|ed|ing)\s+(?:down|up)|shift(?:s|ed|ing)?(?:\s+(?:down|up))?"
    r"|push(?:ed|es)?\s+(?:\w+\s+){0,2}?(?:down|back)|slid(?:e|es)?\s+down)\b",
    _S,
)
REST = re.compile(
    r"\b(?:subsequent|rest of|everything\s+(?:after|below|else|behind|following)|others?|surrounding|"
    r"following|later|remaining|all the)\b",
    _S,
)
FROM = re.compile(
    rf"\b(?:starting|beginning)\s+(?:with|from|at)\s+(?:the\s+)?(?:old\s+)?(?:\w+\s+)?(?P<a>{_NUMBER})"
    rf"|\bfrom\s+(?:the\s+)?(?:old\s+)?(?:\w+\s+)?(?P<b>{_NUMBER})\s+(?:through|to)\s+(?:the\s+)?"
    rf"(?:old\s+)?(?:\w+\s+)?(?P<c>{_NUMBER})",
    _S,
)
HUNDREDS = re.compile(r"\b[1-9]00['’]?s\b|\brest\s+of\s+the\s+[1-9]00\s+section|\bsections\b", _S)
_ARROW = r"(?:→|->|=>|⇒|--?>)"
_DOWN = r"(?:\s+(?:down|up|back))?"
_LETTERS = r"[a-z](?:\s*(?:,|&|and)\s*[a-z])*(?![\w'’])"
# Parts that move with a rule: in brackets, between commas, or "and all its subrules".
_WITH_ALL = (
    r"(?:\s*\((?:and|with|along|including|plus)\b[^()]{1,40}\)"
    r"|,?\s+(?:and|with)\s+(?:all\s+(?:of\s+)?)?(?:its|their)\s+subrules,?)?"
)
BECOMES = re.compile(
    rf"(?P<old>{_LIST}){_WITH_ALL}\s*(?:{_ARROW}|(?:{_AUX})?\s+(?:becom(?:es?|ing)|became|now|"
    rf"(?:renumbered|re-?lettered)(?:\s+(?:to|as|into))?|changed?\s+to|renamed(?:\s+to)?|called|"
    rf"(?:mov(?:ed?|es|ing)|bumped|shifted|pushed){_DOWN}\s+to|(?:is|are)\s+the\s+new|"
    r"(?P<split>splits?|divide[ds]|broken|breaks)(?:\s+(?:up|out))?\s+into|"
    r"(?P<merged>merge[ds]?|combine[ds]?|folded|consolidate[ds])\s+(?:into|with|to\s+form)))\s*"
    r"(?:(?:be|a|one|single|the|new|two|three|(?:sub)?rules?,?|sections?,?|as)\s+)*"
    rf"(?P<new>{_LIST}|(?<=\s){_LETTERS})",
    _S,
)
COMES = re.compile(
    rf"(?P<new>{_LIST})(?:{_AUX})?\s+\(?(?:the\s+)?(?:formerly|previously|used to be|"
    r"(?:was|were)\s+(?:the\s+)?(?:old|former)(?:ly)?|(?<=\()was)\s+"
    rf"(?:(?:the|old|(?:sub)?rules?|sections?)\s+)*(?P<old>{_LIST})",
    _S,
)
FROM_TO = re.compile(
    r"\b(?:renumbered|re-?lettered|moved|moves|went|goes|changed)\s+from\s+(?:(?:sub)?(?:rule|section)\s+)?"
    rf"(?P<old>{_NUMBER})\s+to\s+(?:(?:sub)?(?:rule|section)\s+)?(?P<new>{_NUMBER})",
    _S,
)
THIS = re.compile(r"^(?:this(?:\s+(?:sub)?(?:rule|section))?|it)(?=\s|['’]s\s)", _S)
THESE = re.compile(
    r"^(?:(?:(?:these|both|all)(?:\s+(?:of\s+)?(?:these|the))?(?:\s+(?:two|three|four|five|six))?"
    r"\s+(?:sub)?(?:rules|sections))|these|they|both)(?=\s|['’]re\s)",
    _S,
)
# "Renumbered to 205.4." is about the number above.
ELLIPTIC = re.compile(
    r"^(?:(?:was|were|is|are|has\s+been|have\s+been)\s+)?"
    r"(?:(?:renumbered|re-?lettered|moved|bumped|split|divided|merged|combined|folded)"
    r"(?:\s+(?:up|down|out))?(?:\s+(?:to|as|into|with))?|becomes?|now|formerly|previously)"
    rf"\s+(?:(?:the|old|new|(?:sub)?rules?|sections?)\s+)*{_LIST}"
    r"(?=\s*(?:[.;,(!]|$|(?:because|since|so|to|and)\b))",
    _S,
)
FORMERLY = re.compile(
    rf"\((?:formerly|previously|the old)\s+(?:(?:sub)?(?:rules?|sections?)\s+)?(?P<old>{_NUMBER})\)",
    _S,
)
LISTED = re.compile(
    r"^(?P<did>new|added|inserted|deleted|removed|eliminated)\s+(?:(?:old|new)\s+)?"
    rf"(?:(?:sub)?(?:rules?|sections?)\s+)?(?P<told>{_LIST})(?=[.;]?$)"
    rf"|\b(?P<verb>new|added|inserted|deleted|removed|eliminated)(?:\s+\w+)?\s*:\s*(?P<list>{_LIST})"
    rf"|\b(?:sub)?rules?\b[^.:;]{{0,40}}\b(?P<said>added|inserted|deleted|removed|eliminated)\s*:\s*(?P<those>{_LIST})"
    rf"|\ban?\s+new\s+(?:sub)?rule,?\s+(?P<fresh>{_NUMBER})"
    rf"|(?P<these>{_LIST})(?:,[^,.;]{{0,60}},)?{_AUX}\s+(?P<done>(?:brand[\s-]?)?new|added|inserted|created|deleted|removed|eliminated)\b",
    _S,
)
BARE_SHIFT = re.compile(
    rf"(?P<old>{_LIST})(?:{_AUX})\s+(?:renumbered|re-?lettered|bumped\s+(?:down|up)|moved\s+(?:down|up))\b(?!\s+(?:to|as|into))",
    _S,
)
ORDINAL = re.compile(
    r"\bthe\s+(?P<which>first|second|third|fourth|fifth|last|former|latter)(?:\s+\w+)?"
    r"\s+(?:is|was|has been|is being)\s+(?P<verb>added|new|deleted|removed)\b",
    _S,
)
_TAKEN_AWAY = frozenset(["deleted", "removed", "eliminated", "cut"])


def kind_of_verb(verb: str) -> AnnouncementKind:
    """Return the kind that a verb announces: removed for "deleted" or "removed", otherwise new."""
    gone = verb.casefold() in _TAKEN_AWAY
    return AnnouncementKind.REMOVED if gone else AnnouncementKind.NEW


def says_change(sentence: str) -> bool:
    """Say whether a sentence mentions a change."""
    return any(form.search(sentence) for form in (_CLEARLY, _CHANGED))


def telling_of(sentences: Sequence[str]) -> str:
    """Return the sentence that best describes a change; by default the first."""
    for form in (_CLEARLY, _CHANGED):
        for sentence in sentences:
            if form.search(sentence):
                return sentence
    return next(iter(sentences), "")


def what_happens(sentence: str) -> AnnouncementKind | None:
    """Return the kind that a sentence announces for the rule above it; None without one."""
    if any(form.search(sentence) for form in _REMOVED):
        return AnnouncementKind.REMOVED
    if any(form.search(sentence) for form in _NEW):
        return AnnouncementKind.NEW
    if _MERGED.search(sentence):
        return AnnouncementKind.MERGED
    if _SPLIT.search(sentence):
        return AnnouncementKind.SPLIT
    if MOVED.search(sentence):
        return AnnouncementKind.MOVED
    return None
