// Turns a query into the rows that may answer it, and the groups that rank them.
/** @import { Group, Part, Plan } from "./types.d.ts" */
/** @import { SearchIndex } from "./search_index.js" */
import { Grouping } from "./groups.js";
import { inAll } from "./weights.js";

export class Planner {
  /** @param {SearchIndex} index */
  constructor(index) {
    this.index = index;
    this.grouping = new Grouping(index);
  }

  /** Return the plan of a part of a query. @param {Part} part @returns {Plan} */
  plan(part) {
    switch (part.kind) {
      case "all": return this.all(part.parts, part.isStrict);
      case "either": return this.either(part.parts);
      case "not": return { rows: without(this.everything(), this.plan(part.part).rows), groups: [] };
      case "plain": return this.run([part.word], true);
      case "phrase": return this.phrase(part.words);
      case "prefix": return ofGroup(this.grouping.ofPrefix(part.letters));
      default: return ofGroup(this.grouping.ofNumber(part));
    }
  }

  everything() {
    return new Set(this.index.numbers.keys());
  }

  /** @param {Part[]} parts */
  either(parts) {
    const plans = parts.map((part) => this.plan(part));
    return joinedPlan(inAny(plans.map(({ rows }) => rows)), plans);
  }

  /**
   * Return the rows that print a phrase; if there are none, those that print it in other words.
   * @param {string[]} words
   */
  phrase(words) {
    let group = this.grouping.ofPhrase(words);
    this.keepPrinted(group, [words]);
    if (!group.weights.size) {
      group = this.grouping.ofOtherPhrases(words);
      this.keepPrinted(group, Array.from(group.synonyms.values(), (synonym) => synonym.words));
    }
    return ofGroup(group);
  }

  /** @param {Group} group @param {string[][]} phrases */
  keepPrinted(group, phrases) {
    for (const row of [...group.weights.keys()]) {
      if (!phrases.some((words) => this.index.prints(row, words))) group.weights.delete(row);
    }
  }

  /** @param {Part[]} parts @param {boolean} isStrict */
  all(parts, isStrict) {
    /** @type {Plan[]} */
    const hard = [];
    /** @type {Plan[]} */
    const soft = [];
    /** @type {Plan[]} */
    const plans = [];
    /** @type {Set<number>} */
    const banned = new Set();
    for (const part of withRuns(parts)) {
      if (Array.isArray(part)) {
        soft.push(this.run(part, isStrict));
        plans.push(soft[soft.length - 1]);
      } else if (part.kind === "not") {
        for (const row of this.plan(part.part).rows) banned.add(row);
      } else {
        const plan = this.plan(part);
        plans.push(plan);
        (part.kind === "number" || part.kind === "prefix" ? soft : hard).push(plan);
      }
    }
    const needed = isStrict ? plans : hard;
    return joinedPlan(without(this.rowsOf(needed, soft), banned), plans);
  }

  /**
   * Return the rows that all required plans have; without required plans, the rows of any other
   * plan.
   * @param {Plan[]} needed
   * @param {Plan[]} soft
   */
  rowsOf(needed, soft) {
    if (needed.length) {
      return needed.map(({ rows }) => rows).reduce((a, b) => new Set([...a].filter((row) => b.has(row))));
    }
    return soft.length ? inAny(soft.map(({ rows }) => rows)) : this.everything();
  }

  /** @param {string[]} words @param {boolean} isStrict @returns {Plan} */
  run(words, isStrict) {
    const groups = this.grouping.ofRun(words, isStrict);
    if (isStrict) {
      const asked = groups.filter((group) => !group.isLoose).map((group) => group.weights);
      return { rows: new Set(inAll(asked).keys()), groups };
    }
    const telling = groups.filter((group) => !group.isAsking && group.weights.size);
    return { rows: inAny((telling.length ? telling : groups).map((group) => group.weights.keys())), groups };
  }
}

/** Return parts, with consecutive words joined into one list. @param {Part[]} parts */
function withRuns(parts) {
  /** @type {(string[] | Exclude<Part, { kind: "plain" }>)[]} */
  const joined = [];
  for (const part of parts) {
    const last = joined[joined.length - 1];
    if (part.kind !== "plain") joined.push(part);
    else if (Array.isArray(last)) last.push(part.word);
    else joined.push([part.word]);
  }
  return joined;
}

/** @param {Group} group @returns {Plan} */
function ofGroup(group) {
  return { rows: new Set(group.weights.keys()), groups: [group] };
}

/** @param {Iterable<number>[]} sets */
function inAny(sets) {
  /** @type {Set<number>} */
  const union = new Set();
  for (const rows of sets) for (const row of rows) union.add(row);
  return union;
}

/** @param {Set<number>} rows @param {Set<number>} banned */
function without(rows, banned) {
  return new Set([...rows].filter((row) => !banned.has(row)));
}

/** @param {Set<number>} rows @param {Plan[]} plans @returns {Plan} */
function joinedPlan(rows, plans) {
  return { rows: new Set(rows), groups: plans.flatMap(({ groups }) => groups) };
}
