// What was found as links and sentences, for the box and for the search page.
/** @import { Answer, AskedRule, EverHit, Expansion, FormerBearer, Found, Hit, NamedEdition, ResultLink, SnippetPiece } from "./types.d.ts" */
/** @import { Search } from "./search.js" */
import { element, quoted } from "./dom.js";
import { hrefOf } from "./loading.js";
import { bareNumber, numberIn } from "./rule_numbers.js";
import { isRule } from "./search.js";

const GLOSSARY = "glossary: ";
const MOST_SYNONYMS = 3, MOST_RUNS = 3;

/** Return the words that "which editions speak of …" asks for in every edition, "" of other queries. @param {string} query */
export function everAsked(query) {
  return /^(?:which|what) editions? (?:ever )?(?:speaks? of|mentions?|says?|has|have|had|prints?|printed|uses?|used) (.+?)[?. ]*$/i.exec(query.trim())?.[1] ?? "";
}

/** @param {Search} search @param {string} query */
export function searchPageHref(search, query, isEver = false) {
  return `${hrefOf(search.index.file.addresses.search)}?q=${encodeURIComponent(query)}${isEver ? "&ever=1" : ""}`;
}

/** @param {string} name */
function plainName(name) {
  return name.startsWith(GLOSSARY) ? `${quoted(name.slice(GLOSSARY.length))} of the glossary` : name;
}

/** Say what became of a rule that had a number. @param {FormerBearer} bearer */
function whatBecame({ stood, isGone, now, since }) {
  const runs = stood.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(", ");
  if (!isGone) return `(${runs}) is now ${plainName(now)}`;
  const heir = now ? `; its words went to ${plainName(now)}` : "";
  return `(${runs}) was removed in ${since}${heir}`;
}

/** @param {string | HTMLElement} words */
function saidPart(words) {
  return element("span", { class: "said" }, words);
}

/** @param {SnippetPiece[]} pieces */
function snippetPart(pieces) {
  return element("span", { class: "said" }, ...pieces.map(([words, isFound]) => (isFound ? element("mark", {}, words) : words)));
}

/** @param {SnippetPiece[]} pieces */
function plainSnippet(pieces) {
  return pieces.map(([words]) => words).join("");
}

/** Return the name and heading of what was found. @param {string | null} number @param {string} heading */
function titlePart(number, heading) {
  const title = element("span", { class: "hit" });
  if (number !== null) title.append(element("span", { class: "n" }, bareNumber(number)));
  if (heading) title.append(number === null ? heading : ` ${heading}`);
  return title;
}

/** Return a provision that was found, as the content of a link. @param {Hit} hit */
function hitParts(hit) {
  const title = titlePart(hit.number, hit.heading);
  /** @type {(Node | string)[]} */
  const parts = [title];
  // The chapter says little about what is deep in it.
  const above = hit.path.length > 1 ? hit.path.slice(1) : hit.path;
  const where = hit.number === null ? "Glossary" : above.join(" \u203a ");
  if (where) parts.push(" ", element("small", {}, where));
  if (plainSnippet(hit.snippet) !== hit.heading) parts.push(" ", snippetPart(hit.snippet));
  return parts;
}

/** Return a hit among the texts of all editions by its latest name: when it stood, and what became of it. @param {EverHit} hit @returns {ResultLink} */
export function everLink(hit) {
  const { name, last } = hit, [own, ...others] = hitParts(hit);
  const title = name === last ? own : last.startsWith(GLOSSARY) ? titlePart(null, last.slice(GLOSSARY.length)) : titlePart(last, "");
  return { href: hit.href, parts: [title, " ", element("small", { class: "stood" }, whenItStood(hit)), ...others] };
}

/** @param {EverHit} hit */
function whenItStood({ stood, name, now, last, isThere }) {
  const former = name === last ? "" : `was ${plainName(name)}; `;
  const runs = stood.map(([first, last]) => (first === last ? first : `from ${first} to ${last}`));
  const when = `${former}${runs.length > MOST_RUNS ? "… " : ""}${runs.slice(-MOST_RUNS).join(", ")}`;
  if (now === null) return `${when}; removed`;
  return `${when}; ${isThere ? "still there" : "reworded since"}`;
}

/** Return queries that were perhaps meant, as links. @param {Search} search @param {Found} matches */
export function suggestedLinks(search, matches, isEver = false) {
  return matches.suggestions.map((query) => ({
    href: searchPageHref(search, query, isEver),
    parts: [element("span", {}, "Perhaps ", element("b", {}, query))],
  }));
}

/** @param {Search} search @param {string} number @param {FormerBearer} bearer @returns {ResultLink} */
function formerLink(search, number, bearer) {
  const today = bearer.now ? search.named(bearer.now) : null;
  const href = bearer.isGone || today === null ? search.ruleHref(number) : today.href;
  const title = element("span", { class: "hit" }, element("span", { class: "n" }, number), ` ${whatBecame(bearer)}`);
  /** @type {(Node | string)[]} */
  const parts = [title];
  if (bearer.isGone) parts.push(" ", saidPart(quoted(bearer.gist)));
  else if (today !== null) parts.push(" ", saidPart(today.heading || plainSnippet(today.snippet)));
  return { href, parts };
}

/** Return a rule that a query names, as the edition asked for has it. @param {Search} search @param {AskedRule} rule @returns {ResultLink} */
export function askedLink(search, { number, anchor, label, now }) {
  const title = element("span", { class: "hit" }, element("span", { class: "n" }, number));
  const today = now ? search.named(now) : null;
  const gist = today === null ? "" : today.heading || plainSnippet(today.snippet);
  if (!label) return { href: search.ruleHref(anchor === number ? number : `${number}#${anchor.split("-")[1]}`), parts: [title, " ", saidPart(gist)] };
  title.append(anchor.includes("#") ? ` in the glossary of ${label}` : ` in the edition of ${label}`);
  const became = now === number || anchor.includes("#") ? "" : now ? `now ${plainName(now)}` : "removed since";
  const parts = became ? [title, " ", element("small", {}, became), " ", saidPart(gist)] : [title, " ", saidPart(gist)];
  return { href: search.datedHref(label, anchor), parts };
}

/** @param {Search} search @param {NamedEdition} edition @returns {ResultLink} */
export function editionLink(search, { label, name }) {
  /** @type {(Node | string)[]} */
  const parts = [element("span", { class: "hit" }, `Edition of ${label}`)];
  if (name) parts.push(" ", element("small", {}, name));
  return { href: search.index.file.addresses.edition.replace("{}", label), parts };
}

/**
 * Return what was found as links: editions, the rule that has a number, others, its former uses.
 * @param {Search} search
 * @param {Answer} answer
 * @param {number} limit
 * @param {number} formerLimit
 */
export function linksOf(search, { matches, former, editions, number, asked }, limit, formerLimit) {
  const outright = asked.rules.slice(0, limit).map((rule) => askedLink(search, rule));
  const named = editions.map((edition) => editionLink(search, edition));
  const old = former.slice(0, formerLimit).map((bearer) => formerLink(search, number ?? "", bearer));
  /** @type {ResultLink[]} */
  const hits = matches.hits.map((hit) => ({ href: hit.href, parts: hitParts(hit) }));
  const isBorne = isRule(matches.hits[0], number);
  const room = Math.max(limit - old.length - outright.length, 1);
  const others = isBorne ? [...hits.slice(0, room), ...old] : [...old, ...hits.slice(0, room)];
  return [...outright, ...(isBorne ? [...others, ...named] : [...named, ...others])];
}

/** Say by which other words things were found, and what nothing has. @param {Answer} answer */
export function notesOf({ matches, editions, number, isPrinted, asked }) {
  /** @type {Map<string, Expansion[]>} */
  const byWords = new Map();
  for (const expansion of matches.expanded) {
    const key = `${expansion.kind} ${expansion.from}`;
    byWords.set(key, [...(byWords.get(key) ?? []), expansion]);
  }
  const notes = [...asked.notes, ...Array.from(byWords.values(), noteOf)];
  if (number !== null && !isPrinted) notes.push(`No edition ever printed ${number}.`);
  const words = matches.missing.filter((word) => numberIn(word) === null);
  if (words.length && !editions.length) notes.push(`No text has ${words.map(quoted).join(", ")}.`);
  return notes;
}

/** @param {Expansion[]} expansions */
export function noteOf(expansions) {
  const [{ kind, asked, typed: words }] = expansions;
  const typed = quoted(words);
  const living = expansions.filter(({ until }) => !until);
  const told = living.length ? living : expansions;
  const [{ until }] = told;
  const synonyms = [...new Set(told.map(({ label }) => quoted(label)))].slice(0, MOST_SYNONYMS).join(", ");
  if (kind === "abbreviation") return `${typed} stands for ${synonyms}.`;
  if (kind === "players") return `${typed}: the rules say ${synonyms}.`;
  if (asked.isGone && (!asked.until || asked.since === asked.until)) return `${typed} is obsolete; the nearest term today is ${synonyms}.`;
  if (asked.isGone) return `${typed} was last in the rules of ${asked.until}; the nearest term today is ${synonyms}.`;
  if (asked.until && !until) return `${typed}, so called until ${asked.until}, is now ${synonyms}.`;
  return until ? `${typed} was also called ${synonyms}, until ${until}.` : `${typed} is also called ${synonyms}.`;
}

/** @param {Answer} answer */
export function totalOf({ matches, former, editions, asked }) {
  return asked.rules.length + matches.total + former.length + editions.length;
}

/** Say how many results there are. @param {Answer} answer @param {number} shown */
export function countOf(answer, shown) {
  const total = totalOf(answer);
  if (!total) return "Nothing found.";
  if (total <= shown) return total === 1 ? "1 result." : `${total} results.`;
  return `${shown} of ${total} results.`;
}

/** @param {unknown} error */
export function whyNoSearch(error) {
  return `Search cannot work: ${error instanceof Error ? error.message : String(error)}.`;
}

/** Return a live region, which screen readers read when it changes. @param {string} className */
export function statusLine(className) {
  return element("p", { class: className, role: "status" });
}
