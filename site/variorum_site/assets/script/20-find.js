// Search, without the page: from the index and a query to provisions, best first. This follows the
// command's search (variorum_kb/search) step by step, so that both answer alike; the names are the same.
(function (variorum) {
  "use strict";

  // Words ----------------------------------------------------------------------------------------

  const SIGNS = { "\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2212": "-", "\u2013": "-" };
  const IRREGULAR = {
    __proto__: null, agreed: "agree", isnt: "isn't", dont: "don't", doesnt: "doesn't", cant: "can't",
    cannot: "can't", became: "become", began: "begin", begun: "begin", brought: "bring", came: "come",
    chose: "choose", chosen: "choose", dealt: "deal", does: "do", drawn: "draw", drew: "draw",
    fought: "fight", gave: "give", given: "give", goes: "go", gone: "go", held: "hold", kept: "keep",
    left: "leave", lost: "lose", made: "make", met: "meet", paid: "pay", shown: "show", spent: "spend",
    taken: "take", took: "take", went: "go", won: "win",
  };
  const SHORT_STEMS = { __proto__: null, die: "di", tie: "ti", use: "us" };
  const NOUNS = ["ion", "ment", "li"];
  const LETTERS = /^\p{L}+$/u;
  const VOWEL = /[aeiouy]/;

  const SIMPLE = /^[a-z]+(?: [a-z]+)*$/;
  const PLAIN = /^[\x00-\x7f]*$/;

  // What looks behind itself is unknown to old browsers; they shall lose the search alone.
  let wordForms = null;
  function wordRegExp(text) {
    wordForms ??= ["a-z0-9", String.raw`\p{L}\p{N}`].map((letters) => new RegExp(
      String.raw`\{[^{}\s]+\}` +
      String.raw`|(?<![${letters}_.+])[+-]?[0-9xyn*]+(?:\+[0-9*]+)?\/[+-]?[0-9xyn*]+(?:\+[0-9*]+)?(?![${letters}_])` +
      String.raw`|(?<![${letters}_.])[+-][0-9xyn]+(?![${letters}_])` +
      String.raw`|[1-9][0-9][0-9]\.[0-9]+[a-z]*(?![${letters}_])` +
      String.raw`|[${letters}]+(?:'[${letters}]+)*`,
      "gu",
    ));
    return wordForms[PLAIN.test(text) ? 0 : 1];
  }

  /** Return a text in small letters and straight signs, each sign in its place. */
  function fold(text) {
    const straight = text.replace(/[\u2018\u2019\u201c\u201d\u2212\u2013]/g, (sign) => SIGNS[sign]);
    const small = straight.toLowerCase();
    if (small.length === straight.length) return small;
    return Array.from(straight, (sign) => {
      const low = sign.toLowerCase();
      return low.length === sign.length ? low : sign;
    }).join("");
  }

  function bare(word) {
    return word.endsWith("'s") ? word.slice(0, -2) : word;
  }

  /** Return the words of a text: [word, start, stop] each. */
  function wordsOf(text) {
    const folded = fold(text);
    return Array.from(folded.matchAll(wordRegExp(folded)), (found) => [
      bare(found[0]), found.index, found.index + found[0].length,
    ]);
  }

  function plainWords(text) {
    if (SIMPLE.test(text)) return text.split(" ");
    const folded = fold(text);
    return (folded.match(wordRegExp(folded)) ?? []).map(bare);
  }

  const knownStems = new Map();

  /** Return what the forms of a word have in common: endings of number and tense are taken off. */
  function stemOf(word) {
    let known = knownStems.get(word);
    if (known === undefined) knownStems.set(word, known = stem(word));
    return known;
  }

  function stem(asked) {
    let word = (IRREGULAR[asked] ?? asked).replaceAll("colour", "color");
    if (!LETTERS.test(word) || word.length <= 3) return short(word);
    if (word.endsWith("s") && !"sui".includes(word.at(-2))) word = word.slice(0, -1);
    for (const ending of ["ing", "ed"]) {
      const rest = word.endsWith(ending) ? word.slice(0, -ending.length) : word;
      const ends = rest !== word && (!rest.endsWith("e") || (ending === "ing" && rest.endsWith("ee")));
      if (ends && rest.length > 1 && VOWEL.test(rest)) {
        word = rest;
        break;
      }
    }
    if (word.length === 3) return short(word);
    if (word.length > 3 && word.endsWith("e")) word = word.slice(0, -1);
    if (word.length > 3 && word.at(-1) === word.at(-2)) word = word.slice(0, -1);
    return word.endsWith("y") ? `${word.slice(0, -1)}i` : word;
  }

  function short(word) {
    const known = SHORT_STEMS[word];
    if (known !== undefined) return known;
    return word.length === 3 && word.endsWith("y") && LETTERS.test(word) ? `${word.slice(0, 2)}i` : word;
  }

  function familyOf(one) {
    for (const ending of NOUNS) {
      const rest = one.endsWith(ending) ? one.slice(0, -ending.length) : one;
      if (rest !== one && rest.length >= 4) return stemOf(rest);
    }
    return "";
  }

  const stemsOf = (words) => words.map(stemOf);

  // Queries --------------------------------------------------------------------------------------

  const TOKEN = /(?<phrase>"[^"]*")|(?<open>\()|(?<close>\))|(?<operator>(?:AND|OR|NOT)(?![^\s()"]))|(?<word>[^\s()"]+)|(?<quote>")/g;
  const NUMBER = /^(?:cr:?|§+)?([1-9]\d(?=\*)|[1-9](?:\d\d(?:\.(?:\d+[a-z]{0,2}|[a-z])?)?)?)[.:,;?!*]*$/;
  const OF_RULE = new Set(["cr", "c.r.", "rule", "rules", "section", "subrule", "chapter", "§"]);
  const WHOLE_NUMBER = /^(?:(?:cr|c\.r\.|rules?|subrule|section|chapter|§+)[:\s]*)*([1-9])(?:(\d)(?:(\d)(?:(?:\s*\.\s*|\s+)(?:(\d{1,3})?\s*\.?\s*([a-z]{0,2}))?)?)?)?\s*[.:;,?!*]*$/;

  /** Return what a query means that is nothing but a number: "CR 704.5K", "704 5k"; else null. */
  function numberIn(text) {
    const found = WHOLE_NUMBER.exec(fold(text).trim());
    if (found === null) return null;
    const [, chapter, tens, ones, rule, letters] = found;
    if (tens === undefined) return { number: chapter, isOpen: false };
    if (ones === undefined) return { number: chapter + tens, isOpen: true };
    const tail = rule !== undefined || letters ? `.${rule ?? ""}${letters ?? ""}` : "";
    return { number: `${chapter}${tens}${ones}${tail}`, isOpen: /\*/.test(text) };
  }

  /** Return a query as a tree; what cannot be read is left out. */
  function parseQuery(text) {
    const number = numberIn(text);
    if (number !== null) return { kind: "number", ...number };
    let tokens = Array.from(text.replace(/[\u201c\u201d]/g, '"').matchAll(TOKEN), ({ groups }) => {
      const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
      return { kind, text: groups[kind] };
    });
    const isStrict = tokens.some((one) => one.kind === "operator");
    if (!isStrict) tokens = tokens.filter((one) => one.kind === "phrase" || one.kind === "word");
    return new Parser(tokens.filter((one) => one.kind !== "quote"), isStrict).either(0);
  }

  class Parser {
    constructor(tokens, isStrict) {
      this.tokens = tokens;
      this.isStrict = isStrict;
      this.place = 0;
    }

    is(kind, text) {
      const token = this.tokens[this.place];
      return token !== undefined && token.kind === kind && (text === undefined || token.text === text);
    }

    either(depth) {
      const parts = [];
      while (this.place < this.tokens.length && !(depth && this.is("close"))) {
        const part = this.both(depth);
        if (part !== null) parts.push(part);
        if (this.is("operator", "OR") || (!depth && this.is("close"))) this.place += 1;
      }
      return parts.length > 1 ? { kind: "either", parts } : parts[0] ?? null;
    }

    both(depth) {
      const parts = [];
      while (this.place < this.tokens.length && !this.is("close") && !this.is("operator", "OR")) {
        if (this.is("operator", "AND")) this.place += 1;
        else parts.push(...this.unit(depth));
      }
      if (parts.length < 2) return parts[0] ?? null;
      return { kind: "all", parts, isStrict: this.isStrict };
    }

    unit(depth) {
      const token = this.tokens[this.place];
      this.place += 1;
      if (token.kind === "operator") {
        if (this.place === this.tokens.length || this.is("close") || this.is("operator", "AND") || this.is("operator", "OR")) return [];
        const parts = this.unit(depth);
        if (!parts.length) return [];
        return [{ kind: "not", part: parts.length > 1 ? { kind: "all", parts, isStrict: true } : parts[0] }];
      }
      if (token.kind === "open") {
        if (depth > 50) return [];
        const part = this.either(depth + 1);
        if (this.is("close")) this.place += 1;
        return part === null ? [] : [part];
      }
      if (token.kind === "phrase") {
        const words = plainWords(token.text);
        if (!words.length) return [];
        return [words.length > 1 ? { kind: "phrase", words } : { kind: "plain", word: words[0] }];
      }
      if (OF_RULE.has(fold(token.text)) && this.is("word")) {
        const number = NUMBER.exec(fold(this.tokens[this.place].text));
        if (number !== null) {
          const isOpen = this.tokens[this.place].text.endsWith("*");
          this.place += 1;
          return [{ kind: "number", number: number[1].replace(/\.$/, ""), isOpen }];
        }
      }
      return partsOf(token.text);
    }
  }

  /** Return the parts that a token without blanks stands for. */
  function partsOf(token) {
    const folded = fold(token);
    const number = NUMBER.exec(folded);
    if (number !== null && (number[1].length > 1 || folded !== number[1])) {
      return [{ kind: "number", number: number[1].replace(/\.$/, ""), isOpen: folded.endsWith("*") }];
    }
    const words = plainWords(token);
    const last = words.at(-1) ?? "";
    const isPrefix = folded.endsWith("*") && /^[\p{L}\p{N}]{3,}$/u.test(last);
    return words.map((word, place) =>
      isPrefix && place === words.length - 1 ? { kind: "prefix", letters: word } : { kind: "plain", word });
  }

  /** Say whether a number is another or stands below it. */
  function isBelow(number, above) {
    if (!number.startsWith(above)) return false;
    const rest = number.slice(above.length);
    if (above.includes(".")) return !rest || (/^[a-z]+$/.test(rest) && !/[a-z]$/.test(above));
    return !rest || rest[0] === "." || above.length === 1;
  }

  /** Compare numbers as they are printed: 702.9 < 702.9b < 702.10. */
  function compareNumbers(one, other) {
    const [a, b] = [one, other].map((number) => {
      const found = /^(\d*)(?:\.(\d*)([a-z]*))?/.exec(number);
      return [Number(found[1] || 0), Number(found[2] || 0), (found[3] ?? "").length, found[3] ?? ""];
    });
    const at = [0, 1, 2, 3].find((place) => a[place] !== b[place]);
    return at === undefined ? 0 : a[at] < b[at] ? -1 : 1;
  }

  // Other words for the same ---------------------------------------------------------------------

  const KIND_WEIGHTS = { era: 0.9, abbreviation: 1.0, players: 0.8 };
  const PARTIAL = 0.4;

  class Vocabulary {
    constructor(synonyms) {
      this.concepts = synonyms.map(([kind, wordings]) => ({
        kind,
        forms: wordings.map(([words, first, last, isPartial, isGone]) => ({
          labels: words, spellings: words.map(plainWords), first, last, isPartial: isPartial === 1, isGone: isGone === 1,
        })),
      }));
      this.starts = new Map();
      this.concepts.forEach((concept, place) => concept.forms.forEach((form, rank) => {
        for (const words of form.spellings) {
          const stems = stemsOf(words);
          const known = this.starts.get(stems[0]);
          if (known === undefined) this.starts.set(stems[0], [[stems, place, rank]]);
          else known.push([stems, place, rank]);
        }
      }));
    }

    /** Return the concepts that words belong to, the longest of those that overlap. */
    find(words) {
      const stems = stemsOf(words);
      const found = [];
      let place = 0;
      while (place < stems.length) {
        const known = this.at(stems, place);
        if (known !== null && known.others.length) found.push(known);
        place = known === null ? place + 1 : known.stop;
      }
      return found;
    }

    at(stems, place) {
      const fitting = (this.starts.get(stems[place]) ?? []).filter(([wanted]) =>
        wanted.every((one, at) => stems[place + at] === one));
      if (!fitting.length) return null;
      const longest = Math.max(...fitting.map(([wanted]) => wanted.length));
      const others = [];
      for (const [wanted, concept, rank] of fitting) {
        if (wanted.length === longest) others.push(...othersOf(this.concepts[concept], rank));
      }
      return { start: place, stop: place + longest, others };
    }
  }

  /** Return what may stand for a form: in an era any other form, else those that follow it. */
  function othersOf(concept, rank) {
    const asked = concept.forms[rank];
    const found = [];
    concept.forms.forEach((form, place) => {
      if (place === rank || (concept.kind !== "era" && place < rank)) return;
      const weight = KIND_WEIGHTS[concept.kind] * (asked.isPartial || form.isPartial ? PARTIAL : 1);
      form.spellings.forEach((words, at) => found.push({
        words, weight, kind: concept.kind, asked, form, label: form.labels[concept.kind === "players" ? at : 0],
      }));
    });
    return found;
  }

  // The index ------------------------------------------------------------------------------------

  // How much a word tells about a text, by where it stands; how soon repetition tells nothing new.
  const HEADING = 4.0, ABOVE = 1.2, TEXT = 1.0, EXAMPLES = 0.3;
  const K = 1.2, B = 0.45, USUAL = 45;
  const COMMON = 0.33;
  const KINDS = { c: "chapter", s: "section", r: "rule", u: "subrule", g: "glossary" };
  // How many provisions are read at a time.
  const AT_ONCE = 150;

  class Index {
    constructor(file) {
      this.file = file;
      this.size = file.names.length;
      this.words = new Map(); // word: its id
      this.printed = new Map(); // the same, also with the ending of a possessive
      this.spelled = [];
      this.stems = [];
      this.postings = []; // by word: the rows that have it, each with what it tells
      this.counts = []; // by word: in how many fields of provisions it stands
      this.rows = []; // by row: the ids of its words
      this.own = new Uint16Array(this.size); // how many of these are of its text
      this.titles = new Set();
      this.numbers = file.names.map((name, row) => (file.kinds[row] === "g" ? "" : name.split("#")[0]));
      this.weighed = new Map();
      this.documents = new Map();
    }

    kind(row) {
      return KINDS[this.file.kinds[row]];
    }

    /** Return the heading or headword of a row. */
    heading(row) {
      return this.file.kinds[row] === "g" ? this.file.names[row] : this.file.headings[row];
    }

    /** Return the rows that a row stands under, the nearest first. */
    above(row) {
      const found = [];
      for (let one = this.file.parents[row]; one; one = this.file.parents[one - 1]) found.push(one - 1);
      return found;
    }

    under(row) {
      return this.above(row).map((one) => this.file.headings[one]).find((heading) => heading) ?? "";
    }

    text(row) {
      const { texts, examples } = this.file;
      return examples[row] ? `${texts[row]}\n${examples[row]}` : texts[row];
    }

    /** Read all provisions; yields now and then, so that the page does not stand still. */
    *prepare() {
      const told = new Float64Array(1 << 16), seen = new Uint8Array(1 << 16);
      const headings = this.file.headings.map((heading, row) => this.ids(this.heading(row)));
      yield;
      let touched = [];
      const count = (ids, weight, field) => {
        for (const id of ids) {
          if (!seen[id]) touched.push(id);
          if (!(seen[id] & field)) {
            seen[id] |= field;
            this.counts[id] += 1;
          }
          told[id] += weight;
        }
      };
      for (let row = 0; row < this.size; row += 1) {
        const text = this.file.texts[row] ? this.ids(this.file.texts[row]) : [];
        const examples = this.file.examples[row] ? this.ids(this.file.examples[row]) : [];
        count(headings[row], HEADING, 1);
        for (const id of headings[row]) this.titles.add(this.stems[id]);
        for (const one of this.above(row)) count(headings[one], ABOVE, 2);
        count(text, TEXT, 4);
        count(examples, EXAMPLES, 8);
        const length = K * (1 - B + (B * text.length) / USUAL);
        for (const id of touched) {
          this.postings[id].push(row, told[id] / (told[id] + length));
          told[id] = seen[id] = 0;
        }
        touched = [];
        this.own[row] = text.length;
        this.rows.push(examples.length ? text.concat(examples) : text);
        if (row % AT_ONCE === 0) yield;
      }
      this.byStem = new Map();
      this.spelled.forEach((word, id) => {
        const known = this.byStem.get(this.stems[id]);
        if (known === undefined) this.byStem.set(this.stems[id], [id]);
        else known.push(id);
      });
      this.families = new Map();
      for (const one of this.byStem.keys()) {
        const family = familyOf(one);
        if (family) this.families.set(family, [...(this.families.get(family) ?? []), one]);
      }
      this.common = COMMON * this.counts.reduce((most, one) => Math.max(most, one), 0);
      yield;
      this.vocabulary = new Vocabulary(this.file.synonyms);
    }

    ids(text) {
      const folded = fold(text).replaceAll("\u2014", " "); // no word has a dash; plain text is read faster
      const found = folded.match(wordRegExp(folded)) ?? [];
      for (let place = 0; place < found.length; place += 1) {
        found[place] = this.printed.get(found[place]) ?? this.idOf(found[place]);
      }
      return found;
    }

    /** Return the id of a word that is met in this form for the first time. */
    idOf(printed) {
      const word = bare(printed);
      let id = this.words.get(word);
      if (id === undefined) {
        id = this.spelled.length;
        this.words.set(word, id);
        this.spelled.push(word);
        this.stems.push(stemOf(word));
        this.postings.push([]);
        this.counts.push(0);
      }
      this.printed.set(printed, id);
      return id;
    }

    // The words of the index

    allCounts(word) {
      return this.forms(word).reduce((sum, id) => sum + this.counts[id], 0);
    }

    isCommon(word) {
      return this.allCounts(word) > this.common;
    }

    isTerm(word) {
      return this.titles.has(stemOf(word));
    }

    forms(word) {
      return this.byStem.get(stemOf(word)) ?? [];
    }

    relatives(word) {
      const own = stemOf(word);
      const family = familyOf(own) || own;
      const stems = new Set([family, ...(this.families.get(family) ?? [])]);
      stems.delete(own);
      return [...stems].flatMap((one) => this.byStem.get(one) ?? []);
    }

    beginning(letters) {
      return this.spelled.flatMap((word, id) => (word.startsWith(letters) ? [id] : []));
    }

    /** Return the words that look most like one that is not there. */
    like(word) {
      if (word.length < 3 || !LETTERS.test(word.replaceAll("'", ""))) return [];
      const most = Math.floor(word.length / 3);
      const near = [];
      this.spelled.forEach((form, id) => {
        if (form.length < 3 || Math.abs(form.length - word.length) > most || !LETTERS.test(form)) return;
        const apart = distance(word, form, most);
        if (apart <= most) near.push([apart, form[0] === word[0] ? 0 : 1, -this.counts[id], form]);
      });
      near.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || (a[3] < b[3] ? -1 : 1));
      const found = new Map();
      for (const [apart, , , form] of near) {
        if (apart <= near[0][0] + (near[0][0] > 1 ? 1 : 0) && !found.has(stemOf(form))) found.set(stemOf(form), form);
      }
      return [...found.values()].slice(0, 3);
    }

    // What words tell

    addWord(found, id, factor) {
      const posting = this.postings[id];
      for (let at = 0; at < posting.length; at += 2) {
        const told = posting[at + 1] * factor;
        if (told > (found.get(posting[at]) ?? 0)) found.set(posting[at], told);
      }
    }

    ofWord(word) {
      const found = new Map();
      for (const id of this.forms(word)) this.addWord(found, id, this.spelled[id] === word ? 1 : FORM);
      for (const id of this.relatives(word)) this.addWord(found, id, RELATIVE);
      return found;
    }

    /** Return the rows that have all of some words, in any form and anywhere. */
    ofWords(words) {
      const name = words.join(" ");
      let known = this.weighed.get(name);
      if (known === undefined) {
        if (this.weighed.size > 2000) this.weighed.clear();
        known = words.length === 1 ? this.ofWord(words[0]) : this.ofAll(words);
        this.weighed.set(name, known);
      }
      return known;
    }

    ofAll(words) {
      const distinct = [...new Set(words)];
      const rare = distinct.filter((word) => !this.isCommon(word));
      return common((rare.length ? rare : distinct).map((word) => this.ofWords([word])));
    }

    /** Return the rows that have all words of a phrase in just these forms. */
    ofPhrase(words) {
      return common([...new Set(words)].map((word) => {
        const found = new Map();
        if (this.words.has(word)) this.addWord(found, this.words.get(word), 1);
        return found;
      }));
    }

    ofNumber({ number, isOpen }) {
      const found = new Map();
      this.numbers.forEach((bearer, row) => {
        if (bearer === number) found.set(row, BEARER);
        else if (bearer && (isOpen ? bearer.startsWith(number) : isBelow(bearer, number))) found.set(row, BELOW);
      });
      if (this.words.has(number)) this.addWord(found, this.words.get(number), NAMING);
      return found;
    }

    /** Say whether a row prints some words in a row. */
    prints(row, words) {
      const ids = words.map((word) => this.words.get(word));
      if (ids.includes(undefined)) return false;
      const printed = [...this.ids(this.heading(row)), ...this.rows[row]];
      return printed.some((_, at) => ids.every((id, place) => printed[at + place] === id));
    }

    /** Return what ranking needs to know about a row. */
    document(row) {
      let known = this.documents.get(row);
      if (known === undefined) {
        const text = this.text(row);
        let sum = 0;
        known = {
          kind: this.kind(row),
          heading: stemsIn(stemsOf(plainWords(this.heading(row)))),
          above: stemsIn(stemsOf(plainWords(this.under(row)))),
          text: stemsIn(this.rows[row].map((id) => this.stems[id])),
          own: this.own[row],
          ends: sentences(text).map(([start, stop]) => (sum += plainWords(text.slice(start, stop)).length)),
          cited: this.file.cited[row],
        };
        if (this.documents.size > 1500) this.documents.clear();
        this.documents.set(row, known);
      }
      return known;
    }
  }

  /** Return how far words are apart (optimal string alignment), or more than `most`. */
  function distance(one, other, most) {
    let two = [], before = [], row = Array.from({ length: other.length + 1 }, (_, at) => at);
    for (let i = 1; i <= one.length; i += 1) {
      [two, before, row] = [before, row, [i]];
      let best = i;
      for (let j = 1; j <= other.length; j += 1) {
        const same = one[i - 1] === other[j - 1] ? 0 : 1;
        let least = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + same);
        if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) least = Math.min(least, two[j - 2] + 1);
        row.push(least);
        best = Math.min(best, least);
      }
      if (best > most + 1) return most + 1;
    }
    return row[other.length];
  }

  /** Return the rows that are in all of some maps, with the mean of what these tell. */
  function common(maps) {
    const [first, ...rest] = maps.sort((a, b) => a.size - b.size);
    const found = new Map();
    for (const [row, told] of first) {
      if (rest.every((one) => one.has(row))) {
        found.set(row, rest.reduce((sum, one) => sum + one.get(row), told) / maps.length);
      }
    }
    return found;
  }

  function add(found, more, factor) {
    for (const [row, told] of more) {
      if (told * factor > (found.get(row) ?? 0)) found.set(row, told * factor);
    }
  }

  // The parts of a query -------------------------------------------------------------------------

  const ASKING = new Set((
    "a about an and anyone are at be by did do does doing for from get gets getting happen happens " +
    "has have he her him his how i i'm i've in is it its just let's me mean means my of on or our " +
    "she so somebody someone something still than that the their them then there they thing this to " +
    "want was we were what when where which who why will with work works would you your"
  ).split(" "));
  const ASKING_WEIGHT = 0.12, FORM = 0.92, RELATIVE = 0.5, LOOSE = 0.3, NUMBER_WEIGHT = 3.0;
  const LONGER = 0.4, NO_TERM = 0.7, RAREST = 6.0;
  const BEARER = 1.0, BELOW = 0.8, NAMING = 0.6;

  function groupOf(asked, more = {}) {
    return {
      asked, weights: new Map(), tells: 0, stems: [], own: 0, others: new Map(),
      isAsking: false, isLoose: false, isSpread: false, isFaint: false, askedStems: stemsOf(asked), ...more,
    };
  }

  class Grouping {
    constructor(index) {
      this.index = index;
    }

    /** Return the groups of words that stand beside each other in a query. */
    ofRun(words, isStrict) {
      const { index } = this;
      const maySpread = !isStrict && words.some((word) => this.isTelling(word));
      const known = new Map(index.vocabulary.find(words).map((one) => [one.start, one]));
      const found = [];
      let place = 0;
      while (place < words.length) {
        const span = known.get(place);
        const stop = span === undefined ? place + 1 : span.stop;
        const some = words.slice(place, stop), others = span === undefined ? [] : span.others;
        if (maySpread && !others.length && index.isCommon(some[0])) found.push(this.spread(some[0]));
        else found.push(this.group(some, others));
        if (stop - place > 1) found.push(...some.map((word) => this.loose(word)));
        place = stop;
      }
      return found;
    }

    group(words, others) {
      const { index } = this;
      const group = groupOf(words, { isAsking: words.length === 1 && ASKING.has(words[0]), own: 1 });
      const own = index.ofWords(words);
      group.stems.push(stemsOf(words));
      group.weights = new Map(own);
      const first = group.stems[0].join(" ");
      for (const other of others) {
        const there = index.ofWords(other.words);
        if (!there.size) continue;
        const stems = stemsOf(other.words), key = stems.join(" ");
        if (!group.others.has(key) && key !== first) {
          group.stems.push(stems);
          group.others.set(key, other);
        }
        add(group.weights, there, own.size ? other.weight : Math.max(other.weight, 0.9));
      }
      this.weigh(group, 1 + LONGER * (words.length - 1));
      if (group.isAsking && !group.others.size) group.tells *= ASKING_WEIGHT;
      return group;
    }

    isTelling(word) {
      return !ASKING.has(word) && !this.index.isCommon(word) && this.index.forms(word).length > 0;
    }

    spread(word) {
      const isAsking = ASKING.has(word);
      const group = groupOf([word], { stems: [[stemOf(word)]], own: 1, isSpread: true, isAsking });
      this.weigh(group, isAsking ? ASKING_WEIGHT : 1);
      return group;
    }

    loose(word) {
      const group = groupOf([word], { weights: this.index.ofWords([word]), stems: [[stemOf(word)]], own: 1 });
      this.weigh(group, LOOSE);
      group.isLoose = true;
      group.isFaint = ASKING.has(word) || this.index.isCommon(word);
      return group;
    }

    ofPart(part) {
      const { index } = this;
      let group;
      if (part.kind === "phrase") {
        group = groupOf(part.words, { weights: index.ofPhrase(part.words), stems: [stemsOf(part.words)], own: 1 });
        this.weigh(group, 1 + LONGER * (part.words.length - 1));
      } else if (part.kind === "prefix") {
        group = groupOf([`${part.letters}*`]);
        const ids = index.beginning(part.letters);
        for (const id of ids) index.addWord(group.weights, id, 1);
        group.stems = [...new Set(ids.map((id) => index.stems[id]))].sort().map((one) => [one]);
        group.own = group.stems.length;
        this.weigh(group, 1);
      } else {
        group = groupOf([part.number], { weights: index.ofNumber(part), stems: [[part.number]], own: 1 });
        this.weigh(group, NUMBER_WEIGHT);
      }
      return group;
    }

    /** Return the group of a phrase with other words for what is known of it. */
    ofOtherPhrases({ words }) {
      const group = groupOf(words);
      for (const known of this.index.vocabulary.find(words)) {
        for (const other of known.others) {
          const whole = [...words.slice(0, known.start), ...other.words, ...words.slice(known.stop)];
          const stems = stemsOf(whole), key = stems.join(" ");
          if (group.others.has(key)) continue;
          group.others.set(key, { ...other, words: whole });
          group.stems.push(stems);
          add(group.weights, this.index.ofPhrase(whole), other.weight);
        }
      }
      this.weigh(group, 1 + LONGER * (words.length - 1));
      return group;
    }

    weigh(group, factor) {
      const size = this.index.size;
      const having = group.isSpread ? Math.min(size, this.index.allCounts(group.asked[0])) : group.weights.size;
      if (!having) return;
      const told = Math.min(Math.log(1 + (size - having + 0.5) / (having + 0.5)), RAREST);
      const isTerm = group.asked.some((word) => this.index.isTerm(word));
      group.tells = factor * told * (isTerm || group.others.size ? 1 : NO_TERM);
    }
  }

  // What a query asks of the index ---------------------------------------------------------------

  class Planner {
    constructor(index) {
      this.index = index;
      this.grouping = new Grouping(index);
    }

    /** Return what a part of a query asks: the rows that may answer, and groups to rank them by. */
    plan(part) {
      switch (part.kind) {
        case "all": return this.all(part);
        case "either": {
          const plans = part.parts.map((one) => this.plan(one));
          return joined(union(plans.map((one) => one.rows)), plans);
        }
        case "not": {
          const rows = this.everything();
          for (const row of this.plan(part.part).rows) rows.delete(row);
          return { rows, groups: [] };
        }
        case "plain": return this.run([part.word], true);
        case "phrase": return this.phrase(part);
        default: {
          const group = this.grouping.ofPart(part);
          return { rows: new Set(group.weights.keys()), groups: [group] };
        }
      }
    }

    everything() {
      return new Set(this.index.numbers.keys());
    }

    /** Return what has the words of a phrase in a row; if nothing does, other words for them. */
    phrase(part) {
      let group = this.grouping.ofPart(part);
      this.keepPrinted(group, [part.words]);
      if (!group.weights.size) {
        group = this.grouping.ofOtherPhrases(part);
        this.keepPrinted(group, [...group.others.values()].map((other) => other.words));
      }
      return { rows: new Set(group.weights.keys()), groups: [group] };
    }

    keepPrinted(group, phrases) {
      for (const row of [...group.weights.keys()]) {
        if (!phrases.some((words) => this.index.prints(row, words))) group.weights.delete(row);
      }
    }

    all({ parts, isStrict }) {
      const plans = [], soft = [], banned = new Set();
      let run = [];
      const finish = () => {
        if (!run.length) return;
        plans.push(this.run(run, isStrict));
        soft.push(plans.at(-1));
        run = [];
      };
      for (const part of parts) {
        if (part.kind === "plain") {
          run.push(part.word);
          continue;
        }
        finish();
        if (part.kind === "not") {
          for (const row of this.plan(part.part).rows) banned.add(row);
          continue;
        }
        plans.push(this.plan(part));
        if (part.kind === "number" || part.kind === "prefix") soft.push(plans.at(-1));
      }
      finish();
      const hard = isStrict ? plans : plans.filter((one) => !soft.includes(one));
      let rows;
      if (hard.length) rows = hard.map((one) => one.rows).reduce((a, b) => new Set([...a].filter((row) => b.has(row))));
      else rows = soft.length ? union(soft.map((one) => one.rows)) : this.everything();
      for (const row of banned) rows.delete(row);
      return joined(rows, plans);
    }

    run(words, isStrict) {
      const groups = this.grouping.ofRun(words, isStrict);
      if (isStrict) {
        const asked = groups.filter((one) => !one.isLoose).map((one) => one.weights);
        return { rows: new Set(common(asked).keys()), groups };
      }
      const telling = groups.filter((one) => !one.isAsking && one.weights.size);
      return { rows: union((telling.length ? telling : groups).map((one) => one.weights.keys())), groups };
    }
  }

  function union(sets) {
    const found = new Set();
    for (const one of sets) for (const row of one) found.add(row);
    return found;
  }

  const joined = (rows, plans) => ({ rows: new Set(rows), groups: plans.flatMap((one) => one.groups) });

  // Ranking --------------------------------------------------------------------------------------

  const CLOSELY = 30;
  const WEIGHTS = {
    coverage: 1.1, apart: 0.85, heading: 1.4, wholeHeading: 0.6, near: 0.6, row: 0.75, sentence: 0.8,
    under: 0.5, early: 0.8, cited: 0.16,
  };
  const OF_KIND = { chapter: 1.0, section: 1.2, rule: 1.3, subrule: 1.03, glossary: 1.0 };
  const DISTANCES = [[0, 1.0], [2, 0.7], [5, 0.4], [12, 0.15]];
  const BESIDE = 0.8, SPREAD = 0.45, FEW = 3, EARLY = 12, WHOLE = 0.85, WRONG_WAY = 1, IN_EXAMPLE = 3;

  function stemsIn(row) {
    const places = new Map();
    row.forEach((one, place) => {
      const known = places.get(one);
      if (known === undefined) places.set(one, [place]);
      else known.push(place);
    });
    return { row, places };
  }

  const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

  /** Return where a group stands in a text: the first and the last of its words. */
  function placesOf(group, stems) {
    const found = [];
    for (const words of group.stems) {
      for (const place of stems.places.get(words[0]) ?? []) {
        if (words.every((one, at) => stems.row[place + at] === one)) found.push([place, place + words.length - 1]);
      }
    }
    return found;
  }

  function score(groups, told, document) {
    const whole = sum(groups.map((group) => group.tells)) || 1;
    const asked = groups.filter((group) => !group.isLoose).flatMap((group) => group.askedStems);
    const places = groups.map((group) => placesOf(group, document.text));
    const heading = groups.map((group) => placesOf(group, document.heading));
    const above = groups.map((group) => placesOf(group, document.above));
    let base = 0, covered = 0, apart = 0, coveredApart = 0, titled = 0, over = 0, early = 0;
    groups.forEach((group, at) => {
      const isThere = places[at].length + heading[at].length + above[at].length > 0;
      const much = group.isSpread && isThere ? SPREAD : told[at];
      if (!much) return;
      if (isThere || !group.stems.length) {
        base += group.tells * much;
        covered += group.tells;
      } else {
        apart += group.tells * much;
        coveredApart += group.tells;
      }
      if (heading[at].length) titled += group.tells;
      if (above[at].length) over += group.tells;
      if (places[at].length && !group.isAsking) early += group.tells * Math.max(0, 1 - places[at][0][0] / EARLY);
    });
    const fits = fit(document.heading, heading);
    if (fits === 1) {
      const beside = sum(groups.map((group, at) => (above[at].length && !heading[at].length ? group.tells : 0)));
      titled += BESIDE * beside;
      over -= beside;
    }
    titled /= whole;
    const isAbove = groups.map((_, at) => heading[at].length + above[at].length > 0);
    const more = 1 +
      WEIGHTS.heading * titled * fits +
      WEIGHTS.wholeHeading * (fits === 1 && titled > WHOLE ? 1 : 0) +
      WEIGHTS.near * nearness(groups, places, document.own, whole) +
      WEIGHTS.row * inRow(asked, document.text, document.own) +
      WEIGHTS.sentence * (inSentence(groups, places, isAbove, document.ends) / whole) +
      WEIGHTS.under * (over / whole) +
      WEIGHTS.early * (early / whole) +
      WEIGHTS.cited * Math.log(1 + document.cited);
    const all = (covered + coveredApart * WEIGHTS.apart) / whole;
    return (base + apart * WEIGHTS.apart) * all ** WEIGHTS.coverage * more * OF_KIND[document.kind];
  }

  function fit(heading, places) {
    if (!heading.row.length) return 0;
    const named = new Set();
    for (const there of places) for (const [first, last] of there) for (let one = first; one <= last; one += 1) named.add(one);
    return named.size / heading.row.length;
  }

  function nearness(groups, places, own, whole) {
    const telling = groups.flatMap((group, at) =>
      (places[at].length && !group.isAsking && !group.isLoose ? [[group.tells, places[at]]] : []));
    let found = 0;
    for (let at = 1; at < telling.length; at += 1) {
      const [tells, before] = telling[at - 1], [tellsToo, after] = telling[at];
      let gap = Infinity;
      for (const [first, last] of before) {
        for (const [next, end] of after) {
          const one = (next > last ? next - last - 1 : first - end - 1 + WRONG_WAY) + (next < own ? 0 : IN_EXAMPLE);
          if (one < gap) gap = one;
        }
      }
      const weight = DISTANCES.find(([most]) => gap <= most);
      if (weight !== undefined) found += Math.min(tells, tellsToo) * weight[1];
    }
    return found / whole;
  }

  /** Return the place of the first of sorted numbers that is greater than one. */
  function placeIn(numbers, one) {
    const found = numbers.findIndex((number) => number > one);
    return found < 0 ? numbers.length : found;
  }

  function inSentence(groups, places, isAbove, ends) {
    if (groups.filter((group) => !group.isLoose).length <= FEW) return 0;
    const told = new Array(ends.length + 1).fill(0);
    let above = 0;
    groups.forEach((group, at) => {
      if (isAbove[at]) above += group.tells;
      else for (const one of new Set(places[at].map(([first]) => placeIn(ends, first)))) told[one] += group.tells;
    });
    return above + Math.max(...told);
  }

  function inRow(asked, stems, own) {
    const rows = new Map();
    asked.forEach((one, at) => {
      for (const place of stems.places.get(one) ?? []) {
        if (place >= own) continue;
        const known = rows.get(place - at);
        if (known === undefined) rows.set(place - at, [at]);
        else known.push(at);
      }
    });
    let best = 0;
    for (const row of rows.values()) {
      let run = 0, before = -1;
      for (const at of row) {
        run = at === before + 1 ? run + 1 : 1;
        best = Math.max(best, run);
        before = at;
      }
    }
    return best >= 2 ? best / asked.length : 0;
  }

  // Snippets -------------------------------------------------------------------------------------

  /** Return where the sentences of a text begin and end, without the blanks around them. */
  function sentences(text) {
    const found = [];
    let start = 0;
    const ends = Array.from(
      text.matchAll(/[.!?]["\u201d\u2019')]*(?=\s+[A-Z0-9"\u201c\u2018([{])|\n/g),
      (end) => end.index + end[0].length,
    );
    for (const stop of [...ends, text.length]) {
      const words = text.slice(start, stop);
      if (stop < text.length && isOpen(words) && text[stop - 1] !== "\n") continue;
      if (words.trim()) found.push([start + words.length - words.trimStart().length, start + words.trimEnd().length]);
      start = stop;
    }
    return found.length ? found : [[0, text.length]];
  }

  function isOpen(words) {
    const count = (sign) => words.split(sign).length - 1;
    return count("\u201c") > count("\u201d") || count('"') % 2 === 1;
  }

  /** Return the sentence with most of what was asked, in pieces: [words, whether they match] each. */
  function snippet(text, groups) {
    const words = wordsOf(text);
    const stems = stemsIn(words.map(([word]) => stemOf(word)));
    const all = sentences(text), starts = all.map(([start]) => start);
    const spans = groups.map((group) => [group, placesOf(group, stems)]);
    const told = new Array(starts.length).fill(0);
    for (const [group, there] of spans) {
      const where = new Set(there.map(([first]) => Math.max(placeIn(starts, words[first][1]) - 1, 0)));
      for (const one of where) told[one] += group.tells;
    }
    const [start, stop] = all[told.indexOf(Math.max(...told))];
    const telling = spans.filter(([group]) => !group.isAsking && !group.isFaint);
    const marked = new Set();
    for (const [, there] of telling.length ? telling : spans) {
      for (const [first, last] of there) for (let one = first; one <= last; one += 1) marked.add(one);
    }
    const runs = [];
    for (const place of [...marked].sort((a, b) => a - b)) {
      const [, from, to] = words[place];
      if (from < start || from >= stop) continue;
      const last = runs.at(-1);
      if (last !== undefined && /^[ \-\u2010]*$/.test(text.slice(last[1], from))) last[1] = to;
      else runs.push([from, to]);
    }
    const pieces = [];
    let done = start;
    for (const [from, to] of runs) {
      if (from > done) pieces.push([text.slice(done, from), false]);
      pieces.push([text.slice(from, to), true]);
      done = to;
    }
    if (done < stop) pieces.push([text.slice(done, stop), false]);
    return pieces;
  }

  // Searching ------------------------------------------------------------------------------------

  class Search {
    constructor(file) {
      this.index = new Index(file);
      this.planner = new Planner(this.index);
      this.steps = this.index.prepare();
      this.isReady = false;
    }

    /** Make ready, as far as a deadline allows; return whether all is done. */
    prepare(hasTime = () => true) {
      while (!this.isReady && hasTime()) this.isReady = this.steps.next().done;
      return this.isReady;
    }

    /**
     * Return what answers a query.
     *
     * @param {string} query - As typed.
     * @param {number} limit - The most hits.
     * @param {boolean} isTyping - Whether its last word may not be complete yet.
     */
    find(query, limit = 10, isTyping = false) {
      this.prepare();
      let part = parseQuery(query);
      const nothing = { hits: [], total: 0, expanded: [], missing: [], suggestions: [], number: null };
      if (part === null) return nothing;
      if (isTyping && !/\s$/.test(query)) part = this.completed(part);
      const number = part.kind === "number" ? part : null;
      const plan = this.planner.plan(part);
      const ranked = number === null ? this.ranked(plan, limit) : this.byNumber(plan, number);
      const shown = ranked.slice(0, limit);
      const missing = plan.groups
        .filter((one) => !one.weights.size && !one.isLoose && !one.isSpread && !one.isAsking)
        .map((one) => one.asked.join(" "));
      return {
        hits: shown.map((row) => this.hit(row, plan.groups)),
        total: plan.rows.size,
        expanded: this.expanded(plan.groups, shown, query),
        missing,
        suggestions: this.suggestions(query, missing),
        number,
      };
    }

    /** Return a query whose last word, where nothing has it, is the beginning of one. */
    completed(part) {
      if (part.kind === "all" && !part.isStrict) {
        const parts = part.parts, last = parts.at(-1);
        const before = parts.slice(0, -1).map((one) => one.word ?? "");
        const completed = this.completed({ ...last, before });
        return completed === last ? part : { ...part, parts: [...parts.slice(0, -1), completed] };
      }
      if (part.kind !== "plain" || part.word.length < 2 || !LETTERS.test(part.word)) return part;
      const { index } = this;
      const words = [...(part.before ?? []), part.word];
      const isKnown = index.forms(part.word).length || index.relatives(part.word).length ||
        index.vocabulary.find(words).some((one) => one.stop === words.length);
      return isKnown || !index.beginning(part.word).length ? part : { kind: "prefix", letters: part.word };
    }

    ranked({ rows, groups }, limit) {
      const whole = sum(groups.map((group) => group.tells)) || 1;
      const rough = [];
      for (const row of rows) {
        let told = 0, covered = 0;
        for (const group of groups) {
          const much = group.weights.get(row);
          if (much !== undefined) {
            told += group.tells * much;
            covered += group.tells;
          }
        }
        rough.push([row, (told * covered) / whole]);
      }
      rough.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
      const close = rough.slice(0, Math.max(CLOSELY, limit)).map(([row]) =>
        [row, score(groups, groups.map((group) => group.weights.get(row) ?? 0), this.index.document(row))]);
      return close.sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([row]) => row);
    }

    /** Order what a number finds: its bearer, what stands below it, what begins so, what names it. */
    byNumber({ rows, groups }, { number, isOpen }) {
      const { index } = this;
      const found = [...rows];
      const rank = (row) => {
        const one = index.numbers[row];
        if (one === number) return 0;
        return one && (isOpen ? one.startsWith(number) : isBelow(one, number)) ? 1 : 3;
      };
      const known = new Set(found);
      if (number.includes(".")) {
        index.numbers.forEach((one, row) => {
          if (one.startsWith(number) && !known.has(row)) found.push(row);
        });
      }
      const told = new Map(found.map((row) => [row, rank(row)]));
      for (const row of found) if (told.get(row) === 3 && index.numbers[row].startsWith(number)) told.set(row, 2);
      const scores = new Map(found.map((row) => [row,
        told.get(row) < 3 ? 0 : score(groups, groups.map((group) => group.weights.get(row) ?? 0), index.document(row))]));
      return found.sort((a, b) =>
        told.get(a) - told.get(b) ||
        (told.get(a) < 3 ? compareNumbers(index.numbers[a], index.numbers[b]) : scores.get(b) - scores.get(a)) ||
        a - b);
    }

    hit(row, groups) {
      const { index } = this, { file } = index;
      const isEntry = file.kinds[row] === "g";
      const path = index.above(row).reverse().map((one) =>
        (file.headings[one] ? `${index.numbers[one]}. ${file.headings[one]}` : index.numbers[one]));
      return {
        row,
        kind: index.kind(row),
        number: isEntry ? null : file.names[row],
        heading: index.heading(row),
        name: isEntry ? `glossary: ${file.names[row]}` : file.names[row],
        path,
        href: isEntry ? this.entryHref(row) : this.ruleHref(file.names[row]),
        snippet: snippet(index.text(row) || index.heading(row), groups),
      };
    }

    ruleHref(name) {
      const [number, bearer] = name.split("#");
      const href = this.index.file.addresses.rule.replace("{}", number);
      return bearer === undefined || bearer === "1" ? href : `${href}#${number}-${bearer}`;
    }

    entryHref(row) {
      const { file } = this.index;
      const slug = file.slugs[row - file.kinds.indexOf("g")];
      return file.addresses.entry.replace("{}", slug);
    }

    /** Return a provision of today by its name ("704.5k", "glossary: Bury"); null without one. */
    named(name) {
      const { file } = this.index;
      const isEntry = name.startsWith("glossary: ");
      const wanted = isEntry ? name.slice("glossary: ".length) : name;
      const row = file.names.findIndex((one, at) => one === wanted && (file.kinds[at] === "g") === isEntry);
      return row < 0 ? null : this.hit(row, []);
    }

    /** Return the other words by which what is shown was found. */
    expanded(groups, shown, query) {
      const documents = shown.map((row) => this.index.document(row));
      const standsIn = (document, words) => {
        const group = { stems: [words] };
        return [document.text, document.heading, document.above].some((one) => placesOf(group, one).length);
      };
      const found = new Map();
      for (const group of groups) {
        if (!group.others.size) continue;
        const own = group.stems.slice(0, group.own);
        const lacking = documents.filter((one) => !own.some((words) => standsIn(one, words)));
        for (const [key, other] of group.others) {
          if (!lacking.some((one) => standsIn(one, key.split(" ")))) continue;
          const from = group.asked.join(" ");
          const at = fold(query).indexOf(from);
          const to = (other.kind === "players" ? other.words : other.form.spellings[0]).join(" ");
          if (!found.has(`${from}\n${to}`)) {
            found.set(`${from}\n${to}`, {
              from, to, typed: at < 0 ? from : query.slice(at, at + from.length), label: other.label, kind: other.kind, since: other.form.first, until: other.form.last,
              asked: { since: other.asked.first, until: other.asked.last, isGone: other.asked.isGone },
            });
          }
        }
      }
      return [...found.values()];
    }

    /** Return queries that were perhaps meant: with words like those that nothing has. */
    suggestions(query, missing) {
      const known = missing.map((word) => [word, this.index.like(word)]).filter(([, like]) => like.length);
      if (!known.length) return [];
      const replaced = (text, word, other) => {
        const place = fold(text).indexOf(word);
        return place < 0 ? text : text.slice(0, place) + other + text.slice(place + word.length);
      };
      const [[first, likes], ...others] = known;
      const rest = others.reduce((text, [word, like]) => replaced(text, word, like[0]), query);
      return likes.map((like) => replaced(rest, first, like));
    }
  }

  /** Return who bore a number in former times, the latest first, as `numbers.json` tells. */
  function formerBearers(file, number) {
    return (Object.hasOwn(file.numbers, number) ? file.numbers[number] : []).map(([runs, fate, gist, heir]) => {
      const stood = [];
      for (let at = 0; at < runs.length; at += 2) stood.push([file.labels[runs[at]], file.labels[runs[at + 1]]]);
      return typeof fate === "number"
        ? { stood, isGone: true, since: file.labels[fate], gist, now: heir }
        : { stood, isGone: false, now: fate || number, isHere: fate === "" };
    });
  }

  Object.assign(variorum, { Search, numberIn, formerBearers, stemOf, plainWords });
})(globalThis.variorum ??= {});
