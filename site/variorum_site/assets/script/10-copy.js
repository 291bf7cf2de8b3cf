// What a page can do beyond reading; without this script nothing is missing but the copy buttons.
(function () {
  "use strict";

  /** Return what a button copies. */
  function wanted(button) {
    const { copy, copyLink, copyText } = button.dataset;
    if (copy !== undefined) return copy;
    if (copyLink !== undefined) {
      // A permalink names the folder, as the server does.
      return new URL(copyLink, location.href).href.replace(/index\.html(?=#|$)/, "");
    }
    const own = document.getElementById(copyText).cloneNode(true);
    own.querySelectorAll("a.m").forEach((mark) => mark.remove());
    return own.textContent.trim().replace(/[ \t]+/g, " ");
  }

  async function onCopy(event) {
    const button = event.currentTarget;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(wanted(button));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed here";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  }

  if (navigator.clipboard) {
    for (const button of document.querySelectorAll("[data-copy], [data-copy-link], [data-copy-text]")) {
      button.hidden = false;
      button.addEventListener("click", onCopy);
    }
  }
})();
