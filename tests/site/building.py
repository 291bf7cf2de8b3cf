"""Small sites that tests build repeatedly."""

from collections.abc import Container, Sequence
from pathlib import Path

from tests.conftest import MakeOnce
from tests.pages.built_site import Site
from tests.pages.made_up import TODAY, documents
from tests.support.small_bases import build as build_base
from tests.support.small_bases import write
from tests.support.witness_base import hear
from variorum_site.build import Event, SiteBuilder
from variorum_site.settings import SiteSettings


def base_of(folder: Path, documents: dict[str, bytes]) -> Path:
    """Build a knowledge base of documents; return its folder."""
    build_base(folder / "kb", write(folder / "documents", documents))
    return folder / "kb"


_PLAIN = SiteSettings()
# The address of a published site.
BASE_URL = "https://rules.example/history/"


def build_site(
    kb: Path,
    out: Path,
    jobs: int = 1,
    settings: SiteSettings = _PLAIN,
    kinds: Container[str] | None = None,
) -> Sequence[Event]:
    """Build a site; return the events.

    Args:
        kb: The folder of the base.
        out: The folder of the site.
        jobs: How many processes make pages.
        settings: The other settings.
        kinds: The kinds of groups to build; by default all.
    """
    with SiteBuilder(kb, out, jobs, settings) as builder:
        groups = builder.groups()
        wanted = [group for group in groups if kinds is None or group.kind in kinds]
        return list(builder.build(wanted))


def site_of(folder: Path, documents: dict[str, bytes]) -> Site:
    """Build the site of some documents."""
    build_site(base_of(folder, documents), folder / "out")
    return Site(folder / "out")


def heard_site(make_once: MakeOnce) -> Path:
    """Return a folder with a base of the sample rulebook and its witnesses, and its site in "out"."""

    def build(folder: Path) -> None:
        hear(folder)
        build_site(folder / "kb", folder / "out")

    return make_once("heard", build)


def contents(out: Path) -> dict[str, bytes]:
    """Return all files of a site with their bytes."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def build_made_up(folder: Path) -> None:
    """Build a base of the made-up history, and its site in "out"."""
    settings = SiteSettings(base_url=BASE_URL, day=TODAY)
    build_site(base_of(folder, documents()), folder / "out", settings=settings)
