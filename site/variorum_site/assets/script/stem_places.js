// The places of words in a text, by their stems.
/** @import { Group, Span, Stems } from "./types.d.ts" */

/** Return stems with the places of each. @param {string[]} row @returns {Stems} */
export function stemsIn(row) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  row.forEach((stem, place) => {
    const known = places.get(stem);
    if (known === undefined) places.set(stem, [place]);
    else known.push(place);
  });
  return { row, places };
}

/**
 * Return the places of a group in a text: the first and the last of its words.
 * @param {Pick<Group, "stems">} group
 * @param {Stems} text
 */
export function placesOf(group, text) {
  /** @type {Span[]} */
  const spans = [];
  for (const stems of group.stems) {
    for (const place of text.places.get(stems[0]) ?? []) {
      if (stems.every((stem, at) => text.row[place + at] === stem)) spans.push([place, place + stems.length - 1]);
    }
  }
  return spans;
}

/**
 * Return the place of the first of some sorted numbers that is greater than a limit.
 * @param {number[]} numbers
 * @param {number} limit
 */
export function placeAfter(numbers, limit) {
  const place = numbers.findIndex((number) => number > limit);
  return place < 0 ? numbers.length : place;
}

/** @param {number[]} numbers */
export function sumOf(numbers) {
  return numbers.reduce((all, number) => all + number, 0);
}
