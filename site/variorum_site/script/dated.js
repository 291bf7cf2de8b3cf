// Pages of numbers and of editions: the same provision on another day, and the rule that a reader chose.

/** The bar of a page that shows one edition, or a number today. */
class TimeBar {
  /** @param {HTMLElement} nav */
  constructor(nav) {
    this.nav = nav;
    const label = nav.dataset.edition;
    this.isDated = Boolean(label);
    this.place = label ? SITE.editions.findIndex((edition) => edition[0] === label) : SITE.current;
    this.isEntry = nav.dataset.headword !== undefined;
    this.slug = /\/glossary\/([^/]+)\/(?:index\.html)?$/.exec(location.pathname)?.[1] ?? "";
    /** What the reader chose on the page: the anchor of a rule. */
    this.chosen = "";
    this.status = element("span", { role: "status", class: "there" });
  }

  /** The number or slug that the bar is about, "" of whole editions and the like. */
  get name() {
    return this.chosen.replace("-", "#") || (this.isEntry ? this.slug : this.nav.dataset.number ?? "");
  }

  /** Let the reader go to any day; let the links of the bar lead to the chosen rule. */
  listen() {
    const day = element("input", { type: "date", id: "_day", required: "" });
    const form = element("form", { class: "at" },
      element("label", { for: "_day" }, "Go to a day"), element("span", {}, day, " ", element("button", {}, "Show")), this.status);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const place = inForceOn(day.value);
      if (place < 0) this.status.textContent = `The earliest edition is ${editionName(0)}.`;
      else this.goTo(place);
    });
    this.nav.append(form);
    this.nav.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || !this.name || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const { step: by, today: isToday } = link.dataset;
      if (by === undefined && (isToday === undefined || !this.chosen)) return;
      event.preventDefault();
      if (by === undefined) this.goTo(SITE.current, true, true);
      else this.goTo(this.place + Number(by), true);
    });
  }

  /** Go to what the page is about in another edition, or say what it was there. @param {number} place @param {boolean} isOwn - Nothing else that has had its number is asked for. @param {boolean} isNow - Go to its own page, not to that of the edition. */
  async goTo(place, isOwn = this.isDated, isNow = false) {
    const [label] = SITE.editions[place];
    if (!this.name) return location.assign(hrefOf(`${label}/${this.nav.dataset.folder ?? ""}index.html${location.hash}`));
    try {
      const places = await this.find(place, isOwn, isNow), edition = element("a", { href: hrefOf(`${label}/index.html`) }, editionName(place));
      if (places.size === 1 || (isNow && !places.size)) return location.assign([...places.keys()][0] ?? nowHref(this.name));
      this.status.replaceChildren("In ", edition, places.size ? ": " : ` there is nothing that corresponds to ${this.name}.`);
      [...places].forEach(([href, words], at) => this.status.append(at ? " · " : "", element("a", { href }, words)));
    } catch {
      this.status.textContent = "The list of editions could not be loaded. Are you online?";
    }
    return undefined;
  }

  /** Return where it is in an edition, and what else had its number if that is wanted or it is not there. @param {number} place @param {boolean} isOwn @param {boolean} isNow */
  async find(place, isOwn, isNow) {
    const all = await openSection(this.isEntry ? sectionOf(GLOSSARY, this.slug) : sectionOf(this.name));
    const own = namedIn(all, this.name, this.isEntry, this.place), others = this.isDated ? [] : all.filter((provision) => !own.includes(provision) &&
      provision.states.some(({ name, kind, last }) => (kind === "g") === this.isEntry && name.split("#")[0] === this.name && last >= provision.own));
    /** @type {Map<string, string>} */
    const places = new Map();
    for (const provision of isOwn && own.length ? own.slice(0, 1) : [...own, ...others]) {
      const there = provision.own > place && !own.includes(provision) ? null : await heirIn(provision, place);
      if (!there) continue;
      const { kind, name } = there.state, href = isNow ? nowHref(kind === "g" ? GLOSSARY : name, name) : datedHref(place, kind, name);
      const also = own.includes(provision) ? "this rule" : `what was ${this.nav.dataset.number ?? this.nav.dataset.headword} at another time`;
      if (!places.has(href)) places.set(href, `${calledIn(there.state)}, ${also}`);
    }
    return places;
  }

  // The chosen rule ---------------------------------------------------------------------------------

  /** @param {HTMLElement} provision */
  toolsOf(provision) {
    const isEntry = provision.matches(".glossary > *"), [label] = SITE.editions[this.place];
    const headword = provision.querySelector("h2 > a:not(.m)")?.textContent ?? "", number = provision.id.split("-")[0];
    const citation = isEntry ? `CR glossary, “${headword}” (${label})` : `CR ${number} (${label})`;
    const made = element("div", { class: "tools", role: "group", "aria-label": citation });
    const button = (/** @type {string} */ words) => element("button", { type: "button" }, words);
    if (navigator.clipboard) {
      made.append(
        copying(button("Copy text"), () => wordsOf(provision.id)), copying(button("Copy citation"), () => citation),
        copying(button("Copy permalink"), () => permalink(`#${provision.id}`)),
      );
    }
    if (isEntry) return made;
    /** @param {string} words @param {() => void} onClick */
    const going = (words, onClick) => {
      made.append(button(words));
      made.lastElementChild?.addEventListener("click", onClick);
    };
    const { place } = this, isLast = place + 1 === SITE.editions.length;
    if (place) going(`← ${SITE.editions[place - 1][5] || dayOf(place - 1)}`, () => this.goTo(place - 1));
    if (!isLast) going(`${SITE.editions[place + 1][5] || dayOf(place + 1)} →`, () => this.goTo(place + 1));
    if (place !== SITE.current) {
      going("This rule today", () => this.goTo(SITE.current, true, true));
      const asked = new URLSearchParams({ rule: number, from: label, to: "current" });
      made.append(element("a", { href: `${hrefOf("compare/index.html")}?${asked}` }, "Compare with today"));
    }
    return made;
  }

  /** Choose the provision of the address, or none. */
  choose() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const provision = target?.matches(".text > [id]") ? target : null;
    document.querySelectorAll(".text > [id] > .tools").forEach((tools) => tools.remove());
    this.status.replaceChildren();
    this.chosen = provision && !provision.matches(".glossary > *") ? provision.id : "";
    provision?.prepend(this.toolsOf(provision), this.status);
  }

  /** Let readers of a dated page choose a rule: by its address, by a click, or by Enter. */
  startChoosing() {
    this.choose();
    addEventListener("hashchange", () => this.choose());
    /** @param {Element} provision */
    const setHash = (provision) => {
      const y = scrollY;
      location.replace(`#${provision.id}`);
      scrollTo(0, y);
    };
    document.addEventListener("click", ({ target }) => {
      const chosen = target instanceof Element && !target.closest("a, button, input, .tools") ? target.closest(".text > [id]") : null;
      if (chosen && getSelection()?.isCollapsed) setHash(chosen);
    });
    document.addEventListener("keydown", ({ key, target }) => {
      if (key === "Enter" && target instanceof Element && target.matches(".text > [id]")) setHash(target);
    });
  }
}

/** Let the bar of a page work, if it has one. */
function startTimeBar() {
  const nav = document.querySelector(/** @type {"nav"} */ ("nav.time"));
  if (!nav) return;
  const bar = new TimeBar(nav);
  bar.listen();
  if (bar.isDated) bar.startChoosing();
}

// Addresses that the site does not have -------------------------------------------------------------

/** Return the equivalent of an address without a page, "" if there is none. @param {string} path - From the root of the site. */
function equivalentOf(path) {
  const [, instead = ""] = Object.entries(SITE.former).find(([beginning]) => `${path}/`.startsWith(beginning)) ?? [];
  if (instead) return instead;
  const [, day = "", rest = ""] = /^(\d{4}-\d\d-\d\d(?:\.\d+)?)(?:\/(.*))?$/.exec(path.replace(/index\.html$/, "")) ?? [];
  const [place] = day ? editionsNamed(day) : [];
  if (place === undefined) return "";
  const [label] = SITE.editions[place], [, section = ""] = /^([1-9]\d\d)\/?$/.exec(rest) ?? [];
  if (section) return `${label}/${section[0]}/${location.hash || `#${section}`}`;
  return label === day ? "" : `${label}/${rest}${location.hash}`;
}

/** Return the query for an address: "2007-10/600.4A" asks for 600.4A in October 2007. @param {string} path */
function queryOf(path) {
  const parts = path.replace(/(index)?\.(html|json)$/, "").split("/").filter((part) => part && !["rule", "glossary", "search", "data"].includes(part));
  const [first = "", last = ""] = parts;
  if (last && citationsIn(last).length) return `${last} (${first.replaceAll("_", " ")})`;
  return parts.join(" ").replace(/(?<=\p{L})[-_+](?=\p{L})/gu, " ");
}

/** On the page for missing addresses, go on to what the address means, or show what is like it. */
async function startMissing() {
  const path = decodeURI(location.pathname).slice(ROOT.pathname.length), input = searchInput();
  if (!document.querySelector("main[data-missing]") || path === "404.html" || !input) return;
  const there = equivalentOf(path), query = queryOf(path), slug = slugOf(/(?:^|\/)glossary\/([^/]+)/.exec(path)?.[1] ?? "");
  const answer = there || !query ? null : await answerTo(query, { kind: "", isEver: false }).catch(() => null);
  const entry = answer && slug && (await readyIndex(false)).rows.some((row) => row.slug === slug) ? nowHref(GLOSSARY, slug) : "";
  const only = there ? hrefOf(there) : entry || answer?.only;
  if (only) return location.replace(only);
  input.value = query;
  input.dispatchEvent(new Event("input"));
}
