// Loads files of the site: from a server by fetching, from the file system as scripts.

/** The root of the site. */
export const ROOT = new URL("..", /** @type {HTMLScriptElement} */ (document.currentScript).src);

/** A file could not be loaded; `status` is the server's, or 0 without an answer. */
export class LoadError extends Error {
  status = 0;
}

/** @type {Map<string, unknown>} */
const taken = new Map();

/** Take the value of a data file whose script runs, see `loadScript`. @param {string} file @param {unknown} value */
export function take(file, value) {
  taken.set(file, value);
}

/**
 * Return the value of a data file: a script that calls `take` with its name and JSON.
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
  // Parsing only the JSON is faster than running the script.
  const text = await response.text();
  return JSON.parse(text.slice(text.indexOf(",") + 1, text.lastIndexOf(")")));
}

/** Load a file as a script, the only way for pages from the file system. @param {string} file */
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

/** Return the address of a link that is relative to the root of the site. @param {string} path */
export function hrefOf(path) {
  return new URL(path, ROOT).href;
}
