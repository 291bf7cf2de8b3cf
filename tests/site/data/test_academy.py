"""The addresses of Academy Ruins' API have answers in its forms, also for former numbers."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.site.building import base_of
from tests.support.small_bases import accept, edition
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_site.data.academy import Academy
from variorum_site.data.sitemap import pages_of

Answers = dict[str, Any]


@pytest.fixture(scope="module")
def answers(base: KnowledgeBase) -> Answers:
    """Return the content of all files."""
    made = Academy(base)
    files = [*made.whole_files(), *made.rule_files(0, len(made.answered))]
    files += [
        diff_file for place in range(1, len(base.editions)) for diff_file in made.diff_files(place)
    ]
    assert len(dict(files)) == len(files)
    return {name: json.loads(data) for name, data in files}


def test_rules(base: KnowledgeBase, answers: Answers) -> None:
    """Every rule has its words, examples and neighbours; every entry has its words."""
    whole = answers["cr/index.html"]
    rules = [provision for provision in base.provisions() if "." in provision.number]

    assert [*whole] == [item.address.removesuffix("#1") for item in rules]
    for member, (name, rule) in zip(rules, whole.items(), strict=True):
        assert rule["ruleText"].endswith(member.text)
        if "#" not in name:  # a number printed twice has one answer
            assert answers[f"cr/{name}"] == {key: rule[key] for key in ("ruleNumber", "ruleText")}
            assert answers[f"cr/example/{name}"]["examples"] == (member.examples or None)
    for subject, second in pairwise(whole.values()):
        assert subject["navigation"]["nextRule"] == second["ruleNumber"]
        assert second["navigation"]["previousRule"] == subject["ruleNumber"]
        assert subject["ruleNumber"].endswith(f".{subject['fragment']}")
    entries = answers["cr/glossary/index.html"]
    assert len(entries) == len(
        [provision for provision in base.provisions() if not provision.number]
    )
    assert answers["cr/glossary/turn"] == entries["turn"]
    assert answers["cr/keywords"]["keywordAbilities"] == [
        child.heading for child in base.subject("702").children() if child.heading
    ]
    assert answers["cr/toc"][0]["subsections"][0] == {"number": 100, "title": "General"}


def test_former_numbers(base: KnowledgeBase, answers: Answers) -> None:
    """A former number with an heir has the answer of its main heir."""
    assert answers["cr/511.2"]["ruleNumber"] == "705.2"
    assert answers["cr/511.2"]["moved"] == {"asked": "511.2", "edition": "2008-06-20"}
    assert answers["cr/trace/511.2"] == answers["cr/trace/705.2"]
    for name, answer in answers.items():
        if "moved" in answer:
            row = base.subject(name.removeprefix("cr/")).where()
            assert row["new"][0].removesuffix("#1") == answer["ruleNumber"]


def test_traces(answers: Answers) -> None:
    """A trace begins with the rule's creation, and each step starts where the previous one ended."""
    for name, trace in answers.items():
        if not name.startswith("cr/trace/"):
            continue
        assert [item["action"] == "created" for item in trace] == [False] * (len(trace) - 1) + [
            True
        ]
        for later, earlier in pairwise(trace):
            assert later["old"]["ruleNumber"] == earlier["new"]["ruleNumber"]
            is_moved = later["old"]["ruleNumber"] != later["new"]["ruleNumber"]
            assert is_moved == (later["action"] in {"moved", "replaced"})
            assert ("ruleText" in later["new"]) == (later["action"] != "moved")
    assert answers["cr/trace/705.1"][0]["action"] == "edited"
    assert "<<<<they win>>>>" in answers["cr/trace/705.1"][0]["new"]["ruleText"]


def test_diffs(base: KnowledgeBase, answers: Answers) -> None:
    """Adjacent editions have a diff of new, removed, changed and moved rules."""
    latest = answers["diff/cr/index.html"]
    old = answers["diff/cr/2008-06-20-2010-01-22"]

    assert latest == answers[f"diff/cr/{base.labels[-2]}-{base.labels[-1]}"]
    assert {"from": "511.2", "to": "705.2"} in old["moves"]
    assert all(move["from"] != move["to"] for move in old["moves"])
    assert any(change["old"] is None for change in old["changes"])
    assert any(change["new"] is None for change in old["changes"])
    for item in old["changes"]:
        marks = [side["ruleText"].count("<<<<") for side in item.values() if side]
        assert (sum(marks) > 0) == (None not in item.values())
    assert old["nav"] == {"prevSourceCode": "2006-03-01", "nextDestCode": "2015-04-17"}


def test_names(tmp_path: Path) -> None:
    """Sets name the files of changes, unless both have the same; no term becomes an odd file name."""
    rule = "The ability words are calm, swell, and storm."
    documents = {
        "one.txt": edition("January 24, 2020"),
        "two.txt": edition("June 1, 2020"),
        "three.txt": edition("June 1, 2020", rule=rule).replace(b"Boat\nWhat", b"And/Or\nWhat"),
    }
    accept(tmp_path / "kb", *documents.values())

    with KnowledgeBase.open(base_of(tmp_path, documents)) as base:
        made, (old, new) = Academy(base), base.labels[1:]
        names = [name for place in (1, 2) for name, _ in made.diff_files(place)]
        whole = {name: json.loads(data) for name, data in made.whole_files()}

    assert names == ["diff/cr/THB-IKO", f"diff/cr/{old}-{new}", "diff/cr/index.html"]
    assert whole["cr/keywords"]["abilityWords"] == ["calm", "swell", "storm"]
    assert [*whole["cr/glossary/index.html"]] == ["and/or", "lamp"]
    assert [name for name in whole if name.startswith("cr/glossary/")][1:] == ["cr/glossary/lamp"]


def test_files_are_no_pages() -> None:
    """Folders with JSON are not in the sitemap."""
    assert pages_of(["cr/index.html", "diff/cr/index.html", "rule/7/index.html"]) == ["rule/7/"]
