"""Editions made from real ones by a seeded program, with their true lineages.

Provisions are moved, swapped, inserted, deleted, split, merged, copied and reworded. Then all
provisions are renumbered and citations updated, except for a few that are forgotten, as editors
forget them.
"""

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from variorum_kb.model import RuleNumber
from variorum_kb.references.find import find_references
from variorum_kb.rows import State, join_body, split_body
from variorum_kb.rule_numbers import letters_after

_SENTENCE = re.compile(r"(?<=[.?!”\"])\s+(?=[A-Z“\"])")


@dataclass(frozen=True, slots=True)
class Damage:
    """The probability of each change of a provision.

    Attributes:
        reword: Its words change.
        depth: The share of words that change in a reworded provision.
        sweeps: How many words are replaced throughout.
        delete: It is removed.
        insert: A provision from another edition is inserted before it.
        swap: It changes places with the next provision.
        move: It moves elsewhere.
        split: It becomes two.
        merge: It absorbs the next provision.
        copy: It is repeated elsewhere.
        forget: A citation is not updated.
    """

    reword: float = 0.05
    depth: float = 0.2
    sweeps: int = 1
    delete: float = 0.01
    insert: float = 0.02
    swap: float = 0.01
    move: float = 0.005
    split: float = 0.01
    merge: float = 0.01
    copy: float = 0.002
    forget: float = 0.02


LIGHT = Damage()
HEAVY = Damage(
    reword=0.6,
    depth=0.4,
    sweeps=4,
    delete=0.05,
    insert=0.08,
    swap=0.05,
    move=0.03,
    split=0.03,
    merge=0.03,
    copy=0.005,
    forget=0.1,
)
WRECKED = replace(HEAVY, reword=0.9, depth=0.65, delete=0.12, insert=0.15, move=0.08)


@dataclass(slots=True, eq=False)
class _Node:
    state: State
    old: int = -1
    also: list[int] = field(default_factory=list[int])
    children: list["_Node"] = field(default_factory=list["_Node"])


@dataclass(frozen=True, slots=True)
class Synthetic:
    """An invented edition and its true lineages.

    Attributes:
        states: The provisions in printed order.
        heirs: By the place of an old provision, its heirs, the main one first; none if it was
            removed.
        merged: For each old provision that was merged into another's heir, that heir.
        copies: New provisions that repeat old ones.
    """

    states: list[State]
    heirs: dict[int, list[int]]
    merged: dict[int, int]
    copies: dict[int, int]


class Maker:
    """Makes one edition."""

    def __init__(
        self, states: Sequence[State], donors: Sequence[State], damage: Damage, seed: int
    ) -> None:
        self._random = random.Random(seed)
        self._damage = damage
        self._states = states
        known = {phrase for state in states for phrase in _phrases(state.body)}
        self._donors = [donor for donor in donors if _is_strange(donor.body, known)]
        self._random.shuffle(self._donors)
        words = Counter(word for state in states for word in state.body.split() if word.isalpha())
        self._common = [word for word, _ in words.most_common(600)]
        self._second: dict[int, list[_Node]] = {}
        self._copies: list[tuple[_Node, int]] = []

    def make(self) -> Synthetic:
        """Return the edition."""
        chapters, entries = self._trees()
        for chapter in chapters:
            self._change_row(chapter.children, chapters)
        self._move_far(chapters)
        entries = self._change_entries(entries)
        self._sweep([*_all(chapters), *entries])
        return self._numbered(chapters, entries)

    def _trees(self) -> tuple[list[_Node], list[_Node]]:
        by_address: dict[str, _Node] = {}
        chapters: list[_Node] = []
        entries: list[_Node] = []
        for place, state in enumerate(self._states):
            node = _Node(state, place)
            if state.kind == "glossary":
                entries.append(node)
                continue
            by_address[state.address] = node
            above = by_address.get(state.parent)
            (chapters if above is None else above.children).append(node)
        return chapters, entries

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _change_row(self, row: list[_Node], chapters: list[_Node]) -> None:
        """Change the provisions below a provision, at all depths."""
        for node in row:
            self._change_row(node.children, chapters)
        damage, changed = self._damage, list[_Node]()
        is_section = bool(row) and row[0].state.kind == "section"
        scale = 0.2 if is_section else 1.0
        for node in row:
            if self._chance(damage.insert * scale) and self._donors and not is_section:
                changed.append(self._donor(node.state.kind))
            if self._chance(damage.delete * scale):
                continue
            if self._chance(damage.reword):
                self._reword(node)
            changed.append(node)
            half = self._split(node) if self._chance(damage.split) else None
            if half is not None:
                changed.append(half)
            last = changed[-2] if len(changed) > 1 else None
            if self._chance(damage.merge) and last is not None and half is None:
                self._merge(changed, last, node)
        for place in range(len(changed) - 1):
            if self._chance(damage.swap):
                changed[place : place + 2] = changed[place + 1], changed[place]
        row[:] = changed

    def _donor(self, kind: str) -> _Node:
        state = self._donors.pop()
        return _Node(State(kind, "", "", "", state.body, "", "", ""))

    def _reword(self, node: _Node) -> None:
        paragraphs = split_body(node.state.body)
        depth = self._damage.depth * self._random.random() * 1.5
        reworded = [(marker, self._reworded(text, depth)) for marker, text in paragraphs]
        node.state = _saying(node.state, join_body(reworded))

    def _reworded(self, text: str, depth: float) -> str:
        out: list[str] = []
        words = text.split(" ")
        place = 0
        while place < len(words):
            word = words[place]
            if any(sign.isdigit() for sign in word) or not self._chance(depth):
                out.append(word)
                place += 1
                continue
            chance = self._random.random()
            if chance < 0.4:  # remove a phrase
                place += self._random.randint(1, 5)
            elif chance < 0.75:  # replace a word
                out.append(self._random.choice(self._common))
                place += 1
            else:  # add a phrase
                out += [word, *self._random.choices(self._common, k=self._random.randint(1, 4))]
                place += 1
        return " ".join(out) or text

    def _split(self, node: _Node) -> _Node | None:
        paragraphs = split_body(node.state.body)
        if not paragraphs or paragraphs[0][0]:
            return None
        parts = _SENTENCE.split(paragraphs[0][1])
        if len(parts) < 2 or min(len(parts[0]), len(parts[-1])) < 50:
            return None
        cut = self._random.randint(1, len(parts) - 1)
        first, second = " ".join(parts[:cut]), " ".join(parts[cut:])
        if min(len(first), len(second)) < 50:
            return None
        rest = join_body([("", second), *paragraphs[1:]])
        kind = node.state.kind
        node.state = _saying(node.state, first)
        half = _Node(State(kind, "", "", "", rest, "", "", ""))
        self._second.setdefault(node.old, []).append(half)
        return half

    def _merge(self, row: list[_Node], into: _Node, node: _Node) -> None:
        fits = not node.children and not node.state.heading and not into.state.heading
        if not fits or into.old < 0 or node.old < 0 or not node.state.body:
            return
        body = f"{into.state.body}\n{node.state.body}"
        paragraphs = split_body(body)
        plain = " ".join(text for marker, text in paragraphs if not marker)
        body = join_body([("", plain), *(paragraph for paragraph in paragraphs if paragraph[0])])
        if len(node.state.body) < 50 or len(into.state.body) < len(node.state.body):
            return
        into.state = _saying(into.state, body)
        into.also.append(node.old)
        row.remove(node)

    def _move_far(self, chapters: list[_Node]) -> None:
        """Move rules and sections elsewhere, and copy some."""
        sections = [section for chapter in chapters for section in chapter.children]
        for section in sections:
            for node in list(section.children):
                if self._chance(self._damage.move):
                    goal = self._random.choice(sections)
                    section.children.remove(node)
                    goal.children.insert(self._random.randint(0, len(goal.children)), node)
                elif self._chance(self._damage.copy) and len(node.state.body) > 150:
                    goal = self._random.choice(sections)
                    copy = _Node(node.state)
                    goal.children.insert(self._random.randint(0, len(goal.children)), copy)
                    self._copies.append((copy, node.old))
        for chapter in chapters:
            for section in list(chapter.children):
                if self._chance(self._damage.move / 2):
                    goal = self._random.choice(chapters)
                    chapter.children.remove(section)
                    goal.children.insert(self._random.randint(0, len(goal.children)), section)

    def _change_entries(self, entries: list[_Node]) -> list[_Node]:
        damage, changed = self._damage, list[_Node]()
        for node in entries:
            if self._chance(damage.delete):
                continue
            if self._chance(damage.reword):
                self._reword(node)
            if self._chance(damage.reword / 10):
                head = self._reworded(node.state.heading, 0.5)
                node.state = _headed(node.state, head)
            changed.append(node)
        return changed

    def _sweep(self, nodes: list[_Node]) -> None:
        for _ in range(self._damage.sweeps):
            word, replacement = self._random.sample(self._common[40:400], 2)
            pattern = re.compile(rf"\b{word}\b")
            for node in nodes:
                if pattern.search(node.state.body) and self._chance(0.97):
                    body = pattern.sub(f"{replacement}ing", node.state.body)
                    node.state = _saying(node.state, body)

    # Numbers -------------------------------------------------------------------------------------

    def _numbered(self, chapters: list[_Node], entries: list[_Node]) -> Synthetic:
        order: list[tuple[_Node, str, str]] = []
        for chapter in chapters:
            digit = chapter.state.number
            order.append((chapter, digit, ""))
            for place, section in enumerate(chapter.children):
                number = RuleNumber(int(digit) * 100 + place)
                order.append((section, str(number), digit))
                self._number(section, number, order)
        moved = {
            self._states[node.old].address: number for node, number, _ in order if node.old >= 0
        }
        states = [self._state(node, number, parent, moved) for node, number, parent in order] + [
            self._state(node, "", "", moved) for node in entries
        ]
        places = {id(node): place for place, (node, _, _) in enumerate(order)}
        places |= {id(node): len(order) + place for place, node in enumerate(entries)}
        return self._truth(states, [*(node for node, _, _ in order), *entries], places)

    def _number(
        self, above: _Node, number: RuleNumber, order: list[tuple[_Node, str, str]]
    ) -> None:
        letters = ""
        for place, node in enumerate(above.children, start=1):
            if number.rule:
                letters = letters_after(letters)
                own = RuleNumber(number.section, number.rule, letters)
            else:
                own = RuleNumber(number.section, place)
            order.append((node, str(own), str(number)))
            self._number(node, own, order)

    def _state(self, node: _Node, number: str, parent: str, moved: dict[str, str]) -> State:
        kind, address = node.state.kind, node.state.address
        if kind != "glossary":
            address = number
            kind = "section" if number.isdigit() and len(number) == 3 else kind
            if "." in number:
                kind = "subrule" if number[-1].isalpha() else "rule"
        body = self._cited(node.state.body, moved)
        return State(kind, number, address, node.state.heading, body, parent, "", "")

    def _cited(self, body: str, moved: dict[str, str]) -> str:
        parts: list[str] = []
        done = 0
        for reference in find_references(body):
            first, last = moved.get(reference.first), moved.get(reference.last)
            if first is None or last is None or self._chance(self._damage.forget):
                continue
            named = first if reference.first == reference.last else f"{first}–{last}"
            parts += [body[done : reference.start], named]
            done = reference.end
        return "".join([*parts, body[done:]])

    def _truth(self, states: list[State], nodes: list[_Node], places: dict[int, int]) -> Synthetic:
        heirs: dict[int, list[int]] = {place: [] for place in range(len(self._states))}
        merged: dict[int, int] = {}
        for place, node in enumerate(nodes):
            if node.old >= 0:
                halves = [
                    places[id(part)]
                    for part in self._second.get(node.old, ())
                    if id(part) in places
                ]
                parts = sorted([place, *halves])
                sizes = [len(states[part].body) for part in parts]
                # As in the gold set, the main heir is the first part with much of the text.
                main = next(
                    p for p, size in zip(parts, sizes, strict=True) if size >= 0.6 * max(sizes)
                )
                heirs[node.old] = [main, *(part for part in parts if part != main)]
            for old in node.also:
                merged[old] = place
        copies = {places[id(node)]: old for node, old in self._copies if id(node) in places}
        return Synthetic(states, heirs, merged, copies)


def _saying(state: State, body: str) -> State:
    named = (state.kind, state.number, state.address, state.heading)
    return State(*named, body, state.parent, state.meant, state.irregularities)


def _headed(state: State, heading: str) -> State:
    words = (heading, heading, state.body)
    named = (state.kind, state.number, *words, state.parent)
    return State(*named, state.meant, state.irregularities)


def _phrases(text: str) -> list[str]:
    words = re.findall(r"[a-z]+", text.casefold())
    return [" ".join(words[place : place + 3]) for place in range(len(words) - 2)]


def _is_strange(text: str, known: set[str]) -> bool:
    """Return whether a text shares hardly anything with an edition.

    Otherwise it might be a rule of this edition in other words.
    """
    phrases = _phrases(text)
    return len(phrases) > 6 and sum(phrase in known for phrase in phrases) < 0.4 * len(phrases)


def _all(nodes: Sequence[_Node]) -> list[_Node]:
    return [descendant for node in nodes for descendant in (node, *_all(node.children))]
