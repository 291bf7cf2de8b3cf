// The service worker: it keeps the current rules and visited pages, and answers with them without a network.
// The build puts `const BUILD = {...};` before it.
/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);
const ROOT = new URL("./", self.location.href).href;
// Other sites on this host may have their own workers.
const [KEPT, VISITED] = [`variorum ${ROOT} ${BUILD.version}`, `variorum ${ROOT} visited`];

/** Return the address under which a page is kept: its folder, in any spelling. @param {string} address */
function keyOf(address) {
  const url = new URL(address);
  return url.origin + url.pathname.replace(/\/index\.html$/, "/");
}

/** Keep files that are not kept yet; a full disk is no error. @param {string[]} files */
async function keepAll(files) {
  const cache = await caches.open(KEPT);
  for (const file of files) if (!(await cache.match(ROOT + file))) await cache.add(new Request(ROOT + file, { cache: "no-cache" }));
}

/** Keep a visited page, and only the latest ones. @param {string} key @param {Response} response */
async function keepVisited(key, response) {
  const cache = await caches.open(VISITED);
  await cache.delete(key);
  await cache.put(key, new Response(await response.blob(), { headers: response.headers }));
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - BUILD.visited))) await cache.delete(old);
}

/** Return what is kept instead of a page without a network: its section, its chapter, or an explanation. @param {string} key */
async function instead(key) {
  const wanted = key.slice(ROOT.length), [, number, section] = /^rule\/((\d{3})\.\w+)\/$/.exec(wanted) ?? [];
  const page = section && await caches.match(`${ROOT}rule/${section}/`);
  if (page && (await page.text()).includes(`id="${number}"`)) return Response.redirect(`${ROOT}rule/${section}/#${number}`);
  const [, chapter, own] = /^([\d.-]+\/\d)(\d\d)\/$/.exec(wanted) ?? [];
  if (chapter && await caches.match(`${ROOT}${chapter}/`)) return Response.redirect(`${ROOT}${chapter}/#${chapter.slice(-1)}${own}`);
  return Response.redirect(`${ROOT}${BUILD.offline}index.html#${wanted}`);
}

/** Answer from the network, else with what is kept. @param {FetchEvent} event */
async function answer(event) {
  const { request } = event, key = keyOf(request.url), isPage = request.mode === "navigate" && key.endsWith("/");
  try {
    const response = await fetch(request);
    if (isPage && response.ok && !(await caches.match(key, { cacheName: KEPT }))) event.waitUntil(keepVisited(key, response.clone()).catch(() => {}));
    return response;
  } catch (error) {
    const kept = await caches.match(key);
    if (!kept && !isPage) throw error;
    return kept ?? instead(key);
  }
}

worker.addEventListener("fetch", (event) => {
  const { method, url, headers } = event.request;
  if (method === "GET" && url.startsWith(ROOT) && !headers.has("range")) event.respondWith(answer(event));
});
worker.addEventListener("install", (event) => event.waitUntil(keepAll(BUILD.shell).then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("message", (event) => {
  if (event.data !== "keep the rules") return;
  event.waitUntil(keepAll(BUILD.rules).then(async () => {
    const older = (await caches.keys()).filter((name) => name.startsWith(`variorum ${ROOT} `) && ![KEPT, VISITED].includes(name));
    await Promise.all(older.map((name) => caches.delete(name)));
  }));
});
