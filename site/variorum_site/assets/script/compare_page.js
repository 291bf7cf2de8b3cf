// The page on which two editions are chosen: asks, loads the texts, and shows what changed.
/** @import { Change } from "./types.d.ts" */
/** @import { CompareData } from "./compare_data.js" */
import { ChangeItems, QUIET_NAMES, SORTS } from "./change_items.js";
import { digestOf } from "./compare_digest.js";
import { isStale, openAll, openEditions, openNumbers } from "./compare_files.js";
import {
  block, contents, counts, folded, groupBy, moves, printed, quietBlocks, sectionOptions, setInto, setting, sweepsBlock,
} from "./compare_results.js";
import { ruleShown } from "./compare_rule.js";
import { whyNoEdition } from "./designators.js";
import { byId, element } from "./dom.js";
import { fullNameOfEdition } from "./edition_names.js";
import { comparing } from "./edition_changes.js";
import { LoadError } from "./loading.js";
import { EditionPair } from "./provision_links.js";
import { parseQuestions } from "./questions.js";
import { finishedWhile, pause, shownOnce } from "./slices.js";

const UNLOADED = "The texts could not be loaded. Are you online?";
const FEW_SECTIONS = 3; // with more, the page has a table of contents
// More changes than these are folded, by their sections.
const FEW_CHANGES = 150;
const FILTERS = ["section", "sort", "view"];
/** @param {string} name */
function part(name) {
  return byId(`compare-${name}`, HTMLElement);
}

/** @param {string} name */
function choice(name) {
  return byId(`compare-${name}`, HTMLSelectElement);
}

/** Return the field for a rule. */
function ruleField() {
  return byId("compare-rule", HTMLInputElement);
}

/** Compares what the reader asks for; work for anything that was asked before stops. */
class ComparePage {
  constructor() {
    this.turn = 0;
    /** @type {EditionPair | null} What is shown: of all rules with their changes. */
    this.current = null;
    /** @type {[number, number]} The editions, the one named first first. */
    this.places = [0, 0];
    this.rule = "";
  }

  // Comparing

  /**
   * Compare what two designators name, and say so in the address.
   * @param {string} from
   * @param {string} to
   * @param {boolean} isNew
   * @param {string} rule - A number, or "" for all rules.
   */
  async ask(from, to, isNew, rule = "") {
    this.clear();
    this.rule = rule.trim();
    byId("compare-with", HTMLDetailsElement).open = isNew; // what was shared is read first
    ruleField().value = this.rule;
    const { turn } = this;
    try {
      tell(0, "Loading the editions");
      const data = await openEditions();
      const places = [from, to].map((word) => data.find(word, today()));
      const missing = places.indexOf(-1);
      if (missing >= 0) {
        byId("compare-with", HTMLDetailsElement).open = true;
        if (turn === this.turn) tell(null, whyNoEdition(data.editions, [from, to][missing]));
        return;
      }
      [choice("from").value, choice("to").value] = places.map((place) => data.editions[place][0]);
      this.places = [places[0], places[1]];
      if (isNew) this.remember(from, to);
      await this.compare(data, Math.min(...places), Math.max(...places), turn);
    } catch (error) {
      if (turn === this.turn) fail(error);
      else if (!isExpected(error)) throw error;
    }
  }

  /** @param {CompareData} data @param {number} a @param {number} b @param {number} turn */
  async compare(data, a, b, turn) {
    /** @param {number} share @param {string} words */
    const told = (share, words) => this.goesOn(turn, share, words);
    await (this.rule ? openNumbers(parseQuestions(this.rule)[0].question, told) : openAll(told));
    const comparison = this.rule ? null : await finishedWhile(comparing(data, a, b), (share) => told(share, "Comparing"));
    if (turn !== this.turn) return;
    await pause();
    const items = comparison === null ? new EditionPair(data, a, b) : new ChangeItems(data, comparison);
    await pause();
    const sections = items instanceof ChangeItems ? sectionOptions(items) : [];
    await pause();
    if (turn !== this.turn) return;
    this.current = items;
    const ends = [a, b].map((place) => {
      const edition = data.editions[place];
      return element("a", { href: `../${edition[0]}/index.html` }, fullNameOfEdition(edition));
    });
    part("title").replaceChildren("From ", ends[0], " to ", ends[1]);
    part("title").hidden = false;
    document.title = `From ${data.editions[a][0]} to ${data.editions[b][0]} · Variorum`;
    choice("section").replaceChildren(...sections);
    const asked = new URLSearchParams(location.search);
    for (const filter of FILTERS) choice(filter).value = asked.get(filter) ?? "";
    for (const filter of FILTERS) if (choice(filter).selectedIndex < 0) choice(filter).value = "";
    part("filters").hidden = comparison !== null && !comparison.all.length;
    part("of-all").hidden = Boolean(this.rule);
    part("of-rule").hidden = !this.rule;
    await this.show(items, turn);
  }

  /** Say how far work is; return whether nothing else was asked meanwhile. @param {number} turn @param {number} share @param {string} words */
  goesOn(turn, share, words) {
    if (turn === this.turn) tell(share, words);
    return turn === this.turn;
  }

  // Showing

  /**
   * Show changes, those of one section or sort if that is asked for; in slices.
   * @param {EditionPair} items
   * @param {number} turn
   */
  async show(items, turn) {
    if (!(items instanceof ChangeItems)) return this.showRule(items);
    part("found").setAttribute("aria-busy", "true");
    const summary = await finishedWhile(this.showing(items), (share) => this.goesOn(turn, share, "Showing the changes"));
    if (summary === null || turn !== this.turn) return;
    tell(null, summary);
    part("found").removeAttribute("aria-busy");
  }

  /** Show changes; yields what share is shown, returns how many. @param {ChangeItems} items @returns {Generator<number, string>} */
  *showing(items) {
    const { all, summary } = items.comparison;
    const section = choice("section").value, sort = SORTS.get(choice("sort").value);
    const wanted = all.filter((change) => !section || items.sectionOf(change) === section);
    const told = wanted.filter((change) => change.change === "substantive" && (!sort || sort(change)));
    const others = sort ? [] : wanted;
    const results = element("div");
    part("found").replaceChildren(results);
    const digest = section || sort ? null : digestOf(items);
    if (digest) results.append(digest);
    yield 0;
    if (summary.sweeps.length && !section && !sort) results.append(sweepsBlock(summary));
    yield* this.showingGroups(items, results, told, !section && !sort);
    const moved = others.filter(({ change, old, new: fresh }) => change === "" && old !== null && fresh !== null);
    yield 1;
    if (moved.length) results.append(block("moves", "Only renumbered", moved.length, ...moves(items, moved)));
    yield 1;
    results.append(...quietBlocks(items, others), counts(summary));
    const shown = told.length + moved.length + others.filter(({ change }) => QUIET_NAMES.has(change)).length;
    const ofAll = shown < all.length ? ` of ${printed(all.length)}` : "";
    return shown ? `${printed(shown)} changes${ofAll}` : "Nothing changed";
  }

  /**
   * Show changes by their sections; yields what share is shown.
   * @param {ChangeItems} items
   * @param {HTMLElement} results
   * @param {Change[]} told
   * @param {boolean} mayFold - Whether sections may be folded where there are many changes.
   */
  *showingGroups(items, results, told, mayFold) {
    const groups = Array.from(groupBy(told, (change) => items.title(change)));
    if (mayFold && told.length > FEW_CHANGES) {
      const rows = groups.map(([title, changes]) => folded(title, changes.length, (made) => setInto(items, made, changes)));
      results.append(block("by-section", "By section", told.length, ...rows));
      return;
    }
    if (groups.length > FEW_SECTIONS) results.append(contents(groups));
    let done = 0;
    for (const [place, [title, changes]] of groups.entries()) {
      const made = block(`group-${place + 1}`, title, changes.length);
      results.append(made);
      for (const _ of setting(items, made, changes)) yield (done += 1) / told.length;
    }
  }

  /** Show one rule or section whole. @param {EditionPair} two */
  showRule(two) {
    const { shown, summary } = ruleShown(two, this.rule, this.places, choice("view").value === "text");
    part("found").replaceChildren(shown);
    document.title = `${this.rule} from ${two.old.label} to ${two.new.label} · Variorum`;
    tell(null, summary);
  }

  showAgain() {
    this.remember(...this.asked(), true);
    if (this.current) this.show(this.current, (this.turn += 1));
  }

  /** Return what the address asks for, else what is chosen. @returns {[from: string, to: string]} */
  asked() {
    const wanted = new URLSearchParams(location.search);
    return [wanted.get("from") ?? choice("from").value, wanted.get("to") ?? choice("to").value];
  }

  /** Write all that is chosen into the address. @param {string} from @param {string} to */
  remember(from, to, isFilter = false) {
    const wanted = new URLSearchParams(this.rule ? { rule: this.rule, from, to } : { from, to });
    if (isFilter) for (const filter of FILTERS) if (choice(filter).value) wanted.set(filter, choice(filter).value);
    try {
      if (isFilter) history.replaceState(null, "", `?${wanted}`);
      else history.pushState(null, "", `?${wanted}`);
    } catch { /* a page read from the file system has one address */ }
  }

  clear() {
    this.turn += 1;
    this.current = null;
    byId("compare-with", HTMLDetailsElement).open = true;
    for (const name of ["title", "filters", "without"]) part(name).hidden = true;
    part("found").replaceChildren();
    part("found").removeAttribute("aria-busy");
    tell(null, "");
  }

  // Asking

  /** Compare what the address asks for, if it does. */
  readAddress() {
    const wanted = new URLSearchParams(location.search);
    const from = wanted.get("from"), to = wanted.get("to");
    if (from || to || wanted.get("rule")) this.ask(from || "first", to || "current", false, wanted.get("rule") ?? "");
    else if (this.current) this.clear();
  }

  /** Make a day choose the edition that was in force. @param {string} day @param {HTMLSelectElement} select */
  async choose(day, select) {
    if (!day) return;
    try {
      const data = await openEditions();
      const place = data.find(day);
      if (place >= 0) select.value = data.editions[place][0];
      else tell(null, whyNoEdition(data.editions, day));
    } catch (error) {
      fail(error);
    }
  }

  /** @param {HTMLFormElement} form */
  listen(form) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(choice("from").value, choice("to").value, true, ruleField().value);
    });
    part("since").addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(byId("compare-played", HTMLInputElement).value, "current", true);
    });
    for (const end of ["from", "to"]) {
      const day = byId(`compare-${end}-day`, HTMLInputElement);
      day.addEventListener("change", () => this.choose(day.value, choice(end)));
    }
    for (const filter of FILTERS) choice(filter).addEventListener("change", () => this.showAgain());
    addEventListener("popstate", () => this.readAddress());
  }
}

/** @param {unknown} error */
function isExpected(error) {
  return error instanceof LoadError || isStale(error);
}

/** @param {unknown} error */
function fail(error) {
  if (!isExpected(error)) {
    tell(null, "Something went wrong here.");
    throw error;
  }
  tell(null, isStale(error) ? "The site was built anew; reload the page." : UNLOADED);
  part("without").hidden = false;
  byId("compare-with", HTMLDetailsElement).open = true;
}

/** Say how far the work is; null where none is under way. @param {number | null} share @param {string} words */
function tell(share, words) {
  const bar = byId("compare-progress", HTMLProgressElement);
  bar.hidden = share === null;
  if (share !== null) bar.value = share;
  const status = part("status");
  if (status.textContent !== words) status.textContent = words;
}

/** Return the reader's day; the clock is read here alone. */
function today() {
  const now = new Date();
  /** @param {number} count */
  const two = (count) => String(count).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Let the page compare, where this is the page that does. */
export function startComparing() {
  const form = document.getElementById("compare");
  if (!(form instanceof HTMLFormElement)) return;
  const page = new ComparePage();
  page.listen(form);
  part("with").hidden = false;
  part("without").hidden = true;
  shownOnce().then(() => page.readAddress());
}
