// What comparisons rest on, read from the files in `compare/`, see compare_steps.py.
/** @import { Canon, Link, OrderFile, PartFile, PartsFile, Question, Token, TokenRow } from "./types.d.ts" */
import { placeOfEdition } from "./designators.js";
import { isAround, isBlockOf, orderOf } from "./number_blocks.js";

const SLOT = "\ue000";
/** The place of the word that stands for any citation. */
export const CITED = 0;
// More texts than there ever will be, so that a heading and a body make one key.
const TEXTS = 0x100000;

/** @param {(number | null)[]} steps - Null of what has no place, which counts for nothing. */
function summed(steps) {
  let sum = 0;
  return Int32Array.from(steps, (step) => (sum += step ?? 0));
}

/** Return the ids in runs: repeatedly, how many are skipped and how many follow. @param {number[]} runs */
function idsIn(runs) {
  const ids = [];
  let next = 0;
  for (let at = 0; at < runs.length; at += 2) {
    next += runs[at];
    for (let count = runs[at + 1]; count; count -= 1) ids.push(next++);
  }
  return ids;
}

/**
 * Return a list with edits made: how many stay, how many go, how many come, and these.
 * @param {number[]} before
 * @param {number[]} edits
 * @param {number} at - Where the edits begin.
 */
export function patched(before, edits, at = 0) {
  const items = [];
  let place = 0;
  while (at < edits.length) {
    const stop = place + edits[at], came = edits[at + 2];
    while (place < stop) items.push(before[place++]);
    place += edits[at + 1];
    at += 3;
    for (const end = at + came; at < end; at += 1) items.push(edits[at]);
  }
  while (place < before.length) items.push(before[place++]);
  return items;
}

/** @param {string} text */
function withoutBlanks(text) {
  return text.replace(/[ \n]+$/, "");
}

/** The texts of a part, and their words. */
class PartTexts {
  /** @param {Token[]} tokens @param {number[][]} rows */
  constructor(tokens, rows) {
    this.tokens = tokens;
    this.rows = rows;
    /** @type {number[][]} */
    this.codes = [];
  }

  /** Return the places of a text's tokens. @param {number} place */
  codesOf(place) {
    const waiting = [];
    while (this.codes[place] === undefined) {
      const row = this.rows[place];
      if (row[0] && this.codes[place - row[0]] === undefined) {
        waiting.push(place);
        place -= row[0];
        continue;
      }
      this.codes[place] = row[0] ? patched(this.codes[place - row[0]], row, 1) : row.slice(1);
      place = waiting.pop() ?? place;
    }
    return this.codes[place];
  }
}

/** The provisions of all editions, of the parts that were taken in. */
export class CompareData {
  /** @param {PartsFile} file */
  constructor(file) {
    this.file = file;
    this.editions = file.editions;
    /** @type {Set<number>} The places of the parts that were taken in. */
    this.parts = new Set();
    /** @type {string[]} */
    this.kinds = new Array(file.states).fill("");
    /** @type {string[]} */
    this.addresses = new Array(file.states).fill("");
    this.headings = new Int32Array(file.states);
    this.bodies = new Int32Array(file.states);
    /** @type {number[][]} By state: the first and the last edition of each run; none of states that were not taken in. */
    this.runs = new Array(file.states).fill([]);
    /** @type {Link[][]} By the editions into which they lead. */
    this.links = file.editions.map(() => []);
    /** @type {Set<number>} */
    this.unsorted = new Set();
    /** @type {number[][]} The states of each edition in printed order, once they are known. */
    this.printed = [];
    /** @type {number[][] | null} */
    this.order = null;
    /** @type {Map<string, number>} */
    this.words = new Map([[SLOT, CITED]]);
    this.wordTexts = [SLOT];
    this.common = file.words.map((row) => this.token(row));
    /** @type {Map<number, [texts: PartTexts, place: number]>} */
    this.texts = new Map();
    /** @type {Map<number, string>} */
    this.slugs = new Map();
    /** @type {Map<number, number[]>} */
    this.stated = new Map();
    /** @type {Map<number, Canon>} */
    this.canons = new Map();
  }

  /** Return the places of the parts that comparing some numbers needs. @param {Question} question */
  partsOf({ kind, first, last }) {
    const blocks = Object.keys(this.file.needs);
    const wanted = blocks.filter((block) => (kind === "range" ? isAround(block, first, last) : isBlockOf(block, first)));
    return new Set(wanted.flatMap((block) => this.file.needs[block]));
  }

  /** Take in a part. @param {number} place @param {PartFile | undefined} part - None of a file of another build. */
  add(place, part) {
    if (part?.mark !== this.file.marks[place]) throw new StaleError();
    if (this.parts.has(place)) return;
    this.parts.add(place);
    this.printed = [];
    const texts = this.addTexts(part.texts), ids = idsIn(part.states.ids);
    const { states } = part, numbers = summed(states.numbers), bodies = summed(states.bodies), firsts = summed(states.firsts);
    const last = this.editions.length - 1;
    let next = 0;
    ids.forEach((state, at) => {
      this.kinds[state] = states.kinds[at];
      if (states.kinds[at] !== "g") this.addresses[state] = states.names[numbers[next++]];
      this.headings[state] = texts[states.headings[at]];
      this.bodies[state] = texts[bodies[at]];
      const runs = [firsts[at], states.spans[at], ...(states.returns[at] ?? [])];
      this.runs[state] = runs.map((value, place) => (place % 2 ? (value ? runs[place - 1] + value - 1 : last) : value));
    });
    this.addLinks(part.links, ids);
  }

  /** Take in texts; return their ids. @param {PartFile["texts"]} file */
  addTexts(file) {
    const ids = idsIn(file.ids), texts = new PartTexts([...this.common, ...file.tokens.map((row) => this.token(row))], file.texts);
    ids.forEach((text, place) => this.texts.set(text, [texts, place]));
    for (const [place, words] of Object.entries(file.canon)) this.stated.set(ids[+place], words.map((word) => this.word(word)));
    for (const [place, slug] of Object.entries(file.slugs)) this.slugs.set(ids[+place], slug);
    return ids;
  }

  /** @param {PartFile["links"]} columns @param {number[]} ids */
  addLinks(columns, ids) {
    const olds = summed(columns.olds), news = summed(columns.news);
    let place = 0, edition = 0;
    for (let at = 0; at < columns.counts.length; at += 2) {
      edition += columns.counts[at];
      const links = this.links[edition];
      for (const stop = place + columns.counts[at + 1]; place < stop; place += 1) {
        const heir = columns.news[place] === null ? columns.away[place] ?? null : ids[news[place]];
        links.push({ edition, source: columns.sources[place] ?? edition - 1, old: ids[olds[place]], new: heir, bits: columns.bits[place] });
      }
      this.unsorted.add(edition);
    }
  }

  /** Return the links into an edition in the order of the whole history: what returns first. @param {number} edition */
  linksInto(edition) {
    const links = this.links[edition];
    if (this.unsorted.delete(edition)) {
      links.sort((a, b) => a.source - b.source || a.old - b.old);
    }
    return links;
  }

  /** Take in the printed order of all provisions, which all parts together have; yields at each edition. @param {OrderFile} file */
  *addOrder(file) {
    if (file.mark !== this.file.order) throw new StaleError();
    /** @type {number[][]} */
    const order = [];
    for (const held of heldIn(file.held)) yield order.push(held);
    this.order = order;
    this.printed = [];
  }

  /** Return the states of an edition, in printed order; without that, in the order of their numbers. @param {number} edition */
  held(edition) {
    return this.printed[edition] ??= this.order?.[edition] ?? this.standing(edition);
  }

  /** @param {number} edition */
  standing(edition) {
    /** @type {[state: number, rank: number][]} */
    const ranked = [];
    for (const [state, runs] of this.runs.entries()) {
      for (let at = 0; at < runs.length; at += 2) {
        if (runs[at] <= edition && edition <= runs[at + 1]) ranked.push([state, orderOf(this.addresses[state])]);
      }
    }
    return ranked.sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([state]) => state);
  }

  /** @param {TokenRow} row @returns {Token} */
  token(row) {
    if (typeof row === "string") {
      const bare = withoutBlanks(row).toLowerCase();
      return { text: row, canon: /^[a-z0-9]+$/.test(bare) ? [this.word(bare)] : [], citations: [] };
    }
    if (row.length === 1) {
      const number = withoutBlanks(row[0]);
      return { text: row[0], canon: [CITED], citations: [[number, number]] };
    }
    return { text: row[0], canon: row[1].map((word) => this.word(word)), citations: row[2] };
  }

  /** @param {string} word */
  word(word) {
    let known = this.words.get(word);
    if (known === undefined) {
      known = this.wordTexts.length;
      this.words.set(word, known);
      this.wordTexts.push(word);
    }
    return known;
  }

  /** Return the tokens of a text. @param {number} text */
  tokensIn(text) {
    const known = this.texts.get(text);
    if (known === undefined) return [];
    const [texts, place] = known;
    return texts.codesOf(place).map((code) => texts.tokens[code]);
  }

  /** @param {number} text */
  tokensOf(text) {
    return this.tokensIn(text).map((token) => token.text);
  }

  /** Return what a state is compared by. @param {number} state */
  canon(state) {
    const heading = this.headings[state], body = this.bodies[state];
    const key = heading * TEXTS + body;
    let known = this.canons.get(key);
    if (known === undefined) {
      known = { words: [], citations: [] };
      this.addCanon(known, heading);
      this.addCanon(known, body);
      this.canons.set(key, known);
    }
    return known;
  }

  /** @param {Canon} canon @param {number} text */
  addCanon(canon, text) {
    const stated = this.stated.get(text);
    if (stated) canon.words.push(...stated);
    for (const token of this.tokensIn(text)) {
      if (!stated) canon.words.push(...token.canon);
      canon.citations.push(...token.citations);
    }
  }

  /** @param {number} state */
  headingOf(state) {
    return this.tokensOf(this.headings[state]).join("");
  }

  /** Return the number as printed, "" of a glossary entry. @param {number} state */
  numberOf(state) {
    return this.addresses[state].split("#", 1)[0];
  }

  /** @param {number} state */
  nameOf(state) {
    return this.kinds[state] === "g" ? `glossary: ${this.headingOf(state)}` : this.addresses[state];
  }

  /** @param {number} state @param {number} second */
  isSamePlace(state, second) {
    const isEntry = this.kinds[state] === "g";
    if (isEntry !== (this.kinds[second] === "g")) return false;
    return isEntry ? this.headings[state] === this.headings[second] : this.addresses[state] === this.addresses[second];
  }

  /** @param {number} state @param {number} second */
  isSameText(state, second) {
    return this.bodies[state] === this.bodies[second] && this.headings[state] === this.headings[second];
  }

  /**
   * Return the words of a provision and its examples, its heading where there are none.
   * @param {number} state
   */
  wordsOf(state) {
    const tokens = this.tokensOf(this.bodies[state]);
    return tokens.length ? tokens : this.tokensOf(this.headings[state]);
  }

  /**
   * Return the place of the edition that a designator names, -1 if it names none.
   * @param {string} designator
   * @param {string} today
   */
  find(designator, today = "") {
    return placeOfEdition(this.editions, designator, today);
  }
}

/** Yield the states of each edition in printed order. @param {number[][]} coded */
function* heldIn(coded) {
  /** @type {number[]} */
  let before = [];
  let due = 0;
  for (const steps of coded) {
    const edits = steps.slice();
    for (let at = 0; at < edits.length; ) {
      const stop = at + 3 + edits[at + 2];
      for (at += 3; at < stop; at += 1) due = (edits[at] += due) + 1;
    }
    yield before = patched(before, edits);
  }
}

/** A file is of another build than what names it. */
export class StaleError extends Error {}
