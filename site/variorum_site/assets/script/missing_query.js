// Reads an address without a page as a query, so 404.html understands the box's grammar.
import { hrefOf } from "./loading.js";
import { numberIn } from "./rule_numbers.js";
import { answerTo } from "./search_answers.js";
import { bareDestination } from "./search_box.js";
import { readySearch } from "./search_files.js";

/**
 * Return the query for an address: "2007-10/600.4A" asks for 600.4A in October 2007.
 * @param {string} path - From the root of the site, decoded.
 */
export function queryOf(path) {
  const parts = path.replace(/index\.html$/, "").split("/").filter((part) => part);
  const isEntry = parts.includes("glossary");
  const [first = "", ...rest] = parts.filter((part) => !["rule", "glossary", "search", "data"].includes(part));
  const last = rest[rest.length - 1];
  if (last !== undefined && numberIn(last) !== null) return `${last} (${first.replaceAll("_", " ")})`;
  const words = [first, ...rest].join(" ").replace(/\.(html|json)$/, "");
  return isEntry || numberIn(words) === null ? words.replace(/(?<=\p{L})[-_+](?=\p{L})/gu, " ") : words;
}

/** Go to the page that an address means, or show similar results in the box. @param {string} path */
export async function lookUp(path) {
  const query = queryOf(path), input = document.querySelector("#_q");
  if (!query || !(input instanceof HTMLInputElement)) return;
  try {
    const search = await readySearch();
    const answer = await answerTo(search, query, 1);
    const there = bareDestination(search, query, answer);
    const slug = /(?:^|\/)glossary\/([^/]+)/.exec(path)?.[1].toLowerCase() ?? "", { file } = search.index;
    const entry = file.slugs.includes(slug) ? hrefOf(file.addresses.entry.replace("{}", slug)) : "";
    if (there || entry) {
      location.replace(there || entry);
      return;
    }
  } catch {
    // Without the index, the page stays as it is.
  }
  input.value = query;
  input.dispatchEvent(new Event("input"));
}
