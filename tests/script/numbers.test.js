// Numbers of rules and names of editions, as people type them.
import assert from "node:assert/strict";
import test from "node:test";
import { isDate, placeOfEdition, whyNoEdition } from "../../site/variorum_site/assets/script/designators.js";
import { formerBearers, numberIn, numberWord } from "../../site/variorum_site/assets/script/rule_numbers.js";

for (const [query, number] of [
  ["704.5K", "704.5k"], ["CR 704.5k", "704.5k"], ["704 5k", "704.5k"], ["§704.5k.", "704.5k"], ["704.5 k", "704.5k"],
  ["rule 7", "7"], ["306.b", "306.b"], ["cr: 702", "702"],
]) {
  test(`${query} is ${number}`, () => assert.deepEqual(numberIn(query), { number, isOpen: false }));
}

test("two digits, or a star, are the beginning of numbers", () => {
  assert.deepEqual(numberIn("70"), { number: "70", isOpen: true });
  assert.deepEqual(numberWord("702.1*"), { number: "702.1", isOpen: true });
});

test("words and long numbers are none", () => {
  for (const query of ["flying", "7042", "704.5k dies", ""]) assert.equal(numberIn(query), null);
});

test("former rules of a number come with their editions", () => {
  /** @type {import("../../site/variorum_site/assets/script/types.d.ts").NumbersFile} */
  const file = { format: 1, labels: ["a", "b", "c"], editions: [], numbers: { "1.1": [[[2, 2], ""], [[0, 1], "1.2"], [[0, 0], 1, "Words", ""]] } };
  const [own, moved, removed] = formerBearers(file, "1.1");
  assert.equal(own.isHere, true);
  assert.deepEqual([moved.now, moved.stood], ["1.2", [["a", "b"]]]);
  assert.deepEqual([removed.isGone, removed.since, removed.gist], [true, "b", "Words"]);
  assert.deepEqual(formerBearers(file, "toString"), []);
});

/** @type {import("../../site/variorum_site/assets/script/types.d.ts").EditionRow[]} */
const EDITIONS = [
  ["2007-10-01", "2007-10-01", 1, 1, "LRW", "Lorwyn"],
  ["2026-08-07.1", "2026-08-07", 1, 0, "ABC", "Alpha"],
  ["2026-08-07.2", "2026-08-07", 2, 1, "ABC", "Alpha"],
];

for (const [word, place] of /** @type {[string, number][]} */ ([
  ["first", 0], ["latest", 2], [" Latest ", 2], ["current", 0], ["lrw", 0], ["alpha", 2], ["2026-08-07", 2],
  ["2026-08-07.1", 1], ["2026-08-07.3", -1], ["2007-09-30", -1], ["2026-08-06", 0], ["", -1], ["xyz", -1],
])) {
  test(`"${word}" names edition ${place}`, () => assert.equal(placeOfEdition(EDITIONS, word, "2020-01-01"), place));
}

test("dates are days of the calendar", () => {
  assert.deepEqual(["2024-02-29", "2023-02-29", "0000-01-01", "2024-1-1"].map(isDate), [true, false, false, false]);
  assert.match(whyNoEdition(EDITIONS, "1990-01-01"), /in force on 1990-01-01; the earliest edition here is 2007-10-01/);
});

test("parts of names, blocks, months and years name editions", () => {
  /** @type {import("../../site/variorum_site/assets/script/types.d.ts").EditionRow[]} */
  const editions = [
    ["2008-10-01", "2008-10-01", 1, 1, "ALA", "Shards of Alara"],
    ["2009-02-01", "2009-02-01", 1, 1, "CON", "Conflux"],
    ["2009-05-01", "2009-05-01", 1, 1, "ARB", "Alara Reborn"],
    ["2009-10-01", "2009-10-01", 1, 1, "ZEN", "Zendikar"],
    ["2020-09-25", "2020-09-25", 1, 1, "ZNR", "Zendikar Rising"],
  ];
  const named = ["shards", "zendikar", "rising", "alara", "2009", "march 2009", "2008"].map((word) => placeOfEdition(editions, word));
  assert.deepEqual(named, [0, 3, 4, -1, 3, 1, 0]);
  assert.equal(whyNoEdition(editions, "alara"), "“alara” fits 3 sets: Shards of Alara (2008-10-01), Conflux (2009-02-01), Alara Reborn (2009-05-01); name one.");
  assert.match(whyNoEdition(editions, "2007"), /last day of 2007/);
});
