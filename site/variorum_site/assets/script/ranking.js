// The score of a provision for a query, by its full text.
/** @import { Group, RankedText, Span, Stems } from "./types.d.ts" */
import { placeAfter, placesOf, sumOf } from "./stem_places.js";

const WEIGHTS = {
  coverage: 1.1, apart: 0.85, heading: 1.4, wholeHeading: 0.6, near: 0.6, row: 0.75, sentence: 0.8,
  under: 0.5, early: 0.8, cited: 0.16,
};
/** @type {Record<string, number>} */
const OF_KIND = { chapter: 1.0, section: 1.2, rule: 1.3, subrule: 1.03, glossary: 1.0 };
/** @type {[most: number, weight: number][]} */
const DISTANCES = [[0, 1.0], [2, 0.7], [5, 0.4], [12, 0.15]];
const BESIDE = 0.8, SPREAD = 0.45, FEW_GROUPS = 3, EARLY = 12, WHOLE = 0.85;
const WRONG_WAY = 1, IN_EXAMPLE = 3, SHORTEST_ROW = 2;

/** @typedef {{ group: Group, weight: number, text: Span[], heading: Span[], above: Span[] }} Placed */

/**
 * Return the score of a provision for a query.
 * @param {Group[]} groups
 * @param {number[]} weights - The weight of each group for it.
 * @param {RankedText} ranked
 */
export function score(groups, weights, ranked) {
  const whole = sumOf(groups.map((group) => group.tells)) || 1;
  const placed = groups.map((group, at) => ({
    group,
    weight: weights[at],
    text: placesOf(group, ranked.text),
    heading: placesOf(group, ranked.heading),
    above: placesOf(group, ranked.above),
  }));
  const sums = summedUp(placed);
  const fits = fit(ranked.heading, placed.map(({ heading }) => heading));
  if (fits === 1) {
    const beside = sumOf(placed.map(({ group, above, heading }) => (above.length && !heading.length ? group.tells : 0)));
    sums.titled += BESIDE * beside;
    sums.over -= beside;
  }
  const titled = sums.titled / whole;
  const asked = groups.filter((group) => !group.isLoose).flatMap((group) => group.askedStems);
  const more = 1 +
    WEIGHTS.heading * titled * fits +
    WEIGHTS.wholeHeading * (fits === 1 && titled > WHOLE ? 1 : 0) +
    WEIGHTS.near * (nearness(placed, ranked.own) / whole) +
    WEIGHTS.row * inRow(asked, ranked.text, ranked.own) +
    WEIGHTS.sentence * (inSentence(placed, ranked.ends) / whole) +
    WEIGHTS.under * (sums.over / whole) +
    WEIGHTS.early * (sums.early / whole) +
    WEIGHTS.cited * Math.log(1 + ranked.cited);
  const all = (sums.covered + sums.coveredApart * WEIGHTS.apart) / whole;
  return (sums.base + sums.apart * WEIGHTS.apart) * all ** WEIGHTS.coverage * more * OF_KIND[ranked.kind];
}

/** @param {Placed[]} placed */
function summedUp(placed) {
  const sums = { base: 0, covered: 0, apart: 0, coveredApart: 0, titled: 0, over: 0, early: 0 };
  for (const { group, weight, text, heading, above } of placed) {
    const isThere = text.length + heading.length + above.length > 0;
    const much = group.isSpread && isThere ? SPREAD : weight;
    if (!much) continue;
    if (isThere || !group.stems.length) {
      sums.base += group.tells * much;
      sums.covered += group.tells;
    } else {
      sums.apart += group.tells * much;
      sums.coveredApart += group.tells;
    }
    if (heading.length) sums.titled += group.tells;
    if (above.length) sums.over += group.tells;
    if (text.length && !group.isAsking) sums.early += group.tells * Math.max(0, 1 - text[0][0] / EARLY);
  }
  return sums;
}

/** Return the share of a heading's words that a query names. @param {Stems} heading @param {Span[][]} places */
function fit(heading, places) {
  if (!heading.row.length) return 0;
  const named = new Set();
  for (const [first, last] of places.flat()) for (let place = first; place <= last; place += 1) named.add(place);
  return named.size / heading.row.length;
}

/**
 * Return how near each other consecutive groups of the query are in the text.
 * @param {Placed[]} placed
 * @param {number} own
 */
function nearness(placed, own) {
  const telling = placed.filter(({ group, text }) => text.length && !group.isAsking && !group.isLoose);
  let sum = 0;
  for (let at = 1; at < telling.length; at += 1) {
    const [before, after] = [telling[at - 1], telling[at]];
    const gap = gapBetween(before.text, after.text, own);
    const weight = DISTANCES.find(([most]) => gap <= most);
    if (weight !== undefined) sum += Math.min(before.group.tells, after.group.tells) * weight[1];
  }
  return sum;
}

/** @param {Span[]} before @param {Span[]} after @param {number} own */
function gapBetween(before, after, own) {
  let least = Infinity;
  for (const [first, last] of before) {
    for (const [next, end] of after) {
      const gap = (next > last ? next - last - 1 : first - end - 1 + WRONG_WAY) + (next < own ? 0 : IN_EXAMPLE);
      if (gap < least) least = gap;
    }
  }
  return least;
}

/** Return the share of a query that the best sentence has. @param {Placed[]} placed @param {number[]} ends */
function inSentence(placed, ends) {
  if (placed.filter(({ group }) => !group.isLoose).length <= FEW_GROUPS) return 0;
  const sums = new Array(ends.length + 1).fill(0);
  let overhead = 0;
  for (const { group, text, heading, above } of placed) {
    if (heading.length + above.length > 0) overhead += group.tells;
    else for (const place of new Set(text.map(([first]) => placeAfter(ends, first)))) sums[place] += group.tells;
  }
  return overhead + Math.max(...sums);
}

/**
 * Return the share of a query's words that are consecutive in the text, as in the query.
 * @param {string[]} asked
 * @param {Stems} text
 * @param {number} own
 */
function inRow(asked, text, own) {
  /** @type {Map<number, number[]>} */
  const rows = new Map();
  asked.forEach((stem, at) => {
    for (const place of text.places.get(stem) ?? []) {
      if (place >= own) continue;
      const known = rows.get(place - at);
      if (known === undefined) rows.set(place - at, [at]);
      else known.push(at);
    }
  });
  const best = Math.max(0, ...Array.from(rows.values(), longestRun));
  return best >= SHORTEST_ROW ? best / asked.length : 0;
}

/** @param {number[]} places */
function longestRun(places) {
  let best = 0, run = 0, before = -1;
  for (const place of places) {
    run = place === before + 1 ? run + 1 : 1;
    best = Math.max(best, run);
    before = place;
  }
  return best;
}
