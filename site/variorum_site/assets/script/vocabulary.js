// Synonyms: terms of other eras, abbreviations, and players' words.
/** @import { Concept, CurrentFile, Synonym, SynonymSpan } from "./types.d.ts" */
import { plainWords, stemsOf } from "./words.js";

const KIND_WEIGHTS = { era: 0.9, abbreviation: 1.0, players: 0.8 };
const PARTIAL = 0.4;

/** @typedef {{ stems: string[], concept: Concept, rank: number }} Spelling */

export class Vocabulary {
  constructor() {
    /** @type {Map<string, Spelling[]>} Spellings by their first stems. */
    this.starts = new Map();
  }

  /** Add a concept. @param {CurrentFile["synonyms"][number]} row */
  take(row) {
    const concept = conceptOf(row);
    concept.wordings.forEach((wording, rank) => {
      for (const words of wording.spellings) this.add({ stems: stemsOf(words), concept, rank });
    });
  }

  /** @param {Spelling} spelling */
  add(spelling) {
    const first = spelling.stems[0] ?? "";
    const known = this.starts.get(first);
    if (known === undefined) this.starts.set(first, [spelling]);
    else known.push(spelling);
  }

  /** Return the words that belong to concepts; of overlapping ones, the longest. @param {string[]} words */
  find(words) {
    const stems = stemsOf(words);
    /** @type {SynonymSpan[]} */
    const spans = [];
    let place = 0;
    while (place < stems.length) {
      const known = this.at(stems, place);
      if (known !== null && known.synonyms.length) spans.push(known);
      place = known === null ? place + 1 : known.stop;
    }
    return spans;
  }

  /** @param {string[]} stems @param {number} place @returns {SynonymSpan | null} */
  at(stems, place) {
    const known = this.starts.get(stems[place] ?? "") ?? [];
    const fitting = known.filter((spelling) => spelling.stems.every((stem, at) => stems[place + at] === stem));
    if (!fitting.length) return null;
    const longest = Math.max(...fitting.map((spelling) => spelling.stems.length));
    const whole = fitting.filter((spelling) => spelling.stems.length === longest);
    const synonyms = whole.flatMap(({ concept, rank }) => synonymsOf(concept, rank));
    return { start: place, stop: place + longest, synonyms };
  }
}

/** @param {CurrentFile["synonyms"][number]} row @returns {Concept} */
function conceptOf([kind, wordings]) {
  return {
    kind,
    wordings: wordings.map(([words, first, last, isPartial, isGone]) => ({
      labels: words,
      spellings: words.map(plainWords),
      first,
      last,
      isPartial: isPartial === 1,
      isGone: isGone === 1,
    })),
  };
}

/**
 * Return the synonyms of a wording: in an era all other wordings, else the wordings after it.
 * @param {Concept} concept
 * @param {number} rank
 */
function synonymsOf({ kind, wordings }, rank) {
  const asked = wordings[rank];
  /** @type {Synonym[]} */
  const synonyms = [];
  if (asked === undefined) return synonyms;
  wordings.forEach((wording, place) => {
    if (place === rank || (kind !== "era" && place < rank)) return;
    const weight = KIND_WEIGHTS[kind] * (asked.isPartial || wording.isPartial ? PARTIAL : 1);
    wording.spellings.forEach((words, at) => {
      const label = wording.labels[kind === "players" ? at : 0] ?? "";
      synonyms.push({ words, weight, kind, asked, wording, label });
    });
  });
  return synonyms;
}
