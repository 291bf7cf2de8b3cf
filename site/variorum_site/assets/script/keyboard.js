// Single keys: / focuses the search, j and k step through results and rules.
import { element } from "./dom.js";

const STORED = "variorum.keys";

function hasKeys() {
  try {
    return localStorage.getItem(STORED) !== "off";
  } catch {
    return true;
  }
}

/** Return the elements that j and k step through: results, else the rules of the page. @returns {HTMLElement[]} */
function stops() {
  const results = document.querySelectorAll(".results > li > a");
  const stops = results.length ? results : document.querySelectorAll(".text > [id]");
  return /** @type {HTMLElement[]} */ ([...stops]);
}

/**
 * Move the focus to the next or previous result or rule, from the focus or else from the visible
 * part.
 * @param {number} by
 */
export function step(by) {
  const all = stops();
  if (!all.length) return;
  const here = all.findIndex((stop) => stop === document.activeElement || stop.contains(document.activeElement));
  let next = here + by;
  if (here < 0) {
    const below = all.findIndex((stop) => stop.getBoundingClientRect().top >= 0);
    next = by > 0 ? Math.max(below, 0) : (below < 0 ? all.length : below) - 1;
  }
  if (next < 0 && all[0].closest(".results")) {
    searchInput()?.focus();
    return;
  }
  const stop = all[Math.min(Math.max(next, 0), all.length - 1)];
  if (!stop.matches("a[href]")) stop.tabIndex = -1;
  stop.focus();
  stop.scrollIntoView({ block: stop.matches("a[href]") ? "nearest" : "start" });
}

/** @returns {HTMLInputElement | null} */
function searchInput() {
  return document.querySelector("form[role=search] input");
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("input, textarea, select, [contenteditable]")) return;
  if (target?.closest(".results") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    step(event.key === "ArrowDown" ? 1 : -1);
    return;
  }
  if (!hasKeys()) return;
  if (event.key === "/") {
    const input = searchInput();
    if (input === null) return;
    event.preventDefault();
    input.focus();
    input.select();
  } else if (event.key === "j" || event.key === "k") {
    step(event.key === "j" ? 1 : -1);
  }
}

/** Let readers turn off our single-letter keys, which their own tools may use. @param {HTMLElement} place */
function offerKeys(place) {
  const box = element("input", { type: "checkbox" });
  box.checked = hasKeys();
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(STORED, box.checked ? "on" : "off");
    } catch {
      box.checked = true;
    }
  });
  place.append(element("label", {}, box, " Keys: / searches, j and k step through results and rules"));
}

/** Listen to keys, and add the switch if the page has a place for it. */
export function startKeys() {
  const place = document.getElementById("_keys");
  if (place !== null) offerKeys(place);
  document.addEventListener("keydown", onKey);
}
