"""Pages that link to the current rules, in many layouts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.fetched import Fetched
from variorum_crawler.places.official_page import find_offers

PAGE = "https://magic.example.com/en/rules"
HERE = "https://media.example.com/2023/downloads"


def page(body: str | bytes, final: str = PAGE) -> Fetched:
    """Return a page as fetched."""
    data = body if isinstance(body, bytes) else body.encode()
    return Fetched(url=PAGE, final_url=final, is_modified=True, body=data)


def addresses(body: str | bytes, final: str = PAGE) -> list[tuple[str, ...]]:
    """Return the addresses of each offer of a page."""
    return [offer.addresses for offer in find_offers("official", page(body, final))]


FORMATS = f"""<!DOCTYPE html><html><body><a href="/en/news">News</a>
<ul>
<li><a href="{HERE}/MagicCompRulesWOE 20230901.txt">TXT</a></li>
<li><a href="{HERE}/MagicCompRules%2020230901.PDF">PDF</a></li>
<li><a class=cta href='{HERE}/MagicCompRules 20230901.docx'>DOCX</a></li>
<li><a href="{HERE}/MagicCompRules&#32;20230901.txt" target=_blank>TXT</a></li>
<li><a href="{HERE}/MTG_MTR_2023Sep04_EN.pdf">Tournament Rules</a></li>
<li><a href="{HERE}/MagicInfractionProcedureGuide20230901.pdf">Infraction Procedure Guide</a></li>
<li><a href="{HERE}/MagicCompRules_DE_20230901.txt">Comprehensive Rules, German</a></li>
<li><a href="https://media.example.com/ja/MagicCompRules_20230901.txt">TXT</a></li>
</ul><!-- <a href="{HERE}/MagicCompRules 20230616.txt">TXT</a> --></body></html>"""


def test_formats_in_order() -> None:
    """Each format of the newest edition is an offer, text first; other downloads are not."""
    offers = find_offers("official", page(FORMATS))

    assert [(offer.name, offer.addresses) for offer in offers] == [
        ("MagicCompRules 20230901.txt", (f"{HERE}/MagicCompRules%2020230901.txt",)),
        ("MagicCompRulesWOE 20230901.txt", (f"{HERE}/MagicCompRulesWOE%2020230901.txt",)),
        ("MagicCompRules 20230901.docx", (f"{HERE}/MagicCompRules%2020230901.docx",)),
        ("MagicCompRules 20230901.PDF", (f"{HERE}/MagicCompRules%2020230901.PDF",)),
    ]
    assert {(offer.source, offer.effective) for offer in offers} == {("official", None)}


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("MagicCompRulesWOE 20230901.txt", "MagicCompRulesWOE%2020230901.txt"),
        ("Comprehensive Rules 20221007.txt", "Comprehensive%20Rules%2020221007.txt"),
        ("MagicComp%20Rules%2020230203.txt", "MagicComp%20Rules%2020230203.txt"),
        ("MagicCompRules 202109224.txt", "MagicCompRules%20202109224.txt"),
        ("MagicCompRules_04082016.txt", "MagicCompRules_04082016.txt"),
        ("MagicCompRules090501.txt", "MagicCompRules090501.txt"),
        ("MagicComPrules_072301.TXT", "MagicComPrules_072301.TXT"),
        ("MagicCompRules.txt?v=2&amp;x=1#top", "MagicCompRules.txt?v=2&x=1"),
        ("get?file=MagicCompRules.txt", "get?file=MagicCompRules.txt"),
        ("CompRules&amp;More.txt", "CompRules&More.txt"),
    ],
)
def test_spellings(link: str, address: str) -> None:
    """A link is found in all known spellings of the name."""
    assert addresses(f'<a href="{HERE}/{link}">TXT</a>') == [(f"{HERE}/{address}",)]


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("MagicCompRules.txt", "https://magic.example.com/en/MagicCompRules.txt"),
        ("../MagicCompRules.txt", "https://magic.example.com/MagicCompRules.txt"),
        ("\\docs\\MagicCompRules.txt", "https://magic.example.com/docs/MagicCompRules.txt"),
        ("/docs/MagicCompRules.txt", "https://magic.example.com/docs/MagicCompRules.txt"),
        ("//Media.Example.COM/MagicCompRules.txt", "https://media.example.com/MagicCompRules.txt"),
        (
            "HTTP://MEDIA.EXAMPLE.COM/MagicCompRules.txt",
            "http://media.example.com/MagicCompRules.txt",
        ),
    ],
)
def test_relative_links(link: str, address: str) -> None:
    """Relative links start from the page's final address; host names are in small letters."""
    assert addresses(f"<a href={link}>TXT</a>") == [(address,)]


def test_base() -> None:
    """A page may name the address that its links start from; a redirect moves it."""
    body = '<base href="/files/"><a href="MagicCompRules.txt">TXT</a>'

    assert addresses(body, "https://www.example.org/rules") == [
        ("https://www.example.org/files/MagicCompRules.txt",)
    ]


SCRIPTS = [
    '<script>window.x={"url":"https://m.example/MagicCompRules 20230901.txt"}</script>',
    "<script>var u = 'https:\\/\\/m.example\\/MagicCompRules 20230901.txt';</script>",
    (
        '<script type="application/json">{"u":"https:\\u002F\\u002Fm.example\\u002FMagicCompRules'
        ' 20230901.txt"}</script>'
    ),
    '<script>push([1,"{\\"href\\":\\"https://m.example/MagicCompRules 20230901.txt\\"}"])</script>',
    (
        '<div data-props="{&quot;u&quot;:&quot;https:\\/\\/m.example\\/MagicCompRules 20230901.txt'
        '&quot;}"></div>'
    ),
    '<script>{"html":"<a href=\\"https://m.example/MagicCompRules&#32;20230901.txt\\">"}</script>',
    '<button data-href="https://m.example/MagicCompRules 20230901.txt">TXT</button>',
]


@pytest.mark.parametrize("body", SCRIPTS)
def test_links_in_scripts(body: str) -> None:
    """A link in a script or in data is found, however it is quoted."""
    assert addresses(body) == [("https://m.example/MagicCompRules%2020230901.txt",)]


def test_sentences_in_scripts_are_no_links() -> None:
    """A message that ends with the file's name is not a link."""
    body = f'<script>alert("Download MagicCompRules.txt")</script>{FORMATS}'

    assert len(addresses(body)) == 4


def test_copies_are_one_offer() -> None:
    """The same file at several hosts is one offer; its http address, or one with a query, is left out."""
    body = "".join(
        f"<a href='{address}'>TXT</a>"
        for address in (
            "http://a.example/MagicCompRules%2020230901.txt",
            "https://b.example/x/magiccomprules 20230901.txt",
            "https://a.example/MagicCompRules%2020230901.txt",
            "https://a.example/MagicCompRules%2020230901.txt?utm=1",
        )
    )

    assert addresses(body) == [
        (
            "https://b.example/x/magiccomprules%2020230901.txt",
            "https://a.example/MagicCompRules%2020230901.txt",
        )
    ]


def test_newest_first() -> None:
    """Older editions are offered later, wherever they are on the page."""
    names = ["MagicCompRules.txt", "MagicCompRules 20220101.txt", "MagicCompRules 20230901.txt"]
    body = "".join(f"<a href='/{name}'>TXT</a>" for name in names)

    assert [offer.name for offer in find_offers("official", page(body))] == names[::-1]


def test_words_of_a_link_tell() -> None:
    """If the file name says nothing, the link's text decides."""
    body = """<a href="/d/8731.txt">Comprehensive <b>Rules</b></a>
    <a href="/d/8732.txt" title="Comprehensive Rules in German">TXT</a>
    <a href="/d/8733.pdf">Comprehensive Rules Changes</a><a href="/d/8734.txt">Tournament Rules"""

    assert addresses(body) == [("https://magic.example.com/d/8731.txt",)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_encodings(encoding: str) -> None:
    """A byte order mark at the beginning of the page is understood."""
    assert len(addresses(FORMATS.encode(encoding))) == 4


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00\xff\xfe" * 50,
        "<html><title>Welcome to our wireless network</title><form action=/login></form>",
        "<a href='javascript:MagicCompRules.txt'>TXT</a>",
        "<a href='ftp://a.example/MagicCompRules.txt'>TXT</a>",
        "<a href='https://me:pw@a.example/MagicCompRules.txt'>TXT</a>",
        "<a href='https://[broken/MagicCompRules.txt'>TXT</a>",
        "<a href='/MagicCompRules.exe'>TXT</a><a href=/MagicCompRules.html>TXT</a>",
        "<a href='/basic.pdf'>PDF</a>",
        "<a " * 5000,
        "<![x y]><![CDATA[<a href=",
    ],
)
def test_error_no_link(body: str | bytes) -> None:
    """Any page without the rules is reported in one line."""
    with pytest.raises(SourceError) as caught:
        addresses(body)

    assert str(caught.value) == (
        "official: https://magic.example.com/en/rules: no link to the rules on this page; "
        "is it a sign-in page, or was the site rebuilt?"
    )


PIECES = [
    *("<a ", "href=", "'", '"', ">", "</a>", "<script>", "</script>", "<![x[", "<!", "<!--", "/"),
    *("\\u002f", "\\", "//[", "http://", "MagicCompRules.txt", "&#x110000;", "\ud800", " "),
]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_any_page_is_answered(body: str) -> None:
    """Any page gives offers, or our own error."""
    data = body.encode("utf-8", "surrogatepass")

    try:
        offered = addresses(data)
    except SourceError:
        return
    assert all(address.isascii() for copies in offered for address in copies)
