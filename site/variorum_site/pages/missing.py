"""The page that static hosts show for an address that the site does not have."""

from base64 import b64encode
from hashlib import sha256
from urllib.parse import urlsplit

from variorum_site import urls
from variorum_site.render import POLICY, PageFile, render

# Below a path that the build does not know, the page does not find its stylesheet.
_STYLE = (
    ":root{color-scheme:light dark}body{max-width:46rem;margin:auto;padding:1rem;font:1rem/1.6 serif}"
    "header ul,footer ul{display:flex;flex-wrap:wrap;gap:1rem;list-style:none;padding:0}"
    ".skip,.unseen{position:absolute;left:-100vw}.skip:focus{left:0}input{font:inherit}"
)


def page_file(base_url: str) -> PageFile:
    """Return the page; it is shown at any depth, so its links begin at the root of the host.

    Args:
        base_url: The address of the site; "" if unknown; then links assume that the site is at the
            root of its host.
    """
    root = urlsplit(base_url).path or "/"
    digest = b64encode(sha256(_STYLE.encode()).digest()).decode()
    policy = f"{POLICY}; style-src 'self' 'sha256-{digest}'"
    page = render("missing", urls.HOME, root=root, style=_STYLE, policy=policy)
    return PageFile(urls.MISSING, page.text)
