// The files that comparisons rest on, each loaded once, into data that grows.
/** @import { OrderFile, PartFile, PartsFile, Question } from "./types.d.ts" */
import { CompareData, StaleError } from "./compare_data.js";
import { pause } from "./dom.js";
import { loadData } from "./loading.js";

// How long a page may stand still while parts are taken in, in milliseconds.
const AT_ONCE_TAKEN = 8;

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
  if (order !== null && data.order === null) await finish(data.addOrder(/** @type {OrderFile} */ (await order)));
  return data;
}

/** @param {CompareData} data @param {number[]} places @param {(share: number, words: string) => void} [tell] */
function takeParts(data, places, tell) {
  adding = adding.catch(() => {}).then(async () => {
    const coming = places.filter((place) => !data.parts.has(place)).map((place) => {
      /** @type {Promise<PartFile>} */
      const part = loadData(`compare/parts/${data.file.parts[place]}.js`);
      part.catch(() => {});
      return { place, part };
    });
    let since = performance.now();
    for (const [done, { place, part }] of coming.entries()) {
      data.add(place, await part);
      if (performance.now() - since < AT_ONCE_TAKEN) continue;
      tell?.((done + 1) / coming.length, `Loading texts: ${done + 1} of ${coming.length}`);
      await pause();
      since = performance.now();
    }
  });
  return adding;
}

/** @param {Generator} work */
async function finish(work) {
  let since = performance.now();
  while (!work.next().done) {
    if (performance.now() - since < AT_ONCE_TAKEN) continue;
    await pause();
    since = performance.now();
  }
}

/** Forget data of another build. @param {unknown} error */
export function isStale(error) {
  if (error instanceof StaleError) opened = null;
  return error instanceof StaleError;
}
