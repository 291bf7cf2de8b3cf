// What comparisons rest on, read from `compare/steps.json` and `compare/texts/`.
/** @import { Canon, Link, StepsFile, TextsFile, Token, TokenRow } from "./types.d.ts" */
import { placeOfEdition } from "./designators.js";

const SLOT = "\ue000";
/** The place of the word that stands for any citation. */
export const CITED = 0;
// More texts than there ever will be, so that a heading and a body make one key.
const TEXTS = 0x100000;

/** @param {number[]} steps */
function summed(steps) {
  let sum = 0;
  return Int32Array.from(steps, (step) => (sum += step));
}

/**
 * Return a list with edits made: how many stay, how many go, how many come, and these.
 * @param {number[]} before
 * @param {number[]} edits
 * @param {number} at - Where the edits begin.
 */
export function patched(before, edits, at = 0) {
  const found = [];
  let place = 0;
  while (at < edits.length) {
    const stop = place + edits[at], came = edits[at + 2];
    while (place < stop) found.push(before[place++]);
    place += edits[at + 1];
    at += 3;
    for (const end = at + came; at < end; at += 1) found.push(edits[at]);
  }
  while (place < before.length) found.push(before[place++]);
  return found;
}

/** @param {string} text */
function withoutBlanks(text) {
  return text.replace(/[ \n]+$/, "");
}

export class CompareData {
  /** @param {StepsFile} steps */
  constructor(steps) {
    this.editions = steps.editions;
    this.numbers = steps.numbers;
    this.starts = steps.files;
    this.marks = steps.marks;
    this.kinds = steps.states.kinds;
    this.headings = steps.states.headings;
    this.bodies = summed(steps.states.bodies);
    this.addresses = addressesOf(steps);
    this.held = heldOf(steps.held);
    this.links = linksInto(steps.links);
    this.files = 0;
    /** @type {Map<string, number>} */
    this.words = new Map([[SLOT, CITED]]);
    this.wordTexts = [SLOT];
    /** @type {Token[]} */
    this.tokens = [];
    /** @type {number[][]} */
    this.rows = [];
    /** @type {Map<number, string>} */
    this.slugs = new Map();
    /** @type {Map<number, number[]>} */
    this.stated = new Map();
    /** @type {number[][]} */
    this.codes = [];
    /** @type {Map<number, Canon>} */
    this.canons = new Map();
  }

  /** Return how many files of texts two editions need. @param {number} a @param {number} b */
  needs(a, b) {
    let most = 0;
    for (const edition of [a, b]) {
      for (const state of this.held[edition]) most = Math.max(most, this.headings[state], this.bodies[state]);
    }
    return this.starts.filter((start) => start <= most).length;
  }

  /** Take in the next file of texts. @param {TextsFile} file */
  add(file) {
    if (file.mark !== this.marks[this.files]) throw new RangeError("a file of texts is of another build");
    this.files += 1;
    for (const token of file.tokens) this.tokens.push(this.token(token));
    for (const row of file.texts) this.rows.push(row);
    for (const [place, words] of Object.entries(file.canon)) this.stated.set(+place, words.map((word) => this.word(word)));
    for (const [place, slug] of Object.entries(file.slugs)) this.slugs.set(+place, slug);
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

  /** Return the tokens of a text, by their places. @param {number} text */
  codesOf(text) {
    const waiting = [];
    while (this.codes[text] === undefined) {
      const row = this.rows[text];
      if (row[0] && this.codes[text - row[0]] === undefined) {
        waiting.push(text);
        text -= row[0];
        continue;
      }
      this.codes[text] = row[0] ? patched(this.codes[text - row[0]], row, 1) : row.slice(1);
      text = waiting.pop() ?? text;
    }
    return this.codes[text];
  }

  /** @param {number} text */
  tokensOf(text) {
    return this.codesOf(text).map((code) => this.tokens[code].text);
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
    for (const code of this.codesOf(text)) {
      const token = this.tokens[code];
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

  /** @param {number} state @param {number} other */
  isSamePlace(state, other) {
    const isEntry = this.kinds[state] === "g";
    if (isEntry !== (this.kinds[other] === "g")) return false;
    return isEntry ? this.headings[state] === this.headings[other] : this.addresses[state] === this.addresses[other];
  }

  /** @param {number} state @param {number} other */
  isSameText(state, other) {
    return this.bodies[state] === this.bodies[other] && this.headings[state] === this.headings[other];
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

/** Return the addresses of all states, "" of glossary entries. @param {StepsFile} steps */
function addressesOf({ states, numbers }) {
  const places = summed(states.numbers);
  let next = 0;
  return Array.from(states.kinds, (kind) => (kind === "g" ? "" : numbers[places[next++]]));
}

/** Return the states of each edition in printed order. @param {number[][]} coded */
function heldOf(coded) {
  /** @type {number[][]} */
  const found = [];
  /** @type {number[]} */
  let before = [];
  let due = 0;
  for (const steps of coded) {
    const edits = steps.slice();
    for (let at = 0; at < edits.length; ) {
      const stop = at + 3 + edits[at + 2];
      for (at += 3; at < stop; at += 1) due = (edits[at] += due) + 1;
    }
    found.push((before = patched(before, edits)));
  }
  return found;
}

/** Return the links by the editions into which they lead. @param {StepsFile["links"]} columns */
function linksInto(columns) {
  let place = 0, old = 0, last = 0;
  return columns.counts.map((count, edition) => {
    /** @type {Link[]} */
    const links = [];
    for (const stop = place + count; place < stop; place += 1) {
      old += columns.olds[place];
      const step = columns.news[place];
      if (step !== null) last += step;
      const source = columns.sources[place] ?? edition - 1;
      links.push({ edition, source, old, new: step === null ? null : last, bits: columns.bits[place] });
    }
    return links;
  });
}
