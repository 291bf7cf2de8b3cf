// Numbers of rules: as people type them, what stands below them, their order, and who had them.
/** @import { BearerRow, FormerBearer, NumbersFile, RuleNumber } from "./types.d.ts" */
import { fold } from "./words.js";

const WORD_OF_QUERY = /^(?:cr:?|§+)?([1-9]\d(?=\*)|[1-9](?:\d\d(?:\.(?:\d+[a-z]{0,2}|[a-z])?)?)?)[.:,;?!*]*$/;
const WHOLE_QUERY = /^(?:(?:cr|c\.r\.|rules?|subrule|section|chapter|§+)[:\s]*)*([1-9])(?:(\d)(?:(\d)(?:(?:\s*\.\s*|\s+)(?:(\d{1,3})?\s*\.?\s*([a-z]{0,2}))?)?)?)?\s*[.:;,?!*]*$/;
const WORDS_FOR_RULE = new Set(["cr", "c.r.", "rule", "rules", "section", "subrule", "chapter", "§"]);

/**
 * Return the number of a query that is nothing else: "CR 704.5K", "704 5k"; null of any other.
 * @param {string} query
 * @returns {RuleNumber | null}
 */
export function numberIn(query) {
  const match = WHOLE_QUERY.exec(fold(query).trim());
  if (match === null) return null;
  const [, chapter = "", tens, ones, rule, letters] = match;
  if (tens === undefined) return { number: chapter, isOpen: false };
  if (ones === undefined) return { number: chapter + tens, isOpen: true };
  const tail = rule !== undefined || letters ? `.${rule ?? ""}${letters ?? ""}` : "";
  return { number: `${chapter}${tens}${ones}${tail}`, isOpen: query.includes("*") };
}

/**
 * Return the number that a word of a query is; null of any other word.
 * @param {string} word
 * @returns {RuleNumber | null}
 */
export function numberWord(word) {
  const folded = fold(word);
  const match = WORD_OF_QUERY.exec(folded);
  if (match === null) return null;
  return { number: (match[1] ?? "").replace(/\.$/, ""), isOpen: folded.endsWith("*") };
}

/** Say whether a word announces a number: "rule 704". @param {string} word */
export function announcesNumber(word) {
  return WORDS_FOR_RULE.has(fold(word));
}

/** Say whether a number is another or stands below it. @param {string} number @param {string} above */
export function isBelow(number, above) {
  if (!number.startsWith(above)) return false;
  const rest = number.slice(above.length);
  if (above.includes(".")) return !rest || (/^[a-z]+$/.test(rest) && !/[a-z]$/.test(above));
  return !rest || rest.startsWith(".") || above.length === 1;
}

/** Compare numbers as they are printed: 702.9 < 702.9b < 702.10. @param {string} first @param {string} second */
export function compareNumbers(first, second) {
  const keys = [numberKey(first), numberKey(second)];
  const [a, b] = /** @type {[(number | string)[], (number | string)[]]} */ (keys);
  for (let place = 0; place < a.length; place += 1) {
    const [left, right] = [a[place] ?? 0, b[place] ?? 0];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** @param {string} number */
function numberKey(number) {
  const match = /^(\d*)(?:\.(\d*)([a-z]*))?/.exec(number) ?? [];
  const letters = match[3] ?? "";
  return [Number(match[1] || 0), Number(match[2] || 0), letters.length, letters];
}

/**
 * Return the number of a name without the mark that tells two bearers apart: "702.175#2".
 * @param {string} name
 */
export function bareNumber(name) {
  return name.split("#", 1)[0] ?? "";
}

/**
 * Return the rules that have had a number, the latest first.
 * @param {NumbersFile} file
 * @param {string} number
 * @returns {FormerBearer[]}
 */
export function formerBearers(file, number) {
  const rows = Object.hasOwn(file.numbers, number) ? file.numbers[number] ?? [] : [];
  return rows.map((row) => formerBearer(file.labels, number, row));
}

/** @param {string[]} labels @param {string} number @param {BearerRow} row @returns {FormerBearer} */
function formerBearer(labels, number, row) {
  const runs = row[0];
  /** @type {[string, string][]} */
  const stood = [];
  for (let at = 0; at < runs.length; at += 2) {
    stood.push([labels[runs[at] ?? 0] ?? "", labels[runs[at + 1] ?? 0] ?? ""]);
  }
  if (row.length === 2) {
    return { stood, isGone: false, now: row[1] || number, isHere: row[1] === "", since: "", gist: "" };
  }
  const [, removed, gist, heir] = row;
  return { stood, isGone: true, now: heir, isHere: false, since: labels[removed] ?? "", gist };
}
