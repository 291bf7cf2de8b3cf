// Keys: / focuses the search, arrows step through its results.

/** Move the focus to the next or previous result, or back to the box. @param {number} by */
export function step(by) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll(".results > li > a");
  const results = [...found];
  const next = results.findIndex((result) => result.parentElement?.contains(document.activeElement)) + by;
  if (next < 0) searchInput()?.focus();
  else results[Math.min(next, results.length - 1)]?.focus();
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
  const input = searchInput();
  if (target?.closest(".results") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    step(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "/" && input !== null) {
    event.preventDefault();
    input.focus();
    input.select();
  }
}

/** Listen to keys. */
export function startKeys() {
  document.addEventListener("keydown", onKey);
}
