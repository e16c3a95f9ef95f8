/** What takes long to make and is the same for many files of tests: made once in a run, by whoever needs it first, and cloned by all. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Set by `templates-setup.ts`. */
export const TEMPLATES = "TALKBACK_TEST_TEMPLATES";

/** A database with the stored files that belong to it; nobody has it open. */
export interface Template {
  /** Folder (SQLite) or address (PostgreSQL). */
  database: string;
  files: string;
  masterKey: string;
}

export const templatesFolder = (): string => {
  const folder = process.env[TEMPLATES];
  if (!folder) throw new Error("The tests run without server/testing/templates-setup.ts");
  return folder;
};

/** The record that `create` answered in whichever process called this first. */
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
