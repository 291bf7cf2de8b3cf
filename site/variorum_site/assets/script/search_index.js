// The index of words, made in the browser from the texts of the newest edition.
/** @import { CurrentFile, RankedText, Weights } from "./types.d.ts" */
import { likeWords } from "./like_words.js";
import { bareNumber, isBelow } from "./rule_numbers.js";
import { sentences } from "./snippets.js";
import { stemsIn } from "./stem_places.js";
import { Vocabulary } from "./vocabulary.js";
import { inAll } from "./weights.js";
import { familyOf, fold, plainWords, printedWords, stemOf, stemsOf, withoutPossessive } from "./words.js";

// How much a word says about a text, by where it is; how soon repetition says nothing new.
const HEADING = 4.0, ABOVE = 1.2, TEXT = 1.0, EXAMPLES = 0.3;
const SATURATION = 1.2, LENGTH_SHARE = 0.45, USUAL_LENGTH = 45;
// A word that is in so large a share of the most frequent word's fields is common.
const COMMON = 0.33;
// Other forms of a word, and words made of it, beside the word itself.
const FORM = 0.92, RELATIVE = 0.5;
// The rule that has a number, rules below it, and rules that cite it.
const BEARER = 1.0, BELOW = 0.8, NAMING = 0.6;
/** @type {Record<string, string>} */
const KINDS = { c: "chapter", s: "section", r: "rule", u: "subrule", g: "glossary" };
// How many provisions are read at a time.
const AT_ONCE = 25;
// How many answers are kept.
const MOST_WEIGHTS = 2000, MOST_TEXTS = 1500;

export class SearchIndex {
  /** @param {CurrentFile} file */
  constructor(file) {
    this.file = file;
    this.size = file.names.length;
    /** @type {Map<string, number>} */
    this.words = new Map(); // word: its id
    /** @type {Map<string, number>} */
    this.printed = new Map(); // the same, also with the ending of a possessive
    /** @type {string[]} */
    this.spelled = [];
    /** @type {string[]} */
    this.stems = [];
    /** @type {number[][]} */
    this.postings = []; // by word: the rows that have it, each with its weight
    /** @type {number[]} */
    this.counts = []; // by word: in how many fields of provisions it is
    /** @type {number[][]} */
    this.rows = []; // by row: the ids of its words
    this.own = new Uint16Array(this.size); // how many of these are of its text
    /** @type {Set<string>} */
    this.titles = new Set();
    this.numbers = file.names.map((name, row) => (file.kinds[row] === "g" ? "" : bareNumber(name)));
    /** @type {Map<string, number[]>} */
    this.byStem = new Map();
    /** @type {Map<string, string[]>} */
    this.families = new Map();
    this.common = 0;
    this.vocabulary = new Vocabulary();
    /** @type {Map<string, Weights>} */
    this.weighed = new Map();
    /** @type {Map<number, RankedText>} */
    this.rankedTexts = new Map();
  }

  /** @param {number} row */
  kind(row) {
    return KINDS[this.file.kinds[row]];
  }

  /** Return the heading or headword of a row. @param {number} row */
  heading(row) {
    return this.file.kinds[row] === "g" ? this.file.names[row] : this.file.headings[row];
  }

  /** Return the rows that a row stands under, the nearest first. @param {number} row */
  above(row) {
    const rows = [];
    for (let parent = this.file.parents[row]; parent; parent = this.file.parents[parent - 1]) rows.push(parent - 1);
    return rows;
  }

  /** @param {number} row */
  headingAbove(row) {
    return this.above(row).map((parent) => this.file.headings[parent]).find((heading) => heading) ?? "";
  }

  /** @param {number} row */
  text(row) {
    const { texts, examples } = this.file;
    return examples[row] ? `${texts[row]}\n${examples[row]}` : texts[row];
  }

  /**
   * Read all provisions; yields now and then, so that the page stays responsive.
   * @returns {Generator<undefined, void>}
   */
  *prepare() {
    /** @type {number[][]} */
    const headings = [];
    for (let row = 0; row < this.size; row += 1) {
      headings.push(this.ids(this.heading(row)));
      if (row % (AT_ONCE * 8) === 0) yield;
    }
    const weights = new RowWeights(this);
    for (let row = 0; row < this.size; row += 1) {
      this.readRow(row, headings, weights);
      if (row % AT_ONCE === 0) yield;
    }
    yield;
    this.groupByStem();
    yield;
    this.common = COMMON * this.counts.reduce((most, count) => Math.max(most, count), 0);
    yield;
    this.vocabulary = new Vocabulary();
    for (const [place, concept] of this.file.synonyms.entries()) {
      this.vocabulary.take(concept);
      if (place % AT_ONCE === 0) yield;
    }
  }

  /** @param {number} row @param {number[][]} headings @param {RowWeights} weights */
  readRow(row, headings, weights) {
    const text = this.file.texts[row] ? this.ids(this.file.texts[row]) : [];
    const examples = this.file.examples[row] ? this.ids(this.file.examples[row]) : [];
    weights.add(headings[row], HEADING, 1);
    for (const id of headings[row]) this.titles.add(this.stems[id]);
    for (const parent of this.above(row)) weights.add(headings[parent], ABOVE, 2);
    weights.add(text, TEXT, 4);
    weights.add(examples, EXAMPLES, 8);
    weights.post(row, SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * text.length) / USUAL_LENGTH));
    this.own[row] = text.length;
    this.rows.push(examples.length ? text.concat(examples) : text);
  }

  groupByStem() {
    this.stems.forEach((stem, id) => {
      const known = this.byStem.get(stem);
      if (known === undefined) this.byStem.set(stem, [id]);
      else known.push(id);
    });
    for (const stem of this.byStem.keys()) {
      const family = familyOf(stem);
      if (family) this.families.set(family, [...(this.families.get(family) ?? []), stem]);
    }
  }

  /** Return the ids of the words of a text. @param {string} text */
  ids(text) {
    const folded = fold(text).replaceAll("\u2014", " "); // no word has a dash; plain text is read faster
    return printedWords(folded).map((word) => this.printed.get(word) ?? this.newId(word));
  }

  /** Return the id of a word that is met in this form for the first time. @param {string} printed */
  newId(printed) {
    const word = withoutPossessive(printed);
    let id = this.words.get(word);
    if (id === undefined) {
      id = this.spelled.length;
      this.words.set(word, id);
      this.spelled.push(word);
      this.stems.push(stemOf(word));
      this.postings.push([]);
      this.counts.push(0);
    }
    this.printed.set(printed, id);
    return id;
  }

  // The words of the index

  /** @param {string} word */
  allCounts(word) {
    return this.forms(word).reduce((sum, id) => sum + this.counts[id], 0);
  }

  /** @param {string} word */
  isCommon(word) {
    return this.allCounts(word) > this.common;
  }

  /** @param {string} word */
  isTerm(word) {
    return this.titles.has(stemOf(word));
  }

  /** @param {string} word */
  forms(word) {
    return this.byStem.get(stemOf(word)) ?? [];
  }

  /** @param {string} word */
  relatives(word) {
    const own = stemOf(word);
    const family = familyOf(own) || own;
    const stems = new Set([family, ...(this.families.get(family) ?? [])]);
    stems.delete(own);
    return [...stems].flatMap((stem) => this.byStem.get(stem) ?? []);
  }

  /** @param {string} letters */
  beginningWith(letters) {
    return this.spelled.flatMap((word, id) => (word.startsWith(letters) ? [id] : []));
  }

  /** Return the words that look most like one that is not there. @param {string} word */
  like(word) {
    return likeWords(word, this.spelled, this.counts);
  }

  // The rows that have words, with weights

  /** @param {Weights} weights @param {number} id @param {number} factor */
  addWord(weights, id, factor) {
    const posting = this.postings[id];
    for (let at = 0; at < posting.length; at += 2) {
      const weight = posting[at + 1] * factor;
      if (weight > (weights.get(posting[at]) ?? 0)) weights.set(posting[at], weight);
    }
  }

  /** @param {string} word */
  ofWord(word) {
    /** @type {Weights} */
    const weights = new Map();
    for (const id of this.forms(word)) this.addWord(weights, id, this.spelled[id] === word ? 1 : FORM);
    for (const id of this.relatives(word)) this.addWord(weights, id, RELATIVE);
    return weights;
  }

  /** Return the rows that have all of some words, in any form and anywhere. @param {string[]} words */
  ofWords(words) {
    const name = words.join(" ");
    let known = this.weighed.get(name);
    if (known === undefined) {
      if (this.weighed.size > MOST_WEIGHTS) this.weighed.clear();
      known = words.length === 1 ? this.ofWord(words[0]) : this.ofAll(words);
      this.weighed.set(name, known);
    }
    return known;
  }

  /** @param {string[]} words @returns {Weights} */
  ofAll(words) {
    const distinct = [...new Set(words)];
    const rare = distinct.filter((word) => !this.isCommon(word));
    return inAll((rare.length ? rare : distinct).map((word) => this.ofWords([word])));
  }

  /** Return the rows that have all words of a phrase in just these forms. @param {string[]} words */
  ofPhrase(words) {
    return inAll([...new Set(words)].map((word) => {
      /** @type {Weights} */
      const weights = new Map();
      const id = this.words.get(word);
      if (id !== undefined) this.addWord(weights, id, 1);
      return weights;
    }));
  }

  /** @param {string} number @param {boolean} isOpen */
  ofNumber(number, isOpen) {
    /** @type {Weights} */
    const weights = new Map();
    this.numbers.forEach((own, row) => {
      if (own === number) weights.set(row, BEARER);
      else if (own && (isOpen ? own.startsWith(number) : isBelow(own, number))) weights.set(row, BELOW);
    });
    const id = this.words.get(number);
    if (id !== undefined) this.addWord(weights, id, NAMING);
    return weights;
  }

  /** Say whether a row prints some words one behind the other. @param {number} row @param {string[]} words */
  prints(row, words) {
    const ids = words.map((word) => this.words.get(word));
    if (ids.includes(undefined)) return false;
    const printed = [...this.ids(this.heading(row)), ...this.rows[row]];
    return printed.some((_, at) => ids.every((id, place) => printed[at + place] === id));
  }

  /** Return what ranking needs to know about a row. @param {number} row */
  rankedText(row) {
    let known = this.rankedTexts.get(row);
    if (known === undefined) {
      if (this.rankedTexts.size > MOST_TEXTS) this.rankedTexts.clear();
      this.rankedTexts.set(row, known = this.newRankedText(row));
    }
    return known;
  }

  /** @param {number} row @returns {RankedText} */
  newRankedText(row) {
    const text = this.text(row);
    let count = 0;
    return {
      kind: this.kind(row),
      heading: stemsIn(stemsOf(plainWords(this.heading(row)))),
      above: stemsIn(stemsOf(plainWords(this.headingAbove(row)))),
      text: stemsIn(this.rows[row].map((id) => this.stems[id])),
      own: this.own[row],
      ends: sentences(text).map(([start, stop]) => (count += plainWords(text.slice(start, stop)).length)),
      cited: this.file.cited[row],
    };
  }
}

/** The weights of the words of one row, summed over its fields. */
class RowWeights {
  /** @param {SearchIndex} index */
  constructor(index) {
    this.index = index;
    this.sums = new Float64Array(1 << 16);
    this.seen = new Uint8Array(1 << 16);
    /** @type {number[]} */
    this.touched = [];
  }

  /**
   * Add the words of a field, which is a bit.
   * @param {number[]} ids
   * @param {number} weight
   * @param {number} field
   */
  add(ids, weight, field) {
    const { index, seen, sums, touched } = this;
    for (const id of ids) {
      if (!seen[id]) touched.push(id);
      if (!(seen[id] & field)) {
        seen[id] |= field;
        index.counts[id] += 1;
      }
      sums[id] += weight;
    }
  }

  /**
   * Put the row into the postings of its words, and begin the next one.
   * @param {number} row
   * @param {number} length
   */
  post(row, length) {
    for (const id of this.touched) {
      this.index.postings[id].push(row, this.sums[id] / (this.sums[id] + length));
      this.sums[id] = this.seen[id] = 0;
    }
    this.touched = [];
  }
}
