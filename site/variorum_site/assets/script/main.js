// Starts everything that a page does with JavaScript. Pages can also be read without it.
import { startComparing } from "./compare_page.js";
import { startChoosing } from "./chosen_rule.js";
import { startCopying } from "./copy.js";
import { startKeys } from "./keyboard.js";
import { take } from "./loading.js";
import { startMissing } from "./missing_page.js";
import { startOffline } from "./offline.js";
import { SearchBox } from "./search_box.js";
import { readySearch, timing } from "./search_files.js";
import { SearchPage } from "./search_page.js";
import { startTimeBar } from "./time_bar.js";

startCopying();
/** @type {NodeListOf<HTMLFormElement>} */
const searchForms = document.querySelectorAll("form[role=search]");
for (const form of searchForms) {
  if (form.dataset.search === "page") new SearchPage(form);
  else new SearchBox(form);
}
startKeys();
const bar = startTimeBar(SITE);
if (bar) startChoosing(bar);
startMissing(SITE);

// Data files for pages read from the file system call `take`; measurements use the others.
Object.assign(globalThis, { variorum: { take, ready: readySearch, timing } });

startComparing();
startOffline();
