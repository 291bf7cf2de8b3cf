// A change as elements: numbers, event, heading and words.
/** @import { Change, Comparison, DiffPiece } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { changePieces } from "./changes.js";
import { element } from "./dom.js";
import { EditionPair, sectionNumber } from "./provision_links.js";
import { COPIED, MERGED, SPLIT, UNCERTAIN, kindsOf } from "./steps.js";

// The names of the classes of changes on pages; as in pages/changes.py.
/** @type {[change: string, name: string, title: string][]} */
export const QUIET = [
  ["sweep", "wording changed throughout", "Only wording changed throughout"],
  ["citation-only", "only cites new numbers", "Only cites new numbers"],
  ["typographic", "typography", "Typography"],
];
/** @type {Map<string, string>} */
export const QUIET_NAMES = new Map(QUIET.map(([change, name]) => [change, name]));
// The filters of a comparison.
/** @type {Map<string, (change: Change) => boolean>} */
export const SORTS = new Map([
  ["reworded", (change) => change.old !== null && change.new !== null && !isParted(change)],
  ["new", (change) => change.old === null],
  ["gone", (change) => change.new === null],
  ["parted", isParted],
]);

/** @param {Change} change */
function isParted(change) {
  return change.isPart || (Boolean(change.bits & (SPLIT | MERGED | COPIED)) && change.old !== null && change.new !== null);
}

// How many unchanged words are shown on each side of a change.
const CONTEXT = 8;

/** Renders the changes of a comparison. */
export class ChangeItems extends EditionPair {
  /** @param {CompareData} data @param {Comparison} comparison */
  constructor(data, comparison) {
    super(data, comparison.from, comparison.to);
    this.comparison = comparison;
  }

  /** @param {number} state */
  section(state) {
    return this.data.kinds[state] === "g" ? "Glossary" : sectionNumber(this.data, state);
  }

  /** @param {Change} change */
  sectionOf(change) {
    return this.section(/** @type {number} */ (change.new ?? change.old));
  }

  /** @param {Change} change */
  title(change) {
    const section = this.sectionOf(change);
    const older = this.old.titled(section), newer = this.new.titled(section);
    return change.new !== null || older === newer ? newer : `${older} (in ${this.old.label})`;
  }

  /** @param {Change} change */
  item(change) {
    const made = element("div", { class: "change" }, this.names(change));
    const heading = this.heading(change);
    if (heading) made.append(heading);
    const words = this.words(change);
    if (words) made.append(words);
    return made;
  }

  /** @param {Change} change */
  names(change) {
    const { data } = this;
    const names = element("b"), kinds = element("span", { class: "kinds" }, this.kinds(change));
    const old = change.isPart ? null : change.old;
    const news = change.new === null ? [] : [change.new, ...change.others];
    if (old !== null && news.length === 1 && data.nameOf(old) === data.nameOf(news[0])) {
      names.append(this.new.link(news[0]));
      kinds.append(" (", this.old.link(old, "before"), ")");
    } else {
      if (old !== null) names.append(this.old.link(old), news.length ? " → " : "");
      news.forEach((state, place) => names.append(place ? ", " : "", this.new.link(state)));
    }
    return element("p", {}, names, " ", kinds);
  }

  /** @param {Change} change */
  kinds(change) {
    if (change.isPart && change.old !== null) {
      const how = change.bits & COPIED && !(change.bits & SPLIT) ? "copied" : "split off";
      return `${how} from ${this.data.nameOf(change.old)}`;
    }
    let named = kindsOf(change.bits).filter((kind) => kind !== "kept");
    if (change.bits & UNCERTAIN && change.new !== null) {
      const perhaps = named.filter((kind) => kind !== "uncertain").map((kind) => `perhaps ${kind}`);
      if (perhaps.length) named = perhaps;
    }
    const quiet = QUIET_NAMES.get(change.change);
    return [...named, ...(quiet === undefined ? [] : [quiet])].join(", ");
  }

  /** @param {Change} change */
  heading(change) {
    const { data } = this;
    if (change.old === null || change.new === null || change.isPart) return null;
    /** @param {number} state */
    const isBare = (state) => !data.tokensOf(data.bodies[state]).length;
    if (isBare(change.old) && isBare(change.new)) return null;
    const old = data.headingOf(change.old), fresh = data.headingOf(change.new);
    if (!old || old === fresh) return null;
    return element("p", { class: "diff" }, "Heading: ", element("del", {}, old), " ", element("ins", {}, fresh));
  }

  /** @param {Change} change */
  words(change) {
    const isTakenIn = change.bits & MERGED && !change.isPart;
    if (change.change === "" || change.change === "citation-only" || isTakenIn) return null;
    let pieces = changePieces(this.data, change);
    if (change.isPart) pieces = pieces.filter(([sign]) => sign !== "-"); // told with its own heir
    return pieces.length ? diffOf(pieces, change.isPart ? null : CONTEXT) : null;
  }
}

/**
 * Return a word diff as an element; without a context, with all unchanged words.
 * @param {DiffPiece[]} pieces
 * @param {number | null} context
 */
export function diffOf(pieces, context) {
  const made = element("p", { class: "diff" }), last = pieces.length - 1;
  pieces.forEach(([sign, text], place) => {
    if (sign === "=") {
      const isWhole = context === null;
      appendLines(made, isWhole ? text : shortened(text, place ? context : 0, place < last ? context : 0));
      return;
    }
    const bare = text.trimEnd();
    const marked = element(sign === "-" ? "del" : "ins");
    appendLines(marked, bare);
    made.append(marked);
    const isTorn = place < last && pieces[place + 1][0] !== "=";
    appendLines(made, text.slice(bare.length) || (isTorn ? " " : ""));
  });
  return made;
}

/** @param {HTMLElement} made @param {string} text */
export function appendLines(made, text) {
  text.split("\n").forEach((line, place) => {
    if (place) made.append(element("br"));
    if (line) made.append(line);
  });
}

/**
 * Shorten a long text to some words at its beginning and end.
 * @param {string} text
 * @param {number} before
 * @param {number} after
 */
export function shortened(text, before, after) {
  const words = text.split(" ");
  if (words.length <= before + after + 2) return text;
  const start = words.slice(0, before).join(" "), end = after ? words.slice(-after).join(" ") : "";
  return start ? `${start} … ${end}` : `… ${end}`;
}
