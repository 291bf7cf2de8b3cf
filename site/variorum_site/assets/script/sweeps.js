// The words that were replaced throughout the rules; as in variorum/answers/sweeps.py.
/** @import { Run } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { CITED } from "./compare_data.js";
import { opcodes } from "./word_diff.js";

/** @typedef {{ provision: number, old: number[], new: number[], run: Run }} Place */
/** @typedef {[before: string, after: string]} Phrase Words as signs. */

// A phrase must have been replaced in this many provisions, and in this share of its places.
const FEWEST = 5, SHARE = 0.6, LONGEST = 6;
// How many words before and after a phrase are taken with it, in the order tried.
const AROUND = [[0, 0], [1, 0], [2, 0], [0, 1]];
// How many texts are joined at a time.
const AT_ONCE_PUT = 50;
// The first sign after those with a meaning of their own.
const FIRST = 0x100;

/** Finds the words that were replaced throughout between two editions. */
class SweepFinder {
  /**
   * @param {CompareData} data
   * @param {[number, number][]} pairs - The states of reworded provisions, before and after.
   * @param {number[]} same - The other states of the newer edition.
   * @param {Map<number, number>} order - By word: its place in the order of first use.
   */
  constructor(data, pairs, same, order) {
    this.data = data;
    this.same = same;
    this.order = order;
    /** @type {number[]} By place in that order. */
    this.words = [];
    for (const [word, place] of order) this.words[place] = word;
    this.pairs = pairs.map(([old, heir]) => [data.canon(old).words, data.canon(heir).words]);
    this.changed = this.pairs.map(([, after]) => this.signs(after)).join("\n");
    /** @type {string | undefined} */
    this.printed = undefined;
  }

  /** @param {number[]} words */
  signs(words) {
    return words.map((word) => String.fromCharCode(FIRST + (this.order.get(word) ?? 0))).join("");
  }

  /** @param {string} signs */
  textsOf(signs) {
    return Array.from(signs, (sign) => this.data.wordTexts[this.words[sign.charCodeAt(0) - FIRST]]);
  }

  /** Find the replacements; yields at times. @returns {Generator<undefined, [string, string, number][]>} */
  *find() {
    /** @type {Place[]} */
    let open = [];
    for (const [provision, [old, after]] of this.pairs.entries()) {
      open.push(...replacedPlaces(provision, old, after));
      yield;
    }
    /** @type {Map<string, [phrase: Phrase, count: number]>} */
    const sweeps = new Map();
    for (const [before, behind] of AROUND) {
      const phrases = open.map((place) => this.phrase(place, before, behind));
      const swept = yield* this.swept(phrases);
      /** @type {Map<string, [phrase: Phrase, provisions: Set<number>]>} */
      const held = new Map();
      const rest = [];
      for (const [at, place] of open.entries()) {
        const phrase = phrases[at];
        if (phrase === null || !swept.has(phrase.join(">"))) {
          rest.push(place);
          continue;
        }
        const known = held.get(phrase.join(">")) ?? [phrase, new Set()];
        held.set(phrase.join(">"), known);
        known[1].add(place.provision);
      }
      for (const [key, [phrase, provisions]] of held) sweeps.set(key, [phrase, provisions.size]);
      open = rest;
    }
    return Array.from(sweeps.values())
      .filter(([, count]) => count >= FEWEST)
      .sort(([[first, before], count], [[second, after], times]) =>
        times - count || compareSigns(first, second) || compareSigns(before, after))
      .map(([[old, after], count]) => [this.textsOf(old).join(" "), this.textsOf(after).join(" "), count]);
  }

  /**
   * Return words and their replacement with some words around them; null at an end of the text.
   * @param {Place} place
   * @param {number} before
   * @param {number} behind
   * @returns {Phrase | null}
   */
  phrase({ old, new: after, run: [, from, to, start, stop] }, before, behind) {
    if (Math.min(from, start) < before || to + behind > old.length || stop + behind > after.length) return null;
    const phrase = [old.slice(from - before, to + behind), after.slice(start - before, stop + behind)];
    if (phrase.some((words) => words.length > LONGEST || words.includes(CITED))) return null;
    return [this.signs(phrase[0]), this.signs(phrase[1])];
  }

  /**
   * Return the keys of the phrases that were replaced often and in most places.
   * @param {(Phrase | null)[]} phrases
   * @returns {Generator<undefined, Set<string>>}
   */
  *swept(phrases) {
    /** @type {Map<string, [phrase: Phrase, count: number]>} */
    const times = new Map();
    /** @type {Map<string, number>} */
    const went = new Map();
    for (const phrase of phrases) {
      if (phrase === null) continue;
      const key = phrase.join(">");
      times.set(key, [phrase, (times.get(key)?.[1] ?? 0) + 1]);
      went.set(phrase[0], (went.get(phrase[0]) ?? 0) + 1);
    }
    /** @type {Map<string, boolean>} */
    const rare = new Map();
    /** @type {Set<string>} */
    const keys = new Set();
    for (const [key, [[old], count]] of times) {
      if (count < FEWEST) continue;
      const isRare = rare.get(old) ?? (yield* this.isRare(old, (went.get(old) ?? 0) * (1 / SHARE - 1)));
      rare.set(old, isRare);
      if (isRare) keys.add(key);
    }
    return keys;
  }

  /**
   * Return whether the newer edition has a phrase at most so often.
   * @param {string} signs
   * @param {number} most
   * @returns {Generator<undefined, boolean>}
   */
  *isRare(signs, most) {
    yield;
    const count = this.changed.split(signs).length - 1;
    if (count > most) return false;
    this.printed ??= yield* this.unchanged();
    const words = this.textsOf(signs).map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("[^\\p{L}\\p{N}]+");
    const all = new RegExp(`(?<![\\p{L}\\p{N}_])${words}(?![\\p{L}\\p{N}_])`, "gu");
    return count + (this.printed.match(all)?.length ?? 0) <= most;
  }

  /** Return the texts that were not reworded, in small letters. @returns {Generator<undefined, string>} */
  *unchanged() {
    const texts = [];
    for (const state of this.same) {
      texts.push(this.data.tokensOf(this.data.bodies[state]).join(""));
      if (texts.length % AT_ONCE_PUT === 0) yield;
    }
    return texts.join("\n").toLowerCase();
  }
}

/** @param {string} first @param {string} second */
function compareSigns(first, second) {
  return first < second ? -1 : Number(first > second);
}

/**
 * Return the replacements; two replacements around an unchanged word are one.
 * @param {number} provision
 * @param {number[]} old
 * @param {number[]} after
 * @returns {Place[]}
 */
function replacedPlaces(provision, old, after) {
  /** @type {Run[]} */
  const joined = [];
  /** @type {Run | undefined} */
  let open;
  for (const run of opcodes(old, after)) {
    const [isSame, from, to, start, stop] = run;
    if (isSame && to - from === 1) continue;
    if (isSame) open = undefined;
    else if (open === undefined) joined.push(open = [false, from, to, start, stop]);
    else [open[2], open[4]] = [to, stop];
  }
  return joined.filter(([, from, to]) => from < to).map((run) => ({ provision, old, new: after, run }));
}

/**
 * Return the phrases replaced throughout, as printed, with their counts of provisions, most
 * frequent first.
 * @param {CompareData} data
 * @param {[number, number][]} pairs
 * @param {number[]} same
 * @param {Map<number, number>} order
 * @returns {Generator<undefined, [string, string, number][]>} It yields now and then.
 */
export function replacedThroughout(data, pairs, same, order) {
  return new SweepFinder(data, pairs, same, order).find();
}
