import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runQuietly } from "../lib/child.mjs";
import { ROOT } from "../lib/paths.mjs";
import { findProblems, type Lock, type Manifest, readRows, type Row, writeTables } from "./dependencies.ts";

const MANIFEST: Manifest = { dependencies: { yazl: "3.3.1" }, optionalDependencies: {}, devDependencies: { vitest: "5.1.1" } };
const LOCK: Lock = {
  "": {},
  "node_modules/yazl": { version: "3.3.1", license: "MIT" },
  "node_modules/vitest": { version: "5.1.1", license: "MIT" },
  "node_modules/vitest/node_modules/axe-core": { version: "1.0.0", license: "(GPL-3.0-only OR MPL-2.0)" },
};
const EMPTY = ["production", "optional", "development"].map((table) => `<!-- ${table} -->\n<!-- end of ${table} -->\n`).join("\n");
const row = (name: string, version: string, change: Partial<Row> = {}): [string, Row] => [
  name,
  { name, version, license: "MIT", purpose: "Something", installedSize: "1", browserSize: "", ...change },
];
const writeRows = (...rows: [string, Row][]) => writeTables(EMPTY, MANIFEST, new Map(rows));
const DOCUMENT = writeRows(row("yazl", "3.3.1"), row("vitest", "5.1.1"));

test("rows are read as they were written, and writing them again changes nothing", () => {
  expect([...readRows(DOCUMENT)]).toEqual([row("yazl", "3.3.1"), row("vitest", "5.1.1")]);
  expect(writeTables(DOCUMENT, MANIFEST, readRows(DOCUMENT))).toBe(DOCUMENT);
  expect(findProblems(MANIFEST, LOCK, DOCUMENT)).toEqual([]);
});

test.each<[string, RegExp, { manifest?: Manifest; lock?: Lock; document?: string }]>([
  ["a package without a row", /^yazl has no row .*npm run deps -- --write <package>/, { document: writeRows(row("vitest", "5.1.1")) }],
  ["a row without a package", /^yazl is in docs\/dependencies\.md but not in package\.json/, { manifest: { devDependencies: { vitest: "5.1.1" } } }],
  ["another version", /^yazl: .* names version 3\.3\.0, package\.json 3\.3\.1/, { document: writeRows(row("yazl", "3.3.0"), row("vitest", "5.1.1")) }],
  ["another license", /^yazl: .* the license ISC, the package MIT/, { document: writeRows(row("yazl", "3.3.1", { license: "ISC" }), row("vitest", "5.1.1")) }],
  [
    "a row that does not say why",
    /^yazl: .* does not name what it is for/,
    { document: writeRows(row("yazl", "3.3.1", { purpose: "" }), row("vitest", "5.1.1")) },
  ],
  [
    "a range of versions",
    /names \^3\.3\.1 instead of one exact version/,
    { manifest: { ...MANIFEST, dependencies: { yazl: "^3.3.1" } }, document: writeRows(row("yazl", "^3.3.1"), row("vitest", "5.1.1")) },
  ],
  [
    "a copyleft license of an indirect dependency",
    /^deep has the license AGPL-3\.0-only/,
    { lock: { ...LOCK, "node_modules/a/node_modules/deep": { license: "AGPL-3.0-only" } } },
  ],
  [
    "an exception that was made for another package",
    /^deep has the license LGPL-3\.0-or-later/,
    { lock: { ...LOCK, "node_modules/deep": { license: "LGPL-3.0-or-later" } } },
  ],
  [
    "a license of several, one of them not allowed",
    /^deep has the license MIT AND GPL/,
    { lock: { ...LOCK, "node_modules/deep": { license: "MIT AND GPL-3.0-only" } } },
  ],
  ["no license", /^deep has the license none/, { lock: { ...LOCK, "node_modules/deep": {} } }],
])("reports %s", (_name, expected, { manifest = MANIFEST, lock = LOCK, document = DOCUMENT }) => {
  const problems = findProblems(manifest, lock, document);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(expected);
});

test(
  "knip, with the project's settings, fails for an unused dependency and for an import of a package that only another one brings",
  { timeout: 60_000 },
  async () => {
    const root = mkdtempSync(join(tmpdir(), "talkback-knip-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "dir");
    copyFileSync(join(ROOT, "knip.jsonc"), join(root, "knip.jsonc"));
    const plant = (path: string, content: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    };
    plant("package.json", JSON.stringify({ name: "planted", type: "module", dependencies: { yazl: "3.3.1" } }));
    plant("server/main.ts", `import { ZipFile } from "yazl";\nnew ZipFile();\n`);
    const runKnip = () => runQuietly(process.execPath, [join(ROOT, "node_modules/knip/bin/knip.js"), "--no-progress", "--no-config-hints"], { cwd: root });
    expect(await runKnip()).toMatchObject({ code: 0 });

    plant("package.json", JSON.stringify({ name: "planted", type: "module", dependencies: { yazl: "3.3.1", pg: "8.23.1" } }));
    plant("server/main.ts", `import { ZipFile } from "yazl";\nimport crc32 from "buffer-crc32";\nnew ZipFile();\ncrc32("");\n`);
    const { code, output } = await runKnip();
    expect(code).toBe(1);
    expect(output).toMatch(/Unused dependencies[\s\S]*\bpg\b/);
    expect(output).toMatch(/Unlisted dependencies[\s\S]*\bbuffer-crc32\b/);
  },
);
