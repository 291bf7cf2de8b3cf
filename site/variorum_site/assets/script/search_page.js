// The search page: the query in the address, results as a list, more of them on request.
/** @import { Answer } from "./types.d.ts" */
/** @import { Search } from "./search.js" */
import { byId, element, fieldOf } from "./dom.js";
import { step } from "./keyboard.js";
import { hrefOf } from "./loading.js";
import { answerTo } from "./search_answers.js";
import { readySearch } from "./search_files.js";
import { countOf, linksOf, notesOf, statusLine, totalOf, whyNoSearch } from "./search_results.js";

const AT_ONCE_ON_PAGE = 20;

export class SearchPage {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.input = fieldOf(form, "q");
    this.status = statusLine("asof");
    this.notes = element("div", { class: "notes" });
    this.list = element("ol", { class: "results" });
    this.more = element("button", { type: "button" }, "More results");
    this.more.hidden = true;
    this.limit = AT_ONCE_ON_PAGE;
    byId("_results", HTMLElement).append(this.status, this.notes, this.list, this.more);
    this.listen();
    this.input.value = new URLSearchParams(location.search).get("q") ?? "";
    this.input.focus();
    readySearch().catch((error) => { this.status.textContent = whyNoSearch(error); });
    this.show();
  }

  listen() {
    this.input.addEventListener("input", () => {
      this.limit = AT_ONCE_ON_PAGE;
      this.show();
    });
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
    try {
      const search = await readySearch();
      if (query !== this.input.value) return;
      const answer = await answerTo(search, query, this.limit);
      if (query === this.input.value) this.fill(search, query, answer);
    } catch (error) {
      this.status.textContent = whyNoSearch(error);
    }
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
    this.list.replaceChildren(...links.map(({ href, parts: [title, ...others] }) => {
      const link = element("a", {}, title);
      link.href = hrefOf(href);
      return element("li", {}, link, ...others);
    }));
    this.notes.replaceChildren(...notesOf(answer).map((note) => element("p", {}, note)), ...suggested(answer));
    this.status.textContent = countOf(answer, links.length);
    this.more.hidden = totalOf(answer) <= links.length;
    this.form.dataset.answered = query;
    rememberQuery(query);
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

/** Return a line that offers words like those that nothing has. @param {Answer} answer */
function suggested({ found }) {
  if (!found.suggestions.length) return [];
  const line = element("p", {}, "Perhaps ");
  found.suggestions.forEach((query, place) => {
    const link = element("a", { href: `?q=${encodeURIComponent(query)}` }, query);
    line.append(place ? ", " : "", link);
  });
  line.append("?");
  return [line];
}

/** Keep the query in the address, so that it can be linked to. @param {string} query */
function rememberQuery(query) {
  try {
    history.replaceState(null, "", `?q=${encodeURIComponent(query)}`);
  } catch {
    // Pages from the file system may not.
  }
}
