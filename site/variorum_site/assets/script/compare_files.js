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
  await takeParts(data, [...data.partsOf(question)], tell);
  return data;
}

/** Return the data of everything. @param {(share: number, words: string) => void} [tell] */
export async function openAll(tell) {
  const data = await openEditions();
  const order = data.order === null ? loadData("compare/order.js") : null;
  order?.catch(() => {});
  await takeParts(data, [...data.file.parts.keys()], tell);
  if (order !== null && data.order === null) await finished(data.addOrder(/** @type {OrderFile} */ (await order)));
  return data;
}

/** @param {CompareData} data @param {number[]} places @param {(share: number, words: string) => void} [tell] */
function takeParts(data, places, tell) {
  adding = adding.catch(() => {}).then(async () => {
    const slice = new Slice(), coming = [];
    for (const place of places.filter((place) => !data.parts.has(place))) {
      /** @type {Promise<PartFile>} */
      const part = loadData(`compare/parts/${data.file.parts[place]}.js`);
      part.catch(() => {});
      coming.push({ place, part });
      if (!slice.hasTime()) await slice.pause();
    }
    for (const [done, { place, part }] of coming.entries()) {
      data.add(place, await part);
      if (slice.hasTime()) continue;
      tell?.((done + 1) / coming.length, `Loading texts: ${done + 1} of ${coming.length}`);
      await slice.pause();
    }
  });
  return adding;
}

/** Forget data of another build. @param {unknown} error */
export function isStale(error) {
  if (error instanceof StaleError) opened = null;
  return error instanceof StaleError;
}
