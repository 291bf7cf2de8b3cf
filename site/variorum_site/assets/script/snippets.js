// Sentences of a text, and the sentence that best shows why a query found it.
/** @import { Group, SnippetPiece, Span } from "./types.d.ts" */
import { placeAfter, placesOf, stemsIn } from "./stem_places.js";
import { stemOf, wordsOf } from "./words.js";

const SENTENCE_END = /[.!?]["\u201d\u2019')]*(?=\s+[A-Z0-9"\u201c\u2018([{])|\n/g;
const JOINS_WORDS = /^[ \-\u2010]*$/;

/**
 * Return the starts and ends of a text's sentences, without the blanks around them.
 * @param {string} text
 * @returns {[start: number, stop: number][]}
 */
export function sentences(text) {
  /** @type {[number, number][]} */
  const spans = [];
  let start = 0;
  const ends = Array.from(text.matchAll(SENTENCE_END), (end) => end.index + end[0].length);
  for (const stop of [...ends, text.length]) {
    const words = text.slice(start, stop);
    if (stop < text.length && isQuoteOpen(words) && text[stop - 1] !== "\n") continue;
    if (words.trim()) spans.push([start + words.length - words.trimStart().length, start + words.trimEnd().length]);
    start = stop;
  }
  return spans.length ? spans : [[0, text.length]];
}

/** @param {string} words */
function isQuoteOpen(words) {
  /** @param {string} sign */
  const count = (sign) => words.split(sign).length - 1;
  return count("\u201c") > count("\u201d") || count('"') % 2 === 1;
}

/**
 * Return the sentence with most of the query, in pieces.
 * @param {string} text
 * @param {Group[]} groups
 * @returns {SnippetPiece[]}
 */
export function snippet(text, groups) {
  const words = wordsOf(text);
  const stems = stemsIn(words.map(([word]) => stemOf(word)));
  /** @type {[Group, Span[]][]} */
  const spans = groups.map((group) => [group, placesOf(group, stems)]);
  const [start, stop] = bestSentence(sentences(text), spans, words.map(([, from]) => from));
  const telling = spans.filter(([group]) => !group.isAsking && !group.isFaint);
  /** @type {Set<number>} */
  const marked = new Set();
  for (const [, there] of telling.length ? telling : spans) {
    for (const [first, last] of there) for (let place = first; place <= last; place += 1) marked.add(place);
  }
  const places = [...marked].sort((a, b) => a - b).map((place) => words[place]);
  const inside = places.filter(([, from]) => from >= start && from < stop);
  return pieced(text, start, stop, runsOfWords(text, inside.map(([, from, to]) => [from, to])));
}

/**
 * @param {[number, number][]} all
 * @param {[Group, Span[]][]} spans
 * @param {number[]} offsets - The starts of the words in the text.
 */
function bestSentence(all, spans, offsets) {
  const starts = all.map(([start]) => start);
  const sums = new Array(starts.length).fill(0);
  for (const [group, there] of spans) {
    const where = new Set(there.map(([first]) => Math.max(placeAfter(starts, offsets[first]) - 1, 0)));
    for (const place of where) sums[place] += group.tells;
  }
  return all[sums.indexOf(Math.max(...sums))];
}

/**
 * Join words that are separated only by blanks and hyphens.
 * @param {string} text
 * @param {[from: number, to: number][]} words
 */
function runsOfWords(text, words) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const [from, to] of words) {
    const last = runs.at(-1);
    if (last !== undefined && JOINS_WORDS.test(text.slice(last[1], from))) last[1] = to;
    else runs.push([from, to]);
  }
  return runs;
}

/** @param {string} text @param {number} start @param {number} stop @param {[number, number][]} runs */
function pieced(text, start, stop, runs) {
  /** @type {SnippetPiece[]} */
  const pieces = [];
  let done = start;
  for (const [from, to] of runs) {
    if (from > done) pieces.push([text.slice(done, from), false]);
    pieces.push([text.slice(from, to), true]);
    done = to;
  }
  if (done < stop) pieces.push([text.slice(done, stop), false]);
  return pieces;
}
