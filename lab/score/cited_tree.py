"""An invented tree of programs and articles that cite rules, with a record of each citation.

All prose is invented. Between the citations are other numbers: versions, prices, addresses.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lab.score.cited_forms import (
    ACCENTED,
    BEHIND,
    BETWEEN,
    COMMENTS,
    DASHES,
    DISTRACTORS,
    ENCODINGS,
    KINDS,
    LETTERS_BETWEEN,
    MARKS,
    PROSE,
    STARTS,
    WEAK,
    WORDS,
)
from lab.score.cited_pool import Pool, pool_of
from lab.score.cited_truth import Claim, Truth, place_of

IGNORED, SKIPPED = "ignored", "picture.bin"
_GITIGNORE = f"{IGNORED}/\n*.min.js\n"


@dataclass(frozen=True, slots=True)
class Slot:
    """A number as written.

    Attributes:
        number: The full number, in small letters.
        start: In code points from the start of the file's text, without a byte order mark.
        end: The end, exclusive.
    """

    number: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation as written.

    Attributes:
        claim: The true outcome.
        form: The form of the citation.
        start: The place of its first word.
        slots: One number, or both ends of a range.
    """

    claim: Claim
    form: str
    start: int
    slots: tuple[Slot, ...]


@dataclass(slots=True)
class Page:
    """A file that is being written.

    Attributes:
        path: Relative to the tree.
        encoding: One of Python's names.
        newline: The line end.
        text: The text so far.
        cited: The citations in order.
    """

    path: str
    encoding: str = "utf-8"
    newline: str = "\n"
    text: str = ""
    cited: list[Cited] = field(default_factory=list[Cited])

    def add(self, text: str) -> None:
        """Append a text."""
        self.text += text.replace("\n", self.newline)

    def cite(self, claim: Claim, form: str, printed: Sequence[str], start: int, dash: str) -> None:
        """Append a citation.

        Args:
            claim: The true outcome.
            form: The form of the citation.
            printed: Its number, or both ends of a range.
            start: The place of its word; -1 if it has none.
            dash: The characters between the two numbers.
        """
        begin = len(self.text) if start < 0 else start
        slots: list[Slot] = []
        for number, shown in zip((claim.first, claim.last), printed, strict=False):
            if slots:
                self.add(dash)
            slots.append(Slot(number, len(self.text), len(self.text) + len(shown)))
            self.add(shown)
        self.cited.append(Cited(claim, form, begin, tuple(slots)))

    def encode(self, text: str) -> bytes:
        """Encode a text as this file is encoded."""
        return MARKS.get(self.encoding, b"") + text.encode(self.encoding)

    def decode(self, data: bytes) -> str:
        """Decode bytes as this file is encoded."""
        return data.removeprefix(MARKS.get(self.encoding, b"")).decode(self.encoding)


class _Writer:
    """Writes files that cite one edition."""

    def __init__(
        self, rng: random.Random, pool: Pool, other_claims: Callable[[], tuple[Claim, str]]
    ):
        self._rng = rng
        self._pool = pool
        self._others = other_claims

    def page(self, path: str) -> Page:
        """Return a file."""
        rng = self._rng
        page = Page(path, rng.choice(ENCODINGS), rng.choice(("\n", "\n", "\r\n")))
        suffix = Path(path).suffix
        write = {".csv": self._csv, ".json": self._json, ".yml": self._yml}.get(suffix)
        if write is None and suffix in {".md", ".txt"}:
            write = self._article
        (write or self._program)(page)
        return page

    # Kinds of files ------------------------------------------------------------------------------

    def _program(self, page: Page) -> None:
        sign = COMMENTS[Path(page.path).suffix]
        for _ in range(self._rng.randint(4, 10)):
            self._code(page)
            match self._rng.randrange(6):
                case 0 if sign.startswith("/"):
                    page.add("    /**\n     * ")
                    self._sentence(page, "     * ")
                    page.add("\n     */\n")
                case 1:
                    page.add(f"    {self._name()}({self._rng.randint(1, 99)})  {sign}")
                    self._group(page, f"    {sign}")
                    page.add("\n")
                case 2:
                    page.add(f'    fail("{self._prose(3)} ')
                    self._group(page, "")
                    page.add('")\n')
                case _:
                    page.add(f"    {sign}")
                    self._sentence(page, f"    {sign}")
                    page.add("\n")

    def _code(self, page: Page) -> None:
        for _ in range(self._rng.randint(1, 4)):
            number = self._rng.choice((17, 702, 704.5, 3.75, 100, 0.5, 601.2))
            page.add(
                f"    {self._name()} = {self._name()}({number}, {self._rng.randint(100, 999)})\n"
            )

    def _article(self, page: Page) -> None:
        page.add(f"# {self._rng.choice(STARTS)}\n\n")
        for _ in range(self._rng.randint(4, 10)):
            page.add(self._rng.choice(("", "", "- ", "> ", "* ")))
            self._sentence(page, "")
            page.add(f" {self._rng.choice(STARTS)} {self._rng.choice(DISTRACTORS)}.\n\n")

    def _csv(self, page: Page) -> None:
        page.add(self._rng.choice(("name,rule,note\n", 'name,"CR",note\n', "id,Rules,note\n")))
        for _ in range(self._rng.randint(4, 12)):
            page.add(f"{self._name()},")
            claims = [self._single() for _ in range(self._rng.choice((1, 1, 1, 2, 3)))]
            sign = self._rng.choice(("; ", " ", "|", ", "))
            mark = '"' if len(claims) > 1 or self._rng.random() < 0.3 else ""
            page.add(mark)
            for place, claim in enumerate(claims):
                page.add(sign if place else "")
                page.cite(claim, "CSV column", [self._capital(claim.first)], -1, "")
            page.add(f"{mark},")
            if self._rng.random() < 0.5:
                page.add(f'"{self._prose(3)} ')
                self._group(page, "")
                page.add('"')
            else:
                page.add(f"{self._prose(2)} 702.9")
            page.add("\n")

    def _json(self, page: Page) -> None:
        page.add("[\n")
        for _ in range(self._rng.randint(4, 10)):
            page.add(f'  {{"name": "{self._name()}", "size": {self._rng.randint(100, 999)}, ')
            if self._rng.random() < 0.3:
                page.add('"')
                start = len(page.text)
                page.add('rules": [')
                for place in range(self._rng.randint(2, 4)):
                    page.add(', "' if place else '"')
                    claim = self._single()
                    page.cite(claim, "JSON list", [claim.first], -1 if place else start, "")
                    page.add('"')
                page.add("]")
            else:
                claim = self._range() if self._rng.random() < 0.2 else self._single()
                page.add('"')
                start = len(page.text)
                page.add('rule": "')
                printed, dash, _ = self._set(claim)
                page.cite(claim, "JSON", printed, start, dash)
                page.add('"')
            page.add(f', "version": "1.702.{self._rng.randint(1, 9)}", "note": "')
            self._group(page, "")
            page.add('"},\n')
        page.add("  {}\n]\n")

    def _yml(self, page: Page) -> None:
        for _ in range(self._rng.randint(4, 8)):
            page.add(f"{self._name()}:\n  size: {self._rng.randint(100, 999)}\n  ")
            start = len(page.text)
            if self._rng.random() < 0.5:
                page.add("rules:\n")
                for place in range(self._rng.randint(2, 4)):
                    page.add("    - ")
                    claim = self._single()
                    page.cite(claim, "YAML list", [claim.first], -1 if place else start, "")
                    page.add("\n")
            else:
                page.add(self._rng.choice(("rule: ", 'rule: "', "rule: '")))
                sign = page.text[-1].strip()
                claim = self._single()
                page.cite(claim, "YAML", [claim.first], start, "")
                page.add(f"{sign}\n")
            page.add("  note: ")
            self._group(page, "  # ")
            page.add("\n")

    # Sentences -----------------------------------------------------------------------------------

    def _sentence(self, page: Page, margin: str) -> None:
        rng = self._rng
        page.add(f"{rng.choice(STARTS)} {self._prose(rng.randint(2, 6))} ")
        if rng.random() < 0.3:
            page.add(f"{rng.choice(DISTRACTORS)}. {rng.choice(STARTS)} {self._prose(2)} ")
        opening = rng.choice(("", "", "(", "[", "see ", "per ", '"', "`"))
        page.add(opening)
        self._group(page, margin)
        # After a section, a number after a comma may be another citation.
        behind = rng.choice(BEHIND if "." in page.cited[-1].claim.first else BEHIND[:8])
        page.add({"(": ")", "[": "]", '"': '"', "`": "`"}.get(opening, behind))
        page.add(f" {self._prose(rng.randint(1, 5))}.")
        if page.encoding in {"latin-1", "cp1252"} or rng.random() < 0.05:
            page.add(f" {rng.choice(ACCENTED)}.")

    def _group(self, page: Page, margin: str) -> None:
        """Write a citation, or a list of citations after one word."""
        match self._rng.random():
            case chance if chance < 0.46:
                self._alone(page, margin)
            case chance if chance < 0.64:
                self._list(page, margin)
            case chance if chance < 0.74:
                self._letters(page)
            case chance if chance < 0.90:
                self._ranged(page, margin)
            case chance if chance < 0.97:
                self._of_sections(page)
            case _:
                self._pinned(page)

    def _alone(self, page: Page, margin: str) -> None:
        form, start = self._word(page, margin)
        claim = self._single()
        printed = self._capital(claim.first)
        form = "capitals" if printed != claim.first else form
        page.cite(claim, form, [printed], start, "")

    def _list(self, page: Page, margin: str) -> None:
        _, start = self._word(page, margin)
        form, between, final = self._rng.choice(BETWEEN)
        length = self._rng.randint(2, 4)
        for place in range(length):
            if place:
                self._part(page, final if place == length - 1 else between, margin)
            claim = self._range() if self._rng.random() < 0.15 else self._single()
            printed, dash, _ = self._set(claim)
            page.cite(claim, form, printed, -1 if place else start, dash)

    def _part(self, page: Page, between: str, margin: str) -> None:
        if margin and between == ", " and self._rng.random() < 0.1:
            page.add(f",\n{margin}")
        else:
            page.add(between)

    def _letters(self, page: Page) -> None:
        if not self._pool.lettered:
            return self._alone(page, "")
        row = self._rng.choice(self._pool.lettered)
        # Nobody writes "704.5a/w".
        first = self._rng.randrange(len(row) - 1)
        near = [
            place
            for place in range(first + 1, min(first + 4, len(row)))
            if ord(_letters_of(row[place].first)[-1]) - ord(_letters_of(row[first].first)[-1]) <= 4
        ]
        length = min(len(near), self._rng.choice((1, 1, 2)))
        chosen = [first, *sorted(self._rng.sample(near, length))]
        _, start = self._word(page, "")
        between, final = self._rng.choice(LETTERS_BETWEEN)
        is_capital = self._rng.random() < 0.1
        for order, place in enumerate(chosen):
            claim = row[place]
            number = claim.first
            if order:
                page.add(final if order == len(chosen) - 1 else between)
                number = _letters_of(number)
            shown = number.upper() if is_capital else number
            page.cite(
                claim, "letters alone" if order else "CR", [shown], -1 if order else start, ""
            )
        return None

    def _ranged(self, page: Page, margin: str) -> None:
        claim = self._range()
        _, start = self._word(page, margin)
        printed, dash, form = self._set(claim)
        page.cite(claim, form, printed, start, dash)

    def _of_sections(self, page: Page) -> None:
        pool, rng = self._pool, self._rng
        word = rng.choice([text for form, text in WORDS if form != "**CR**"])
        start = len(page.text)
        page.add(word)
        if pool.section_ranges and rng.random() < 0.4:
            claim = rng.choice(pool.section_ranges)
            printed = [claim.first, claim.last]
            page.cite(claim, "sections", printed, start, rng.choice(("-", "\u2013", " to ")))
            return
        claims = [rng.choice(pool.sections) for _ in range(rng.choice((1, 1, 2)))]
        for place, claim in enumerate(claims):
            page.add(" and " if place else "")
            page.cite(claim, "sections", [claim.first], -1 if place else start, "")

    def _pinned(self, page: Page) -> None:
        claim, label = self._others()
        form, start = self._word(page, "")
        form = "with its edition"
        page.cite(claim, form, [claim.first], start, "")
        page.add(self._rng.choice((f" ({label})", f" [{label}]", f" (as of {label})")))

    # Small parts ---------------------------------------------------------------------------------

    def _word(self, page: Page, margin: str) -> tuple[str, int]:
        """Write the word before a citation; return its form and its place."""
        form, text = self._rng.choice((*WORDS, *WEAK))
        page.add(text[: len(text) - len(text.lstrip("*"))])
        start, text = len(page.text), text.lstrip("*")
        if margin and text.endswith(" ") and "no." not in text and self._rng.random() < 0.12:
            page.add(f"{text.rstrip()}\n{margin}")
            return "wrapped", start
        page.add(text)
        return form, start

    def _set(self, claim: Claim) -> tuple[list[str], str, str]:
        """Return a citation as printed, its parts, and the form."""
        if not claim.last:
            return [self._capital(claim.first)], "", "CR"
        place = place_of(claim.first)
        dash = self._rng.choice(DASHES)
        is_short = self._rng.random() < 0.6 and len(dash) == 1
        if not is_short or place is None:
            return [claim.first, claim.last], dash, "range in full"
        if place.letters:
            return [claim.first, _letters_of(claim.last)], dash, "range of letters"
        return [claim.first, claim.last.partition(".")[2]], dash, "range of rules"

    def _single(self) -> Claim:
        (kind,) = self._rng.choices(self._pool.singles, self._pool.shares)
        return self._rng.choice(kind)

    def _range(self) -> Claim:
        return self._rng.choice(self._rng.choice(self._pool.ranges))

    def _capital(self, number: str) -> str:
        return number.upper() if self._rng.random() < 0.06 else number

    def _prose(self, length: int) -> str:
        start = self._rng.randrange(len(PROSE) - length)
        return " ".join(PROSE[start : start + length])

    def _name(self) -> str:
        return f"{self._rng.choice(STARTS).lower()}_{self._rng.choice(PROSE)}"


def _letters_of(number: str) -> str:
    place = place_of(number)
    return place.letters if place else ""


def write_tree(
    folder: Path, truth: Truth, labels: Sequence[str], number: int, seed: int
) -> dict[str, Page]:
    """Write a tree; return its files by their paths.

    Args:
        folder: The folder to make.
        truth: The possible citations.
        labels: Editions, each with a folder of its name.
        number: The minimum number of citations.
        seed: The seed of the random numbers.
    """
    rng = random.Random(seed)
    pools = {label: pool_of(truth, label) for label in labels}
    pages: dict[str, Page] = {}
    for label in labels:
        writer = _Writer(rng, pools[label], lambda: _of_another(rng, pools))
        cited = 0
        while cited < number / len(labels):
            path = _path(rng, label, len(pages))
            page = writer.page(path)
            _save(folder / path, page)
            pages[path] = page
            cited += len(page.cited)
        hidden = writer.page(f"{label}/{IGNORED}/{STARTS[0]}.py")
        _save(folder / hidden.path, hidden)
        (folder / label / SKIPPED).write_bytes(b"\x89\0CR 702.9 rule 704.5k\0" * 40)
    (folder / ".gitignore").write_text(_GITIGNORE, "utf-8")
    return pages


def _of_another(rng: random.Random, pools: Mapping[str, Pool]) -> tuple[Claim, str]:
    """Return a citation that names its edition, and so is never rewritten."""
    label = rng.choice(list(pools))
    pool = pools[label]
    (kind,) = rng.choices(pool.singles, pool.shares)
    claim = rng.choice(kind)
    still = Claim(claim.first, "", claim.status, claim.heirs, claim.source, claim.is_exact)
    return still, label


def _path(rng: random.Random, label: str, place: int) -> str:
    inner = rng.choice(("", "src/", "src/core/", "docs/", "src/core/deep/er/"))
    return f"{label}/{inner}{rng.choice(STARTS).lower()}_{place}{rng.choice(KINDS)}"


def _save(path: Path, page: Page) -> None:
    page_bytes = None
    while page_bytes is None:
        try:
            page_bytes = page.encode(page.text)
        except UnicodeEncodeError:  # some old code pages lack some dashes
            page.encoding = "cp1252" if page.encoding == "latin-1" else "utf-8"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(page_bytes)
