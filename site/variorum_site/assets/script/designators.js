// Which edition a reader means: a date, a set code or name, first, latest, current.
/** @import { EditionRow } from "./types.d.ts" */

/**
 * Return the place of the edition that a designator names, -1 if it names none.
 * @param {EditionRow[]} editions
 * @param {string} designator
 * @param {string} today
 */
export function placeOfEdition(editions, designator, today = "") {
  const word = designator.trim().toLowerCase();
  const dot = word.indexOf(".");
  const day = dot < 0 ? word : word.slice(0, dot), issue = dot < 0 ? "" : word.slice(dot + 1);
  if (!word) return -1;
  if (word === "first") return editions.findIndex(isChosen);
  if (word === "latest" || (word === "current" && !today)) return editions.findLastIndex(isChosen);
  if (word === "current") return inForceOn(editions, today);
  if (isDate(day)) {
    if (!issue) return inForceOn(editions, day);
    return editions.findIndex(([, ownDay, ownIssue]) => ownDay === day && String(ownIssue) === issue);
  }
  return editions.findLastIndex((edition) =>
    isChosen(edition) && (edition[4].toLowerCase() === word || edition[5].toLowerCase() === word));
}

/** Say whether a bare date means this issue. @param {EditionRow} edition */
function isChosen(edition) {
  return edition[3] === 1;
}

/** @param {EditionRow[]} editions @param {string} day */
function inForceOn(editions, day) {
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
  if (word.trim().toLowerCase() === "current") return `No edition is in force today; the first one here is of ${first}.`;
  if (/^\d{4}-\d\d-\d\d$/.test(word)) return `No edition was in force on ${word}; the first one here is of ${first}.`;
  return `No edition is called “${word}”; give a date (2007-10-01), a set code (M10), first, latest or current.`;
}
