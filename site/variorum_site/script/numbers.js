// The router of numbers: citations as people write them, the editions that they name, and who had a number.

const SPOKEN = /^(?:(?:cr|c\.r\.|rules?|subrules?|sections?|chapters?|§+)[:\s]*)+/;
const NUMBER = /^([1-9])(?:(\d\d)(?:\s*\.\s*(\d{1,3})?(?:\s(?=[a-z]\b))?\.?([a-z]{1,2})?|\s+(\d{1,3})\.?([a-z]{1,2})?)?)?(#\d)?(?![\da-z])[.:;,?!*]*/;
const RANGE = /^\s*(?:-|–|—|\.{2,3}|to|through)\s*((?:[1-9]\d\d)?\.?\d{0,3}[a-z]{0,2})(?![\da-z])/;
const AND = /^[\s,;&+)]*(?:(?:and|or)\s)?\s*/;
const EDITION = /^[\s(,[@]*(?:(?:cr|in|on|at|of|as of|effective|from)\s)?\s*([^()]+?)[\s)\]?.]*$/;
const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3).toLowerCase());
const LONG_MONTHS = new RegExp(`\\b(${MONTHS.join("|")})[a-z]*\\b`);

/** Return the citations of a query that is nothing else: "CR 704.5K (2026-08-07)", "704.5k-m", "702.19 M10". @param {string} query @returns {Cited[]} */
function citationsIn(query) {
  let rest = query.trim().toLowerCase().replace(/[’]/g, "'");
  if (!/\d/.test(rest) || lastDay(rest)) return [];
  /** @type {Cited[]} */
  const cited = [];
  while (rest) {
    const bare = rest.replace(SPOKEN, ""), found = lastDay(bare.split(/[,;)]/)[0]) ? null : NUMBER.exec(bare);
    if (found) {
      const [whole, chapter, section = "", dotted = "", letters = "", spaced = "", spacedLetters = "", which = ""] = found;
      const rule = dotted || spaced, letter = letters || spacedLetters;
      const first = chapter + section + (rule || letter ? `.${rule}${letter}` : "");
      rest = bare.slice(whole.length);
      const range = whole.endsWith("*") ? null : RANGE.exec(rest);
      cited.push({ first, last: range ? rangeEnd(first, range[1]) : "", which, edition: "" });
      if (range) rest = rest.slice(range[0].length);
    } else {
      const [, edition] = EDITION.exec(rest) ?? [];
      if (!cited.length || !edition) return [];
      // "7 mana" is no citation, but "705.1 (M100)" is one with a mistake.
      if (!editionsNamed(edition).length && !lastDay(edition) && !/^[\s(@]*[(@]/.test(rest)) return [];
      for (const one of cited) one.edition ||= edition;
      rest = "";
    }
    rest = rest.replace(AND, "");
  }
  return cited;
}

/** Return the end of a range whose beginning may go without saying: 704.5k-m, 705.1-3. @param {string} first @param {string} last */
function rangeEnd(first, last) {
  if (/^[1-9]\d\d/.test(last)) return last;
  const [, section, rule] = /^(\d+)\.?(\d*)/.exec(first) ?? [];
  return /^\d/.test(last) ? `${section}.${last}` : `${section}.${rule}${last}`;
}

/** Return the last day of a day, month or year, as YYYY-MM-DD; "" of other words. @param {string} words */
function lastDay(words) {
  const numeric = /^(\d{4})(?:-?(\d\d?)(?:-?(\d\d?))?)?$/.exec(words.trim());
  let [, year = "", month = "", day = ""] = numeric ?? [];
  if (!numeric) {
    const named = LONG_MONTHS.exec(words)?.[1] ?? "", rest = words.replace(LONG_MONTHS, " ").trim();
    [, day = "", year = ""] = /^(\d\d?)?(?:st|nd|rd|th)?[\s,]*(\d{4})$/.exec(rest) ?? [];
    if (!named || !year) return "";
    month = String(MONTHS.indexOf(named) + 1);
  }
  const parts = [year, (month || "12").padStart(2, "0"), (day || "31").padStart(2, "0")];
  return Number(year) > 1900 && Number(parts[1]) < 13 && Number(parts[2]) < 32 ? parts.join("-") : "";
}

/** Return the place of the edition in force on a day, -1 before the first. @param {string} day */
function inForceOn(day) {
  return SITE.editions.findLastIndex(([, own, , isChosen]) => isChosen === 1 && own <= day);
}

/** @param {string} words */
function folded(words) {
  return words.toLowerCase().replace(/['’]/g, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** Return the places of the editions that a day, a set or "latest" names, the newest first; several only of sets. @param {string} designator */
function editionsNamed(designator) {
  const word = designator.trim().toLowerCase(), { editions } = SITE, last = editions.length - 1;
  if (["latest", "last", "newest"].includes(word)) return [last];
  if (["current", "today", "now"].includes(word)) return [SITE.current];
  if (["first", "oldest"].includes(word)) return [0];
  const exact = editions.findIndex(([label]) => label === word), day = lastDay(word);
  if (exact >= 0 || day) return [exact >= 0 ? exact : inForceOn(day)].filter((place) => place >= 0);
  const wanted = folded(word), places = [...editions.keys()].reverse();
  if (!wanted) return [];
  /** Return the last edition of each set that fits. @param {(code: string, name: string) => boolean} fits */
  const fitting = (fits) => places.filter((place, at) => {
    const [, , , isChosen, code, name] = editions[place];
    return isChosen === 1 && name && fits(code.toLowerCase(), folded(name)) && !places.slice(0, at).some((later) => editions[later][5] === name);
  });
  const own = fitting((code, name) => code === wanted || name === wanted || name === `the ${wanted}`);
  return own.length || wanted.length < 3 ? own : fitting((_, name) => ` ${name}`.includes(` ${wanted}`));
}

/** Say why a designator names no edition. @param {string} word */
function whyNoEdition(word) {
  const first = dayOf(0), several = editionsNamed(word);
  if (several.length > 1) return `“${word}” fits ${several.map(editionName).reverse().join(", ")}; name one.`;
  if (lastDay(word.toLowerCase())) return `No edition was in force on ${word}; the earliest edition is ${first}.`;
  return `No edition is called “${word}”; give a day (2007-10-01), a month, a year, a set (M10), first or latest.`;
}

/** Compare numbers as they are printed: 702.9 < 702.9b < 702.10, glossary entries last. @param {string} first @param {string} second */
function compareNumbers(first, second) {
  const [a, b] = [first, second].map((number) => {
    const [, section = "999", rule = "0", letters = "", which = "0"] = /^(\d+)\.?(\d*)([a-z]*)(?:#(\d+))?$/.exec(number) ?? [];
    return `${section.padEnd(3, " ")}.${rule.padStart(4, "0")}.${letters.length}${letters.padEnd(3)}.${which}`;
  });
  return a < b ? -1 : Number(a > b);
}

/** Return whether a number is another or stands below it. @param {string} number @param {string} above */
function isBelow(number, above) {
  if (!number.startsWith(above)) return false;
  const rest = number.slice(above.length).replace(/#\d+$/, "");
  if (above.includes(".")) return !rest || (/^[a-z]+$/.test(rest) && !/[a-z]$/.test(above));
  return !rest || rest.startsWith(".") || above.length === 1;
}

/** Return whether a citation names a number. @param {Cited} cited @param {string} number */
function isCited({ first, last }, number) {
  if (!last) return number === first;
  const isOfSections = !first.includes(".") && !last.includes(".");
  if (isOfSections !== !number.includes(".") || (isOfSections && number.length !== first.length)) return false;
  return compareNumbers(first, number) <= 0 && (compareNumbers(number, last) <= 0 || isBelow(number, last));
}

/** Return the rules that citations name, with their editions and what they are now, and why some are not there. @param {NumbersFile} numbers @param {Cited[]} citations */
function rulesCited(numbers, citations) {
  const rules = /** @type {NamedRule[]} */ ([]), notes = /** @type {string[]} */ ([]);
  for (const cited of citations) {
    const places = cited.edition ? editionsNamed(cited.edition) : [SITE.current];
    if (places.length !== 1) {
      notes.push(whyNoEdition(cited.edition));
      continue;
    }
    const [place] = places, all = cited.last ? Object.keys(numbers).sort(compareNumbers) : [cited.first];
    const found = all.filter((number) => isCited(cited, number) && bearerIn(numbers, number, place));
    for (const number of found) {
      const { now, doubt } = bearerOf(/** @type {BearerRow} */ (bearerIn(numbers, number, place)), number);
      rules.push({ number, which: cited.which, edition: cited.edition ? place : -1, now, doubt });
    }
    const where = cited.edition ? `in the edition of ${dayOf(place)}` : "today";
    if (!found.length) notes.push(cited.last ? `There is no rule from ${cited.first} to ${cited.last} ${where}.` : `No rule has the number ${cited.first} ${where}.`);
  }
  return { rules, notes };
}

/** @param {NumbersFile} numbers @param {string} number @param {number} place */
function bearerIn(numbers, number, place) {
  return bearersOf(numbers, number).find(([runs]) => runs.some((first, at) => at % 2 === 0 && first <= place && place <= runs[at + 1]));
}

/** Return the rules that have had a number, the latest first. @param {NumbersFile} numbers @param {string} number */
function bearersOf(numbers, number) {
  return Object.hasOwn(numbers, number) ? numbers[number] : [];
}

/** @param {BearerRow} row @param {string} number */
function bearerOf(row, number) {
  if (row.length === 3) return { now: row[1] || number, isHere: row[1] === "", gone: -1, gist: "", doubt: row[2] };
  return { now: row[3], isHere: false, gone: row[1], gist: row[2], doubt: row[4] };
}
