// The page for addresses that the site does not have: redirects if the address has an equivalent.
/** @import { SiteFacts } from "./types.d.ts" */
import { placeOfEdition } from "./designators.js";
import { ROOT } from "./loading.js";
import { lookUp } from "./missing_query.js";

/**
 * Return the equivalent of an address without a page; "" if there is none.
 *
 * The page of a chapter has its sections; a day between editions means the one in force; some pages are gone.
 * @param {SiteFacts} site
 * @param {string} path - From the root of the site.
 * @param {string} hash
 */
export function leadOn({ editions, former }, path, hash) {
  const [, instead] = Object.entries(former).find(([beginning]) => `${path}/`.startsWith(beginning)) ?? [];
  if (instead !== undefined) return instead;
  const [, day, rest] = /^(\d{4}-\d\d-\d\d(?:\.\d+)?)(?:\/(.*))?$/.exec(path.replace(/index\.html$/, "")) ?? [];
  if (day === undefined) return "";
  const known = editions.some(([label]) => label === day);
  const place = placeOfEdition(editions, day);
  if (!known && place < 0) return "";
  const label = known ? day : editions[place][0];
  const section = /^([1-9])\d\d\/?$/.exec(rest ?? "");
  if (section) return `${label}/${section[1]}/${hash || `#${section[0].replace("/", "")}`}`;
  return known ? "" : `${label}/${rest ?? ""}${hash}`;
}

/** Redirect, if the page is shown for another address. @param {SiteFacts} site */
export function startMissing(site) {
  if (!document.querySelector("main[data-missing]")) return;
  const path = decodeURI(location.pathname).slice(ROOT.pathname.length);
  if (path === "404.html") return;
  const there = leadOn(site, path, location.hash);
  if (there) location.replace(new URL(there, ROOT));
  else lookUp(path);
}
