/** Facts about the build for the worker, see data/offline.py. */
declare const BUILD: {
  version: string;
  /** Files that are kept at once. */
  shell: string[];
  /** Pages of the current rules, and files for search. */
  rules: string[];
  search: string[];
  offline: string;
  /** How many bytes the rules may take, and how many visited pages are kept. */
  budget: number;
  visited: number;
};
