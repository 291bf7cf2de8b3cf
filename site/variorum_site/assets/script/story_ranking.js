// Ranks rules for a question with a story, like `cr ask` without cards
// (variorum/search/questions), step by step, so that both rank alike.
/** @import { QuestionsFile, Story } from "./types.d.ts" */
/** @import { SearchIndex } from "./search_index.js" */
import { plainWords, stemOf, stemsOf, wordsOf } from "./words.js";

// A shorter query is for the word search.
const SHORTEST_STORY = 12;
// How quickly repetitions of a word stop counting, and how much long texts are penalised (BM25).
const SOON = 1.2, LONG = 0.6;
// The weight of a rule's usual score when its subrules are compared.
const USUALLY_CITED = 0.15;
const BEST_OF_SECTION = 3;
const RULE_OF = /^\d+\.\d+/, CITED_NUMBER = /\d+\.\d+/g;
// A name within a sentence: capitalised words, with small words between them.
const STORY_NAME = /[A-Z][\w'’-]*(?:(?:,? (?:of|the|to|in|and|for|from|with|a|on) (?:the )?|,? |-)[A-Z][\w'’-]*)*/g;
const SENTENCE_ENDS = '.?!:"“(', ASKS = "?";

/** Return whether a query tells a story or asks a whole question. @param {string} query */
export function isStory(query) {
  return query.split(/\s+/).filter(Boolean).length >= SHORTEST_STORY;
}

/** An index of texts: for each stem, the texts that have it and its weight in each. */
class Postings {
  /** @param {string[][]} texts */
  constructor(texts) {
    this.total = texts.length;
    /** @type {Map<string, number[]>} */
    this.rows = new Map();
    const usual = texts.reduce((sum, stems) => sum + stems.length, 0) / Math.max(1, texts.length) || 1;
    texts.forEach((stems, place) => {
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
      const length = SOON * (1 - LONG + (LONG * stems.length) / usual);
      for (const [stem, count] of counts) {
        const row = this.rows.get(stem) ?? [];
        row.push(place, (count * (SOON + 1)) / (count + length));
        this.rows.set(stem, row);
      }
    });
  }

  /** Return the score of each text for some stems. @param {Iterable<string>} stems */
  points(stems) {
    /** @type {number[]} */
    const sums = new Array(this.total).fill(0);
    for (const stem of stems) {
      const row = this.rows.get(stem) ?? [], having = row.length / 2;
      const tells = Math.log(1 + (this.total - having + 0.5) / (having + 0.5));
      for (let at = 0; at < row.length; at += 2) sums[row[at]] += tells * row[at + 1];
    }
    return sums;
  }
}

export class StoryRanking {
  /** @param {SearchIndex} index - Prepared. @param {QuestionsFile} weights */
  constructor(index, weights) {
    this.index = index;
    this.weights = weights;
    /** @type {string[]} */
    this.rules = []; // their numbers
    /** @type {number[]} */
    this.texts = []; // the rows of rules and subrules
    /** @type {number[]} */
    this.ruleOf = []; // by text: the place of its rule
    /** @type {string[][]} */
    this.headings = []; // by rule: the stems of its heading
    const { small, large, citing } = this.read();
    this.small = new Postings(small);
    this.large = new Postings(large);
    this.cited = this.rules.map((number) => Math.log(1 + (citing.get(number)?.size ?? 0)));
    this.titles = new Set(index.numbers.map((_, row) => stemsOf(plainWords(index.heading(row))).join(" ")));
    this.sections = this.rules.map((number) => number.split(".")[0]);
  }

  /** Read the rules of the edition: the stems of each text and each rule, and the citations between rules. */
  read() {
    const { index } = this, { file } = index;
    /** @type {string[][]} */
    const small = [];
    /** @type {string[][]} */
    const large = [];
    /** @type {Map<string, Set<string>>} */
    const citing = new Map();
    index.rows.forEach((ids, row) => {
      if (file.kinds[row] !== "r" && file.kinds[row] !== "u") return;
      const number = RULE_OF.exec(index.numbers[row])?.[0] ?? index.numbers[row];
      const section = index.above(row).find((above) => file.kinds[above] === "s");
      const title = section === undefined ? [] : stemsOf(plainWords(file.headings[section]));
      const heading = stemsOf(plainWords(file.headings[row]));
      const stems = ids.map((id) => index.stems[id]);
      if (this.rules.at(-1) !== number) {
        this.rules.push(number);
        this.headings.push(heading);
        large.push([...title]);
      }
      this.texts.push(row);
      this.ruleOf.push(this.rules.length - 1);
      small.push([...stems, ...title, ...heading]);
      large[large.length - 1].push(...stems.slice(0, index.own[row]));
      for (const [cited] of file.texts[row].matchAll(CITED_NUMBER)) {
        if (cited !== number) citing.set(cited, (citing.get(cited) ?? new Set()).add(number));
      }
    });
    return { small, large, citing };
  }

  /**
   * Return the rows that answer a question, one for each rule, best first.
   * @param {string} question
   * @param {number} most
   */
  rows(question, most) {
    const story = this.understood(question), points = this.small.points(story.said);
    const worth = this.worth(story, points);
    const places = worth.map((_, place) => place).sort((a, b) => worth[b] - worth[a] || a - b);
    return places.slice(0, most).map((place) => this.bestText(place, points));
  }

  /** Return the score of each rule. @param {Story} story @param {number[]} points - The scores of the texts. */
  worth(story, points) {
    const { features, usual, sections } = this.weights;
    const rules = this.large.points(story.said);
    /** @type {[number, number[]][]} */
    const evidence = [
      [features.text, scaled(this.best(points))],
      [features.rule, scaled(rules)],
      [features.asked, scaled(this.large.points(story.asked))],
      [features.named, this.named(story.sequence)],
      [features.section, scaled(this.bySection(rules))],
      [features.cited, scaled(this.cited)],
    ];
    const signs = this.signs(story);
    return this.rules.map((number, place) => evidence.reduce(
      (sum, [weight, values]) => sum + weight * values[place],
      (usual[number] ?? 0) + (sections[this.sections[place]] ?? 0) + signs[place],
    ));
  }

  /** Return the row of a rule or of its best subrule. @param {number} rule @param {number[]} points */
  bestText(rule, points) {
    const texts = this.ruleOf.flatMap((own, text) => (own === rule ? [text] : []));
    const most = Math.max(...texts.map((text) => points[text])) || 1;
    /** @param {number} text */
    const worth = (text) =>
      points[text] / most + USUALLY_CITED * (this.weights.cited[this.index.numbers[this.texts[text]]] ?? 0);
    return this.texts[texts.reduce((best, text) => (worth(text) > worth(best) ? text : best))];
  }

  /** Return the score of each rule's best text. @param {number[]} points */
  best(points) {
    const best = this.rules.map(() => 0);
    this.ruleOf.forEach((rule, text) => { best[rule] = Math.max(best[rule], points[text]); });
    return best;
  }

  /** Return for each rule the scores of the three best texts of its section. @param {number[]} points */
  bySection(points) {
    /** @type {Map<string, number[]>} */
    const held = new Map();
    points.forEach((much, rule) => {
      const section = this.sections[rule];
      held.set(section, [...(held.get(section) ?? []), much]);
    });
    const best = new Map(Array.from(held, ([section, own]) => [
      section, own.sort((a, b) => b - a).slice(0, BEST_OF_SECTION).reduce((sum, much) => sum + much, 0),
    ]));
    return this.sections.map((section) => best.get(section) ?? 0);
  }

  /** Mark the rules whose headings are in a question. @param {string[]} sequence */
  named(sequence) {
    return this.headings.map((stems) => Number(
      stems.length > 0 && stems.join() !== "x" &&
      sequence.some((_, at) => stems.every((stem, place) => sequence[at + place] === stem)),
    ));
  }

  /** Return for each rule the learnt weights of a question's words. @param {Story} story */
  signs({ said, asked }) {
    const weights = this.rules.map(() => 0);
    const signs = [...Array.from(said, (stem) => `said ${stem}`), ...Array.from(asked, (stem) => `asked ${stem}`)];
    const share = 1 / Math.sqrt(Math.max(1, signs.length));
    for (const cell of signs.flatMap((sign) => (this.weights.signs[sign] ?? "").split(" "))) {
      const [number, weight] = cell.split(":");
      const held = number.includes(".") ? this.rules : this.sections;
      if (weight) held.forEach((own, rule) => { if (own === number) weights[rule] += Number(weight) * share; });
    }
    return weights;
  }

  /** Parse a question. @param {string} text @returns {Story} */
  understood(text) {
    const bare = this.withoutNames(text);
    const sentences = bare.split(/(?<=[.?!])\s+/).filter((sentence) => sentence.trim());
    const asking = sentences.filter((sentence) => sentence.includes(ASKS));
    const asked = asking.length ? asking : sentences.slice(-1);
    const sequence = stemsOf(plainWords(bare));
    return { said: new Set(sequence), asked: new Set(stemsOf(plainWords(asked.join(" ")))), sequence };
  }

  /** Return a text without the names of players and cards. @param {string} text */
  withoutNames(text) {
    return text.replace(STORY_NAME, (name, /** @type {number} */ at) => {
      const before = text.slice(0, at).trimEnd();
      let words = wordsOf(name), start = 0;
      if ((!before || SENTENCE_ENDS.includes(before.at(-1) ?? "")) && words.length) {
        // The first word of a sentence is capitalised anyway.
        const [first, , stop] = words[0];
        if (this.isTerm([stemOf(first)])) {
          start = stop;
          words = words.slice(1);
        }
      }
      const isName = words.length > 0 && !this.isTerm(words.map(([word]) => stemOf(word)));
      return isName ? name.slice(0, start) + " ".repeat(name.length - start) : name;
    });
  }

  /** Return whether stems are a heading, a headword or a single word of the rules. @param {string[]} stems */
  isTerm(stems) {
    return this.titles.has(stems.join(" ")) || (stems.length === 1 && this.small.rows.has(stems[0]));
  }
}

/** @param {number[]} points */
function scaled(points) {
  const most = points.reduce((best, much) => Math.max(best, much), 0);
  return most > 0 ? points.map((much) => much / most) : points;
}
