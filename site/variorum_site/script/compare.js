// The page on which two editions are compared: one rule or section whole, or everything by sections.

// More changes than these are folded, by their sections; so are lists of more names. So many rows are made at once.
const FEW_CHANGES = 150, FEW_NAMES = 12, AT_ONCE = 6;
const FILTERS = ["section", "sort", "view"];
// A word or a sign, with the blanks behind it.
const TOKENS = /(?:[\p{L}\p{N}]+(?:['’./-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}])\s*/gu;

const part = (/** @type {string} */ name) => byId(`compare-${name}`, HTMLElement);
const choice = (/** @type {string} */ name) => byId(`compare-${name}`, HTMLSelectElement);
const printed = (/** @type {number} */ count) => count.toLocaleString("en");
const tell = (/** @type {string} */ words) => { part("status").textContent = words; };

// Words ---------------------------------------------------------------------------------------------

/** Return the pieces of a word diff; signs that only look different count as the same. @param {string} before @param {string} after @returns {DiffPiece[]} */
function wordDiff(before, after) {
  const fold = (/** @type {string} */ token) => token.trim().replace(/[“”]/, '"').replace(/[‘’]/, "'").replace(/[–—]/, "-");
  if (before === after) return [["=", after]];
  const [olds, news] = [before, after].map((text) => text.match(TOKENS) ?? []);
  let [from, to] = [0, 0];
  return Diff.diffArrays(olds.map(fold), news.map(fold)).map(({ value: { length }, added, removed }) => {
    const old = added ? "" : olds.slice(from, from += length).join(""), fresh = removed ? "" : news.slice(to, to += length).join("");
    return removed ? ["-", old] : added ? ["+", fresh] : ["=", fresh, old];
  });
}

/** Return a paragraph of pieces: both sides, or only one. @param {DiffPiece[]} pieces @param {"" | "-" | "+"} side */
function diffOf(pieces, side = "") {
  const made = element("p", { class: "diff" });
  for (const [at, [sign, fresh, old = fresh]] of pieces.entries()) {
    const words = side === "-" ? old : !side && pieces[at + 1]?.[0] === "-" && /\S$/.test(fresh) && /\s$/.test(old) ? `${fresh} ` : fresh;
    if (side && sign !== "=" && sign !== side) continue;
    if (sign === "=") {
      appendLines(made, words);
      continue;
    }
    // Blanks around a mark are not a part of it; one stands between two marks that no blank divides.
    const [, before = "", marked = "", behind = ""] = /^(\s*)(.*?)(\s*)$/s.exec(words) ?? [];
    appendLines(made, before || (!side && at && pieces[at - 1][0] !== "=" && /\S$/.test(pieces[at - 1][1]) && /^["“([]?[\p{L}\p{N}]/u.test(marked) ? " " : ""));
    appendLines(made.appendChild(element(sign === "-" ? "del" : "ins")), marked);
    appendLines(made, behind);
  }
  return made;
}

/** @param {HTMLElement} target @param {string} words */
function appendLines(target, words) {
  words.split("\n").forEach((line, at) => target.append(...(at ? [element("br")] : []), line));
}

// Pairs of provisions -------------------------------------------------------------------------------

/** Return a state's words: of a rule with its heading, of an entry without its headword. @param {ProvisionState | undefined} state */
function textIn(state) {
  if (!state) return "";
  return state.kind === "g" ? state.text : [state.heading, state.text].filter(Boolean).join("\n");
}

/** Return whether one of two states is only a heading, and the other a text: these are not compared. @param {Pick<Pair, "old" | "fresh">} pair */
function isHeadingAgainstText({ old, fresh }) {
  return Boolean(old && fresh && !old.text !== !fresh.text);
}

const piecesOf = (/** @type {Pair} */ pair) => (pair.pieces ??= wordDiff(textIn(pair.old), textIn(pair.fresh)));

/** @param {Pair} pair */
function isSame(pair) {
  return Boolean(pair.old && pair.fresh) && !isHeadingAgainstText(pair) && piecesOf(pair).every(([sign]) => sign === "=");
}

/** Return provisions with their states in two editions, as the newer one prints them; what was removed stands behind what preceded it. @param {Iterable<Provision>} provisions @param {number} from @param {number} to @returns {Promise<Pair[]>} */
async function pairsOf(provisions, from, to) {
  /** @type {Pair[]} */
  const pairs = [];
  for (const provision of new Map(Array.from(provisions, (each) => [each.key, each])).values()) {
    const old = stateIn(provision, from), fresh = provision.own <= to ? stateIn(provision, to) : undefined;
    const heir = old && !fresh ? await heirIn(provision, to) : null;
    if (fresh || (old && provision.own <= from)) pairs.push({ provision, old, fresh, isPart: provision.own > from, heir: heir?.state });
  }
  const sorted = (/** @type {"old" | "fresh"} */ side) => pairs.filter((pair) => pair[side]).sort((a, b) => {
    const [x, y] = [a[side], b[side]].map((state) => (state?.kind === "g" ? `~${state.name}` : state?.name ?? ""));
    const order = x[0] === "~" || y[0] === "~" ? Number(x > y) - Number(x < y) : compareNumbers(x, y);
    return order || Number(a.isPart) - Number(b.isPart);
  });
  const shown = sorted("fresh"), olds = sorted("old");
  olds.forEach((pair, at) => {
    if (!pair.fresh) shown.splice(at ? shown.indexOf(olds[at - 1]) + 1 : 0, 0, pair);
  });
  return shown;
}

/** Return a link to a state in an edition. @param {ProvisionState} state @param {number} edition */
function stateLink({ kind, name, heading }, edition) {
  return element("a", { href: datedHref(edition, kind, name) }, kind === "g" ? heading : name.split("#")[0]);
}

/** Return since which edition a provision says what it says in one. @param {Provision} provision @param {ProvisionState} state */
function unchangedSince({ states }, state) {
  let since = states.indexOf(state);
  while (since > 0 && textIn(states[since - 1]) === textIn(state)) since -= 1;
  return `unchanged since ${dayOf(states[since].first)}`;
}

/** Return whether another row tells the old text: that of what was asked for, else that of its own heir, else the first. @param {Pair} pair @param {Pair[]} pairs */
function isToldElsewhere({ old }, pairs) {
  const rows = old ? pairs.filter((other) => other.old?.name === old.name) : [];
  return rows.length > 0 && (rows.find(({ isLead }) => isLead) ?? rows.find(({ isPart }) => !isPart) ?? rows[0]).old !== old;
}

/** Return a pair as a row: side by side, or as one text. @param {Pair} pair @param {Pair[]} pairs @param {number} from @param {number} to @param {boolean} isText */
function pairRow(pair, pairs, from, to, isText) {
  const { provision, old, fresh, heir } = pair, isTold = isToldElsewhere(pair, pairs);
  const isDivided = !fresh && pairs.some((other) => other.isPart && other.old?.name === old?.name), isApart = isDivided || isHeadingAgainstText(pair);
  const pieces = isApart ? [] : piecesOf(pair), row = element("div", { class: isSame(pair) ? "pair same" : "pair" });
  const chance = provision.doubts.reduce((all, [place, each]) => (from < place && place <= to ? all * each : all), 1), doubt = chance >= 0.945 ? "" : chance >= 0.495 ? "probably " : "perhaps ";
  const margin = fresh ? unchangedSince(provision, fresh) : isDivided ? "divided among those below" : doubt + (heir ? `went into ${calledIn(heir)}` : "removed");
  /** @param {string} name @param {ProvisionState | undefined} state @param {number} edition @param {Node | string} words @param {string} note */
  const cell = (name, state, edition, words, note) => {
    const made = element("div", { class: name });
    if (state) made.append(element("b", {}, stateLink(state, edition)), " ");
    made.append(element("small", {}, note));
    if (state) made.append(words);
    return made;
  };
  const words = (/** @type {ProvisionState | undefined} */ state, /** @type {"-" | "+"} */ side) => (isTold && side === "-" ? "" : isApart ? diffOf([["=", textIn(state)]]) : diffOf(pieces, side));
  const was = old && fresh && calledIn(old) !== calledIn(fresh) ? `${doubt}${calledIn(old)} before, ` : "";
  if (isText) {
    const made = cell("whole", fresh ?? old, fresh ? to : from, isApart || isTold ? words(fresh ?? old, "+") : diffOf(pieces), was + margin);
    if (fresh && isApart && !isTold) made.append(diffOf([["-", textIn(old)]]));
    row.append(made);
  } else {
    const before = old ? (pair.isPart ? `${doubt}split off from this` : "") : `${doubt}not there yet`;
    row.append(cell("before", old, from, words(old, "-"), before), cell("after", fresh, to, words(fresh, "+"), margin));
  }
  return row;
}

// One rule or section -------------------------------------------------------------------------------

/** Return one rule, section or entry whole, and what is to be said of it: what the edition named first calls so, else the other, else the last that did. @param {string} asked @param {[number, number]} places */
async function ruleShown(asked, places) {
  const [from, to] = [...places].sort((a, b) => a - b), [cited] = citationsIn(asked), isEntry = !cited;
  const name = cited ? cited.first + cited.which : slugOf(asked);
  const all = await openSection(isEntry ? sectionOf(GLOSSARY, name) : sectionOf(name)).catch(() => /** @type {Provision[]} */ ([]));
  const ends = all.flatMap(({ states }) => states.filter((state) => state.name === name).map(({ last }) => last));
  const edition = [...places, Math.max(...ends)].find((place) => namedIn(all, name, isEntry, place).length);
  if (edition === undefined) return { shown: [], summary: `Nothing is called ${asked} in these editions. Enter a number or a term of the glossary.` };
  const heads = namedIn(all, name, isEntry, edition), held = namedIn(all, name, isEntry, edition, true);
  const notes = [], leads = /** @type {Pair[]} */ ([]), told = new Set(heads.map(({ key }) => key));
  for (const head of heads) {
    const parts = await pairsOf(all.filter((each) => each.own > edition && stateIn(each, edition)?.name === stateIn(head, edition)?.name), from, to);
    const [old, fresh] = [await heirIn(head, from), await heirIn(head, to)], isLost = !fresh && parts.length > 0;
    // A provision of which only parts are left is compared with the first of them.
    leads.push({ ...(isLost ? { ...parts[0], isPart: false } : { provision: fresh?.provision ?? head, old: old?.state, fresh: fresh?.state, isPart: head.own > from }), isLead: true });
    for (const { provision } of [...leads, ...(old ? [old] : [])]) told.add(provision.key);
    held.push(...parts.map(({ provision }) => provision));
  }
  for (const place of [from, to].filter((other) => other !== edition)) {
    for (const { kind, name: called } of leads.flatMap((lead) => (place === from ? lead.old : lead.fresh) ?? [])) {
      held.push(...namedIn(await openSection(sectionOf(kind === "g" ? GLOSSARY : called, called)), called, kind === "g", place, true));
    }
    if (namedIn(all, name, isEntry, place).every(({ key }) => told.has(key))) continue;
    const query = new URLSearchParams({ rule: asked, from: SITE.editions[place][0], to: SITE.editions[edition][0] });
    notes.push(element("p", { class: "note" }, `In the edition of ${dayOf(place)}, ${asked} is another rule: `, element("a", { href: `?${query}` }, "compare that one"), "."));
  }
  const pairs = [...leads, ...await pairsOf(held.filter(({ key }) => !told.has(key)), from, to)], isText = choice("view").value === "text";
  const shown = element("div", { class: isText ? "rule-text" : "rule-sides" }, ...notes);
  if (!isText) shown.append(element("div", { class: "pair heads" }, ...[from, to].map((place) => element("b", {}, editionName(place)))));
  for (const [at, pair] of pairs.entries()) {
    if (at % AT_ONCE === 0) await new Promise((resolve) => { setTimeout(resolve); }); // or the page would stand still
    shown.append(pairRow(pair, pairs, from, to, isText));
  }
  const changed = pairs.filter((pair) => !isSame(pair)).length, how = changed ? `${printed(changed)} of ${printed(pairs.length)} changed` : "nothing changed";
  return { shown: [shown], summary: `${asked} of ${editionName(edition)}: ${how}` };
}

// All rules -----------------------------------------------------------------------------------------

/** Return a block that is filled when somebody opens it, or at once. @param {string} title @param {string} count @param {boolean} isOpen @param {() => Promise<Node>} fill */
function folding(title, count, isOpen, fill) {
  const made = element("details", {}, element("summary", {}, `${title} `, element("small", {}, count)));
  made.addEventListener("toggle", async () => {
    part("found").setAttribute("aria-busy", "true");
    made.append(await fill());
    part("found").removeAttribute("aria-busy");
  }, { once: true });
  made.open = isOpen;
  return made;
}

/** @param {string} section @param {string | undefined} heading */
function sectionTitle(section, heading) {
  if (section.startsWith("glossary-")) return `Glossary, ${section.slice(-1).toUpperCase()}`;
  return heading ? `${section}. ${heading}` : section;
}

/** @param {SinceFile["lists"]} lists @param {number} from */
function digestOf(lists, from) {
  const made = element("section", { "aria-labelledby": "digest", class: "digest" }, element("h2", { id: "digest" }, "In short"));
  for (const [title, rows] of lists) {
    const items = rows.map(([name, words, note]) => {
      const isEntry = name.startsWith(GLOSSARY), href = title.startsWith("Removed") ? datedHref(from, "r", name) : nowHref(name);
      const link = name && element("a", { href }, isEntry ? words : name.split("#")[0]);
      return element("li", {}, link, isEntry ? " " : ` ${words} `, element("small", {}, note));
    });
    const list = element("details", {}, element("summary", {}, `${title} `, element("small", {}, printed(items.length))), element("ul", { class: "names" }, ...items));
    list.open = items.length <= FEW_NAMES;
    made.append(list);
  }
  return made;
}

/** @param {SinceFile["counts"]} counts */
function countsOf(counts) {
  const rows = /** @type {const} */ ([
    ["Reworded", "substantive"], ["New", "new"], ["Removed", "gone"], ["Split off or copied", "parts"], ["Only renumbered", "moved_only"],
    ["Wording changed in many rules at once", "sweep"], ["Only cites new numbers", "citation_only"], ["Typography", "typographic"], ["The same", "same"],
    ["Words removed", "words_gone"], ["Words added", "words_came"],
  ]);
  return element("dl", { class: "counts" }, ...rows.map(([title, name]) => element("div", {}, element("dt", {}, title), element("dd", {}, printed(counts[name]),
    name === "same" ? element("small", {}, ` of ${printed(counts.provisions)}`) : ""))));
}

/** Return the words for what happened to a provision; "" of one that has the same words. @param {unknown} source @param {boolean} isPart @param {unknown} fresh @param {() => boolean} isAlike */
function sortOf(source, isPart, fresh, isAlike) {
  if (!fresh) return source && !isPart ? "removed" : "";
  return !source ? "new" : isPart ? "split off" : isAlike() ? "" : "reworded";
}

/** Show the sections that changed between two editions, each with its counts. @param {AllFile} file @param {number} from @param {number} to */
function sectionsShown({ sections, headings, provisions }, from, to) {
  const wanted = choice("section").value || (new URLSearchParams(location.search).get("section")?.toLowerCase() ?? ""), sort = choice("sort").value, offered = new Set();
  /** @type {Map<string, Record<string, number>>} */
  const counts = new Map();
  /** @param {number[]} row @param {number} edition */
  const at = (row, edition) => {
    let [place, words] = [0, 0];
    for (let run = 2; row[run] <= edition; run += 3) [place, words] = [run, words + row[run + 2]];
    return !place || (row[1] && edition >= row[1]) ? null : { section: sections[row[place + 1]], words };
  };
  let total = 0;
  for (const row of provisions) {
    const old = at(row, from), fresh = row[0] <= to ? at(row, to) : null, there = (fresh ?? old)?.section ?? "";
    const what = sortOf(old, row[0] > from, fresh, () => fresh?.words === old?.words), group = there.split("-")[0];
    if (what) offered.add(group);
    if (!what || (wanted && group !== wanted) || (sort && what !== sort)) continue;
    const count = counts.get(there) ?? {};
    count[what] = (count[what] ?? 0) + 1;
    counts.set(there, count);
    total += 1;
  }
  const options = [...offered].sort().map((group) => element("option", { value: group }, group === "glossary" ? "Glossary" : sectionTitle(group, headings[group]).slice(0, 40)));
  choice("section").replaceChildren(element("option", { value: "" }, "All sections"), ...options);
  choice("section").value = wanted;
  const ordered = [...counts].sort(([a], [b]) => (/\D/.test(a + b) ? Number(a > b) - Number(a < b) : compareNumbers(a, b)));
  const shown = ordered.map(([section, count]) => folding(
    sectionTitle(section, headings[section]), Object.entries(count).map(([what, number]) => `${printed(number)} ${what}`).join(", "), total <= FEW_CHANGES,
    async () => {
      const pairs = await pairsOf((await openSection(section)).filter((each) => {
        const state = each.own <= to ? stateIn(each, to) ?? stateIn(each, from) : stateIn(each, from);
        return state && sectionOf(state.kind === "g" ? GLOSSARY : state.name, state.name) === section;
      }), from, to);
      const rows = pairs.filter((pair) => {
        const what = sortOf(pair.old, pair.isPart, pair.fresh, () => isSame(pair));
        return what && (!sort || what === sort);
      });
      return element("div", { class: "rule-text" }, ...rows.map((pair) => pairRow(pair, pairs, from, to, true)));
    },
  ));
  return { shown, summary: total ? `${printed(total)} changes in ${printed(counts.size)} sections` : "Nothing changed" };
}

// The page ------------------------------------------------------------------------------------------

let turn = 0;
/** Compare what two designators name. @param {string} from @param {string} to @param {string} rule */
async function compare(from, to, rule) {
  const own = (turn += 1), places = [from, to].map((word) => editionsNamed(word)), wrong = places.findIndex(({ length }) => length !== 1);
  part("with").toggleAttribute("open", wrong >= 0);
  for (const name of ["title", "filters", "without"]) part(name).hidden = true;
  part("found").replaceChildren();
  if (wrong >= 0) return tell(whyNoEdition([from, to][wrong]));
  const [[first], [second]] = places, [older, newer] = [Math.min(first, second), Math.max(first, second)];
  [choice("from").value, choice("to").value] = [first, second].map((place) => SITE.editions[place][0]);
  byId("compare-rule", HTMLInputElement).value = rule;
  part("title").replaceChildren("From ", ...[older, newer].flatMap((place, at) => [at ? " to " : "", element("a", { href: hrefOf(`${SITE.editions[place][0]}/index.html`) }, editionName(place))]));
  part("title").hidden = false;
  document.title = `${rule ? `${rule} from` : "From"} ${editionName(older)} to ${editionName(newer)} · Variorum`;
  if (older === newer) return tell("Both are the same edition.");
  // Every edition has a page of what it changed; who comes from there wants to choose others.
  const page = hrefOf(`changes/${SITE.editions[newer][0]}/`), isThere = document.referrer.startsWith(page);
  if (!rule && newer === older + 1 && !isThere) return location.replace(`${page}index.html`);
  part("with").toggleAttribute("open", isThere);
  tell("Loading the texts …");
  try {
    const [all, since] = rule ? [] : await Promise.all([load("compare/all.js"), newer === SITE.current && newer > older + 1 ? load(`compare/since/${SITE.editions[older][0]}.js`) : null]);
    /** @type {{ shown: HTMLElement[], summary: string }} */
    const { shown, summary } = rule ? await ruleShown(rule, [first, second]) : sectionsShown(all, older, newer);
    if (since && !choice("section").value && !choice("sort").value) shown.unshift(digestOf(since.lists, older));
    if (since) shown.push(countsOf(since.counts));
    if (own !== turn) return undefined;
    part("filters").hidden = false;
    [part("of-all").hidden, part("of-rule").hidden] = [Boolean(rule), !rule];
    part("found").replaceChildren(...shown);
    return tell(summary);
  } catch (error) {
    part("without").hidden = false;
    tell("The texts could not be loaded. Are you online?");
    if (!(error instanceof Error && error.message.includes("loaded"))) throw error;
  }
  return undefined;
}

/** Write all that is chosen into the address, and compare it. @param {string} from @param {string} to @param {string} rule */
function ask(from, to, rule, isFilter = false) {
  const wanted = new URLSearchParams(rule ? { rule, from, to } : { from, to });
  if (isFilter) for (const filter of FILTERS) if (choice(filter).value) wanted.set(filter, choice(filter).value);
  if (location.protocol !== "file:") history[isFilter ? "replaceState" : "pushState"](null, "", `?${wanted}`);
  compare(from, to, rule);
}

/** Compare what the address asks for, if it does. */
function readAddress() {
  const wanted = new URLSearchParams(location.search), from = wanted.get("from"), to = wanted.get("to"), rule = wanted.get("rule");
  for (const filter of FILTERS) choice(filter).value = wanted.get(filter) ?? "";
  if (from || to || rule) compare(from || "first", to || "current", rule ?? "");
  else part("found").replaceChildren();
}

byId("compare", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  ask(choice("from").value, choice("to").value, byId("compare-rule", HTMLInputElement).value.trim());
});
part("since").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(byId("compare-played", HTMLInputElement).value, "current", "");
});
for (const end of ["from", "to"]) {
  byId(`compare-${end}-day`, HTMLInputElement).addEventListener("change", ({ currentTarget }) => {
    const { value: day } = /** @type {HTMLInputElement} */ (currentTarget), place = inForceOn(day);
    if (place >= 0) choice(end).value = SITE.editions[place][0];
    else if (day) tell(whyNoEdition(day));
  });
}
for (const filter of FILTERS) {
  choice(filter).addEventListener("change", () => {
    const asked = new URLSearchParams(location.search);
    ask(asked.get("from") ?? choice("from").value, asked.get("to") ?? choice("to").value, asked.get("rule") ?? byId("compare-rule", HTMLInputElement).value.trim(), true);
  });
}
addEventListener("popstate", readAddress);
part("with").hidden = false;
part("without").hidden = true;
readAddress();
