// What the page of a headword says of an edition: where its entry, or another of that headword, stands in it.

/** @typedef {{ href: string, words: string }} Reading */

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

/**
 * Return the entries that this page tells of and an edition prints.
 * @param {string} label
 * @param {string} headword
 * @returns {Reading[]}
 */
export function entriesIn(label, headword) {
  /** @type {NodeListOf<HTMLTableRowElement>} */
  const rows = document.querySelectorAll(".readings tr[data-since]");
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
