"""Lay the texts that ever stood over a page: the one matcher of words.

It needs only the texts and the editions that print them. Where four words in a row of a page stand
in a text, that text may be laid there: word for word, or alike, or a part of it. The longest goes
first, and no word of a page is covered twice.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from variorum.quoting.alignment import GAP, Alignment, align
from variorum.quoting.page import PageNumber, PageOfWords, find_numbers
from variorum.quoting.printed_texts import SEED, PrintedTexts, Words

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


class Option(NamedTuple):
    """A text that words of a page may be, the part of it that they are, and the share that agrees."""

    text: int
    start: int
    end: int
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
    """A text aligned with the page."""

    text: int
    at: Alignment
    is_in_place: bool

    @property
    def rank(self) -> tuple[float, float]:
        """Return what the best of several texts has most of."""
        at = self.at
        length = (at.end - at.start + at.text_end - at.text_start) / 2
        bonus = _IN_PLACE * at.matched if self.is_in_place else 0.0
        return at.matched - GAP * (length - at.matched) + bonus, -length

    @property
    def option(self) -> Option:
        at = self.at
        return Option(self.text, at.text_start, at.text_end, min(at.likeness, 1.0))


class Matcher:
    """Lays known texts over one page."""

    def __init__(self, page: PageOfWords, known: PrintedTexts) -> None:
        self._page, self._known = page, known
        self._numbers = {number.behind: number for number in find_numbers(page)}
        self._beginnings = {number.start for number in self._numbers.values()}
        self._covered = bytearray(len(page.words))
        self._laid: list[Laid] = []
        self._aligned = 0
        self._is_prose = False

    def lay(self) -> list[Laid]:
        """Return the texts laid over the page, in its order."""
        self._lay_exact()
        self._lay_headings()
        self._lay_alike()
        laid = sorted(self._laid)
        # Of a bulletin, most numbers head prose.
        self._is_prose = sum([text.number != "" for text in laid]) < self.count_unlaid()
        befores = [0, *[text.end for text in laid]]
        untils = [*[text.lead for text in laid[1:]], len(self._covered)]
        return [*map(self._with_rest, befores, laid, untils)]

    def count_unlaid(self) -> int:
        """Return how many numbers head a paragraph over which no text was laid."""
        numbers = self._numbers.values()
        return sum(self._heads(number) and not self._covered[number.start] for number in numbers)

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

    def _heads(self, number: PageNumber) -> bool:
        return self._page.begins_line(number.start) and "." in number.number

    def _is_free(self, start: int, end: int) -> bool:
        return not any(self._covered[start:end])

    # Exact ---------------------------------------------------------------------------------------

    def _lay_exact(self) -> None:
        """Lay the texts that fill paragraphs word for word, the longest first."""
        shown, known = self._page.words, self._known
        places: list[tuple[int, int, int]] = []
        for start in range(len(shown)):
            for text in known.beginning(shown[start : start + SEED]):
                words = known.words[text]
                end = start + len(words)
                if shown[start:end] == words and self._may_stand(start, end, text):
                    places.append((-len(words), start, text))
                    break
        for length, start, text in sorted(places):
            if self._is_free(start, start - length):
                self._cover(start, start - length, (Option(text, 0, -length, 1.0),))

    def _may_stand(self, start: int, end: int, text: int) -> bool:
        """Return whether a whole text may stand here, and not a part of a longer one."""
        if not self._is_end(end):
            return False
        is_start = self._is_start(start) or self._page.words[start - 1] == _EXAMPLE
        return (is_start and end - start >= SEED) or self._heading(start, [text]) > 0

    def _heading(self, start: int, texts: Iterable[int]) -> int:
        """Return how many words before a place are a heading of one of some texts."""
        known, words = self._known, self._page.words
        printings = {place.printing for text in texts for place in known.places[text]}
        for heading in sorted(
            {known.headings[index] for index in printings}, key=len, reverse=True
        ):
            if heading and words[max(start - len(heading), 0) : start] == heading:
                return len(heading)
        return 0

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
        places = self._open_seeds()
        # The seeds of each text that the page has, and in how many texts each stands.
        seeds = [
            [(offset, seed) for offset, seed in enumerate(_seeds(words)) if seed in places]
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
            if hits:
                length = min(len(self._known.words[text]), len(self._covered))
                yield from _clustered(text, length, sorted(hits))

    def _open_seeds(self) -> dict[Words, list[int]]:
        """Return the seeds of the page of which no word is covered, with their places."""
        places: dict[Words, list[int]] = defaultdict(list)
        for place, seed in enumerate(_seeds(self._page.words)):
            if self._is_free(place, place + SEED) and len(places[seed]) < _MOST_PLACES_OF_SEED:
                places[seed].append(place)
        return {seed: some for seed, some in places.items() if some}

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
        likely = sorted(filter(self._is_like, filter(None, aligned)), key=lambda found: found.rank)
        if not likely:
            return
        best = likely[-1].at
        options = [
            found.option
            for found in reversed(likely)
            if found.at.start < best.end and best.start < found.at.end
        ]
        is_part = options[0].end - options[0].start < len(self._known.words[options[0].text])
        if is_part and options[0].likeness == 1.0:
            options = self._containing(options[0]) + [o for o in options if o.likeness < 1.0]
        self._cover(best.start, best.end, tuple(options), is_part=is_part)

    def _containing(self, option: Option) -> list[Option]:
        """Return all texts that contain the words of one, that one first."""
        words = self._known.words[option.text][option.start : option.end]
        texts = [text for text in self._known.containing(words) if text != option.text]
        return [option, *[Option(text, 0, len(words), 1.0) for text in texts]]

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
        at = self._to_edges(at._replace(start=at.start + low, end=at.end + low), words)
        at = self._with_other_words(at, low, high, len(words))
        number = self._numbers.get(at.start)
        had_it = number is not None and self._known.had_number(cluster.text, number.number)
        return _Found(cluster.text, at, had_it)

    def _to_edges(self, at: Alignment, words: Words) -> Alignment:
        """Take in a word of which the page's edge leaves a part."""
        first, last = self._page.words[0], self._page.words[-1]
        if at.start == 1 and at.text_start and words[at.text_start - 1].endswith(first):
            at = at._replace(start=0, text_start=at.text_start - 1, matched=at.matched + 1)
        if at.end == len(self._covered) - 1 and "".join(words[at.text_end :][:1]).startswith(last):
            at = at._replace(end=at.end + 1, text_end=at.text_end + 1, matched=at.matched + 1)
        return at

    def _with_other_words(self, at: Alignment, low: int, high: int, length: int) -> Alignment:
        """Take in other words that the page has for the beginning or the end of the text."""
        for place, missing, near, is_edge in (
            (at.start, at.text_start, range(at.start - 1, low - 1, -1), self._is_start),
            (at.end, length - at.text_end, range(at.end + 1, high + 1), self._is_end),
        ):
            if not missing or self._is_firm(place):
                continue
            edge = next(filter(is_edge, near[: 2 * missing + 4]), place)
            if edge != place and _is_near(abs(edge - place), missing):
                if edge < place:
                    at = at._replace(start=edge, text_start=0)
                else:
                    at = at._replace(end=edge, text_end=length)
        return at

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

    # Words put in --------------------------------------------------------------------------------

    def _with_rest(self, before: int, laid: Laid, until: int) -> Laid:
        """Return a numbered rule with the other words of its paragraph, up to the next texts."""
        words = laid.end - laid.start
        most = max(_MOST_PUT_IN, words)
        if laid.options and not laid.number:
            laid = self._from_number(laid, max(before, laid.start - most))
        if not laid.options or not laid.number or not self._page.begins_line(laid.lead):
            return laid
        end = self._end_of_paragraph(laid.end, min(until, laid.end + most))
        share = 2 * words / (words + end - laid.start)
        options = [option._replace(likeness=option.likeness * share) for option in laid.options]
        return laid._replace(end=end, options=tuple(options)) if share < 1.0 else laid

    def _from_number(self, laid: Laid, low: int) -> Laid:
        """Return a text with the number that heads its paragraph, and the words behind that."""
        for place in range(laid.start, low - 1, -1):
            number = self._numbers.get(place)
            if number and self._heads(number):
                is_below = "\n" in self._page.around(place, place)
                if is_below and self._is_prose:
                    break
                return laid._replace(start=place, lead=number.start, number=number.number)
            if place == 0 or self._is_aside(place) or (not number and self._is_firm(place)):
                break
        return laid

    def _end_of_paragraph(self, end: int, most: int) -> int:
        """Return where the paragraph ends; the same place if an aside follows."""
        for place in range(end, most + 1):
            if self._is_firm(place) or (place > end and self._is_end(place)):
                return place
            if self._is_aside(place):
                break
        return end


def _seeds(words: Words) -> Iterator[Words]:
    return zip(words, words[1:], words[2:], words[3:], strict=False)


def _is_near(size: int, other: int) -> bool:
    """Return whether words of a page may stand for other words of a text."""
    return abs(size - other) <= max(3, max(size, other) // 2)


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
