"""The page that static hosts show for an address that the site does not have."""

from urllib.parse import urlsplit

from variorum_site import urls
from variorum_site.render import PageFile, render


def page_file(base_url: str) -> PageFile:
    """Return the page; it is shown at any depth, so its links begin at the root of the host.

    Args:
        base_url: The address of the site; "" if unknown; then links assume that the site is at the
            root of its host.
    """
    root = urlsplit(base_url).path or "/"
    page = render("missing", urls.HOME, root=root)
    return PageFile(urls.MISSING, page.text)
