"""One page of each kind on the site of the sample rulebook, and helpers to look at it."""

from collections.abc import Mapping
from hashlib import sha256

from tests.conftest import ROOT

BULLETIN = (ROOT / "tests/documents/bulletin.md").read_bytes()

KINDS: Mapping[str, str] = {
    "home": "",
    "rules": "rule/",
    "section": "rule/704/",
    "rule": "rule/704.5/",
    "subrule": "rule/704.5k/",
    "wording": "rule/705.1/2010-01-22/",
    "all rules": "all/",
    "chapter": "rule/7/",
    "former number": "rule/511.2/",
    "former section": "rule/511/",
    "number printed twice": "rule/702.11/",
    "glossary": "glossary/",
    "entry": "glossary/flag/",
    "former entry": "glossary/harbor/",
    "edition": "2008-06-20/",
    "dated chapter": "2008-06-20/6/",
    "dated glossary": "2008-06-20/glossary/",
    "introduction": "2008-06-20/introduction/",
    "all changes": "changes/",
    "changes": "changes/2008-06-20/",
    "lint": "lint/",
    "all witnesses": "witness/",
    "witness": f"witness/{sha256(BULLETIN).hexdigest()[:12]}/",
    "attested rule": "rule/705.1/",
    "announced changes": "changes/2017-11-10/",
    "editions": "editions/",
    "search": "search/",
    "all numbers": "search/numbers/",
    "compare": "compare/",
    "offline": "offline/",
}

OPEN = "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
# The rules of WCAG 2.2 AA, and the best practices of axe.
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# The rules that depend on colours: only colours change in the dark
# (tests/site/assets/test_style.py).
COLOURS = ("cat.color",)
AXE = """async (tags) => (await axe.run(document, { runOnly: tags, resultTypes: ["violations"] }))
  .violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).join(", ")}`)"""
