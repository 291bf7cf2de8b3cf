// Elements of a page. Texts of documents become text nodes and are never parsed as markup.

/**
 * Return an element; children are elements or words.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Return an element that must be on the page, by its id.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 */
export function byId(id, kind) {
  const wanted = document.getElementById(id);
  if (!(wanted instanceof kind)) throw new TypeError(`the page has no ${kind.name} called ${id}`);
  return wanted;
}

/** Return a field of a form. @param {HTMLFormElement} form @param {string} name */
export function fieldOf(form, name) {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) throw new TypeError(`the form has no field ${name}`);
  return field;
}

/** @param {string} words */
export function quoted(words) {
  return `\u201c${words}\u201d`;
}
