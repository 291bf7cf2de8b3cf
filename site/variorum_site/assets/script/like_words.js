// Suggestions for a word that no text has.
import { isLetters, stemOf } from "./words.js";

const SHORTEST_WORD = 3, MOST_LIKE = 3;

/** @typedef {[apart: number, otherStart: number, rarity: number, form: string]} LikeWord */

/**
 * Return the words that are most similar to a missing word.
 * @param {string} word
 * @param {string[]} spelled - All words.
 * @param {number[]} counts - How often each is used.
 */
export function likeWords(word, spelled, counts) {
  if (word.length < SHORTEST_WORD || !isLetters(word.replaceAll("'", ""))) return [];
  const near = nearWords(word, spelled, counts);
  /** @type {Map<string, string>} */
  const likes = new Map();
  for (const [apart, , , form] of near) {
    const most = near[0][0] + (near[0][0] > 1 ? 1 : 0);
    if (apart <= most && !likes.has(stemOf(form))) likes.set(stemOf(form), form);
  }
  return [...likes.values()].slice(0, MOST_LIKE);
}

/** @param {string} word @param {string[]} spelled @param {number[]} counts */
function nearWords(word, spelled, counts) {
  const most = Math.floor(word.length / 3);
  /** @type {LikeWord[]} */
  const near = [];
  spelled.forEach((form, id) => {
    if (form.length < SHORTEST_WORD || Math.abs(form.length - word.length) > most || !isLetters(form)) return;
    const apart = distance(word, form, most);
    if (apart <= most) near.push([apart, form[0] === word[0] ? 0 : 1, -counts[id], form]);
  });
  return near.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || (a[3] < b[3] ? -1 : 1));
}

/**
 * Return the distance of two words (optimal string alignment), or more than `most`.
 * @param {string} word
 * @param {string} form
 * @param {number} most
 */
export function distance(word, form, most) {
  /** @type {number[]} */
  let two = [];
  /** @type {number[]} */
  let before = [];
  let row = Array.from({ length: form.length + 1 }, (_, at) => at);
  for (let i = 1; i <= word.length; i += 1) {
    [two, before, row] = [before, row, [i]];
    let best = i;
    for (let j = 1; j <= form.length; j += 1) {
      const same = word[i - 1] === form[j - 1] ? 0 : 1;
      let least = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + same);
      if (i > 1 && j > 1 && word[i - 1] === form[j - 2] && word[i - 2] === form[j - 1]) least = Math.min(least, two[j - 2] + 1);
      row.push(least);
      best = Math.min(best, least);
    }
    if (best > most + 1) return most + 1;
  }
  return row[form.length];
}
