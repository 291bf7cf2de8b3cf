// The words, phrases, prefixes and numbers of a query, each with the rows that have it.
/** @import { Group, Part, Synonym } from "./types.d.ts" */
/** @import { SearchIndex } from "./search_index.js" */
import { addRows } from "./weights.js";
import { stemOf, stemsOf } from "./words.js";

// Question words, which say little about the subject. Words that decide rules are not in this list:
// can, may, must, not, if, only, until, unless.
const ASKING = new Set((
  "a about an and anyone are at be by did do does doing for from get gets getting happen happens " +
  "has have he her him his how i i'm i've in is it its just let's me mean means my of on or our " +
  "she so somebody someone something still than that the their them then there they thing this to " +
  "want was we were what when where which who why will with work works would you your"
).split(" "));
const ASKING_WEIGHT = 0.12, LOOSE = 0.3, NUMBER_WEIGHT = 3.0;
// Each further word of a name adds weight; a word that is in no heading has less.
const LONGER = 0.4, NO_TERM = 0.7, RAREST = 6.0;
// The least weight of a synonym for a word that no text has.
const ALONE = 0.9;

/** @param {string[]} asked @param {Partial<Group>} [more] @returns {Group} */
function groupOf(asked, more = {}) {
  return {
    asked, weights: new Map(), tells: 0, stems: [], own: 0, synonyms: new Map(),
    isAsking: false, isLoose: false, isSpread: false, isFaint: false, askedStems: stemsOf(asked), ...more,
  };
}

export class Grouping {
  /** @param {SearchIndex} index */
  constructor(index) {
    this.index = index;
  }

  /**
   * Return the groups of consecutive words in a query.
   * @param {string[]} words
   * @param {boolean} isStrict
   */
  ofRun(words, isStrict) {
    const maySpread = !isStrict && words.some((word) => this.isTelling(word));
    const known = new Map(this.index.vocabulary.find(words).map((span) => [span.start, span]));
    /** @type {Group[]} */
    const groups = [];
    let place = 0;
    while (place < words.length) {
      const { stop = place + 1, synonyms = [] } = known.get(place) ?? {};
      const here = words.slice(place, stop);
      if (maySpread && !synonyms.length && this.index.isCommon(here[0])) groups.push(this.spread(here[0]));
      else groups.push(this.group(here, synonyms));
      if (here.length > 1) groups.push(...here.map((word) => this.loose(word)));
      place = stop;
    }
    return groups;
  }

  /** @param {string[]} words @param {Synonym[]} synonyms */
  group(words, synonyms) {
    const own = this.index.ofWords(words);
    const group = groupOf(words, {
      isAsking: words.length === 1 && ASKING.has(words[0]), own: 1, stems: [stemsOf(words)], weights: new Map(own),
    });
    const first = group.stems[0].join(" ");
    for (const synonym of synonyms) {
      const there = this.index.ofWords(synonym.words);
      if (!there.size) continue;
      const stems = stemsOf(synonym.words), key = stems.join(" ");
      if (!group.synonyms.has(key) && key !== first) {
        group.stems.push(stems);
        group.synonyms.set(key, synonym);
      }
      addRows(group.weights, there, own.size ? synonym.weight : Math.max(synonym.weight, ALONE));
    }
    this.weigh(group, 1 + LONGER * (words.length - 1));
    if (group.isAsking && !group.synonyms.size) group.tells *= ASKING_WEIGHT;
    return group;
  }

  /** @param {string} word */
  isTelling(word) {
    return !ASKING.has(word) && !this.index.isCommon(word) && this.index.forms(word).length > 0;
  }

  /**
   * Return the group of a very common word, which is looked for only in the final ranking.
   * @param {string} word
   */
  spread(word) {
    const isAsking = ASKING.has(word);
    const group = groupOf([word], { stems: [[stemOf(word)]], own: 1, isSpread: true, isAsking });
    this.weigh(group, isAsking ? ASKING_WEIGHT : 1);
    return group;
  }

  /** Return the group of one word of a name; the name has a group of its own. @param {string} word */
  loose(word) {
    const isFaint = ASKING.has(word) || this.index.isCommon(word);
    const weights = this.index.ofWords([word]);
    const group = groupOf([word], { weights, stems: [[stemOf(word)]], own: 1, isLoose: true, isFaint });
    this.weigh(group, LOOSE);
    return group;
  }

  /** @param {string[]} words */
  ofPhrase(words) {
    const group = groupOf(words, { weights: this.index.ofPhrase(words), stems: [stemsOf(words)], own: 1 });
    this.weigh(group, 1 + LONGER * (words.length - 1));
    return group;
  }

  /** @param {string} letters */
  ofPrefix(letters) {
    const ids = this.index.beginningWith(letters);
    const stems = [...new Set(ids.map((id) => this.index.stems[id]))].sort().map((stem) => [stem]);
    const group = groupOf([`${letters}*`], { stems, own: stems.length });
    for (const id of ids) this.index.addWord(group.weights, id, 1);
    this.weigh(group, 1);
    return group;
  }

  /** @param {Extract<Part, { kind: "number" }>} part */
  ofNumber({ number, isOpen }) {
    const group = groupOf([number], { weights: this.index.ofNumber(number, isOpen), stems: [[number]], own: 1 });
    this.weigh(group, NUMBER_WEIGHT);
    return group;
  }

  /** Return the group of a phrase with synonyms for parts of it. @param {string[]} words */
  ofOtherPhrases(words) {
    const group = groupOf(words);
    for (const { start, stop, synonyms } of this.index.vocabulary.find(words)) {
      for (const synonym of synonyms) {
        const whole = [...words.slice(0, start), ...synonym.words, ...words.slice(stop)];
        const stems = stemsOf(whole), key = stems.join(" ");
        if (group.synonyms.has(key)) continue;
        group.synonyms.set(key, { ...synonym, words: whole });
        group.stems.push(stems);
        addRows(group.weights, this.index.ofPhrase(whole), synonym.weight);
      }
    }
    this.weigh(group, 1 + LONGER * (words.length - 1));
    return group;
  }

  /** Set the weight of a group: rare groups count more. @param {Group} group @param {number} factor */
  weigh(group, factor) {
    const { size } = this.index;
    const having = group.isSpread ? Math.min(size, this.index.allCounts(group.asked[0])) : group.weights.size;
    if (!having) return;
    const rarity = Math.min(Math.log(1 + (size - having + 0.5) / (having + 0.5)), RAREST);
    const isTerm = group.asked.some((word) => this.index.isTerm(word));
    group.tells = factor * rarity * (isTerm || group.synonyms.size ? 1 : NO_TERM);
  }
}
