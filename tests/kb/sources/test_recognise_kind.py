"""The fewest signs that make a page a document of each kind."""

import pytest

from variorum_kb.sources.recognise_kind import read_partial


def anchored(count: int, anchors: int) -> str:
    """Return a page of rules, the first of them with anchors."""
    rules = [
        f"<p{f' id=R705.{n}' if n <= anchors else ''}>705.{n}. A lamp of kind {n} burns at the bay.</p>"
        for n in range(1, count + 1)
    ]
    return f"<html><body>{''.join(rules)}</body></html>"


def lettered(count: int, numbered: int) -> str:
    """Return a page of rulings with numbers of their own, and of rules."""
    rulings = [f"A.1.{n} - A lamp of kind {n} burns at the bay." for n in range(1, count + 1)]
    rules = [f"705.{n}. A lamp of kind {n} burns at the bay." for n in range(1, numbered + 1)]
    return "\n\n".join([*rulings, *rules])


SPOKEN = "I turn a lamp, and so do you.\n\n"
RULE = "705.1. To turn a lamp, a keeper lifts it and names a side of the bay. " * 3 + "\n\n"


@pytest.mark.parametrize(
    ("page", "layout"),
    [
        (anchored(5, 3), "hyperlinked edition"),
        (anchored(6, 3), "hyperlinked edition"),
        (anchored(5, 2), "excerpt"),
        (anchored(4, 4), "excerpt"),
        (lettered(5, 0), "rulings collection"),
        (lettered(5, 4), "rulings collection"),
        (lettered(5, 5), "excerpt"),
        (lettered(4, 0), "fragment"),
        (f"705.1 - A lamp burns. [CompRules 2007/02/01]\n\n{RULE}", "rulings page"),
        (f"705.1 - A lamp burns at the bay.\n\n{RULE}", "excerpt"),
        (RULE + SPOKEN, "excerpt"),
        (RULE + SPOKEN * 20, "article"),
        (f"lamps burn at the bay.\n\n{RULE}{SPOKEN * 20}", "fragment"),
    ],
)
def test_layouts(page: str, layout: str) -> None:
    """The kind of a page depends on how many of its paragraphs have each sign."""
    assert read_partial(page.encode(), "page").layout.value == layout


@pytest.mark.parametrize(("spoken", "title"), [(1, ""), (2, "Lamps of the Bay")])
def test_quoting_articles(spoken: int, title: str) -> None:
    """An excerpt with two paragraphs that address readers has the title of an article."""
    partial = read_partial(f"Lamps of the Bay\n\n{SPOKEN * spoken}{RULE * 3}".encode(), "page")

    assert (partial.layout.value, partial.title) == ("excerpt", title)
