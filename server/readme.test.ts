import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMMANDS } from "./cli/commands.ts";
import { configTable } from "./config.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README's configuration table matches the service's settings", () => {
  const [, table] = /<!-- configuration[^>]*-->\n([\s\S]*?)\n<!-- \/configuration -->/.exec(readme) ?? [];
  expect(table).toBe(configTable());
});

test("the README names every admin command and stays under 200 lines", () => {
  for (const name of Object.keys(COMMANDS)) expect(readme).toContain(`npm run admin -- ${name}`);
  expect(readme.split("\n").length).toBeLessThan(200);
});

test("every npm script the README names exists", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { scripts: Record<string, string> };
  for (const [, name] of readme.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) expect(scripts).toHaveProperty(name as string);
});
