"""Lay the texts that ever stood over a page: the one matcher of words.

It needs only the texts and the editions that print them. Where four words in a row of a page stand
in a text, that text may be laid there: word for word, or alike, or a part of it. The longest goes
first, and no word of a page is covered twice.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

from variorum.quoting.page import Page, find_numbers
from variorum.quoting.printed_texts import SEED, PrintedTexts, Words

# A word that does not match costs so much of one that does.
_GAP = 0.7
# Four words that stand in more texts than this tell nothing ("of the game the").
_MOST_TEXTS_WITH_SEED = 200
# A page of equal lines has the same seed everywhere; so many of its places are tried.
_MOST_PLACES_OF_SEED = 50
# Aligning is the costly step: a damaged edition of 125,000 words needs it 11,000 times.
_MOST_ALIGNED = 20_000
# So many texts with this share of the best one's seeds are aligned beside it.
_MOST_RIVALS, _RIVAL = 16, 0.6
# A text is laid alike if this share of words agrees; less is enough under a number that it had.
_ALIKE, _ALIKE_IN_PLACE = 0.8, 0.6
# Of texts equally like, one that had the page's number goes first, and before some that are liker.
_IN_PLACE = 0.15
# Fewer words are laid alike only under a number that the text had.
_FEWEST_ALIKE = 6
# A part of a text is laid if so many words agree; fewer are enough between quotation marks, and
# where they fill a paragraph. Cards share phrases with the rules.
_FEWEST_OF_A_PART, _FEWEST_IN_QUOTES, _FEWEST_IN_A_PARAGRAPH = 16, 10, 6
# A page may be one quotation, as on the command line.
_FEWEST_OF_A_PAGE = 4
# So many words at least, put in before or behind a numbered text, belong to its paragraph.
_MOST_PUT_IN = 25
_EXAMPLE = "example"
_ENDING = frozenset(".:!?")
_QUOTES = re.compile('["“”]')
# Behind these a page says something of its own in a rule's paragraph.
_ASIDE = re.compile(r"[\[({<|—–]|\s[\"“*#-]")


class Alignment(NamedTuple):
    """The words of a text and of a page in which most agrees, and how many agree."""

    text_start: int
    text_end: int
    start: int
    end: int
    matched: float

    @property
    def likeness(self) -> float:
        """Return the share of words that agree, from 0 to 1."""
        return 2 * self.matched / (self.text_end - self.text_start + self.end - self.start)


def align(text: Words, page: Words) -> Alignment | None:
    """Return the best alignment of a part of a text with a part of a page; None if no word is common."""
    best = None
    most = score = matched = 0.0
    text_from = page_from = text_at = page_at = 0
    for opcode in Indel.opcodes(text, page):
        if opcode.tag != "equal":
            continue
        start, here, size = opcode.src_start, opcode.dest_start, opcode.src_end - opcode.src_start
        parted, glued = text[text_at:start], page[page_at:here]
        if not parted and page[page_at : page_at + size] == text[start : start + size]:
            here = page_at  # the page has these words twice
        elif not parted and page[here - start + text_from : here] == text[text_from:start]:
            page_from = here - start + text_from  # likewise those before
        elif parted and "".join(parted) == "".join(glued):  # they count half
            score, matched = score + len(parted + glued) / 2, matched + len(parted + glued) / 2
        else:
            score -= _GAP * max(len(parted), len(glued))
        if score <= 0:
            score, matched, text_from, page_from = 0.0, 0.0, start, here
        text_at, page_at = start + size, here + size
        score, matched = score + size, matched + size
        if score > most:
            most, best = score, Alignment(text_from, text_at, page_from, page_at, matched)
    return best and _closed(best, text, page)


def _closed(at: Alignment, text: Words, page: Words) -> Alignment:
    """Take in words before and behind that agree, too; others between them cost too much."""
    text_start, text_end, start, end, _ = at
    while text_start and start and text[text_start - 1] == page[start - 1]:
        text_start, start = text_start - 1, start - 1
    while text_end < len(text) and end < len(page) and text[text_end] == page[end]:
        text_end, end = text_end + 1, end + 1
    added = at.start - start + end - at.end
    return Alignment(text_start, text_end, start, end, at.matched + added)


class Option(NamedTuple):
    """A text that words of a page may be, and the share that agrees."""

    text: int
    likeness: float


class Laid(NamedTuple):
    """Words of a page that are one of some texts, or a heading without a text.

    They go from the word `start` up to `end`; the number and the heading right before them, ""
    without any, begin at `lead`. The likeliest option is the first. Of a part, the page lacks words.
    """

    start: int
    end: int
    lead: int
    number: str
    heading: str
    options: tuple[Option, ...]
    is_part: bool = False


class _Cluster(NamedTuple):
    """Seeds of one text that lie near each other on a page; it would begin at the word `shift`."""

    score: int
    text: int
    first: int
    last: int
    shift: int


class _Found(NamedTuple):
    """A text aligned with the page; the best of several has the highest rank."""

    rank: tuple[float, int]
    text: int
    at: Alignment
    is_in_place: bool

    @property
    def option(self) -> Option:
        return Option(self.text, min(self.at.likeness, 1.0))


class Matcher:
    """Lays known texts over one page."""

    def __init__(self, page: Page, known: PrintedTexts) -> None:
        self._page, self._known = page, known
        self._numbers = {number.behind: number for number in find_numbers(page)}
        self._beginnings = {number.start for number in self._numbers.values()}
        self._covered = bytearray(len(page.words))
        self._laid: list[Laid] = []
        self._aligned = 0

    def lay(self) -> list[Laid]:
        """Return the texts laid over the page, in its order."""
        self._lay_exact()
        self._lay_headings()
        self._lay_alike()
        # Of a bulletin, most numbers head prose.
        self._is_prose = sum([text.number != "" for text in self._laid]) < self.count_unlaid()
        return [self._with_rest(laid) for laid in sorted(self._laid)]

    def count_unlaid(self) -> int:
        """Return how many numbers head a paragraph over which no text was laid."""
        numbers = self._numbers.values()
        return sum(
            "." in number.number
            and self._page.begins_line(number.start)
            and not self._covered[number.start]
            for number in numbers
        )

    # Layout --------------------------------------------------------------------------------------

    def _is_start(self, word: int) -> bool:
        return word in self._numbers or self._page.begins_line(word)

    def _is_end(self, word: int) -> bool:
        return word in self._beginnings or self._page.begins_line(word)

    def _is_firm(self, word: int) -> bool:
        """Return whether a paragraph ends or begins before a word, not only a wrapped line."""
        if word in (0, len(self._covered)) or word in self._numbers:
            return True
        between = self._page.around(word, word)
        return "\n" in between and (between.count("\n") > 1 or not _ENDING.isdisjoint(between))

    def _is_aside(self, word: int) -> bool:
        between = self._page.around(word, word)
        return "\n" not in between and _ASIDE.search(between) is not None

    def _heads(self, word: int) -> bool:
        """Return whether a number that heads a paragraph stands before a word."""
        number = self._numbers.get(word)
        if number is None or "." not in number.number:
            return False
        is_below = self._is_prose and "\n" in self._page.around(word, word)
        return self._page.begins_line(number.start) and not is_below

    def _is_free(self, start: int, end: int) -> bool:
        return not any(self._covered[start:end])

    # Exact ---------------------------------------------------------------------------------------

    def _lay_exact(self) -> None:
        """Lay the texts that fill paragraphs word for word, the longest first."""
        places: list[tuple[int, int, int]] = []
        for start in range(len(self._covered)):
            for text, end in self._whole_texts(start):
                if self._may_stand(start, end, text):
                    places.append((start - end, start, text))
                    break
        for length, start, text in sorted(places):
            if self._is_free(start, start - length):
                self._cover(start, start - length, (Option(text, 1.0),))

    def _whole_texts(self, start: int) -> Iterator[tuple[int, int]]:
        """Yield the texts that the page has from a word on, the longest first, and where they end."""
        for text in self._known.beginning(self._page.words[start : start + SEED]):
            words = self._known.words[text]
            if self._page.words[start : start + len(words)] == words:
                yield text, start + len(words)

    def _may_stand(self, start: int, end: int, text: int) -> bool:
        """Return whether a whole text may stand here, and not a part of a longer one."""
        if not self._is_end(end):
            return False
        is_start = self._is_start(start) or self._page.words[start - 1] == _EXAMPLE
        return (is_start and end - start >= SEED) or self._heading(start, [text]) > 0

    def _heading(self, start: int, texts: Sequence[int]) -> int:
        """Return how many words before a place are a heading of one of some texts."""
        known, words = self._known, self._page.words
        headings = {
            known.headings[place.printing] for text in texts for place in known.places[text]
        }
        sizes = [
            len(heading)
            for heading in headings
            if heading and words[max(start - len(heading), 0) : start] == heading
        ]
        return max(sizes, default=0)

    def _lay_headings(self) -> None:
        """Lay headings that stand alone behind a number: "705. Flipping a Coin"."""
        known, words = self._known, self._page.words
        for number in self._numbers.values():
            start, behind = number.start, number.behind
            is_start = self._page.begins_line(start) or self._is_aside(start)
            if not is_start and not self._covered[start - 1]:
                continue
            headings = {known.headings[index] for index in known.by_number.get(number.number, ())}
            for heading in sorted(headings, key=len, reverse=True):
                end = behind + len(heading)
                is_free = end > behind and self._is_free(start, end)
                if is_free and words[behind:end] == heading and self._is_end(end):
                    shown = self._page.quoted(behind, end)
                    self._laid.append(Laid(behind, end, start, number.number, shown, ()))
                    self._covered[start:end] = b"\1" * (end - start)

    # Alike ---------------------------------------------------------------------------------------

    def _lay_alike(self) -> None:
        """Lay texts over what no text covers word for word, those with most seeds first."""
        clusters = sorted(self._clusters(), reverse=True)
        near: dict[int, list[_Cluster]] = defaultdict(list)
        for cluster in clusters:
            for bucket in range(cluster.first >> 5, (cluster.last >> 5) + 1):
                near[bucket].append(cluster)
        for cluster in clusters:
            middle = (cluster.first + cluster.last) // 2
            is_free = not (self._covered[middle] or self._covered[cluster.first])
            if is_free and self._aligned < _MOST_ALIGNED:
                self._lay_best(cluster, near[middle >> 5][: 4 * _MOST_RIVALS])

    def _clusters(self) -> Iterator[_Cluster]:
        # The seeds of the page of which no word is covered, with their places.
        places: dict[Words, list[int]] = defaultdict(list)
        for place, seed in enumerate(_seeds(self._page.words)):
            if self._is_free(place, place + SEED) and len(places[seed]) < _MOST_PLACES_OF_SEED:
                places[seed].append(place)
        # The seeds of each text that the page has, and in how many texts each stands.
        seeds = [
            [(offset, seed) for offset, seed in enumerate(_seeds(words)) if places.get(seed)]
            for words in (self._known.words if places else ())
        ]
        standing = Counter(seed for some in seeds for seed in {seed for _, seed in some})
        for text, some in enumerate(seeds):
            hits = [
                (place - offset, place)
                for offset, seed in some
                if standing[seed] <= _MOST_TEXTS_WITH_SEED
                for place in places[seed]
            ]
            length = min(len(self._known.words[text]), len(self._covered))
            yield from _clustered(text, length, sorted(hits))

    def _lay_best(self, cluster: _Cluster, near: Sequence[_Cluster]) -> None:
        rivals = [
            rival
            for rival in near
            if rival is not cluster
            and rival.score >= _RIVAL * cluster.score
            and rival.first <= cluster.last
            and cluster.first <= rival.last
        ]
        aligned = map(self._align, [cluster, *rivals[: _MOST_RIVALS - 1]])
        likely = sorted(filter(self._is_like, filter(None, aligned)), reverse=True)
        if not likely:
            return
        _, text, best, _ = likely[0]
        options = [
            found.option
            for found in likely
            if found.at.start < best.end and best.start < found.at.end
        ]
        words = self._known.words[text][best.text_start : best.text_end]
        is_part = len(words) < len(self._known.words[text])
        if is_part and options[0].likeness == 1.0:
            same = [Option(same, 1.0) for same in self._known.containing(words) if same != text]
            options = [options[0], *same, *[option for option in options if option.likeness < 1.0]]
        self._cover(best.start, best.end, tuple(options), is_part=is_part)

    def _is_like(self, found: _Found) -> bool:
        """Return whether enough agrees for a text, or for a part of one."""
        page, at = self._page, found.at
        whole = 2 * at.matched / (at.end - at.start + len(self._known.words[found.text]))
        is_close = at.likeness >= _ALIKE
        if found.is_in_place:
            in_place = is_close and at.matched >= _FEWEST_IN_A_PARAGRAPH
            return in_place or whole >= _ALIKE_IN_PLACE
        if whole >= _ALIKE and at.matched >= _FEWEST_ALIKE:
            return True
        if at.end - at.start >= _ALIKE * len(page.words):
            return at.likeness >= _ALIKE_IN_PLACE and at.matched >= _FEWEST_OF_A_PAGE
        fewest = _FEWEST_OF_A_PART
        if at.likeness == 1.0:
            around = page.around(at.start, at.start) + page.around(at.end, at.end)
            if page.begins_line(at.start) and self._is_end(at.end):
                fewest = _FEWEST_IN_A_PARAGRAPH
            elif len(_QUOTES.findall(around)) > 1:
                fewest = _FEWEST_IN_QUOTES
        return is_close and at.matched >= fewest

    def _cover(
        self, start: int, end: int, options: tuple[Option, ...], *, is_part: bool = False
    ) -> None:
        """Lay a text, with the heading and the number before it."""
        texts = [option.text for option in options]
        named = start - self._heading(start, texts)
        before = named - (named > 0 and self._page.words[named - 1] == _EXAMPLE)
        found = self._numbers.get(before) or self._numbers.get(start)
        lead, number = (min(found.start, before), found.number) if found else (before, "")
        if "." not in number and not any(self._known.had_number(text, number) for text in texts):
            number = ""  # it counts the senses of an entry
        if not self._is_free(lead, start):
            lead = start
        heading = self._page.quoted(named, start)
        self._laid.append(Laid(start, end, lead, number, heading, options, is_part))
        self._covered[lead:end] = b"\1" * (end - lead)

    def _align(self, cluster: _Cluster) -> _Found | None:
        """Align a text with the page around its seeds."""
        self._aligned += 1
        shown, words = self._page.words, self._known.words[cluster.text]
        slack = 8 + len(words) // 4
        low = max(min(cluster.shift, cluster.first) - slack, 0)
        high = max(cluster.shift + len(words), cluster.last + SEED) + slack
        low = max(low, self._covered.rfind(1, low, cluster.first) + 1)
        covered = self._covered.find(1, cluster.first, high)
        high = min(high, len(shown)) if covered < 0 else covered
        at = align(words, shown[low:high])
        if at is None:
            return None
        at = self._with_cut_words(at._replace(start=at.start + low, end=at.end + low), words)
        at = self._with_other_words(at, words)
        number = self._numbers.get(at.start)
        had_it = number is not None and self._known.had_number(cluster.text, number.number)
        length = (at.end - at.start + at.text_end - at.text_start) / 2
        points = at.matched - _GAP * (length - at.matched) + _IN_PLACE * at.matched * had_it
        missing = len(words) - at.text_end + at.text_start
        return _Found((points, -missing), cluster.text, at, had_it)

    # Edges of paragraphs -------------------------------------------------------------------------

    def _with_cut_words(self, at: Alignment, words: Words) -> Alignment:
        """Take in a word of which the page's edge leaves a part."""
        first, last = self._page.words[0], self._page.words[-1]
        if at.start == 1 and at.text_start and words[at.text_start - 1].endswith(first):
            at = at._replace(start=0, text_start=at.text_start - 1, matched=at.matched + 1)
        if at.end == len(self._covered) - 1 and "".join(words[at.text_end :][:1]).startswith(last):
            at = at._replace(end=at.end + 1, text_end=at.text_end + 1, matched=at.matched + 1)
        return at

    def _with_other_words(self, at: Alignment, words: Words) -> Alignment:
        """Take in other words that the page has for the beginning or the end of a text."""
        before, behind = at.text_start, len(words) - at.text_end
        if before:
            start = self._edge(at.start, -1, 2 * before + 4, self._is_start, past_asides=True)
            if start < at.start and _is_near(at.start - start, before):
                at = at._replace(start=start, text_start=0)
        if behind:
            end = self._edge(at.end, 1, 2 * behind + 4, self._is_end, past_asides=True)
            if end > at.end and _is_near(end - at.end, behind):
                at = at._replace(end=end, text_end=len(words))
        return at

    def _with_rest(self, laid: Laid) -> Laid:
        """Return a rule with the other words that its paragraph has, from its number to the end."""
        if not laid.options:
            return laid
        size = laid.end - laid.start
        most = max(_MOST_PUT_IN, size)
        if not laid.number:
            start = self._edge(laid.start, -1, most, self._heads)
            if start < laid.start:
                number = self._numbers[start]
                laid = laid._replace(start=start, lead=number.start, number=number.number)
        if not laid.number or not self._page.begins_line(laid.lead):
            return laid
        end = self._edge(laid.end, 1, most, self._is_end)
        share = 2 * size / (size + end - laid.start)
        options = [option._replace(likeness=option.likeness * share) for option in laid.options]
        return laid._replace(end=end, options=tuple(options)) if share < 1.0 else laid

    def _edge(
        self,
        word: int,
        step: int,
        most: int,
        is_edge: Callable[[int], bool],
        *,
        past_asides: bool = False,
    ) -> int:
        """Return the first edge before or behind a word within so many, else the word itself.

        Nothing is put in where a paragraph ends firmly, and nothing covered is passed.
        """
        if self._is_firm(word) or (self._is_aside(word) and not past_asides):
            return word
        for place in range(word + step, word + step * (most + 1), step):
            if self._covered[min(place, place - step)]:
                break
            if is_edge(place):
                return place
            if self._is_firm(place) or (self._is_aside(place) and not past_asides):
                break
        return word


def _is_near(size: int, other: int) -> bool:
    """Return whether words of a page may stand for other words of a text."""
    return abs(size - other) <= max(3, max(size, other) // 2)


def _seeds(words: Words) -> Iterator[Words]:
    return zip(words, words[1:], words[2:], words[3:], strict=False)


def _clustered(text: int, length: int, hits: Sequence[tuple[int, int]]) -> Iterator[_Cluster]:
    """Group the seeds of a text by where it would begin; a word put in shifts the rest a little."""
    slack, fewest = 6 + length // 6, min(4, 1 + length // 6)
    group: list[tuple[int, int]] = []
    for shift, place in (*hits, (1 << 40, 0)):
        if group and shift - group[-1][0] > slack:
            places = {place for _, place in group}
            if len(places) >= fewest:
                middle, _ = group[len(group) // 2]
                yield _Cluster(len(places), text, min(places), max(places), middle)
            group = []
        group.append((shift, place))
