// The words of a text and their stems, as in variorum: tests compare both.
/** @import { Word } from "./types.d.ts" */

/** @type {Record<string, string>} */
const SIGNS = {
  "\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2212": "-", "\u2013": "-",
};
/** @type {Record<string, string | undefined>} */
const IRREGULAR = Object.assign(Object.create(null), {
  agreed: "agree", isnt: "isn't", dont: "don't", doesnt: "doesn't", cant: "can't",
  cannot: "can't", became: "become", began: "begin", begun: "begin", brought: "bring", came: "come",
  chose: "choose", chosen: "choose", dealt: "deal", does: "do", drawn: "draw", drew: "draw",
  fought: "fight", gave: "give", given: "give", goes: "go", gone: "go", held: "hold", kept: "keep",
  left: "leave", lost: "lose", made: "make", met: "meet", paid: "pay", shown: "show", spent: "spend",
  taken: "take", took: "take", went: "go", won: "win",
});
/** @type {Record<string, string | undefined>} */
const SHORT_STEMS = Object.assign(Object.create(null), { die: "di", tie: "ti", use: "us" });
const NOUN_ENDINGS = ["ion", "ment", "li"];
const SHORTEST_FAMILY = 4;
// Shorter words have no endings: "is", "as", "its".
const SHORTEST = 3;
const LETTERS = /^\p{L}+$/u;
const VOWEL = /[aeiouy]/;
const SIMPLE = /^[a-z]+(?: [a-z]+)*$/;
const ASCII = /^[\x00-\x7f]*$/;

/** @type {RegExp[] | null} */
let wordPatterns = null;

/**
 * Return the pattern of words for a folded text; the one for plain ASCII is faster. A browser
 * without lookbehind cannot compile the patterns, so they are made on first use and only search
 * fails.
 * @param {string} text
 */
function wordPattern(text) {
  wordPatterns ??= ["a-z0-9", String.raw`\p{L}\p{N}`].map((letters) => new RegExp(
    String.raw`\{[^{}\s]+\}` +
    String.raw`|(?<![${letters}_.+])[+-]?[0-9xyn*]+(?:\+[0-9*]+)?\/[+-]?[0-9xyn*]+(?:\+[0-9*]+)?(?![${letters}_])` +
    String.raw`|(?<![${letters}_.])[+-][0-9xyn]+(?![${letters}_])` +
    String.raw`|[1-9][0-9][0-9]\.[0-9]+[a-z]*(?![${letters}_])` +
    String.raw`|[${letters}]+(?:'[${letters}]+)*`,
    "gu",
  ));
  return /** @type {RegExp} */ (wordPatterns[ASCII.test(text) ? 0 : 1]);
}

/** Return a text in small letters and straight signs, each sign in its place. @param {string} text */
export function fold(text) {
  const straight = text.replace(/[\u2018\u2019\u201c\u201d\u2212\u2013]/g, (sign) => SIGNS[sign] ?? sign);
  const small = straight.toLowerCase();
  if (small.length === straight.length) return small;
  return Array.from(straight, (sign) => {
    const low = sign.toLowerCase();
    return low.length === sign.length ? low : sign;
  }).join("");
}

/** Return a word without the ending of a possessive. @param {string} word */
export function withoutPossessive(word) {
  return word.endsWith("'s") ? word.slice(0, -2) : word;
}

/** Return the words of a folded text, as printed. @param {string} folded @returns {string[]} */
export function printedWords(folded) {
  return folded.match(wordPattern(folded)) ?? [];
}

/** Return the words of a text with their offsets. @param {string} text @returns {Word[]} */
export function wordsOf(text) {
  const folded = fold(text);
  return Array.from(folded.matchAll(wordPattern(folded)), (match) => [
    withoutPossessive(match[0]), match.index, match.index + match[0].length,
  ]);
}

/** Return the words of a text. @param {string} text */
export function plainWords(text) {
  return SIMPLE.test(text) ? text.split(" ") : printedWords(fold(text)).map(withoutPossessive);
}

/** Return whether a word has only letters. @param {string} word */
export function isLetters(word) {
  return LETTERS.test(word);
}

/** @type {Map<string, string>} */
const knownStems = new Map();

/**
 * Return the common stem of a word's forms, without endings of number and tense.
 * @param {string} word
 */
export function stemOf(word) {
  let known = knownStems.get(word);
  if (known === undefined) knownStems.set(word, known = stem(word));
  return known;
}

/** @param {string[]} words */
export function stemsOf(words) {
  return words.map(stemOf);
}

/** @param {string} asked */
function stem(asked) {
  let word = (IRREGULAR[asked] ?? asked).replaceAll("colour", "color");
  if (!LETTERS.test(word) || word.length <= SHORTEST) return shortStem(word);
  if (word.endsWith("s") && !"sui".includes(word.charAt(word.length - 2))) word = word.slice(0, -1);
  word = withoutTense(word);
  if (word.length === SHORTEST) return shortStem(word);
  if (word.length > SHORTEST && word.endsWith("e")) word = word.slice(0, -1);
  if (word.length > SHORTEST && word.at(-1) === word.at(-2)) word = word.slice(0, -1);
  return word.endsWith("y") ? `${word.slice(0, -1)}i` : word;
}

/** @param {string} word */
function withoutTense(word) {
  for (const ending of ["ing", "ed"]) {
    const rest = word.endsWith(ending) ? word.slice(0, -ending.length) : word;
    const ends = rest !== word && (!rest.endsWith("e") || (ending === "ing" && rest.endsWith("ee")));
    if (ends && rest.length > 1 && VOWEL.test(rest)) return rest;
  }
  return word;
}

/** @param {string} word */
function shortStem(word) {
  const known = SHORT_STEMS[word];
  if (known !== undefined) return known;
  return word.length === SHORTEST && word.endsWith("y") && LETTERS.test(word) ? `${word.slice(0, 2)}i` : word;
}

/** Return what a stem shares with the noun or adverb derived from it; "" if there is none. @param {string} word */
export function familyOf(word) {
  for (const ending of NOUN_ENDINGS) {
    const rest = word.endsWith(ending) ? word.slice(0, -ending.length) : word;
    if (rest !== word && rest.length >= SHORTEST_FAMILY) return stemOf(rest);
  }
  return "";
}
