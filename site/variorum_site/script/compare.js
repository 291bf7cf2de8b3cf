// The page on which two editions are compared: one rule or section whole, or everything by sections.

// More changes than these are folded, by their sections; so many sweeps and words around a change are shown.
const FEW_CHANGES = 150, SHOWN_SWEEPS = 8, AROUND = 8;
/** @type {Record<string, string>} */
const CLASSES = { typographic: "typography", "citation-only": "only cites new numbers", sweep: "wording changed throughout" };
const SORTS = ["", "new", "gone", "parted"], CHANGED = ["", "typographic", "citation-only", "sweep", "substantive"];
const FILTERS = ["section", "sort", "view"];
const TOKENS = /\s+|[\p{L}\p{N}]+(?:['’./-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;

/** @param {string} name */
const part = (name) => byId(`compare-${name}`, HTMLElement);
/** @param {string} name */
const choice = (name) => byId(`compare-${name}`, HTMLSelectElement);
/** @param {number} count */
const printed = (count) => count.toLocaleString("en");
/** @param {string} words */
const tell = (words) => { part("status").textContent = words; };

// Words ---------------------------------------------------------------------------------------------

/** Return the pieces of a word diff; signs that only look different count as the same. @param {string} before @param {string} after @returns {DiffPiece[]} */
function wordDiff(before, after) {
  /** @param {string} token */
  const fold = (token) => token.replace(/[“”]/, '"').replace(/[‘’]/, "'").replace(/[–—]/, "-");
  const [olds, news] = [before, after].map((text) => text.match(TOKENS) ?? []);
  /** @type {DiffPiece[]} */
  const pieces = [];
  let [from, to] = [0, 0];
  for (const { value: { length }, added, removed } of Diff.diffArrays(olds, news, { comparator: (a, b) => fold(a) === fold(b) })) {
    const old = added ? "" : olds.slice(from, from += length).join(""), fresh = removed ? "" : news.slice(to, to += length).join("");
    // A blank between two changes belongs to both.
    if (!added && !removed && (fresh.trim() || pieces.at(-1)?.[0] === "=")) pieces.push(["=", fresh, old]);
    else pieces.push(["-", old], ["+", fresh]);
  }
  return merged(pieces);
}

/** Join the pieces between two that stayed: first all that went, then all that came. @param {DiffPiece[]} pieces */
function merged(pieces) {
  /** @type {DiffPiece[]} */
  const joined = [];
  let sides = { "-": "", "+": "" };
  const flush = () => {
    for (const sign of /** @type {("-" | "+")[]} */ (["-", "+"])) if (sides[sign]) joined.push([sign, sides[sign]]);
    sides = { "-": "", "+": "" };
  };
  for (const piece of pieces) {
    const [sign, words] = piece;
    if (sign === "=") flush();
    if (sign === "=") joined.push(piece);
    else sides[sign] += words;
  }
  flush();
  return joined;
}

/** Return a paragraph of pieces: both sides, or only one; perhaps only the words around what changed. @param {DiffPiece[]} pieces @param {"" | "-" | "+"} side */
function diffOf(pieces, side = "", isShort = false) {
  const made = element("p", { class: "diff" });
  pieces.forEach(([sign, fresh, old = fresh], place) => {
    const words = side === "-" ? old : fresh;
    if (side && sign !== "=" && sign !== side) return;
    if (sign === "=") {
      appendLines(made, isShort ? shortened(words, place > 0, place < pieces.length - 1) : words);
      return;
    }
    // Blanks around a mark are not a part of it.
    const [, before = "", marked = "", behind = ""] = /^(\s*)(.*?)(\s*)$/s.exec(words) ?? [];
    appendLines(made, before);
    appendLines(made.appendChild(element(sign === "-" ? "del" : "ins")), marked);
    appendLines(made, behind);
  });
  return made;
}

/** @param {HTMLElement} target @param {string} words */
function appendLines(target, words) {
  words.split("\n").forEach((line, at) => target.append(...(at ? [element("br")] : []), line));
}

/** @param {string} words @param {boolean} isBehind @param {boolean} isBefore */
function shortened(words, isBehind, isBefore) {
  const all = words.split(/(?<=\s)/), most = AROUND * (Number(isBehind) + Number(isBefore));
  if (all.length <= most + 2) return words;
  return `${isBehind ? all.slice(0, AROUND).join("") : ""}… ${isBefore ? all.slice(-AROUND).join("") : ""}`;
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

/** @param {Pair} pair */
function isSame(pair) {
  const { old, fresh } = pair;
  return Boolean(old && fresh) && !isHeadingAgainstText(pair) && wordDiff(textIn(old), textIn(fresh)).every(([sign]) => sign === "=");
}

/**
 * Return provisions with their states in two editions, as the newer one prints them; what was removed stands behind what preceded it.
 * @param {Iterable<Provision>} provisions
 * @param {number} from
 * @param {number} to
 * @returns {Promise<Pair[]>}
 */
async function pairsOf(provisions, from, to) {
  /** @type {Pair[]} */
  const pairs = [];
  for (const provision of new Map(Array.from(provisions, (each) => [each.key, each])).values()) {
    const old = stateIn(provision, from), fresh = provision.own <= to ? stateIn(provision, to) : undefined;
    const heir = old && !fresh ? await heirIn(provision, to) : null;
    if (fresh || (old && provision.own <= from)) pairs.push({ provision, old, fresh, isPart: provision.own > from, heir: heir?.state });
  }
  /** @param {"old" | "fresh"} side */
  const sorted = (side) => pairs.filter((pair) => pair[side]).sort((a, b) => {
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

/** Return whether the old text of a part is told in the row of another provision. @param {Pair} pair @param {Pair[]} pairs */
function isToldElsewhere({ old, isPart }, pairs) {
  const row = pairs.find((other) => other.old?.name === old?.name && !other.isPart) ?? pairs.find((other) => other.old?.name === old?.name);
  return isPart && row?.old !== old;
}

/** Return a pair as a row: side by side, or as one text. @param {Pair} pair @param {Pair[]} pairs @param {number} from @param {number} to @param {boolean} isText */
function pairRow(pair, pairs, from, to, isText) {
  const { provision, old, fresh, heir } = pair, isTold = isToldElsewhere(pair, pairs);
  const isDivided = !fresh && pairs.some((other) => other.isPart && other.old?.name === old?.name), isApart = isDivided || isHeadingAgainstText(pair);
  const pieces = isApart ? [] : wordDiff(textIn(old), textIn(fresh));
  const row = element("div", { class: isSame(pair) ? "pair same" : "pair" });
  const margin = fresh ? unchangedSince(provision, fresh) : isDivided ? "divided among those below" : heir ? `went into ${calledIn(heir)}` : "removed";
  /** @param {string} name @param {ProvisionState | undefined} state @param {number} edition @param {Node | string} words @param {string} note */
  const cell = (name, state, edition, words, note) => {
    const made = element("div", { class: name });
    if (state) made.append(element("b", {}, stateLink(state, edition)), " ");
    made.append(element("small", {}, note));
    if (state) made.append(words);
    return made;
  };
  /** @param {ProvisionState | undefined} state @param {"-" | "+"} side */
  const words = (state, side) => (isTold && side === "-" ? "" : isApart ? diffOf([["=", textIn(state)]]) : diffOf(pieces, side));
  const was = old && fresh && calledIn(old) !== calledIn(fresh) ? `${calledIn(old)} before, ` : "";
  if (isText) {
    const made = cell("whole", fresh ?? old, fresh ? to : from, isApart || isTold ? words(fresh ?? old, "+") : diffOf(pieces), was + margin);
    if (fresh && isApart && !isTold) made.append(diffOf([["-", textIn(old)]]));
    row.append(made);
  } else {
    const before = old ? (pair.isPart ? "split off from this" : "") : "not there yet";
    row.append(cell("before", old, from, words(old, "-"), before), cell("after", fresh, to, words(fresh, "+"), margin));
  }
  return row;
}

// One rule or section -------------------------------------------------------------------------------

/**
 * Return one rule, section or entry whole, and what is to be said of it: what the edition named first calls so, else the other, else the last that did.
 * @param {string} asked
 * @param {[number, number]} places
 */
async function ruleShown(asked, places) {
  const [from, to] = [...places].sort((a, b) => a - b), [cited] = citationsIn(asked), isEntry = !cited;
  const name = cited ? cited.first + cited.which : slugOf(asked);
  const all = await openSection(isEntry ? sectionOf(GLOSSARY, name) : sectionOf(name)).catch(() => /** @type {Provision[]} */ ([]));
  const ends = all.flatMap(({ states }) => states.filter((state) => state.name === name).map(({ last }) => last));
  const edition = [...places, Math.max(...ends)].find((place) => namedIn(all, name, isEntry, place).length);
  if (edition === undefined) return { shown: [], summary: `Nothing is called ${asked} in these editions.` };
  const heads = namedIn(all, name, isEntry, edition), held = namedIn(all, name, isEntry, edition, true);
  const notes = [];
  for (const place of [from, to].filter((other) => other !== edition)) {
    const there = (await Promise.all(heads.map((head) => heirIn(head, place)))).filter((heir) => heir !== null);
    for (const { state, provision } of there) {
      const others = await openSection(sectionOf(state.kind === "g" ? GLOSSARY : state.name, state.name));
      held.push(provision, ...namedIn(others, state.name, state.kind === "g", place, true));
    }
    const namesakes = namedIn(all, name, isEntry, place).filter(({ key }) => !there.some(({ provision }) => provision.key === key));
    if (!namesakes.length) continue;
    const query = new URLSearchParams({ rule: asked, from: SITE.editions[place][0], to: SITE.editions[edition][0] });
    notes.push(element("p", { class: "note" }, `In the edition of ${dayOf(place)}, ${asked} is another rule: `, element("a", { href: `?${query}` }, "compare that one"), "."));
  }
  const pairs = await pairsOf(held, from, to), isText = choice("view").value === "text";
  const shown = element("div", { class: isText ? "rule-text" : "rule-sides" }, ...notes);
  if (!isText) shown.append(element("div", { class: "pair heads" }, ...[from, to].map((place) => element("b", {}, editionName(place)))));
  shown.append(...pairs.map((pair) => pairRow(pair, pairs, from, to, isText)));
  const changed = pairs.filter((pair) => !isSame(pair)).length, how = changed ? `${printed(changed)} of ${printed(pairs.length)} changed` : "nothing changed";
  return { shown: [shown], summary: `${asked} of ${editionName(edition)}: ${how}` };
}

// All rules -----------------------------------------------------------------------------------------

/** Return a change between two editions, with its word diff. @param {SinceRow} row @param {number} from @param {number} to */
async function changeShown([old, now, sortCode, wordsCode], from, to) {
  const fresh = now === "=" ? old : now, sort = SORTS[sortCode], change = CHANGED[wordsCode];
  /** @param {string} name @param {number} edition */
  const stateOf = async (name, edition) => {
    const isEntry = name.startsWith(GLOSSARY), all = name ? await openSection(sectionOf(name)) : [];
    const [found] = all.filter((each) => each.own <= edition).map((each) => stateIn(each, edition)).filter((state) => state &&
      (isEntry ? state.kind === "g" && GLOSSARY + state.heading === name : state.name === name));
    return found;
  };
  const pair = { old: await stateOf(old, from), fresh: await stateOf(fresh, to) };
  const kinds = sort === "gone" ? "removed" : [sort === "parted" ? "split, merged or copied" : sort, old && fresh && old !== fresh ? "renumbered" : "",
    CLASSES[change] ?? (change && !sort ? "reworded" : "")].filter(Boolean).join(", ");
  const links = [pair.old ? stateLink(pair.old, from) : "", pair.old && pair.fresh ? " → " : "", pair.fresh ? stateLink(pair.fresh, to) : ""];
  if (pair.old && old === fresh) links.splice(0, 2);
  const made = element("div", { class: "change" }, element("p", {}, element("b", {}, ...links), " ", element("small", {}, kinds)));
  const isPart = sort === "parted" && pair.fresh && !change;
  if (change && !isPart) made.append(diffOf(isHeadingAgainstText(pair) ? [["-", textIn(pair.old)], ["+", textIn(pair.fresh)]] : wordDiff(textIn(pair.old), textIn(pair.fresh)), "", true));
  return made;
}

/** Return a block that is filled when somebody opens it, or at once. @param {string} title @param {string} count @param {boolean} isOpen @param {() => Promise<Node[]>} fill */
function folding(title, count, isOpen, fill) {
  const made = element("details", {}, element("summary", {}, `${title} `, element("small", {}, count)));
  let isFilled = false;
  made.addEventListener("toggle", async () => {
    if (isFilled) return;
    isFilled = true;
    part("found").setAttribute("aria-busy", "true");
    made.append(...await fill());
    part("found").removeAttribute("aria-busy");
  });
  made.open = isOpen;
  return made;
}

/** Show all that changed up to the newest edition, as `cr since` counts it. @param {SinceFile} file @param {number} from @param {number} to */
function sinceShown({ summary, lists, reworded, sections }, from, to) {
  const section = choice("section").value, sort = choice("sort").value, shown = [];
  /** @param {SinceRow} row */
  const isWanted = ([, , own, change]) => !sort || (sort === "reworded" ? !own && CHANGED[change] === "substantive" : SORTS[own] === sort);
  const wanted = sections.filter(([own]) => !section || own === section).map(([own, heading, rows]) => /** @type {const} */ ([own, heading, rows.filter(isWanted)]));
  const count = wanted.reduce((sum, [, , rows]) => sum + rows.length, 0), all = sections.reduce((sum, [, , rows]) => sum + rows.length, 0);
  if (!section && !sort) shown.push(digestOf(lists, reworded, from, to), ...sweepsOf(summary.sweeps));
  for (const [own, heading, rows] of wanted.filter(([, , { length }]) => length)) {
    const fill = () => Promise.all(rows.map((row) => changeShown(row, from, to)));
    shown.push(folding(sectionTitle(own, heading), printed(rows.length), count <= FEW_CHANGES, fill));
  }
  shown.push(countsOf(summary));
  return { shown, summary: count ? `${printed(count)} changes${count < all ? ` of ${printed(all)}` : ""}` : "Nothing changed" };
}

/** @param {string} section @param {string | undefined} heading */
function sectionTitle(section, heading) {
  return section.startsWith("glossary") ? "Glossary" : heading ? `${section}. ${heading}` : section;
}

/** @param {SinceFile["lists"]} lists @param {SinceFile["reworded"]} reworded @param {number} from @param {number} to */
function digestOf(lists, reworded, from, to) {
  const made = element("section", { "aria-labelledby": "digest", class: "digest" }, element("h2", { id: "digest" }, "In short"));
  /** @param {string} name @param {string} heading @param {number} edition @param {string} more */
  const item = (name, heading, edition, more = "") => {
    const isEntry = name.startsWith(GLOSSARY), href = edition === SITE.current ? nowHref(name) : datedHref(edition, isEntry ? "g" : "r", isEntry ? slugOf(name) : name);
    return element("li", {}, element("a", { href }, isEntry ? heading : name.split("#")[0]), isEntry ? "" : ` ${heading}`, more ? " " : "", element("small", {}, more));
  };
  for (const [title, names] of lists) {
    const rows = names.map(([name, heading]) => item(name, heading, title.startsWith("Removed") ? from : to));
    made.append(element("div", {}, element("h3", {}, `${title} `, element("small", {}, printed(rows.length))), element("ul", { class: "names" }, ...rows)));
  }
  const rows = reworded.map(([name, heading, went, came]) => item(name, heading, to, `${printed(came)} words added, ${printed(went)} removed`));
  if (rows.length) made.append(element("div", {}, element("h3", {}, "Most reworded"), element("ul", { class: "names" }, ...rows)));
  return made;
}

/** @param {SinceFile["summary"]["sweeps"]} sweeps */
function sweepsOf(sweeps) {
  const rows = sweeps.map(({ before, after, provisions }) => element("li", {}, element("del", {}, before), " ", element("ins", {}, after || "nothing"), ` in ${printed(provisions)} provisions`));
  if (!rows.length) return [];
  const made = element("section", { "aria-labelledby": "all-over" }, element("h2", { id: "all-over" }, "Wording changed throughout"), element("ul", { class: "swept" }, ...rows.slice(0, SHOWN_SWEEPS)));
  if (rows.length > SHOWN_SWEEPS) made.append(element("details", {}, element("summary", {}, `${rows.length - SHOWN_SWEEPS} more`), element("ul", { class: "swept" }, ...rows.slice(SHOWN_SWEEPS))));
  return [made];
}

/** @param {SinceFile["summary"]} summary */
function countsOf(summary) {
  const rows = /** @type {const} */ ([
    ["Reworded", "substantive"], ["New", "new"], ["Removed", "gone"], ["Split off or copied", "parts"], ["Only renumbered", "moved_only"],
    ["Wording changed throughout", "sweep"], ["Only cites new numbers", "citation_only"], ["Typography", "typographic"], ["The same", "same"],
    ["Words removed", "words_gone"], ["Words added", "words_came"],
  ]);
  return element("dl", { class: "counts" }, ...rows.map(([title, name]) => element("div", {}, element("dt", {}, title), element("dd", {}, printed(summary[name]),
    name === "same" ? element("small", {}, ` of ${printed(summary.provisions)}`) : ""))));
}

/** Show the sections that changed between any two editions, each with its counts. @param {AllFile} file @param {number} from @param {number} to */
function sectionsShown({ sections, headings, provisions }, from, to) {
  /** @type {Map<string, { reworded: number, new: number, removed: number }>} */
  const counts = new Map();
  /** @param {number[]} row @param {number} edition */
  const at = ([, gone, ...runs], edition) => {
    let place = -3;
    while (runs[place + 3] <= edition) place += 3;
    return place < 0 || (gone && edition >= gone) ? null : { section: sections[runs[place + 1]], words: runs.slice(0, place + 3).filter((_, column) => column % 3 === 2).reduce((sum, isNew) => sum + isNew, 0) };
  };
  for (const row of provisions) {
    const [own] = row, old = own <= from ? at(row, from) : null, fresh = own <= to ? at(row, to) : null, there = (fresh ?? old)?.section;
    const what = fresh ? (!old ? "new" : fresh.words === old.words ? null : "reworded") : "removed";
    if (!there || !what) continue;
    const count = counts.get(there) ?? { reworded: 0, new: 0, removed: 0 };
    count[what] += 1;
    counts.set(there, count);
  }
  const wanted = [...counts].filter(([section]) => !choice("section").value || section === choice("section").value)
    .sort(([a], [b]) => (/\D/.test(a + b) ? Number(a > b) - Number(a < b) : compareNumbers(a, b)));
  const shown = wanted.map(([section, count]) => folding(
    section.startsWith("glossary") ? `Glossary, ${section.slice(-1).toUpperCase()}` : sectionTitle(section, headings[section]),
    Object.entries(count).filter(([, number]) => number).map(([what, number]) => `${printed(number)} ${what}`).join(", "), wanted.length === 1,
    async () => {
      const all = await openSection(section), pairs = await pairsOf(all.filter((each) => {
        const state = each.own <= to ? stateIn(each, to) ?? stateIn(each, from) : undefined;
        return state && sectionOf(state.kind === "g" ? GLOSSARY : state.name, state.name) === section;
      }), from, to);
      return [element("div", { class: "rule-text" }, ...pairs.filter((pair) => !isSame(pair)).map((pair) => pairRow(pair, pairs, from, to, true)))];
    },
  ));
  return { shown, summary: `${printed(counts.size)} sections changed` };
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
    const isSince = newer === SITE.current && newer > older + 1, file = rule ? null : await load(isSince ? `compare/since/${SITE.editions[older][0]}.js` : "compare/all.js");
    if (!rule) offerSections(isSince ? file.sections : file.sections.map((/** @type {string} */ section) => [section, file.headings[section]]));
    const { shown, summary } = rule ? await ruleShown(rule, [first, second]) : (isSince ? sinceShown : sectionsShown)(file, older, newer);
    if (own !== turn) return undefined;
    part("filters").hidden = false;
    part("of-all").hidden = Boolean(rule);
    choice("sort").disabled = !isSince;
    part("of-rule").hidden = !rule;
    part("found").replaceChildren(...shown);
    return tell(summary);
  } catch (error) {
    part("without").hidden = false;
    tell("The texts could not be loaded. Are you online?");
    if (!(error instanceof Error && error.message.includes("loaded"))) throw error;
  }
  return undefined;
}

/** @param {[section: string, heading: string][]} sections */
function offerSections(sections) {
  const select = choice("section"), chosen = new URLSearchParams(location.search).get("section")?.toLowerCase() ?? "";
  const options = sections.map(([section, heading]) => element("option", { value: section }, sectionTitle(section, heading).slice(0, 40)));
  select.replaceChildren(element("option", { value: "" }, "All sections"), ...options);
  select.value = chosen;
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

/** @type {Record<string, HTMLSelectElement>} */
const ends = { from: choice("from"), to: choice("to") };
byId("compare", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  ask(ends.from.value, ends.to.value, byId("compare-rule", HTMLInputElement).value.trim());
});
part("since").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(byId("compare-played", HTMLInputElement).value, "current", "");
});
for (const [end, select] of Object.entries(ends)) {
  const day = byId(`compare-${end}-day`, HTMLInputElement);
  day.addEventListener("change", () => {
    const place = inForceOn(day.value);
    if (place >= 0) select.value = SITE.editions[place][0];
    else if (day.value) tell(whyNoEdition(day.value));
  });
}
for (const filter of FILTERS) {
  choice(filter).addEventListener("change", () => {
    const asked = new URLSearchParams(location.search);
    ask(asked.get("from") ?? ends.from.value, asked.get("to") ?? ends.to.value, asked.get("rule") ?? byId("compare-rule", HTMLInputElement).value.trim(), true);
  });
}
addEventListener("popstate", readAddress);
part("with").hidden = false;
part("without").hidden = true;
readAddress();
