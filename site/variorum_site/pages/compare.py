"""The page on which a reader chooses two editions to compare."""

from variorum_site import urls
from variorum_site.page_index import PageIndex
from variorum_site.render import PageFile, render


def page_file(index: PageIndex) -> PageFile:
    """Return the page on which two editions are chosen."""
    editions = index.editions
    return render(
        "compare",
        urls.COMPARE,
        editions=editions,
        first=editions[0],
        before=editions[-2:][0],
        current=index.current,
    )
