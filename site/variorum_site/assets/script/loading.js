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
 * Return what a data file of the site holds: a script that calls `take` with its name and JSON.
 * @param {string} file - From the root of the site.
 * @returns {Promise<any>}
 */
export function loadData(file) {
  return location.protocol === "file:" ? loadScript(file) : fetchData(file);
}

/** @param {string} file */
async function fetchData(file) {
  let response;
  try {
    response = await fetch(new URL(file, ROOT));
  } catch (error) {
    throw new LoadError(`${file} cannot be loaded`, { cause: error });
  }
  if (!response.ok) throw Object.assign(new LoadError(`${file} is not there`), { status: response.status });
  // Reading the JSON alone is faster than running the script.
  const text = await response.text();
  return JSON.parse(text.slice(text.indexOf(",") + 1, text.lastIndexOf(")")));
}

/** Load a file by a script: all that pages from the file system may load. @param {string} file */
function loadScript(file) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(file, ROOT).href;
    script.addEventListener("load", () => {
      resolve(taken.get(file));
      taken.delete(file);
      script.remove();
    });
    script.addEventListener("error", () => reject(new LoadError(`${file} is not there`)));
    document.head.append(script);
  });
}

/** Return a relative link from the root of the site as an address. @param {string} path */
export function hrefOf(path) {
  return new URL(path, ROOT).href;
}
