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

/** Show the buttons beside the citations of rules, where the browser lets a page copy. */
export function startCopying() {
  if (!navigator.clipboard) return;
  for (const cite of document.querySelectorAll(".cite")) {
    const link = cite.querySelector("a"), citation = link?.textContent ?? "";
    const text = cite.closest("article")?.querySelector(".text"), own = text?.querySelector(":scope > [id]");
    // A section or rule that is only a heading, which its page's title says, is copied with all below it.
    const isBare = !own?.textContent?.trim(), copyText = (isBare ? text : own)?.id ?? "";
    const [, copyNumber = ""] = (!isBare && /^CR (\d\S*) \(/.exec(citation)) || [];
    const copies = [{ copyText, copyNumber }, { copy: citation }, { copyLink: link?.getAttribute("href") ?? "" }];
    cite.querySelectorAll("button").forEach((button, place) => {
      Object.assign(button.dataset, copies[place]);
      button.hidden = false;
      button.addEventListener("click", () => onCopy(button));
    });
  }
}
