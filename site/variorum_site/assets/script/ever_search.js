// The search through the wording of every edition: the best reading of each provision, with its
// periods and its name today.
/** @import { CurrentFile, EverHit, Found, Group, Hit, Plan } from "./types.d.ts" */
/** @import { EveryText } from "./every_text.js" */
import { simpleSlug } from "./provision_links.js";
import { Search } from "./search.js";

const READINGS = 5;
const MOST_LOOKED_AT = 70;

export class EverSearch extends Search {
  /** @param {EveryText} every @param {CurrentFile} columns - The columns of all its texts. */
  constructor(every, columns) {
    super(columns);
    this.every = every;
    this.today = every.data.editions.findIndex(([label]) => label === columns.edition[0]);
    /** @type {Plan} */
    this.asked = { rows: new Set(), groups: [] };
  }

  /**
   * Return the best reading of each provision; of equally good ones, the latest.
   * @param {Plan} plan
   * @param {number} limit
   */
  ranked(plan, limit) {
    this.asked = plan;
    const rows = super.ranked(plan, Math.max(MOST_LOOKED_AT, limit * READINGS));
    /** @type {Map<number, number>} */
    const best = new Map();
    for (const row of rows) {
      const line = this.every.lines[this.every.states[row]];
      if (!best.has(line)) best.set(line, row);
    }
    return [...best.values()];
  }

  /** @param {number} row @param {Group[]} groups @returns {Hit} */
  hit(row, groups) {
    const { every } = this, { data } = every, state = every.states[row], label = data.editions[every.last(state)][0];
    const hit = super.hit(row, groups);
    const path = every.pathOf(state);
    return { ...hit, path, href: hit.number === null ? this.datedEntry(label, state) : this.datedHref(label, anchorOfName(hit.number)) };
  }

  /** @param {string} label @param {number} state */
  datedEntry(label, state) {
    const { data } = this.every;
    const slug = data.slugs.get(data.headings[state]) ?? simpleSlug(data.headingOf(state));
    return this.datedHref(label, `glossary#${slug}`);
  }

  /**
   * Return the hits, with their periods and their names today.
   * @param {string} query
   * @param {number} limit
   * @returns {Found & { ever: EverHit[] }}
   */
  findEver(query, limit) {
    const answer = this.find(query, limit, true);
    return { ...answer, ever: answer.hits.map((hit) => this.everHit(hit)) };
  }

  /** @param {Hit} hit @returns {EverHit} */
  everHit(hit) {
    const { every, today } = this, { data } = every, { editions } = data;
    const state = every.states[hit.row];
    const holding = (every.rowsOfLine.get(every.lines[state]) ?? []).filter((row) => row === hit.row || this.holdsAs(row, hit.row));
    const stood = every.stood(holding);
    const latest = every.latest(state, today), last = data.nameOf(latest.state);
    return {
      ...hit,
      stood: stood.map(([first, last]) => [editions[first][0], editions[last][0]]),
      now: latest.isPrinted ? last : null,
      last,
      isThere: stood.some(([first, last]) => first <= today && today <= last),
    };
  }

  /** Return whether a reading has all the words of a query that another has. @param {number} row @param {number} rival */
  holdsAs(row, rival) {
    return this.asked.groups.every(({ weights }) => !weights.has(rival) || weights.has(row));
  }
}

/** @param {string} name */
function anchorOfName(name) {
  const [number, bearer] = name.split("#");
  return bearer === undefined || bearer === "1" ? number : `${number}-${bearer}`;
}
