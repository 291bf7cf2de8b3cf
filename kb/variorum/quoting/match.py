"""Lay the texts that ever stood over a page: the one matcher of words.

It needs only the texts and the editions that print them. Where four words in a row of a page stand
in a text, that text may be laid there: word for word, or alike, or a part of it. The longest goes
first, and no word of a page is covered twice.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from rapidfuzz.distance import Indel, Postfix, Prefix

from variorum.quoting.page import Page, PageNumber, find_numbers
from variorum.quoting.texts import SEED, PrintedTexts, Words
from variorum.text import set_of

# A word that does not match costs so much of one that does; a text that had the page's number is worth more.
_GAP, _IN_PLACE = 0.7, 0.15
# Four words that stand in more texts than this tell nothing ("of the game the"); of equal lines, the first count.
_MOST_TEXTS_WITH_SEED, _MOST_PLACES_OF_SEED = 200, 50
# Aligning is the costly step: a damaged edition of 125,000 words needs it 11,000 times. To find some
# words in all texts takes as long as so many. So many texts with this share of the best one's seeds are tried.
_MOST_ALIGNED, _COST_OF_SEARCH, _MOST_RIVALS, _RIVAL = 20_000, 20, 15, 0.6
# A text, or a part of one, is laid alike if this share of words agrees; or less, under a number that it had.
_ALIKE, _ALIKE_PART, _ALIKE_IN_PLACE = 0.8, 0.9, 0.6
# A part of a text is laid if so many words agree; fewer are enough between quotation marks, and
# where they fill a paragraph (or are a whole text) or a page. Cards share phrases with the rules.
_FEWEST_OF_A_PART, _FEWEST_IN_QUOTES, _FEWEST_IN_A_PARAGRAPH, _FEWEST_OF_A_PAGE = 16, 10, 6, 4
# Words that name a column, or introduce a quotation, between a number and the rule's words.
_BETWEEN = set_of(
    "body content definition description number reads rule rules says states term text title"
)
# So many words at least, put in before or behind a numbered text, belong to its paragraph.
_MOST_BETWEEN, _MOST_PUT_IN, _EXAMPLE = 3, 25, "example"
# A number behind words, as in: until end of turn.” (rule 611.2a)
_NUMBER_BEHIND = re.compile(
    r"[ .,;:'\"”’)]*(?:[(\[]|[—–-] )(?:[\w.]+ ){0,3}([1-9]\d\d\.\d{1,3}[a-z]{0,2})\b"
)
_QUOTES = re.compile('["“”…]|[.]{3}')
_SENTENCE_END = re.compile("[.:!?]")
# Between paragraphs, not only wrapped lines; or before what a page says in a rule's paragraph.
_PARAGRAPH_END = re.compile(
    r"\n[^\n]*\n|[.:!?][^\n]*\n|\n[^\n]*[.:!?]|^[^\n]*(?:[\[({<|—–]|\s[\"“*#-])[^\n]*$"
)


class Alignment(NamedTuple):
    """The words of a text and of a page in which most agrees, and how many agree."""

    text_start: int
    text_end: int
    start: int
    end: int
    matched: float

    def likeness(self, start: int, end: int, size: int = 0) -> float:
        """Return the share that agrees of these words of the page, too, and of a text of this size."""
        shown = max(self.end, end) - min(self.start, start)
        return min(2 * self.matched / ((size or self.text_end - self.text_start) + shown), 1.0)


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
        if parted and "".join(parted) == "".join(glued):  # they count half
            score, matched = score + len(parted + glued) / 2, matched + len(parted + glued) / 2
        else:
            score -= _GAP * max(len(parted), len(glued))
        if score <= 0:
            score, matched, text_from, page_from = 0.0, 0.0, start, here
        text_at, page_at = start + size, here + size
        score, matched = score + size, matched + size
        if score > most:
            most, best = score, Alignment(text_from, text_at, page_from, page_at, matched)
    if best is None:
        return None
    # Words before and behind that agree, too; others between them cost too much.
    before = Postfix.similarity(text[: best.text_start], page[: best.start])
    behind = Prefix.similarity(text[best.text_end :], page[best.end :])
    ends = best.text_end + behind, best.start - before, best.end + behind
    return Alignment(best.text_start - before, *ends, best.matched + before + behind)


class Laid(NamedTuple):
    """Words of a page that are one of some texts: its options, the likeliest first, with their likeness.

    They go from the word `start` up to `end`; the number and the heading right before them, ""
    without any, begin at `lead`. Of a part, the page lacks words.
    """

    start: int
    end: int
    lead: int
    number: str
    heading: str
    options: dict[int, float]
    is_part: bool = False


class _Cluster(NamedTuple):
    """Seeds of one text that lie near each other on a page; it would begin at the word `shift`."""

    score: int
    text: int
    first: int
    last: int
    shift: int


class _Found(NamedTuple):
    """A text aligned with the page; the best of several has the most points, then lacks the fewest words."""

    points: float
    lacking: int
    text: int
    at: Alignment
    is_in_place: bool


class Matcher:
    """Lays known texts over one page: `laid`, in its order."""

    def __init__(self, page: Page, known: PrintedTexts) -> None:
        self._page, self._known = page, known
        numbers = [*find_numbers(page)]
        self._numbers: dict[int, PageNumber] = {}
        for number in numbers:
            for behind in range(number.behind, number.behind + 1 + _MOST_BETWEEN):
                self._numbers.setdefault(behind, number)
                if behind == len(page.words) or page.words[behind] not in _BETWEEN:
                    break
        self._beginnings = {number.start for number in numbers}
        self._covered = bytearray(len(page.words))
        self._aligned = 0
        self.laid: list[Laid] = []
        self._lay_whole()
        self._lay_alike()
        self.laid.sort()

    # Layout --------------------------------------------------------------------------------------

    def _is_start(self, word: int) -> bool:
        is_example = word > 0 and self._page.words[word - 1] == _EXAMPLE
        is_behind = is_example or word in self._numbers or word in self._joints
        return is_behind or self._page.is_parted(word)

    def _is_end(self, word: int) -> bool:
        page = self._page
        is_sentence = _SENTENCE_END.search(page.around(word, word)) is not None
        if page.words[word : word + 1] == (_EXAMPLE,):
            return is_sentence
        if word in self._beginnings or word in self._joints or page.is_parted(word):
            return True
        is_count = is_sentence and page.words[word].isdigit()  # of messages: "… this turn. 3/"
        is_behind = _NUMBER_BEHIND.match(page.text, page.ends[word - 1]) is not None
        return is_behind or (is_count and self._is_line_end(word + 1))

    def _is_line_end(self, word: int) -> bool:
        return word in self._beginnings or self._page.begins_line(word)

    def _is_quoted(self, start: int, end: int) -> bool:
        return all(_QUOTES.search(self._page.around(place, place)) for place in (start, end))

    def _edge(
        self, word: int, step: int, is_edge: Callable[[int], bool], most: int, missing: int = 0
    ) -> int:
        """Return the first edge before or behind a word within so many, else the word itself.

        Nothing is put in beyond a paragraph, nothing covered or said aside is passed, and what stands
        for missing words of a text has about as many.
        """
        for place in range(word, word + step * most, step):
            is_outermost = place in {0, len(self._covered)} or place in self._numbers
            if is_outermost or _PARAGRAPH_END.search(self._page.around(place, place)):
                break
            if self._covered[min(place, place + step)]:
                break
            if is_edge(place + step):
                size = abs(place + step - word)
                is_near = abs(size - missing) <= max(3, max(size, missing) // 2)
                return place + step if is_near or not missing else word
        return word

    # Exact ---------------------------------------------------------------------------------------

    def _lay_whole(self) -> None:
        """Lay the texts that fill paragraphs or quotations word for word, the longest first."""
        page, known = self._page, self._known
        found = [
            (start, start + len(known.words[text]), text)
            for start, size in product(range(len(page.words)), range(SEED, 0, -1))
            for text in known.beginning.get(page.words[start : start + size], ())
            if page.words[start : start + len(known.words[text])] == known.words[text]
        ]
        long = [(start, end, text) for start, end, text in found if end - start >= SEED]
        joints = {self._name_before(at, [text])[1] for at, _, text in long} & {at[1] for at in long}
        self._joints = {at for at in joints if _SENTENCE_END.search(page.around(at, at))}
        whole = [at for at in found if self._may_stand(*at)]
        for start, end, text in sorted(whole, key=lambda at: (at[0] - at[1], at)):
            if not any(self._covered[start:end]):
                others = self._having(text, 0, end - start) if self._is_quoted(start, end) else {}
                self._cover(start, end, {text: 1.0} | others)

    def _having(self, text: int, start: int, end: int) -> dict[int, float]:
        """Return the texts that have some words of a text as options, if these are not too many."""
        self._aligned += _COST_OF_SEARCH
        words = f" {' '.join(self._known.words[text][start:end])} "
        texts = self._known.containing(words) if self._aligned < _MOST_ALIGNED else []
        return dict.fromkeys(texts, 1.0)

    def _may_stand(self, start: int, end: int, text: int) -> bool:
        """Return whether a whole text may stand here, and not a part of a longer one, or two texts."""
        page, known = self._page, self._known
        is_title = page.words[start:end] in known.all_headings
        quotes = [_QUOTES.search(page.around(at, at)) for at in (start, end) if not is_title]
        if not (any(quotes[1:]) or self._is_end(end)):
            return False
        number, _, begin = self._name_before(start, [text])
        if begin < start or (number and number.number in known.numbers[text]):
            return True
        texts, words = known.texts, page.words  # two that have a line each
        breaks = [at for at in range(start + 1, end) if page.begins_line(at)]
        if any(words[start:at] in texts and words[at:end] in texts for at in breaks):
            return False
        return end - start >= SEED and (any(quotes[:1]) or self._is_start(start))

    # Names ---------------------------------------------------------------------------------------

    def _name_before(self, start: int, texts: Iterable[int]) -> tuple[PageNumber | None, int, int]:
        page, words = self._page, self._page.words
        headings = {heading for text in texts for heading in self._known.heads[text]}
        # The end of a sentence is no heading: See rule 502.7, “Protection.”
        is_end = page.around(start, start)[:1] in {".", "!", "?"}
        places = {max(start - len(heading), 0) for heading in headings}
        begins = [at for at in places if words[at:start] in headings]
        begins = [at for at in begins if not is_end or at in self._numbers or page.is_parted(at)]
        begin = min(begins, default=start)
        lead = begin - (begin > 0 and words[begin - 1] == _EXAMPLE)
        number = self._numbers.get(lead) or self._numbers.get(begin)
        return number, min(lead, number.start) if number else lead, begin

    def _cover(self, start: int, end: int, options: dict[int, float], lacking: int = 0) -> None:
        page = self._page
        found, lead, begin = self._name_before(start, options)
        cited = _NUMBER_BEHIND.match(page.text, page.ends[end - 1])
        number = found.number if found else cited[1].lower() if cited else ""
        if "." not in number and not any(number in self._known.numbers[text] for text in options):
            number = ""  # it counts the senses of an entry
        if any(self._covered[lead:start]):
            lead, number = start, "" if found else number
        name = number, page.quoted(begin, start)
        self.laid.append(Laid(start, end, lead, *name, options, lacking < 0))
        self._covered[lead:end] = b"\1" * (end - lead)

    # Alike ---------------------------------------------------------------------------------------

    def _lay_alike(self) -> None:
        """Lay texts over what no text covers word for word, those with most seeds first."""
        clusters = sorted(self._clusters(), reverse=True)
        near: dict[int, list[_Cluster]] = defaultdict(list)
        for cluster in clusters:
            for bucket in range(cluster.first >> 5, (cluster.last >> 5) + 1):
                near[bucket].append(cluster)
        for cluster in clusters:
            score, _, first, last, _ = cluster
            middle = (first + last) // 2
            if self._covered[middle] or self._covered[first] or self._aligned >= _MOST_ALIGNED:
                continue
            rivals = [
                each
                for each in near[middle >> 5][: 4 * _MOST_RIVALS]
                if each.score >= _RIVAL * score and each.first <= last and first <= each.last
            ]
            tried = dict.fromkeys([cluster, *rivals[: _MOST_RIVALS + 1]])
            aligned = sorted(filter(None, map(self._align, tried)), reverse=True)
            if best := next(filter(self._is_like, aligned), None):
                self._lay_best(best, aligned)

    def _clusters(self) -> Iterator[_Cluster]:
        """Yield the seeds of each text that lie near each other where nothing is covered."""
        page, known = self._page.words, self._known.words
        places: dict[Words, list[int]] = defaultdict(list)
        for place, seed in enumerate(_seeds(page)):
            if (
                not any(self._covered[place : place + SEED])
                and len(places[seed]) < _MOST_PLACES_OF_SEED
            ):
                places[seed].append(place)
        seeds = [
            [(offset, seed) for offset, seed in enumerate(_seeds(words)) if places.get(seed)]
            for words in (known if places else ())
        ]
        standing = Counter(seed for some in seeds for seed in {seed for _, seed in some})
        for text, some in enumerate(seeds):
            # A word put in shifts the rest a little.
            length = min(len(known[text]), len(page)) // 6
            starts: dict[int, dict[int, int]] = defaultdict(dict)
            for offset, seed in some:
                for place in places[seed] if standing[seed] <= _MOST_TEXTS_WITH_SEED else ():
                    starts[(place - offset) // (6 + length)][place] = place - offset
            for near in starts.values():
                if len(near) >= min(4, 1 + length):
                    yield _Cluster(len(near), text, min(near), max(near), near[min(near)])

    def _lay_best(self, best: _Found, aligned: Sequence[_Found]) -> None:
        """Lay the best of some texts that are aligned with the same words of the page."""
        _, lacking, text, at, _ = best
        (start, end), options = self._with_rest(at.start, at.end), dict[int, float]()
        for found in [best, *aligned]:
            size = 0 if lacking else len(self._known.words[found.text])
            likeness = found.at.likeness(start, end, size)
            if not options or likeness >= _ALIKE_IN_PLACE:
                options.setdefault(found.text, likeness)
        if lacking and options[text] == 1.0:
            same = self._having(text, at.text_start, at.text_end)
            options = {text: 1.0} | same | {it: like for it, like in options.items() if like < 1.0}
        self._cover(start, end, options, lacking)

    def _is_like(self, found: _Found) -> bool:
        page, at, is_in_place = self._page, found.at, found.is_in_place
        whole = 2 * at.matched / (at.end - at.start + len(self._known.words[found.text]))
        likeness = at.likeness(at.start, at.end)
        if whole >= (_ALIKE_IN_PLACE if is_in_place else _ALIKE):
            return is_in_place or at.matched >= _FEWEST_IN_A_PARAGRAPH
        if at.end - at.start >= _ALIKE * len(page.words):
            return likeness >= _ALIKE_IN_PLACE and at.matched >= _FEWEST_OF_A_PAGE
        is_paragraph = page.begins_line(at.start) and self._is_line_end(at.end)
        is_quoted = likeness == 1.0 and self._is_quoted(at.start, at.end)
        fewest = _FEWEST_IN_QUOTES if is_quoted else _FEWEST_OF_A_PART
        if is_in_place or (likeness == 1.0 and is_paragraph):
            fewest = _FEWEST_IN_A_PARAGRAPH
        return likeness >= (_ALIKE if is_in_place else _ALIKE_PART) and at.matched >= fewest

    def _align(self, cluster: _Cluster) -> _Found | None:
        self._aligned += 1
        shown, words = self._page.words, self._known.words[cluster.text]
        slack = 8 + len(words) // 4
        low = max(min(cluster.shift, cluster.first) - slack, 0)
        high = max(cluster.shift + len(words), cluster.last + SEED) + slack
        low = max(low, self._covered.rfind(1, low, cluster.first) + 1)
        covered = self._covered.find(1, cluster.first, high)
        at = align(words, shown[low : high if covered < 0 else covered])
        if at is None:
            return None
        at = at._replace(start=at.start + low, end=at.end + low)
        found = self._found(self._with_other_words(at, words), cluster.text)
        return found if self._is_like(found) else self._found(at, cluster.text)

    def _found(self, at: Alignment, text: int) -> _Found:
        number, *_ = self._name_before(at.start, [text])
        had_it = number is not None and number.number in self._known.numbers[text]
        length = (at.end - at.start + at.text_end - at.text_start) / 2
        points = at.matched - _GAP * (length - at.matched) + _IN_PLACE * at.matched * had_it
        lacking = at.text_end - at.text_start - len(self._known.words[text])
        return _Found(points, lacking, text, at, had_it)

    def _with_other_words(self, at: Alignment, words: Words) -> Alignment:
        """Take in other words that the page has for the beginning or the end of a text."""
        before, behind = at.text_start, len(words) - at.text_end
        if before and not self._is_quoted(at.start, at.end):
            start = self._edge(at.start, -1, self._is_start, 2 * before + 4, before)
            at = at._replace(start=start, text_start=0 if start < at.start else before)
        if behind and not self._is_quoted(at.start, at.end):
            end = self._edge(at.end, 1, self._is_end, 2 * behind + 4, behind)
            at = at._replace(end=end, text_end=len(words) if end > at.end else at.text_end)
        return at

    def _with_rest(self, start: int, end: int) -> tuple[int, int]:
        """Return the words of a numbered paragraph that has others before or behind a text."""
        begins_line = self._page.begins_line

        def is_headed(word: int) -> bool:
            number = self._numbers.get(word)
            is_rule = number is not None and "." in number.number and begins_line(number.start)
            return is_rule and not begins_line(word)

        most = max(_MOST_PUT_IN, end - start)
        first = self._edge(start, -1, is_headed, most)
        last = self._edge(end, 1, self._is_line_end, most)
        return (first, last) if is_headed(first) else (start, end)


def _seeds(words: Words) -> Iterator[Words]:
    return zip(words, words[1:], words[2:], words[3:], strict=False)
