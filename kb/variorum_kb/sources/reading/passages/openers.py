"""Reads the beginnings of passages, and notes in brackets."""

import re
from dataclasses import KW_ONLY, dataclass

from variorum_kb.reading.provisions import NEVER_BEGINS_A_RULE
from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.rule_numbers import CHAPTER, RULE, SECTION, letters_after, letters_of, stem_of
from variorum_kb.sources.reading.passages.passages import Claim, PassageKind, Stated
from variorum_kb.text.days import find_day
from variorum_kb.text.sentences import ends_marked_sentence
from variorum_kb.text.words import set_of
from variorum_kb.thresholds.documents import STAMP_WHOLE

BULLET = re.compile(r"(?:[•·◦▪‣●○>|]+|[*+](?![*\d])|\+(?=[1-9]\d\d\b)|[-–](?=\s))\s*(?=\S)")
_BRACKETS = frozenset("()[]")
_LABEL = r'(?P<label>["“]?(?:\*\*|__)?[(\[]?(?:(?:CR|C\.R\.|[Rr]ule|RULE|§)\s*)?)'
_MARK = r"(?P<mark>(?:\*\*|__)?[)\]]?\s*(?:(?:--|[-–—:)])(?=\s))?(?:\*\*|__)?)"
_RULE = re.compile(
    rf"{_LABEL}(?P<printed>(?P<section>{SECTION})\.(?P<gap> ?)(?P<rule>{RULE})(?P<letters>[a-z]{{0,2}})"
    # "702.2bA creature": the number is glued to the words; "704.5MB" is a size.
    r"(?:(?![A-Za-z0-9])\.?|(?=[A-Z][a-z’']?(?:\s|[a-z’'])))"
    # "110.5b.110.5b.": two columns that became one line.
    r"(?:\s?(?P=section)\.(?P=rule)(?P=letters)\.(?!\d))?)"
    rf"{_MARK}(?:\s+|(?=[A-Z“\"‘(])|$)",
    re.ASCII,
)
_MALFORMED = re.compile(
    rf"{_LABEL}(?P<printed>(?P<section>{SECTION})\.(?P<letters>[a-z]{{1,2}})\.?){_MARK}\s+(?=[A-Z])",
    re.ASCII,
)
_HEADED = re.compile(
    rf"{_LABEL}(?P<printed>(?P<number>{SECTION}|{CHAPTER})(?P<period>\.?)){_MARK}\s*"
    r"(?P<heading>[^\d\s.,:;)%/-].*)",
    re.ASCII,
)
_RULING = re.compile(
    rf"(?P<printed>(?P<stem>{SECTION}(?:\.\d+[a-z]{{0,2}})?|[A-Z](?:\.\d+){{0,3}})"
    r"\.(?:Rulings?|Notes?)(?:\.\d+)?)(?P<mark>\s*[-–—:])\s+(?=\S)",
    re.ASCII,
)
_LETTERED = re.compile(
    r"(?P<label>(?:\+\s*)?)(?P<printed>[A-Z](?:\.\d{1,3}){0,3})(?P<mark>\s+-)\s+(?=\S)", re.ASCII
)
_NOTE = re.compile(r"(?P<printed>Notes?|Rulings?)(?P<mark>\s+-|:)\s+(?=\S)", re.ASCII)
# "a. A player …" below rule 100.1: documentation may print subrules as a list.
POINT = re.compile(
    r"(?P<label>)(?P<printed>(?P<letters>[a-z]{1,2})\.)(?P<mark>)\s+(?=[A-Z“\"])", re.ASCII
)
# Words that precede a citation.
CITING_END = re.compile(
    r"(?:\b(?:rules?|subrules?|sections?|see|and|or|to|through|in|by|of|from|under|per|with|CR)|[,(–-])$",
    re.IGNORECASE,
)
LONGEST_HEADING = 80
# "Start Your Engines!" is the name of a keyword.
_EXCLAIMED = re.compile(r"(?:[A-Z][\w’'-]*\s?|for |the |of ){1,5}!")
_SMALL_WORDS = set_of("a an and as at by for from in into of on or the to vs. with without")
# A page may print marks after a note: "+" for new, or a pointer such as "See Rule 606".
_BEHIND = r"(?:\s*(?:\++|\(?See (?:also )?(?:[Rr]ules?|[Ss]ections?) [\w., ]{1,40}\)?\.?)(?=\s*$))*"
_CLAIM = re.compile(
    r"\s*(?:\[(?P<source>[^\[\]]{2,60}?)\s+(?P<day>\d{2,4}/\d{1,2}/\d{1,4}|\d{4}-\d\d-\d\d|\d{4})\]"
    r"|\[(?P<page>[^\[\]]{2,60}(?:\bPages? \d{1,3}|Rule Page|Rulecards|\bFAQ|Rulebook))\])"
    + _BEHIND
)


def without_bullet(text: str) -> str:
    """Return a paragraph without the bullet before it."""
    match = BULLET.match(text)
    return text[match.end() :] if match else text


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a paragraph that opens a passage.

    Attributes:
        kind: The kind of the passage.
        number: Without final period and inner blanks; "" if there is none.
        printed: The number, as printed.
        label: The words before the number: "Rule "; "" if none.
        mark: The sign after the number: " -"; "" if none.
        rest: The remaining words.
        is_dashed: Whether the mark is a dash.
        about: The rule that the number of a ruling contains.
    """

    kind: PassageKind
    number: str
    printed: str
    label: str
    mark: str
    rest: str
    about: str = ""

    @property
    def is_dashed(self) -> bool:
        """Say whether a dash follows the number."""
        return self.mark.strip() in {"-", "–", "—", "--"}


def open_numbered(text: str, *, is_sure: bool = False) -> Opening | None:
    """Read the number of a rule, subrule or ruling at the beginning of a text.

    Args:
        text: A paragraph.
        is_sure: Whether its markup shows that it begins here. Then a small letter may follow.

    >>> opening = open_numbered("702. 37a - A keeper waits.")
    >>> opening.number, opening.printed, opening.rest
    ('702.37a', '702. 37a', 'A keeper waits.')
    >>> open_numbered("[705.1] A lamp burns.").number
    '705.1'
    >>> open_numbered("212.2c).") is None
    True
    """
    match = _RULING.match(text)
    if match:
        stem = match["stem"]
        about = stem if stem[0].isdigit() else ""
        return _opened(match, PassageKind.RULING, match["printed"], text, about)
    match = _RULE.match(text)
    if match is None:
        match = _MALFORMED.match(text)
        if match is None:
            return None
        return _opened(match, PassageKind.RULE, f"{match['section']}.{match['letters']}", text)
    if _is_bracketed(match["label"]) is not _is_bracketed(match["mark"]):
        return None
    following = text[match.end() : match.end() + 1]
    if following in NEVER_BEGINS_A_RULE and not match["mark"].strip(" )]"):
        is_word = is_sure and following.islower() and text[match.end() - 1].isspace()
        if not is_word:
            return None
    number = f"{match['section']}.{match['rule']}{match['letters']}"
    return _opened(match, PassageKind.RULE, number, text)


def open_point(text: str, last: str) -> Opening | None:
    """Read the letter of a subrule that is printed without the number of its rule.

    >>> open_point("a. A lamp burns.", "705.1").number, open_point("c. It is lit.", "705.1b").number
    ('705.1a', '705.1c')
    >>> open_point("b. It is lit.", "705.1") is None
    True
    """
    match = POINT.match(text)
    stem = stem_of(last)
    if match is None or "." not in stem:
        return None
    before = letters_of(last)
    if match["letters"] != (letters_after(before) if before else "a"):
        return None
    return _opened(match, PassageKind.RULE, stem + match["letters"], text)


def _is_bracketed(sign: str) -> bool:
    return not _BRACKETS.isdisjoint(sign)


def open_headed(text: str, *, is_sure: bool = False) -> Opening | None:
    """Read a heading of a chapter or section: "6. Boats", "600 - General", "600: General".

    Args:
        text: A paragraph.
        is_sure: Whether its markup or the text below shows that it is a heading. Then the number
            needs no sign after it.
    """
    match = _HEADED.fullmatch(text)
    if match is None or len(match["heading"]) > LONGEST_HEADING:
        return None
    if _is_bracketed(match["label"] + match["mark"]):
        return None  # "(6) Boats" is a point of a list
    has_sign = match["period"] or match["mark"].strip()
    if not (has_sign or is_sure) or not _is_heading(match["heading"]):
        return None
    number = match["number"]
    printed = match["printed"]
    return Opening(
        PassageKind.HEADING, number, printed, match["label"], match["mark"], match["heading"]
    )


def open_lettered(text: str) -> Opening | None:
    """Read the beginning of a paragraph in a collection with its own numbers.

    >>> open_lettered("A.1.3 - A lamp is lit once.").number
    'A.1.3'
    """
    match = _RULING.match(text)
    if match:
        return _opened(match, PassageKind.RULING, match["printed"], text)
    match = _LETTERED.match(text)
    if match is None:
        return None
    rest = text[match.end() :].rstrip(":")
    is_short = len(rest) <= LONGEST_HEADING and match["printed"].count(".") <= 1
    is_heading = is_short and _is_heading(rest)
    kind = PassageKind.HEADING if is_heading else PassageKind.RULING
    return _opened(match, kind, match["printed"], text)


def open_note(text: str) -> Opening | None:
    """Read the beginning of a note or ruling without a number: "Note - ..."."""
    match = _NOTE.match(text)
    return _opened(match, PassageKind.RULING, "", text) if match else None


def _opened(
    match: re.Match[str], kind: PassageKind, number: str, text: str, about: str = ""
) -> Opening:
    label = match.groupdict().get("label") or ""
    return Opening(kind, number, match["printed"], label, match["mark"], text[match.end() :], about)


def _is_heading(text: str) -> bool:
    begins = text[:1].isupper() or not text[:1].isalpha()
    return begins and not ends_marked_sentence(text)


def is_titled(text: str) -> bool:
    """Say whether a short text has the capitals of a title: "Coin Flips", "Untap Step"."""
    if not text or len(text) > LONGEST_HEADING:
        return False
    if ends_marked_sentence(text) and not _EXCLAIMED.fullmatch(text):
        return False
    words = [word for word in re.findall(r"[A-Za-z]\S*", text) if word not in _SMALL_WORDS]
    return bool(words) and all(word[0].isupper() for word in words)


def opens(text: str) -> bool:
    """Say whether a line may open a paragraph after any other line."""
    rest = without_bullet(text)
    return bool(
        rest != text
        or EXAMPLE.match(rest)
        or open_numbered(rest)
        or POINT.match(rest)
        or open_note(rest)
        or open_lettered(rest)
        or open_headed(rest)
    )


# Claims -------------------------------------------------------------------------------------------


def take_claims(text: str) -> tuple[str, tuple[Claim, ...], tuple[str, ...]]:
    """Return the words of a paragraph without its claims, the claims, and both as printed.

    >>> words, claims, _ = take_claims("A lamp burns. [CompRules 2007/02/01]")
    >>> words, claims[0].source, claims[0].day.isoformat(), claims[0].start, claims[0].end
    ('A lamp burns.', 'CompRules', '2007-02-01', 0, 13)
    """
    words, claims, printed = "", list[Claim](), list[str]()
    start = place = 0
    for match in _CLAIM.finditer(text):
        part = text[place : match.start()]
        words += part if words else part.lstrip()
        printed += [part, match[0].strip()]
        begin = start + (words[start : start + 1] == " ")
        claims.append(_claim(match, begin, len(words)))
        start, place = len(words), match.end()
    rest = text[place:]
    words = words + rest if words else rest.lstrip()
    return words.rstrip(), tuple(claims), (*printed, rest)


def _claim(match: re.Match[str], start: int, end: int) -> Claim:
    source = match["source"] or match["page"]
    return Claim(match[0].strip(), source, find_day(match["day"] or ""), start, end)


# Stamps -------------------------------------------------------------------------------------------

_IN_BRACKETS = r"\((?P<words>[^()]{3,120}(?:\([^()]*\)[^()]{0,60})?)\)"
_MONTH_DAY = r"[A-Z][a-z]+ ?\d{1,2}, ?\d{4}"
_STAMPS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\bthis search (?:is )?(?P<words>based on the .{3,60}? release) of the rulings\.?",
        (
            r"\b(?:from the )?(?P<glossary>glossary of the )?comprehensive rules"
            rf"(?P<after> glossary)?\s*{_IN_BRACKETS}:?"
        ),
        (
            r"\b(?:comprehensive rules|comp\.? ?rules|CR)\b[^.;()]{0,30}?\b(?:effective|dated|as of)"
            rf" (?P<words>{_MONTH_DAY}|\d{{4}}-\d\d-\d\d)"
        ),
        rf"\bthese rules are (?:current|effective) as of (?P<words>{_MONTH_DAY})\.?",
        r"(?:(?<!\S)\S{1,12} )?\bAs of (?P<words>\d{4}-\d\d-\d\d(?:\.\d+)?(?: \([^()]{1,80}\))?)",
        (
            r"\b(?:current )?as of (?:the )?comprehensive rules,? (?P<words>(?:of )?[A-Z][a-z]+ "
            r"(?:\d{1,2}, )?\d{4})"
        ),
        r"\b(?P<words>Magic_?Comp(?:rehensive)?_?Rules[\w% ]{0,20}?\d{8})(?:\.\w{2,4})?",
    )
)


# Every stamp has one of these words; most paragraphs have none.
_MAY_STAMP = re.compile(r"rul|\bCR\b|as of", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stamp:
    """Words that name the edition that follows.

    Attributes:
        stated: The edition, in the words that name it.
        is_glossary: Whether a definition of the glossary follows.
        is_whole: Whether the paragraph says nothing else.
    """

    stated: Stated
    _: KW_ONLY
    is_glossary: bool
    is_whole: bool


def find_stamp(text: str, line: int) -> Stamp | None:
    """Return the words of a paragraph that name the quoted edition; None if there are none."""
    for form in _STAMPS if _MAY_STAMP.search(text) else ():
        match = form.search(text)
        if match:
            words = match["words"]
            if words[0].islower() and not words.startswith(("based", "of ")):
                continue  # "(in particular section 614)"
            groups = match.groupdict()
            is_glossary = bool(groups.get("glossary") or groups.get("after"))
            is_whole = len(match[0]) > STAMP_WHOLE * len(text.strip(" |*_"))
            stated = Stated(words, find_day(words), line)
            return Stamp(stated, is_glossary=is_glossary, is_whole=is_whole)
    return None
