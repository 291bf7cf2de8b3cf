// A change: the event, its class, and its word diff.
/** @import { Change, ChangeClass, DiffPiece } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { wordDiff } from "./word_diff.js";

export const NONE = "", TYPOGRAPHIC = "typographic", CITATION = "citation-only", SWEEP = "sweep";
export const SUBSTANTIVE = "substantive";

/**
 * Return a change.
 * @param {number | null} old
 * @param {number | null} fresh
 * @param {number[]} others
 * @param {number} bits
 * @param {ChangeClass} change
 * @returns {Change}
 */
export function changeOf(old, fresh, others, bits, change, isPart = false) {
  return { old, new: fresh, others, bits, change, isPart, pieces: null };
}

/**
 * Return the word diff of a change; signs are folded unless only they changed.
 * @param {CompareData} data
 * @param {Change} change
 * @returns {DiffPiece[]}
 */
export function changePieces(data, change) {
  change.pieces ??= wordDiff(
    change.old === null ? [] : data.wordsOf(change.old),
    change.new === null ? [] : data.wordsOf(change.new),
    change.change === TYPOGRAPHIC,
  );
  return change.pieces;
}
