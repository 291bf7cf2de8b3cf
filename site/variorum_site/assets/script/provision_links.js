// The places of an edition's provisions on its dated pages, and the titles of its sections.
/** @import { CompareData } from "./compare_data.js" */
import { element } from "./dom.js";

/** Two editions, the older one first, and links to their provisions. */
export class EditionPair {
  /** @param {CompareData} data @param {number} from @param {number} to */
  constructor(data, from, to) {
    this.data = data;
    this.from = from;
    this.to = to;
    this.old = new ProvisionLinks(data, from);
    this.new = new ProvisionLinks(data, to);
  }
}

export class ProvisionLinks {
  /** @param {CompareData} data @param {number} edition */
  constructor(data, edition) {
    this.data = data;
    this.label = data.editions[edition][0];
    /** @type {Map<number, string>} The section that prints each state; "" for none. */
    this.sections = new Map();
    /** @type {Map<string, number>} The states of chapters and sections, by number. */
    this.heads = new Map();
    let here = "";
    for (const state of data.held(edition)) {
      const kind = data.kinds[state];
      if (kind === "g") continue;
      const own = sectionNumber(data, state);
      if (kind === "c") here = "";
      else if (kind === "s" || !here) here = own;
      if ((kind === "c" || kind === "s") && !this.heads.has(own)) this.heads.set(own, state);
      this.sections.set(state, here);
    }
  }

  /** Return the address of a state, from the root of the site. @param {number} state */
  path(state) {
    const { data, label } = this;
    if (data.kinds[state] === "g") return `${label}/glossary/index.html#${this.slug(state)}`;
    const [printed, bearer] = data.addresses[state].split("#");
    if (data.kinds[state] === "c") return `${label}/${printed}/index.html`;
    const anchor = !bearer || bearer === "1" ? printed : `${printed}-${bearer}`;
    return `${label}/${(this.sections.get(state) ?? printed)[0]}/index.html#${anchor}`;
  }

  /** @param {number} state */
  slug(state) {
    const known = this.data.slugs.get(this.data.headings[state]);
    return known ?? simpleSlug(this.data.headingOf(state));
  }

  /** @param {number} state */
  link(state, text = this.data.nameOf(state)) {
    return element("a", { href: `../${this.path(state)}` }, text);
  }

  /** @param {string} section */
  titled(section) {
    const head = this.heads.get(section), heading = head === undefined ? "" : this.data.headingOf(head);
    return heading ? `${section}. ${heading}` : section;
  }
}

/**
 * Return the anchor of a headword; special anchors are in the files of texts.
 * @param {string} headword
 */
export function simpleSlug(headword) {
  return headword.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join("-");
}

/**
 * Return the number of the chapter or section that a number belongs to.
 * @param {CompareData} data
 * @param {number} state
 */
export function sectionNumber(data, state) {
  return data.numberOf(state).split(".", 1)[0];
}
