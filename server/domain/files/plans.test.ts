/** What SQLite, which answers synchronously, reads for one act of few files: never all files, nor an act again for each of its rows. */
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import { addressOf } from "../../testing/client.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { upload } from "../../testing/files.ts";

interface Step {
  id: number;
  parent: number;
  detail: string;
}

let cast: Cast;
const prepared = new Set<string>();
beforeAll(async () => {
  const prepare = DatabaseSync.prototype.prepare;
  vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function spied(this: DatabaseSync, text: string) {
    prepared.add(text);
    return prepare.call(this, text);
  });
  cast = await startCast("sqlite");
}, 60_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await cast.world.close();
});

/** Statements are kept prepared: each test sees those that no test before it has asked. */
async function plansOf(work: () => Promise<unknown>): Promise<{ text: string; steps: Step[] }[]> {
  prepared.clear();
  await work();
  const texts = [...prepared].filter((text) => /\bfile(s|_tags)\b/.test(text) && !/^\s*(insert|explain)/i.test(text));
  const plans = [];
  for (const text of texts) plans.push({ text, steps: (await sql<Step>`explain query plan ${sql.raw(text)}`.execute(cast.world.database.read)).rows });
  return plans;
}

function demandByKey(plans: { text: string; steps: Step[] }[]): void {
  expect(plans).not.toEqual([]);
  for (const { text, steps } of plans) {
    const above = new Map(steps.map((step) => [step.id, step]));
    for (const { detail, parent } of steps) {
      expect(detail, text).not.toMatch(/^SCAN (files|file_tags)|AUTOMATIC/);
      if (above.get(parent)?.detail === "RECURSIVE STEP" && detail.includes("files")) expect(detail, text).toMatch(/parent_id=\?|PRIMARY KEY/);
    }
  }
}

test.each(["member", "guest"] as const)("deleting, bringing back, moving and zipping go by keys, for a %s", async (who) => {
  const { world, home } = cast;
  const by = cast[who];
  const folder = async (parent_id: number, name: string) => (await world.call(by, files.makeFolder, { body: { parent_id, name } })).answer.data.id;
  const top = await folder(home.root, `Top ${who}`);
  const other = await folder(home.root, `Other ${who}`);
  await folder(top, "Inner");
  const file_ids = [top, await upload(world, by, { parent: other, name: "a.wav", bytes: "x" })];
  const done: number[] = [];
  const plans = await plansOf(async () => {
    done.push((await world.call(by, view.moveFiles, { body: { file_ids: [top], parent_id: other } })).status);
    done.push((await world.send(by, { method: "HEAD", url: addressOf(view.getArchive, { query: { ids: file_ids.join(",") } }) })).status);
    done.push((await world.call(by, view.deleteFiles, { body: { file_ids } })).status);
    done.push((await world.call(by, view.restoreFiles, { body: { file_ids } })).status);
  });
  expect(done).toEqual([200, 200, 200, 200]);
  demandByKey(plans);
});
