// On the page of a number: what stood there on another day, as the edition of that day printed it.
(function (variorum) {
  "use strict";

  const form = document.querySelector("form[data-at]");
  if (!form) return;

  /** Return the label of the edition that was in force on a day; of several issues the last. */
  function inForce(labels, day) {
    return labels.filter((label) => label.slice(0, 10) <= day).pop();
  }

  /** Return where a run of editions has its provision in another edition of the run; null outside. */
  function within(links, isOpen, label) {
    const [first] = links, last = links[links.length - 1];
    if (label < first.textContent || (!isOpen && label > last.textContent)) return null;
    return first.href.replace(`/${first.textContent}/`, `/${label}/`);
  }

  /** Return the readings told on the page that stood in an edition: what it was called, and where. */
  function readings(label) {
    const rows = [...document.querySelectorAll(".readings tr[data-since]")];
    return rows.map((row) => {
      const cell = row.cells[0], links = [...cell.querySelectorAll("a")];
      return { name: row.cells[1].textContent, href: within(links, cell.dataset.open !== undefined, label) };
    }).filter((one) => one.href);
  }

  /** Return who else bore the number in an edition. */
  function others(label, number) {
    const runs = [...document.querySelectorAll(".run")];
    return runs.map((run) => ({ name: number, href: within([...run.querySelectorAll("a")], false, label) }))
      .filter((one) => one.href);
  }

  async function show(day, said) {
    const { labels } = await variorum.loadNumbers();
    const label = inForce(labels, day);
    const found = label ? [...readings(label), ...others(label, form.dataset.at)] : [];
    if (found.length === 1) {
      location.assign(found[0].href);
    } else if (!found.length) {
      said.textContent = label ? `In the edition of ${label} nothing was called ${form.dataset.at}, and what this page tells of did not stand.` : "No edition here is so old.";
    } else {
      said.textContent = `In the edition of ${label}: `;
      found.forEach(({ name, href }, place) => {
        const link = document.createElement("a");
        link.href = href;
        link.textContent = name === form.dataset.at ? `what ${name} said` : `this rule, then ${name}`;
        said.append(place ? " · " : "", link);
      });
    }
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = form.querySelector("[role=status]");
    show(form.querySelector("input").value, said).catch(() => {
      said.textContent = "The list of editions could not be loaded. Is there a network?";
    });
  });
})(globalThis.variorum ??= {});
