"""The script's modules joined into one, and the script's own tests."""

import re
import subprocess

import pytest

from tests.pages.built_site import Site
from tests.site.assets.node import UNIT_TESTS, node
from variorum_site import urls
from variorum_site.assets.site_script import MAIN, ScriptError, joined, modules, site_script
from variorum_site.data.compare_steps import edition_rows
from variorum_site.page_index import PageIndex

LONGEST = 350


def test_joined() -> None:
    """Each module follows those it imports, without imports, exports and comments."""
    texts = {
        "a.js": '// What.\nimport { b } from "./b.js";\n/** @import { X } from "./x.d.ts" */\nb(1);\n',
        "b.js": "/**\n * Do it.\n */\nexport function b(x) {\n  return x; // as it is\n}\n",
    }

    assert joined(texts, "a.js") == ("function b(x) {\n  return x; // as it is\n}\n\nb(1);\n")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"a.js": 'import { b } from "./b.js";\n'}, "b.js: no such module"),
        (
            {
                "a.js": 'import { b, c } from "./b.js";\n',
                "b.js": "export const c = 1;\nfunction b() {}\n",
            },
            "a.js: b.js does not export b",
        ),
        (
            {
                "a.js": 'import { b } from "./b.js";\nconst c = 1;\n',
                "b.js": "export const b = 1, c = 2;\n",
            },
            "several modules define c",
        ),
        (
            {
                "a.js": 'import { b } from "./b.js";\nexport const a = 1;\n',
                "b.js": 'import { a } from "./a.js";\nexport const b = 1;\n',
            },
            "a.js imports b.js imports a.js",
        ),
        (
            {"a.js": 'import * as b from "./b.js";\n'},
            "a.js: imports in a form that cannot be joined",
        ),
    ],
)
def test_error_not_joined(texts: dict[str, str], message: str) -> None:
    """A module that would break the joined script is refused, and the error names it."""
    with pytest.raises(ScriptError) as caught:
        joined(texts, "a.js")

    assert str(caught.value) == message


def test_every_module_is_used() -> None:
    """The main module imports each module, perhaps indirectly; none is too long."""
    whole = joined(modules(), MAIN)

    for name, text in modules().items():
        assert joined(modules(), name).rpartition("\n\n")[2] in whole, name
        assert text.count("\n") <= LONGEST, name
        assert text.startswith("// "), name


def test_the_site_has_it(sample_site: Site, index: PageIndex) -> None:
    """The site has the joined script, which makes no markup from strings."""
    text = (sample_site.folder / urls.SCRIPT).read_bytes()

    editions = edition_rows(index.editions)
    facts = {"current": len(editions) - 1, "editions": editions, "former": urls.FORMER}
    assert text == site_script(facts)
    assert not re.search(rb"innerHTML|document\.write|\beval\b", text)


def test_unit_tests() -> None:
    """The script's own tests pass; `node --test tests/site/assets/script` runs them alone."""
    files = sorted(str(path) for path in UNIT_TESTS.glob("*.test.js"))

    done = subprocess.run(
        [node(), "--test", *files], capture_output=True, check=False, encoding="utf-8"
    )

    assert files
    assert done.returncode == 0, done.stdout
