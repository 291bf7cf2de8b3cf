// The entries in an edition that the page of a headword lists.

/** @typedef {{ href: string, words: string }} Reading */

/**
 * Return the address of a run's provision in another edition of the run; null outside the run.
 * @param {HTMLAnchorElement[]} links - To the first and the last edition.
 * @param {boolean} isOpen - Whether the run continues after the last one.
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

/**
 * Return the entries on this page that an edition prints.
 * @param {string} label
 * @param {string} headword
 * @returns {Reading[]}
 */
export function entriesIn(label, headword) {
  /** @type {NodeListOf<HTMLTableRowElement>} */
  const rows = document.querySelectorAll(".readings tbody tr:not(.words)");
  const own = [...rows].flatMap(({ cells: [cell, name] }) => {
    const href = within(linksIn(cell), cell.dataset.open !== undefined, label);
    return href === null ? [] : [{ words: `this entry, then ${name.textContent ?? ""}`, href }];
  });
  const others = [...document.querySelectorAll(".run")].flatMap((run) => {
    const href = within(linksIn(run), false, label);
    return href === null ? [] : [{ words: `what ${headword} was then`, href }];
  });
  return [...own, ...others];
}
