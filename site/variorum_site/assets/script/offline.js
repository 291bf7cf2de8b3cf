// Reading without a network: registers the service worker, and lets it keep the current rules.
import { element } from "./dom.js";
import { ROOT } from "./loading.js";

/** Say whether browsers allow a worker here: not from a file, nor where a page is not secure. */
function mayRegister() {
  return /^https?:$/.test(location.protocol) && window.isSecureContext && ROOT.origin === location.origin;
}

/** On the page that is shown without a network, link to the page that was asked for. */
function linkToWanted() {
  const again = document.getElementById("_wanted"), link = again?.querySelector("a");
  if (!again || !link || location.hash.length < 2) return;
  const wanted = new URL(location.hash.slice(1), ROOT);
  if (!wanted.href.startsWith(ROOT.href)) return;
  link.href = wanted.href;
  again.hidden = false;
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

/** Let the site be read without a network, where the browser allows it. */
export function startOffline() {
  if (!mayRegister()) return;
  // Browsers complain of a manifest that is read from a file, so that no page names it itself.
  document.head.append(element("link", { rel: "manifest", href: new URL("manifest.webmanifest", ROOT).href }));
  linkToWanted();
  if (!("serviceWorker" in navigator)) return;
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}
