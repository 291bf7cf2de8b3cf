"""The links of pages, well-formed or hostile."""

import pytest

from variorum_crawler.places.page_links import Link, find_links


@pytest.mark.parametrize(
    ("page", "targets"),
    [
        ("<A HREF = a.txt >x", ["a.txt"]),
        ("<a\nclass='x'\n href\n=\n'a b.txt'/>x", ["a b.txt"]),
        ("<a href='a.txt' href='b.txt'>x", ["a.txt"]),
        ("<a data-x='a.txt' href='b.pdf'>x", ["a.txt", "b.pdf"]),
        ("<a title=\"a > b\" href='a.txt'>x", ["a.txt"]),
        ("<a = href=a.txt =><a href=b.txt>", ["a.txt", "b.txt"]),
        ("<button onclick=\"location.href='/a.txt'\">x", ["/a.txt"]),
        ('<a href="/it\'s/a.txt">x', ["/it's/a.txt"]),
        ("<link href=a.txt><embed src=b.pdf>", ["a.txt", "b.pdf"]),
        ("1 < 2 <<a href=a.txt>x", ["a.txt"]),
        ("<!-- <a href=a.txt> --><!--><a href=b.txt>-->", []),
        ("<!-- never ended <a href=a.txt>", []),
        ("<a href=a.txt", []),
        ("<a href='a.txt>x", []),
        ("<script>'/a.txt'</SCRIPT><a href=b.txt>x", ["/a.txt", "b.txt"]),
        ("<script>'/a.txt", ["/a.txt"]),
        ("<script>if (a<b) {'<a href=\"/a.txt\">'}</script>", ["/a.txt"]),
        ("<style>a{background:url('/a.txt')}</style>", []),
        ("<![if x]><![endif]><a href=a.txt>x", ["a.txt"]),
        ("<a href=a.html>x", []),
        ("", []),
    ],
)
def test_targets(page: str, targets: list[str]) -> None:
    """Links are found in any spelling of their tags, and nowhere else."""
    assert [link.target for link in find_links(page)[0]] == targets


def test_what_is_shown() -> None:
    """The words of a link are its text and titles, in any markup."""
    page = "<a href=a.txt title=One>Two&nbsp;<b>three</b>\n<!-- 3 --> four</a> five <a href=b.txt>six<a href=c.txt>"

    assert find_links(page)[0] == [
        Link("a.txt", "One Two three four"),
        Link("b.txt", "six"),
        Link("c.txt", ""),
    ]


def test_base() -> None:
    """The first base of a page counts."""
    assert find_links("<base target=x><base href='/a&amp;b/'><base href=/c/>")[1] == "/a&b/"


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        *("<", "<a ", "<!--", "<!x", "<![x", "<?x", "<script>", "</", "</a ", "<a x=y ", "<a>x"),
        *('<a x="', "<a x='\" ", "= ", "x ", " ", "\\", "\\u002", "&amp", "&#", "<script></scrip"),
        *('"/a.txt', "compcomp__", "<a href=/CompRules.txt>"),
    ],
)
@pytest.mark.parametrize("start", ["", "<a ", "<a x=", "<script>"])
def test_hostile_pages_end(start: str, piece: str) -> None:
    """Reading time grows only with the length of a page, however often a character is repeated."""
    links, _ = find_links(start + piece * (100_000 // len(piece)))

    assert all(isinstance(link, Link) for link in links)
