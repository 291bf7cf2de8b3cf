// Provisions through time: the files of sections, where a provision is in an edition, and what it became.

/** @param {string} name - An address, or "glossary: " and a headword. @param {string} [slug] */
function sectionOf(name, slug = slugOf(name)) {
  if (!name.startsWith(GLOSSARY)) return /^\d+/.exec(name)?.[0] ?? "0";
  return `glossary-${/^[a-z]/.test(slug) ? slug[0] : "0"}`;
}

/** @type {Map<string, Promise<Provision[]>>} */
const opened = new Map();

/** Return the provisions that ever had a number in a section, or a headword with a letter. @param {string} section */
function openSection(section) {
  return once(opened, section, async () => {
    /** @type {SectionFile} */
    const { texts, provisions } = await load(`compare/${section}.js`);
    return provisions.map(([key, own, rows, gone, heirs, doubts]) => {
      const states = rows.map(([first, last, name, kind, heading, text]) => ({ first, last, name, kind, heading, text: texts[text] }));
      return { key, own, states, gone, heirs, doubts };
    });
  });
}

/** @param {Provision} provision @param {number} edition */
function stateIn({ states }, edition) {
  return states.find(({ first, last }) => first <= edition && edition <= last);
}

/** Return the name of a state for readers. @param {ProvisionState} state */
function calledIn({ kind, name, heading }) {
  return kind === "g" ? `“${heading}” of the glossary` : name;
}

/** Return the provisions that an edition calls by a number or slug, with those below it if wanted. @param {Provision[]} provisions @param {string} name @param {boolean} isEntry @param {number} edition */
function namedIn(provisions, name, isEntry, edition, withBelow = false) {
  return provisions.filter((provision) => {
    const state = provision.own <= edition ? stateIn(provision, edition) : undefined;
    if (!state || (state.kind === "g") !== isEntry) return false;
    if (isEntry) return state.name === name;
    return withBelow ? isBelow(state.name, name) : state.name === name || state.name === `${name}#1`;
  });
}

/** Return a provision, or its main heir after its end, as another edition has it; null if it has none. @param {Provision} provision @param {number} edition @returns {Promise<{ provision: Provision, state: ProvisionState } | null>} */
async function heirIn(provision, edition) {
  const state = stateIn(provision, edition), { gone, heirs: [heir] } = provision;
  if (state) return { provision, state };
  if (gone === null || edition < gone || !heir) return null;
  const isEntry = heir.startsWith(GLOSSARY), name = isEntry ? slugOf(heir) : heir;
  const [next] = namedIn(await openSection(sectionOf(heir)), name, isEntry, gone);
  return next ? heirIn(next, edition) : null;
}
