// The files of the search, each loaded once; the search is prepared while the page is idle.
/** @import { CurrentFile, NumbersFile, QuestionsFile } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { openAll } from "./compare_files.js";
import { EverSearch } from "./ever_search.js";
import { EveryText } from "./every_text.js";
import { LoadError, loadData } from "./loading.js";
import { Search } from "./search.js";
import { Slice, finished } from "./slices.js";
import { StoryRanking } from "./story_ranking.js";

const CURRENT = "search/current.js", NUMBERS = "search/numbers.js", QUESTIONS = "search/questions.js", FORMAT = 2;

/** @type {Map<string, Promise<any>>} */
const loading = new Map();

/** @param {string} file */
function load(file) {
  let index = loading.get(file);
  if (index === undefined) {
    index = loadIndex(file);
    index.catch(() => loading.delete(file));
    loading.set(file, index);
  }
  return index;
}

/** @param {string} file */
async function loadIndex(file) {
  let index;
  try {
    index = await loadData(file);
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    throw new Error(`the index is not there${error.status ? ` (${error.status})` : ""}`, { cause: error });
  }
  if (index.format !== FORMAT) throw new Error("the index is of another version; reload the page");
  return index;
}

/** @returns {Promise<NumbersFile>} */
export function loadNumbers() {
  return load(NUMBERS);
}

/** @type {Promise<StoryRanking> | null} */
let preparingStories = null;

/** Return the ranking of rules for stories, prepared. @param {Search} search - A prepared search. */
export function readyStories(search) {
  if (preparingStories === null) {
    preparingStories = load(QUESTIONS).then((/** @type {QuestionsFile} */ file) => new StoryRanking(search.index, file));
    preparingStories.catch(() => { preparingStories = null; });
  }
  return preparingStories;
}

/** @type {Promise<Search> | null} */
let preparing = null;

/** When the search was loaded and prepared, in milliseconds since the page was opened. */
export const timing = { loaded: 0, prepared: 0 };

/** Return the search, prepared. */
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
  const search = await inSlices(new Search(file));
  timing.prepared = performance.now();
  return search;
}

/** Prepare a search while the page stays responsive; return it. @template {Search} T @param {T} search */
async function inSlices(search) {
  const slice = new Slice();
  while (!search.prepare(() => slice.hasTime())) await slice.pause();
  return search;
}

// The wording of every edition: the links and texts of the comparison data.

/** @type {Promise<EverSearch> | null} */
let preparingEver = null;

/** Return the prepared search through all editions; report what it waits for. @param {(words: string) => void} tell */
export function readyEver(tell) {
  if (preparingEver === null) {
    preparingEver = preparedEver(tell);
    preparingEver.catch(() => { preparingEver = null; });
  }
  return preparingEver;
}

/** @param {(words: string) => void} tell */
async function preparedEver(tell) {
  tell("Loading all editions …");
  /** @type {[CompareData, CurrentFile]} */
  const [data, current] = await Promise.all([openAll((_, words) => tell(words)), load(CURRENT)]);
  tell("Reading all editions …");
  const every = new EveryText(data), columns = await finished(every.columns(current));
  return inSlices(new EverSearch(every, columns));
}
