// Rows with weights: how well each matches a part of a query.
/** @import { Weights } from "./types.d.ts" */

/**
 * Return the rows that all maps have, with the mean of their weights.
 * @param {Weights[]} maps
 * @returns {Weights}
 */
export function inAll(maps) {
  const [first, ...others] = maps.sort((a, b) => a.size - b.size);
  /** @type {Weights} */
  const found = new Map();
  for (const [row, weight] of first ?? []) {
    if (others.every((map) => map.has(row))) {
      const sum = others.reduce((all, map) => all + (map.get(row) ?? 0), weight);
      found.set(row, sum / maps.length);
    }
  }
  return found;
}

/**
 * Add rows, each with the greater of its weights.
 * @param {Weights} found
 * @param {Weights} more
 * @param {number} factor
 */
export function addRows(found, more, factor) {
  for (const [row, weight] of more) {
    if (weight * factor > (found.get(row) ?? 0)) found.set(row, weight * factor);
  }
}
