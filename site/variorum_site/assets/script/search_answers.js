// All that a query finds: provisions, former uses of its number, editions that it names.
/** @import { Answer, NamedEdition, NumbersFile } from "./types.d.ts" */
/** @import { Search } from "./search.js" */
import { formerBearers, numberIn } from "./rule_numbers.js";
import { loadNumbers } from "./search_files.js";

// A query with more hits, and without a digit, names no edition.
const FEW_HITS = 9;
const MOST_EDITIONS = 6;

/**
 * Return what a query finds.
 * @param {Search} search
 * @param {string} query
 * @param {number} limit
 * @returns {Promise<Answer>}
 */
export async function answerTo(search, query, limit) {
  const found = search.find(query, limit, true);
  const asked = numberIn(query);
  const number = asked !== null && !asked.isOpen ? asked.number : loneNumber(found.missing);
  /** @type {Answer} */
  const answer = { found, former: [], editions: [], number, isPrinted: true };
  if (number === null && found.total > FEW_HITS && !/\d/.test(query)) return answer;
  try {
    const file = await loadNumbers();
    answer.editions = editionsNamed(file, query).slice(0, MOST_EDITIONS);
    if (number === null) return answer;
    const all = formerBearers(file, number);
    return { ...answer, former: all.filter(({ isHere }) => !isHere), isPrinted: all.length > 0 };
  } catch {
    return answer; // today's rules are better than nothing
  }
}

/** @param {string[]} missing */
function loneNumber(missing) {
  const found = missing.map(numberIn).find((number) => number !== null && !number.isOpen);
  return found?.number ?? null;
}

/**
 * Return the editions that a query names: by a date, its beginning, a set or its code; the latest first.
 * @param {NumbersFile} file
 * @param {string} query
 * @returns {NamedEdition[]}
 */
export function editionsNamed({ labels, sets }, query) {
  const word = query.trim().toLowerCase();
  const all = labels.map((label, place) => ({ label, code: sets[place][0], name: sets[place][1] }));
  if (/^\d{4}-\d\d-\d\d$/.test(word)) return all.filter(({ label }) => label.slice(0, 10) <= word).slice(-1);
  if (/^(199|20\d)\d(-\d{0,2})?$/.test(word)) return all.filter(({ label }) => label.startsWith(word)).reverse();
  if (word.length < 3) return [];
  return all.filter(({ code, name }) => code.toLowerCase() === word || name.toLowerCase().includes(word)).reverse();
}
