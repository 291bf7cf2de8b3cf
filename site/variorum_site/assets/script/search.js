// Search without the page: from the index and a query to provisions, best first. It follows the
// command's search (variorum/search) step by step, so that both answer alike.
/** @import { CurrentFile, Expansion, Found, Group, Hit, Part, Plan, RankedText, RuleNumber } from "./types.d.ts" */
import { Planner } from "./plan.js";
import { parseQuery } from "./query.js";
import { score } from "./ranking.js";
import { bareNumber, compareNumbers, isBelow } from "./rule_numbers.js";
import { SearchIndex } from "./search_index.js";
import { snippet } from "./snippets.js";
import { placesOf, sumOf } from "./stem_places.js";
import { fold, isLetters } from "./words.js";

// How many of what roughly answers is looked at closely.
const CLOSELY = 30;
const SHORTEST_BEGINNING = 2;
const GLOSSARY_NAME = "glossary: ";

export class Search {
  /** @param {CurrentFile} file */
  constructor(file) {
    this.index = new SearchIndex(file);
    this.planner = new Planner(this.index);
    this.steps = this.index.prepare();
    this.isReady = false;
  }

  /** Make ready, as far as a deadline allows; return whether all is done. @param {() => boolean} [hasTime] */
  prepare(hasTime = () => true) {
    while (!this.isReady && hasTime()) this.isReady = this.steps.next().done ?? false;
    return this.isReady;
  }

  /**
   * Return what answers a query.
   * @param {string} query - As typed.
   * @param {number} limit - The most hits.
   * @param {boolean} isTyping - Whether its last word may not be complete yet.
   * @param {number[]} first - Rows that answer it better than any that its words find.
   * @returns {Found}
   */
  find(query, limit = 10, isTyping = false, first = []) {
    this.prepare();
    let part = parseQuery(query);
    if (part === null) return { hits: [], total: 0, expanded: [], missing: [], suggestions: [], number: null };
    if (isTyping && !/\s$/.test(query)) part = this.completed(part);
    const number = part.kind === "number" ? part : null;
    const plan = this.planner.plan(part);
    const ranked = number === null ? this.ranked(plan, limit) : this.byNumber(plan, number);
    const shown = [...new Set([...first, ...ranked])].slice(0, limit);
    const missing = plan.groups
      .filter((group) => !group.weights.size && !group.isLoose && !group.isSpread && !group.isAsking)
      .map((group) => group.asked.join(" "));
    return {
      hits: shown.map((row) => this.hit(row, plan.groups)),
      total: plan.rows.size,
      expanded: this.expanded(plan.groups, shown, query),
      missing,
      suggestions: this.suggestions(query, missing),
      number,
    };
  }

  /**
   * Return a query whose last word, where nothing has it, is the beginning of one.
   * @param {Part} part
   * @param {string[]} before - The words before it.
   * @returns {Part}
   */
  completed(part, before = []) {
    if (part.kind === "all" && !part.isStrict) {
      const last = part.parts[part.parts.length - 1], others = part.parts.slice(0, -1);
      const words = others.map((earlier) => (earlier.kind === "plain" ? earlier.word : ""));
      const completed = this.completed(last, words);
      return completed === last ? part : { ...part, parts: [...others, completed] };
    }
    if (part.kind !== "plain" || part.word.length < SHORTEST_BEGINNING || !isLetters(part.word)) return part;
    const { index } = this;
    const words = [...before, part.word];
    const isKnown = index.forms(part.word).length || index.relatives(part.word).length ||
      index.vocabulary.find(words).some(({ stop }) => stop === words.length);
    return isKnown || !index.beginningWith(part.word).length ? part : { kind: "prefix", letters: part.word };
  }

  /** @param {Plan} plan @param {number} limit */
  ranked({ rows, groups }, limit) {
    const whole = sumOf(groups.map((group) => group.tells)) || 1;
    const rough = Array.from(rows, (row) => {
      let sum = 0, covered = 0;
      for (const group of groups) {
        const weight = group.weights.get(row);
        if (weight !== undefined) {
          sum += group.tells * weight;
          covered += group.tells;
        }
      }
      return { row, worth: (sum * covered) / whole };
    });
    rough.sort(byWorth);
    const close = rough.slice(0, Math.max(CLOSELY, limit)).map(({ row }) => ({ row, worth: this.score(row, groups) }));
    return close.sort(byWorth).map(({ row }) => row);
  }

  /** @param {number} row @param {Group[]} groups */
  score(row, groups) {
    return score(groups, groups.map((group) => group.weights.get(row) ?? 0), this.index.rankedText(row));
  }

  /**
   * Order what a number finds: its rule, those below it, those that begin so, those that cite it.
   * @param {Plan} plan
   * @param {RuleNumber} asked
   */
  byNumber({ rows, groups }, { number, isOpen }) {
    const { numbers } = this.index;
    const matching = [...rows];
    if (number.includes(".")) {
      numbers.forEach((own, row) => {
        if (own.startsWith(number) && !rows.has(row)) matching.push(row);
      });
    }
    const ranks = new Map(matching.map((row) => [row, rankOf(numbers[row], number, isOpen)]));
    /** @param {number} row */
    const rank = (row) => ranks.get(row) ?? 0;
    const scores = new Map(matching.map((row) => [row, rank(row) < 3 ? 0 : this.score(row, groups)]));
    return matching.sort((a, b) =>
      rank(a) - rank(b) ||
      (rank(a) < 3 ? compareNumbers(numbers[a], numbers[b]) : (scores.get(b) ?? 0) - (scores.get(a) ?? 0)) ||
      a - b);
  }

  /** @param {number} row @param {Group[]} groups @returns {Hit} */
  hit(row, groups) {
    const { index } = this, { file } = index;
    const isEntry = file.kinds[row] === "g";
    const path = index.above(row).reverse().map((above) =>
      (file.headings[above] ? `${index.numbers[above]}. ${file.headings[above]}` : index.numbers[above]));
    return {
      row,
      kind: index.kind(row),
      number: isEntry ? null : file.names[row],
      heading: index.heading(row),
      name: isEntry ? `${GLOSSARY_NAME}${file.names[row]}` : file.names[row],
      path,
      href: isEntry ? this.entryHref(row) : this.ruleHref(file.names[row]),
      snippet: snippet(index.text(row) || index.heading(row), groups),
    };
  }

  /** @param {string} name */
  ruleHref(name) {
    const [number, bearer] = name.split("#");
    const href = this.index.file.addresses.rule.replace("{}", number);
    return bearer === undefined || bearer === "1" ? href : `${href}#${number}-${bearer}`;
  }

  /** Return where an edition prints a rule, or an entry ("glossary#bury"), from the root of the site. @param {string} label @param {string} anchor */
  datedHref(label, anchor) {
    const { dated } = this.index.file.addresses, [page, slug] = anchor.split("#");
    if (slug) return `${dated.replace("{}", label).replace("{}", page)}#${slug}`;
    const there = dated.replace("{}", label).replace("{}", anchor[0]);
    return anchor.length > 1 ? `${there}#${anchor}` : there;
  }

  /** @param {number} row */
  entryHref(row) {
    const { file } = this.index;
    return file.addresses.entry.replace("{}", file.slugs[row - file.kinds.indexOf("g")]);
  }

  /**
   * Return a provision of today by its name ("704.5k", "glossary: Bury"), or null if none has it.
   * @param {string} name
   */
  named(name) {
    const { file } = this.index;
    const isEntry = name.startsWith(GLOSSARY_NAME);
    const wanted = isEntry ? name.slice(GLOSSARY_NAME.length) : name;
    const row = file.names.findIndex((known, at) => known === wanted && (file.kinds[at] === "g") === isEntry);
    return row < 0 ? null : this.hit(row, []);
  }

  /**
   * Return the synonyms by which what is shown was found.
   * @param {Group[]} groups
   * @param {number[]} shown
   * @param {string} query
   * @returns {Expansion[]}
   */
  expanded(groups, shown, query) {
    const texts = shown.map((row) => this.index.rankedText(row));
    /** @type {Map<string, Expansion>} */
    const expansions = new Map();
    for (const group of groups) {
      if (!group.synonyms.size) continue;
      const own = group.stems.slice(0, group.own);
      const lacking = texts.filter((text) => !own.some((stems) => prints(text, stems)));
      for (const [key, synonym] of group.synonyms) {
        if (!lacking.some((text) => prints(text, key.split(" ")))) continue;
        const { kind, label, asked, wording } = synonym;
        const from = group.asked.join(" "), at = fold(query).indexOf(from);
        const to = (kind === "players" ? synonym.words : wording.spellings[0]).join(" ");
        if (expansions.has(`${from}\n${to}`)) continue;
        expansions.set(`${from}\n${to}`, {
          from, to, typed: at < 0 ? from : query.slice(at, at + from.length), label, kind, since: wording.first, until: wording.last,
          asked: { since: asked.first, until: asked.last, isGone: asked.isGone },
        });
      }
    }
    return [...expansions.values()];
  }

  /**
   * Return queries that were perhaps meant: with words like those that nothing has.
   * @param {string} query
   * @param {string[]} missing
   */
  suggestions(query, missing) {
    const known = missing.map((word) => ({ word, likes: this.index.like(word) })).filter(({ likes }) => likes.length);
    const [first, ...others] = known;
    if (first === undefined) return [];
    const rest = others.reduce((text, { word, likes }) => replaced(text, word, likes[0]), query);
    return first.likes.map((like) => replaced(rest, first.word, like));
  }
}

/** @param {{ row: number, worth: number }} a @param {{ row: number, worth: number }} b */
function byWorth(a, b) {
  return b.worth - a.worth || a.row - b.row;
}

/** @param {string} own @param {string} number @param {boolean} isOpen */
function rankOf(own, number, isOpen) {
  if (own === number) return 0;
  if (own && (isOpen ? own.startsWith(number) : isBelow(own, number))) return 1;
  return own.startsWith(number) ? 2 : 3;
}

/**
 * Say whether a provision prints some stems, in its words or above them.
 * @param {RankedText} ranked
 * @param {string[]} stems
 */
function prints(ranked, stems) {
  const group = { stems: [stems] };
  return [ranked.text, ranked.heading, ranked.above].some((text) => placesOf(group, text).length);
}

/** @param {string} text @param {string} word @param {string} substitute */
function replaced(text, word, substitute) {
  const place = fold(text).indexOf(word);
  return place < 0 ? text : text.slice(0, place) + substitute + text.slice(place + word.length);
}

/**
 * Say whether a hit is the rule that has a number.
 * @param {Hit | undefined} hit
 * @param {string | null} number
 */
export function isRule(hit, number) {
  return hit !== undefined && bareNumber(hit.number ?? "") === number;
}
