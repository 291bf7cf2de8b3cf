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
  const means = new Map();
  for (const [row, weight] of first ?? []) {
    if (others.every((map) => map.has(row))) {
      const sum = others.reduce((all, map) => all + (map.get(row) ?? 0), weight);
      means.set(row, sum / maps.length);
    }
  }
  return means;
}

/**
 * Add rows, each with the greater of its weights.
 * @param {Weights} weights
 * @param {Weights} more
 * @param {number} factor
 */
export function addRows(weights, more, factor) {
  for (const [row, weight] of more) {
    if (weight * factor > (weights.get(row) ?? 0)) weights.set(row, weight * factor);
  }
}
