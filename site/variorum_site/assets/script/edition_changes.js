// The changes between any two editions. It follows `cr diff` (variorum/answers/diff.py) step by step, but a
// sweep is what at least five provisions of these two editions show, since links have no classes here.
/** @import { Canon, Change, ChangeClass, Comparison, Path, Phrase } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { summaryOf } from "./change_summary.js";
import { CITATION, NONE, SUBSTANTIVE, SWEEP, TYPOGRAPHIC, changeOf } from "./changes.js";
import { CITED } from "./compare_data.js";
import { COPIED, GONE, KEPT, MERGED, NEW, SPLIT, UNCERTAIN } from "./steps.js";
import { bitsOf, walking } from "./walk.js";
import { replacedThroughout } from "./sweeps.js";
import { isSwept, phraseKey, phrases } from "./word_diff.js";

/** @typedef {Map<string, { phrase: Phrase, count: number }>} Sweeps */
/** @typedef {[state: number, path: Path]} Moved */

/** Finds the changes between two editions, the older one first. */
class ChangeFinder {
  /** @param {CompareData} data @param {number} start @param {number} stop */
  constructor(data, start, stop) {
    this.data = data;
    this.start = start;
    this.stop = stop;
    this.old = data.held(start);
    this.new = data.held(stop);
    /** @type {Map<number, Path>} */
    this.paths = new Map();
    /** @type {Map<string, string>} By number: the number of its heir. */
    this.heirs = new Map();
    /** @type {Map<number, number>} By word: its place in the order of first use. */
    this.order = new Map([[CITED, 0]]);
    /** @type {Map<number, Phrase[]>} By state: the phrases that were replaced. */
    this.replaced = new Map();
  }

  /** @param {number} state */
  pathOf(state) {
    return /** @type {Path} */ (this.paths.get(state));
  }

  /** @param {number} state @returns {number | undefined} */
  heirOf(state) {
    return this.pathOf(state).states[0];
  }

  /** Find all changes; yield the progress. @returns {Generator<number, Comparison>} */
  *find() {
    const { data, start, stop } = this;
    for (const paths of walking(data, start, stop)) {
      this.paths = paths;
      yield 0;
    }
    for (const state of this.old) {
      const heir = this.heirOf(state), number = data.numberOf(state);
      if (heir !== undefined && number) this.heirs.set(number, data.numberOf(heir));
    }
    /** @type {Moved[]} */
    const pairs = this.old.map((state) => [state, this.pathOf(state)]);
    const moved = pairs.filter(([state, { bits, states }]) => bits || states.length !== 1 || states[0] !== state);
    const swept = yield* this.sweeps(moved);
    const changes = [];
    for (const [place, [state, path]] of moved.entries()) {
      changes.push(this.change(state, path, swept));
      yield 0.4 + 0.2 * (place / moved.length);
    }
    const kept = changes.filter(({ bits, change }) => bits !== KEPT || change !== NONE);
    const same = pairs.length - kept.length;
    kept.push(...this.parts(moved));
    const reached = new Set(pairs.flatMap(([, { states }]) => states));
    for (const state of this.new) {
      if (!reached.has(state)) kept.push(changeOf(null, state, [], NEW, SUBSTANTIVE));
    }
    const all = this.inOrder(kept);
    yield 0.6;
    const sweeps = yield* this.throughout(moved);
    const summary = yield* summaryOf(this.data, all, same, sweeps);
    return { from: this.start, to: this.stop, all, same, swept: sweeps, summary };
  }

  /**
   * Return the phrases that were replaced in many provisions, by their keys.
   * @param {Moved[]} moved
   * @returns {Generator<number, Sweeps>}
   */
  *sweeps(moved) {
    /** @type {Sweeps} */
    const times = new Map();
    for (const [place, [state, { states: [heir] }]] of moved.entries()) {
      if (heir === undefined || this.data.bodies[state] === this.data.bodies[heir]) continue;
      const here = this.phrases(state, heir);
      for (const [key, phrase] of new Map(here.map((phrase) => [phraseKey(phrase), phrase]))) {
        const known = times.get(key);
        if (known === undefined) times.set(key, { phrase, count: 1 });
        else known.count += 1;
      }
      yield 0.4 * (place / moved.length);
    }
    return new Map(Array.from(times).filter(([, { phrase, count }]) => isSwept(phrase, count)));
  }

  /** @param {number} state @param {number} heir */
  phrases(state, heir) {
    const before = this.data.canon(state), after = this.data.canon(heir);
    for (const word of [...before.words, ...after.words]) {
      if (!this.order.has(word)) this.order.set(word, this.order.size);
    }
    const replaced = phrases(before.words, after.words);
    this.replaced.set(state, replaced);
    return replaced;
  }

  /** @param {number} state @param {Path} path @param {Sweeps} swept */
  change(state, path, swept) {
    const { data } = this;
    const [heir, ...others] = path.states;
    if (heir === undefined) return changeOf(state, null, [], GONE, SUBSTANTIVE);
    const change = data.isSameText(state, heir) ? NONE : this.classify(state, heir, swept);
    const isText = change === SWEEP || change === SUBSTANTIVE;
    const bits = bitsOf(path, data.isSamePlace(state, heir), !isText);
    return changeOf(state, heir, others, bits, change);
  }

  /** @param {number} state @param {number} heir @param {Sweeps} swept @returns {ChangeClass} */
  classify(state, heir, swept) {
    const before = this.data.canon(state), after = this.data.canon(heir);
    if (isSameList(before.words, after.words)) {
      if (isSameList(before.citations.flat(), after.citations.flat())) return TYPOGRAPHIC;
      return this.follow(before, after) ? CITATION : SUBSTANTIVE;
    }
    const here = this.replaced.get(state) ?? phrases(before.words, after.words);
    return here.every((phrase) => swept.has(phraseKey(phrase))) ? SWEEP : SUBSTANTIVE;
  }

  /**
   * Return whether each citation leads to the heir of its old target.
   * @param {Canon} before
   * @param {Canon} after
   */
  follow(before, after) {
    /** @param {string} number @param {string} heir */
    const leadsTo = (number, heir) => (this.heirs.get(number) ?? heir) === heir;
    return before.citations.every(([first, last], place) => {
      const cited = after.citations[place];
      return cited === undefined || (leadsTo(first, cited[0]) && leadsTo(last, cited[1]));
    });
  }

  /** Return the provisions that have words of others without being their main heirs. @param {Moved[]} moved */
  parts(moved) {
    const told = new Set();
    for (const { states } of this.paths.values()) if (states.length) told.add(states[0]);
    const changes = [];
    for (const [state, path] of moved) {
      for (const part of path.states.slice(1)) {
        if (told.has(part)) continue;
        told.add(part);
        const bits = path.bits & (SPLIT | COPIED | MERGED | UNCERTAIN) || SPLIT;
        changes.push(changeOf(state, part, [], bits, SUBSTANTIVE, true));
      }
    }
    return changes;
  }

  /**
   * Sort changes as the newer edition prints them; a removed provision follows its predecessor.
   * @param {Change[]} changes
   */
  inOrder(changes) {
    const order = new Map(this.new.map((state, place) => [state, place]));
    /** @type {Map<number | null, number>} */
    const placeOf = new Map();
    let last = -1;
    for (const state of this.old) {
      const heir = this.heirOf(state);
      if (heir !== undefined) last = order.get(heir) ?? last;
      placeOf.set(state, last);
    }
    const keyed = changes.map((change) => ({
      change,
      key: change.new === null ? (placeOf.get(change.old) ?? -1) + 0.5 : order.get(change.new) ?? -1,
    }));
    return keyed.sort((first, second) => first.key - second.key).map(({ change }) => change);
  }

  /**
   * Return the phrases that were replaced throughout, as printed, with their counts of provisions.
   * @param {Moved[]} moved
   * @returns {Generator<number, Comparison["swept"]>}
   */
  *throughout(moved) {
    const { bodies } = this.data;
    /** @type {[number, number][]} */
    const pairs = [];
    for (const [state, { states: [heir] }] of moved) {
      if (heir !== undefined && bodies[state] !== bodies[heir]) pairs.push([state, heir]);
    }
    const reworded = new Set(moved.map(([, { states }]) => states[0]));
    const work = replacedThroughout(this.data, pairs, this.new.filter((state) => !reworded.has(state)), this.order);
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      yield 0.6;
    }
  }
}

/** @template T @param {T[]} words @param {T[]} others */
function isSameList(words, others) {
  return words.length === others.length && words.every((item, place) => item === others[place]);
}

/**
 * Yield the progress, from 0 to 1, and return the changes between two editions.
 * @param {CompareData} data
 * @param {number} a
 * @param {number} b
 */
export function comparing(data, a, b) {
  return new ChangeFinder(data, Math.min(a, b), Math.max(a, b)).find();
}

/**
 * Return the changes between two editions, given by their places, the older one first.
 * @param {CompareData} data
 * @param {number} a
 * @param {number} b
 */
export function compare(data, a, b) {
  const work = comparing(data, a, b);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
