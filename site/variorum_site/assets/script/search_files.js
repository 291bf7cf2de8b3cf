// The files of the search, each loaded once, and the search made ready while the page has time.
/** @import { CurrentFile, NumbersFile } from "./types.d.ts" */
import { pause } from "./dom.js";
import { LoadError, loadJson } from "./loading.js";
import { Search } from "./search.js";

const CURRENT = "search/current.json", NUMBERS = "search/numbers.json", FORMAT = 2;
// How long the page may stand still while the index is made ready, in milliseconds.
const SLICE = 12;

/** @type {Map<string, Promise<any>>} */
const loading = new Map();

/** @param {string} file */
function load(file) {
  let found = loading.get(file);
  if (found === undefined) {
    found = loadIndex(file);
    found.catch(() => loading.delete(file));
    loading.set(file, found);
  }
  return found;
}

/** @param {string} file */
async function loadIndex(file) {
  let found;
  try {
    found = await loadJson(file);
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    throw new Error(`the index is not there${error.status ? ` (${error.status})` : ""}`, { cause: error });
  }
  if (found.format !== FORMAT) throw new Error("the index is of another version; reload the page");
  return found;
}

/** @returns {Promise<NumbersFile>} */
export function loadNumbers() {
  return load(NUMBERS);
}

/** @type {Promise<Search> | null} */
let preparing = null;

/** When the search was loaded and ready, in milliseconds since the page was opened. */
export const timing = { loaded: 0, prepared: 0 };

/** Return the search, ready. */
export function readySearch() {
  if (preparing === null) {
    preparing = load(CURRENT).then(prepared);
    preparing.catch(() => { preparing = null; });
  }
  return preparing;
}

/** @param {CurrentFile} file */
async function prepared(file) {
  timing.loaded = performance.now();
  const search = new Search(file);
  for (;;) {
    const stop = performance.now() + SLICE;
    if (search.prepare(() => performance.now() < stop)) break;
    await pause();
  }
  timing.prepared = performance.now();
  return search;
}
