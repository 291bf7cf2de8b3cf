import assert from "node:assert/strict";
import { test } from "node:test";
import { isAround, isBlockOf, orderOf } from "../../site/variorum_site/assets/script/number_blocks.js";

const BLOCKS = ["600", "700", "702", "702.1", "702.10", "704", "810"];

test("a number is in one block, a section and a chapter have several", () => {
  /** @param {string} number */
  const of = (number) => BLOCKS.filter((block) => isBlockOf(block, number));

  assert.deepEqual(of("702.9b"), ["702"]);
  assert.deepEqual(of("702.19b"), ["702.1"]);
  assert.deepEqual(of("702.100"), ["702.10"]);
  assert.deepEqual(of("702"), ["702", "702.1", "702.10"]);
  assert.deepEqual(of("7"), ["700", "702", "702.1", "702.10", "704"]);
  assert.deepEqual(of("704.55"), []);
  assert.deepEqual(of("704.b"), ["704"]);
});

test("a range has the blocks of its sections, in either direction", () => {
  /** @param {string} first @param {string} last */
  const of = (first, last) => BLOCKS.filter((block) => isAround(block, first, last));

  assert.deepEqual(of("702.9", "704.1"), ["702", "702.1", "702.10", "704"]);
  assert.deepEqual(of("704.5m", "704.5k"), ["704"]);
  assert.deepEqual(of("7", "8"), ["700", "702", "702.1", "702.10", "704", "810"]);
});

test("addresses are in printed order", () => {
  const printed = ["7", "700", "700.1", "702.2", "702.2a", "702.2z", "702.2aa", "702.10", "702.10#2", "800"];

  assert.deepEqual([...printed].reverse().sort((a, b) => orderOf(a) - orderOf(b)), printed);
  assert.equal(orderOf(""), Infinity);
});
