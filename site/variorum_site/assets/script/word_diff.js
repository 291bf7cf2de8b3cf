// The word diff of two texts, as in variorum/history/word_diffs/diff.py.
/** @import { DiffPiece, Phrase, Run } from "./types.d.ts" */
import { CITED } from "./compare_data.js";

// A phrase replaced in this many provisions was replaced throughout; and its maximum length.
const SWEPT_IN = 5, LONGEST_SWEPT = 6;
// This few unchanged words between changes count as changed, since they would only break up the
// change.
const FEW_WORDS = 2;
/** @type {Record<string, string>} */
const SPELLINGS = {
  "\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2212": "-",
};

/**
 * Return how many items two sequences share at the beginning, and then at the end.
 * @template T
 * @param {ArrayLike<T>} older
 * @param {ArrayLike<T>} newer
 */
function sharedEnds(older, newer) {
  let begin = 0, end = 0;
  const shorter = Math.min(older.length, newer.length);
  while (begin < shorter && older[begin] === newer[begin]) begin += 1;
  while (end < shorter - begin && older[older.length - 1 - end] === newer[newer.length - 1 - end]) end += 1;
  return [begin, end];
}

/**
 * Return the runs that two lists share and those that differ. Of all alignments with the most
 * common words, this is the command's.
 * @template T
 * @param {T[]} older
 * @param {T[]} newer
 */
export function opcodes(older, newer) {
  const [begin, end] = sharedEnds(older, newer);
  const width = older.length - end - begin, height = newer.length - end - begin;
  /** @type {[number, number][]} */
  const same = [];
  for (let at = 0; at < begin; at += 1) same.push([at, at]);
  if (width && height) same.push(...inPlace(older, newer, begin, width, height));
  for (let at = end; at; at -= 1) same.push([older.length - at, newer.length - at]);
  return runsOf(same, older.length, newer.length);
}

/**
 * Return runs from the common places.
 * @param {[number, number][]} same
 * @param {number} length
 * @param {number} otherLength
 */
function runsOf(same, length, otherLength) {
  /** @type {Run[]} */
  const runs = [];
  let x = 0, y = 0;
  for (const [at, there] of same) {
    if (at > x || there > y) runs.push([false, x, at, y, there]);
    const last = runs[runs.length - 1];
    if (last !== undefined && last[0]) [last[2], last[4]] = [at + 1, there + 1];
    else runs.push([true, at, at + 1, there, there + 1]);
    [x, y] = [at + 1, there + 1];
  }
  if (x < length || y < otherLength) runs.push([false, x, length, y, otherLength]);
  return runs;
}

/**
 * Return the common places within the middle of two lists, in order.
 * @template T
 * @param {T[]} older
 * @param {T[]} newer
 * @param {number} begin
 * @param {number} width
 * @param {number} height
 */
function inPlace(older, newer, begin, width, height) {
  const level = levels(older, newer, begin, width, height);
  /** @type {[number, number][]} */
  const same = [];
  let col = width, row = height;
  while (row && col) {
    if (level[(row - 1) * width + col - 1]) {
      col -= 1;
      continue;
    }
    row -= 1;
    if (!row || level[(row - 1) * width + col - 1]) {
      col -= 1;
      same.push([begin + col, begin + row]);
    }
  }
  return same.reverse();
}

/**
 * Return, for each cell of the table of longest common subsequences, whether its left neighbour is
 * as long.
 * @template T
 * @param {T[]} older
 * @param {T[]} newer
 * @param {number} begin
 * @param {number} width
 * @param {number} height
 */
function levels(older, newer, begin, width, height) {
  const level = new Uint8Array(width * height);
  let before = new Uint16Array(width + 1), here = new Uint16Array(width + 1);
  for (let row = 0, at = 0; row < height; row += 1) {
    const word = newer[begin + row];
    for (let col = 0; col < width; col += 1, at += 1) {
      const left = here[col], above = before[col + 1];
      const most = older[begin + col] === word ? before[col] + 1 : left > above ? left : above;
      here[col + 1] = most;
      if (most === left) level[at] = 1;
    }
    [before, here] = [here, before];
  }
  return level;
}

// Phrases ----------------------------------------------------------------------------------------

/** Return the phrases that were replaced. @param {number[]} before @param {number[]} after @returns {Phrase[]} */
export function phrases(before, after) {
  return opcodes(before, after)
    .filter(([isSame]) => !isSame)
    .map(([, from, to, start, stop]) => [before.slice(from, to), after.slice(start, stop)]);
}

/** @param {Phrase} phrase */
export function phraseKey([before, after]) {
  return `${before.join(" ")}>${after.join(" ")}`;
}

/**
 * Return whether a phrase was replaced throughout, from its number of provisions.
 * @param {Phrase} phrase
 * @param {number} count
 */
export function isSwept([before, after], count) {
  return count >= SWEPT_IN && before.length > 0 && (after.length > 0 || before.length > 1) &&
    Math.max(before.length, after.length) <= LONGEST_SWEPT && !before.includes(CITED) && !after.includes(CITED);
}

// Diffs for readers ------------------------------------------------------------------------------

/**
 * Return the runs between two lists of words; isolated unchanged words between changes count as
 * changed.
 * @param {string[]} older
 * @param {string[]} newer
 */
function runs(older, newer) {
  const [begin, end] = sharedEnds(older, newer);
  const stop = older.length - end, halt = newer.length - end;
  /** @type {Run[]} */
  const spans = begin ? [[true, 0, begin, 0, begin]] : [];
  if (begin < stop && begin < halt) {
    const middle = withoutLonely(opcodes(older.slice(begin, stop), newer.slice(begin, halt)));
    spans.push(...middle.map(([isSame, ...places]) => /** @type {Run} */ ([isSame, ...places.map((place) => place + begin)])));
  } else if (begin < stop || begin < halt) {
    spans.push([false, begin, stop, begin, halt]);
  }
  if (end) spans.push([true, stop, older.length, halt, newer.length]);
  return spans;
}

/** @param {Run} run */
function sizeOf(run) {
  return Math.max(run[2] - run[1], run[4] - run[3]);
}

/** Join changes that hardly anything separates. @param {Run[]} spans */
function withoutLonely(spans) {
  /** @type {Run[]} */
  const joined = [];
  for (const run of spans) {
    const [last, same] = [joined[joined.length - 2], joined[joined.length - 1]];
    const isLonely = last !== undefined && !run[0] && same[0] && !last[0] && sizeOf(same) <= FEW_WORDS &&
      Math.min(sizeOf(run), sizeOf(last)) > 2 * sizeOf(same);
    if (isLonely) joined.splice(-2, 2, [false, last[1], run[2], last[3], run[4]]);
    else joined.push(run);
  }
  return joined;
}

/** @param {string} text */
function foldSigns(text) {
  return text.replace(/[\u2018\u2019\u201c\u201d\u2013\u2014\u2212]/g, (sign) => SPELLINGS[sign]).replaceAll("_", "");
}

/** Return the keys of tokens for comparison: signs folded, without blanks. @param {string[]} tokens */
function keysOf(tokens) {
  return tokens.map((token, place) => {
    const folded = foldSigns(token);
    return place === tokens.length - 1 ? folded.trimEnd() : folded.replace(/ $/, "").replace(/\n$/, "");
  });
}

/**
 * Return a word diff as pieces.
 * @param {string[]} older - The tokens of the older text.
 * @param {string[]} newer - The tokens of the newer text.
 * @param {boolean} exactly - Whether spellings of signs count.
 * @returns {DiffPiece[]}
 */
export function wordDiff(older, newer, exactly = false) {
  const before = older.join(""), after = newer.join("");
  if (!before || !after) return before ? [["-", before]] : after ? [["+", after]] : [];
  const [folded, foldedAfter] = exactly ? [before, after] : [foldSigns(before), foldSigns(after)];
  if (folded.length !== before.length || foldedAfter.length !== after.length) {
    return pieces(older, newer, keysOf(older), keysOf(newer));
  }
  const [begin, end] = sharedWords(folded, foldedAfter);
  const old = between(older, begin, before.length - end), fresh = between(newer, begin, after.length - end);
  const middle = exactly ? pieces(old, fresh, old, fresh) : pieces(old, fresh, keysOf(old), keysOf(fresh));
  if (begin) middle.unshift(["=", after.slice(0, begin)]);
  if (end) middle.push(["=", after.slice(after.length - end)]);
  return joinedPieces(middle);
}

/**
 * Return how many characters two texts share at both ends, up to the beginning of a word.
 * @param {string} older
 * @param {string} newer
 */
function sharedWords(older, newer) {
  const shorter = Math.min(older.length, newer.length);
  let begin = 0, end = 0;
  while (begin < shorter && older[begin] === newer[begin]) begin += 1;
  /** @param {string} text */
  const begins = (text) => begin >= text.length || !/\s/.test(text[begin]);
  while (begin && !(/\s/.test(older[begin - 1]) && begins(older) && begins(newer))) begin -= 1;
  while (end < shorter - begin && older[older.length - 1 - end] === newer[newer.length - 1 - end]) end += 1;
  while (end && !(older[older.length - 1 - end] === " " && newer[newer.length - 1 - end] === " ")) end -= 1;
  return [begin, end];
}

/**
 * Return the tokens of a part of a text, the last one cut at its end.
 * @param {string[]} tokens
 * @param {number} begin
 * @param {number} stop
 */
function between(tokens, begin, stop) {
  /** @type {string[]} */
  const cut = [];
  let place = 0;
  for (const token of tokens) {
    if (place >= begin && place < stop) cut.push(token.slice(0, stop - place));
    place += token.length;
  }
  return cut;
}

/** @param {string[]} before @param {string[]} after @param {string[]} keys @param {string[]} keysAfter */
function pieces(before, after, keys, keysAfter) {
  /** @type {DiffPiece[]} */
  const shown = [];
  for (const [isSame, from, to, start, stop] of runs(keys, keysAfter)) {
    if (isSame) {
      shown.push(["=", after.slice(start, stop).join("")]);
      continue;
    }
    if (from < to) shown.push(["-", before.slice(from, to).join("")]);
    if (start < stop) shown.push(["+", after.slice(start, stop).join("")]);
  }
  return shown;
}

/** @param {DiffPiece[]} shown */
function joinedPieces(shown) {
  /** @type {DiffPiece[]} */
  const joint = [];
  for (const [sign, text] of shown) {
    const last = joint[joint.length - 1];
    if (last !== undefined && last[0] === sign) last[1] += text;
    else joint.push([sign, text]);
  }
  return joint;
}
