// One rule or section between two editions, whole: side by side, or as one text with what changed marked in it.
/** @import { DiffPiece } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
/** @import { EditionPair } from "./provision_links.js" */
import { appendLines, diffOf } from "./change_items.js";
import { printed } from "./compare_results.js";
import { element } from "./dom.js";
import { fullNameOfEdition } from "./edition_names.js";
import { everNamed, placesIn, statesNamed } from "./provision_places.js";
import { isWithin, parseQuestions } from "./questions.js";
import { isBelow } from "./rule_numbers.js";
import { walk } from "./walk.js";
import { wordDiff } from "./word_diff.js";

// Behind such an end a word begins with a blank.
const OPEN_END = /[\p{L}\p{N}.,:;?!)”"’]$/u;

/** A provision in the older and in the newer edition, null where it is not there. @typedef {[old: number | null, fresh: number | null]} Pair */

/**
 * Return what a reader means by a number, in the older and in the newer edition, and whether it means the same in both.
 *
 * It is the number of the edition named first; where that lacks it, of the other, else of the last that had it.
 * @param {CompareData} data
 * @param {string} asked
 * @param {[number, number]} places - Of the editions, the one named first first.
 */
function ruleIn(data, asked, places) {
  const [older, newer] = [Math.min(...places), Math.max(...places)];
  const { question } = parseQuestions(asked)[0];
  /** @param {number} edition */
  const named = (edition) => (question.kind === "range"
    ? data.held(edition).filter((state) => data.kinds[state] !== "g" && isWithin(data.numberOf(state), question))
    : statesNamed(data, edition, question.kind === "number" ? question.first + question.last.replace("#", "-") : asked));
  let edition = places[0], states = named(edition);
  if (!states.length) [edition, states] = [places[1], named(places[1])];
  if (!states.length) {
    const [last] = everNamed(data, question.first);
    if (last !== undefined) [states, edition] = [[last[0]], last[1]];
  }
  const old = placesIn(data, states, edition, older), fresh = placesIn(data, states, edition, newer);
  const alike = named(edition === older ? newer : older);
  const isOther = alike.length > 0 && !alike.some((state) => (edition === older ? fresh : old).includes(state));
  return { old: withBelow(data, older, old), fresh: withBelow(data, newer, fresh), edition, isOther };
}

/** Return some provisions of an edition with all that stands below them, in printed order. @param {CompareData} data @param {number} edition @param {number[]} states */
function withBelow(data, edition, states) {
  const own = new Set(states), numbers = states.filter((state) => data.kinds[state] !== "g").map((state) => data.numberOf(state));
  return data.held(edition).filter((state) => own.has(state) ||
    (data.kinds[state] !== "g" && numbers.some((number) => isBelow(data.numberOf(state), number) && data.numberOf(state) !== number)));
}

/**
 * Return provisions of two editions in pairs, in the order of the newer one; what was removed stands behind what preceded it.
 * @param {CompareData} data
 * @param {[number, number]} editions
 * @param {number[]} old
 * @param {number[]} fresh
 * @returns {Pair[]}
 */
function pairsOf(data, [older, newer], old, fresh) {
  const paths = walk(data, older, newer);
  /** @type {Map<number, number>} */
  const origins = new Map();
  for (const [state, { states }] of paths) if (states.length && !origins.has(states[0])) origins.set(states[0], state);
  for (const [state, { states }] of paths) for (const part of states) if (!origins.has(part)) origins.set(part, state);
  /** @type {Pair[]} */
  const pairs = fresh.map((state) => [origins.get(state) ?? null, state]);
  let at = 0;
  for (const state of old) {
    const place = pairs.findIndex(([before]) => before === state);
    if (place >= 0) at = place + 1;
    else pairs.splice(at++, 0, [state, paths.get(state)?.states[0] ?? null]);
  }
  return pairs;
}

/** Return since which edition each provision of an edition says what it says, whatever its number. @param {CompareData} data @param {number} edition */
function unchangedSince(data, edition) {
  /** @type {Map<number, number>} */
  const since = new Map();
  const born = data.editions.map(() => /** @type {number[]} */ ([]));
  data.runs.forEach(([first], state) => born[first]?.push(state));
  for (let place = 0; place <= edition; place += 1) {
    for (const { old, new: fresh } of data.linksInto(place)) {
      if (fresh !== null && data.isSameText(old, fresh) && since.has(old) && !since.has(fresh)) since.set(fresh, since.get(old) ?? place);
    }
    for (const state of born[place]) if (!since.has(state)) since.set(state, place);
  }
  return since;
}

/**
 * Return pairs as elements.
 * @param {EditionPair} two
 * @param {Pair[]} pairs
 * @param {boolean} isText - As one text, with what changed marked in it.
 */
function pairRows(two, pairs, isText) {
  const { data } = two, since = unchangedSince(data, two.to);
  return pairs.map(([old, fresh]) => {
    const pieces = wordDiff(old === null ? [] : textOf(data, old), fresh === null ? [] : textOf(data, fresh), false);
    const isSame = old !== null && fresh !== null && pieces.every(([sign]) => sign === "=");
    const row = element("div", { class: isSame ? "pair same" : "pair" });
    const margin = fresh === null ? "" : sinceWords(data, since.get(fresh) ?? two.to);
    if (isText) {
      const [links, state] = fresh === null ? [two.old, old] : [two.new, fresh];
      row.append(cell("whole", state === null ? [] : [links.link(state), wasCalled(two, old, fresh)], diffOf(pieces, null), margin || "removed"));
    } else {
      row.append(
        cell("before", old === null ? [] : [two.old.link(old)], old === null ? null : sideOf(pieces, "-"), old === null ? "not there yet" : ""),
        cell("after", fresh === null ? [] : [two.new.link(fresh)], fresh === null ? null : sideOf(pieces, "+"), margin || "removed"),
      );
    }
    return row;
  });
}

/**
 * Return one rule or section as an element, and what is to be said of it.
 * @param {EditionPair} two
 * @param {string} rule
 * @param {[number, number]} places - Of the editions, the one named first first.
 * @param {boolean} isText
 */
export function ruleShown(two, rule, places, isText) {
  const { data, from, to } = two;
  const { old, fresh, edition, isOther } = ruleIn(data, rule, places);
  const pairs = pairsOf(data, [from, to], old, fresh), rows = pairRows(two, pairs, isText);
  const shown = element("div", { class: isText ? "rule-text" : "rule-sides" });
  if (isOther) shown.append(otherNote(data, rule, edition === from ? to : from, edition === from ? from : to));
  if (pairs.length && !isText) {
    const heads = [from, to].map((place) => element("b", {}, fullNameOfEdition(data.editions[place])));
    shown.append(element("div", { class: "pair heads" }, ...heads));
  }
  shown.append(...rows);
  const changed = rows.filter((row) => !row.matches(".same")).length;
  const how = changed ? `${printed(changed)} of ${printed(rows.length)} changed` : "nothing changed";
  const summary = pairs.length ? `${rule} of ${data.editions[edition][0]}: ${how}` : `No rule has the number ${rule} in these editions.`;
  return { shown, summary };
}

/** Say that a number means another rule in the other edition, and lead to that. @param {CompareData} data @param {string} rule @param {number} away @param {number} edition */
function otherNote(data, rule, away, edition) {
  const [from, to] = [data.editions[away][0], data.editions[edition][0]];
  const link = element("a", { href: `?${new URLSearchParams({ rule, from, to })}` }, "compare that one");
  return element("p", { class: "note" }, `In the edition of ${from}, ${rule} is another rule: `, link, ".");
}

/** @param {string} name @param {(Node | string)[]} names @param {HTMLElement | null} words @param {string} margin */
function cell(name, names, words, margin) {
  const made = element("div", { class: name });
  if (names.length) made.append(element("b", {}, ...names), " ");
  if (margin) made.append(element("small", {}, margin));
  if (words !== null) made.append(words);
  return made;
}

/** @param {EditionPair} two @param {number | null} old @param {number | null} fresh */
function wasCalled({ data }, old, fresh) {
  if (old === null || fresh === null || data.isSamePlace(old, fresh)) return "";
  return ` (${data.nameOf(old)} before)`;
}

/** @param {CompareData} data @param {number} edition */
function sinceWords(data, edition) {
  return edition ? `unchanged since ${data.editions[edition][0]}` : "as in the first edition";
}

/** Return the heading and the words of a provision. @param {CompareData} data @param {number} state */
function textOf(data, state) {
  const body = data.tokensOf(data.bodies[state]), heading = data.tokensOf(data.headings[state]);
  if (!body.length || !heading.length || data.kinds[state] === "g") return data.wordsOf(state);
  return [...heading.slice(0, -1), `${heading[heading.length - 1]}\n`, ...body];
}

/** Return one side of a word diff, with what is there alone marked. @param {DiffPiece[]} pieces @param {"-" | "+"} side */
function sideOf(pieces, side) {
  const made = element("p", { class: "diff" });
  let before = "";
  for (const [sign, text] of pieces) {
    if (sign !== "=" && sign !== side) continue;
    // What stayed is printed as the newer edition has it, without the blank that the older one has behind it.
    if (OPEN_END.test(before) && /^[\p{L}\p{N}({“"]/u.test(text)) made.append(" ");
    const bare = sign === "=" ? text : text.trimEnd();
    const marked = sign === "=" ? made : element(side === "-" ? "del" : "ins");
    appendLines(marked, bare);
    if (marked !== made) made.append(marked);
    appendLines(made, text.slice(bare.length));
    before = text;
  }
  return made;
}
