"""The forms of the data files with which a browser compares editions, see compare_steps.py."""

from typing import TypedDict

from variorum_site.data.compare_texts import TextsJson, TokenJson

EditionRow = tuple[str, str, int, int, str, str]


class PartsJson(TypedDict):
    """The parts, and what a browser must know before it loads one.

    Attributes:
        editions: Label, day, issue, whether the bare day means this issue, set code and set name.
        states: How many states all parts have.
        parts: The names of the parts.
        order: The mark of the file with the order.
        needs: By blocks of numbers, the places of the parts that comparing such a number needs.
        words: The common words, which no part lists.
    """

    editions: list[EditionRow]
    states: int
    parts: list[str]
    marks: list[str]
    order: str
    needs: dict[str, list[int]]
    words: list[TokenJson]


class OrderJson(TypedDict):
    """The states of each edition in printed order.

    Attributes:
        mark: A digest that differs between builds.
        held: How the list of states changes from each edition to the next: edits with the counts of
            states kept, removed and added, then the added ids, each minus the expected next id.
    """

    mark: str
    held: list[list[int]]


class LinksJson(TypedDict):
    """The links out of the states of a part, in the order in which they are followed.

    Attributes:
        counts: For each edition with links, two numbers: the edition minus the one before, and how many
            links lead into it.
        sources: The source edition of each link that skips editions, by the place of the link in
            the list.
        olds: The places of old states, each minus the one before it.
        news: The places of heirs, each minus the one before it; None for removed provisions and heirs in
            other parts.
        away: The ids of heirs in other parts, by the places of their links.
        bits: What happened, see rows.STEP_KINDS.
    """

    counts: list[int]
    sources: dict[str, int]
    olds: list[int]
    news: list[int | None]
    away: dict[str, int]
    bits: list[int]


class Columns(TypedDict):
    """The states of a part, in columns.

    Attributes:
        kinds: A letter for each state, see KIND_LETTERS.
        names: All numbers that states of the part have.
        numbers: The places of the states' numbers in `names`, each minus the one before it; none
            for the glossary.
        headings: The texts of headings; 0 if there is none.
        bodies: The texts of bodies, each minus the one before it.
    """

    kinds: str
    names: list[str]
    numbers: list[int]
    headings: list[int]
    bodies: list[int]


class Standing(TypedDict):
    """When the states of a part were in print.

    Attributes:
        firsts: The first edition of each state, each minus the one before it.
        spans: For how many editions each state was then printed; 0 if it still is.
        returns: For states that were printed again, by place: the first edition of each later run, and
            for how many editions it lasted; 0 if it has not ended.
    """

    firsts: list[int]
    spans: list[int]
    returns: dict[str, list[int]]


class StatesJson(Columns, Standing):
    """The states of a part by their places.

    Attributes:
        ids: Their ids as runs, see `runs_of`.
    """

    ids: list[int]


class PartJson(TypedDict):
    """A part.

    Attributes:
        mark: A digest that differs between builds.
        links: The links out of the states.
        texts: The texts of the states.
    """

    mark: str
    states: StatesJson
    links: LinksJson
    texts: TextsJson
