// Search in the page: the box at the head of every page, the search page, and the keys that step
// through results and rules. What finds is in 20-find.js. All text of others goes through textContent.
(function (variorum) {
  "use strict";

  const CURRENT = "search/current.json", NUMBERS = "search/numbers.json", FORMAT = 1;
  const IN_BOX = 8, ON_PAGE = 20, FORMER_IN_BOX = 3, EDITIONS = 6, FEW = 9;
  // How long the page may stand still while the index is made ready, in milliseconds.
  const SLICE = 12;
  const NO_KEYS = "variorum.keys";

  const root = new URL("..", document.currentScript.src);

  // Loading --------------------------------------------------------------------------------------

  const taken = new Map();
  const loading = new Map();

  /** Take a file of the index that a script brings, see `scripted`. */
  function take(file, found) {
    taken.set(file, found);
  }

  function load(file) {
    if (!loading.has(file)) {
      const found = (location.protocol === "file:" ? scripted(file) : fetched(file)).then((one) => {
        if (one.format !== FORMAT) throw new Error("the index is of another version; reload the page");
        return one;
      });
      found.catch(() => loading.delete(file));
      loading.set(file, found);
    }
    return loading.get(file);
  }

  async function fetched(file) {
    const answer = await fetch(new URL(file, root));
    if (!answer.ok) throw new Error(`the index is not there (${answer.status})`);
    return answer.json();
  }

  /** Load a file by a script: all that pages from the file system may load. */
  function scripted(file) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(file.replace(/on$/, ""), root).href;
      script.addEventListener("load", () => resolve(taken.get(file)));
      script.addEventListener("error", () => reject(new Error("the index is not there")));
      document.head.append(script);
    });
  }

  let preparing = null;
  const timing = { loaded: 0, prepared: 0 };

  /** Return the search, ready; it is loaded once, and made ready while the page has time. */
  function ready() {
    preparing ??= load(CURRENT).then(prepared);
    preparing.catch(() => { preparing = null; });
    return preparing;
  }

  async function prepared(file) {
    timing.loaded = performance.now();
    const search = new variorum.Search(file);
    for (;;) {
      const stop = performance.now() + SLICE;
      const isReady = search.prepare(() => performance.now() < stop);
      if (isReady) break;
      await pause();
    }
    timing.prepared = performance.now();
    return search;
  }

  /** Let the page do what waits. */
  function pause() {
    return new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        channel.port1.close();
        resolve();
      };
      channel.port2.postMessage(null);
    });
  }

  // Asking ---------------------------------------------------------------------------------------

  const hrefOf = (path) => new URL(path, root).href;
  const pageOf = (search, query) => `${hrefOf(search.index.file.addresses.search)}?q=${encodeURIComponent(query)}`;

  /** Return what a query finds, and who bore the number that it names; null where none is named. */
  async function ask(search, query, limit) {
    const found = search.find(query, limit, true);
    const asked = variorum.numberIn(query);
    const number = asked !== null && !asked.isOpen ? asked.number : loneNumber(found.missing);
    const answer = { found, former: [], editions: [], number, isPrinted: true };
    if (number === null && found.total > FEW && !/\d/.test(query)) return answer; // no edition's name
    try {
      const file = await load(NUMBERS);
      answer.editions = editionsNamed(file, query).slice(0, EDITIONS);
      if (number === null) return answer;
      const all = variorum.formerBearers(file, number);
      return { ...answer, former: all.filter((one) => !one.isHere), isPrinted: all.length > 0 };
    } catch {
      return answer; // what is borne today is better than nothing
    }
  }

  /** Return the editions that a query names: by a date, its beginning, a set or its code; the latest first. */
  function editionsNamed({ labels, sets }, query) {
    const word = query.trim().toLowerCase();
    const all = labels.map((label, place) => ({ label, code: sets[place][0], name: sets[place][1] }));
    if (/^\d{4}-\d\d-\d\d$/.test(word)) return all.filter((one) => one.label.slice(0, 10) <= word).slice(-1);
    if (/^(199|20\d)\d(-\d{0,2})?$/.test(word)) return all.filter((one) => one.label.startsWith(word)).reverse();
    if (word.length < 3) return [];
    return all.filter((one) => one.code.toLowerCase() === word || one.name.toLowerCase().includes(word)).reverse();
  }

  function loneNumber(missing) {
    const found = missing.map((one) => variorum.numberIn(one)).find((one) => one !== null && !one.isOpen);
    return found === undefined ? null : found.number;
  }

  // What is shown --------------------------------------------------------------------------------

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  const quoted = (words) => `\u201c${words}\u201d`;

  function runsOf(stood) {
    return stood.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(", ");
  }

  const plainName = (name) => (name.startsWith("glossary: ") ? `${quoted(name.slice(10))} of the glossary` : name);

  /** Say what became of the provision that bore a number. */
  function fateOf(number, one) {
    const was = `${number} (${runsOf(one.stood)})`;
    if (!one.isGone) return `${was} is now ${plainName(one.now)}`;
    const heir = one.now ? `; its words went to ${plainName(one.now)}` : "";
    return `${was} is gone since ${one.since}${heir}`;
  }

  function snippetOf(pieces) {
    return element("span", "said", ...pieces.map(([words, isFound]) => (isFound ? element("mark", "", words) : words)));
  }

  /** Return a provision that was found, as the content of a link. */
  function hitParts(hit) {
    const title = element("span", "hit");
    if (hit.number !== null) title.append(element("span", "n", hit.number.split("#")[0]));
    if (hit.heading) title.append(hit.number === null ? hit.heading : ` ${hit.heading}`);
    const parts = [title];
    // The chapter says little about what stands deep in it.
    const above = hit.path.length > 1 ? hit.path.slice(1) : hit.path;
    const where = hit.number === null ? "Glossary" : above.join(" \u203a ");
    if (where) parts.push(" ", element("small", "", where));
    const isBare = hit.snippet.map(([words]) => words).join("") === hit.heading;
    if (!isBare) parts.push(" ", snippetOf(hit.snippet));
    return parts;
  }

  function formerLink(search, number, one) {
    const today = one.now ? search.named(one.now) : null;
    const href = one.isGone || today === null ? search.ruleHref(number) : today.href;
    const parts = [element("span", "hit", element("span", "n", number), ` ${fateOf(number, one).slice(number.length + 1)}`)];
    if (one.isGone) parts.push(" ", element("span", "said", quoted(one.gist)));
    else if (today !== null) {
      const said = today.heading || today.snippet.map(([words]) => words).join("");
      parts.push(" ", element("span", "said", said));
    }
    return { href, parts };
  }

  function editionLink(search, { label, name }) {
    const parts = [element("span", "hit", `Edition of ${label}`)];
    if (name) parts.push(" ", element("small", "", name));
    return { href: search.index.file.addresses.edition.replace("{}", label), parts };
  }

  /** Return what was found as links: editions, bearer of a number, what stands below it, who bore it. */
  function linksOf(search, { found, former, editions, number }, limit, formerLimit) {
    const named = editions.map((one) => editionLink(search, one));
    const old = former.slice(0, formerLimit).map((one) => formerLink(search, number, one));
    const hits = found.hits.map((hit) => ({ href: hit.href, parts: hitParts(hit) }));
    const isBorne = found.hits.length > 0 && (found.hits[0].number ?? "").split("#")[0] === number;
    const room = Math.max(limit - old.length, 1);
    const others = isBorne ? [...hits.slice(0, room), ...old] : [...old, ...hits.slice(0, room)];
    return isBorne ? [...others, ...named] : [...named, ...others];
  }

  /** Say by which other words things were found. */
  function notesOf({ found, editions, number, isPrinted }) {
    const notes = [];
    const byWords = new Map();
    for (const one of found.expanded) {
      const key = `${one.kind} ${one.from}`;
      byWords.set(key, [...(byWords.get(key) ?? []), one]);
    }
    for (const others of byWords.values()) notes.push(noteOf(others));
    if (number !== null && !isPrinted) notes.push(`No edition ever printed ${number}.`);
    const words = found.missing.filter((one) => variorum.numberIn(one) === null);
    if (words.length && !editions.length) notes.push(`Nothing has ${words.map(quoted).join(", ")}.`);
    return notes;
  }

  function noteOf(others) {
    const [{ typed, kind, asked }] = others;
    const living = others.filter((one) => !one.until);
    const [{ until }] = living.length ? living : others;
    const said = [...new Set((living.length ? living : others).map((one) => quoted(one.label)))].slice(0, 3).join(", ");
    if (kind === "abbreviation") return `${quoted(typed)} stands for ${said}.`;
    if (kind === "players") return `${quoted(typed)}: the rules say ${said}.`;
    if (asked.isGone && asked.since === asked.until) return `${quoted(typed)} is obsolete; nearest is ${said}.`;
    if (asked.isGone) return `${quoted(typed)} is gone from the rules, where it stood until ${asked.until}; nearest is ${said}.`;
    if (asked.until && !until) return `${quoted(typed)}, so called until ${asked.until}, is now ${said}.`;
    return until ? `${quoted(typed)}: until ${until} also ${said}.` : `${quoted(typed)}: also ${said}.`;
  }

  const totalOf = ({ found, former, editions }) => found.total + former.length + editions.length;

  function countOf(answer, shown) {
    const total = totalOf(answer);
    if (!total) return "Nothing found.";
    if (total <= shown) return total === 1 ? "1 result." : `${total} results.`;
    return `${shown} of ${total} results.`;
  }

  const said = (error) => `Search cannot work: ${error.message}.`;

  /** Return a live region, which screen readers read when it changes. */
  function statusLine(className) {
    const made = element("p", className);
    made.setAttribute("role", "status");
    return made;
  }

  // The box at the head of a page: a combobox with a list --------------------------------------

  class Box {
    constructor(form) {
      this.form = form;
      this.input = form.elements.q;
      this.list = element("div", "list");
      this.list.id = "_found";
      this.list.setAttribute("role", "listbox");
      this.list.setAttribute("aria-label", "Results");
      this.status = statusLine("count");
      this.notes = element("div", "notes");
      this.panel = element("div", "found", this.notes, this.list);
      this.panel.hidden = true;
      this.active = -1;
      form.append(this.panel, this.status);
      for (const [name, value] of [["role", "combobox"], ["aria-expanded", "false"], ["aria-controls", "_found"],
        ["aria-autocomplete", "list"], ["aria-haspopup", "listbox"], ["inputmode", "search"],
        ["enterkeyhint", "search"], ["autocapitalize", "off"], ["spellcheck", "false"],
        ["maxlength", "300"]]) this.input.setAttribute(name, value);
      this.input.addEventListener("focus", () => { ready().catch(() => {}); });
      this.input.addEventListener("input", () => this.show());
      this.input.addEventListener("keydown", (event) => this.onKey(event));
      form.addEventListener("submit", (event) => this.onSubmit(event));
      form.addEventListener("focusout", (event) => {
        if (!form.contains(event.relatedTarget)) this.close();
      });
      this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays
    }

    options() {
      return [...this.list.children];
    }

    async show() {
      const query = this.input.value;
      if (!query.trim()) return this.close();
      if (/\d/.test(query)) load(NUMBERS).catch(() => {});
      try {
        const search = await ready();
        if (query !== this.input.value) return undefined;
        const answer = await ask(search, query, IN_BOX);
        if (query === this.input.value) this.fill(search, query, answer);
      } catch (error) {
        this.status.textContent = said(error);
      }
      return undefined;
    }

    fill(search, query, answer) {
      const links = linksOf(search, answer, IN_BOX, FORMER_IN_BOX);
      const shown = links.length;
      if (totalOf(answer) > shown) {
        links.push({ href: pageOf(search, query), isAll: true, parts: [`All results for ${quoted(query.trim())}`] });
      }
      this.list.replaceChildren(...links.map(({ href, parts, isAll }, place) => {
        const option = element("a", isAll ? "option all" : "option", ...parts);
        option.href = href.startsWith("http") || href.startsWith("file:") ? href : hrefOf(href);
        option.id = `_found-${place}`;
        option.tabIndex = -1;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        return option;
      }));
      const notes = notesOf(answer);
      this.notes.replaceChildren(...notes.map((note) => element("p", "", note)));
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

    onKey(event) {
      const count = this.options().length;
      if (event.key === "Escape") {
        if (this.panel.hidden) this.input.value = "";
        this.close();
        event.preventDefault();
      } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !event.altKey) {
        event.preventDefault();
        if (this.panel.hidden) {
          this.show();
        } else if (count) {
          const step = event.key === "ArrowDown" ? 1 : -1;
          // Between the last and the first stands the box itself.
          this.activate(((this.active + 1 + step + count + 1) % (count + 1)) - 1);
        }
      } else if (event.key === "Enter" && this.active >= 0 && !this.panel.hidden) {
        event.preventDefault();
        location.assign(this.options()[this.active].href);
      } else if (event.key === "Tab") {
        this.close();
      }
    }

    /** Lead to the provision if the query is its number, else to all results. */
    async onSubmit(event) {
      const query = this.input.value;
      event.preventDefault();
      if (!query.trim()) return;
      try {
        const search = await ready();
        const number = variorum.numberIn(query);
        const { found, former, editions } = await ask(search, query, 1);
        const [first] = found.hits;
        const isBorne = number !== null && first !== undefined && (first.number ?? "").split("#")[0] === number.number;
        if (isBorne) location.assign(hrefOf(first.href));
        else if (number !== null && former.length) location.assign(hrefOf(search.ruleHref(number.number)));
        else if (editions.length === 1 && !found.total) location.assign(hrefOf(editionLink(search, editions[0]).href));
        else location.assign(pageOf(search, query));
      } catch {
        location.assign(`${this.form.action}?q=${encodeURIComponent(query)}`);
      }
    }
  }

  // The search page --------------------------------------------------------------------------------

  class Page {
    constructor(form) {
      this.form = form;
      this.input = form.elements.q;
      this.status = statusLine("asof");
      this.notes = element("div", "notes");
      this.list = element("ol", "results");
      this.more = element("button", "", "More results");
      this.more.type = "button";
      this.more.hidden = true;
      this.limit = ON_PAGE;
      document.getElementById("_results").append(this.status, this.notes, this.list, this.more);
      this.input.addEventListener("input", () => {
        this.limit = ON_PAGE;
        this.show();
      });
      this.input.addEventListener("keydown", (event) => this.onKey(event));
      this.more.addEventListener("click", () => this.onMore());
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.show();
      });
      this.input.value = new URLSearchParams(location.search).get("q") ?? "";
      this.input.focus();
      ready().catch((error) => { this.status.textContent = said(error); });
      this.show();
    }

    async show() {
      const query = this.input.value;
      if (!query.trim()) {
        this.list.replaceChildren();
        this.notes.replaceChildren();
        this.status.textContent = "";
        this.more.hidden = true;
        return;
      }
      try {
        const search = await ready();
        if (query !== this.input.value) return;
        const answer = await ask(search, query, this.limit);
        if (query === this.input.value) this.fill(search, query, answer);
      } catch (error) {
        this.status.textContent = said(error);
      }
    }

    fill(search, query, answer) {
      const links = linksOf(search, answer, this.limit + answer.former.length, answer.former.length);
      this.list.replaceChildren(...links.map(({ href, parts }) => {
        const link = element("a", "", parts[0]);
        link.href = hrefOf(href);
        return element("li", "", link, ...parts.slice(1));
      }));
      this.notes.replaceChildren(...notesOf(answer).map((note) => element("p", "", note)), ...this.suggested(answer));
      this.status.textContent = countOf(answer, links.length);
      this.more.hidden = totalOf(answer) <= links.length;
      this.form.dataset.answered = query;
      this.remember(query);
    }

    /** Offer words like those that nothing has. */
    suggested({ found }) {
      if (!found.suggestions.length) return [];
      const line = element("p", "", "Perhaps ");
      found.suggestions.forEach((query, place) => {
        const link = element("a", "", query);
        link.href = `?q=${encodeURIComponent(query)}`;
        line.append(place ? ", " : "", link);
      });
      line.append("?");
      return [line];
    }

    /** Keep the query in the address, so that it can be linked to. */
    remember(query) {
      try {
        history.replaceState(null, "", `?q=${encodeURIComponent(query)}`);
      } catch {
        // Pages from the file system may not.
      }
    }

    onMore() {
      const first = this.list.children.length;
      this.limit += ON_PAGE;
      this.show().then(() => this.list.children[first]?.firstElementChild.focus());
    }

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

  // Keys -----------------------------------------------------------------------------------------

  const hasKeys = () => {
    try {
      return localStorage.getItem(NO_KEYS) !== "off";
    } catch {
      return true;
    }
  };

  /** Return what j and k step through: results, else the rules of a page. */
  function stops() {
    const results = document.querySelectorAll(".results > li > a");
    return results.length ? [...results] : [...document.querySelectorAll(".text .p[id], .text article[id]")];
  }

  /** Move the focus to the next or last result or rule, from where the focus or else the page is. */
  function step(by) {
    const all = stops();
    if (!all.length) return;
    const here = all.findIndex((one) => one === document.activeElement || one.contains(document.activeElement));
    let next = here + by;
    if (here < 0) {
      const below = all.findIndex((one) => one.getBoundingClientRect().top >= 0);
      next = by > 0 ? Math.max(below, 0) : (below < 0 ? all.length : below) - 1;
    }
    if (next < 0 && all[0].closest(".results")) {
      document.querySelector("form[role=search] input").focus();
      return;
    }
    const stop = all[Math.min(Math.max(next, 0), all.length - 1)];
    if (!stop.matches("a[href]")) stop.tabIndex = -1;
    stop.focus();
    stop.scrollIntoView({ block: stop.matches("a[href]") ? "nearest" : "start" });
  }

  function onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const isInText = event.target.closest?.("input, textarea, select, [contenteditable]") ?? null;
    const isOnResult = event.target.closest?.(".results") ?? null;
    if (isInText !== null) return;
    if (isOnResult !== null && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
      return;
    }
    if (!hasKeys()) return;
    if (event.key === "/") {
      const input = document.querySelector("form[role=search] input");
      if (input === null) return;
      event.preventDefault();
      input.focus();
      input.select();
    } else if (event.key === "j" || event.key === "k") {
      step(event.key === "j" ? 1 : -1);
    }
  }

  /** Let readers whose own tools use single letters turn ours off. */
  function offerKeys(place) {
    const box = element("input", "");
    box.type = "checkbox";
    box.checked = hasKeys();
    box.addEventListener("change", () => {
      try {
        localStorage.setItem(NO_KEYS, box.checked ? "on" : "off");
      } catch {
        box.checked = true;
      }
    });
    place.append(element("label", "", box, " Keys: / searches, j and k step through results and rules"));
  }

  for (const form of document.querySelectorAll("form[role=search]")) {
    if (form.dataset.search === "page") new Page(form);
    else new Box(form);
  }
  const keys = document.getElementById("_keys");
  if (keys !== null) offerKeys(keys);
  document.addEventListener("keydown", onKey);

  Object.assign(variorum, { take, ready, timing, step, loadNumbers: () => load(NUMBERS) });
})(globalThis.variorum ??= {});
