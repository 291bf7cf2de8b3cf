// On the page of a number: what that number said on another day, as the edition of that day prints it.
import { element } from "./dom.js";
import { loadNumbers } from "./search_files.js";

/** @typedef {{ name: string, href: string }} Reading */

const NO_LIST = "The list of editions could not be loaded. Is there a network?";

/**
 * Return the label of the edition that was in force on a day; of several issues the last.
 * @param {string[]} labels
 * @param {string} day
 */
export function inForce(labels, day) {
  return labels.filter((label) => label.slice(0, 10) <= day).pop();
}

/**
 * Return where a run of editions has its provision in another edition of the run; null outside.
 * @param {HTMLAnchorElement[]} links - To the first and to the last edition.
 * @param {boolean} isOpen - Whether the run goes on after the last.
 * @param {string} label
 */
function within(links, isOpen, label) {
  const [first] = links, last = links[links.length - 1];
  const since = first.textContent ?? "", until = last.textContent ?? "";
  if (label < since || (!isOpen && label > until)) return null;
  return first.href.replace(`/${since}/`, `/${label}/`);
}

/** @param {ParentNode} part */
function linksIn(part) {
  return [...part.querySelectorAll("a")];
}

/** Return the readings on the page that an edition prints. @param {string} label @returns {Reading[]} */
function readings(label) {
  /** @type {NodeListOf<HTMLTableRowElement>} */
  const rows = document.querySelectorAll(".readings tr[data-since]");
  return [...rows].flatMap(({ cells: [cell, name] }) => {
    const href = within(linksIn(cell), cell.dataset.open !== undefined, label);
    return href === null ? [] : [{ name: name.textContent ?? "", href }];
  });
}

/**
 * Return the other rules that had the number in an edition.
 * @param {string} label
 * @param {string} number
 * @returns {Reading[]}
 */
function others(label, number) {
  return [...document.querySelectorAll(".run")].flatMap((run) => {
    const href = within(linksIn(run), false, label);
    return href === null ? [] : [{ name: number, href }];
  });
}

/** @param {string} number @param {string} day @param {Element} status */
async function show(number, day, status) {
  const { labels } = await loadNumbers();
  const label = inForce(labels, day);
  if (label === undefined) {
    status.textContent = "No edition here is so old.";
    return;
  }
  const found = [...readings(label), ...others(label, number)];
  if (found.length === 1) {
    location.assign(found[0].href);
  } else if (!found.length) {
    status.textContent = `In the edition of ${label} nothing was called ${number}, and what this page tells of did not stand.`;
  } else {
    status.textContent = `In the edition of ${label}: `;
    found.forEach(({ name, href }, place) => {
      const words = name === number ? `what ${name} said` : `this rule, then ${name}`;
      status.append(place ? " · " : "", element("a", { href }, words));
    });
  }
}

/** Show the form where a page has one. */
export function startAsOf() {
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector("form[data-at]");
  const status = form?.querySelector("[role=status]"), day = form?.querySelector("input");
  if (!form || !status || !day) return;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(form.dataset.at ?? "", day.value, status).catch(() => { status.textContent = NO_LIST; });
  });
}
