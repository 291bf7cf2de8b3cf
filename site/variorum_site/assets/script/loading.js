// Files of the site: fetched from a server; loaded as scripts where a page is read from a file.

/** The root of the site. */
export const ROOT = new URL("..", /** @type {HTMLScriptElement} */ (document.currentScript).src);

/** A file did not come; `status` is what the server said instead, 0 if it said nothing. */
export class LoadError extends Error {
  status = 0;
}

/** @type {Map<string, unknown>} */
const taken = new Map();

/** Take a file that a script brings, see `loadScript`. @param {string} file @param {unknown} found */
export function take(file, found) {
  taken.set(file, found);
}

/**
 * Return what a JSON file of the site holds.
 * @param {string} file - From the root of the site.
 * @returns {Promise<any>}
 */
export function loadJson(file) {
  return location.protocol === "file:" ? loadScript(file) : fetchJson(file);
}

/** @param {string} file */
async function fetchJson(file) {
  let response;
  try {
    response = await fetch(new URL(file, ROOT));
  } catch (error) {
    throw new LoadError(`${file} cannot be loaded`, { cause: error });
  }
  if (response.ok) return response.json();
  throw Object.assign(new LoadError(`${file} is not there`), { status: response.status });
}

/** Load a file by a script: all that pages from the file system may load. @param {string} file */
function loadScript(file) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(file.replace(/on$/, ""), ROOT).href;
    script.addEventListener("load", () => resolve(taken.get(file)));
    script.addEventListener("error", () => reject(new LoadError(`${file} is not there`)));
    document.head.append(script);
  });
}

/** Return a relative link from the root of the site as an address. @param {string} path */
export function hrefOf(path) {
  return new URL(path, ROOT).href;
}
