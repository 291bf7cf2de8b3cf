// The lists of a comparison: counts, sweeps, sections, moves, and what hardly matters.
/** @import { Change, Summary } from "./types.d.ts" */
/** @import { ChangeItems } from "./change_items.js" */
import { QUIET } from "./change_items.js";
import { element } from "./dom.js";
import { finished } from "./slices.js";

// So many sweeps are shown at once; so long a title may be where a section is chosen.
const SHOWN_SWEEPS = 8, BRIEF = 30;

/** @param {number} count */
export function printed(count) {
  return count.toLocaleString("en");
}

/** @template T @template K @param {T[]} list @param {(item: T) => K} keyOf */
export function groupBy(list, keyOf) {
  /** @type {Map<K, T[]>} */
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item), group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Return a section of the page with its title.
 * @param {string} id
 * @param {string} title
 * @param {number} count
 * @param {...Node} children
 */
export function block(id, title, count, ...children) {
  const heading = element("h2", { id }, `${title} `, element("small", {}, printed(count)));
  return element("section", { "aria-labelledby": id }, heading, ...children);
}

/** @param {Summary} summary */
export function counts(summary) {
  /** @type {[name: string, count: number, all?: number][]} */
  const rows = [
    ["Reworded", summary.substantive],
    ["New", summary.new],
    ["Removed", summary.gone],
    ["Split off or copied", summary.parts],
    ["Only renumbered", summary.moved_only],
    ["Wording changed throughout", summary.sweep],
    ["Only cites new numbers", summary.citation_only],
    ["Typography", summary.typographic],
    ["The same", summary.same, summary.provisions],
    ["Words removed", summary.words_gone],
    ["Words added", summary.words_came],
  ];
  return element("dl", { class: "counts" }, ...rows.map(([name, count, all]) => {
    const ofAll = all ? [element("small", {}, ` of ${printed(all)}`)] : [];
    return element("div", {}, element("dt", {}, name), element("dd", {}, printed(count), ...ofAll));
  }));
}

/** @param {Summary} summary */
export function sweepsBlock(summary) {
  const rows = summary.sweeps.map(({ before, after, provisions }) => element(
    "li", {}, element("del", {}, before), " ", element("ins", {}, after || "nothing"), ` in ${printed(provisions)} provisions`,
  ));
  const first = element("ul", { class: "swept" }, ...rows.slice(0, SHOWN_SWEEPS)), more = rows.slice(SHOWN_SWEEPS);
  const made = block("all-over", "Wording changed throughout", rows.length, first);
  if (more.length) {
    const title = element("summary", {}, `${printed(more.length)} more`);
    made.append(element("details", {}, title, element("ul", { class: "swept" }, ...more)));
  }
  return made;
}

/**
 * Return what is set when somebody opens it.
 * @param {string} words
 * @param {number} count
 * @param {(made: HTMLElement) => unknown} fill
 */
export function folded(words, count, fill) {
  const title = element("summary", {}, `${words} `, element("small", {}, printed(count)));
  const made = element("details", {}, title);
  let isFilled = false;
  made.addEventListener("toggle", () => {
    if (!isFilled) fill(made);
    isFilled = true;
  });
  return made;
}

/**
 * Return what was only renumbered, by the sections it went from and to.
 * @param {ChangeItems} items
 * @param {Change[]} changes
 */
export function moves(items, changes) {
  /** @type {[words: string, changes: Change[]][]} */
  const groups = [];
  for (const change of changes) {
    if (change.old === null || change.new === null) continue;
    const ends = [items.section(change.old), items.section(change.new)];
    const words = ends[0] === ends[1] ? ends[0] : ends.join(" → ");
    const last = groups[groups.length - 1];
    if (last !== undefined && last[0] === words) last[1].push(change);
    else groups.push([words, [change]]);
  }
  return groups.map(([words, group]) => folded(words, group.length, (made) => {
    made.append(element("ul", { class: "moves" }, ...group.map((change) => moveRow(items, change))));
  }));
}

/** @param {ChangeItems} items @param {Change} change */
function moveRow(items, change) {
  const row = element("li");
  if (change.old === null || change.new === null) return row;
  row.append(items.old.link(change.old), " → ");
  [change.new, ...change.others].forEach((state, place) => row.append(place ? ", " : "", items.new.link(state)));
  return row;
}

/** Return links to the sections that changed. @param {[title: string, changes: Change[]][]} groups */
export function contents(groups) {
  const rows = groups.map(([title, changes], place) => element(
    "li", {}, element("a", { href: `#group-${place + 1}` }, title), " ", element("small", {}, printed(changes.length)),
  ));
  const title = element("summary", {}, `${printed(rows.length)} sections changed`);
  return element("nav", { "aria-label": "On this page" }, element("details", {}, title, element("ul", { class: "toc" }, ...rows)));
}

/**
 * Return the changes that hardly matter, each sort folded.
 * @param {ChangeItems} items
 * @param {Change[]} changes
 */
export function quietBlocks(items, changes) {
  return QUIET.flatMap(([change, , title]) => {
    const quiet = changes.filter((item) => item.change === change);
    if (!quiet.length) return [];
    return [block(change, title, quiet.length, folded("All", quiet.length, (made) => setInto(items, made, quiet)))];
  });
}

/** Set changes into an element, in slices. @param {ChangeItems} items @param {HTMLElement} made @param {Change[]} changes */
export function setInto(items, made, changes) {
  return finished(setting(items, made, changes));
}

/**
 * Set changes into an element; yields after each.
 * @param {ChangeItems} items
 * @param {HTMLElement} made
 * @param {Change[]} changes
 */
export function* setting(items, made, changes) {
  for (const change of changes) yield made.append(items.item(change));
}

/** Return the choices of a section that changed, with how often. @param {ChangeItems} items */
export function sectionOptions(items) {
  const groups = Array.from(groupBy(items.comparison.all, (change) => items.sectionOf(change)));
  /** @param {string} section */
  const order = (section) => (section === "Glossary" ? Infinity : Number(section));
  groups.sort(([first], [second]) => order(first) - order(second));
  const options = groups.map(([section, changes]) => {
    const title = (items.new.heads.has(section) ? items.new : items.old).titled(section);
    return element("option", { value: section }, `${brief(title)} (${printed(changes.length)})`);
  });
  return [element("option", { value: "" }, "All sections"), ...options];
}

/** Shorten a title so that a choice of it fits on a phone. @param {string} title */
function brief(title) {
  return title.length > BRIEF ? `${title.slice(0, BRIEF - 1).trimEnd()}…` : title;
}
