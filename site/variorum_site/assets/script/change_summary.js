// The counts of changes between two editions, as in `cr diff --summary --json`.
/** @import { Change, Comparison, Summary } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { changePieces } from "./changes.js";

/**
 * Yield the progress, from 0.6 to 1, and return the summary.
 * @param {CompareData} data
 * @param {Change[]} all
 * @param {number} same
 * @param {Comparison["swept"]} sweeps
 * @returns {Generator<number, Summary>}
 */
export function* summaryOf(data, all, same, sweeps) {
  const count = { "": 0, typographic: 0, "citation-only": 0, sweep: 0, substantive: 0 };
  let wordsGone = 0, wordsCame = 0;
  for (const [place, change] of all.entries()) {
    if (change.old !== null && change.new !== null && !change.isPart) count[change.change] += 1;
    if (change.change === "substantive" || change.change === "sweep") {
      const [went, came] = wordCounts(data, change);
      wordsGone += change.isPart ? 0 : went;
      wordsCame += came;
    }
    yield 0.6 + 0.4 * (place / all.length);
  }
  const arrived = all.filter(({ old }) => old === null).length;
  const parts = all.filter(({ isPart }) => isPart).length;
  return {
    provisions: same + all.length - arrived - parts,
    same,
    moved_only: count[""],
    new: arrived,
    gone: all.filter((change) => change.new === null).length,
    parts,
    typographic: count.typographic,
    citation_only: count["citation-only"],
    sweep: count.sweep,
    substantive: count.substantive,
    words_gone: wordsGone,
    words_came: wordsCame,
    sweeps: sweeps.map(([before, after, provisions]) => ({ before, after, provisions })),
  };
}

/** Return how many words a change removed and added. @param {CompareData} data @param {Change} change */
function wordCounts(data, change) {
  let went = 0, came = 0;
  for (const [sign, text] of changePieces(data, change)) {
    const size = sign === "=" ? 0 : text.trim().split(/\s+/).filter(Boolean).length;
    if (sign === "-") went += size;
    if (sign === "+") came += size;
  }
  return [went, came];
}
