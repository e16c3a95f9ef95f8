/** Vitest `globalSetup`: creates the templates folder of this run, and deletes it and the databases at the end. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropTestDatabase } from "./engines.ts";
import { TEMPLATES, type Template } from "./templates.ts";

export default function setup(): (() => Promise<void>) | undefined {
  // Vitest calls this for each project in its configuration; one folder serves them all.
  if (process.env[TEMPLATES]) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "talkback-templates-"));
  process.env[TEMPLATES] = folder;
  return async () => {
    for (const name of readdirSync(folder).filter((entry) => entry.endsWith(".json"))) {
      const { database } = JSON.parse(readFileSync(join(folder, name), "utf8")) as Template;
      if (URL.canParse(database)) await dropTestDatabase(database);
    }
    rmSync(folder, { recursive: true, force: true });
  };
}
