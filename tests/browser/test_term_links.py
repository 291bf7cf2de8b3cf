"""Links to glossary terms, in a real browser: each leads to the entry of the printed headword."""

import re

import pytest

from tests.browser.browsing import Tab
from variorum.words import stem_of

# For each link: its text, the headword of its page, and the adjacent words.
_LINKS = """() => Promise.all([...document.querySelectorAll(".text a.t")].map(async (link) => {
  const answer = await fetch(link.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const around = document.createRange();
  around.selectNodeContents(link.closest("p") ?? link.parentElement);
  const words = around.toString(), range = document.createRange();
  range.setStart(around.startContainer, around.startOffset);
  range.setEndBefore(link);
  const at = range.toString().length;
  return [link.textContent, page.querySelector("h1").textContent, words.slice(0, at), words.slice(at + link.textContent.length)];
}))"""


@pytest.mark.parametrize(
    "page", ["rule/704.5a", "rule/702.9", "rule/705", "rule/104", "glossary/boat"]
)
def test_a_link_says_where_it_leads(tab: Tab, page: str) -> None:
    """A link's text is a form of the headword, and not part of a name."""
    tab.open(f"{page}/index.html")

    links: list[tuple[str, str, str, str]] = tab.value(_LINKS)

    for words, headword, before, behind in links:
        stems = {stem_of(match) for match in re.findall(r"\w+", headword.lower())}
        assert stem_of(re.findall(r"\w+", words.lower())[0]) in stems, (words, headword)
        assert not re.search(r"\w [A-Z]\w+ $", before) or not words[0].isupper(), (before, words)
        assert not re.match(r" [A-Z][a-z]", behind) or not words[0].isupper(), (words, behind)
