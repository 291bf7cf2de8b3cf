// What every page needs: loading files, making elements, names of editions, keys and copying.
/** The root of the site. */
const ROOT = new URL("..", /** @type {HTMLScriptElement} */ (document.currentScript).src);
const COPIED_MS = 1500;
const MONTH_NAMES = "January February March April May June July August September October November December".split(" ");

/** @type {Map<string, unknown>} */
const taken = new Map();
/** @type {Map<string, Promise<any>>} */
const loading = new Map();

// Data files are scripts that call `variorum.take`: pages from the file system may load nothing else.
const variorum = { take: (/** @type {string} */ file, /** @type {unknown} */ value) => { taken.set(file, value); } };

/** Return the address of a file or page of the site. @param {string} path */
function hrefOf(path) {
  return new URL(path, ROOT).href;
}

/** Return what was promised before, or promise it anew if that failed. @template T @param {Map<string, Promise<T>>} known @param {string} key @param {() => Promise<T>} make */
function once(known, key, make) {
  const made = known.get(key) ?? make();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}

/** Load a script of the site once; return the value that it gives, if it is a data file. @param {string} file */
function load(file) {
  return once(loading, file, () => new Promise((resolve, reject) => {
    const script = element("script", { src: hrefOf(file) });
    script.addEventListener("load", () => resolve(taken.get(file)));
    script.addEventListener("error", () => reject(new Error(`${file} could not be loaded`)));
    document.head.append(script);
  }));
}

/** Return an element; children are elements or words, which are never parsed as markup. @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Record<string, string>} [attributes] @param {...(Node | string)} children */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Return an element that must be on the page, by its id. @template {HTMLElement} T @param {string} id @param {new () => T} kind */
function byId(id, kind) {
  const wanted = document.getElementById(id);
  if (!(wanted instanceof kind)) throw new TypeError(`the page has no ${kind.name} called ${id}`);
  return wanted;
}

/** Return the day of an edition's label in words. @param {string} label */
function dayInWords(label) {
  const [day, issue] = label.split("."), [year, month, date] = day.split("-").map(Number), words = `${date} ${MONTH_NAMES[month - 1]} ${year}`;
  return issue ? `${words} (issue ${issue})` : words;
}

/** Return the day of an edition in words. @param {number} place */
function dayOf(place) {
  return dayInWords(SITE.editions[place][0]);
}

/** Return the days on which some editions were in force, in words. @param {number} first @param {number} last */
function periodOf(first, last) {
  return [...new Set([dayOf(first), dayInWords(SITE.editions[last][6])])].join(" to ");
}

/** Return the reader's day. */
function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Return the name of an edition. @param {number} place */
function editionName(place) {
  const [, , , , , name] = SITE.editions[place];
  return name ? `${name} (${dayOf(place)})` : dayOf(place);
}

/** Return the page of a provision in an edition. @param {number} edition @param {string} kind @param {string} name */
function datedHref(edition, kind, name) {
  const [label] = SITE.editions[edition];
  if (kind === "g") return hrefOf(`${label}/glossary/index.html#${name}`);
  if (kind === "c") return hrefOf(`${label}/${name}/index.html`);
  return hrefOf(`${label}/${name[0]}/index.html#${name.replace(/#1$/, "").replace("#", "-")}`);
}

/** Return the page of a provision as the edition in force has it. @param {string} name - An address, or "glossary: " and a headword. @param {string} [slug] */
function nowHref(name, slug = slugOf(name)) {
  if (name.startsWith(GLOSSARY)) return hrefOf(`glossary/${slug}/index.html`);
  const [number, which = "1"] = name.split("#");
  return hrefOf(`rule/${number}/index.html${which === "1" ? "" : `#${number}-${which}`}`);
}

const GLOSSARY = "glossary: ";

/** Return the slug of a headword without accents; pages with others say theirs. @param {string} name */
function slugOf(name) {
  return name.replace(GLOSSARY, "").replace(/["'_“”‘’]/g, "").toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join("-");
}

// Copying -----------------------------------------------------------------------------------------

/** Return the public address of a link of a page, as far as the site knows it. @param {string} href */
function permalink(href) {
  const address = new URL(href, location.href).href.replace(/index\.html(?=#|$)/, "");
  return SITE.base && address.startsWith(ROOT.href) ? SITE.base + address.slice(ROOT.href.length) : address;
}

/** Return the words of an element without links to changes and tools. @param {string} id */
function wordsOf(id) {
  const own = /** @type {HTMLElement} */ (document.getElementById(id)?.cloneNode(true));
  own.querySelectorAll("a.m, .tools, [role=status]").forEach((mark) => mark.remove());
  own.querySelectorAll("p").forEach((paragraph) => paragraph.append("\n"));
  return (own.textContent ?? "").trim().replace(/[ \t]+/g, " ").replace(/\s*\n\s*/g, "\n");
}

/** Let a button copy a text. @param {HTMLButtonElement} button @param {() => string} text */
function copying(button, text) {
  button.addEventListener("click", async () => {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed here";
    }
    setTimeout(() => { button.textContent = label; }, COPIED_MS);
  });
  return button;
}

/** Show the buttons beside the citations of rules, where the browser lets a page copy. */
function startCopying() {
  if (!navigator.clipboard) return;
  for (const cite of document.querySelectorAll(".cite")) {
    const link = cite.querySelector("a"), text = cite.closest("article")?.querySelector(".text");
    const own = text?.querySelector(":scope > [id]");
    // A section or rule that is only a heading, which its page's title says, is copied with all below it.
    const isBare = !own?.textContent?.trim(), id = (isBare ? text : own)?.id ?? "";
    const citation = () => link?.textContent ?? "";
    const number = () => (!isBare && /^CR (\d\S*) \(/.exec(citation())?.[1]) || "";
    const texts = [() => `${number()} ${wordsOf(id)}`.trim(), citation, () => permalink(link?.getAttribute("href") ?? "")];
    cite.querySelectorAll("button").forEach((button, place) => {
      button.dataset[["copyText", "copy", "copyLink"][place]] = "";
      copying(button, texts[place]).hidden = false;
    });
  }
}

// Keys --------------------------------------------------------------------------------------------

/** Move the focus to the next or previous result, or back to the box. @param {number} by */
function step(by) {
  /** @type {HTMLElement[]} */
  const results = [...document.querySelectorAll(/** @type {"a"} */ (".results > li > a"))];
  const next = results.findIndex((result) => result.parentElement?.contains(document.activeElement)) + by;
  if (next < 0) searchInput()?.focus();
  else results[Math.min(next, results.length - 1)]?.focus();
}

/** @returns {HTMLInputElement | null} */
function searchInput() {
  return document.querySelector("form[role=search] input");
}

/** Slash goes to the search; arrows step through its results. */
function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, textarea, select, [contenteditable]")) return;
    if (target?.closest(".results") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "/" && searchInput()) {
      event.preventDefault();
      searchInput()?.select();
    }
  });
}

// Reading without a network -----------------------------------------------------------------------

/** On the offline page, link to the page that was asked for, and to pages that are kept. */
async function listKept() {
  const again = document.getElementById("_wanted"), list = document.getElementById("_visited");
  if (!again || !list || !("caches" in window)) return;
  const wanted = new URL(location.hash.slice(1), ROOT);
  if (location.hash.length > 1 && wanted.href.startsWith(ROOT.href)) {
    /** @type {HTMLAnchorElement} */ (again.querySelector("a")).href = wanted.href;
    again.hidden = false;
  }
  const names = (await caches.keys()).filter((name) => name.startsWith(`variorum ${ROOT.href} visited`));
  for (const name of names) {
    const cache = await caches.open(name);
    for (const { url } of [...await cache.keys()].reverse()) {
      const page = new DOMParser().parseFromString(await (await cache.match(url))?.text() ?? "", "text/html");
      const title = page.title.replace(" · Variorum", "");
      if (title) list.querySelector("ul")?.append(element("li", {}, element("a", { href: url }, title)));
      list.hidden &&= !title;
    }
  }
}

/** Let a service worker keep the current rules, where browsers allow one. */
function startOffline() {
  if (!/^https?:$/.test(location.protocol) || !isSecureContext) return;
  // From the file system, browsers report an error for a manifest, so no page names it itself.
  document.head.append(element("link", { rel: "manifest", href: hrefOf("manifest.webmanifest") }));
  listKept().catch(() => {});
  const { serviceWorker, connection } = /** @type {Navigator & { connection?: { saveData?: boolean } }} */ (navigator);
  const ask = async () => {
    if (!connection?.saveData) (await serviceWorker.ready).active?.postMessage("keep the rules");
  };
  addEventListener("load", async () => {
    try {
      serviceWorker.addEventListener("controllerchange", ask); // a new version has taken over
      await serviceWorker.register(hrefOf("sw.js"), { scope: ROOT.pathname });
      await ask();
    } catch {
      // Private windows and some settings forbid it; nothing else needs it.
    }
  });
}
