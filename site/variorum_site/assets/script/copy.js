// Buttons that copy a citation, a permalink or the words of a rule.
import { element } from "./dom.js";

const SHOWN_MS = 1500;

/** Return the text that a button copies. @param {HTMLElement} button */
function copied(button) {
  const { copy, copyLink, copyText = "", copyNumber = "" } = button.dataset;
  if (copy !== undefined) return copy;
  if (copyLink !== undefined) {
    // A permalink names the folder, not the file.
    return new URL(copyLink, location.href).href.replace(/index\.html(?=#|$)/, "");
  }
  const own = /** @type {HTMLElement} */ (document.getElementById(copyText)?.cloneNode(true));
  own.querySelectorAll("a.m, .tools, [role=status]").forEach((mark) => mark.remove());
  return `${copyNumber} ${own.textContent}`.trim().replace(/[ \t]+/g, " ");
}

/** @param {HTMLElement} button */
async function onCopy(button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(copied(button));
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed here";
  }
  setTimeout(() => { button.textContent = label; }, SHOWN_MS);
}

/**
 * Return a button that copies the text in its data.
 * @param {Record<string, string>} data
 * @param {string} words
 */
export function copyButton(data, words) {
  const made = element("button", { type: "button" }, words);
  Object.assign(made.dataset, data);
  made.addEventListener("click", () => onCopy(made));
  return made;
}

/** Show the buttons if the browser lets pages copy. */
export function startCopying() {
  if (!navigator.clipboard) return;
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("[data-copy], [data-copy-link], [data-copy-text]");
  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener("click", () => onCopy(button));
  }
}
