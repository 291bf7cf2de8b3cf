"""The whole build, with the site of the sample rulebook and with small sites."""

import gc
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from tests.pages.built_site import Site
from tests.site.building import BASE_URL, base_of, build_site, contents, site_of
from tests.support.small_bases import DAYS, accept, edition, write
from tests.support.small_bases import build as build_base
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import NoBaseError, NoEditionError, NotWritableError
from variorum_kb.permalinks import anchor_of, slug_of
from variorum_site import urls
from variorum_site.build import Made, Removed, SiteBuilder
from variorum_site.output_folder import MANIFEST
from variorum_site.page_index import PageIndex
from variorum_site.settings import SiteSettings

BUDGET = 60_000


@pytest.mark.slow
def test_every_link_leads_somewhere(sample_site: Site) -> None:
    """Every link on every page leads to an existing file and anchor."""
    assert list(sample_site.broken()) == []
    assert list(sample_site.broken_in_feeds()) == []
    assert list(sample_site.broken_in_search()) == []


def test_pages_are_sound(sample_site: Site) -> None:
    """Tags are closed in order, anchors are unique, and no inline code breaks the policy."""
    for name, page in sample_site.pages.items():
        doubled = [key for key, count in Counter(page.ids).items() if count > 1]
        assert (name, doubled, page.inline, page.unclosed) == (name, [], [], [])


def test_every_number_has_a_page(sample_site: Site, index: PageIndex) -> None:
    """Every printed number and headword has a page."""
    for state in index.states.values():
        page = urls.entry(state.heading) if state.kind == "glossary" else urls.rule(state.number)
        assert urls.file_of(page) in sample_site.files


def test_every_dated_link_holds(sample_site: Site, index: PageIndex) -> None:
    """Every provision of an edition is found under its date, section and number."""
    for edition_ in index.editions:
        for number in index.whole.held(edition_.place):
            state = index.states[number]
            if state.kind in {"rule", "subrule"}:
                there = urls.chapter(edition_.label, state.number)
                assert anchor_of(state.address) in sample_site.pages[urls.file_of(there)].ids
            elif state.kind == "glossary":
                there = urls.edition_glossary(edition_.label)
                assert slug_of(state.heading) in sample_site.pages[urls.file_of(there)].ids


def test_every_page_says_whose_and_when(sample_site: Site) -> None:
    """Each page has the notice, the policy and the date of its content."""
    for name, page in sample_site.pages.items():
        assert "unofficial Fan Content" in page.plain, name
        assert "Content-Security-Policy" in page.text, name
        assert re.search(r"\d{4}-\d\d-\d\d", page.plain), name


def test_pages_are_small(sample_site: Site) -> None:
    """The pages of numbers keep within their budget."""
    for name, page in sample_site.pages.items():
        if name.startswith(("rule/", "glossary/")):
            assert len(page.text.encode()) <= BUDGET, name


def test_two_processes_make_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages are the same with any number of processes."""
    kb = base_of(tmp_path, {f"{day}.txt": edition(day) for day in DAYS})
    build_site(kb, tmp_path / "alone")
    monkeypatch.setattr("variorum_site.build._WORTH_A_POOL", 1)

    build_site(kb, tmp_path / "together", jobs=2)

    assert contents(tmp_path / "together") == contents(tmp_path / "alone")


def test_the_base_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process uses the base as it was at the beginning of the build, and then closes it."""
    kb = base_of(tmp_path, {"one.txt": edition()})
    events: list[str] = []
    open_base, close_base = KnowledgeBase.open, KnowledgeBase.close

    def opening(folder: Path, today: date | None = None) -> KnowledgeBase:
        events.append(f"opens {folder}")
        return open_base(folder, today=today)

    def closing(base: KnowledgeBase) -> None:
        events.append("closes")
        close_base(base)

    monkeypatch.setattr(KnowledgeBase, "open", opening)
    monkeypatch.setattr(KnowledgeBase, "close", closing)

    build_site(kb, tmp_path / "out")

    assert events == [f"opens {kb}", "closes"]


def test_no_garbage_stays(tmp_path: Path) -> None:
    """After a build, garbage collection covers all objects again."""
    build_site(base_of(tmp_path, {"one.txt": edition()}), tmp_path / "out")

    assert gc.get_freeze_count() == 0


def test_unchanged_is_not_written(tmp_path: Path) -> None:
    """A second build of the same base makes and writes nothing."""
    kb = base_of(tmp_path, {"one.txt": edition()})
    build_site(kb, tmp_path / "out")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.html")}

    events = build_site(kb, tmp_path / "out")

    assert not any(event.is_new for event in events if isinstance(event, Made))
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.html")}


def test_what_was_changed_is_mended(tmp_path: Path) -> None:
    """A file that was changed or removed is written again; the others stay."""
    kb = base_of(tmp_path, {"one.txt": edition()})
    build_site(kb, tmp_path / "out")
    whole = contents(tmp_path / "out")
    (tmp_path / "out/rule/100.1a/index.html").write_text("changed", "utf-8")
    (tmp_path / "out/rule/100.2/index.html").unlink()

    events = build_site(kb, tmp_path / "out")

    assert sum(event.written for event in events if isinstance(event, Made)) == 2
    assert contents(tmp_path / "out") == whole


@pytest.mark.parametrize("data", ["changed", None])
def test_current_until_something_changes(tmp_path: Path, data: str | None) -> None:
    """A site is current until one of its files, the base or a setting changes."""
    kb, out = base_of(tmp_path, {"one.txt": edition()}), tmp_path / "out"
    settings = SiteSettings(base_url=BASE_URL)
    events = build_site(kb, out, settings=settings)

    def current(settings: SiteSettings = settings) -> int | None:
        with SiteBuilder(kb, out, settings=settings) as builder:
            return builder.files_if_current()

    assert current() == sum(event.files for event in events if isinstance(event, Made))
    assert current(SiteSettings()) is None
    file = out / "rule/100.2/index.html"
    file.unlink()
    if data is not None:
        file.write_text(data, "utf-8")
    assert current() is None
    build_site(kb, out, settings=settings)
    assert current() is not None
    build_base(kb, write(tmp_path / "more", {"new.txt": edition(DAYS[1])}))
    assert current() is None


def test_settings_change(tmp_path: Path) -> None:
    """A site whose day or address changes has the same bytes as a new one."""
    documents = {f"{day}.txt": edition(day, rule=f"A boat of {day} floats.") for day in DAYS[:3]}
    documents[f"{DAYS[2]}.txt"] = edition(DAYS[2]).replace(b"101", b"102")
    kb, out = base_of(tmp_path, documents), tmp_path / "out"
    build_site(kb, out, settings=SiteSettings(base_url=BASE_URL, day=date(2020, 6, 6)))

    for day in (date(2022, 8, 7), date(2021, 7, 6), date(2020, 6, 6)):
        for folder in (out, tmp_path / str(day)):
            build_site(kb, folder, settings=SiteSettings(day=day))

        assert contents(out) == contents(tmp_path / str(day))


def test_part_of_a_site_is_not_current(tmp_path: Path) -> None:
    """A site of which only some kinds of pages were made is never current."""
    kb = base_of(tmp_path, {"one.txt": edition()})
    build_site(kb, tmp_path / "out", kinds={"lint"})

    with SiteBuilder(kb, tmp_path / "out", settings=SiteSettings()) as builder:
        assert builder.files_if_current() is None


def test_a_new_edition_leaves_old_pages_alone(tmp_path: Path) -> None:
    """A later edition remakes no dated pages except those of the edition before it."""
    documents = {f"{day}.txt": edition(day) for day in DAYS[:3]}
    kb = base_of(tmp_path, documents)
    build_site(kb, tmp_path / "out")
    build_base(kb, write(tmp_path / "more", {"new.txt": edition(DAYS[3], rule="A boat floats.")}))

    events = build_site(kb, tmp_path / "out")

    made = {event.name for event in events if isinstance(event, Made) and event.is_new}
    assert {name for name in made if name.startswith("edition/")} == {
        "edition/2022-08-07",
        "edition/2023-09-08",
    }
    numbers = {name for name in made if name.startswith(("rule/", "glossary/"))}
    assert numbers == {"rule/1/", "rule/100/", "rule/100.2/", "rule/100.3/", "rule/101.1/"}
    assert list(Site(tmp_path / "out").broken()) == []


@pytest.mark.slow
def test_few_editions_at_a_time(sample_base: Path, sample_site: Site, tmp_path: Path) -> None:
    """A site to which editions came in any order has the same bytes as one built at once."""
    documents = sorted((sample_base / "documents").rglob("*"))
    texts = {document.stem: document.read_bytes() for document in documents if document.is_file()}
    with KnowledgeBase.open(sample_base) as base:
        order = [item.sha256 for item in base.editions]
    kb, out = tmp_path / "kb", tmp_path / "out"
    # The last ones come between others, and before the first.
    for place, some in enumerate((order[1:3], order[3:4], order[5:], order[4:5], order[:1])):
        build_base(kb, write(tmp_path / str(place), {f"{key}.txt": texts[key] for key in some}))
        build_site(kb, out)

    assert contents(out) == contents(sample_site.folder)


def test_comparisons_are_continued(tmp_path: Path) -> None:
    """Comparison data continued for a new edition equal new data, even if a file was changed."""
    for name in ("whole", "changed"):
        kb, out = base_of(tmp_path / name, {"one.txt": edition()}), tmp_path / name / "out"
        build_site(kb, out)
        if name == "changed":
            (out / "compare/order.js").write_text("{}", "utf-8")
        more = {"new.txt": edition(DAYS[1], rule="A boat floats.")}
        build_base(kb, write(tmp_path / name / "more", more))
        build_site(kb, out)

    build_site(kb, tmp_path / "fresh")
    assert contents(tmp_path / "whole/out") == contents(tmp_path / "fresh")
    assert contents(tmp_path / "changed/out") == contents(tmp_path / "fresh")


def test_stale_files_go(tmp_path: Path) -> None:
    """Files that no page uses any more are removed, with empty folders."""
    rich = base_of(tmp_path / "rich", {"one.txt": edition(rule="A boat floats.")})
    poor = base_of(tmp_path / "poor", {"one.txt": edition()})
    out = tmp_path / "out"
    build_site(rich, out)
    (out / "CNAME").write_text("mine", "utf-8")

    events = build_site(poor, out)

    assert any(isinstance(event, Removed) for event in events)
    assert not (out / "rule/100.3").exists()
    assert (out / "CNAME").read_text("utf-8") == "mine"
    build_site(poor, tmp_path / "fresh")
    assert contents(out) == contents(tmp_path / "fresh") | {"CNAME": b"mine"}


def test_issues_of_a_date(tmp_path: Path) -> None:
    """A date with two issues has a page for each, and the date's page is the last issue's."""
    documents = {"one.txt": edition(), "two.txt": edition(rule="A boat floats.", designer="Else")}
    accept(tmp_path / "kb", *documents.values())
    site = site_of(tmp_path, documents)

    assert {"2020-06-05.1/1/index.html", "2020-06-05.2/1/index.html"} <= site.files
    assert ("a", "../2020-06-05.1/index.html") in site.pages["2020-06-05.2/index.html"].links
    for name in sorted(site.files):
        if name.startswith("2020-06-05/"):
            last = name.replace("2020-06-05/", "2020-06-05.2/", 1)
            assert (site.folder / name).read_bytes() == (site.folder / last).read_bytes()
    assert list(site.broken()) == []


def test_a_date_stays_when_an_issue_comes(tmp_path: Path) -> None:
    """A further issue of a date keeps every address; known errors lead to those of the new one."""
    kb = base_of(tmp_path, {"one.txt": edition()})
    build_site(kb, tmp_path / "out")
    before = Site(tmp_path / "out").files
    accept(kb, edition(), edition(designer="Else"))
    build_base(kb, write(tmp_path / "more", {"two.txt": edition(designer="Else")}))

    build_site(kb, tmp_path / "out")

    assert before - Site(tmp_path / "out").files == {"lint/2020-06-05/index.html"}


def test_hostile_text(tmp_path: Path) -> None:
    """Any text of a document is shown as words, never as a tag."""
    rule = '<script>alert(1)</script> "a" & \'b\' <b onclick="x">'
    site = site_of(tmp_path, {"one.txt": edition(), "two.txt": edition(DAYS[1], rule=rule)})

    for name, page in site.pages.items():
        assert (name, page.inline) == (name, [])
        assert "<script>" not in page.text
    page = site.pages["rule/100.3/index.html"]
    assert "<script>alert(1)</script>" in page.plain


def test_error_foreign_folder(sample_base: Path, tmp_path: Path) -> None:
    """A folder with any other file is refused, and stays as it is."""
    (tmp_path / "mine.txt").write_text("mine", "utf-8")

    with pytest.raises(NotWritableError) as error:
        build_site(sample_base, tmp_path)

    assert str(error.value) == (
        f"{tmp_path}: is not empty and was not written by cr site; name another folder"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_error_no_base(tmp_path: Path) -> None:
    """Without a base, no folder is made."""
    with pytest.raises(NoBaseError):
        build_site(tmp_path / "none", tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_error_empty_base(
    sample_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A base without editions has no site."""
    monkeypatch.setattr(KnowledgeBase, "editions", ())

    with pytest.raises(NoEditionError) as error:
        build_site(sample_base, tmp_path / "out")

    assert str(error.value) == "the knowledge base holds no edition; cr build adds some"


def test_interrupted_build_goes_on(tmp_path: Path) -> None:
    """Files made before an interruption are kept, and the next build makes the others."""
    kb = base_of(tmp_path, {f"{day}.txt": edition(day) for day in DAYS})
    with SiteBuilder(kb, tmp_path / "out", jobs=1) as builder:
        events = builder.build(builder.groups())
        next(events)
        assert (tmp_path / "out" / MANIFEST).exists()
        next(events)
        events.close()  # type: ignore[attr-defined]  # it is a generator

    build_site(kb, tmp_path / "out")
    build_site(kb, tmp_path / "whole")

    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
