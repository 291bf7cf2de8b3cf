/** What the worker is told of its build, see data/offline.py. */
declare const BUILD: {
  version: string;
  /** Files that are kept at once. */
  shell: string[];
  /** Pages of the current rules, and what the search needs. */
  rules: string[];
  search: string[];
  offline: string;
  /** How many bytes the rules may take, and how many visited pages are kept. */
  budget: number;
  visited: number;
};
