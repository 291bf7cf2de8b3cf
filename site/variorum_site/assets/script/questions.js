// The forms in which readers name rules: "CR 704.5k (2026-08-07)", "704.5k-m", "702.19 M10"; as
// in answers/questions.py, but without square brackets.
/** @import { Asked, Question } from "./types.d.ts" */
import { lastDay } from "./designators.js";
import { compareNumbers } from "./rule_numbers.js";

const PREFIXES = ["cr", "c.r.", "rules", "rule", "subrule", "sections", "section", "chapter", "§§", "§"];
const DASHES = ["-", "–", "—", "...", "..", "to ", "through "];
const AND = ["and ", "or "];
const BEFORE_EDITION = ["cr ", "in ", "on ", "at ", "of ", "as of ", "effective ", "from ", "@"];
const EDITION_WORDS = ["current", "first", "latest", "today"];
const CLOSING_OR_BETWEEN = /^[ .,:;)&+/]+/;

/**
 * Return the questions of a text: numbers and ranges with their editions, or a term.
 * @param {string} text
 * @returns {Asked[]}
 */
export function parseQuestions(text) {
  if (lastDay(text.trim().toLowerCase())) return [asWords(text)];
  let rest = text.trim().toLowerCase();
  /** @type {Asked[]} */
  const asked = [];
  while (rest) {
    let [question, behind] = takeQuestion(rest);
    if (!question || (asked.length && beginsWithDay(rest))) {
      /** @type {string} */
      let designator;
      [designator, behind] = takeDesignator(rest);
      const open = asked.filter(({ edition }) => !edition);
      if (!open.length || !designator) return [asWords(text)];
      for (const citation of open) citation.edition = designator;
    } else {
      asked.push({ question, edition: "" });
    }
    rest = withoutOpening(behind.replace(CLOSING_OR_BETWEEN, ""), AND).trimStart();
  }
  return asked.length ? asked : [asWords(text)];
}

/** Read a term; a day in parentheses may follow it. @param {string} text @returns {Asked} */
function asWords(text) {
  const bare = text.trim();
  const open = bare.lastIndexOf("(");
  if (open > 0) {
    const designator = withoutOpening(bare.slice(open + 1).replace(/[) ]+$/, "").toLowerCase(), BEFORE_EDITION);
    if (lastDay(designator) || EDITION_WORDS.includes(designator)) {
      return { question: { kind: "words", first: bare.slice(0, open).trim(), last: "" }, edition: designator };
    }
  }
  return { question: { kind: "words", first: bare, last: "" }, edition: "" };
}

/** Split a text into the number or range at its beginning, and the rest. @param {string} text @returns {[Question | null, string]} */
function takeQuestion(text) {
  const [number, after] = takeNumber(withoutPrefix(text.replace(/^[( ]+/, "")));
  let rest = after, which = "";
  const [mark] = number ? /^#\d/.exec(rest.trimStart()) ?? [""] : [""];
  if (mark) {
    which = mark;
    rest = rest.trimStart().slice(2);
  }
  if (!number || !isEnd(rest)) return [null, text];
  const behind = rest.trimStart();
  const dash = which ? undefined : DASHES.find((sign) => behind.startsWith(sign));
  if (dash === undefined) return [{ kind: "number", first: number, last: which }, rest];
  const [last, end] = takeLast(number, behind.slice(dash.length).trimStart());
  return last ? [{ kind: "range", first: number, last }, end] : [null, text];
}

/** Return whether a number may end before a text: 2XM, 10th and 2009 do not begin with a number. @param {string} rest */
function isEnd(rest) {
  return !/^[\p{L}\p{N}]/u.test(rest) && !/^\.\d/.test(rest);
}

/** Return whether a text begins with a day in the form 11 July 2009. @param {string} text */
function beginsWithDay(text) {
  return Boolean(lastDay(text.replaceAll(",", " ").trim().split(/\s+/).slice(0, 3).join(" ")));
}

/** Split a text into the designator of an edition at its beginning, and the rest. @param {string} text @returns {[string, string]} */
function takeDesignator(text) {
  if (text.startsWith("(")) {
    const close = text.indexOf(")");
    const inner = close < 0 ? text.slice(1) : text.slice(1, close);
    return [withoutOpening(inner.trim(), BEFORE_EDITION).trim(), close < 0 ? "" : text.slice(close + 1)];
  }
  const words = withoutOpening(text, BEFORE_EDITION).trim().split(" ");
  /** @type {string[]} */
  const taken = [];
  while (words.length && !(taken.length && endsDesignator(taken[taken.length - 1], words[0]))) taken.push(words.shift() ?? "");
  return [taken.join(" ").replace(/[ .,:;)]+$/, ""), words.join(" ")];
}

/** Return whether a designator ends between two words: before a number, or after a comma. @param {string} word @param {string} after */
function endsDesignator(word, after) {
  const [number, behind] = takeNumber(after);
  return (number.length > 2 && isEnd(behind)) || (/[,;]$/.test(word) && !lastDay(after));
}

/** Remove the words with which a text may begin. @param {string} text @param {string[]} openings @returns {string} */
function withoutOpening(text, openings) {
  const opening = openings.find((words) => text.startsWith(words));
  return opening === undefined ? text : withoutOpening(text.slice(opening.length).trimStart(), openings);
}

/** Remove "CR", "rule" and the like; they count only before a digit or each other. @param {string} text @returns {string} */
function withoutPrefix(text) {
  for (const prefix of PREFIXES) {
    if (!text.startsWith(prefix)) continue;
    const bare = withoutPrefix(text.slice(prefix.length).replace(/^[ :]+/, ""));
    if (/^\d/.test(bare)) return bare;
  }
  return text;
}

/**
 * Split a text into the number at its beginning, as editions print it, and the rest.
 * @param {string} text
 * @returns {[string, string]}
 */
function takeNumber(text) {
  const [section] = /^\d*/.exec(text) ?? [""];
  if (!section || section.length > 3 || section.startsWith("0")) return ["", text];
  const rest = text.slice(section.length);
  if (!rest.startsWith(".")) return [section, rest];
  let after = rest.slice(1).replace(/^ +/, "");
  const [rule] = /^\d*/.exec(after) ?? [""];
  if (!rule) {
    const [letter] = /^[a-z]*/.exec(after) ?? [""];
    return letter.length === 1 ? [`${section}.${letter}`, after.slice(1)] : [section, rest];
  }
  after = after.slice(rule.length);
  const isApart = /^[ .]/.test(after), closer = after.replace(/^[. ]+/, "");
  const [letters] = /^[a-z]*/.exec(closer) ?? [""];
  const behind = closer.slice(letters.length);
  // A letter of the next word is no subrule: "704.5 in M10".
  if (!letters || letters.length > (isApart ? 1 : 2) || (isApart && !isEnd(behind))) return [`${section}.${rule}`, after];
  return [`${section}.${rule}${letters}`, behind];
}

/**
 * Split a text into the end of a range, "" if it has none, and the rest.
 * @param {string} first
 * @param {string} rest
 * @returns {[string, string]}
 */
function takeLast(first, rest) {
  const [whole, after] = takeNumber(rest);
  if (whole) {
    const last = first.includes(".") ? rangeEnd(first, whole) : whole;
    return isEnd(after) ? [last, after] : ["", rest];
  }
  const [letters] = /^[a-z]*/.exec(rest) ?? [""];
  const behind = rest.slice(letters.length);
  return letters && letters.length < 3 && isEnd(behind) ? [rangeEnd(first, letters), behind] : ["", rest];
}

/** Write out the end of a range; "" if it is not of the first number's kind. @param {string} first @param {string} ending */
function rangeEnd(first, ending) {
  const stem = first.replace(/[a-z]+$/, "");
  const isDotted = stem.includes(".");
  if (/^[a-z]+$/.test(ending)) return isDotted ? stem + ending : "";
  if (ending.includes(".")) return ending;
  return isDotted ? `${stem.split(".")[0]}.${ending}` : `${stem.slice(0, -ending.length)}${ending}`;
}

/** Return whether a number is in a range, in either direction. @param {string} number @param {Question} range */
export function isWithin(number, { first, last }) {
  const [low, high] = compareNumbers(first, last) <= 0 ? [first, last] : [last, first];
  return compareNumbers(low, number) <= 0 && (compareNumbers(number, high) <= 0 || number.startsWith(`${high}.`));
}
