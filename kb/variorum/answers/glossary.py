"""The terms of glossaries in texts.

A term is a headword of the glossary in any number, tense and case. The longest headword counts, so
"combat damage" is not a term inside "combat damage step". Headwords that are also ordinary words are terms
only near words that show it: a wrong link costs a reader more than a missing link.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from variorum.answers.stored import kept
from variorum.records.lineage import Term
from variorum.text import Word, fold_in_place, placed_words
from variorum.words import LISTS, stem_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase


# What a headword has besides its words: a remark; a placeholder, as in "[Quality]", for any words.
_BESIDE = re.compile(r"\s*\((?:obsolete|informal)\)$|[-\N{EM DASH}\s]*\[[^\]]*\]|_")
_PARTS = re.compile(r'(?<=,")\s+|,\s+|/')

# Headwords that every reader understands, and forms that do not mean their headword, as "named" of "Name".
_NO_TERMS = {("faces", "up"), *((word,) for word in LISTS["no terms"])}


def _pairs(name: str) -> dict[str, set[str]]:
    pairs = defaultdict[str, set[str]](set)
    for head, _, word in [it.replace("_", " ").partition("/") for it in LISTS[name]]:
        pairs[head].add(word)
    return pairs


# Other names that editions use for an entry's subject; and of headwords that are also ordinary words, those
# of which one must be within so many words.
_ALSO, _NEAR_OF, _REACH = _pairs("other names of terms"), _pairs("terms near"), 12


@cache
def _forms_of(headword: str) -> tuple[tuple[str, ...], ...]:
    """Return the ways to print a headword, without inflection: several terms, or other names."""
    folded = _PARTS.split(_BESIDE.sub("", fold_in_place(headword)))
    parts = [tuple(token.word for token in _tokens(it)) for it in folded]
    also = [tuple(it.split()) for part in parts for it in sorted(_ALSO.get(" ".join(part), ()))]
    return tuple(dict.fromkeys(words for words in (*parts, *also) if words))


def _tokens(text: str) -> list[Word]:
    """Return the words of a text but of cited titles, with a comma for signs or an 's between two of them."""
    tokens, text = list[Word](), _TITLE.sub(lambda title: "," * len(title[0]), text)
    for word in placed_words(text):
        end = tokens[-1].start + len(tokens[-1].word) if tokens else word.start
        if text[end : word.start].strip(" \n-_"):
            tokens.append(Word(",", word.start, word.start))
        tokens.append(word)
    return tokens


def _is_printed(form: tuple[str, ...], words: tuple[str, ...]) -> bool:
    odd = [pair for pair in zip(form, words, strict=False) if pair[0] != pair[1]]
    is_like = len(odd) <= 1 and len(words) == len(form)
    # One word may have another number or tense, but "pair" does not mean "paired".
    return is_like and all(
        stem_of(a) == stem_of(b) and len(a) <= len(b) + len(form) for a, b in odd
    )


# One-word headwords that have a capital within a sentence: subtypes, formats, letters.
_PROPER = LISTS["terms with a capital"]
# Headwords that are terms only with a capital, such as the subtype Case and the number X.
_CAPITAL = LISTS["terms only with a capital"]
# A word may have a capital at the beginning of a sentence or a quotation, and after some signs.
_BEGINS = re.compile(
    r"(?:\A|\n|[.:;?!\"“”(){\[\N{EM DASH}\N{BULLET}/]|[}\]],|\b(?:see|also))[-\N{EN DASH}_\s]*$",
    re.IGNORECASE,
)
_TITLE = re.compile(r"\b(?:[1-9]\d\d(?:\.\d+[a-z]*)?|[Ss]ection [1-9]),? [\"“][^\"”\n]{1,90}[\"”]")
_IN_ADDRESS, _ENDING = re.compile(r"\.\w+/\S*$"), re.compile(r"\]\w")


class Terms:
    """The terms of an edition.

    >>> terms = Terms(["Combat Damage", "Destroy", "Mana Ability"])
    >>> [(it.term, it.text) for it in terms.find("Mana abilities aren’t destroyed.")]
    [('Mana Ability', 'Mana abilities'), ('Destroy', 'destroyed')]
    """

    def __init__(self, headwords: Iterable[str]) -> None:
        # By the stem of its first word: first those with most words, then the shortest, then whole headwords.
        self._forms: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        forms = [(words, headword) for headword in headwords for words in _forms_of(headword)]
        forms.sort(key=lambda it: (-len(it[0]), len("".join(it[0])), len(_forms_of(it[1]))))
        for words, headword in forms:
            self._forms.setdefault(stem_of(words[0]), []).append((words, headword))

    def find(self, text: str, own: str = "") -> list[Term]:
        """Return the terms in a text, in order and without overlaps; not its own headword."""
        tokens, terms, next_word = _tokens(text), list[Term](), 0
        words = tuple(token.word for token in tokens)
        for place, (word, start, _) in enumerate(tokens):
            forms = self._forms.get(stem_of(word), ()) if place >= next_word else ()
            some = [it for it in forms if _is_printed(it[0], words[place : place + len(it[0])])]
            if some[1:]:  # "teams" is of an entry "Teams" rather than of "Team"
                some.sort(key=lambda it: (-len(it[0]), it[0] != words[place : place + len(it[0])]))
            around = words[max(0, place - _REACH) : place + _REACH]
            is_capital = text[start : start + 1].isupper()
            for form, headword in some:
                stop, key = place + len(form), headword.lower()
                near = _NEAR_OF.get(word if len(form) == 1 else "") or _NEAR_OF.get(key)
                is_lower = not is_capital and not _CAPITAL.isdisjoint((key, word))
                is_none = not _NO_TERMS.isdisjoint((form, words[place:stop]))
                if is_none or is_lower or (near and near.isdisjoint(around)):
                    continue
                next_word, end = stop, tokens[stop - 1].start + len(words[stop - 1])
                before = text[max(0, start - 40) : start]
                # A capital within a sentence makes a name. "[type]walk" is not about walking, nor an
                # address about its parts.
                is_name = is_capital and word not in _PROPER and not _BEGINS.search(before)
                is_glued = _IN_ADDRESS.search(before) or _ENDING.match(text, end)
                if headword != own and (len(form) > 1 or not (is_name or is_glued)):
                    terms.append(Term(headword, text[start:end], start, end))
                break
        return terms


# Answers from an open base -----------------------------------------------------------------------


@kept
def terms_of(base: "KnowledgeBase", place: int) -> Terms:
    """Return the finder of an edition's terms in texts."""
    return Terms([it.heading for it in base.held(place) if it.kind == "glossary"])
