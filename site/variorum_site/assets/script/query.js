// A search query as a tree: words, phrases, AND OR NOT, brackets, numbers.
//
//     query   = either
//     either  = both ("OR" both)*
//     both    = unit ("AND"? unit)*
//     unit    = "NOT" unit | "(" either ")" | '"' words '"' | word "*" | word
//
// The command refuses a query that it cannot read; the page, which answers during typing, skips those
// parts.
/** @import { Part } from "./types.d.ts" */
import { announcesNumber, numberIn, numberWord } from "./rule_numbers.js";
import { fold, plainWords } from "./words.js";

/** @typedef {{ kind: string, text: string }} QueryToken */

const TOKEN = /(?<phrase>"[^"]*")|(?<open>\()|(?<close>\))|(?<operator>(?:AND|OR|NOT)(?![^\s()"]))|(?<word>[^\s()"]+)|(?<quote>")/g;
const PREFIX = /^[\p{L}\p{N}]{3,}$/u;
const DEEPEST = 50;

/** Return a query as a tree; null without a word. @param {string} text @returns {Part | null} */
export function parseQuery(text) {
  const number = numberIn(text);
  if (number !== null) return { kind: "number", ...number };
  let tokens = tokensIn(text);
  const isStrict = tokens.some(({ kind }) => kind === "operator");
  // Without operators, brackets and an unpaired quote mean nothing.
  if (!isStrict) tokens = tokens.filter(({ kind }) => kind === "phrase" || kind === "word");
  return new Parser(tokens.filter(({ kind }) => kind !== "quote"), isStrict).either(0);
}

/** @param {string} text @returns {QueryToken[]} */
function tokensIn(text) {
  return Array.from(text.replace(/[\u201c\u201d]/g, '"').matchAll(TOKEN), ({ groups = {} }) => {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? "";
    return { kind, text: groups[kind] ?? "" };
  });
}

class Parser {
  /** @param {QueryToken[]} tokens @param {boolean} isStrict */
  constructor(tokens, isStrict) {
    this.tokens = tokens;
    this.isStrict = isStrict;
    this.place = 0;
  }

  /** @param {string} kind @param {string} [text] */
  is(kind, text) {
    const token = this.tokens[this.place];
    return token !== undefined && token.kind === kind && (text === undefined || token.text === text);
  }

  /** @param {number} depth @returns {Part | null} */
  either(depth) {
    /** @type {Part[]} */
    const parts = [];
    while (this.place < this.tokens.length && !(depth && this.is("close"))) {
      const part = this.both(depth);
      if (part !== null) parts.push(part);
      if (this.is("operator", "OR") || (!depth && this.is("close"))) this.place += 1;
    }
    return parts.length > 1 ? { kind: "either", parts } : parts[0] ?? null;
  }

  /** @param {number} depth @returns {Part | null} */
  both(depth) {
    /** @type {Part[]} */
    const parts = [];
    while (this.place < this.tokens.length && !this.is("close") && !this.is("operator", "OR")) {
      if (this.is("operator", "AND")) this.place += 1;
      else parts.push(...this.unit(depth));
    }
    if (parts.length < 2) return parts[0] ?? null;
    return { kind: "all", parts, isStrict: this.isStrict };
  }

  /** @param {number} depth @returns {Part[]} */
  unit(depth) {
    const token = /** @type {QueryToken} */ (this.tokens[this.place]);
    this.place += 1;
    if (token.kind === "operator") return this.not(depth);
    if (token.kind === "open") return this.bracket(depth);
    if (token.kind === "phrase") return phraseOf(token.text);
    if (announcesNumber(token.text) && this.is("word")) {
      const word = /** @type {QueryToken} */ (this.tokens[this.place]).text;
      const number = numberWord(word);
      if (number !== null) {
        this.place += 1;
        return [{ kind: "number", ...number }];
      }
    }
    return partsOf(token.text);
  }

  /** @param {number} depth @returns {Part[]} */
  not(depth) {
    const isLast = this.place === this.tokens.length || this.is("close");
    if (isLast || this.is("operator", "AND") || this.is("operator", "OR")) return [];
    const parts = this.unit(depth);
    const [first] = parts;
    if (first === undefined) return [];
    return [{ kind: "not", part: parts.length > 1 ? { kind: "all", parts, isStrict: true } : first }];
  }

  /** @param {number} depth @returns {Part[]} */
  bracket(depth) {
    if (depth > DEEPEST) return [];
    const part = this.either(depth + 1);
    if (this.is("close")) this.place += 1;
    return part === null ? [] : [part];
  }
}

/** @param {string} text @returns {Part[]} */
function phraseOf(text) {
  const words = plainWords(text);
  const [word] = words;
  if (word === undefined) return [];
  return [words.length > 1 ? { kind: "phrase", words } : { kind: "plain", word }];
}

/** Return the parts of a token without blanks. @param {string} token @returns {Part[]} */
function partsOf(token) {
  const folded = fold(token);
  const number = numberWord(token);
  // A digit alone is a count; with a period it is a chapter.
  if (number !== null && (number.number.length > 1 || folded !== number.number)) {
    return [{ kind: "number", ...number }];
  }
  const words = plainWords(token);
  const isPrefix = folded.endsWith("*") && PREFIX.test(words.at(-1) ?? "");
  return words.map((word, place) =>
    (isPrefix && place === words.length - 1 ? { kind: "prefix", letters: word } : { kind: "plain", word }));
}
