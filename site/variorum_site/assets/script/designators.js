// Which edition a reader means: a day, a month, a year, a set, first, latest, current or today; as answers/editions.py has it.
/** @import { EditionRow } from "./types.d.ts" */

/**
 * Return the place of the edition that a designator names, -1 if it names none.
 * @param {EditionRow[]} editions
 * @param {string} designator
 * @param {string} today
 */
export function placeOfEdition(editions, designator, today = "") {
  const lower = designator.trim().toLowerCase(), word = ALSO[lower] ?? lower;
  const dot = word.indexOf(".");
  const day = dot < 0 ? word : word.slice(0, dot), issue = dot < 0 ? "" : word.slice(dot + 1);
  if (!word) return -1;
  if (word === "first") return editions.findIndex(isChosen);
  const isInForce = word === "current" || word === "today";
  if (word === "latest" || (isInForce && !today)) return editions.findLastIndex(isChosen);
  if (isInForce) return inForceOn(editions, today);
  if (issue && isDate(day)) return editions.findIndex(([, ownDay, ownIssue]) => ownDay === day && String(ownIssue) === issue);
  const last = lastDay(word);
  if (last) return inForceOn(editions, last);
  const fitting = fittingSets(editions, word);
  return fitting.length === 1 ? editions.indexOf(fitting[0]) : -1;
}

// What people also say, which no set should be found by.
/** @type {Record<string, string>} */
const ALSO = { last: "latest", newest: "latest", oldest: "first", now: "current" };
const MONTHS = "january february march april may june july august september october november december".split(" ");
// Blocks of sets whose name is no set's own: the sets that do not have it in theirs.
/** @type {Record<string, string>} */
const BLOCKS = { gpt: "ravnica", dis: "ravnica", con: "alara", frf: "tarkir" };

/**
 * Return the day that a day, month or year ends with, as YYYY-MM-DD; "" for other words.
 * @param {string} words
 */
export function lastDay(words) {
  if (isDate(words)) return words;
  const [, year, month, day] = /^(\d{4})(?:[-/](\d\d?))?(?:[-/](\d\d?))?$/.exec(words.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3")) ?? ["", "", "", ""];
  if (!year || year === "0000") return spelled(words);
  if (!month) return `${year}-12-31`;
  if (day) {
    const whole = [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
    return isDate(whole) ? whole : "";
  }
  return Number(month) >= 1 && Number(month) <= 12 ? `${year}-${month.padStart(2, "0")}-31` : "";
}

/** Return the last day of "july 2009", "11 july 2009" and "july 11th, 2009". @param {string} words */
function spelled(words) {
  const parts = words.replace(/[,.]/g, " ").trim().split(/\s+/);
  const years = parts.filter((part) => /^\d{4}$/.test(part) && part !== "0000");
  if (years.length !== 1 || parts.length < 2 || parts.length > 3) return "";
  const named = parts.flatMap((part) => MONTHS.flatMap((month, place) =>
    part.length > 2 && month.startsWith(part === "sept" ? "sep" : part) ? [{ part, place }] : []));
  if (named.length !== 1) return "";
  const [{ part, place }] = named;
  const month = `${years[0]}-${String(place + 1).padStart(2, "0")}`;
  const day = parts.find((candidate) => candidate !== years[0] && candidate !== part);
  if (day === undefined) return `${month}-31`;
  const whole = `${month}-${day.replace(/[stndrh]+$/, "").padStart(2, "0")}`;
  return isDate(whole) ? whole : "";
}

/**
 * Return the last edition of each set that words name: by its code, its name, a part of it; the newest first.
 * @param {EditionRow[]} editions
 * @param {string} words
 */
function fittingSets(editions, words) {
  const folded = foldName(words);
  if (!folded) return [];
  /** @type {Map<string, EditionRow>} */
  const sets = new Map();
  for (const edition of [...editions].reverse()) {
    const key = edition[4].toLowerCase() || edition[5];
    if (isChosen(edition) && key && !sets.has(key)) sets.set(key, edition);
  }
  const all = [...sets.values()];
  const whole = all.filter((edition) => folded === foldName(edition[4]) || bare(folded) === bare(foldName(edition[5])));
  if (whole.length || folded.length < 3) return whole;
  /** @param {EditionRow} edition */
  const full = (edition) => ` ${foldName(edition[5])} ${BLOCKS[edition[4].toLowerCase()] ?? ""} `;
  const byWords = all.filter((edition) => full(edition).includes(` ${folded} `));
  return byWords.length ? byWords : all.filter((edition) => full(edition).includes(folded));
}

/** @param {string} name */
function bare(name) {
  return name.replace(/^the /, "");
}

/** Return words without case, apostrophes and punctuation. @param {string} words */
function foldName(words) {
  return words.toLowerCase().replace(/['’]/g, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** Say whether a bare date means this issue. @param {EditionRow} edition */
function isChosen(edition) {
  return edition[3] === 1;
}

/**
 * Return the place of the edition that was in force on a day, -1 before the first.
 * @param {EditionRow[]} editions
 * @param {string} day
 */
export function inForceOn(editions, day) {
  return editions.findLastIndex((edition) => edition[1] <= day && isChosen(edition));
}

/** Say whether a word is a day of the calendar. @param {string} word */
export function isDate(word) {
  if (!/^\d{4}-\d\d-\d\d$/.test(word) || word.startsWith("0000")) return false;
  const day = new Date(`${word}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(word);
}

/** Say why a designator names no edition. @param {EditionRow[]} editions @param {string} word */
export function whyNoEdition(editions, word) {
  const [[first]] = editions;
  if (word.trim().toLowerCase() === "current") return `No edition is in force today; the earliest edition here is ${first}.`;
  if (/^\d{4}-\d\d-\d\d$/.test(word)) return `No edition was in force on ${word}; the earliest edition here is ${first}.`;
  if (lastDay(word.trim().toLowerCase())) return `No edition was in force on the last day of ${word}; the earliest edition here is ${first}.`;
  const several = fittingSets(editions, word);
  if (several.length) return `“${word}” fits ${several.length} sets: ${several.reverse().map((edition) => `${edition[5]} (${edition[0]})`).join(", ")}; name one.`;
  return `No edition is called “${word}”; give a date (2007-10-01), a month (2007-10), a year, a set (M10), first, latest, current or today.`;
}
