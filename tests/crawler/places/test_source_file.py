"""Sources as data: our own, and a user's."""

from datetime import date
from pathlib import Path

import pytest

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.addresses import parse_address
from variorum_crawler.places.published_file_names import (
    FORMATS,
    file_name,
    format_of,
    is_rules_name,
)
from variorum_crawler.places.source import Kind, Known, Source, choose, named_hosts
from variorum_crawler.places.source_file import load_sources
from variorum_kb.errors import NotReadableError
from variorum_kb.facts.editions import known_editions

OURS = load_sources()
KNOWN = [known for source in OURS for known in source.documents]

PAGE = """
[[source]]
name = "mine"
kind = "page"
address = "http://127.0.0.1:8000/en/rules"
"""


def load(tmp_path: Path, text: str | bytes) -> tuple[Source, ...]:
    """Return the sources of a user's file."""
    file = tmp_path / "mine.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_sources(file)


def names(sources: tuple[Source, ...]) -> list[str]:
    """Return the names of sources."""
    return [source.name for source in sources]


def test_ours_in_order() -> None:
    """Known addresses are first, archives last."""
    assert [(source.name, source.kind) for source in OURS] == [
        ("known", Kind.ADDRESSES),
        ("official", Kind.PAGE),
        ("ruins", Kind.ACADEMY_RUINS),
        ("wayback", Kind.WAYBACK),
    ]
    assert all(source.is_enabled and not source.is_own for source in OURS)
    assert not Source(name="any", kind=Kind.PAGE).is_own  # its hosts must be public


def test_ours_have_evidence() -> None:
    """Each of our sources and addresses says how we know of it."""
    assert all(source.evidence for source in OURS)
    assert all(known.evidence for known in KNOWN)


def test_our_addresses_are_well_formed() -> None:
    """Every built-in address is in normal form, occurs once, and has the rules in its name."""
    addresses = [address for known in KNOWN for address in known.addresses]

    assert len(addresses) == len(set(addresses)) > 100
    assert [parse_address(address).url for address in addresses] == addresses
    assert all(is_rules_name(file_name(address)) for address in addresses)
    assert all(format_of(file_name(address)) in FORMATS for address in addresses)


def test_our_days_are_those_of_editions() -> None:
    """Each day in our table is stated by the text of a known edition."""
    days = {known.effective for known in KNOWN} - {None}

    assert days <= known_editions().keys()
    assert len(days) > 90


def test_our_days_are_not_read_from_addresses() -> None:
    """We know the day 2021-07-23 although the address says 20210712."""
    address = "https://media.wizards.com/2021/downloads/MagicCompRules%2020210712.txt"

    (known,) = [known for known in KNOWN if address in known.addresses]
    assert known.effective == date(2021, 7, 23)


def test_archives_are_asked_for_what_is_known() -> None:
    """Every known address is in a folder that the archive is asked for."""
    (wayback,) = [source for source in OURS if source.kind is Kind.WAYBACK]
    # The archive ignores schemes and case.
    folders = [pattern.partition("://")[2].removesuffix("*").lower() for pattern in wayback.of]

    for known in KNOWN:
        place = known.addresses[0].partition("://")[2].lower()
        assert any(place.startswith(folder) for folder in folders), place


def test_own_file_adds(tmp_path: Path) -> None:
    """The sources of a user's file follow ours."""
    sources = load(tmp_path, PAGE)

    assert sources[:-1] == OURS
    assert sources[-1] == Source(
        name="mine", kind=Kind.PAGE, address="http://127.0.0.1:8000/en/rules", is_own=True
    )


def test_own_file_replaces(tmp_path: Path) -> None:
    """A user's file may replace the built-in sources."""
    assert names(load(tmp_path, "replace = true" + PAGE)) == ["mine"]
    assert names(load(tmp_path, "replace = false" + PAGE)) == [*names(OURS), "mine"]


def test_same_name_replaces_one(tmp_path: Path) -> None:
    """A source with the name of ours replaces it; without a kind, it turns ours off."""
    text = PAGE.replace("mine", "official") + '[[source]]\nname = "wayback"\nenabled = false\n'

    sources = load(tmp_path, text)

    assert names(sources) == names(OURS)
    assert sources[1].address == "http://127.0.0.1:8000/en/rules"
    assert names(choose(sources, [])) == ["known", "official", "ruins"]
    assert sources[3].of == OURS[3].of
    assert not sources[3].is_own


def test_every_kind(tmp_path: Path) -> None:
    """Each kind of source has its place in its own setting."""
    sources = load(
        tmp_path,
        """\ufeffreplace = true
        [[source]]
        name = "list"
        kind = "addresses"
        [[source.document]]
        effective = 2021-07-23
        addresses = ["http://a.example/one two.txt", "HTTP://B.example/one.txt"]
        evidence = "read"
        [[source.document]]
        addresses = ["http://a.example/three.txt"]
        [[source]]
        name = "archive"
        kind = "wayback"
        enabled = false
        evidence = "ours"
        address = "http://127.0.0.1:1"
        of = ["http://a.example/Comp Rules*", "http://a.example/x.txt"]
        [[source]]
        name = "sets"
        kind = "ruins"
        address = "http://127.0.0.1:2"
        """,
    )

    assert sources[0].documents == (
        Known(
            ("http://a.example/one%20two.txt", "http://b.example/one.txt"),
            date(2021, 7, 23),
            "read",
        ),
        Known(("http://a.example/three.txt",)),
    )
    assert sources[1].of == ("http://a.example/Comp%20Rules*", "http://a.example/x.txt")
    assert (sources[1].is_enabled, sources[1].evidence) == (False, "ours")
    assert named_hosts(sources) == {"a.example", "b.example", "127.0.0.1"}


def test_hosts_of_ours_are_not_named() -> None:
    """Only a user's file may allow a private host; ours cannot."""
    assert named_hosts(OURS) == frozenset()


def test_choosing_by_name() -> None:
    """Sources are chosen by name, even disabled ones; their order stays."""
    off = Source(name="off", kind=Kind.PAGE, is_enabled=False)
    on = Source(name="on", kind=Kind.PAGE)

    assert choose([off, on], []) == (on,)
    assert choose([off, on], ["on", "off"]) == (off, on)


def test_error_unknown_name() -> None:
    """For a name that no source has, the message lists the names."""
    with pytest.raises(SourceError) as caught:
        choose(OURS, ["offical"])

    assert str(caught.value) == (
        "unknown source 'offical'; known are known, official, ruins, wayback"
    )


def one(kind: str, *settings: str) -> str:
    """Return a file with one source."""
    return "\n".join(["[[source]]", 'name = "x"', f'kind = "{kind}"', *settings])


def document(*settings: str) -> str:
    """Return a file with one document."""
    return one("addresses", "[[source.document]]", *settings)


ERRORS = [
    ("replace = true", "top: no [[source]]"),
    ("replace = 1" + PAGE, "top.replace: not true or false"),
    ("sources = []", "top: 'sources' is unknown; known are replace, source"),
    ("source = 1", "top.source: not a list"),
    ("source = [1]", "top.source: not a table"),
    ("[[source]]\nkind = 'page'", "source 1: 'name' is missing"),
    ("[[source]]\nname = 1", "source 1.name: not a string"),
    ("[[source]]\nname = 'a b'", "source 1.name: letters, digits, '.', '_' and '-' only"),
    ("[[source]]\nname = 'x'", "source 1 (x): 'kind' is missing"),
    (PAGE + PAGE, "source 2: the name 'mine' is used twice"),
    (
        "[[source]]\nname = 'known'\naddress = 'http://a.example'",
        "source 1 (known): 'address' is unknown; known are enabled, name",
    ),
    (
        one("web"),
        ("source 1 (x).kind: 'web' is unknown; known are addresses, page, ruins, wayback"),
    ),
    (one("page"), "source 1 (x): 'address' is missing"),
    (one("page", "address = 1"), "source 1 (x).address: not a string"),
    (one("page", "address = ''"), "source 1 (x).address: '' is no http or https address"),
    (
        one("page", "address = 'ftp://a.example/'"),
        "source 1 (x).address: 'ftp://a.example/' is no http or https address",
    ),
    (
        one("page", "address = 'http://a.example/'", "of = []"),
        "source 1 (x): 'of' is unknown; known are address, enabled, evidence, kind, name",
    ),
    (
        one("page", "address = 'http://a.example/'", "enabled = 'no'"),
        "source 1 (x).enabled: not true or false",
    ),
    (
        one("page", "address = 'http://a.example/'", "evidence = 3"),
        "source 1 (x).evidence: not a string",
    ),
    (one("wayback", "address = 'http://a.example/'"), "source 1 (x): 'of' is missing"),
    (
        one("wayback", "address = 'http://a.example/'", "of = []"),
        "source 1 (x).of: an empty list",
    ),
    (
        one("wayback", "address = 'http://a.example/'", "of = 'http://b.example/'"),
        "source 1 (x).of: not a list",
    ),
    (
        one("wayback", "address = 'http://a.example/'", "of = ['*']"),
        "source 1 (x).of: '' is no http or https address",
    ),
    (one("git"), "source 1 (x).kind: 'git' is gone; cr build PATH reads folders"),
    (one("addresses"), "source 1 (x): 'document' is missing"),
    (one("addresses", "document = [1]"), "source 1 (x).document: not a table"),
    (document(), "source 1 (x).document 1: 'addresses' is missing"),
    (document("addresses = []"), "source 1 (x).document 1.addresses: an empty list"),
    (
        document("addresses = ['a.txt']"),
        "source 1 (x).document 1.addresses: 'a.txt' is no http or https address",
    ),
    (
        document("addresses = ['http://a.example/']", "date = 2021-07-23"),
        "source 1 (x).document 1: 'date' is unknown; known are addresses, effective, evidence",
    ),
    (
        document("addresses = ['http://a.example/']", "effective = '2021-07-23'"),
        "source 1 (x).document 1.effective: not a day such as 2021-07-23, without quotes",
    ),
    (
        document("addresses = ['http://a.example/']", "effective = 2021-07-23T10:00:00"),
        "source 1 (x).document 1.effective: not a day such as 2021-07-23, without quotes",
    ),
]


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_error_settings(tmp_path: Path, text: str, message: str) -> None:
    """For a wrong setting, the error names the file and the place in it."""
    with pytest.raises(SourceError) as caught:
        load(tmp_path, text)

    assert str(caught.value) == f"{tmp_path}/mine.toml:{message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", ":top: no [[source]]"),
        (b"[[source", ": Expected ']]' at the end of an array declaration (at end of document)"),
        (b"x = 2021-02-30", ": Invalid date or datetime (at line 1, column 5)"),
        (
            b"\xff\xfe",
            ": 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        ),
    ],
)
def test_error_no_toml(tmp_path: Path, text: bytes, message: str) -> None:
    """For a file that is no TOML, or empty, the error says so."""
    with pytest.raises(SourceError) as caught:
        load(tmp_path, text)

    assert str(caught.value) == f"{tmp_path}/mine.toml{message}"


def test_error_nested_too_deep(tmp_path: Path) -> None:
    """A file nested too deeply gives our own error."""
    with pytest.raises(SourceError) as caught:
        load(tmp_path, "x = " + "[" * 100_000)

    assert str(caught.value).startswith(f"{tmp_path}/mine.toml: ")


def test_error_no_file(tmp_path: Path) -> None:
    """For a missing file, or a folder, the error says so."""
    with pytest.raises(NotReadableError) as missing:
        load_sources(tmp_path / "none.toml")
    with pytest.raises(NotReadableError) as folder:
        load_sources(tmp_path)

    assert str(missing.value) == f"{tmp_path}/none.toml: No such file or directory"
    assert str(folder.value) == f"{tmp_path}: Is a directory"
