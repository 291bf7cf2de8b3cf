// Work in slices is completed, or stops between two slices on request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { finished, finishedWhile } from "../../site/variorum_site/assets/script/slices.js";

// Longer than a slice takes.
const LONG = 10;

/** Each step takes longer than a slice. @returns {Generator<number, string>} */
function* slowWork() {
  for (let step = 1; step <= 3; step += 1) {
    const start = performance.now();
    while (performance.now() - start < LONG);
    yield step;
  }
  return "done";
}

test("other work is done between slices", async () => {
  /** @type {string[]} */
  const order = [];
  setTimeout(() => order.push("other"));
  order.push(await finished(slowWork()));
  assert.deepEqual(order, ["other", "done"]);
});

test("work that is not to go on has no result", async () => {
  /** @type {number[]} */
  const steps = [];
  const result = await finishedWhile(slowWork(), (step) => steps.push(step) < 2);
  assert.equal(result, null);
  assert.deepEqual(steps, [1, 2]);
});

test("work without steps is done at once", async () => {
  assert.equal(await finishedWhile((function* () { return 7; })(), () => false), 7);
});
