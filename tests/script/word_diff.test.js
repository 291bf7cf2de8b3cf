// Word diffs, and the lists that they are made of.
import assert from "node:assert/strict";
import test from "node:test";
import { shortened } from "../../site/variorum_site/assets/script/change_items.js";
import { isSwept, opcodes, phrases, wordDiff } from "../../site/variorum_site/assets/script/word_diff.js";

/** @param {string} text */
const words = (text) => text.split(/(?<= )/);

test("what went stands before what came", () => {
  assert.deepEqual(wordDiff(words("a b c"), words("a x c")), [["=", "a "], ["-", "b "], ["+", "x "], ["=", "c"]]);
});

test("spellings of signs count only in an exact diff", () => {
  const [one, other] = [words("it’s so"), words("it's so")];
  assert.deepEqual(wordDiff(one, other), [["=", "it's so"]]);
  assert.deepEqual(wordDiff(one, other, true), [["-", "it’s "], ["+", "it's "], ["=", "so"]]);
});

test("nothing before or after is one piece", () => {
  assert.deepEqual(wordDiff([], words("a b")), [["+", "a b"]]);
  assert.deepEqual(wordDiff(words("a b"), []), [["-", "a b"]]);
  assert.deepEqual(wordDiff([], []), []);
});

test("opcodes cover both lists", () => {
  assert.deepEqual(opcodes([1, 2, 3], [1, 4, 3]), [[true, 0, 1, 0, 1], [false, 1, 2, 1, 2], [true, 2, 3, 2, 3]]);
  assert.deepEqual(phrases([1, 2, 3], [1, 4, 3]), [[[2], [4]]]);
});

test("a phrase is swept when many provisions changed it, and no citation is in it", () => {
  assert.equal(isSwept([[1], [2]], 5), true);
  assert.equal(isSwept([[1], [2]], 4), false);
  assert.equal(isSwept([[1, 0], [2]], 9), false);
  assert.equal(isSwept([[1], []], 9), false);
});

test("long texts lose their middle", () => {
  assert.equal(shortened("a b c d e f", 1, 1), "a … f");
  assert.equal(shortened("a b c d", 1, 1), "a b c d");
  assert.equal(shortened("a b c d e", 0, 2), "… d e");
});
