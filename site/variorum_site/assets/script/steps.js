// What can happen to a provision between two editions, as bits; as in variorum/rows.py.

export const STEP_KINDS = [
  "kept", "renumbered", "reworded", "split", "merged", "copied", "new", "gone", "uncertain",
];
export const KEPT = 1, RENUMBERED = 2, REWORDED = 4, SPLIT = 8, MERGED = 16, COPIED = 32;
export const NEW = 64, GONE = 128, UNCERTAIN = 256;
// The kinds that a walk over several editions collects.
export const GATHERED = REWORDED | SPLIT | MERGED | COPIED | UNCERTAIN;

/** Return the names of bits. @param {number} bits */
export function kindsOf(bits) {
  return STEP_KINDS.filter((_, place) => (bits >> place) & 1);
}
