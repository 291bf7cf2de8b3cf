"""The vocabulary of pages: paragraphs, entries, word diffs, and sentences about steps, numbers and witnesses.

A command yields lines, a paragraph each. A line is broken only when it is printed, where the terminal is
narrower; it goes on at its mark HANG, or four columns further in than it began.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from operator import itemgetter
from shlex import join
from textwrap import wrap

import click

from variorum.answers.crosswalk import destination_of, namesakes, since_when
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import NUMBER
from variorum.answers.refs import cites
from variorum.answers.witnesses import name_of_witness, told
from variorum.records.answer import Piece
from variorum.records.document import Passage
from variorum.records.lineage import CrosswalkRow, OtherRule
from variorum.rows import EditionRow, headword_of, kinds_of, name_of
from variorum.terminal import GREEN, HANG, PLAIN, RED, bold, shown
from variorum.text import doubted, fold_title, shortened, without_middle

# Longer lines are hard to read; only rows of a table are as wide as the terminal.
_WIDEST = 100
EXAMPLE = "Example: "
CONTEXT = 8  # so many unchanged words are shown on each side of a change
_CELL = 40  # longer cells of a table go beyond their column
# As in history/word_diffs.py.
_MARKS = {"-": ("[-", "-]", RED), "+": ("{+", "+}", GREEN)}
REMOVED = "removed"
# The words for classes of changes that leave a rule as it is.
CLASSES = {
    "sweep": "wording changed throughout",
    "citation-only": "only cites new numbers",
    "typographic": "typographic",
}
# The words behind a number of provisions, by what happened to them.
COUNTED = {
    "same": "the same",
    "new": "new",
    "moved_in": "from elsewhere",
    "parts": "split off or copied",
    "substantive": "reworded",
    "merged": "merged",
    "moved_out": "moved elsewhere",
    "gone": REMOVED,
    "uncertain": "uncertain",
    "sweep": "with wording changed throughout",
    "moved_only": "only renumbered or renamed",
    "citation_only": "only citing new numbers",
    "typographic": "changed in typography",
}
# Questions in words, in small letters: the command that answers them, and what they are about.
_IT, _ON, _END = r"(?:the |an? )?(?P<words>.+?)", r"(?: (?:in|on|as of) (?P<on>[\w-]+))?", r"\W*$"
_PAST = (
    r"^(?:(?:when|how|how often) (?:was|were|did(?: they \w+)?|has|have)|(?:what )?(?:happened|changed|changes) (?:to|with|about|in)"
    r"|who changed|history of) "
    rf"{_IT}(?: (?:been|added|appear|away|changed?|come|go|gone|introduced|out|history|removed|renamed))*(?: (?:in|since) \S+)?{_END}"
)
_WHAT = r"^(?:(?:what|how)(?: number| rule)?(?:['’]?s| is| are| was| were| does| did) )?"
QUESTIONS = (
    ("history", _PAST),
    ("refs", rf"^(?:what|which|where)\b.* cite[sd]? (?:by )?{_IT}{_END}"),
    ("show", rf"\b(?P<words>[1-9]\d\d\.\d+[a-z]{{0,2}})\b(?: say| mean)?{_ON}"),
    ("show", rf"{_WHAT}{_IT}(?: mean| do| say| work)?{_ON}{_END}"),
    ("since", rf"\b(?:what|which|new|change[ds]?)\b.* since {_IT}{_END}"),
    (
        "diff",
        rf"^(?:.*\b(?:between|from) )?(?P<words>\S+ (?:(?:and|to|vs\.?) \S+?|\S*\d\S*?)){_END}",
    ),
    ("changes", rf"\b(?:new|happened|change[ds]?)\b.* (?:in|of|with) {_IT}{_END}"),
    ("show", r"^(?P<on>\S*\d\S*) (?P<words>.+)$"),
    (
        "editions",
        rf"^(?:.*\b(?:is|(?:edition|rules|force) (?:of|in|on)) )?{_IT}(?: edition)?{_END}",
    ),
    ("search", _PAST),
    ("search", r"^(?P<words>.*[a-z{/].*)$"),
)
SHORT = 160  # characters of a rule that only has to be recognised
_MOST_EARLIER, _FEW = 3, 60
# Words of headings that the rules capitalise within sentences.
_NAMES = {"Archenemy", "Brawl", "Commander", "EDH", "Giant", "Magic", "Mirrodin!", "Planechase"}
_NAMES |= {"Ring", "Saga", "Two-Headed", "Vanguard"}
# Kinds that the sentence about a number says.
_SAID = {"kept", "merged", "split", "uncertain", "gone", "new", "renumbered"}


def print_note(text: object) -> None:
    """Print a note on stderr, once in a run."""
    notes = click.get_current_context().meta.setdefault(__name__, set[str]())
    if str(text) not in notes:
        click.echo(f"cr: {text}", err=True)
    notes.add(str(text))


def fitted(text: str, width: int) -> str:
    r"""Return a page whose lines fit a terminal, broken between words; 0 is any width.

    >>> print(fitted("  A line that is long\nA", 14))
      A line that
          is long
    A
    """
    parts = list[str]()
    for line in text.split("\n"):
        most = min(width, _WIDEST) if HANG in line else width
        margin = len(line) - len(line.lstrip(" "))
        column = len(shown(line.partition(HANG)[0])) if HANG in line else margin + 4
        indent = " " * (column if column < most // 2 else margin + 2)
        if width and len(shown(line)) > most:
            # A mark counts as a column, so a line with colours may end a few columns early.
            parts += wrap(line, most, subsequent_indent=indent, break_long_words=False)
        else:
            parts.append(line)
    return "\n".join(parts)


def para(text: str, margin: int = 0) -> list[str]:
    """Return a line for each paragraph of a text; it goes on below its beginning."""
    return [f"{' ' * margin}{HANG}{part}" for part in text.split("\n")]


def entry(name: str, words: str = "", margin: int = 2) -> str:
    """Return the line of a name in bold and words about it."""
    return f"{' ' * margin}{bold(name)}  {words}".rstrip()


def table(rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table with its columns below each other; numbers are set right, with their heads."""
    kept = [list(row) for row in rows]
    numeric = [any(isinstance(cell, int) for cell in column) for column in zip(*kept, strict=True)]
    cells = [[f"{it:,}" if isinstance(it, int) else str(it) for it in row] for row in kept]
    widths = [max(min(len(it), _CELL) for it in column) for column in zip(*cells, strict=True)]
    columns = [(">" if it else "<") + str(width) for it, width in zip(numeric, widths, strict=True)]
    return ["  ".join(map(format, row, columns)).rstrip() for row in cells]


def edition_line(edition: EditionRow) -> str:
    """Return the line that names an edition, with the doubts about it."""
    of_set = f", {edition.set_name} ({edition.set_code})" if edition.set_code else ""
    doubts = f"; {', '.join(edition.doubts.splitlines())}" if edition.doubts else ""
    return f"Comprehensive Rules effective {edition.label}{of_set}{doubts}"


def titled(title: str, lines: Iterable[str]) -> list[str]:
    """Return lines below a title in bold, with a blank line before it; nothing if there are none."""
    listed = [*lines]
    return ["", bold(title), *listed] if listed else []


def marked(pieces: "Iterable[tuple[str, str]]", *, context: int | None = CONTEXT) -> str:
    """Return a word diff as text: [-removed-] and {+added+}, with some unchanged words around them, or all."""
    pieces, parts = list(pieces), list[str]()
    for place, (sign, text) in enumerate(pieces):
        if sign in _MARKS:
            opening, closing, _ = _MARKS[sign]
            bare = text.rstrip()
            parts.append(f"{opening}{bare}{closing}{text[len(bare) :]}")
        elif context is None:
            parts.append(text)
        else:
            after = 0 if place == len(pieces) - 1 else context
            parts.append(without_middle(text, context if place else 0, after))
    return "".join(parts).replace("+}[-", "+} [-").replace("-]{+", "-] {+")


def diffed(text: str, margin: int) -> list[str]:
    """Return the lines of a marked word diff, with colours between its marks."""
    for opening, closing, colour in _MARKS.values():
        text = text.replace(opening, f"{colour}{opening}").replace(closing, f"{closing}{PLAIN}")
    return para(text, margin)


def named_examples(text: str, count: int) -> str:
    """Return a text with "Example:" before each of its last paragraphs that are examples."""
    return with_examples([Piece("+", text)], 0, count)[0].text


def with_examples(pieces: Sequence[Piece], before: int, after: int) -> list[Piece]:
    """Return a word diff with "Example:" before each example: some paragraphs at the end of each text."""
    left, is_begun, named = {"-": -before, "+": -after}, {"-": True, "+": True}, list[Piece]()
    for side in left:
        left[side] += "".join([text for sign, text in pieces if sign in {"=", side}]).count("\n")
    for sign, text in pieces:
        sides, parts = ("-+" if sign == "=" else sign), text.split("\n")
        if sign != "=" and all(is_begun.values()) and max(left.values()) < 0:
            named.append(Piece("=", EXAMPLE))
            is_begun = dict.fromkeys(is_begun, False)
        for at, part in enumerate(parts):
            if part and at > left[sides[-1]] and (at or is_begun[sides[-1]]):
                parts[at] = EXAMPLE + part
        named.append(Piece(sign, "\n".join(parts)))
        left |= {side: left[side] - len(parts) + 1 for side in sides}
        is_begun |= dict.fromkeys(sides, not parts[-1])
    return named


def step_words(kinds: Iterable[str], old: str | None, new: str | None) -> str:
    """Return the words for a step from an old name, None if it is new, to a new one; "" if it was kept.

    >>> step_words(["renumbered", "reworded"], "600.4a", "800.4a"), step_words(["gone"], "511", None)
    ('renumbered, reworded', 'removed')
    """
    terms = headword_of(old or ""), headword_of(new or "")
    moved = "renamed" if all(terms) else "moved" if any(terms) else "renumbered"
    names = {"gone": REMOVED, "renumbered": moved}
    return ", ".join([names.get(it, it) for it in kinds if it not in {"kept", "uncertain"}])


def _names(names: Sequence[str], kinds: Sequence[str], most: int | None = None) -> str:
    shown = [f"“{headword}”" if (headword := headword_of(name)) else name for name in names]
    return " or ".join(shown) if "uncertain" in kinds else ", ".join(shown[:most])


def fact(subject: Subject, target: EditionRow, row: CrosswalkRow) -> str:
    """Return the line about a number: since when and until when it meant a rule, and what that is."""
    labels, (first, last, since) = subject.base.labels, since_when(subject, target)
    when = f"since {first}" if last == labels[-1] else " to ".join(dict.fromkeys((first, last)))
    is_earlier, new = subject.edition.place > target.place, _names(row.new, row.kinds)
    there = "" if target == subject.base.current else f" in {target.label}"
    # One that has several heirs was divided, whatever else its parts were merged with.
    joined = next((kind for kind in ("merged", "split") if kind in row.kinds), "")
    joined = "split" if joined and row.new[1:] else joined
    is_same = row.new == [subject.name]
    cases = {
        f"did not exist yet{there}": not new and is_earlier,
        f"{REMOVED} on {since}": not new,
        f"{new}{there}": "uncertain" in row.kinds,
        f"was {new}{there}": is_earlier,
        f"still {new}{there}": is_same and joined != "merged",
        f"{new}, split on {since}": joined == "split",
        f"merged into {new} on {since}": joined,
        f"{new} since {since}": True,
    }
    how = next(words for words, is_so in cases.items() if is_so)
    said = [kind for kind in row.kinds if kind not in _SAID] + ["decided"] * bool(row.read)
    return f"{_names([subject.name], ())}, {when}: {doubted(how, row.confidence, *said)}"


def note_moves(matches: Iterable[Subject]) -> None:
    """Print a note about each number asked for that the provision shown no longer has."""
    for move, match in {it.move.asked: (it.move, it) for it in matches if it.move}.values():
        for subject in match.base.find(move.asked, move.edition):
            print_note(fact(subject, match.edition, destination_of(subject, match.edition)))


def other_lines(
    base: KnowledgeBase, asked: str, others: Iterable[OtherRule], target: EditionRow
) -> Iterator[str]:
    """Yield the lines about other rules that have had a number, each with its first words."""
    for other in others:
        bearer = base.find(asked, other.to)[0]
        yield fact(bearer, target, destination_of(bearer, target))
        yield from para(shortened(other.text, SHORT), 4) if other.text else ()


def then_and_now(shown: Sequence[Subject], *, is_said: bool = False) -> list[str]:
    """Return the line about a number of an old edition: where its rule is today, and today's was.

    There is none if the number means the same rule today. If the page says where that is (`is_said`), the
    line only says what the number of today was.
    """
    first = shown[0]
    current, asked = first.base.current, first.asked
    is_dated = asked.kind == NUMBER and asked.edition
    if not (is_dated and current) or first.edition.place >= current.place:
        return []
    row, parts = destination_of(first, current), list[str]()
    is_same = asked.name in row.new[:1] and "reworded" not in row.kinds
    if not (is_said or is_same or first.move):
        today, since = _names(row.new, row.kinds, 1), ", reworded since" * ("reworded" in row.kinds)
        gone = f"{REMOVED} on {since_when(first, current)[2]}"
        said = doubted(f"{today} today" if today else gone, row.confidence)
        parts.append(f"this {'is' if today else 'was'} {said}{since}")
    for state, was in namesakes(shown)[:1]:
        then = _names([name_of(first.base.states[it]) for it in was.states], kinds_of(was.bits))
        how = doubted(f"was {then}" if then else "did not exist", was.confidence)
        parts.append(f"today's {name_of(state)} {how}")
    return ["; ".join(parts)] if parts else []


def to_type(match: Subject, verb: str = "") -> list[str]:
    """Return what to type for the rules that a glossary entry names, and for its history."""
    if match.kind != "glossary":
        return []
    on = "" if match.edition == match.base.current else f" --on {match.edition.label}"
    cited = [it for it in cites(match) if it.targets]
    named = dict.fromkeys(it.text for it in cited)
    rules = [f"rules: cr {verb}{' '.join(named)}{on}"] if named else []
    if named and len(match.text) < SHORT and match.base.has_words:  # it says little itself
        rule = match.base.find(cited[0].targets[0], match.edition)[0]
        worded = [it for it in (rule, *rule.children()) if it.text]
        worded.sort(key=lambda it: len(it.text) < _FEW)  # the first may say little
        rules += [entry(it.address, shortened(it.text, SHORT)) for it in worded[:1]]
    elif not named and match.text.startswith("See "):  # another entry
        rules = [f"see: {join(['cr', it.term])}{on}" for it in match.terms()[:1]]
    return [*rules, f"history: {join(['cr', 'history', match.heading])}{on}"]


def earlier_lines(
    base: KnowledgeBase, rules: Sequence[OtherRule], shown: Subject | None = None
) -> list[str]:
    """Return the lines about other rules that a number meant: the three longest, the newest first."""
    meanings: dict[tuple[str, ...], list[OtherRule]] = {}
    for rule in rules:
        meanings.setdefault((rule.number, rule.about, *rule.heirs), []).insert(0, rule)
    day = {it.label: date.fromisoformat(it.effective) for it in base.editions}
    spans = [(sum((day[it.to] - day[it.from_]).days for it in of), of) for of in meanings.values()]
    longest = [of for _, of in sorted(spans, key=itemgetter(0))[-_MOST_EARLIER:]]
    heading = shown.about if shown else ""
    lines = [_earlier(base, it, heading) for it in meanings.values() if it in longest]
    lines += [f"and {len(meanings) - len(lines)} more"] if len(meanings) > len(lines) else []
    return [*lines[:-1], *[f"{last} (cr history {rules[0].number})" for last in lines[-1:]]]


def _earlier(base: KnowledgeBase, periods: Sequence[OtherRule], heading: str) -> str:
    rule, labels = periods[-1], base.labels
    when = " and ".join(
        [f"on {it.to}" if it.to == it.from_ else f"from {it.from_} to {it.to}" for it in periods]
    )
    now, is_alike = _names(rule.heirs, rule.kinds, 1), fold_title(rule.about) == fold_title(heading)
    if is_alike and len(rule.heirs) == 1 and "uncertain" not in rule.kinds:
        return " ".join((rule.number, "was", doubted(f"{now}'s rule", rule.confidence), when))
    if labels.index(rule.from_) == min(run.first for run in base.runs(rule.number)):
        when = f"before {labels[labels.index(rule.to) + 1][:10]}"
    others = ", among others" if rule.heirs[1:] and "uncertain" not in rule.kinds else ""
    now = f"now {now}{others}" if now else f"{REMOVED} on {rule.removed}"
    words = [word if word in _NAMES else word.lower() for word in rule.about.split()]
    about = f"about {'the ' * (words[-1] in {'step', 'phase'})}{' '.join(words)}" if words else ""
    if is_alike or not words:  # only its words tell it apart
        about = f"“{shortened(rule.text, _FEW)}”" if rule.text else f"another rule {about}".rstrip()
    return f"{when.capitalize()}, {rule.number} was {about}, {doubted(now, rule.confidence)}"


def passage_lines(head: str, passage: Passage, shown: str, margin: int = 6) -> Iterator[str]:
    """Yield the line of a passage below a head that shows a name, then its words or the difference."""
    is_quoted = passage.verdict in {"agrees", "agrees elsewhere", "differs"}
    words = "" if is_quoted or not passage.words else f": {passage.words}"
    yield from para(f"{head} {told(passage, shown)}{words}", 2)
    yield from diffed(marked(passage.pieces), margin) if passage.pieces else ()


def announced_lines(announced: Sequence[Passage]) -> Iterator[str]:
    """Yield a line for each bulletin that announced a step, with the words beside its number."""
    for passage in announced:
        if witness := passage.witness:
            dated = f", {witness.dated}" if witness.dated else ""
            yield f"announced in {name_of_witness(witness)}{dated}: “{passage.words}”"
