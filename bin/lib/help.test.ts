/** `--help` of every npm command explains it and does nothing else. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "./paths.mjs";

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
/** The others are programs of other projects, with a help of their own. */
const COMMANDS = Object.entries(scripts).filter(([, script]) => script.startsWith("node "));
/** What a command would need for its work does not exist. */
const NOWHERE = { DATABASE_URL: "", S3_ENDPOINT: "", TEST_DATABASE_URL: "" };

/** Returns when the folders of the checkout that commands write, and no other test, last got or lost a file. */
const foldersOfCommands = () => ["screens", "server/modules/demo/assets"].map((path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs);

let folder: string;
const before = foldersOfCommands();
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "talkback-help-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("all commands of package.json are tried", () => {
  expect(COMMANDS.map(([name]) => name)).toEqual(expect.arrayContaining(["start", "faults", "bench", "cluster-demo", "admin", "worker", "screens"]));
});

test.for(COMMANDS)("npm run %s -- --help", { concurrent: true }, async ([name, script]) => {
  const dataDir = join(folder, name.replaceAll(":", "-"));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...script.split(" ").slice(1), "--help"], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], ...NOWHERE, DATA_DIR: dataDir },
    timeout: 15_000,
  });
  expect(stderr).toBe("");
  const [usage = "", ...explanation] = stdout.split("\n");
  expect(usage).toMatch(/^npm (run [\w:-]+|start|test)\b/);
  expect(stdout).toMatch(new RegExp(`^npm (run )?${name}\\b`, "m"));
  expect(explanation.filter(Boolean).length).toBeGreaterThan(0);
  expect(existsSync(dataDir)).toBe(false);
  expect(foldersOfCommands()).toEqual(before);
});
