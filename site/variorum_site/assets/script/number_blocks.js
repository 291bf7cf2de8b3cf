// Blocks of numbers, which lead to the parts of the comparison data; see compare_parts.py.
import { compareNumbers } from "./rule_numbers.js";

// A long section has a block for every so many rules.
const RULES = 10;

/** Return a sort key for an address in printed order, glossary entries last. @param {string} address */
export function orderOf(address) {
  const [, section, rule = 0, letters = "", bearer = 0] = /^(\d+)(?:\.(\d*))?([a-z]*)(?:#(\d+))?/.exec(address) ?? [];
  if (section === undefined) return Infinity;
  const place = Array.from(letters).reduce((sum, letter) => sum * 27 + letter.charCodeAt(0) - 96, 0);
  return ((Number(section.padEnd(3, "0")) * 1000 + Number(rule)) * 1000 + place) * 10 + Number(bearer) - (section.length === 1 ? 1 : 0);
}

/** Return whether a block has a number, or belongs to a section or chapter. @param {string} block @param {string} number */
export function isBlockOf(block, number) {
  const [section, rule] = number.split("."), [own] = block.split(".");
  if (rule === undefined) return section.length > 1 ? own === section : own.startsWith(section);
  const tens = Math.floor((Number.parseInt(rule, 10) || 0) / RULES);
  return block === (tens ? `${section}.${tens}` : section);
}

/** Return whether a block belongs to a section of a range, in either direction. @param {string} block @param {string} first @param {string} last */
export function isAround(block, first, last) {
  const [section, low, high] = [block, ...[first, last].sort(compareNumbers)].map((number) => number.split(".")[0]);
  return compareNumbers(low.padEnd(3, "0"), section) <= 0 && compareNumbers(section, high.padEnd(3, "9")) <= 0;
}
