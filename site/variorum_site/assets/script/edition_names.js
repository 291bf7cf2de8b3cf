// The names of editions and their periods in force; as in pages/time_bar.py.
/** @import { EditionRow } from "./types.d.ts" */

const SHORT_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Return a day in words: "7 Aug 2026". @param {string} day */
export function dayInWords(day) {
  const [year, month, date] = day.split("-").map(Number);
  return `${date} ${SHORT_MONTHS[month - 1]} ${year}`;
}

/** Return the set of an edition, else its date. @param {EditionRow} edition */
export function nameOfEdition(edition) {
  return edition[5] || edition[0];
}

/** Return both, as in a sentence: "The Hobbit (2026-08-07)". @param {EditionRow} edition */
export function fullNameOfEdition([label, , , , , name]) {
  return name ? `${name} (${label})` : label;
}
