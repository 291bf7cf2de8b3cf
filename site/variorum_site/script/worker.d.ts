/** Facts about the build for the worker, see data/offline.py: files to keep at once and later, and how many visited pages. */
declare const BUILD: { version: string; shell: string[]; rules: string[]; offline: string; visited: number };
