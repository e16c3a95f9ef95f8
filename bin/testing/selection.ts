/** Finds the test files that match `npm test -- <part of a path or name>`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Selection {
  /** Vitest files, as paths relative to the root. */
  unit: string[];
  /** Playwright files, as paths relative to the root. */
  browser: string[];
  /** Limits the run to tests with this text in their title. Without it, whole files run. */
  title?: string;
}

const UNIT_FOLDERS = ["contract", "server", "src", "bin", "bench", "tools"];
const BROWSER_FOLDER = "e2e/specs";
/** Matches a title: the first string in parentheses after `test`, `it` or `describe`, or after the end of a table of cases. */
const TITLE = /(?:\b(?:test|it|describe)[\w.]*(?:\([^"'`]*\))?|^\s*\]\))\(\s*(["'`])(.*?)\1/;

/** Selects whole files by their path, or else the files with a matching test title, ignoring case. */
export function selectTests(root: string, pattern: string): Selection {
  const query = pattern.toLowerCase();
  const unit = UNIT_FOLDERS.flatMap((folder) => listFiles(root, folder, /\.test\.tsx?$/));
  const browser = listFiles(root, BROWSER_FOLDER, /\.spec\.ts$/);
  const byPath = (paths: string[]) => paths.filter((path) => path.toLowerCase().includes(query));
  const selection = { unit: byPath(unit), browser: byPath(browser) };
  if (selection.unit.length + selection.browser.length > 0) return selection;
  const byTitle = (paths: string[]) => paths.filter((path) => readLines(join(root, path)).some((line) => TITLE.exec(line)?.[2]?.toLowerCase().includes(query)));
  return { unit: byTitle(unit), browser: byTitle(browser), title: pattern };
}

function listFiles(root: string, folder: string, name: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => name.test(path))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .toSorted();
}

const readLines = (path: string): string[] => readFileSync(path, "utf8").split("\n");

/** Returns a regular expression that matches this text literally, ignoring case without flags, which Vitest does not accept. */
export const escapePattern = (text: string): string =>
  [...text]
    .map((character) =>
      character.toLowerCase() === character.toUpperCase()
        ? character.replace(/[.*+?^${}()|[\]\\/]/, String.raw`\$&`)
        : `[${character.toLowerCase()}${character.toUpperCase()}]`,
    )
    .join("");
