// The heirs of an edition's provisions in a later edition, found edition by edition.
/** @import { Link, Path } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { GATHERED, GONE, KEPT, COPIED, RENUMBERED, REWORDED, SPLIT, UNCERTAIN } from "./steps.js";

/** Paths to follow, by the states that they have reached. @typedef {Map<number, Path[]>} Places */

/**
 * Return the path of each state of an edition into a later one.
 * @param {CompareData} data
 * @param {number} start
 * @param {number} stop
 */
export function walk(data, start, stop) {
  /** @type {Map<number, Path>} */
  let paths = new Map();
  for (paths of walking(data, start, stop));
  return paths;
}

/**
 * Walk from an edition to a later one; yield the paths at each edition.
 * @param {CompareData} data
 * @param {number} start
 * @param {number} stop
 * @returns {Generator<Map<number, Path>, void>}
 */
export function* walking(data, start, stop) {
  /** @type {Map<number, Path>} */
  const paths = new Map(data.held(start).map((state) => [state, { states: [state], bits: 0 }]));
  /** @type {Places} */
  const where = new Map(Array.from(paths, ([state, path]) => [state, [path]]));
  /** @type {Places} */
  const absent = new Map();
  yield paths;
  for (let edition = start + 1; edition <= stop; edition += 1) {
    // A provision that is removed here and returns elsewhere at the same time is two provisions.
    const links = data.linksInto(edition);
    const moves = takenFrom(where, links.filter((link) => link.source === edition - 1));
    const returns = takenFrom(absent, links.filter((link) => link.source !== edition - 1));
    for (const { group, here } of returns) lead(where, here, giveBack(here, group));
    for (const { old, group, here } of moves) {
      const heirs = heirsOf(group);
      if (!heirs.length) absent.set(old, here);
      move(here, old, heirs, group);
      lead(where, here, heirs);
    }
    yield paths;
  }
}

/** Record that paths have reached some states. @param {Places} where @param {Path[]} here @param {number[]} heirs */
function lead(where, here, heirs) {
  for (const heir of heirs) {
    const there = where.get(heir);
    if (there === undefined) where.set(heir, here.slice());
    else there.push(...here);
  }
}

/** @param {Link[]} links */
function heirsOf(links) {
  return links.flatMap((link) => (link.new === null ? [] : [link.new]));
}

/**
 * Remove and return the paths that links continue from their states, in the order of the states.
 * @param {Places} places
 * @param {Link[]} links
 */
function takenFrom(places, links) {
  /** @type {Map<number, Link[]>} */
  const groups = new Map();
  for (const link of links) {
    if (!places.has(link.old)) continue;
    const group = groups.get(link.old);
    if (group === undefined) groups.set(link.old, [link]);
    else group.push(link);
  }
  return Array.from(groups).sort(([first], [second]) => first - second).map(([old, group]) => {
    const here = places.get(old) ?? [];
    places.delete(old);
    return { old, group, here };
  });
}

/**
 * Continue paths to provisions that returned after an absence; return their states.
 * @param {Path[]} here
 * @param {Link[]} links
 */
function giveBack(here, links) {
  const heirs = heirsOf(links);
  for (const path of here) {
    path.states.push(...heirs.filter((heir) => !path.states.includes(heir)));
    for (const link of links) path.bits |= link.bits & GATHERED;
  }
  return heirs;
}

/**
 * Replace a state of paths by its heirs.
 * @param {Path[]} here
 * @param {number} state
 * @param {number[]} onward
 * @param {Link[]} links
 */
function move(here, state, onward, links) {
  for (const path of here) {
    const place = path.states.indexOf(state);
    if (place < 0) continue; // it was led on already
    if (path.states.length === 1 && onward.length === 1) {
      path.states[0] = onward[0];
      path.bits |= links[0].bits & GATHERED;
      continue;
    }
    const fresh = onward.filter((heir) => heir === state || !path.states.includes(heir));
    path.states.splice(place, 1, ...fresh);
    for (const link of links) path.bits |= link.bits & GATHERED;
  }
}

/**
 * Return what happened on a path, as bits.
 * @param {Path} path
 * @param {boolean} isSamePlace
 * @param {boolean} isSameText
 */
export function bitsOf(path, isSamePlace, isSameText) {
  if (!path.states.length) return GONE | (path.bits & UNCERTAIN);
  let bits = path.bits & ~REWORDED;
  if (!isSamePlace) bits |= RENUMBERED;
  if (!isSameText) bits |= REWORDED;
  if (path.states.length === 1) bits &= ~(SPLIT | COPIED);
  return bits || KEPT;
}
