// Long work in slices, so that the page responds and shows progress in between.

// How long a slice may take, in milliseconds. On a slow phone it takes four times as long, which
// nobody notices.
const LONGEST_SLICE = 6;

/** A slice of long work; it begins when it is created. */
export class Slice {
  constructor() {
    this.stop = performance.now() + LONGEST_SLICE;
  }

  hasTime() {
    return performance.now() < this.stop;
  }

  /** Let the browser handle events, then begin the next slice. */
  async pause() {
    await pause();
    this.stop = performance.now() + LONGEST_SLICE;
  }
}

/** Let the browser handle events. */
export function pause() {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve(undefined);
    };
    channel.port2.postMessage(null);
  });
}

/**
 * Do work in slices; return its result, or null if it was stopped.
 * @template T, R
 * @param {Generator<T, R>} work
 * @param {(step: T) => boolean} goesOn - Called between slices with the last step.
 */
export async function finishedWhile(work, goesOn) {
  const slice = new Slice();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (slice.hasTime()) continue;
    if (!goesOn(step.value)) return null;
    await slice.pause();
  }
}

/** Do work in slices; return its result. @template R @param {Generator<unknown, R>} work */
export async function finished(work) {
  return /** @type {R} */ (await finishedWhile(work, () => true));
}

// How long to wait for a page to be shown, in milliseconds; in a tab that nobody sees, it is not.
const LONGEST_WAIT = 250;

/** Wait until the page has been shown once, so that loading does not delay that. */
export async function shownOnce() {
  await new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, LONGEST_WAIT);
  });
  await pause();
}
