"""Recognises other documents of the game, and rules of other games, by their titles."""

import re
from collections.abc import Sequence
from itertools import pairwise

_OF_THE_GAME = (
    ("the Magic Tournament Rules", r"tournament rules|floor rules|\bMTR\b"),
    ("the Infraction Procedure Guide", r"infraction procedure guide|\bpenalty guid|\bIPG\b"),
    ("Judging at Regular", r"judging at (?:regular|rules enforcement)|\bJAR\b"),
)
_GAMES = (
    r"netrunner|lorcana|flesh (?:and|&) blood|pok[eé]mon|yu-?gi-?oh|one piece card|digimon|hearthstone"
    r"|keyforge|star wars|legends of runeterra|final fantasy (?:tcg|trading)|grand archive|riftbound"
    r"|force of will|cardfight|wei(?:ss|ß) schwarz|dungeons & dragons|arkham horror|marvel champions"
    r"|legend of the five rings|sorcery:|gwent|warhammer|altered tcg|union arena|shadowverse"
)
_OTHER_GAME = re.compile(rf"(?:{_GAMES})", re.IGNORECASE)
_RULES = re.compile(
    r"(?P<name>.{3,60}?)\W+(?:comprehensive|complete|official|core|basic|game) "
    r"(?:rules?(?: ?book| reference)?|rulings)\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"magic|\bmtg\b|the gathering", re.IGNORECASE)
# The fields at the head of a page in Markdown.
_FRONT_TITLE = re.compile(r"(?:doc)?title:\s*[\"']?(?P<title>.*?)[\"']?", re.IGNORECASE)
_FRONT = re.compile(r"-{3,}|[a-z_]+:\s*\S+", re.ASCII)
_HEAD, _LONGEST = 12, 100
_PLAYED = re.compile(r"\bgame\b", re.IGNORECASE)
_RULES_WORD = re.compile(r"\b(?:rules?|rulebook|guide|reference)\b", re.IGNORECASE)


def foreign_document(texts: Sequence[str]) -> str:
    """Return the name of another document of the game, or of another game; "" for the rules.

    >>> foreign_document(["Magic: The Gathering", "Tournament Rules", "Effective May 5, 2023"])
    'the Magic Tournament Rules, another document of the game'
    >>> foreign_document(["# Netrunner Comprehensive Rules v1.5"])
    'the rules of another game: Netrunner Comprehensive Rules v1.5'
    >>> foreign_document(["705. Flipping a Coin", "705.1. See the Magic Tournament Rules."])
    ''
    """
    shown = [
        match["title"] if (match := _FRONT_TITLE.fullmatch(text)) else text
        for text in (line.strip(" #*_=|>\t") for line in texts)
        if text and not _FRONT.fullmatch(text)
    ][:_HEAD]
    titles = [
        text for text in shown if len(text) <= _LONGEST and not text.endswith((".", ":", ","))
    ]
    both = [f"{first} {second}" for first, second in pairwise(titles[:4])]
    for title in (*titles[:4], *both):
        for name, form in _OF_THE_GAME:
            if re.fullmatch(
                rf"(?:\W*(?:the|magic|gathering|dci|universal|official|wpn|\(r\)|[®™])\b\W*)*"
                rf"(?:{form})\w*.{{0,40}}",
                title,
                re.IGNORECASE,
            ):
                return f"{name}, another document of the game"
        if _OTHER_GAME.search(title) and _RULES_WORD.search(title):
            return f"the rules of another game: {title}"
    return ""


def names_another_game(head: Sequence[str], text: str) -> str:
    """Return the name of another game that the head of a document names as its own.

    Return "" if it names none.

    Args:
        head: Its first lines.
        text: The whole text. If it also names this game, it may compare the two games.

    >>> names_another_game(["These rules are for cards of the game Netrunner."], "A runner runs.")
    'Netrunner'
    """
    if _OWN.search(text):
        return ""
    named = (_OTHER_GAME.search(line) for line in head if _PLAYED.search(line))
    return next((match[0] for match in named if match), "")


def other_game(texts: Sequence[str]) -> str:
    """Return the title of another rulebook.

    Return "" if there is no such title.

    >>> other_game(["Harbour Masters Complete Rulebook", "1. Ships"])
    'Harbour Masters Complete Rulebook'
    """
    for text in [line.strip(" #*_=|>\t") for line in texts][:_HEAD]:
        if len(text) <= _LONGEST and _RULES.match(text) and not _OWN.search(text):
            return text
    return ""
