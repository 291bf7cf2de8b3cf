// Reading without a network: registers the service worker, and lets it keep the current rules.
(() => {
  "use strict";

  const own = document.currentScript;
  // From a file there is nothing to keep; where a page is not secure, browsers allow no worker.
  if (!own || !/^https?:$/.test(location.protocol) || !window.isSecureContext) return;
  const root = new URL("../", own.src);
  if (root.origin !== location.origin) return;

  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = new URL("manifest.webmanifest", root).href;
  document.head.append(manifest);

  // The page that is shown without a network says in its hash what was wanted.
  const again = document.getElementById("_wanted");
  if (again && location.hash.length > 1) {
    const wanted = new URL(location.hash.slice(1), root);
    if (wanted.href.startsWith(root.href)) {
      again.querySelector("a").href = wanted.href;
      again.hidden = false;
    }
  }

  if (!("serviceWorker" in navigator)) return;
  const workers = navigator.serviceWorker;

  // Who saves data gets what they visit, and no more.
  const saves = Boolean(navigator.connection && navigator.connection.saveData);

  function ask(worker) {
    if (worker && !saves) worker.postMessage("keep the rules");
  }

  async function begin() {
    try {
      // A new version takes over as soon as it can.
      workers.addEventListener("controllerchange", () => ask(workers.controller));
      await workers.register(new URL("sw.js", root).href, { scope: root.pathname });
      ask((await workers.ready).active);
    } catch {
      // Private windows and some settings forbid it; nothing else needs it.
    }
  }

  if (document.readyState === "complete") begin();
  else window.addEventListener("load", begin, { once: true });
})();
