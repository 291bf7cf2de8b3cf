// The search: MiniSearch over the texts of today or of all editions, with our synonyms. Loaded when somebody searches.

// Words that tell rules apart too little; questions have many of them.
const STOP = new Set(("a an and any are as at be by can did do does for from get gets had has have how i if in is it its me my of on " +
  "or our should so that the their there they this to was we what when which who will with would you your").split(" "));
const WORDS = /[\p{L}\p{N}]+(?:[.'’][\p{L}\p{N}]+)*|\{[^}]*\}|[+-]\d+\/[+-]\d+/gu;
const ENDINGS = /** @type {[RegExp, string][]} */ ([[/ies$/, "y"], [/(?<=[^s])s$/, ""], [/(?:ing|ed|e)$/, ""], [/([^aeiouls])\1$/, "$1"]]);
const MOST_SYNONYMS = 3, MOST_VARIANTS = 8, SYNONYM_WEIGHT = 0.9, OBSOLETE = 0.5;
// How many words of a text are shown, and how many of them before the first that was found.
const SHOWN_WORDS = 32, WORDS_BEFORE = 6;

/** @type {Map<string, string | null>} */
const terms = new Map();

/** Return what a word is found by; null for a stop word. @param {string} word */
function termOf(word) {
  let term = terms.get(word);
  if (term === undefined) {
    term = word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/’/g, "'").replace(/'s?$/, "");
    if (STOP.has(term)) term = null;
    else if (term.length > 3 && !/\d/.test(term)) for (const [end, instead] of ENDINGS) term = term.replace(end, instead);
    terms.set(word, term);
  }
  return term;
}

const wordsIn = (/** @type {string} */ text) => text.match(WORDS) ?? [];
const termsIn = (/** @type {string} */ text) => wordsIn(text).map(termOf).filter((term) => term !== null);

/** An index of texts, with the synonyms that queries are expanded by. */
class TextIndex {
  /** @param {SearchRow[]} rows @param {Concept[]} concepts */
  constructor(rows, concepts) {
    this.rows = rows;
    /** @type {Set<string>} */
    this.known = new Set();
    this.mini = new MiniSearch({
      fields: ["heading", "above", "text", "examples"],
      tokenize: wordsIn,
      processTerm: (/** @type {string} */ word) => {
        const term = termOf(word);
        if (term !== null) this.known.add(term);
        return term;
      },
      searchOptions: { processTerm: termOf },
    });
    /** @type {Synonym[]} Old words and those of players lead to the words of today. */
    this.synonyms = concepts.flatMap(([kind, forms]) => forms.flatMap((form, place) => {
      const living = forms.slice(place + 1).filter(([, , last], at, all) => !last || at === all.length - 1);
      if (!living.length || (kind === "era" && !form[2])) return [];
      return form[0].map((words) => ({ kind, words, terms: ` ${termsIn(words).join(" ")} `, form, to: living.map(([[first]]) => first) }));
    })).filter(({ terms, to }) => terms.trim() && !to.some((words) => ` ${termsIn(words).join(" ")} ` === terms));
  }

  /** Add all texts; the page stays responsive meanwhile. */
  async fill() {
    await this.mini.addAllAsync(this.rows.map((row, id) => ({ id, ...row })), { chunkSize: 150 });
    return this;
  }

  /** Return what fits a query, the best first: what has most of its words, or of their synonyms. @param {string} query @param {(row: SearchRow) => boolean} isWanted */
  find(query, isWanted) {
    const asked = ` ${termsIn(query).join(" ")} `, unknown = [...new Set(termsIn(query))].filter((term) => !this.known.has(term));
    const spoken = (/** @type {string} */ text) => ` ${wordsIn(text).map((word) => termOf(word) ?? word.toLowerCase()).join(" ")} `;
    const synonyms = this.synonyms.filter(({ terms, words }) => asked.includes(terms) && (/\w \w/.test(terms) || spoken(query).includes(spoken(words)))).filter(({ terms }, _, all) => !all.some((longer) => longer.terms !== terms && longer.terms.includes(terms)));
    const variants = synonyms.flatMap(({ terms: own, to }) => to.map((words) => asked.replace(own, ` ${words} `)));
    const renamed = synonyms.filter(({ words, form: [, , , isGone] }) => !isGone && spoken(words) === spoken(query)).flatMap(({ to }) => to); // “in play” is not “play”
    const named = new Set((renamed.length ? renamed : [query]).map((words) => termsIn(words).join(" ")));
    /** @type {Map<number, Hit>} */
    const best = new Map();
    [query, ...new Set(variants)].slice(0, MOST_VARIANTS).forEach((words, place) => {
      const count = new Set(termsIn(words)).size || 1;
      for (const { id, score, queryTerms, terms: found } of this.mini.search(words, this.options(isWanted))) {
        const row = this.rows[id], title = row.kind === "g" ? row.heading.replace(/ \(.*/, "") : "";
        const whole = score * (queryTerms.length / count) ** 2 * (place ? SYNONYM_WEIGHT : 1) + (named.has(termsIn(title).join(" ")) ? 2000 : spoken(title) === spoken(query) ? 1000 : 0);
        if (whole > (best.get(id)?.score ?? 0)) best.set(id, { row, score: whole, terms: new Set(found) });
      }
    });
    const hits = [...best].sort(([a, one], [b, other]) => other.score - one.score || a - b).map(([, hit]) => hit);
    const said = this.synonymNotes(synonyms.filter(({ words }) => spoken(query).includes(spoken(words)))); // “blocks” is not “blocks for”
    return { hits, notes: [...said, ...this.spellingNotes(query, unknown, hits)] };
  }

  /** @param {(row: SearchRow) => boolean} isWanted */
  options(isWanted) {
    /** A misspelt word, or one that is not complete. @param {string} term */
    const isUnknown = (term) => term.length > 2 && !this.known.has(term) && !/\d/.test(term);
    return {
      boost: { heading: 3, above: 1, text: 1, examples: 0.3 },
      fuzzy: (/** @type {string} */ term) => (term.length > 3 && isUnknown(term) ? 0.25 : false),
      prefix: isUnknown,
      filter: (/** @type {{ id: number }} */ { id }) => isWanted(this.rows[id]),
      boostDocument: (/** @type {number} */ id) => {
        const { heading, cited } = this.rows[id];
        return (1 + Math.log1p(cited) / 10) * (heading.includes("(Obsolete)") ? OBSOLETE : 1);
      },
    };
  }

  /** Say by which other words things were found; forms of the same words once. @param {Synonym[]} synonyms */
  synonymNotes(synonyms) {
    const first = synonyms.filter(({ terms }, place) => synonyms.findIndex((other) => other.terms === terms) === place);
    return first.map(({ kind, words, to, form: [, first, last, isGone] }) => {
      const now = [...new Set(to)].slice(0, MOST_SYNONYMS).map((word) => `“${word}”`).join(", ");
      if (kind === "abbreviation") return `“${words}” stands for ${now}.`;
      if (kind === "players") return `“${words}”: the rules say ${now}.`;
      if (isGone) return `“${words}” is obsolete${first === last ? "" : `: the last rules with it are of ${dayInWords(last)}`}; the nearest term today is ${now}.`;
      return `“${words}”, last printed ${dayInWords(last)}, is now ${now}.`;
    });
  }

  /** Say which words no text has, and what was found instead. @param {string} query @param {string[]} unknown @param {Hit[]} hits */
  spellingNotes(query, unknown, hits) {
    const asked = new Set(termsIn(query));
    return wordsIn(query).filter((word) => unknown.includes(termOf(word) ?? "")).flatMap((word) => {
      const like = hits.slice(0, 3).flatMap(({ row, terms: found }) => wordsIn(`${row.heading} ${row.text}`).filter((printed) => {
        const term = termOf(printed);
        return term !== null && found.has(term) && !asked.has(term) && term[0] === termOf(word)?.[0];
      }))[0]?.toLowerCase();
      if (like?.startsWith(word.toLowerCase())) return []; // the word is not complete
      return `No text has “${word}”${like ? `; here is “${like}”` : ""}.`;
    });
  }
}

/** Return the words of a text around those that were found, which are marked. @param {string} text @param {Set<string>} found */
function snippet(text, found) {
  const words = [...text.replace(/\s+/g, " ").matchAll(/\S+ ?/g)].map(([word]) => word);
  /** @param {string} word */
  const isFound = (word) => termsIn(word).some((term) => found.has(term));
  const first = Math.max(words.findIndex(isFound) - WORDS_BEFORE, 0), start = words.length > SHOWN_WORDS ? first : 0;
  const shown = words.slice(start, start + SHOWN_WORDS);
  const said = element("span", { class: "said" }, start ? "… " : "");
  for (const word of shown) said.append(isFound(word) ? element("mark", {}, word.trimEnd()) : word.trimEnd(), word.endsWith(" ") ? " " : "");
  if (start + SHOWN_WORDS < words.length) said.append("…");
  return said;
}

// What is searched ----------------------------------------------------------------------------------

/** @param {CurrentFile} file @returns {SearchRow[]} */
function rowsOf({ rows }) {
  return rows.map(([name, kind, heading, text, examples, cited, parent, slug]) => {
    const path = [];
    for (let above = parent; above >= 0; above = rows[above][6]) path.unshift(rows[above][2] || rows[above][0]);
    return { name, kind, heading, text, examples, cited, slug, path, above: path.slice(1).join(" ") };
  });
}

/** @param {EverRow[]} rows @param {SearchRow[]} current @returns {SearchRow[]} */
function everRowsOf(rows, current) {
  const old = rows.map(([name, kind, heading, text, first, last, now, doubt]) => ({
    name, kind, heading, text, path: [], slug: name, above: "", examples: "", cited: 0, when: /** @type {[number, number]} */ ([first, last]), now, doubt,
  }));
  return [...old, ...current.map((row) => ({ ...row, above: "" }))];
}

/** Return the index of today's texts, or of those of all editions. @param {boolean} isEver */
async function textIndex(isEver) {
  const [current, ever] = await Promise.all([load("search/current.js"), isEver ? load("search/ever.js") : []]);
  const rows = rowsOf(current);
  return new TextIndex(isEver ? everRowsOf(ever, rows) : rows, isEver ? [] : current.synonyms).fill();
}
