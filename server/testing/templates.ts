/** Database templates, which are slow to create: the first process that needs one creates it once per run, and all others copy it. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Set by `templates-setup.ts`. */
export const TEMPLATES = "TALKBACK_TEST_TEMPLATES";

/** A database with its stored files; no connection to it is open. */
export interface Template {
  /** Folder (SQLite) or URL (PostgreSQL). */
  database: string;
  files: string;
  masterKey: string;
}

export const templatesFolder = (): string => {
  const folder = process.env[TEMPLATES];
  if (!folder) throw new Error("The tests run without server/testing/templates-setup.ts");
  return folder;
};

/** Returns the result of `create` from whichever process called this first. */
export async function createOncePerRun<T>(name: string, create: () => Promise<T>): Promise<T> {
  const record = join(templatesFolder(), `${name}.json`);
  const lock = join(templatesFolder(), `${name}.lock`);
  while (!existsSync(record)) {
    try {
      mkdirSync(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      await sleep(20);
      continue;
    }
    try {
      if (existsSync(record)) break;
      const text = JSON.stringify(await create());
      writeFileSync(`${record}.part`, text);
      renameSync(`${record}.part`, record);
    } finally {
      rmdirSync(lock);
    }
  }
  return JSON.parse(readFileSync(record, "utf8")) as T;
}
