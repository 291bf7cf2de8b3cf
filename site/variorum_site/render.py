"""The environment in which every page is rendered: escaped, and strict."""

from datetime import date
from functools import cache
from typing import Any, NamedTuple

import jinja2

from variorum.text import visible
from variorum_site import urls

# The Content-Security-Policy of every page: nothing from other hosts, no inline scripts or styles.
POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'"
NOTICE = (
    "Variorum is unofficial Fan Content permitted under the Fan Content Policy. Not "
    "approved/endorsed by Wizards. Portions of the materials used are property of Wizards of the "
    "Coast. ©Wizards of the Coast LLC."
)
_MONTHS = "January February March April May June July August September October November December"
# The address of the site, for all pages that are rendered.
_SITE = {"base_url": ""}


class PageFile(NamedTuple):
    """A file of the site: its path from the root, and its content."""

    file: str
    data: bytes


@cache
def templates() -> jinja2.Environment:
    """Return the environment; equal views give equal pages."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("variorum_site"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["day"] = in_words
    known: Any = environment.globals  # jinja2 does not type its values
    known.update(urls=urls, notice=NOTICE, policy=POLICY, site=_SITE)
    known.update(set=environment.get_template("macros.html").module)
    return environment


@cache
def in_words(label: str | date) -> str:
    """Return the day of an edition in words, given its label or the day.

    >>> in_words("2026-08-07"), in_words("2026-08-07.2")
    ('7 August 2026', '7 August 2026 (issue 2)')
    """
    day, _, issue = str(label).partition(".")
    if day.count("-") < 2:  # noqa: PLR2004 - a month or a year
        return day
    year, month, of_month = day.split("-")
    words = f"{int(of_month)} {_MONTHS.split()[int(month) - 1]} {year}"
    return f"{words} (issue {issue})" if issue else words


def stand_at(base_url: str) -> None:
    """Set the address of the site, "" if unknown, for all pages that are rendered from now on."""
    _SITE["base_url"] = base_url


def render_text(template: str, **view: object) -> bytes:
    """Return the file that a template makes of the values that it shows."""
    environment = templates()
    compiled = environment.get_template(template)
    context = compiled.new_context({**environment.globals, **view}, shared=True)
    text = "".join(compiled.root_render_func(context))
    # A context and its macros hold each other. Without this, all views would stay in memory.
    context.vars.clear()
    # A control character would make a feed invalid XML; bidi controls would reorder a page.
    return visible(text).encode()


def render(template: str, here: urls.Page, root: str = "", **view: object) -> PageFile:
    """Return a page, by the name of its template without ".html".

    Templates call `to` to link to pages, and `asset` to link to files; `root` is the beginning of
    links that are not relative.
    """

    def to(there: urls.Page) -> str:
        return root + urls.link(here, there)

    def asset(file: str) -> str:
        return root + urls.asset(here, file)

    data = render_text(f"{template}.html", here=here, to=to, asset=asset, **view)
    return PageFile(urls.file_of(here), data)
