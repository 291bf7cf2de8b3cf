// The forms of the script's data files, and of the values that its modules exchange.

/** Facts about the build: all editions, and the place of the one in force. */
export interface SiteFacts { editions: EditionRow[]; current: number; former: Record<string, string> }

declare global {
  const SITE: SiteFacts;
}

/** `search/current.js`: the newest edition in columns, a row for each provision. */
export interface CurrentFile {
  format: number;
  edition: [label: string, day: string, setName: string];
  addresses: { rule: string; entry: string; edition: string; dated: string; search: string };
  /** A letter for each row, see `KINDS` in search_index.js. */
  kinds: string;
  /** An address ("704.5k", "702.175#2") or a headword. */
  names: string[];
  headings: string[];
  /** One for each glossary entry. */
  slugs: string[];
  /** The row of the parent plus one; 0 for none. */
  parents: number[];
  cited: number[];
  texts: string[];
  examples: string[];
  synonyms: [kind: SynonymKind, wordings: WordingRow[]][];
}

/** The weights of `cr ask`, by numbers of the newest edition; see questions_index in search_index.py. */
export interface QuestionsFile {
  format: number;
  features: Record<string, number>;
  usual: Record<string, number>;
  sections: Record<string, number>;
  cited: Record<string, number>;
  /** By a sign ("said dies"), the rules and sections that it suggests: "704.5:0.31 603:0.12". */
  signs: Record<string, string>;
}

/** A parsed question: its stems, the stems of the asking sentences, and all stems in order. */
export interface Story { said: Set<string>; asked: Set<string>; sequence: string[] }

export type SynonymKind = "era" | "abbreviation" | "players";
export type WordingRow = [
  words: string[], first: string, last: string, isPartial: number, isGone: number,
];

/** `search/numbers.js`: all rules that each number has ever named, latest first. */
export interface NumbersFile {
  format: number;
  labels: string[];
  editions: EditionRow[];
  numbers: Record<string, BearerRow[]>;
}

/** Runs of editions, then today's name; for a removed rule, its end, its first words and its heir. */
export type BearerRow =
  | [runs: number[], now: string]
  | [runs: number[], removed: number, gist: string, heir: string];

/** A rule that had a number in former editions. */
export interface FormerBearer {
  stood: [first: string, last: string][];
  isGone: boolean;
  /** Its name today; for a removed rule, the name of its heir, or "" without one. */
  now: string;
  /** Whether it still has the number. */
  isHere: boolean;
  /** For a removed rule: the first edition without it, and the beginning of its words. */
  since: string;
  gist: string;
}

/** A word and its offsets. */
export type Word = [word: string, start: number, stop: number];

/** A question: a number ("last" distinguishes doubles), a range, or words. */
export interface Question { kind: "number" | "range" | "words"; first: string; last: string }

/** A question and its designator of an edition; "" without one. */
export interface Asked { question: Question; edition: string }

/** A rule that a query names, with the label of the edition asked for; "" for today's. */
export interface AskedRule { number: string; anchor: string; label: string; now: string }

/** The rules that a query names, notes on missing ones, and whether the query is one citation with its edition. */
export interface AskedRules { rules: AskedRule[]; notes: string[]; isOne: boolean }

export interface RuleNumber { number: string; isOpen: boolean }

/** A query as a tree. */
export type Part =
  | ({ kind: "number" } & RuleNumber)
  | { kind: "plain"; word: string }
  | { kind: "phrase"; words: string[] }
  | { kind: "prefix"; letters: string }
  | { kind: "not"; part: Part }
  | { kind: "all"; parts: Part[]; isStrict: boolean }
  | { kind: "either"; parts: Part[] };

/** One wording of a concept, with the editions that print it. */
export interface Wording {
  labels: string[];
  spellings: string[][];
  first: string;
  last: string;
  isPartial: boolean;
  isGone: boolean;
}

export interface Concept { kind: SynonymKind; wordings: Wording[] }

/** A synonym. */
export interface Synonym {
  words: string[];
  weight: number;
  kind: SynonymKind;
  asked: Wording;
  wording: Wording;
  label: string;
}

/** Words of a query that belong to a concept, by their places. */
export interface SynonymSpan { start: number; stop: number; synonyms: Synonym[] }

/** Weights by row. */
export type Weights = Map<number, number>;

/** A word, phrase, prefix or number of a query, with all its synonyms. */
export interface Group {
  asked: string[];
  askedStems: string[];
  /** The weight of each row for it. */
  weights: Weights;
  /** The weight of the group among all groups; rare ones have more. */
  tells: number;
  /** Sequences of stems, each of which matches the group in a text. */
  stems: string[][];
  /** How many of these are the reader's own words. */
  own: number;
  synonyms: Map<string, Synonym>;
  isAsking: boolean;
  isLoose: boolean;
  isSpread: boolean;
  isFaint: boolean;
}

/** The rows that may answer a part of a query, and the groups that rank them. */
export interface Plan { rows: Set<number>; groups: Group[] }

/** A text as stems, with the places of each. */
export interface Stems { row: string[]; places: Map<string, number[]> }

/** The data about a provision that ranking needs. */
export interface RankedText {
  kind: string;
  heading: Stems;
  above: Stems;
  text: Stems;
  /** How many of the text's words are not in examples. */
  own: number;
  /** After how many words each sentence ends. */
  ends: number[];
  cited: number;
}

/** The first and last places of some words. */
export type Span = [first: number, last: number];

/** Words of a snippet, and whether they match. */
export type SnippetPiece = [words: string, isFound: boolean];

export interface Hit {
  row: number;
  kind: string;
  number: string | null;
  heading: string;
  name: string;
  path: string[];
  href: string;
  snippet: SnippetPiece[];
}

/** A hit among the texts of all editions: its periods, and its name today (null if it was removed); `last` is its last name. */
export interface EverHit extends Hit {
  stood: [first: string, last: string][];
  now: string | null;
  last: string;
  isThere: boolean;
}

/** A synonym by which hits were found. */
export interface Expansion {
  from: string;
  to: string;
  typed: string;
  label: string;
  kind: SynonymKind;
  since: string;
  until: string;
  asked: { since: string; until: string; isGone: boolean };
}

export interface Found {
  hits: Hit[];
  total: number;
  expanded: Expansion[];
  missing: string[];
  suggestions: string[];
  number: RuleNumber | null;
}

export interface NamedEdition { label: string; code: string; name: string }

/** All that a query finds. */
export interface Answer {
  matches: Found;
  former: FormerBearer[];
  editions: NamedEdition[];
  number: string | null;
  isPrinted: boolean;
  asked: AskedRules;
}

/** A link of a list of results: its address from the root of the site, and its content. */
export interface ResultLink { href: string; parts: (Node | string)[]; isAll?: boolean }

/** `compare/parts.js`: the parts of the data for comparing; see PartsJson in compare_steps.py. */
export interface PartsFile {
  editions: EditionRow[];
  states: number;
  parts: string[];
  marks: string[];
  order: string;
  needs: Record<string, number[]>;
  words: TokenRow[];
}

/** `compare/order.js`: the states of each edition in printed order. */
export interface OrderFile { mark: string; held: number[][] }

/** `compare/parts/NAME.js`: some provisions, the links from them, and their texts. */
export interface PartFile {
  mark: string;
  states: {
    ids: number[];
    kinds: string;
    names: string[];
    numbers: number[];
    headings: number[];
    bodies: number[];
    firsts: number[];
    spans: number[];
    returns: Record<string, number[]>;
  };
  links: {
    counts: number[];
    sources: Record<string, number>;
    olds: number[];
    news: (number | null)[];
    away: Record<string, number>;
    bits: number[];
  };
  texts: {
    ids: number[];
    tokens: TokenRow[];
    texts: number[][];
    canon: Record<string, string[]>;
    slugs: Record<string, string>;
  };
}

export type EditionRow = [
  label: string, day: string, issue: number, isChosen: number, code: string, name: string,
];

export type Citation = [first: string, last: string];
export type TokenRow = string | [string] | [string, string[], Citation[]];

/** A word as printed, what it is compared by, and the citations that begin in it. */
export interface Token { text: string; canon: number[]; citations: Citation[] }

/** What a provision is compared by: words by their places, and citations. */
export interface Canon { words: number[]; citations: Citation[] }

/** Where a provision went from one edition to another. */
export interface Link {
  edition: number;
  source: number;
  old: number;
  new: number | null;
  bits: number;
}

/** Where a provision of the older edition is now, and what happened on the way. */
export interface Path { states: number[]; bits: number }

/** A run of two lists: whether it is the same, and its offsets in both. */
export type Run = [isSame: boolean, from: number, to: number, start: number, stop: number];

/** Words before and after, by their places. */
export type Phrase = [before: number[], after: number[]];

/** A piece of a word diff. */
export type DiffPiece = [sign: "=" | "-" | "+", words: string];

export type ChangeClass = "" | "typographic" | "citation-only" | "sweep" | "substantive";

/** What happened to one provision. */
export interface Change {
  old: number | null;
  new: number | null;
  others: number[];
  bits: number;
  change: ChangeClass;
  isPart: boolean;
  pieces: DiffPiece[] | null;
}

export interface Summary {
  provisions: number;
  same: number;
  moved_only: number;
  new: number;
  gone: number;
  parts: number;
  typographic: number;
  citation_only: number;
  sweep: number;
  substantive: number;
  words_gone: number;
  words_came: number;
  sweeps: { before: string; after: string; provisions: number }[];
}

/** What changed between two editions. */
export interface Comparison {
  from: number;
  to: number;
  all: Change[];
  same: number;
  swept: [before: string, after: string, count: number][];
  summary: Summary;
}
