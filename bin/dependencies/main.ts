/** `npm run deps` checks docs/dependencies.md; `-- --write` updates it, `-- --write <package> "<what it is for>" ...` also describes packages. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/paths.mjs";
import { findProblems, licenseOf, listDirect, type Lock, type Manifest, readRows, type Row, writeTables } from "./dependencies.ts";
import { browserBytes, installedBytes } from "./measure.ts";

const DOCUMENT = join(ROOT, "docs", "dependencies.md");
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), "utf8"));
const manifest = readJson("package.json") as Manifest;
const lock = (readJson("package-lock.json") as { packages: Lock }).packages;

/** Formats kilobytes with one decimal below ten. */
function kilobytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return "";
  return (bytes / 1000).toLocaleString("en", { maximumFractionDigits: bytes < 10_000 ? 1 : 0 });
}

async function write(purposes: ReadonlyMap<string, string>): Promise<void> {
  const document = readFileSync(DOCUMENT, "utf8");
  const rows = readRows(document);
  const inBrowser = await browserBytes(ROOT, Object.keys(listDirect(manifest)), lock);
  const updated = new Map<string, Row>();
  for (const [name, version] of Object.entries(listDirect(manifest))) {
    const bytes = installedBytes(ROOT, name, lock);
    updated.set(name, {
      name,
      version,
      license: licenseOf(`node_modules/${name}`, lock),
      purpose: purposes.get(name) ?? rows.get(name)?.purpose ?? "",
      // A package for another platform keeps the size that was measured there.
      installedSize: bytes === null ? (rows.get(name)?.installedSize ?? "") : kilobytes(bytes),
      browserSize: kilobytes(inBrowser.get(name)),
    });
  }
  for (const name of purposes.keys()) if (!updated.has(name)) throw new Error(`package.json does not name ${name}.`);
  writeFileSync(DOCUMENT, writeTables(document, manifest, updated));
}

const [option, ...described] = process.argv.slice(2);
if ((option !== undefined && option !== "--write") || described.length % 2 !== 0) {
  console.error('Usage: npm run deps, npm run deps -- --write, npm run deps -- --write <package> "<what it is for>" ...');
  process.exitCode = 2;
} else {
  const purposes = new Map(described.flatMap((name, index) => (index % 2 === 0 ? [[name, (described[index + 1] ?? "").trim().replaceAll("|", "/")]] : [])));
  if (option === "--write") await write(purposes);
  const problems = findProblems(manifest, lock, readFileSync(DOCUMENT, "utf8"));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
