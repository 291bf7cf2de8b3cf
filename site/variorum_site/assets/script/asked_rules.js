// Rules that a query names like a citation: "CR 704.5k (2026-08-07)", "704.5k-m", "702.19 M10".
/** @import { Asked, AskedRule, AskedRules, BearerRow, EditionRow, NumbersFile, Question } from "./types.d.ts" */
import { placeOfEdition, whyNoEdition } from "./designators.js";
import { isWithin, parseQuestions } from "./questions.js";
import { simpleSlug } from "./provision_links.js";
import { compareNumbers } from "./rule_numbers.js";

/**
 * Return the questions in a query; null if there are none, or only one number of today.
 *
 * Questions are numbers with an edition, ranges, and several numbers.
 * @param {string} query
 * @returns {Asked[] | null}
 */
export function namedIn(query) {
  const asked = parseQuestions(query);
  const isPlain = asked.length === 1 && !asked[0].edition && asked[0].question.kind === "number";
  const isWords = asked[0].question.kind === "words" && !asked[0].edition;
  return isPlain || isWords ? null : asked;
}

/**
 * Return the rules that questions name, as their editions print them, and notes on missing ones.
 * @param {NumbersFile} file
 * @param {number} current - The place of the edition for questions that name none.
 * @param {Asked[]} asked
 * @param {string} today
 * @returns {AskedRules}
 */
export function askedRules(file, current, asked, today) {
  const { editions } = file;
  /** @type {AskedRules} */
  const named = { rules: [], notes: [], isOne: asked.length === 1 && Boolean(asked[0].edition) };
  for (const { question, edition } of asked) {
    const place = edition ? placeOfEdition(editions, edition, today) : current;
    if (place < 0) {
      named.notes.push(whyNoEdition(editions, edition));
    } else if (question.kind === "words") {
      // This file does not list the entries of an edition; the edition's glossary does.
      named.rules.push({ number: question.first, anchor: `glossary#${simpleSlug(question.first)}`, label: editions[place][0], now: "" });
    } else {
      const rules = rulesNamed(file, question, place).map((rule) => ({ ...rule, label: edition ? editions[place][0] : "" }));
      named.rules.push(...rules);
      if (!rules.length) named.notes.push(whyNone(question, edition ? editions[place] : null));
    }
  }
  return named;
}

/** @param {NumbersFile} file @param {Question} question @param {number} place @returns {Omit<AskedRule, "label">[]} */
function rulesNamed(file, question, place) {
  const numbers = question.kind === "number"
    ? [question.first]
    : Object.keys(file.numbers).filter((number) => isOfRange(number, question)).sort(compareNumbers);
  return numbers.flatMap((number) => {
    const rows = Object.hasOwn(file.numbers, number) ? file.numbers[number] : [];
    const row = rows.find(([runs]) => isRunning(runs, place));
    return row === undefined ? [] : [{ number, anchor: anchorOf(number, question), now: nowOf(row, number) }];
  });
}

/** Return whether a range includes a number; a range of sections includes only sections. @param {string} number @param {Question} range */
function isOfRange(number, range) {
  const isSection = !range.first.includes(".") && !range.last.includes(".");
  return isSection ? !number.includes(".") && number.length === range.first.length && isWithin(number, range) : isWithin(number, range);
}

/** @param {number[]} runs @param {number} place */
function isRunning(runs, place) {
  return runs.some((first, at) => at % 2 === 0 && first <= place && place <= runs[at + 1]);
}

/** Return the anchor of a number in its section; for "702.175#2", of the second provision. @param {string} number @param {Question} question */
function anchorOf(number, { kind, last }) {
  return kind === "number" && last && last !== "#1" ? `${number}-${last.slice(1)}` : number;
}

/** Return today's name of a rule; "" if it was removed and has no heir. @param {BearerRow} row @param {string} number */
function nowOf(row, number) {
  return row.length === 2 ? row[1] || number : row[3];
}

/** @param {Question} question @param {EditionRow | null} edition */
function whyNone({ kind, first, last }, edition) {
  const name = kind === "range" ? `${first} to ${last}` : first;
  const where = edition === null ? "today" : `in the edition of ${edition[0]}`;
  return kind === "range" ? `There is no rule from ${name} ${where}.` : `No rule has the number ${name} ${where}.`;
}
