"""What the editions say of a page: which of them it quotes, and which passages agree with them."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from functools import reduce
from itertools import chain, pairwise
from operator import or_
from typing import NamedTuple

from msgspec import structs
from rapidfuzz.distance import Prefix

from variorum.answers.witnesses import BARE
from variorum.history.word_diffs import word_diff
from variorum.quoting.match import Laid, Matcher
from variorum.quoting.page import NUMBERED, Page, is_program, words_of
from variorum.quoting.texts import NEAR, PrintedTexts, Printing, places_of, runs_of
from variorum.records.answer import Piece
from variorum.records.document import Claim, StatedDate
from variorum.rows import named
from variorum.store.reader import PassageRow
from variorum.text import find_days, shortened

# Kinds of a page, by how much of it is rules.
EDITION, EXCERPT, QUOTING, NOTHING = "edition", "excerpt", "commentary", "nothing"
# The page's edition has the words, under the number that the page prints; only others do, or it has
# them under another number; no edition has them.
AGREES, ELSEWHERE, DIFFERS = "agrees", "agrees elsewhere", "differs"
# A document of which less is rules is commentary that quotes some; one with so much of an edition is
# that edition, or a copy of it.
_RULES, _EDITION = 0.2, 0.8
# A page quotes no later edition than the day it states, if one by then has nearly as many passages.
_NEARLY = 0.9
# In commentary, fewer words are laid by chance; of another game's rules, this share may resemble ours.
_FEWEST_WORDS, _OF_OTHER_RULES, _MOST_DAYS, _LINE = 8, 0.05, 200, 400
# A part may be of the rule that the page names if so much of it agrees. Between two paragraphs that it
# quotes, a page may leave out some.
_LIKE, _SKIPPED = 0.8, range(1, 5)
_BRACKETED = re.compile(r"\[[^\[\]]{0,60}\]")
_SIGNS = ".,:;!?)”’\"'"
# A day behind words: "[CompRules 2007/02/01]". Other sources ("Mirage, Page 29") can't be checked.
_CLAIM = re.compile(r"[\s.)\]\"”]{0,20}\[([^\[\]]{0,60})\]")
_OF_RULES = re.compile(r"comp|rule|\bcr\b", re.IGNORECASE)


class Identity(NamedTuple):
    """What the editions say of a page; each passage is compared with its edition, else the last that has it.

    `edition` is the place of the edition that it quotes, `ties` are all that fit as well, oldest
    first; `counts` tells with how many passages each edition agrees, the best first; `stated` are the
    days outside its passages; `commentary` has the two ends of each part that is no passage.
    """

    kind: str
    passages: list[PassageRow]
    edition: int | None
    ties: list[int]
    counts: list[tuple[int, int]]
    stated: list[StatedDate]
    commentary: list[tuple[int, int]]


def identify(page: Page, known: PrintedTexts) -> Identity:
    """Return which editions a page quotes, and which of its passages agree with them."""
    laid, size = Matcher(page, known).laid, len(page.words)
    are_rules = sum([text.end - text.lead for text in laid]) >= _RULES * size
    if not are_rules:  # all games have a section "General"
        laid = [text for text in laid if text.end - text.start >= _FEWEST_WORDS]
        laid = [] if is_program(page.text) else laid
    laid = laid if len(laid) >= _OF_OTHER_RULES * len(NUMBERED.findall(page.text)) else []
    edges = [0, *[edge for text in laid for edge in (text.lead, text.end)], size]
    commentary = [(end, lead) for end, lead in [*pairwise(edges)][::2] if lead > end]
    said = "\n".join([_BRACKETED.sub("", page.around(*part)) for part in commentary]).split("\n")
    stated = [(day, line) for line in map(str.strip, said) for day in find_days(line)][:_MOST_DAYS]
    days = sorted([day for day, _ in stated])
    found: list[_Quoted] = []
    for text in laid:
        if not (found and found[-1].takes(text)):
            found.append(_Quoted(text, known))
    for quoted in found:
        quoted.settle()
    # With how many passages each edition agrees, or of how many it has the words at least.
    counts = Counter(place for quoted in found for place in places_of(quoted.agreeing))
    counts = counts or Counter(place for quoted in found for place in places_of(quoted.by_words))
    kind = (EXCERPT if are_rules else QUOTING) if laid else NOTHING
    ties = _choose(found, counts, days, known) if counts or kind == EXCERPT else []
    if ties:
        printed = [state for state in known.printings if state.editions >> ties[-1] & 1]
        is_whole = len({quoted.likest(None, None) for quoted in found}) >= _EDITION * len(printed)
        kind = EDITION if is_whole else kind
    if kind == QUOTING and ties:
        is_early = not days or (known.days[ties[0]] - days[-1]).days <= NEAR
        if 2 * counts[ties[0]] <= len(found) or not is_early:
            ties = []  # its quotations do not tell its edition
    edition = None
    if ties:  # in force on a stated day, else the nearest to it, else the last
        meant = [known.in_force(day) for day in reversed(days)] or [ties[-1]]
        before = [place for place in ties if place <= meant[0]] or ties[:1]
        edition = next((place for place in meant if place in ties), before[-1])
    passages: list[PassageRow] = []
    for quoted in found:
        last = known.printings[passages[-1].provision or 0] if passages else None
        passages.append(_passage(quoted, quoted.likest(edition, last), edition, page))
    ranked = sorted(counts.items(), key=lambda count: (-count[1], count[0] not in ties, count[0]))
    fits = {day: known.in_force(day) in ties if ties else None for day in days}
    dated = [StatedDate(it.isoformat(), shortened(line, _LINE), fits[it]) for it, line in stated]
    return Identity(kind, passages, edition, ties, ranked, dated, commentary)


def _choose(
    found: Sequence["_Quoted"], counts: Counter[int], days: Sequence[date], known: PrintedTexts
) -> list[int]:
    """Return the editions that fit best; of these, those to which the other passages are the most like."""
    everywhere = range(len(known.days))
    until = everywhere[: known.in_force(days[-1]) + 1 if days else 0]
    most = max([counts[place] for place in until], default=-1)
    if most < _NEARLY * max(counts.values(), default=0):
        until, most = everywhere, max([counts[place] for place in everywhere])
    best = [place for place in until if counts[place] == most]
    telling = [it for it in found if any(not it.by_words >> place & 1 for place in best)]
    alike = [round(sum([it.likeness_in(place) for it in telling]), 3) for place in best]
    return [place for place, like in zip(best, alike, strict=True) if like == max(alike)]


# Passages ----------------------------------------------------------------------------------------


class _Quoted:
    """A provision as a page quotes it: its words, and the examples that follow.

    By the states that it may be, `_agreed` tells how many words agree, and `_last` which paragraph of
    those that have the last text.
    """

    def __init__(self, text: Laid, known: PrintedTexts) -> None:
        self.known, self.laid, self._last = known, list[Laid](), dict[int, int]()
        self._agreed: dict[int, float] = defaultdict(float)
        self.takes(text)

    def takes(self, text: Laid) -> bool:
        """Take in a text, unless it is no later paragraph of this provision."""
        first = self.laid[0] if self.laid else None
        if first and (text.number or text.heading):
            return False
        standing: dict[int, tuple[int, float]] = {}
        for option, likeness in reversed(text.options.items()):
            for at in reversed(self.known.places[option]):
                # Without names, examples follow a rule; paragraphs of an entry may each be one.
                number = self.known.printings[at.printing].number
                is_named = first is None or first.number or first.heading or number
                last = self._last.get(at.printing, at.first)
                if is_named and (first is None or at.first - last in _SKIPPED):
                    standing[at.printing] = at.last, likeness
        for state, (_, likeness) in standing.items():
            self._agreed[state] += likeness * (text.end - text.start)
        if standing:
            self.laid.append(text)
            self._last = {state: last for state, (last, _) in standing.items()}
        return bool(standing)

    def settle(self) -> None:
        """Say of the whole passage how like it is to each state, and which editions have it."""
        known, first = self.known, self.laid[0]
        self.number, self.is_part = first.number, any(text.is_part for text in self.laid)
        names = self.number, tuple(words_of(first.heading))
        total = sum([text.end - text.start for text in self.laid])
        self.likeness = {state: round(it / total, 9) for state, it in self._agreed.items()}
        own = {
            state: known.printings[state].number or known.headings[state] for state in self.likeness
        }
        self.named = {state for state, name in own.items() if name in names}
        like = {it: self.likeness[it] for it in self.named if self.likeness[it] >= _LIKE}
        if like and first.is_part and "." in self.number:
            self.likeness = like  # it is not the same words of another rule
        having = {state for state, like in self.likeness.items() if like == 1.0}
        by_name, self.by_words = map(known.editions_of, (having & self.named, having))
        self.agreeing = by_name if "." in self.number else by_name or self.by_words

    def likest(self, edition: int | None, before: Printing | None) -> int:
        """Return the likest state, of an edition if possible; of twins the nearest to another."""

        def rank(state: int) -> tuple[bool, float, bool, int]:
            own = self.known.printings[state]
            is_there = edition is not None and bool(own.editions >> edition & 1)
            numbers = [own.number, before.number if before else ""]
            nearness = Prefix.similarity(*[number or "glossary" for number in numbers])
            return is_there, self.likeness[state], state in self.named, nearness

        return max(self.likeness, key=rank)

    def likeness_in(self, place: int) -> float:
        """Return how like the passage is to an edition."""
        having = [at for at in self.likeness if self.known.printings[at].editions >> place & 1]
        return max([self.likeness[at] for at in having], default=0.0)


def _passage(quoted: _Quoted, state: int, edition: int | None, page: Page) -> PassageRow:
    laid, known, number = quoted.laid, quoted.known, quoted.number
    printing = known.printings[state]
    verdict = ELSEWHERE if quoted.by_words else DIFFERS
    if quoted.agreeing if edition is None else quoted.agreeing >> edition & 1:
        verdict = AGREES
    is_named = number or (laid[0].heading and not printing.number)
    texts = [page.quoted(text.start, text.end) for text in laid]
    pieces = list[Piece]()
    if verdict != AGREES:
        pieces = word_diff("\n".join(printing.paragraphs).rstrip(_SIGNS), "\n".join(texts))
        # Without the words of a part, or the paragraphs, that the page leaves out at either end.
        signs = "".join([sign for sign, _ in pieces])
        first, last = [quoted.is_part or "\n" in pieces[end][1] for end in (0, -1)]
        end = len(pieces) - (last and signs.endswith("=-"))
        pieces = pieces[first and signs.startswith("-=") : end]
    places, having = places_of(printing.editions), quoted.agreeing or quoted.by_words
    place = edition if edition in places else places[-1]
    said = structs.replace(
        BARE,
        number=number or printing.number or None,
        headword=None if printing.number else printing.heading,
        supplied=None if is_named else "number" if printing.number else "headword",
        verdict=verdict,
        editions=[[known.labels[end] for end in run] for run in runs_of(having)],
        stands=named(printing.number, printing.heading),
        is_part=quoted.is_part,
        likeness=round(quoted.likeness[state], 3),
        pieces=pieces if any(sign != "=" for sign, _ in pieces) else [],
        claims=[claim for text in laid if (claim := _claim(text, number, edition, page, known))],
        line=page.line_of(laid[0].lead),
        words="\n".join([" ".join(text.split()) for text in texts]),
        edition=known.labels[place],
    )
    return PassageRow(state, None, place, said)


def _claim(
    text: Laid, number: str, edition: int | None, page: Page, known: PrintedTexts
) -> Claim | None:
    """Return the claim behind a text; None without one."""
    match = _CLAIM.match(page.around(text.end, text.end + 20))
    words = " ".join(match[1].split()) if match else ""
    day = next(iter(find_days(words)), None)
    if day is None:
        return None
    exact = [known.places[option] for option, like in text.options.items() if like == 1.0]
    under: dict[str, int] = defaultdict(int)  # the editions that have the words, by number
    for printing in [known.printings[place.printing] for place in chain(*exact)]:
        under[printing.number] |= printing.editions
    everywhere = reduce(or_, under.values(), 0)
    numbered = under[number] if number else everywhere
    verdict, meant = "unknown", known.meant(day)
    if meant and numbered and _OF_RULES.search(words):
        # From these editions on the words stand, or stand under one number.
        numbers = [own for name, own in under.items() if name]
        new, moved = [
            [at for at in meant if any((own & ~(own << 1)) >> at & 1 for own in runs)]
            for runs in ([everywhere], numbers)
        ]
        verdict = "confirmed (words)" if new else "confirmed (number)" if moved else "contradicted"
        meant = new or moved or meant
    since = [
        next((known.labels[a] for a, z in runs_of(own) if edition in range(a, z + 1)), None)
        for own in (everywhere, numbered)
    ]
    return Claim(words, day.isoformat(), verdict, known.labels[meant[0]] if meant else None, *since)
