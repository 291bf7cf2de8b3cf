// The forms of the data files, and of what the scripts hand to each other.

type EditionRow = [label: string, day: string, issue: number, isChosen: number, code: string, name: string, lastDay: string];

/** Facts about the build, which stand before the script. */
declare const SITE: { editions: EditionRow[]; current: number; former: Record<string, string>; base: string };

/** `search/current.js`: the newest edition, a row for each provision; the parent is a row, or -1. */
interface CurrentFile {
  rows: [name: string, kind: string, heading: string, text: string, examples: string, cited: number, parent: number, slug: string][];
  synonyms: Concept[];
}
type ConceptForm = [words: string[], first: string, last: string, isGone: number];
type Concept = [kind: "era" | "abbreviation" | "players", forms: ConceptForm[]];

/** `search/ever.js`: the wordings of all editions that are not in force. */
type EverRow = [name: string, kind: string, heading: string, text: string, first: number, last: number, now: string, doubt: string];

/** `search/numbers.js`: the rules that each number has ever named, the latest first. */
type NumbersFile = Record<string, BearerRow[]>;
/** Runs of editions, then today's name; for a removed rule, its end, its first words and its heir; then "", "probably " or "perhaps ". */
type BearerRow = [runs: number[], now: string, doubt: string] | [runs: number[], gone: number, gist: string, heir: string, doubt: string];

/** A number or range of a query: `which` of two bearers ("#2"), and the words for its edition. */
interface Cited { first: string; last: string; which: string; edition: string }
interface NamedRule { number: string; which: string; edition: number; now: string; doubt: string }

interface Synonym { kind: Concept[0]; words: string; terms: string; form: ConceptForm; to: string[] }
interface SearchRow {
  name: string; kind: string; heading: string; slug: string; path: string[]; above: string; text: string;
  examples: string; cited: number; when?: [first: number, last: number]; now?: string; doubt?: string;
}
interface Hit { row: SearchRow; score: number; terms: Set<string> }
interface ResultLink { href: string; parts: (Node | string)[] }
interface Answer { links: ResultLink[]; notes: string[]; only: string }

// Libraries in ../vendor.
declare const MiniSearch: any;

/** `compare/704.js`: a state has the place of its text. */
interface SectionFile {
  texts: string[];
  provisions: [key: number, own: number, states: [first: number, last: number, name: string, kind: string, heading: string, text: number][], gone: number | null, heirs: string[], doubts: Doubt[]][];
}
interface ProvisionState { first: number; last: number; name: string; kind: string; heading: string; text: string }
type Doubt = [edition: number, chance: number];
/** A provision through time; before the edition `own` it was a part of another. The `doubts` are of steps that are not certain. */
interface Provision { key: number; own: number; states: ProvisionState[]; gone: number | null; heirs: string[]; doubts: Doubt[] }
interface Pair { provision: Provision; old?: ProvisionState; fresh?: ProvisionState; isPart: boolean; isLead?: boolean; heir?: ProvisionState; pieces?: DiffPiece[] }
/** Words that stayed have those of the older text beside them, which may have other signs. */
type DiffPiece = [sign: "=" | "-" | "+", words: string, old?: string];

/** `compare/since/2024-04-12.js`: what changed up to the newest edition, as `cr since` counts and tells it. */
interface SinceFile {
  counts: Record<
    "provisions" | "same" | "moved_only" | "new" | "gone" | "parts" | "typographic" | "citation_only" | "sweep" | "substantive" | "words_gone" | "words_came", number
  >;
  lists: [title: string, rows: [name: string, words: string, note: string][]][];
}
/** `compare/all.js`: of each provision `own`, its end or 0, and runs: first edition, section, whether the words are new. */
interface AllFile { sections: string[]; headings: Record<string, string>; provisions: number[][] }
declare const Diff: {
  diffArrays(olds: string[], news: string[]): { value: string[]; added: boolean; removed: boolean }[];
};
