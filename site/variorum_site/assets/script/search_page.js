// The search page: the query in the address, a list of results, and more results on request.
/** @import { Answer, ResultLink } from "./types.d.ts" */
/** @import { EverSearch } from "./ever_search.js" */
/** @import { Search } from "./search.js" */
import { byId, element, fieldOf } from "./dom.js";
import { step } from "./keyboard.js";
import { hrefOf } from "./loading.js";
import { answerTo } from "./search_answers.js";
import { readyEver, readySearch } from "./search_files.js";
import {
  countOf, everLink, linksOf, notesOf, statusLine, suggestedLinks, totalOf, whyNoSearch,
} from "./result_links.js";
import { pause, shownOnce } from "./slices.js";

const AT_ONCE_ON_PAGE = 20;
/** @type {Omit<Answer, "matches">} */
const NO_ANSWER = { former: [], editions: [], number: null, isPrinted: true, asked: { rules: [], notes: [], isOne: false } };

export class SearchPage {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.input = fieldOf(form, "q");
    this.ever = fieldOf(form, "ever");
    this.status = statusLine("asof");
    this.notes = element("div", { class: "notes" });
    this.list = element("ol", { class: "results" });
    this.more = element("button", { type: "button" }, "More results");
    this.more.hidden = true;
    this.limit = AT_ONCE_ON_PAGE;
    byId("_results", HTMLElement).append(this.status, this.notes, this.list, this.more);
    this.listen();
    const asked = new URLSearchParams(location.search);
    this.input.value = asked.get("q") ?? "";
    this.ever.checked = Boolean(asked.get("ever"));
    this.input.focus();
    this.start();
  }

  async start() {
    await shownOnce();
    readySearch().catch((error) => { this.status.textContent = whyNoSearch(error); });
    this.show();
  }

  listen() {
    this.input.addEventListener("input", () => {
      this.limit = AT_ONCE_ON_PAGE;
      this.show();
    });
    this.ever.addEventListener("change", () => this.show());
    this.input.addEventListener("keydown", (event) => this.onKey(event));
    this.more.addEventListener("click", () => this.onMore());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.show();
    });
  }

  async show() {
    const query = this.input.value;
    if (!query.trim()) {
      this.clear();
      return;
    }
    if (this.ever.checked) {
      await this.showEver(query);
      return;
    }
    try {
      const search = await readySearch();
      await pause();
      if (!this.isAsked(query, false)) return;
      const answer = await answerTo(search, query, this.limit);
      await pause();
      if (this.isAsked(query, false)) this.fill(search, query, answer);
    } catch (error) {
      this.status.textContent = whyNoSearch(error);
    }
  }

  /** Return whether the page still asks for this query. @param {string} query @param {boolean} isEver */
  isAsked(query, isEver) {
    return query === this.input.value && isEver === this.ever.checked;
  }

  /** Search the wording of every edition. @param {string} query */
  async showEver(query) {
    try {
      const search = await readyEver((words) => { if (this.ever.checked) this.status.textContent = words; });
      if (this.isAsked(query, true)) this.fillEver(search, query);
    } catch (error) {
      this.status.textContent = whyNoSearch(error);
    }
  }

  /** @param {EverSearch} search @param {string} query */
  fillEver(search, query) {
    const matches = search.findEver(query, this.limit);
    const answer = { ...NO_ANSWER, matches };
    this.set([...suggestedLinks(search, matches, true), ...matches.ever.map(everLink)], notesOf(answer), query);
    const shown = matches.ever.length;
    this.status.textContent = shown ? `${shown === matches.total ? shown : `The first ${shown}`} of all editions.` : "No edition has this.";
    this.more.hidden = shown < this.limit;
  }

  clear() {
    this.list.replaceChildren();
    this.notes.replaceChildren();
    this.status.textContent = "";
    this.more.hidden = true;
  }

  /** @param {Search} search @param {string} query @param {Answer} answer */
  fill(search, query, answer) {
    const links = linksOf(search, answer, this.limit + answer.former.length, answer.former.length);
    this.set([...suggestedLinks(search, answer.matches), ...links], notesOf(answer), query);
    this.status.textContent = countOf(answer, links.length);
    this.more.hidden = totalOf(answer) <= links.length;
  }

  /** @param {ResultLink[]} links @param {string[]} notes @param {string} query */
  set(links, notes, query) {
    this.list.replaceChildren(...links.map(({ href, parts: [title, ...others] }) => {
      const link = element("a", {}, title);
      link.href = hrefOf(href);
      return element("li", {}, link, ...others);
    }));
    this.notes.replaceChildren(...notes.map((note) => element("p", {}, note)));
    this.form.dataset.answered = query;
    rememberQuery(query, this.ever.checked);
  }

  async onMore() {
    const first = this.list.children.length;
    this.limit += AT_ONCE_ON_PAGE;
    await this.show();
    this.list.querySelectorAll("a")[first]?.focus();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      step(1);
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.show();
    }
  }
}

/** Keep the query in the address, so that it can be linked to. @param {string} query @param {boolean} isEver */
function rememberQuery(query, isEver) {
  try {
    history.replaceState(null, "", `?q=${encodeURIComponent(query)}${isEver ? "&ever=1" : ""}`);
  } catch {
    // Pages from the file system cannot do this.
  }
}
