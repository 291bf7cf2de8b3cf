// The answer to a query: rules that it names, provisions, former uses of its number, editions.
/** @import { Answer, Asked, EditionRow, Found, NamedEdition, NumbersFile } from "./types.d.ts" */
/** @import { Search } from "./search.js" */
import { askedRules, namedIn } from "./asked_rules.js";
import { placeOfEdition } from "./designators.js";
import { formerBearers, numberIn } from "./rule_numbers.js";
import { loadNumbers, readyStories } from "./search_files.js";
import { isStory } from "./story_ranking.js";

// A query with more hits, and without a digit, names no edition.
const FEW_HITS = 9;
const MOST_EDITIONS = 6;

/**
 * Return the answer to a query.
 * @param {Search} search
 * @param {string} query
 * @param {number} limit
 * @returns {Promise<Answer>}
 */
export async function answerTo(search, query, limit) {
  const named = namedIn(query);
  return named === null ? answerToWords(search, query, limit) : answerToNames(search, named, limit);
}

/**
 * Return the rules that a query names; for a single number, also its bearers today and in the past.
 * @param {Search} search
 * @param {Asked[]} named
 * @param {number} limit
 * @returns {Promise<Answer>}
 */
async function answerToNames(search, named, limit) {
  const [{ question }] = named, file = await loadNumbers(), today = new Date().toISOString().slice(0, 10);
  const asked = askedRules(file, placeOfEdition(file.editions, search.index.file.edition[0]), named, today);
  const isAlone = named.length === 1 && question.kind !== "range";
  const answer = isAlone ? await answerToWords(search, question.first, limit) : { ...NOTHING, matches: NOTHING_FOUND };
  return { ...answer, asked };
}

/** @type {Found} */
const NOTHING_FOUND = { hits: [], total: 0, expanded: [], missing: [], suggestions: [], number: null };
/** @type {Omit<Answer, "matches">} */
const NOTHING = { former: [], editions: [], number: null, isPrinted: true, asked: { rules: [], notes: [], isOne: false } };

/**
 * Return the hits for words, or for a number of today.
 * @param {Search} search
 * @param {string} query
 * @param {number} limit
 * @returns {Promise<Answer>}
 */
async function answerToWords(search, query, limit) {
  const first = await answersOf(search, query, limit), matches = search.find(query, limit, true, first);
  if (first.length) {
    // No rule has the names in a story.
    matches.missing = matches.missing.filter((word) => /\d/.test(word));
    matches.suggestions = [];
  }
  const asked = numberIn(query);
  const number = asked !== null && !asked.isOpen ? asked.number : loneNumber(matches.missing);
  /** @type {Answer} */
  const answer = { ...NOTHING, matches, number };
  if (number === null && matches.total > FEW_HITS && !/\d/.test(query)) return answer;
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

/** Return the rows that answer a question with a story; none for shorter queries. @param {Search} search @param {string} query @param {number} limit */
async function answersOf(search, query, limit) {
  if (!isStory(query)) return [];
  try {
    return (await readyStories(search)).rows(query, limit);
  } catch {
    return []; // its words are better than nothing
  }
}

/** @param {EditionRow} edition @returns {NamedEdition} */
function namedEdition([label, , , , code, name]) {
  return { label, code, name };
}

/** @param {string[]} missing */
function loneNumber(missing) {
  const lone = missing.map(numberIn).find((number) => number !== null && !number.isOpen);
  return lone?.number ?? null;
}

/**
 * Return the editions that a query names by a date, its beginning, a set or its code; latest first.
 * @param {NumbersFile} file
 * @param {string} query
 * @returns {NamedEdition[]}
 */
export function editionsNamed({ editions }, query) {
  const word = query.trim().toLowerCase();
  const all = editions.map(namedEdition);
  if (/^\d{4}-\d\d-\d\d$/.test(word)) return all.filter(({ label }) => label.slice(0, 10) <= word).slice(-1);
  if (/^(199|20\d)\d(-\d{0,2})?$/.test(word)) return all.filter(({ label }) => label.startsWith(word)).reverse();
  if (word.length < 3) return [];
  return all.filter(({ code, name }) => code.toLowerCase() === word || name.toLowerCase().includes(word)).reverse();
}
