// What changed between two editions, as a player reads it in a minute: sections, keywords, the most reworked rules.
/** @import { Change } from "./types.d.ts" */
/** @import { ChangeItems } from "./change_items.js" */
import { changePieces } from "./changes.js";
import { element } from "./dom.js";

const MOST_REWORKED = 8, MOST_NAMES = 40;
// Of longer texts, a word diff would take longer than reading it does.
const LONGEST_WORDS = 2500;

/** Return the digest of a comparison; null where it has nothing to say. @param {ChangeItems} items */
export function digestOf(items) {
  const { all } = items.comparison, { data } = items;
  const fresh = all.filter(({ old, new: heir, isPart }) => heir !== null && (old === null || isPart));
  const gone = all.filter((change) => change.new === null);
  const rows = [
    names(items, "New sections", fresh.filter((change) => data.kinds[change.new ?? 0] === "s")),
    names(items, "Removed sections", gone.filter((change) => data.kinds[change.old ?? 0] === "s")),
    names(items, "New keywords", fresh.filter((change) => isKeyword(items, change))),
    names(items, "Removed keywords", gone.filter((change) => isKeyword(items, change))),
    reworked(items, all),
  ].filter((row) => row !== null);
  if (!rows.length) return null;
  return element("section", { "aria-labelledby": "digest", class: "digest" }, element("h2", { id: "digest" }, "In short"), ...rows);
}

/** Say whether a change is one of a keyword: a rule with a heading in a section of keywords. @param {ChangeItems} items @param {Change} change */
function isKeyword({ data, old, new: fresh }, change) {
  const state = change.new ?? change.old ?? 0, links = change.new === null ? old : fresh;
  const section = links.heads.get(data.numberOf(state).split(".")[0]);
  return data.kinds[state] === "r" && data.headingOf(state) !== "" && section !== undefined && /keyword/i.test(data.headingOf(section));
}

/** @param {ChangeItems} items @param {string} title @param {Change[]} changes */
function names(items, title, changes) {
  if (!changes.length) return null;
  const links = changes.slice(0, MOST_NAMES).map((change) => {
    const state = change.new ?? change.old ?? 0, links = change.new === null ? items.old : items.new;
    return element("li", {}, links.link(state), ` ${items.data.headingOf(state)}`);
  });
  if (changes.length > MOST_NAMES) links.push(element("li", {}, `and ${changes.length - MOST_NAMES} more`));
  return element("div", {}, element("h3", {}, `${title} `, element("small", {}, String(changes.length))), element("ul", { class: "names" }, ...links));
}

/** Return the rules of which most words went or came. @param {ChangeItems} items @param {Change[]} all */
function reworked(items, all) {
  const { data } = items;
  const told = all.filter(({ change, old, new: fresh, isPart }) => change === "substantive" && old !== null && fresh !== null && !isPart)
    .map((change) => ({ change, rough: Math.abs(data.wordsOf(change.old ?? 0).length - data.wordsOf(change.new ?? 0).length) }))
    .sort((a, b) => b.rough - a.rough).slice(0, MOST_REWORKED * 5);
  const counted = told.map(({ change }) => ({ change, ...wordsOfChange(items, change) }))
    .sort((a, b) => b.came + b.gone - a.came - a.gone).slice(0, MOST_REWORKED);
  if (!counted.length) return null;
  const rows = counted.map(({ change, came, gone }) => {
    const state = change.new ?? 0, title = data.headingOf(state) || items.new.titled(items.section(state)).replace(/^\S+ /, "");
    return element("li", {}, items.new.link(state), data.kinds[state] === "g" ? "" : ` ${title}`, " ", element("small", {}, `${came} words added, ${gone} removed`));
  });
  return element("div", {}, element("h3", {}, "Most reworded"), element("ul", { class: "names" }, ...rows));
}

/** @param {ChangeItems} items @param {Change} change */
function wordsOfChange({ data }, change) {
  const sizes = [data.wordsOf(change.old ?? 0).length, data.wordsOf(change.new ?? 0).length];
  if (Math.max(...sizes) > LONGEST_WORDS) return { gone: Math.max(0, sizes[0] - sizes[1]), came: Math.max(0, sizes[1] - sizes[0]) };
  let gone = 0, came = 0;
  for (const [sign, text] of changePieces(data, change)) {
    const count = text.split(/\s+/).filter(Boolean).length;
    if (sign === "-") gone += count;
    if (sign === "+") came += count;
  }
  return { gone, came };
}
