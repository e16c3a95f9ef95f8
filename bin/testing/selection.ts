/** Finds the test files that `npm test -- <part of a path or name>` means. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Selection {
  /** Vitest files, as paths below the root. */
  unit: string[];
  /** Playwright files, as paths below the root. */
  browser: string[];
  /** Only tests with this text in their title run; without it, whole files. */
  title?: string;
}

const UNIT_FOLDERS = ["contract", "server", "src", "bin", "bench"];
const BROWSER_FOLDER = "e2e/specs";
/** A title is the first text in parentheses after `test`, `it` or `describe`, or after the end of a table of cases. */
const TITLE = /(?:\b(?:test|it|describe)[\w.]*(?:\([^"'`]*\))?|^\s*\]\))\(\s*(["'`])(.*?)\1/;

/** Selects whole files by their path, or else the files with a matching test title. Case is ignored. */
export function selectTests(root: string, pattern: string): Selection {
  const wanted = pattern.toLowerCase();
  const unit = UNIT_FOLDERS.flatMap((folder) => filesBelow(root, folder, /\.test\.tsx?$/));
  const browser = filesBelow(root, BROWSER_FOLDER, /\.spec\.ts$/);
  const byPath = (paths: string[]) => paths.filter((path) => path.toLowerCase().includes(wanted));
  const found = { unit: byPath(unit), browser: byPath(browser) };
  if (found.unit.length + found.browser.length > 0) return found;
  const byTitle = (paths: string[]) => paths.filter((path) => linesOf(join(root, path)).some((line) => TITLE.exec(line)?.[2]?.toLowerCase().includes(wanted)));
  return { unit: byTitle(unit), browser: byTitle(browser), title: pattern };
}

function filesBelow(root: string, folder: string, name: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => name.test(path))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .toSorted();
}

const linesOf = (path: string): string[] => readFileSync(path, "utf8").split("\n");

/** A regular expression that matches this text literally in upper and lower case: Vitest takes no flags. */
export const literally = (text: string): string =>
  [...text]
    .map((one) =>
      one.toLowerCase() === one.toUpperCase() ? one.replace(/[.*+?^${}()|[\]\\/]/, String.raw`\$&`) : `[${one.toLowerCase()}${one.toUpperCase()}]`,
    )
    .join("");
