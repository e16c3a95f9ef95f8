/** The tables of docs/dependencies.md: reads and writes their rows, and compares them with package.json and package-lock.json. */

export interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The fields of a package in package-lock.json, keyed there by its folder. */
export interface LockedPackage {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
export type Lock = Readonly<Record<string, LockedPackage>>;

export interface Row {
  name: string;
  version: string;
  license: string;
  /** What the project uses the package for. */
  purpose: string;
  installedSize: string;
  browserSize: string;
}

const PERMISSIVE_LICENSES: ReadonlySet<string> = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "0BSD",
  "BlueOak-1.0.0",
  "Unlicense",
]);
/** Other licenses, each with the packages that may have it and the reason; docs/dependencies.md explains them to operators. */
const LICENSE_EXCEPTIONS: readonly { license: string; packages: RegExp }[] = [
  // A font that is served unmodified.
  { license: "OFL-1.1", packages: /^@fontsource-variable\/inter$/ },
  // libvips, a dynamically linked library of sharp.
  { license: "LGPL-3.0-or-later", packages: /^@img\/sharp-/ },
  // Unmodified files: the accessibility checker of the tests, the CSS compiler of the build, a part of node-av that the service never loads, and what encrypts push messages.
  { license: "MPL-2.0", packages: /^(axe-core|lightningcss(-.+)?|mediabunny|web-push)$/ },
  // A parser of command lines that tools of the tests bring; permissive, but the license of nothing else here.
  { license: "Python-2.0", packages: /^argparse$/ },
  { license: "PSF-2.0", packages: /^argparse$/ },
];
/** Packages without a license field, and the license in their files. */
const UNDECLARED_LICENSES: Readonly<Record<string, string>> = {
  "combine-errors": "MIT",
  "@shinyoshiaki/jspack": "BSD-3-Clause",
  busboy: "MIT",
  "humanize-number": "MIT",
  streamsearch: "MIT",
};

export const UPDATE_COMMAND = "npm run deps -- --write";
const ADD_COMMAND = `${UPDATE_COMMAND} <package> "<what it is for>"`;

/** One version, or one of a package that is installed under another name. */
const EXACT_VERSION = /^(npm:(@[^/]+\/)?[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
const ROW = /^\| `(?<name>[^`]+)` \| (?<version>[^|]*) \| (?<license>[^|]*) \| (?<purpose>[^|]*) \| (?<installedSize>[^|]*) \| (?<browserSize>[^|]*) \|$/;

/** Returns the rows of all tables, by package. */
export function readRows(document: string): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const line of document.split("\n")) {
    const groups = ROW.exec(line)?.groups;
    if (groups) rows.set(groups["name"]!, Object.fromEntries(Object.entries(groups).map(([key, value]) => [key, value.trim()])) as unknown as Row);
  }
  return rows;
}

const HEADER = "| package | version | license | what for | installed, kB | in the browser, kB gz |\n| --- | --- | --- | --- | --- | --- |\n";
const TABLES: Readonly<Record<string, (manifest: Manifest) => Record<string, string> | undefined>> = {
  production: ({ dependencies }) => dependencies,
  optional: ({ optionalDependencies }) => optionalDependencies,
  development: ({ devDependencies }) => devDependencies,
};

/** Replaces the tables between their markers with these rows. */
export function writeTables(document: string, manifest: Manifest, rows: ReadonlyMap<string, Row>): string {
  return Object.entries(TABLES).reduce((text, [table, select]) => {
    const lines = Object.keys(select(manifest) ?? {}).flatMap((name) => {
      const row = rows.get(name);
      return row ? [`| \`${name}\` | ${row.version} | ${row.license} | ${row.purpose} | ${row.installedSize} | ${row.browserSize} |\n`] : [];
    });
    const [start, end] = [`<!-- ${table} -->\n`, `<!-- end of ${table} -->`];
    if (!text.includes(start) || !text.includes(end)) throw new Error(`docs/dependencies.md has no markers ${start.trim()} and ${end}`);
    return text.slice(0, text.indexOf(start) + start.length) + HEADER + lines.join("") + text.slice(text.indexOf(end));
  }, document);
}

export const listDirect = (manifest: Manifest): Record<string, string> => Object.assign({}, ...Object.values(TABLES).map((select) => select(manifest)));

/** Returns the name of the package in a folder such as `node_modules/a/node_modules/@b/c`. */
export const packageName = (folder: string): string => folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);

export const licenseOf = (folder: string, lock: Lock): string => lock[folder]?.license ?? UNDECLARED_LICENSES[packageName(folder)] ?? "none";

/** Evaluates an SPDX expression of AND and OR. */
function isAllowed(name: string, expression: string): boolean {
  const isAllowedLicense = (license: string): boolean =>
    PERMISSIVE_LICENSES.has(license) || LICENSE_EXCEPTIONS.some((exception) => exception.license === license && exception.packages.test(name));
  return expression
    .replaceAll(/[()]/g, "")
    .split(" AND ")
    .every((part) => part.split(" OR ").some((license) => isAllowedLicense(license.trim())));
}

/** Reports rows that are missing, superfluous or out of date, versions that are not exact, and licenses that are not allowed, also of indirect dependencies. */
export function findProblems(manifest: Manifest, lock: Lock, document: string): string[] {
  const problems: string[] = [];
  const rows = readRows(document);
  const direct = listDirect(manifest);
  for (const [name, version] of Object.entries(direct)) {
    const row = rows.get(name);
    if (!EXACT_VERSION.test(version)) problems.push(`${name}: package.json names ${version} instead of one exact version.`);
    if (!row) {
      problems.push(`${name} has no row in docs/dependencies.md. Add it: ${ADD_COMMAND}`);
      continue;
    }
    const license = licenseOf(`node_modules/${name}`, lock);
    if (row.purpose === "") problems.push(`${name}: docs/dependencies.md does not name what it is for. Add it: ${ADD_COMMAND}`);
    if (row.version !== version)
      problems.push(`${name}: docs/dependencies.md names version ${row.version}, package.json ${version}. Update it: ${UPDATE_COMMAND}`);
    if (row.license !== license)
      problems.push(`${name}: docs/dependencies.md names the license ${row.license}, the package ${license}. Update it: ${UPDATE_COMMAND}`);
  }
  for (const name of rows.keys())
    if (!(name in direct)) problems.push(`${name} is in docs/dependencies.md but not in package.json. Remove it: ${UPDATE_COMMAND}`);
  for (const folder of Object.keys(lock)) {
    if (folder === "") continue;
    const license = licenseOf(folder, lock);
    if (!isAllowed(packageName(folder), license))
      problems.push(`${packageName(folder)} has the license ${license}, which bin/dependencies/dependencies.ts does not allow.`);
  }
  return problems;
}
