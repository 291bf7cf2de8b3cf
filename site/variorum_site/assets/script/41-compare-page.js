// The page on which two editions are chosen: asks, loads what 40-compare.js needs, and sets the answer.
(function (variorum) {
  "use strict";

  const form = document.getElementById("compare");
  if (!form) return;

  const part = (name) => document.getElementById(`compare-${name}`);
  // What the classes of changes are called on pages; as in pages/changes.py.
  const QUIET = [
    ["sweep", "words replaced all over", "Changed by words replaced all over"],
    ["citation-only", "only cites new numbers", "Only cite new numbers"],
    ["typographic", "typography", "Typography"],
  ];
  const QUIET_NAMES = new Map(QUIET);
  const SPLIT = 8, MERGED = 16, COPIED = 32, UNCERTAIN = 256;
  const SORTS = new Map([
    ["reworded", (one) => one.old !== null && one.new !== null && !isParted(one)],
    ["new", (one) => one.old === null],
    ["gone", (one) => one.new === null],
    ["parted", isParted],
  ]);
  // So many words that stayed are shown on each side of a change; so long a page may be busy, in ms.
  const CONTEXT = 8, BUSY = 12;
  // So many words that were replaced all over are shown at once.
  const SWEPT = 8;
  // So long the title of a section may be where one is chosen.
  const BRIEF = 30;
  const number = (count) => count.toLocaleString("en");

  /** Return an element; children are elements or words. */
  function el(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function rest() {
    return new Promise((resolve) => { setTimeout(resolve); });
  }

  function isParted(one) {
    return one.isPart || Boolean(one.bits & (SPLIT | MERGED | COPIED)) && one.old !== null && one.new !== null;
  }

  // Loading ----------------------------------------------------------------------------------------

  let opened = null;
  let adding = Promise.resolve();

  const UNLOADED = "The texts could not be loaded. Is there a network?";

  /** A file did not come, or is none of ours; the message is for readers. */
  class LoadError extends Error {}

  const taken = new Map();

  /** Take a file that a script brings, see `scripted`. */
  function takeCompared(file, found) {
    taken.set(file, found);
  }

  function json(file) {
    return location.protocol === "file:" ? scripted(file) : fetched(file);
  }

  async function fetched(file) {
    let response;
    try {
      response = await fetch(`../${file}`);
    } catch (error) {
      throw new LoadError(UNLOADED, { cause: error });
    }
    if (!response.ok) throw new LoadError(UNLOADED);
    return response.json();
  }

  /** Load a file as a script: all that a page from the file system may load. */
  function scripted(file) {
    return new Promise((resolve, reject) => {
      const script = el("script", { src: `../${file.replace(/on$/, "")}` });
      script.addEventListener("load", () => resolve(taken.get(file)));
      script.addEventListener("error", () => reject(new LoadError(UNLOADED)));
      document.head.append(script);
    });
  }

  function open() {
    opened ??= json("compare/steps.json").then((steps) => new variorum.CompareData(steps));
    opened.catch(() => { opened = null; });
    return opened;
  }

  /** Load the texts that two editions need, all at once, and take them in in order. */
  function load(data, a, b, tell) {
    adding = adding.catch(() => {}).then(async () => {
      const first = data.files, last = data.needs(a, b);
      const coming = [];
      for (let place = first; place < last; place += 1) coming.push(json(`compare/texts/${String(place).padStart(2, "0")}.json`));
      for (const one of coming) one.catch(() => {});
      for (const [place, one] of coming.entries()) {
        const texts = await one;
        if (texts.mark !== data.marks[first + place]) throw new LoadError("The site was built anew; reload the page.");
        data.add(texts);
        tell((place + 1) / coming.length, `Loading texts: ${place + 1} of ${coming.length}`);
      }
    });
    return adding;
  }

  // Setting ----------------------------------------------------------------------------------------

  /** Say where provisions of an edition stand, and what its sections are called; as in atlas.py. */
  class Places {
    constructor(data, edition) {
      this.data = data;
      [this.label] = data.editions[edition];
      this.pages = new Map();
      this.headings = new Map();
      let here = "";
      for (const state of data.held[edition]) {
        const kind = data.kinds[state];
        if (kind === "g") continue;
        const own = data.numberOf(state).split(".", 1)[0];
        if (kind === "c") here = "";
        else if (kind === "s" || !here) here = own;
        if (kind === "c" || kind === "s") {
          if (!this.headings.has(own)) this.headings.set(own, data.headingOf(state));
        }
        this.pages.set(state, here);
      }
    }

    href(state) {
      const { data, label } = this;
      if (data.kinds[state] === "g") return `../${label}/glossary/index.html#${this.slug(state)}`;
      const [printed, bearer] = data.addresses[state].split("#");
      const anchor = !bearer || bearer === "1" ? printed : `${printed}-${bearer}`;
      const page = this.pages.get(state);
      if (!page) return `../${label}/index.html#${anchor}`;
      return data.kinds[state] === "s" ? `../${label}/${page}/index.html` : `../${label}/${page}/index.html#${anchor}`;
    }

    slug(state) {
      const known = this.data.slugs.get(this.data.headings[state]);
      if (known !== undefined) return known;
      return this.data.headingOf(state).toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join("-");
    }

    link(state, text = this.data.nameOf(state)) {
      return el("a", { href: this.href(state) }, text);
    }

    titled(section) {
      const heading = this.headings.get(section);
      return heading ? `${section}. ${heading}` : section;
    }
  }

  class Setter {
    constructor(data, found) {
      this.data = data;
      this.found = found;
      this.old = new Places(data, found.from);
      this.new = new Places(data, found.to);
    }

    section(state) {
      return this.data.kinds[state] === "g" ? "Glossary" : this.data.numberOf(state).split(".", 1)[0];
    }

    sectionOf(change) {
      return this.section(change.new ?? change.old);
    }

    title(change) {
      const section = this.sectionOf(change);
      const older = this.old.titled(section), newer = this.new.titled(section);
      return change.new !== null || older === newer ? newer : `${older} (in ${this.old.label})`;
    }

    /** Set a change: its numbers, what happened, its heading and its words. */
    item(change) {
      const made = el("div", { class: "change" }, this.names(change));
      const heading = this.heading(change);
      if (heading) made.append(heading);
      const words = this.words(change);
      if (words) made.append(words);
      return made;
    }

    names(change) {
      const { data } = this;
      const names = el("b"), kinds = el("span", { class: "kinds" }, this.kinds(change));
      const old = change.isPart ? null : change.old;
      const news = change.new === null ? [] : [change.new, ...change.others];
      if (old !== null && news.length === 1 && data.nameOf(old) === data.nameOf(news[0])) {
        names.append(this.new.link(news[0]));
        kinds.append(" (", this.old.link(old, "before"), ")");
      } else {
        if (old !== null) names.append(this.old.link(old), news.length ? " → " : "");
        news.forEach((state, place) => names.append(place ? ", " : "", this.new.link(state)));
      }
      return el("p", {}, names, " ", kinds);
    }

    kinds(change) {
      let named = variorum.kindsOf(change.bits).filter((kind) => kind !== "kept");
      if (change.isPart) {
        const how = change.bits & COPIED && !(change.bits & SPLIT) ? "copied" : "split off";
        return `${how} from ${this.data.nameOf(change.old)}`;
      }
      if (change.bits & UNCERTAIN && change.new !== null) {
        const perhaps = named.filter((kind) => kind !== "uncertain").map((kind) => `perhaps ${kind}`);
        if (perhaps.length) named = perhaps;
      }
      if (QUIET_NAMES.has(change.change)) named.push(QUIET_NAMES.get(change.change));
      return named.join(", ");
    }

    heading(change) {
      const { data } = this;
      if (change.old === null || change.new === null || change.isPart) return null;
      const isBare = (state) => !data.tokensOf(data.bodies[state]).length;
      if (isBare(change.old) && isBare(change.new)) return null;
      const old = data.headingOf(change.old), fresh = data.headingOf(change.new);
      if (!old || old === fresh) return null;
      return el("p", { class: "diff" }, "Heading: ", el("del", {}, old), " ", el("ins", {}, fresh));
    }

    words(change) {
      const isTakenIn = change.bits & MERGED && !change.isPart;
      if (change.change === "" || change.change === "citation-only" || isTakenIn) return null;
      let pieces = variorum.changePieces(this.data, change);
      if (change.isPart) pieces = pieces.filter(([sign]) => sign !== "-"); // told with its own heir
      return pieces.length ? setPieces(pieces, change.isPart ? null : CONTEXT) : null;
    }
  }

  function setPieces(pieces, context) {
    const made = el("p", { class: "diff" });
    pieces.forEach(([sign, text], place) => {
      if (sign === "=") {
        const around = [place ? context : 0, place < pieces.length - 1 ? context : 0];
        appendLines(made, context === null ? text : shortened(text, ...around));
        return;
      }
      const bare = text.trimEnd();
      const marked = el(sign === "-" ? "del" : "ins");
      appendLines(marked, bare);
      made.append(marked);
      const isTorn = place < pieces.length - 1 && pieces[place + 1][0] !== "=";
      appendLines(made, text.slice(bare.length) || (isTorn ? " " : ""));
    });
    return made;
  }

  function appendLines(made, text) {
    text.split("\n").forEach((line, place) => {
      if (place) made.append(el("br"));
      if (line) made.append(line);
    });
  }

  /** Leave out the middle of a long text: keep some words at its beginning and at its end. */
  function shortened(text, before, after) {
    const words = text.split(" ");
    if (words.length <= before + after + 2) return text;
    const start = words.slice(0, before).join(" "), end = after ? words.slice(-after).join(" ") : "";
    return start ? `${start} … ${end}` : `… ${end}`;
  }

  // Showing ----------------------------------------------------------------------------------------

  /** What is asked for last; work for anything else stops. */
  let asked = 0;

  function tell(share, words) {
    const bar = part("progress");
    bar.hidden = share === null;
    if (share !== null) bar.value = share;
    const status = part("status");
    if (status.textContent !== words) status.textContent = words;
  }

  function groupBy(list, keyOf) {
    const found = new Map();
    for (const one of list) {
      const key = keyOf(one);
      if (!found.has(key)) found.set(key, []);
      found.get(key).push(one);
    }
    return found;
  }

  function heading(id, title, count) {
    return el("h2", { id }, `${title} `, el("small", {}, number(count)));
  }

  function block(id, title, count, ...children) {
    return el("section", { "aria-labelledby": id }, heading(id, title, count), ...children);
  }

  function counts(summary) {
    const rows = [
      ["Reworded", summary.substantive],
      ["New", summary.new],
      ["Gone", summary.gone],
      ["Split off or copied", summary.parts],
      ["Only renumbered", summary.moved_only],
      ["By words replaced all over", summary.sweep],
      ["Only cite new numbers", summary.citation_only],
      ["Typography", summary.typographic],
      ["The same", summary.same, summary.provisions],
      ["Words gone", summary.words_gone],
      ["Words that came", summary.words_came],
    ];
    return el("dl", { class: "counts" }, ...rows.map(([name, count, all]) => el(
      "div", {}, el("dt", {}, name), el("dd", {}, number(count), ...(all ? [el("small", {}, ` of ${number(all)}`)] : [])),
    )));
  }

  function allOver(summary) {
    const rows = summary.sweeps.map(({ before, after, provisions }) => el(
      "li", {}, el("del", {}, before), " ", el("ins", {}, after || "nothing"), ` in ${number(provisions)} provisions`,
    ));
    const made = block("all-over", "Replaced all over", rows.length, el("ul", { class: "swept" }, ...rows.slice(0, SWEPT)));
    const more = rows.slice(SWEPT);
    if (more.length) {
      made.append(el("details", {}, el("summary", {}, `${number(more.length)} more`), el("ul", { class: "swept" }, ...more)));
    }
    return made;
  }

  /** Return what is set when somebody opens it. */
  function folded(words, count, fill) {
    const made = el("details", {}, el("summary", {}, `${words} `, el("small", {}, number(count))));
    let isFilled = false;
    made.addEventListener("toggle", () => {
      if (!isFilled) fill(made);
      isFilled = true;
    });
    return made;
  }

  function moves(setter, changes) {
    const groups = [];
    for (const one of changes) {
      const ends = [setter.section(one.old), setter.section(one.new)];
      const words = ends[0] === ends[1] ? ends[0] : ends.join(" → ");
      const last = groups[groups.length - 1];
      if (last !== undefined && last[0] === words) last[1].push(one);
      else groups.push([words, [one]]);
    }
    return groups.map(([words, group]) => folded(words, group.length, (made) => {
      const rows = group.map((one) => {
        const row = el("li", {}, setter.old.link(one.old), " → ");
        [one.new, ...one.others].forEach((state, place) => row.append(place ? ", " : "", setter.new.link(state)));
        return row;
      });
      made.append(el("ul", { class: "moves" }, ...rows));
    }));
  }

  function contents(groups) {
    const rows = groups.map(([title, changes], place) => el(
      "li", {}, el("a", { href: `#group-${place + 1}` }, title), " ", el("small", {}, number(changes.length)),
    ));
    return el("nav", { "aria-label": "On this page" }, el(
      "details", {}, el("summary", {}, `${number(rows.length)} sections changed`), el("ul", { class: "toc" }, ...rows),
    ));
  }

  /** Show changes, those of one section or sort if that is asked for; a bit at a time. */
  async function show(setter, turn) {
    const { all, summary } = setter.found;
    const section = part("section").value, sort = SORTS.get(part("sort").value);
    const wanted = all.filter((one) => !section || setter.sectionOf(one) === section);
    const told = wanted.filter((one) => one.change === "substantive" && (!sort || sort(one)));
    const others = sort ? [] : wanted;
    const found = el("div");
    part("found").replaceChildren(found);
    part("found").setAttribute("aria-busy", "true");
    found.append(counts(summary));
    if (summary.sweeps.length && !section && !sort) found.append(allOver(summary));
    const groups = Array.from(groupBy(told, (one) => setter.title(one)));
    if (groups.length > 3) found.append(contents(groups));
    let done = 0, since = performance.now();
    for (const [place, [title, changes]] of groups.entries()) {
      const made = block(`group-${place + 1}`, title, changes.length);
      found.append(made);
      for (const one of changes) {
        made.append(setter.item(one));
        done += 1;
        if (performance.now() - since < BUSY) continue;
        tell(done / told.length, "Setting the changes");
        await rest();
        if (turn !== asked) return;
        since = performance.now();
      }
    }
    const moved = others.filter((one) => one.change === "" && one.old !== null && one.new !== null);
    if (moved.length) found.append(block("moves", "Only renumbered", moved.length, ...moves(setter, moved)));
    for (const [change, , title] of QUIET) {
      const quiet = others.filter((one) => one.change === change);
      if (quiet.length) found.append(block(change, title, quiet.length, folded("All", quiet.length, (made) => fill(setter, made, quiet))));
    }
    const shown = told.length + moved.length + others.filter((one) => QUIET_NAMES.has(one.change)).length;
    tell(null, shown ? `${number(shown)} changes${shown < all.length ? ` of ${number(all.length)}` : ""}` : "Nothing changed");
    part("found").removeAttribute("aria-busy");
  }

  async function fill(setter, made, changes) {
    let since = performance.now();
    for (const one of changes) {
      made.append(setter.item(one));
      if (performance.now() - since < BUSY) continue;
      await rest();
      since = performance.now();
    }
  }

  /** Shorten a title so that a choice of it fits on a phone. */
  function brief(title) {
    return title.length > BRIEF ? `${title.slice(0, BRIEF - 1).trimEnd()}…` : title;
  }

  /** Offer the sections that changed, with how often. */
  function offerSections(setter) {
    const groups = Array.from(groupBy(setter.found.all, (one) => setter.sectionOf(one)));
    groups.sort(([one], [other]) => (one === "Glossary") - (other === "Glossary") || Number(one) - Number(other));
    const titles = groups.map(([section, changes]) => {
      const title = setter.new.headings.has(section) ? setter.new.titled(section) : setter.old.titled(section);
      return el("option", { value: section }, `${brief(title)} (${number(changes.length)})`);
    });
    part("section").replaceChildren(el("option", { value: "" }, "All sections"), ...titles);
    part("filters").hidden = !groups.length;
  }

  function nameOf(edition) {
    return edition[5] ? `${edition[0]} (${edition[5]})` : edition[0];
  }

  let current = null;

  async function compare(a, b, turn) {
    const data = await open();
    if (a > b) [a, b] = [b, a];
    await load(data, a, b, (share, words) => { if (turn === asked) tell(share, words); });
    const work = variorum.comparing(data, a, b);
    let since = performance.now();
    let step = work.next();
    while (!step.done) {
      if (performance.now() - since >= BUSY) {
        tell(step.value, "Comparing");
        await rest();
        if (turn !== asked) return;
        since = performance.now();
      }
      step = work.next();
    }
    if (turn !== asked) return;
    current = new Setter(data, step.value);
    const ends = [a, b].map((place) => el("a", { href: `../${data.editions[place][0]}/index.html` }, nameOf(data.editions[place])));
    part("title").replaceChildren("From ", ends[0], " to ", ends[1]);
    part("title").hidden = false;
    document.title = `From ${data.editions[a][0]} to ${data.editions[b][0]} · Variorum`;
    offerSections(current);
    await show(current, turn);
  }

  // Asking -----------------------------------------------------------------------------------------

  function today() {
    const now = new Date();
    const two = (count) => String(count).padStart(2, "0");
    return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  }

  /** Say why a designator names no edition; as in answers/editions.py. */
  function whyNone(data, word) {
    const [first] = data.editions[0];
    if (word.trim().toLowerCase() === "current") return `No edition is in force today; the first one here is of ${first}.`;
    if (/^\d{4}-\d\d-\d\d$/.test(word)) return `No edition was in force on ${word}; the first one here is of ${first}.`;
    return `No edition is called “${word}”; give a date (2007-10-01), a set code (M10), first, latest or current.`;
  }

  /** Compare what two designators name, and say so in the address. */
  async function ask(from, to, isNew) {
    clear();
    const turn = asked;
    try {
      tell(0, "Loading the steps");
      const data = await open();
      const places = [from, to].map((word) => data.find(word, today()));
      const missing = places.indexOf(-1);
      if (missing >= 0) {
        if (turn === asked) tell(null, whyNone(data, [from, to][missing]));
        return;
      }
      [part("from").value, part("to").value] = places.map((place) => data.editions[place][0]);
      if (isNew) remember(from, to);
      await compare(...places, turn);
    } catch (error) {
      if (turn === asked) fail(error);
      else if (!(error instanceof LoadError)) throw error;
    }
  }

  function clear() {
    asked += 1;
    current = null;
    for (const name of ["title", "filters", "without"]) part(name).hidden = true;
    part("found").replaceChildren();
    part("found").removeAttribute("aria-busy");
    tell(null, "");
  }

  function fail(error) {
    if (!(error instanceof LoadError)) {
      tell(null, "Something went wrong here.");
      throw error;
    }
    tell(null, error.message);
    part("without").hidden = false;
  }

  function remember(from, to) {
    try {
      history.pushState(null, "", `?${new URLSearchParams({ from, to })}`);
    } catch { /* a page read from the file system has one address */ }
  }

  /** Compare what the address asks for, if it does. */
  function readAddress() {
    const wanted = new URLSearchParams(location.search);
    const from = wanted.get("from"), to = wanted.get("to");
    if (from || to) ask(from || "first", to || "current", false);
    else if (current) clear();
  }

  /** Make a day choose the edition that was in force. */
  async function choose(day, select) {
    if (!day.value) return;
    try {
      const data = await open();
      const place = data.find(day.value);
      if (place >= 0) select.value = data.editions[place][0];
      else tell(null, whyNone(data, day.value));
    } catch (error) {
      fail(error);
    }
  }

  Object.assign(variorum, { takeCompared });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(part("from").value, part("to").value, true);
  });
  part("since").addEventListener("submit", (event) => {
    event.preventDefault();
    ask(part("played").value, "current", true);
  });
  for (const end of ["from", "to"]) {
    part(`${end}-day`).addEventListener("change", (event) => choose(event.target, part(end)));
  }
  for (const filter of ["section", "sort"]) {
    part(filter).addEventListener("change", () => { if (current) show(current, (asked += 1)); });
  }
  addEventListener("popstate", readAddress);
  part("with").hidden = false;
  part("without").hidden = true;
  readAddress();
})(globalThis.variorum ??= {});
