// The chosen rule on a dated page: buttons to copy it, and links to it on other days.
/** @import { TimeBar } from "./time_bar.js" */
import { copyButton } from "./copy.js";
import { element } from "./dom.js";
import { fullNameOfEdition } from "./edition_names.js";
import { hrefOf } from "./loading.js";

/** @param {string} hash */
function provisionAt(hash) {
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  return target?.matches(".text > [id]") ? target : null;
}

/** @param {HTMLElement} provision */
const isEntry = (provision) => provision.matches(".glossary > *");

/** Return the citation of a provision in an edition. @param {HTMLElement} provision @param {string} label */
function citationOf(provision, label) {
  const headword = provision.querySelector("h2 > a:not(.m)")?.textContent ?? "";
  return isEntry(provision) ? `CR glossary, “${headword}” (${label})` : `CR ${provision.id.split("-")[0]} (${label})`;
}

/** @param {HTMLElement} provision @param {TimeBar} bar */
function toolsOf(provision, bar) {
  const { site, place } = bar, edition = site.editions[place], citation = citationOf(provision, edition[0]);
  const made = element("div", { class: "tools", role: "group", "aria-label": citation });
  if (navigator.clipboard) {
    made.append(
      copyButton({ copyText: provision.id }, "Copy text"), copyButton({ copy: citation }, "Copy citation"),
      copyButton({ copyLink: `#${provision.id}` }, "Copy permalink"),
    );
  }
  if (isEntry(provision)) return made;
  /** @param {string} words @param {() => void} onClick */
  const button = (words, onClick) => {
    const control = element("button", { type: "button" }, words);
    control.addEventListener("click", onClick);
    return control;
  };
  for (const step of [-1, 1]) {
    const neighbour = site.editions[place + step];
    if (neighbour) made.append(button(step < 0 ? `← ${fullNameOfEdition(neighbour)}` : `${fullNameOfEdition(neighbour)} →`, () => bar.goTo(place + step)));
  }
  if (place !== site.current) {
    made.append(button("This rule today", () => bar.goToday()));
    const asked = new URLSearchParams({ rule: provision.id.split("-")[0], from: edition[0], to: "current" });
    made.append(element("a", { href: `${hrefOf("compare/index.html")}?${asked}` }, "Compare with today"));
  }
  return made;
}

/** Choose a provision, or none. @param {HTMLElement | null} provision @param {TimeBar} bar */
function choose(provision, bar) {
  document.querySelectorAll(".text > [id] > .tools").forEach((tools) => tools.remove());
  bar.status.replaceChildren();
  bar.chosen = provision && !isEntry(provision) ? provision.id : "";
  provision?.prepend(toolsOf(provision, bar), bar.status);
}

/** Go to an anchor of this page without scrolling. @param {string} id */
function setHash(id) {
  const y = scrollY;
  location.replace(`#${id}`);
  scrollTo(0, y);
}

/** @param {EventTarget | null} target */
function provisionOf(target) {
  return target instanceof Element && !target.closest("a, button, input, .tools") ? target.closest(".text > [id]") : null;
}

/** Let readers of a dated page choose a rule: by its address, by a click, or by Enter. @param {TimeBar} bar */
export function startChoosing(bar) {
  if (!bar.isDated) return;
  // A server that redirects a section's address without its anchor puts the section after "?".
  const asked = new URLSearchParams(location.search).get("section");
  if (asked) history.replaceState(null, "", `${location.pathname}${location.hash}`);
  if (asked && !location.hash) location.replace(`#${asked}`);
  choose(provisionAt(location.hash), bar);
  addEventListener("hashchange", () => choose(provisionAt(location.hash), bar));
  document.addEventListener("click", (event) => {
    const provision = provisionOf(event.target);
    if (provision && getSelection()?.isCollapsed) setHash(provision.id);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof Element && event.target.matches(".text > [id]")) setHash(event.target.id);
  });
}
