// Offline reading: registers the service worker, and lets it keep the current rules.
import { element } from "./dom.js";
import { ROOT } from "./loading.js";

/** Return whether browsers allow a worker here: not for files, and only on secure pages. */
function mayRegister() {
  return /^https?:$/.test(location.protocol) && window.isSecureContext && ROOT.origin === location.origin;
}

/** On the offline page, link to the page that was asked for. */
function linkToWanted() {
  const again = document.getElementById("_wanted"), link = again?.querySelector("a");
  if (!again || !link || location.hash.length < 2) return;
  const wanted = new URL(location.hash.slice(1), ROOT);
  if (!wanted.href.startsWith(ROOT.href)) return;
  link.href = wanted.href;
  again.hidden = false;
}

/** On the offline page, say what is kept, and link to visited pages. */
async function listStored() {
  const list = document.getElementById("_visited"), told = document.getElementById("_stored");
  if (!list || !told || !("caches" in window)) return;
  let stored = 0;
  for (const name of await caches.keys()) {
    if (!name.startsWith(`variorum ${new URL("./", ROOT).href} `)) continue;
    const cache = await caches.open(name), keys = await cache.keys();
    stored += keys.length;
    if (!name.endsWith(" visited")) continue;
    for (const { url } of [...keys].reverse()) {
      const text = await (await cache.match(url))?.text();
      const title = /<title>([^<]*)/.exec(text ?? "")?.[1].replace(" · Variorum", "");
      if (!title) continue;
      const words = new DOMParser().parseFromString(title, "text/html").documentElement.textContent ?? "";
      list.querySelector("ul")?.append(element("li", {}, element("a", { href: url }, words)));
      list.hidden = false;
    }
  }
  told.textContent = stored ? `${stored} files are stored in this browser.` : "Nothing is stored in this browser.";
}

/** Ask the worker to keep the rules, unless the reader saves data. @param {ServiceWorker | null} worker */
function askToKeep(worker) {
  const { connection } = /** @type {{ connection?: { saveData?: boolean } }} */ (navigator);
  if (worker && !connection?.saveData) worker.postMessage("keep the rules");
}

async function register() {
  const workers = navigator.serviceWorker;
  try {
    // A new version takes over as soon as it can.
    workers.addEventListener("controllerchange", () => askToKeep(workers.controller));
    await workers.register(new URL("sw.js", ROOT).href, { scope: ROOT.pathname });
    askToKeep((await workers.ready).active);
  } catch {
    // Private windows and some settings forbid it; nothing else needs it.
  }
}

/** Enable offline reading, if the browser allows it. */
export function startOffline() {
  if (!mayRegister()) return;
  // Browsers report an error for a manifest of a page from the file system, so no page names it
  // itself.
  document.head.append(element("link", { rel: "manifest", href: new URL("manifest.webmanifest", ROOT).href }));
  linkToWanted();
  listStored().catch(() => {});
  if (!("serviceWorker" in navigator)) return;
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}
