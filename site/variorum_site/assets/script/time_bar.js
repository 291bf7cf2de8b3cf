// The time bar: the same provision on another day, followed by its history and not by its number.
/** @import { SiteFacts } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { openNumbers } from "./compare_files.js";
import { inForceOn } from "./designators.js";
import { element } from "./dom.js";
import { dayInWords, fullNameOfEdition, nameOfEdition } from "./edition_names.js";
import { entriesIn } from "./former_headwords.js";
import { hrefOf } from "./loading.js";
import { ProvisionLinks } from "./provision_links.js";
import { everNamed, placesIn, statesNamed } from "./provision_places.js";

const NO_STEPS = "The list of editions could not be loaded. Are you online?";

/** @typedef {import("./former_headwords.js").Reading} Found */

/** The bar of a page that shows one edition. */
export class TimeBar {
  /** @param {HTMLElement} nav @param {SiteFacts} site */
  constructor(nav, site) {
    this.nav = nav;
    this.site = site;
    const label = nav.dataset.edition;
    /** The place of the edition that the page shows. */
    this.place = label ? site.editions.findIndex((edition) => edition[0] === label) : site.current;
    /** The number that the whole page is about; "" of the glossary and the like. */
    this.number = nav.dataset.number ?? "";
    this.headword = nav.dataset.headword ?? "";
    /** What the reader chose on the page: the anchor of a provision. */
    this.chosen = "";
    this.isDated = Boolean(label);
    this.status = element("span", { role: "status", class: "there" });
  }

  /** The anchor of what the bar is about. */
  get anchor() {
    return this.chosen || this.number || this.headword;
  }

  /** Say which edition is in force on a page that shows it, whatever edition came since it was built. */
  tellCurrent() {
    if (this.isDated) return;
    const edition = this.site.editions[this.site.current];
    for (const cite of document.querySelectorAll(".cite[data-current]")) citeIn(cite, edition[0]);
    document.querySelector(".asof[data-current]")?.replaceChildren(
      element("b", {}, nameOfEdition(edition)), `, in force since ${dayInWords(edition[1])} `,
      element("small", {}, "(", element("time", { datetime: edition[1] }, edition[0]), ")"),
    );
  }

  /** Let the reader go to any day, where the page has no such form of its own. */
  offerDays() {
    const day = element("input", { type: "date", id: "_day", required: "" });
    const form = element("form", { class: "at" },
      element("label", { for: "_day" }, "Go to a day"), element("span", {}, day, " ", element("button", {}, "Show")), this.status);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.go(day.value);
    });
    this.nav.append(form);
  }

  /** @param {string} day */
  async go(day) {
    this.status.textContent = "";
    const place = inForceOn(this.site.editions, day);
    if (place < 0) this.status.textContent = `The earliest edition is ${fullNameOfEdition(this.site.editions[0])}.`;
    else await this.goTo(place);
  }

  /**
   * Go to what the page is about in another edition, or say what it was there.
   * @param {number} place
   * @param {boolean} isOwn - Nothing else that has had its number is asked for.
   */
  async goTo(place, isOwn = this.isDated) {
    if (!this.anchor) {
      location.assign(hrefOf(`${this.site.editions[place][0]}/${this.nav.dataset.folder ?? ""}index.html${location.hash}`));
      return;
    }
    try {
      const label = this.site.editions[place][0];
      const places = this.headword ? entriesIn(label, this.headword) : this.find(await openNumber(this.anchor), place, isOwn);
      if (places.length === 1) location.assign(places[0].href);
      else this.tell(places, place);
    } catch (error) {
      this.status.textContent = NO_STEPS;
      throw error;
    }
  }

  /**
   * Return where the provision is in an edition, and what else had its number if that is wanted or it is not there.
   * @param {CompareData} data
   * @param {number} place
   * @param {boolean} isOwn
   * @returns {Found[]}
   */
  find(data, place, isOwn) {
    const links = new ProvisionLinks(data, place), { anchor } = this;
    /** @type {Map<number, string>} */
    const meanings = new Map();
    const own = placesIn(data, statesNamed(data, this.place, anchor), this.place, place).slice(0, isOwn ? 1 : undefined);
    for (const state of own) {
      const name = data.nameOf(state);
      meanings.set(state, name === anchor ? `this rule, which was also ${name} on that day` : `this rule, then ${name}`);
    }
    if (!this.isDated && !(isOwn && own.length)) {
      for (const state of statesNamed(data, place, anchor)) if (!meanings.has(state)) meanings.set(state, `what ${anchor} was then`);
      for (const [state, last] of everNamed(data, anchor)) {
        for (const there of placesIn(data, [state], last, place)) {
          if (!meanings.has(there)) meanings.set(there, `the rule called ${anchor} until ${this.endOf(last)}; here it is ${data.nameOf(there)}`);
        }
      }
    }
    return [...meanings].map(([state, words]) => ({ href: hrefOf(links.path(state)), words }));
  }

  /** Return when an edition was replaced. @param {number} place */
  endOf(place) {
    return dayInWords((this.site.editions[place + 1] ?? this.site.editions[place])[1]);
  }

  /** @param {Found[]} places @param {number} place */
  tell(places, place) {
    const edition = this.site.editions[place];
    const name = element("a", { href: hrefOf(`${edition[0]}/index.html`) }, fullNameOfEdition(edition));
    if (!places.length) {
      const reason = this.isDated ? `${this.anchor} has no counterpart` : `nothing had the number ${this.anchor}, and none of the rules that ever had it was in force`;
      this.status.replaceChildren("In ", name, ` ${reason}.`);
      return;
    }
    this.status.replaceChildren("In ", name, ": ");
    places.forEach(({ href, words }, at) => this.status.append(at ? " · " : "", element("a", { href }, words)));
  }

  /** Let the links of the bar lead to the provision that the reader chose. */
  listen() {
    this.nav.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || !this.anchor || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const { step, today, compare } = link.dataset;
      if (step === undefined && (today === undefined || !this.chosen)) return;
      if (compare !== undefined) return;
      event.preventDefault();
      if (step !== undefined) this.goTo(this.place + Number(step), true);
      else this.goToday();
    });
  }

  /** Go to the page of what the chosen provision is today. */
  async goToday() {
    try {
      const data = await openNumber(this.chosen);
      const states = statesNamed(data, this.place, this.chosen);
      const [heir] = placesIn(data, states, this.place, this.site.current);
      const number = heir === undefined ? this.chosen.split("-")[0] : data.numberOf(heir);
      location.assign(hrefOf(data.kinds[heir] === "g" ? `glossary/index.html` : `rule/${number}/index.html`));
    } catch (error) {
      this.status.textContent = NO_STEPS;
      throw error;
    }
  }
}

/** Return the data of all that a number has named. @param {string} anchor */
function openNumber(anchor) {
  const [number] = anchor.split("-");
  return openNumbers({ kind: "number", first: number, last: "" });
}

/**
 * Let a citation name the edition in force; the page was built with the first that has the same words.
 * @param {Element} cite
 * @param {string} label
 */
function citeIn(cite, label) {
  const link = cite.querySelector("a.perma"), since = /\(([^()]*)\)$/.exec(link?.textContent ?? "")?.[1];
  if (!link || since === undefined) return;
  /** @param {string} href */
  const dated = (href) => href.replace(`/${since}/`, `/${label}/`);
  link.setAttribute("href", dated(link.getAttribute("href") ?? ""));
  link.textContent = (link.textContent ?? "").replace(`(${since})`, `(${label})`);
  for (const button of cite.querySelectorAll("button")) {
    if (button.dataset.copy) button.dataset.copy = link.textContent;
    if (button.dataset.copyLink) button.dataset.copyLink = dated(button.dataset.copyLink);
  }
}

/** Let the bar of a page work, if it has one. @param {SiteFacts} site */
export function startTimeBar(site) {
  /** @type {HTMLElement | null} */
  const nav = document.querySelector("nav.time");
  if (!nav) return null;
  const bar = new TimeBar(nav, site);
  bar.tellCurrent();
  bar.offerDays();
  bar.listen();
  return bar;
}
