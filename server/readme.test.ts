import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMMANDS } from "./cli/commands.ts";
import { configTable } from "./config.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README's configuration table is the one the service checks", () => {
  const [, table] = /<!-- configuration[^>]*-->\n([\s\S]*?)\n<!-- \/configuration -->/.exec(readme) ?? [];
  expect(table).toBe(configTable());
});

test("the README names every command of the command line, and stays short", () => {
  for (const name of Object.keys(COMMANDS)) expect(readme).toContain(`npm run admin -- ${name}`);
  expect(readme.split("\n").length).toBeLessThan(200);
});

test("every npm script the README names exists", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { scripts: Record<string, string> };
  for (const [, name] of readme.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) expect(scripts).toHaveProperty(name as string);
});
