// The box at the head of each page and the page of the search: both show what a query finds.

const MOST_LINKS = 8, MOST_EDITIONS = 4, AT_ONCE_ON_PAGE = 20;
const COMBOBOX = {
  role: "combobox", "aria-expanded": "false", "aria-controls": "_found", "aria-autocomplete": "list",
  "aria-haspopup": "listbox", inputmode: "search", enterkeyhint: "search", autocapitalize: "off",
  spellcheck: "false", maxlength: "300",
};
/** @type {Map<string, Promise<TextIndex>>} */
const indexes = new Map();

/** Return the index of today's texts or of all texts, which is made when it is first wanted. @param {boolean} isEver */
function readyIndex(isEver) {
  return once(indexes, String(isEver), () => Promise.all([load("static/minisearch.js"), load("static/search.js")]).then(() => textIndex(isEver)));
}

// What a query finds ------------------------------------------------------------------------------

/** Return what a query finds: rules by their numbers; or editions and texts. @param {string} query @param {{ kind: string, isEver: boolean }} wish @returns {Promise<Answer>} */
async function answerTo(query, { kind, isEver }) {
  const citations = citationsIn(query), index = await readyIndex(isEver);
  if (citations.length && isEver) {
    const rows = index.rows.filter(({ name }) => citations.some(({ first }) => isBelow(name, first)));
    return { links: rows.map((row) => everLink({ row, terms: new Set() })), notes: [], only: "" };
  }
  if (citations.length) return numbersAnswer(await load("search/numbers.js"), citations, index);
  const entry = isEver ? null : await entryCited(query);
  if (entry) return { links: [entry], notes: [], only: entry.href };
  const { hits, notes } = index.find(query, (row) => !kind || (kind === "g") === (row.kind === "g"));
  const isSet = SITE.editions.some(([, , , , , name]) => name && folded(name) === folded(query));
  const places = isSet || /\d/.test(query) || hits.length <= MOST_LINKS ? editionsNamed(query).slice(0, MOST_EDITIONS) : [];
  const editions = places.map((place) => {
    const [label, , , , , name] = SITE.editions[place];
    return { href: hrefOf(`${label}/index.html`), parts: [titlePart("", `Edition of ${dayOf(place)}`), " ", element("small", {}, name)] };
  });
  const links = [...editions, ...hits.map(isEver ? everLink : hitLink)];
  return { links, notes: editions.length ? [] : notes, only: links.length === 1 && editions.length ? links[0].href : "" };
}

/** @param {NumbersFile} numbers @param {Cited[]} citations @param {TextIndex} index @returns {Answer} */
function numbersAnswer(numbers, citations, index) {
  const [{ first, last, edition, which }] = citations, isAlone = citations.length === 1 && !last;
  const cited = isAlone && !edition ? { rules: [], notes: [] } : rulesCited(numbers, citations);
  const links = cited.rules.map((rule) => citedLink(rule, index));
  if (!isAlone) return { links, notes: cited.notes, only: "" };
  const here = index.rows.filter(({ name }) => isBelow(name, first)).map((row) => hitLink({ row, terms: new Set() }));
  const rows = bearersOf(numbers, first), former = rows.filter((row) => !bearerOf(row, first).isHere).map((row) => formerLink(row, first, index));
  const isHere = former.length < rows.length, begun = rows.length ? [] : Object.keys(numbers).filter((number) => number.startsWith(first));
  if (!rows.length) cited.notes.push(`No edition ever printed ${first}.`);
  links.push(...(isHere ? [...here, ...former] : [...former, ...here]));
  links.push(...begun.slice(0, MOST_LINKS).map((number) => ({ href: nowHref(number), parts: [titlePart(number, "")] })));
  const own = isHere || former.length ? nowHref(first + which) : "";
  return { links, notes: cited.notes, only: edition && cited.rules.length ? links[0].href : own };
}

/** Return the glossary entry that a query cites with its day: Flip a Coin (2003-12-31). @param {string} query @returns {Promise<ResultLink | null>} */
async function entryCited(query) {
  const [, words = "", day = ""] = /^(?:cr glossary, )?[“"]?(.+?)[”"]?\s*\(([^()]+)\)$/i.exec(query.trim()) ?? [], slug = slugOf(words);
  const [place] = lastDay(day.toLowerCase()) ? editionsNamed(day) : [];
  if (place === undefined) return null;
  const [entry] = namedIn(await openSection(sectionOf(GLOSSARY, slug)).catch(() => []), slug, true, place);
  return entry ? { href: datedHref(place, "g", slug), parts: [titlePart("", `${words} in the glossary of ${dayOf(place)}`)] } : null;
}

/** @param {string} number @param {string} heading */
function titlePart(number, heading) {
  const title = element("span", { class: "hit" });
  if (number) title.append(element("span", { class: "n" }, number.split("#")[0]));
  title.append(number && heading ? ` ${heading}` : heading);
  return title;
}

/** Return a provision that was found, as a link. @param {{ row: SearchRow, terms: Set<string> }} hit @returns {ResultLink} */
function hitLink({ row, terms }) {
  const isEntry = row.kind === "g", where = isEntry ? "Glossary" : row.path.slice(row.path.length > 1 ? 1 : 0).join(" › ");
  /** @type {(Node | string)[]} */
  const parts = [titlePart(isEntry ? "" : row.name, row.heading)];
  if (where) parts.push(" ", element("small", {}, where));
  if (row.text) parts.push(" ", snippet(row.text, terms));
  return { href: isEntry ? nowHref(GLOSSARY + row.heading, row.slug) : nowHref(row.name), parts };
}

/** Return a text of any edition as a link: when it stood, and what became of it. @param {{ row: SearchRow, terms: Set<string> }} hit @returns {ResultLink} */
function everLink({ row, terms }) {
  const link = hitLink({ row, terms }), [title, ...others] = link.parts;
  if (!row.when) return { href: link.href, parts: [title, " ", element("small", { class: "stood" }, "in force"), ...others] };
  const own = row.kind === "g" ? GLOSSARY + row.heading : row.name;
  const when = `${periodOf(...row.when)}; ${row.doubt}${!row.now ? "removed" : row.now === own ? "reworded since" : `reworded, now ${plainName(row.now)}`}`;
  return { href: datedHref(row.when[1], row.kind, row.name), parts: [title, " ", element("small", { class: "stood" }, when), ...others] };
}

/** @param {string} name */
function plainName(name) {
  return name.startsWith(GLOSSARY) ? `“${name.slice(GLOSSARY.length)}” of the glossary` : name;
}

/** Return the heading or first words that a rule has today. @param {string} name @param {TextIndex} index */
function gistPart(name, index) {
  const row = index.rows.find(({ kind, name: own }) => (kind === "g" ? GLOSSARY + own : own) === name);
  return row ? snippet(row.heading || row.text, new Set()) : "";
}

/** Return a rule that a query cites as its edition has it. @param {NamedRule} rule @param {TextIndex} index @returns {ResultLink} */
function citedLink({ number, which, edition, now, doubt }, index) {
  const title = titlePart(number, "");
  if (edition < 0) return { href: nowHref(number + which), parts: [title, " ", gistPart(now, index)] };
  title.append(` in the edition of ${dayOf(edition)}`);
  const became = now === number ? "" : `${doubt}${now ? `now ${plainName(now)}` : "removed since"}`;
  return { href: datedHref(edition, number.length > 1 ? "r" : "c", number + which), parts: [title, " ", element("small", {}, became), " ", gistPart(now, index)] };
}

/** Say what became of a rule that had a number. @param {BearerRow} row @param {string} number @param {TextIndex} index @returns {ResultLink} */
function formerLink(row, number, index) {
  const { now, gone, gist, doubt } = bearerOf(row, number), runs = [];
  for (let at = 0; at < row[0].length; at += 2) runs.push(periodOf(row[0][at], row[0][at + 1]));
  const became = gone < 0 ? `is ${doubt}now ${plainName(now)}` : `was ${doubt}removed on ${dayOf(gone)}${now && `; its words went to ${plainName(now)}`}`;
  const said = gone < 0 ? gistPart(now, index) : element("span", { class: "said" }, `“${gist}”`), href = gone < 0 && !now.startsWith(GLOSSARY) ? nowHref(now) : nowHref(number);
  return { href, parts: [titlePart(number, `(${runs.join(", ")}) ${became}`), " ", said] };
}

/** Return the address of the page of the search, spelt as that page spells it. @param {string} query @param {boolean} [isEver] */
function searchPageHref(query, isEver = false) {
  return `${hrefOf("search/index.html")}?${new URLSearchParams({ q: query, ...(isEver && { ever: "1" }) })}`;
}

/** @param {number} shown @param {number} total */
function countOf(shown, total) {
  if (!total) return "Nothing found.";
  if (shown < total) return `The first ${shown} results.`;
  return total === 1 ? "1 result." : `${total} results.`;
}

/** @param {unknown} error */
function whyNoSearch(error) {
  return `Search cannot work: ${error instanceof Error ? error.message : String(error)}.`;
}

// The box -----------------------------------------------------------------------------------------

/** A combobox with a list of results. */
class SearchBox {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.input = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
    this.list = element("div", { class: "list", id: "_found", role: "listbox", "aria-label": "Results" });
    this.status = element("p", { class: "count", role: "status" });
    this.notes = element("div", { class: "notes" });
    this.panel = element("div", { class: "found" }, this.notes, this.list);
    this.panel.hidden = true;
    this.active = -1;
    form.append(this.panel, this.status);
    for (const [name, value] of Object.entries(COMBOBOX)) this.input.setAttribute(name, value);
    this.input.addEventListener("focus", () => { readyIndex(false).catch(() => {}); });
    this.input.addEventListener("input", () => this.show());
    this.input.addEventListener("keydown", (event) => this.onKey(event));
    form.addEventListener("submit", (event) => this.onSubmit(event));
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) this.close();
    });
    this.panel.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays
  }

  options() {
    return /** @type {HTMLAnchorElement[]} */ ([...this.list.children]);
  }

  async show() {
    const query = this.input.value;
    if (!query.trim()) return this.close();
    try {
      const answer = await answerTo(query, { kind: "", isEver: false });
      if (query === this.input.value) this.fill(query, answer);
    } catch (error) {
      this.status.textContent = whyNoSearch(error);
    }
    return undefined;
  }

  /** @param {string} query @param {Answer} answer */
  fill(query, { links, notes, only }) {
    const shown = links.slice(0, MOST_LINKS), words = query.trim();
    if (links.length > shown.length) shown.push({ href: searchPageHref(query), parts: [`All results for “${words}”`] });
    if (!only && !citationsIn(query).length) shown.push({ href: searchPageHref(words, true), parts: [`“${words}” in the wording of every edition`] });
    this.list.replaceChildren(...shown.map(({ href, parts }, place) => {
      const attributes = { href, id: `_found-${place}`, tabindex: "-1", role: "option", "aria-selected": "false" };
      return element("a", { ...attributes, class: parts.length === 1 && typeof parts[0] === "string" ? "option all" : "option" }, ...parts);
    }));
    this.notes.replaceChildren(...notes.map((note) => element("p", {}, note)));
    this.status.textContent = [countOf(Math.min(links.length, MOST_LINKS), links.length), ...notes].join(" ");
    this.form.dataset.answered = query;
    this.list.hidden = !shown.length;
    this.panel.hidden = !shown.length && !notes.length;
    this.input.setAttribute("aria-expanded", String(shown.length > 0));
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
    if (place < 0) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", options[place].id);
    return options[place].scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "Escape") {
      if (this.panel.hidden) this.input.value = "";
      this.close();
      event.preventDefault();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !event.altKey) {
      event.preventDefault();
      const count = this.options().length, by = event.key === "ArrowDown" ? 1 : -1;
      if (this.panel.hidden) this.show();
      // The box itself is between the last and the first option.
      else if (count) this.activate(((this.active + 1 + by + count + 1) % (count + 1)) - 1);
    } else if (event.key === "Enter" && this.active >= 0 && !this.panel.hidden) {
      event.preventDefault();
      location.assign(this.options()[this.active].href);
    } else if (event.key === "Tab") {
      this.close();
    }
  }

  /** Go to the one thing that the query names, or to all results. @param {SubmitEvent} event */
  async onSubmit(event) {
    const query = this.input.value;
    event.preventDefault();
    if (!query.trim()) return;
    const only = await answerTo(query, { kind: "", isEver: false }).then((answer) => answer.only, () => "");
    location.assign(only || searchPageHref(query));
  }
}

// The page of the search ----------------------------------------------------------------------------

/** The query in the address, a list of results, and more of them on request. */
class SearchPage {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.input = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
    this.ever = /** @type {HTMLInputElement} */ (form.elements.namedItem("ever"));
    this.kind = /** @type {HTMLSelectElement} */ (form.elements.namedItem("kind"));
    this.status = element("p", { class: "asof", role: "status" });
    this.notes = element("div", { class: "notes" });
    this.list = element("ol", { class: "results" });
    this.more = element("button", { type: "button", hidden: "" }, "More results");
    this.limit = AT_ONCE_ON_PAGE;
    byId("_results", HTMLElement).append(this.status, this.notes, this.list, this.more);
    const asked = new URLSearchParams(location.search);
    this.input.value = asked.get("q") ?? "";
    this.ever.checked = Boolean(asked.get("ever"));
    this.kind.value = asked.get("kind") ?? "";
    const anew = () => {
      this.limit = AT_ONCE_ON_PAGE;
      this.show();
    };
    for (const field of [this.input, this.ever, this.kind]) field.addEventListener("input", anew);
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      step(1);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.show();
    });
    this.more.addEventListener("click", async () => {
      const first = this.list.children.length;
      this.limit += AT_ONCE_ON_PAGE;
      await this.show();
      this.list.querySelectorAll("a")[first]?.focus();
    });
    this.input.focus();
    this.show();
  }

  async show() {
    const query = this.input.value, wish = { kind: this.kind.value, isEver: this.ever.checked };
    try {
      if (wish.isEver && !indexes.has("true")) this.status.textContent = "Loading all editions …";
      const { links, notes } = query.trim() ? await answerTo(query, wish) : { links: [], notes: [] };
      if (query !== this.input.value || wish.isEver !== this.ever.checked || wish.kind !== this.kind.value) return;
      const shown = links.slice(0, this.limit);
      this.list.replaceChildren(...shown.map(({ href, parts: [title, ...others] }) => element("li", {}, element("a", { href }, title), ...others)));
      this.notes.replaceChildren(...notes.map((note) => element("p", {}, note)));
      this.status.textContent = query.trim() ? countOf(shown.length, links.length) : "";
      this.more.hidden = links.length <= shown.length;
      this.form.dataset.answered = query;
      // Keep the query in the address, so that it can be shared.
      const asked = Object.fromEntries([...new FormData(this.form)].filter(([, value]) => value).map(([name, value]) => [name, String(value)]));
      if (location.protocol !== "file:") history.replaceState(null, "", `?${new URLSearchParams(asked)}`);
    } catch (error) {
      this.status.textContent = whyNoSearch(error);
    }
  }
}

/** Let each search of the page work. */
function startSearch() {
  for (const form of document.querySelectorAll(/** @type {"form"} */ ("form[role=search]"))) {
    if (form.dataset.search === "page") new SearchPage(form);
    else new SearchBox(form);
  }
}
