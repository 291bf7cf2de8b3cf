// The place of an edition's provision in another edition: by its history, not by its number.
/** @import { CompareData } from "./compare_data.js" */
import { bareNumber } from "./rule_numbers.js";
import { walk } from "./walk.js";

/**
 * Return the bearer of a number in an edition; the anchor "702.11-2" means the second bearer.
 * @param {CompareData} data
 * @param {number} edition
 * @param {string} anchor
 */
export function statesNamed(data, edition, anchor) {
  const [number, bearer] = anchor.split("-");
  return data.held(edition).filter((state) => data.kinds[state] !== "g" &&
    (bearer ? data.addresses[state] === `${number}#${bearer}` : bareNumber(data.addresses[state]) === number));
}

/**
 * Return the heirs of states of one edition in another, the main heirs first.
 * @param {CompareData} data
 * @param {number[]} states
 * @param {number} from
 * @param {number} to
 */
export function placesIn(data, states, from, to) {
  if (from === to) return states;
  const paths = walk(data, Math.min(from, to), Math.max(from, to));
  if (from < to) return [...new Set(states.flatMap((state) => paths.get(state)?.states ?? []))];
  const led = data.held(to).filter((state) => paths.get(state)?.states.some((heir) => states.includes(heir)));
  // Its own past comes before the provisions that it absorbed.
  const isMain = new Set(led.filter((state) => states.includes(paths.get(state)?.states[0] ?? -1)));
  return [...led.filter((state) => isMain.has(state)), ...led.filter((state) => !isMain.has(state))];
}

/**
 * Return the states that ever had a number, each with its last edition under the number, latest
 * first.
 * @param {CompareData} data
 * @param {string} number
 * @returns {[state: number, edition: number][]}
 */
export function everNamed(data, number) {
  /** @type {[state: number, edition: number][]} */
  const bearers = [];
  data.addresses.forEach((address, state) => {
    if (address && bareNumber(address) === number) bearers.push([state, Math.max(...data.runs[state])]);
  });
  return bearers.sort((a, b) => b[1] - a[1] || data.addresses[a[0]].localeCompare(data.addresses[b[0]]) || a[0] - b[0]);
}
