import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BACKUP_COMMANDS } from "./cli/backup/commands.ts";
import { COMMANDS } from "./cli/commands.ts";
import { configTable } from "./config.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const readme = read("README.md");

test.each([
  ["README.md", "README"],
  ["docs/storage.md", "S3"],
] as const)("the configuration table of %s matches the service's settings", (path, settings) => {
  const [, table] = /<!-- configuration[^>]*-->\n([\s\S]*?)\n<!-- \/configuration -->/.exec(read(path)) ?? [];
  expect(table).toBe(configTable(settings));
});

test("the README names every admin command and stays under 200 lines, the table of settings aside", () => {
  for (const name of Object.keys({ ...COMMANDS, ...BACKUP_COMMANDS })) expect(readme).toContain(`npm run admin -- ${name}`);
  expect(readme.split("\n").length - configTable("README").split("\n").length).toBeLessThan(200);
});

test("every npm script the README names exists", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { scripts: Record<string, string> };
  for (const [, name] of readme.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) expect(scripts).toHaveProperty(name as string);
});
