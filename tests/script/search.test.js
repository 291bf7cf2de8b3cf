// Searches in a small rulebook, as on the page.
import assert from "node:assert/strict";
import test from "node:test";
import { likeWords } from "../../site/variorum_site/assets/script/like_words.js";
import { Search } from "../../site/variorum_site/assets/script/search.js";
import { StoryRanking, isStory } from "../../site/variorum_site/assets/script/story_ranking.js";

const FILE = {
  format: 1,
  edition: /** @type {[string, string, string]} */ (["2024-01-01", "2024-01-01", "Harbour"]),
  addresses: {
    rule: "rule/{}/index.html", entry: "glossary/{}/index.html", edition: "{}/index.html", dated: "{}/{}/index.html",
    search: "search/index.html",
  },
  kinds: "csruug",
  names: ["1", "100", "100.1", "100.1a", "100.1b", "Mast"],
  headings: ["Boats", "Masts", "", "", "", ""],
  slugs: ["mast"],
  parents: [0, 1, 2, 3, 3, 0],
  cited: [0, 0, 2, 0, 0, 1],
  texts: ["", "", "Each boat has a mast.", "A mast carries sails.", "Lowered flags mean peace.", "What holds the sails."],
  examples: ["", "", "", "Ada hoists a flag.", "", ""],
  synonyms: /** @type {import("../../site/variorum_site/assets/script/types.d.ts").CurrentFile["synonyms"]} */ ([
    ["era", [[["mast"], "2020-01-01", "", 0, 0], [["spar"], "1999-01-01", "2019-12-31", 0, 0]]],
  ]),
};

/** @param {string} query */
function names(query, limit = 10, isTyping = false) {
  return new Search(FILE).find(query, limit, isTyping).hits.map(({ name }) => name);
}

test("a number comes first, then what is below it", () => {
  assert.deepEqual(names("100.1"), ["100.1", "100.1a", "100.1b"]);
});

test("words are found in any form", () => {
  assert.equal(names("lowering flags")[0], "100.1b");
});

test("operators exclude", () => {
  assert.ok(!names("sails NOT carries").includes("100.1a"));
});

test("a word of another era finds today's", () => {
  const { hits, expanded } = new Search(FILE).find("spar");
  assert.ok(hits.length > 0);
  assert.deepEqual(expanded.map(({ from, label, asked }) => [from, label, asked.until]), [["spar", "mast", "2019-12-31"]]);
});

test("the last word may be incomplete while somebody types", () => {
  assert.deepEqual(names("hoi"), []);
  assert.deepEqual(names("hoi", 10, true), ["100.1a"]);
});

test("a word that nothing has gets suggestions", () => {
  assert.deepEqual(new Search(FILE).find("saiks").suggestions, ["sails"]);
  assert.deepEqual(likeWords("fl", ["flag"], [1]), []);
});

test("snippets mark what matches", () => {
  const [hit] = new Search(FILE).find("peace").hits;
  assert.deepEqual(hit.snippet, [["Lowered flags mean ", false], ["peace", true], [".", false]]);
});

test("a hit knows its place and its address", () => {
  const search = new Search(FILE);
  assert.deepEqual(search.named("100.1a")?.path, ["1. Boats", "100. Masts", "100.1"]);
  assert.equal(search.named("glossary: Mast")?.href, "glossary/mast/index.html");
  assert.equal(search.named("glossary: Sloop"), null);
  assert.equal(search.ruleHref("702.11#2"), "rule/702.11/index.html#702.11-2");
});

test("a whole question is a story, words are none", () => {
  assert.ok(!isStory("does a wrath kill hexproof creatures"));
  const search = new Search(FILE);
  search.prepare();
  const stories = new StoryRanking(search.index, {
    format: 2, features: { text: 1, rule: 1, asked: 1, named: 1, section: 1, cited: 1 },
    usual: {}, sections: {}, cited: {}, signs: { "said peac": "100.1:0.5" },
  });
  const question = "Ada controls Old Harbour. What happens with her sails when the mast breaks in a storm?";
  assert.ok(isStory(question));
  assert.equal(stories.withoutNames("Ada has Old Harbour."), "Ada has            .");
  assert.deepEqual(stories.rows(question, 3).map((row) => FILE.names[row]), ["100.1a"]);
  assert.deepEqual(search.find("flag", 2, false, [2]).hits.map(({ name }) => name), ["100.1", "100.1b"]);
});
