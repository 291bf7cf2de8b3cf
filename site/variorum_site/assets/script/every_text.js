// All texts of all editions as one searchable list: each text once, with its periods and its heirs
// today.
/** @import { CurrentFile, Link } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { bareNumber } from "./rule_numbers.js";

const EXAMPLES_BEHIND = /\n(?=Examples?[:.])/i, EXAMPLE_FIRST = /^Examples?[:.]/i;
// How many texts are joined at a time.
const AT_ONCE_JOINED = 400;

/** The texts of all editions. A row has the states with the same text, and the name of the latest of them. */
export class EveryText {
  /** @param {CompareData} data */
  constructor(data) {
    this.data = data;
    this.runs = data.runs;
    this.lines = linesOf(data);
    /** @type {number[]} */
    this.states = []; // by row: the latest state that says so
    /** @type {number[][]} */
    this.saying = []; // by row: all of them
    /** @type {Map<number, number[]>} */
    this.rowsOfLine = new Map();
    /** @type {Map<number, Link[]>} */
    this.onward = new Map();
    for (const edition of data.editions.keys()) for (const link of data.linksInto(edition)) push(this.onward, link.old, link);
    this.gather();
  }

  /** Put states with the same text into rows, the latest first, so that equally good hits are in this order. */
  gather() {
    const { data } = this;
    /** @type {Map<string, number>} */
    const rows = new Map();
    const order = Array.from(this.runs.keys()).sort((a, b) => this.last(b) - this.last(a) || a - b);
    for (const state of order) {
      const key = `${data.kinds[state]} ${data.headings[state]} ${data.bodies[state]} ${this.lines[state]}`;
      let row = rows.get(key);
      if (row === undefined) {
        row = this.states.length;
        rows.set(key, row);
        this.states.push(state);
        this.saying.push([]);
        push(this.rowsOfLine, this.lines[state], row);
      }
      this.saying[row].push(state);
    }
  }

  /** Return the last edition that prints a state. @param {number} state */
  last(state) {
    const runs = this.runs[state];
    return runs[runs.length - 1];
  }

  /**
   * Return the columns for a search, with the addresses and synonyms of today's rules; pauses at
   * times.
   * @param {CurrentFile} current
   * @returns {Generator<undefined, CurrentFile>}
   */
  *columns(current) {
    const { data, states } = this;
    const rowOf = this.rowsByPlace();
    /** @type {string[][]} */
    const parts = [];
    for (const state of states) {
      parts.push(splitBody(data.tokensOf(data.bodies[state]).join("")));
      if (parts.length % AT_ONCE_JOINED === 0) yield;
    }
    return {
      ...current,
      kinds: states.map((state) => data.kinds[state]).join(""),
      names: states.map((state) => (data.kinds[state] === "g" ? data.headingOf(state) : data.addresses[state])),
      headings: states.map((state) => (data.kinds[state] === "g" ? "" : data.headingOf(state))),
      slugs: [],
      parents: states.map((state) => this.parentOf(state, rowOf)),
      cited: states.map(() => 0),
      texts: parts.map(([text]) => text),
      examples: parts.map(([, examples]) => examples),
    };
  }

  /** Return, for each edition, the rows of the numbers that some state last has in it. @returns {Map<number, Map<string, number>>} */
  rowsByPlace() {
    /** @type {Map<number, number>} */
    const rowOf = new Map();
    this.saying.forEach((states, row) => states.forEach((state) => rowOf.set(state, row)));
    const { data } = this, needed = new Set(this.states.map((state) => this.last(state)));
    return new Map(Array.from(needed, (edition) => [
      edition,
      new Map(data.held(edition).filter((state) => data.kinds[state] !== "g").map((state) => [data.addresses[state], rowOf.get(state) ?? 0])),
    ]));
  }

  /** Return the row of a state's parent plus one; 0 without a parent. @param {number} state @param {Map<number, Map<string, number>>} rowOf */
  parentOf(state, rowOf) {
    const { data } = this;
    if (data.kinds[state] === "g") return 0;
    const above = aboveOf(bareNumber(data.addresses[state]));
    const row = above ? rowOf.get(this.last(state))?.get(above) : undefined;
    return row === undefined ? 0 : row + 1;
  }

  /** Return the names of a state's ancestors in the last edition that prints it, the chapter first. @param {number} state */
  pathOf(state) {
    const { data } = this, held = data.held(this.last(state));
    /** @type {string[]} */
    const path = [];
    if (data.kinds[state] === "g") return path;
    for (let number = aboveOf(bareNumber(data.addresses[state])); number; number = aboveOf(number)) {
      const above = held.find((candidate) => data.kinds[candidate] !== "g" && data.addresses[candidate] === number);
      const heading = above === undefined ? "" : data.headingOf(above);
      path.unshift(heading ? `${number}. ${heading}` : number);
    }
    return path;
  }

  /**
   * Return the periods of some rows, as runs of editions.
   * @param {number[]} rows
   * @returns {[first: number, last: number][]}
   */
  stood(rows) {
    const all = rows.flatMap((row) => this.saying[row]).flatMap((state) => pairs(this.runs[state])).sort((a, b) => a[0] - b[0]);
    /** @type {[number, number][]} */
    const merged = [];
    for (const [first, last] of all) {
      const before = merged[merged.length - 1];
      if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else merged.push([first, last]);
    }
    return merged;
  }

  /**
   * Return a state's heir in a later edition and whether the edition has it; for a removed
   * provision, its last state.
   * @param {number} state
   * @param {number} edition
   * @returns {{ state: number, isPrinted: boolean }}
   */
  latest(state, edition) {
    let at = this.last(state);
    for (let way = 0; way < 1000; way += 1) {
      const next = (this.onward.get(state) ?? []).filter((link) => link.edition > at && link.edition <= edition);
      if (!next.length) return { state, isPrinted: at >= edition || this.stands(state, edition) };
      const first = Math.min(...next.map((link) => link.edition));
      const heir = next.find((link) => link.edition === first && link.new !== null);
      if (heir === undefined) break;
      state = heir.new ?? state;
      at = Math.max(first, this.endOfRun(state, first));
    }
    return { state, isPrinted: false };
  }

  /** @param {number} state @param {number} edition */
  stands(state, edition) {
    return pairs(this.runs[state]).some(([first, last]) => first <= edition && edition <= last);
  }

  /** Return the end of a state's run that includes an edition. @param {number} state @param {number} edition */
  endOfRun(state, edition) {
    return pairs(this.runs[state]).find(([first, last]) => first <= edition && edition <= last)?.[1] ?? edition;
  }
}

/** Return the lineage of each state, named by its first state. @param {CompareData} data */
function linesOf(data) {
  const lines = Int32Array.from({ length: data.kinds.length }, (_, state) => state);
  /** @param {number} state */
  const root = (state) => {
    while (lines[state] !== state) state = lines[state] = lines[lines[state]];
    return state;
  };
  for (const edition of data.editions.keys()) {
    /** @type {Map<number, number>} */
    const heirs = new Map();
    /** @type {Map<number, number>} */
    const origins = new Map();
    for (const link of data.linksInto(edition)) {
      if (link.new === null) continue;
      if (!heirs.has(link.old)) heirs.set(link.old, link.new);
      if (!origins.has(link.new)) origins.set(link.new, link.old);
    }
    for (const [old, heir] of heirs) if (origins.get(heir) === old) lines[root(heir)] = root(old);
  }
  return lines.map((_, state) => root(state));
}

/** Return the number of the parent of a number; "" for chapters. @param {string} number */
function aboveOf(number) {
  if (/[a-z]$/.test(number)) return number.replace(/[a-z]+$/, "");
  if (number.includes(".")) return number.split(".")[0];
  return number.length > 1 ? number[0] : "";
}

/** Split a body into its text and its examples. @param {string} body */
function splitBody(body) {
  if (EXAMPLE_FIRST.test(body)) return ["", body];
  const at = body.search(EXAMPLES_BEHIND);
  return at < 0 ? [body, ""] : [body.slice(0, at), body.slice(at + 1)];
}

/** @param {number[]} runs @returns {[number, number][]} */
function pairs(runs) {
  return Array.from({ length: runs.length / 2 }, (_, at) => [runs[2 * at], runs[2 * at + 1]]);
}

/**
 * @template T
 * @param {Map<number, T[]>} map
 * @param {number} key
 * @param {T} value
 */
function push(map, key, value) {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
