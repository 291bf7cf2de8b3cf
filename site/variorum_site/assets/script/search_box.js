// The box at the head of a page: a combobox with a list of results.
/** @import { Answer, ResultLink } from "./types.d.ts" */
/** @import { Search } from "./search.js" */
import { element, fieldOf, quoted } from "./dom.js";
import { hrefOf } from "./loading.js";
import { numberIn } from "./rule_numbers.js";
import { isRule } from "./search.js";
import { answerTo } from "./search_answers.js";
import { loadNumbers, readySearch } from "./search_files.js";
import {
  askedLink, countOf, editionLink, everAsked, linksOf, notesOf, searchPageHref, statusLine, suggestedLinks, totalOf, whyNoSearch,
} from "./result_links.js";

const MOST_LINKS = 8, MOST_FORMER = 3;
const COMBOBOX = {
  role: "combobox", "aria-expanded": "false", "aria-controls": "_found", "aria-autocomplete": "list",
  "aria-haspopup": "listbox", inputmode: "search", enterkeyhint: "search", autocapitalize: "off",
  spellcheck: "false", maxlength: "300",
};

export class SearchBox {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.input = fieldOf(form, "q");
    this.list = element("div", { class: "list", id: "_found", role: "listbox", "aria-label": "Results" });
    this.status = statusLine("count");
    this.notes = element("div", { class: "notes" });
    this.panel = element("div", { class: "found" }, this.notes, this.list);
    this.panel.hidden = true;
    this.active = -1;
    form.append(this.panel, this.status);
    for (const [name, value] of Object.entries(COMBOBOX)) this.input.setAttribute(name, value);
    this.listen();
  }

  listen() {
    const { form, input } = this;
    input.addEventListener("focus", () => { readySearch().catch(() => {}); });
    input.addEventListener("input", () => this.show());
    input.addEventListener("keydown", (event) => this.onKey(event));
    form.addEventListener("submit", (event) => this.onSubmit(event));
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) this.close();
    });
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays
  }

  options() {
    return /** @type {HTMLAnchorElement[]} */ ([...this.list.children]);
  }

  async show() {
    const query = this.input.value;
    if (!query.trim()) return this.close();
    if (/\d/.test(query)) loadNumbers().catch(() => {});
    try {
      const search = await readySearch();
      if (query !== this.input.value) return undefined;
      const answer = await answerTo(search, query, MOST_LINKS);
      if (query === this.input.value) this.fill(search, query, answer);
    } catch (error) {
      this.status.textContent = whyNoSearch(error);
    }
    return undefined;
  }

  /** @param {Search} search @param {string} query @param {Answer} answer */
  fill(search, query, answer) {
    const links = linksOf(search, answer, MOST_LINKS, MOST_FORMER);
    const shown = links.length;
    links.unshift(...suggestedLinks(search, answer.matches));
    if (totalOf(answer) > shown) {
      links.push({ href: searchPageHref(search, query), isAll: true, parts: [`All results for ${quoted(query.trim())}`] });
    }
    if (answer.number === null && !answer.asked.rules.length) {
      const asked = everAsked(query), words = asked || query.trim();
      const link = { href: searchPageHref(search, words, true), isAll: true, parts: [`${quoted(words)} in the wording of every edition`] };
      if (asked) links.splice(0, links.length, link);
      else links.push(link);
    }
    this.list.replaceChildren(...links.map(optionOf));
    const notes = notesOf(answer);
    this.notes.replaceChildren(...notes.map((note) => element("p", {}, note)));
    this.status.textContent = [countOf(answer, shown), ...notes].join(" ");
    this.form.dataset.answered = query;
    this.list.hidden = !links.length;
    this.panel.hidden = !links.length && !notes.length;
    this.input.setAttribute("aria-expanded", String(links.length > 0));
    this.activate(-1);
  }

  close() {
    this.panel.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.status.textContent = "";
    this.activate(-1);
  }

  /** Mark an option as the one that Enter opens; -1 for none. @param {number} place */
  activate(place) {
    const options = this.options();
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
    this.active = place;
    if (place < 0) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    this.input.setAttribute("aria-activedescendant", options[place].id);
    options[place].scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "Escape") {
      if (this.panel.hidden) this.input.value = "";
      this.close();
      event.preventDefault();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !event.altKey) {
      event.preventDefault();
      this.onArrow(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && this.active >= 0 && !this.panel.hidden) {
      event.preventDefault();
      location.assign(this.options()[this.active].href);
    } else if (event.key === "Tab") {
      this.close();
    }
  }

  /** @param {number} by */
  onArrow(by) {
    const count = this.options().length;
    if (this.panel.hidden) this.show();
    // The box itself is between the last and the first option.
    else if (count) this.activate(((this.active + 1 + by + count + 1) % (count + 1)) - 1);
  }

  /** Go to the provision if the query is its number, else to all results. @param {SubmitEvent} event */
  async onSubmit(event) {
    const query = this.input.value;
    event.preventDefault();
    if (!query.trim()) return;
    try {
      const search = await readySearch();
      location.assign(destination(search, query, await answerTo(search, query, 1)));
    } catch {
      location.assign(`${this.form.action}?q=${encodeURIComponent(query)}`);
    }
  }
}

/** Return the address that a query leads to. @param {Search} search @param {string} query @param {Answer} answer */
function destination(search, query, answer) {
  const asked = everAsked(query);
  return bareDestination(search, query, answer) || searchPageHref(search, asked || query, Boolean(asked));
}

/** Return the address for a query that names one thing; "" for other queries. @param {Search} search @param {string} query @param {Answer} answer */
export function bareDestination(search, query, { matches, former, editions, asked }) {
  if (asked.isOne && asked.rules.length) return hrefOf(askedLink(search, asked.rules[0]).href);
  const number = numberIn(query);
  const [first] = matches.hits;
  if (number !== null && isRule(first, number.number)) return hrefOf(first.href);
  if (number !== null && former.length) return hrefOf(search.ruleHref(number.number));
  return editions.length === 1 && !matches.total ? hrefOf(editionLink(search, editions[0]).href) : "";
}

/** @param {ResultLink} link @param {number} place */
function optionOf({ href, parts, isAll }, place) {
  const option = element("a", { class: isAll ? "option all" : "option" }, ...parts);
  option.href = href.startsWith("http") || href.startsWith("file:") ? href : hrefOf(href);
  option.id = `_found-${place}`;
  option.tabIndex = -1;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  return option;
}
