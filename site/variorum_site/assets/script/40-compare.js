// Any two editions compared, without the page: from steps and texts to changes. This follows the
// command's `cr diff` (variorum_kb/answers/crosswalk.py and changes.py, history/changes.py and diff.py)
// step by step, so that both answer alike; the names are the same.
(function (variorum) {
  "use strict";

  // As in rows.py.
  const STEP_KINDS = [
    "kept", "renumbered", "reworded", "split", "merged", "copied", "new", "gone", "uncertain",
  ];
  const [KEPT, RENUMBERED, REWORDED, SPLIT, MERGED, COPIED, NEW, GONE, UNCERTAIN] =
    STEP_KINDS.map((_, place) => 1 << place);
  const TOLD = REWORDED | SPLIT | MERGED | COPIED | UNCERTAIN;
  const NONE = "", TYPOGRAPHIC = "typographic", CITATION = "citation-only", SWEEP = "sweep";
  const SUBSTANTIVE = "substantive";
  // As in history/changes.py and history/diff.py.
  const SLOT = "\ue000", SWEPT_IN = 5, LONGEST = 6, FEW = 2;
  const SPELLINGS = { "\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2212": "-" };

  function summed(steps) {
    let sum = 0;
    return Int32Array.from(steps, (step) => (sum += step));
  }

  /** Return a list with edits made: how many stay, how many go, how many come, and these. */
  function patched(before, edits, at = 0) {
    const found = [];
    let place = 0;
    while (at < edits.length) {
      const stop = place + edits[at], came = edits[at + 2];
      while (place < stop) found.push(before[place++]);
      place += edits[at + 1];
      at += 3;
      for (const end = at + came; at < end; at += 1) found.push(edits[at]);
    }
    while (place < before.length) found.push(before[place++]);
    return found;
  }

  /** All that comparisons rest on: made of steps.json; texts are added file by file, in order. */
  class CompareData {
    constructor(steps) {
      this.editions = steps.editions;
      this.numbers = steps.numbers;
      this.starts = steps.files;
      this.marks = steps.marks;
      this.kinds = steps.states.kinds;
      this.headings = steps.states.headings;
      this.bodies = summed(steps.states.bodies);
      this.addresses = this.#addresses(summed(steps.states.numbers));
      this.held = this.#held(steps.held);
      this.links = this.#links(steps.links);
      this.files = 0;
      this.words = new Map([[SLOT, 0]]);
      this.wordTexts = [SLOT];
      this.tokens = [];
      this.rows = [];
      this.slugs = new Map();
      this.stated = new Map();
      this.codes = [];
      this.canons = new Map();
    }

    #addresses(places) {
      let next = 0;
      return Array.from(this.kinds, (kind) => (kind === "g" ? "" : this.numbers[places[next++]]));
    }

    #held(coded) {
      const found = [];
      let due = 0, before = [];
      for (const steps of coded) {
        const edits = steps.slice();
        for (let at = 0; at < edits.length; ) {
          const stop = at + 3 + edits[at + 2];
          for (at += 3; at < stop; at += 1) due = (edits[at] += due) + 1;
        }
        found.push((before = patched(before, edits)));
      }
      return found;
    }

    /** Return the links by the editions into which they lead. */
    #links(columns) {
      let place = 0, old = 0, last = 0;
      return columns.counts.map((count, edition) => {
        const links = [];
        for (const stop = place + count; place < stop; place += 1) {
          old += columns.olds[place];
          const step = columns.news[place];
          if (step !== null) last += step;
          const source = columns.sources[place] ?? edition - 1;
          links.push({ edition, source, old, new: step === null ? null : last, bits: columns.bits[place] });
        }
        return links;
      });
    }

    /** Return how many files of texts two editions need. */
    needs(a, b) {
      let most = 0;
      for (const edition of [a, b]) {
        for (const state of this.held[edition]) most = Math.max(most, this.headings[state], this.bodies[state]);
      }
      return this.starts.filter((start) => start <= most).length;
    }

    /** Take in the next file of texts. */
    add(file) {
      if (file.mark !== this.marks[this.files]) throw new RangeError("a file of texts is of another build");
      this.files += 1;
      for (const token of file.tokens) this.tokens.push(this.#token(token));
      for (const row of file.texts) this.rows.push(row);
      for (const [place, words] of Object.entries(file.canon)) this.stated.set(+place, words.map((word) => this.#word(word)));
      for (const [place, slug] of Object.entries(file.slugs)) this.slugs.set(+place, slug);
    }

    #token(coded) {
      if (typeof coded === "string") {
        const bare = coded.replace(/[ \n]+$/, "").toLowerCase();
        return { text: coded, canon: /^[a-z0-9]+$/.test(bare) ? [this.#word(bare)] : [], citations: [] };
      }
      if (coded.length === 1) {
        const bare = coded[0].replace(/[ \n]+$/, "");
        return { text: coded[0], canon: [0], citations: [[bare, bare]] };
      }
      return { text: coded[0], canon: coded[1].map((word) => this.#word(word)), citations: coded[2] };
    }

    #word(word) {
      let known = this.words.get(word);
      if (known === undefined) {
        known = this.wordTexts.length;
        this.words.set(word, known);
        this.wordTexts.push(word);
      }
      return known;
    }

    /** Return the tokens of a text, by their places. */
    codesOf(text) {
      const waiting = [];
      while (this.codes[text] === undefined) {
        const row = this.rows[text];
        if (row[0] && this.codes[text - row[0]] === undefined) {
          waiting.push(text);
          text -= row[0];
          continue;
        }
        this.codes[text] = row[0] ? patched(this.codes[text - row[0]], row, 1) : row.slice(1);
        if (waiting.length) text = waiting.pop();
      }
      return this.codes[text];
    }

    tokensOf(text) {
      return this.codesOf(text).map((code) => this.tokens[code].text);
    }

    textOf(text) {
      return this.tokensOf(text).join("");
    }

    /** Return the canonical text of a state: words by their places, and citations. */
    canon(state) {
      const heading = this.headings[state], body = this.bodies[state];
      const key = heading * 0x100000 + body;
      let known = this.canons.get(key);
      if (known === undefined) {
        known = { words: [], citations: [] };
        for (const text of [heading, body]) {
          const stated = this.stated.get(text);
          if (stated) known.words.push(...stated);
          for (const code of this.codesOf(text)) {
            const token = this.tokens[code];
            if (!stated) known.words.push(...token.canon);
            known.citations.push(...token.citations);
          }
        }
        this.canons.set(key, known);
      }
      return known;
    }

    headingOf(state) {
      return this.textOf(this.headings[state]);
    }

    /** Return the number as printed, "" of a glossary entry. */
    numberOf(state) {
      return this.addresses[state].split("#", 1)[0];
    }

    nameOf(state) {
      return this.kinds[state] === "g" ? `glossary: ${this.headingOf(state)}` : this.addresses[state];
    }

    isSamePlace(one, other) {
      const isEntry = this.kinds[one] === "g";
      if (isEntry !== (this.kinds[other] === "g")) return false;
      return isEntry ? this.headings[one] === this.headings[other] : this.addresses[one] === this.addresses[other];
    }

    isSameText(one, other) {
      return this.bodies[one] === this.bodies[other] && this.headings[one] === this.headings[other];
    }

    /** Return the words of a provision and its examples, its heading where there are none. */
    wordsOf(state) {
      const tokens = this.tokensOf(this.bodies[state]);
      return tokens.length ? tokens : this.tokensOf(this.headings[state]);
    }

    /** Return the place of the edition that a designator names, -1 if it names none. */
    find(designator, today = "") {
      const word = designator.trim().toLowerCase();
      const dot = word.indexOf(".");
      const day = dot < 0 ? word : word.slice(0, dot), issue = dot < 0 ? "" : word.slice(dot + 1);
      const last = (fits) => this.editions.findLastIndex(fits);
      if (!word) return -1;
      if (word === "first") return this.editions.findIndex((one) => one[3]);
      if (word === "latest" || (word === "current" && !today)) return last((one) => one[3]);
      if (word === "current") return last((one) => one[1] <= today && one[3]);
      if (isDate(day)) {
        return issue
          ? this.editions.findIndex((one) => one[1] === day && String(one[2]) === issue)
          : last((one) => one[1] <= day && one[3]);
      }
      return last((one) => one[3] && (one[4].toLowerCase() === word || one[5].toLowerCase() === word));
    }
  }

  function isDate(word) {
    if (!/^\d{4}-\d\d-\d\d$/.test(word) || word.startsWith("0000")) return false;
    const day = new Date(`${word}T00:00:00Z`);
    return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(word);
  }

  // Walking ----------------------------------------------------------------------------------------

  /** Return where the states of an edition are in a later one: [states, bits] by state. */
  function walk(data, start, stop) {
    const trails = new Map(data.held[start].map((state) => [state, { states: [state], bits: 0 }]));
    const where = new Map(Array.from(trails, ([state, trail]) => [state, [trail]]));
    const absent = new Map();
    const lead = (here, heirs) => {
      for (const heir of heirs) {
        const there = where.get(heir);
        if (there === undefined) where.set(heir, here.slice());
        else there.push(...here);
      }
    };
    for (let edition = start + 1; edition <= stop; edition += 1) {
      // What is gone at the same time as it returns elsewhere is two things.
      const links = data.links[edition];
      const moves = taken(where, links.filter((link) => link.source === edition - 1));
      const returns = taken(absent, links.filter((link) => link.source !== edition - 1));
      for (const [, group, here] of returns) lead(here, giveBack(here, group));
      for (const [old, group, here] of moves) {
        const heirs = heirsOf(group);
        if (!heirs.length) absent.set(old, here);
        move(here, old, heirs, group);
        lead(here, heirs);
      }
    }
    return trails;
  }

  function heirsOf(links) {
    return links.filter((link) => link.new !== null).map((link) => link.new);
  }

  /** Take the trails that links lead away from what they are at: [state, links, trails], by state. */
  function taken(places, links) {
    const found = new Map();
    for (const link of links) {
      if (!places.has(link.old)) continue;
      const group = found.get(link.old);
      if (group === undefined) found.set(link.old, [link]);
      else group.push(link);
    }
    const groups = Array.from(found).sort(([one], [other]) => one - other);
    return groups.map(([old, group]) => {
      const here = places.get(old);
      places.delete(old);
      return [old, group, here];
    });
  }

  /** Lead trails on to what came back after an absence; return its states. */
  function giveBack(here, links) {
    const heirs = heirsOf(links);
    for (const trail of here) {
      trail.states.push(...heirs.filter((heir) => !trail.states.includes(heir)));
      for (const link of links) trail.bits |= link.bits & TOLD;
    }
    return heirs;
  }

  function move(here, state, onward, links) {
    for (const trail of here) {
      const place = trail.states.indexOf(state);
      if (place < 0) continue; // it was led on already
      if (trail.states.length === 1 && onward.length === 1) {
        trail.states[0] = onward[0];
        trail.bits |= links[0].bits & TOLD;
        continue;
      }
      const fresh = onward.filter((one) => one === state || !trail.states.includes(one));
      trail.states.splice(place, 1, ...fresh);
      for (const link of links) trail.bits |= link.bits & TOLD;
    }
  }

  function kindsBetween(trail, isSamePlace, isSameText) {
    if (!trail.states.length) return GONE | (trail.bits & UNCERTAIN);
    let bits = trail.bits & ~REWORDED;
    if (!isSamePlace) bits |= RENUMBERED;
    if (!isSameText) bits |= REWORDED;
    if (trail.states.length === 1) bits &= ~(SPLIT | COPIED);
    return bits || KEPT;
  }

  function kindsOf(bits) {
    return STEP_KINDS.filter((_, place) => (bits >> place) & 1);
  }

  // Words ------------------------------------------------------------------------------------------

  /**
   * Return what stays and what is replaced between two lists: [is the same, from, to, from, to].
   *
   * Of all alignments with the most words in place this is the one that the command chooses.
   */
  function opcodes(one, other) {
    let begin = 0, end = 0;
    const shorter = Math.min(one.length, other.length);
    while (begin < shorter && one[begin] === other[begin]) begin += 1;
    while (end < shorter - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
    const width = one.length - end - begin, height = other.length - end - begin;
    // What stays, from the last to the first.
    const same = [];
    if (width && height) {
      const level = levels(one, other, begin, width, height);
      let col = width, row = height;
      while (row && col) {
        if (level[(row - 1) * width + col - 1]) col -= 1;
        else {
          row -= 1;
          if (!row || level[(row - 1) * width + col - 1]) {
            col -= 1;
            same.push([begin + col, begin + row]);
          }
        }
      }
    }
    const found = [];
    let x = 0, y = 0;
    function stays(at, there) {
      if (at > x || there > y) found.push([false, x, at, y, there]);
      const last = found[found.length - 1];
      if (last !== undefined && last[0]) [last[2], last[4]] = [at + 1, there + 1];
      else found.push([true, at, at + 1, there, there + 1]);
      [x, y] = [at + 1, there + 1];
    }
    for (let at = 0; at < begin; at += 1) stays(at, at);
    for (const [at, there] of same.reverse()) stays(at, there);
    for (let at = end; at; at -= 1) stays(one.length - at, other.length - at);
    if (x < one.length || y < other.length) found.push([false, x, one.length, y, other.length]);
    return found;
  }

  /** Return, for each place of the table of longest common parts, whether its left neighbour is as long. */
  function levels(one, other, begin, width, height) {
    const level = new Uint8Array(width * height);
    let before = new Uint16Array(width + 1), here = new Uint16Array(width + 1);
    for (let row = 0, at = 0; row < height; row += 1) {
      const word = other[begin + row];
      for (let col = 0; col < width; col += 1, at += 1) {
        const left = here[col], above = before[col + 1];
        const most = one[begin + col] === word ? before[col] + 1 : left > above ? left : above;
        here[col + 1] = most;
        if (most === left) level[at] = 1;
      }
      [before, here] = [here, before];
    }
    return level;
  }

  /** Return what was replaced: [words before, words after], by their places. */
  function phrases(before, after) {
    return opcodes(before, after)
      .filter((one) => !one[0])
      .map(([, from, to, start, stop]) => [before.slice(from, to), after.slice(start, stop)]);
  }

  function keyOf(phrase) {
    return `${phrase[0].join(" ")}>${phrase[1].join(" ")}`;
  }

  function isSwept(phrase, count) {
    const [before, after] = phrase;
    return count >= SWEPT_IN && before.length > 0 && (after.length > 0 || before.length > 1) &&
      Math.max(before.length, after.length) <= LONGEST && !before.includes(0) && !after.includes(0);
  }

  function runs(one, other) {
    let begin = 0, end = 0;
    const shorter = Math.min(one.length, other.length);
    while (begin < shorter && one[begin] === other[begin]) begin += 1;
    while (end < shorter - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
    const stop = one.length - end, halt = other.length - end;
    const found = begin ? [[true, 0, begin, 0, begin]] : [];
    if (begin < stop && begin < halt) {
      const middle = opcodes(one.slice(begin, stop), other.slice(begin, halt));
      found.push(...merged(middle).map((run) => [run[0], ...run.slice(1).map((place) => place + begin)]));
    } else if (begin < stop || begin < halt) {
      found.push([false, begin, stop, begin, halt]);
    }
    if (end) found.push([true, stop, one.length, halt, other.length]);
    return found;
  }

  function sizeOf(run) {
    return Math.max(run[2] - run[1], run[4] - run[3]);
  }

  /** Join changes that hardly anything parts. */
  function merged(found) {
    const joined = [];
    for (const run of found) {
      const [last, same] = [joined[joined.length - 2], joined[joined.length - 1]];
      const isLonely = last !== undefined && !run[0] && same[0] && !last[0] && sizeOf(same) <= FEW &&
        Math.min(sizeOf(run), sizeOf(last)) > 2 * sizeOf(same);
      if (isLonely) joined.splice(-2, 2, [false, last[1], run[2], last[3], run[4]]);
      else joined.push(run);
    }
    return joined;
  }

  function foldSigns(text) {
    return text.replace(/[\u2018\u2019\u201c\u201d\u2013\u2014\u2212]/g, (sign) => SPELLINGS[sign]).replaceAll("_", "");
  }

  function keysOf(tokens) {
    return tokens.map((token, place) => {
      const folded = foldSigns(token);
      return place === tokens.length - 1 ? folded.trimEnd() : folded.replace(/ $/, "").replace(/\n$/, "");
    });
  }

  /** Return what became of a text, as pieces: "=", "-" or "+", and words. */
  function wordDiff(one, other, exactly = false) {
    const before = one.join(""), after = other.join("");
    if (!before || !after) return before ? [["-", before]] : after ? [["+", after]] : [];
    const fold = exactly ? (text) => text : foldSigns;
    const folded = fold(before), foldedAfter = fold(after);
    if (folded.length !== before.length || foldedAfter.length !== after.length) {
      return pieces(one, other, keysOf(one), keysOf(other));
    }
    const [begin, end] = sameEnds(folded, foldedAfter);
    const old = between(one, begin, before.length - end), fresh = between(other, begin, after.length - end);
    const middle = exactly ? pieces(old, fresh, old, fresh) : pieces(old, fresh, keysOf(old), keysOf(fresh));
    if (begin) middle.unshift(["=", after.slice(0, begin)]);
    if (end) middle.push(["=", after.slice(after.length - end)]);
    return joined(middle);
  }

  /** Return how many characters two texts share at both ends, up to where a word begins. */
  function sameEnds(one, other) {
    const shorter = Math.min(one.length, other.length);
    let begin = 0, end = 0;
    while (begin < shorter && one[begin] === other[begin]) begin += 1;
    const begins = (text) => begin >= text.length || !/\s/.test(text[begin]);
    while (begin && !(/\s/.test(one[begin - 1]) && begins(one) && begins(other))) begin -= 1;
    while (end < shorter - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
    while (end && !(one[one.length - 1 - end] === " " && other[other.length - 1 - end] === " ")) end -= 1;
    return [begin, end];
  }

  /** Return the tokens of a part of a text, the last one cut where the part ends. */
  function between(tokens, begin, stop) {
    const found = [];
    let place = 0;
    for (const token of tokens) {
      if (place >= begin && place < stop) found.push(token.slice(0, stop - place));
      place += token.length;
    }
    return found;
  }

  function pieces(before, after, one, other) {
    const found = [];
    for (const [isSame, from, to, start, stop] of runs(one, other)) {
      if (isSame) {
        found.push(["=", after.slice(start, stop).join("")]);
        continue;
      }
      if (from < to) found.push(["-", before.slice(from, to).join("")]);
      if (start < stop) found.push(["+", after.slice(start, stop).join("")]);
    }
    return found;
  }

  function joined(found) {
    const joint = [];
    for (const [sign, text] of found) {
      const last = joint[joint.length - 1];
      if (last !== undefined && last[0] === sign) last[1] += text;
      else joint.push([sign, text]);
    }
    return joint;
  }

  // Changes ----------------------------------------------------------------------------------------

  /** Find what changed between two editions, the older one first; yields how much of it is done. */
  class Finder {
    constructor(data, start, stop) {
      this.data = data;
      this.start = start;
      this.stop = stop;
      this.old = data.held[start];
      this.new = data.held[stop];
      this.trails = walk(data, start, stop);
      // By numbers: whether a citation follows what it cites.
      this.heirs = new Map();
      for (const state of this.old) {
        const [heir] = this.trails.get(state).states;
        const number = data.numberOf(state);
        if (heir !== undefined && number) this.heirs.set(number, data.numberOf(heir));
      }
    }

    * find() {
      const pairs = this.old.map((state) => [state, this.trails.get(state)]);
      const moved = pairs.filter(([state, trail]) => trail.bits || trail.states.length !== 1 || trail.states[0] !== state);
      const replaced = new Map();
      const swept = yield* this.sweeps(moved, replaced);
      const found = [];
      for (const [place, [state, trail]] of moved.entries()) {
        found.push(this.change(state, trail, swept, replaced));
        yield 0.4 + 0.2 * (place / moved.length);
      }
      const kept = found.filter((one) => one.bits !== KEPT || one.change !== NONE);
      const same = pairs.length - kept.length;
      kept.push(...this.parts(moved));
      const reached = new Set(pairs.flatMap(([, trail]) => trail.states));
      for (const state of this.new) {
        if (!reached.has(state)) kept.push(changeOf(null, state, [], NEW, SUBSTANTIVE));
      }
      const all = this.inOrder(kept);
      const result = { from: this.start, to: this.stop, all, same, swept: this.printed(swept) };
      result.summary = yield* this.summary(result);
      return result;
    }

    /** Return the phrases that were replaced in many provisions, by their keys. */
    * sweeps(moved, replaced) {
      const { data } = this;
      const times = new Map();
      this.order = new Map([[0, 0]]);
      for (const [place, [state, trail]] of moved.entries()) {
        const [heir] = trail.states;
        if (heir === undefined || data.bodies[state] === data.bodies[heir]) continue;
        const here = this.phrases(state, heir, replaced);
        for (const [key, phrase] of new Map(here.map((one) => [keyOf(one), one]))) {
          const known = times.get(key);
          if (known === undefined) times.set(key, { phrase, count: 1 });
          else known.count += 1;
        }
        yield 0.4 * (place / moved.length);
      }
      return new Map(Array.from(times).filter(([, one]) => isSwept(one.phrase, one.count)));
    }

    phrases(one, other, replaced) {
      const before = this.data.canon(one), after = this.data.canon(other);
      for (const word of [...before.words, ...after.words]) {
        if (!this.order.has(word)) this.order.set(word, this.order.size);
      }
      const found = phrases(before.words, after.words);
      replaced.set(one, found);
      return found;
    }

    change(state, trail, swept, replaced) {
      const { data } = this;
      if (!trail.states.length) return changeOf(state, null, [], GONE, SUBSTANTIVE);
      const [heir, ...others] = trail.states;
      const change = data.isSameText(state, heir) ? NONE : this.classify(state, heir, swept, replaced);
      const isText = change === SWEEP || change === SUBSTANTIVE;
      const bits = kindsBetween(trail, data.isSamePlace(state, heir), !isText);
      return changeOf(state, heir, others, bits, change);
    }

    classify(state, heir, swept, replaced) {
      const before = this.data.canon(state), after = this.data.canon(heir);
      if (isSameList(before.words, after.words)) {
        const ends = (canon) => canon.citations.flat();
        if (isSameList(ends(before), ends(after))) return TYPOGRAPHIC;
        return this.follow(before, after) ? CITATION : SUBSTANTIVE;
      }
      const here = replaced.get(state) ?? phrases(before.words, after.words);
      return here.every((phrase) => swept.has(keyOf(phrase))) ? SWEEP : SUBSTANTIVE;
    }

    /** Say whether each citation leads to the heir of what it led to. */
    follow(before, after) {
      const heir = (number, other) => (this.heirs.has(number) ? this.heirs.get(number) : other) === other;
      return before.citations.every((one, place) => {
        const other = after.citations[place];
        return other === undefined || (heir(one[0], other[0]) && heir(one[1], other[1]));
      });
    }

    /** Return what came of others' words without being their main heir. */
    parts(moved) {
      const told = new Set();
      for (const trail of this.trails.values()) if (trail.states.length) told.add(trail.states[0]);
      const found = [];
      for (const [state, trail] of moved) {
        for (const part of trail.states.slice(1)) {
          if (told.has(part)) continue;
          told.add(part);
          const bits = trail.bits & (SPLIT | COPIED | MERGED | UNCERTAIN) || SPLIT;
          found.push(changeOf(state, part, [], bits, SUBSTANTIVE, true));
        }
      }
      return found;
    }

    /** Order changes as the newer edition is printed; what is gone follows what preceded it. */
    inOrder(changes) {
      const order = new Map(this.new.map((state, place) => [state, place]));
      const placeOf = new Map();
      let last = -1;
      for (const state of this.old) {
        const [heir] = this.trails.get(state).states;
        if (heir !== undefined) last = order.get(heir);
        placeOf.set(state, last);
      }
      const key = (one) => (one.new === null ? placeOf.get(one.old) + 0.5 : order.get(one.new));
      return changes.map((one) => [key(one), one]).sort((one, other) => one[0] - other[0]).map(([, one]) => one);
    }

    /** Return sweeps in words, the most frequent first. */
    printed(swept) {
      const words = (places) => places.map((place) => this.data.wordTexts[place]).join(" ");
      const rank = (places) => places.map((place) => this.order.get(place));
      return Array.from(swept.values())
        .sort((one, other) => other.count - one.count ||
          compareLists(rank(one.phrase[0]), rank(other.phrase[0])) ||
          compareLists(rank(one.phrase[1]), rank(other.phrase[1])))
        .map(({ phrase, count }) => [words(phrase[0]), words(phrase[1]), count]);
    }

    * summary({ all, same, swept }) {
      const count = { [NONE]: 0, [TYPOGRAPHIC]: 0, [CITATION]: 0, [SWEEP]: 0, [SUBSTANTIVE]: 0 };
      let went = 0, came = 0;
      for (const [place, one] of all.entries()) {
        if (one.old !== null && one.new !== null && !one.isPart) count[one.change] += 1;
        if (one.change === SUBSTANTIVE || one.change === SWEEP) {
          for (const [sign, text] of changePieces(this.data, one)) {
            const size = sign === "=" ? 0 : text.trim().split(/\s+/).filter(Boolean).length;
            if (sign === "-" && !one.isPart) went += size;
            if (sign === "+") came += size;
          }
        }
        yield 0.6 + 0.4 * (place / all.length);
      }
      const arrived = all.filter((one) => one.old === null).length;
      const parts = all.filter((one) => one.isPart).length;
      return {
        provisions: same + all.length - arrived - parts,
        same,
        moved_only: count[NONE],
        new: arrived,
        gone: all.filter((one) => one.new === null).length,
        parts,
        typographic: count[TYPOGRAPHIC],
        citation_only: count[CITATION],
        sweep: count[SWEEP],
        substantive: count[SUBSTANTIVE],
        words_gone: went,
        words_came: came,
        sweeps: swept.map(([before, after, provisions]) => ({ before, after, provisions })),
      };
    }
  }

  function changeOf(old, fresh, others, bits, change, isPart = false) {
    return { old, new: fresh, others, bits, change, isPart, pieces: null };
  }

  function isSameList(one, other) {
    return one.length === other.length && one.every((word, place) => word === other[place]);
  }

  function compareLists(one, other) {
    for (let place = 0; place < Math.min(one.length, other.length); place += 1) {
      if (one[place] !== other[place]) return one[place] - other[place];
    }
    return one.length - other.length;
  }

  /** Return the word diff of a change, in one spelling of signs unless they are what changed. */
  function changePieces(data, change) {
    change.pieces ??= wordDiff(
      change.old === null ? [] : data.wordsOf(change.old),
      change.new === null ? [] : data.wordsOf(change.new),
      change.change === TYPOGRAPHIC,
    );
    return change.pieces;
  }

  /** Yield how much is done, between 0 and 1, and return what changed from one edition to a later one. */
  function comparing(data, a, b) {
    return new Finder(data, Math.min(a, b), Math.max(a, b)).find();
  }

  /** Return what changed between two editions, by their places; the older one comes first. */
  function compare(data, a, b) {
    const work = comparing(data, a, b);
    let step = work.next();
    while (!step.done) step = work.next();
    return step.value;
  }

  Object.assign(variorum, { CompareData, compare, comparing, changePieces, kindsOf });
})(globalThis.variorum ??= {});
