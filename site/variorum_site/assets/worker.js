// The service worker keeps the current rules and visited pages for offline reading. Nothing else of
// the site needs it, and it connects to no other host. The build puts `const BUILD = {...};` before
// it.
/** @typedef {{ request: Request, waitUntil(work: Promise<unknown>): void }} Fetching */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ROOT = new URL("./", self.location.href).href;
// Other sites on this host may have their own workers.
const PREFIX = `variorum ${ROOT} `;
const SHELL = `${PREFIX}${BUILD.version} shell`;
const RULES = `${PREFIX}${BUILD.version} rules`;
const VISITED = `${PREFIX}${BUILD.version} visited`;
const OURS = [SHELL, RULES, VISITED];
// A note that all files are kept; no page is kept under an address with a question mark.
const FILLED = `${ROOT}?filled`;
// A note of the versions before this one: it removes these, but none that came after it.
const OLDER = `${ROOT}?older`;

const inShell = new Set(BUILD.shell.map((file) => ROOT + file));
const inRules = new Set([...BUILD.rules, ...BUILD.search].map((file) => ROOT + file));

/**
 * Return the address under which a page is kept: its folder, in any spelling.
 * @param {string} address
 */
function keyOf(address) {
  const url = new URL(address, ROOT);
  url.hash = "";
  url.search = "";
  url.pathname = url.pathname.replace(/\/index\.html$/, "/");
  return url.href;
}

/**
 * Return a copy of a response to keep; a redirected response could not be shown as a page.
 * @param {Response} response
 */
async function plain(response) {
  if (!response.redirected) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.blob(), { status, statusText, headers });
}

/** @param {Response} response */
function isGood(response) {
  return response.ok && response.status === 200 && response.type === "basic";
}

/** Return the response that this version keeps under an address. @param {string} key */
async function kept(key) {
  // Opening a cache would create it again if a newer version has removed it meanwhile.
  for (const cacheName of OURS) {
    const answer = await caches.match(key, { cacheName });
    if (answer) return answer;
  }
  return undefined;
}

/** Return the caches of other versions of this site, older and newer ones. */
async function ofOthers() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX) && !OURS.includes(name));
}

/** Return the response that another version keeps under an address. @param {string} key */
async function keptBefore(key) {
  for (const name of await ofOthers()) {
    const answer = await caches.match(key, { cacheName: name });
    if (answer) return answer;
  }
  return undefined;
}

/**
 * Return whether no newer version has removed this version's cache. The note shows it: the cache
 * itself may have been opened, and so created again, after that.
 */
async function isCurrent() {
  return (await caches.match(OLDER, { cacheName: SHELL })) !== undefined;
}

/** @param {string} key */
function cacheOf(key) {
  if (inShell.has(key)) return SHELL;
  return inRules.has(key) ? RULES : VISITED;
}

/**
 * Keep a response; of visited pages, only the latest ones. A full disk is no error.
 * @param {string} key
 * @param {Response} response
 */
async function keep(key, response) {
  try {
    if (!(await isCurrent())) return; // a newer version has taken over
    const name = cacheOf(key);
    const cache = await caches.open(name);
    // A page that is put again becomes the last, so the page that was not read for longest is
    // removed first.
    if (name === VISITED) await cache.delete(key);
    await cache.put(key, await plain(response));
    if (!(await isCurrent())) { // it has taken over meanwhile, and this made a cache anew
      await Promise.all([name, SHELL].map((store) => caches.delete(store)));
      return;
    }
    if (name !== VISITED) return;
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - BUILD.visited)).map((oldKey) => cache.delete(oldKey)));
  } catch {
    // There is no room; the page is shown anyway.
  }
}

/**
 * Answer from the network, and keep the answer.
 * @param {Fetching} event
 * @param {string} key
 */
async function fromNetwork(event, key) {
  const response = await fetch(event.request);
  if (isGood(response)) event.waitUntil(keep(key, response.clone()));
  return response;
}

/** Redirect to the section of a rule without a page here, if the section is kept and has the rule. @param {string} key */
async function inSection(key) {
  const match = /^rule\/(([1-9]\d\d)\.\d+[a-z]*)\/$/.exec(key.slice(ROOT.length));
  if (!match) return undefined;
  const [, number, section] = match;
  const page = await kept(`${ROOT}rule/${section}/`);
  if (!page || !(await page.text()).includes(` id="${number}"`)) return undefined;
  return Response.redirect(`${ROOT}rule/${section}/index.html#${number}`);
}

/** Redirect to a section on the page of its chapter in an edition, if that page is kept. @param {string} key */
async function inChapter(key) {
  const match = /^(\d{4}-\d\d-\d\d(?:\.\d+)?\/[1-9])\d\d\/$/.exec(key.slice(ROOT.length));
  if (!match || !(await kept(`${ROOT}${match[1]}/`))) return undefined;
  return Response.redirect(`${ROOT}${match[1]}/?section=${key.slice(0, -1).split("/").at(-1)}`);
}

/** Return the response for a page that is not kept. @param {string} key */
async function withoutNetwork(key) {
  const before = await keptBefore(key) ?? await inChapter(key);
  if (before) return before;
  const section = await inSection(key);
  if (section) return section;
  const wanted = key.slice(ROOT.length);
  if (await kept(ROOT + BUILD.offline)) {
    return Response.redirect(`${ROOT}${BUILD.offline}index.html#${wanted}`);
  }
  return Response.error();
}

/**
 * Answer with the kept page, and check in the background whether it is current.
 * @param {Fetching} event
 */
async function answerPage(event) {
  const key = keyOf(event.request.url);
  const known = await kept(key);
  if (known) {
    event.waitUntil(fromNetwork(event, key).catch(() => {}));
    return known;
  }
  try {
    return await fromNetwork(event, key);
  } catch {
    return withoutNetwork(key);
  }
}

/** Answer with the pages of this version; everything else is fetched. @param {Fetching} event */
async function answerFile(event) {
  const key = keyOf(event.request.url);
  const isOurs = inShell.has(key) || inRules.has(key);
  const known = isOurs ? await kept(key) : undefined;
  if (known) return known;
  try {
    return isOurs ? await fromNetwork(event, key) : await fetch(event.request);
  } catch (error) {
    const before = await keptBefore(key);
    if (before) return before;
    throw error;
  }
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(ROOT) || request.headers.has("range")) return;
  if (request.mode === "navigate") {
    // Feeds, JSON and the like are pages only if a reader opens them.
    if (/(?:\/|\/index\.html)$/.test(new URL(request.url).pathname)) event.respondWith(answerPage(event));
  } else {
    event.respondWith(answerFile(event));
  }
});

worker.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const older = await ofOthers();
    const cache = await caches.open(SHELL);
    await cache.delete(FILLED); // of a build that came, went and comes again
    await cache.put(OLDER, new Response(JSON.stringify(older.map(versionOf))));
    // Bypass the browser's cache, which may have files of the version before.
    await Promise.all([...inShell].map(async (key) => {
      const response = await fetch(new Request(key, { cache: "reload" }));
      if (!isGood(response)) throw new TypeError(`${key}: ${response.status}`);
      await cache.put(key, await plain(response));
    }));
    await worker.skipWaiting();
  })());
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(worker.clients.claim());
});

/** Keep the current rules, page by page, up to the budget. */
async function fill() {
  const cache = await caches.open(RULES);
  let size = 0;
  for (const key of inRules) {
    const known = await cache.match(key);
    const response = known ?? await fetch(key, { cache: "no-cache" });
    if (!known && !isGood(response)) continue;
    size += (await response.clone().blob()).size;
    if (size > BUILD.budget) return;
    if (!known) await cache.put(key, await plain(response));
  }
}

/** Return the name of a cache without its last word. @param {string} name */
function versionOf(name) {
  return name.replace(/\w+$/, "");
}

/** Return the caches of some versions, first those that show a version that it was replaced. @param {string[]} versions */
async function ofVersions(versions) {
  const stores = (await ofOthers()).filter((name) => versions.includes(versionOf(name)));
  return stores.sort((first, second) => Number(second.endsWith(" shell")) - Number(first.endsWith(" shell")));
}

/** Keep the current rules once, then remove what older versions kept. */
async function keepTheRules() {
  if (!(await caches.has(SHELL))) return; // as above
  const shell = await caches.open(SHELL);
  const noted = await shell.match(OLDER);
  if (noted && !(await shell.match(FILLED))) {
    await fill();
    // Until now, an older version answered with files that this one had not kept yet. The caches
    // that show that version that it was replaced are removed first.
    const older = await noted.json();
    // The older version may still finish keeping a page, so repeat this.
    for (let old = await ofVersions(older); old.length; old = await ofVersions(older)) {
      for (const name of old) await caches.delete(name);
    }
    await shell.put(FILLED, new Response());
  }
  // If a newer version has taken over meanwhile, remove what was created again here.
  if (!noted) await caches.delete(SHELL);
  if (!(await caches.has(SHELL))) await caches.delete(RULES);
}

/** @type {Promise<void> | undefined} */
let filling;

worker.addEventListener("message", (event) => {
  if (event.data !== "keep the rules") return;
  // Unfinished work continues; if it failed, for example offline, the next page starts it again.
  filling ??= keepTheRules().then(() => true, () => false).then((isDone) => {
    if (!isDone) filling = undefined;
  });
  event.waitUntil(filling);
});
