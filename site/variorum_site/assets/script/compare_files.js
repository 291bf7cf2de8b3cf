// The files that comparisons rest on, each loaded once, into data that grows.
/** @import { OrderFile, PartFile, PartsFile, Question } from "./types.d.ts" */
import { CompareData, StaleError } from "./compare_data.js";
import { loadData } from "./loading.js";
import { Slice, finished } from "./slices.js";

/** @type {Promise<CompareData> | null} */
let opened = null;
/** @type {Promise<void>} */
let adding = Promise.resolve();

/** Return the editions; their provisions are left to who needs them. */
export function openEditions() {
  if (opened === null) {
    opened = loadData("compare/parts.js").then((/** @type {PartsFile} */ file) => new CompareData(file));
    opened.catch(() => { opened = null; });
  }
  return opened;
}

/**
 * Return the data with all that comparing some numbers needs.
 * @param {Question} question
 * @param {(share: number, words: string) => void} [tell]
 */
export async function openNumbers(question, tell) {
  const data = await openEditions();
  await takeFiles(data, Array.from(data.partsOf(question), (place) => [`parts/${data.file.parts[place]}`, [place]]), tell);
  return data;
}

/** Return the data of everything. @param {(share: number, words: string) => void} [tell] */
export async function openAll(tell) {
  const data = await openEditions();
  const order = data.order === null ? loadData("compare/order.js") : null;
  order?.catch(() => {});
  const chapters = data.file.parts.map(chapterOf), places = [...chapters.keys()];
  await takeFiles(data, Array.from(new Set(chapters), (chapter) => [
    `chapters/${chapter}`, places.filter((place) => chapters[place] === chapter),
  ]), tell);
  if (order !== null && data.order === null) await finished(data.addOrder(/** @type {OrderFile} */ (await order)));
  return data;
}

/** Return the chapter that a part belongs to, as `chapter_of` in compare_parts.py does. @param {string} part */
function chapterOf(part) {
  return /^\d/.test(part) ? part[0] : "glossary";
}

/**
 * Take in the parts that files hold, unless they are there.
 * @param {CompareData} data
 * @param {[file: string, places: number[]][]} files - Each with the places of its parts.
 * @param {(share: number, words: string) => void} [tell]
 */
function takeFiles(data, files, tell) {
  adding = adding.catch(() => {}).then(async () => {
    const missing = files.filter(([, places]) => places.some((place) => !data.parts.has(place)));
    const coming = missing.map(([file, places]) => {
      /** @type {Promise<PartFile | PartFile[]>} */
      const loaded = loadData(`compare/${file}.js`);
      loaded.catch(() => {});
      return { places, loaded };
    });
    const slice = new Slice();
    for (const [done, { places, loaded }] of coming.entries()) {
      const parts = [await loaded].flat();
      for (const [at, place] of places.entries()) {
        data.add(place, parts[at]);
        if (slice.hasTime()) continue;
        tell?.((done + at / places.length) / coming.length, `Loading texts: ${done + 1} of ${coming.length}`);
        await slice.pause();
      }
    }
  });
  return adding;
}

/** Forget data of another build. @param {unknown} error */
export function isStale(error) {
  if (error instanceof StaleError) opened = null;
  return error instanceof StaleError;
}
