/**
 * Tests of query plans on SQLite, which runs queries synchronously: an action on a few files never scans all files, nor rescans the action per
 * row.
 */
import { sql } from "kysely";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import { requestUrl } from "../../testing/client.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createMetadataTemplate } from "../../testing/metadata.ts";

interface Step {
  id: number;
  parent: number;
  detail: string;
}

let fixtures: Fixtures;
const prepared = new Set<string>();
/** Also before the test at hand. */
const everPrepared = new Set<string>();
/** Statements that were run in threads. */
const sentToThreads: string[] = [];
beforeAll(async () => {
  const postMessage = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function spied(this: Worker, ...args: Parameters<Worker["postMessage"]>) {
    const { sql: text } = (args[0] ?? {}) as { sql?: string };
    if (text !== undefined) {
      sentToThreads.push(text);
      prepared.add(text);
    }
    return postMessage.apply(this, args);
  });
  const prepare = DatabaseSync.prototype.prepare;
  vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function spied(this: DatabaseSync, text: string) {
    prepared.add(text);
    everPrepared.add(text);
    return prepare.call(this, text);
  });
  fixtures = await createFixtures("sqlite", { environment: { QUOTA_BYTES: "1000000000" } });
}, 60_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await fixtures.testApp.close();
});

/** Explains the statements that `work` prepares; statements that an earlier test prepared stay cached and are not included. */
async function explainQueries(work: () => Promise<unknown>): Promise<{ text: string; steps: Step[] }[]> {
  prepared.clear();
  await work();
  const texts = [...prepared].filter((text) => /\b(file(s|_tags)|metadata_values)\b/.test(text) && !/^\s*(insert|explain)/i.test(text));
  const plans = [];
  for (const text of texts) plans.push({ text, steps: (await sql<Step>`explain query plan ${sql.raw(text)}`.execute(fixtures.testApp.database.read)).rows });
  return plans;
}

function expectIndexedPlans(plans: { text: string; steps: Step[] }[]): void {
  expect(plans).not.toEqual([]);
  for (const { text, steps } of plans) {
    const stepById = new Map(steps.map((step) => [step.id, step]));
    for (const { detail, parent } of steps) {
      expect(detail, text).not.toMatch(/^SCAN (files|file_tags)|AUTOMATIC/);
      if (stepById.get(parent)?.detail === "RECURSIVE STEP" && detail.includes("files")) expect(detail, text).toMatch(/parent_id=\?|PRIMARY KEY/);
    }
  }
}

test.each(["member", "guest"] as const)("deleting, restoring, moving and archiving use indexes, for a %s", async (role) => {
  const { testApp, home } = fixtures;
  const caller = fixtures[role];
  const folder = async (parent_id: number, name: string) => (await testApp.call(caller, files.createFolder, { body: { parent_id, name } })).response.data.id;
  const top = await folder(home.root, `Top ${role}`);
  const other = await folder(home.root, `Other ${role}`);
  await folder(top, "Inner");
  const file_ids = [top, await upload(testApp, caller, { parent: other, name: "a.wav", bytes: "x" })];
  const statusCodes: number[] = [];
  const plans = await explainQueries(async () => {
    statusCodes.push((await testApp.call(caller, view.moveFiles, { body: { file_ids: [top], parent_id: other } })).status);
    statusCodes.push((await testApp.send(caller, { method: "HEAD", url: requestUrl(view.getArchive, { query: { ids: file_ids.join(",") } }) })).status);
    statusCodes.push((await testApp.call(caller, view.deleteFiles, { body: { file_ids } })).status);
    statusCodes.push((await testApp.call(caller, view.restoreFiles, { body: { file_ids } })).status);
  });
  expect(statusCodes).toEqual([200, 200, 200, 200]);
  expectIndexedPlans(plans);
});

test("restoring 300 files needs few statements besides the events and audit entries", async () => {
  const { testApp, home, member } = fixtures;
  const folder = async (name: string) => (await testApp.call(member, files.createFolder, { body: { parent_id: home.root, name } })).response.data.id;
  const [even, odd] = [await folder("Even"), await folder("Odd")];
  const rows = Array.from({ length: 300 }, (_, index) => {
    const name = `take ${index}.wav`;
    return {
      project_id: home.project,
      parent_id: index % 2 === 0 ? even : odd,
      is_folder: 0 as const,
      created_by: member.id,
      created_at: 1,
      name,
      name_key: name,
    };
  });
  const ids = (await testApp.database.write((tx) => tx.insertInto("files").values(rows).returning("id").execute())).map(({ id }) => id);
  await testApp.call(member, view.deleteFiles, { body: { file_ids: ids } });
  await upload(testApp, member, { parent: even, name: "take 0.wav", bytes: "x" });
  const sentBefore = sentToThreads.length;
  const { response: answer } = await testApp.call(member, view.restoreFiles, { body: { file_ids: ids } });
  const count = sentToThreads.length - sentBefore;
  expect(answer.data.slice(0, 3).map(({ name, parent_id }) => [name, parent_id])).toEqual([
    ["take 0 (2).wav", even],
    ["take 1.wav", odd],
    ["take 2.wav", even],
  ]);
  expect(count).toBeGreaterThan(300);
  expect(count).toBeLessThan(300 * 3 + 60);
});

test("the quota of an upload is checked without adding up the organization's blobs", async () => {
  const { testApp, home, member } = fixtures;
  await upload(testApp, member, { parent: home.folder, name: "counted.wav", bytes: "x" });
  const texts = [...everPrepared].filter((text) => /^select .*from "(blobs|stored_bytes|upload_reservations|uploads)"/.test(text));
  expect(texts.filter((text) => /stored_bytes|upload_reservations/.test(text))).toHaveLength(2);
  for (const text of texts)
    for (const { detail } of (await sql<Step>`explain query plan ${sql.raw(text)}`.execute(testApp.database.read)).rows)
      expect(detail, text).toMatch(/PRIMARY KEY|sqlite_autoindex|^SEARCH upload_reservations|USING INDEX uploads_/);
});

test("facets are counted from covering indexes", async () => {
  const { testApp, home, guest } = fixtures;
  const plans = await explainQueries(() => testApp.call(guest, view.getFileFacets, { params: { project_id: home.project } }));
  const [groups = [], tags = []] = plans
    .filter(({ text }) => text.includes("count(*)"))
    .map(({ steps }) => steps.map(({ detail }) => detail).filter((detail) => /^(SCAN|SEARCH) (?!tags$)/.test(detail)));
  expect(groups).toEqual([expect.stringMatching(/^SEARCH files USING COVERING INDEX files_facets /)]);
  // The first tag, the one after each, and the files of each.
  const search = (condition: string) => `SEARCH file_tags USING COVERING INDEX sqlite_autoindex_file_tags_1 (${condition})`;
  expect(new Set(tags)).toEqual(new Set([search("project_id=?"), search("project_id=? AND tag>?"), search("project_id=? AND tag=?")]));
});

test.each(["of", "in", "below"])("a search by name uses a covering index: %s", async (scope) => {
  const { testApp, home, guest } = fixtures;
  const query = { q: "bounce", ...(scope === "in" ? {} : { deep: "true" as const }), ...(scope === "below" ? { folder_id: String(home.folder) } : {}) };
  const plans = await explainQueries(() => testApp.call(guest, view.listFiles, { params: { project_id: home.project }, query }));
  const searches = plans.filter(({ text }) => text.includes("folded_name like"));
  expect(searches).toHaveLength(1);
  for (const { text, steps } of searches)
    for (const { detail } of steps.filter(({ detail: stepDetail }) => /^(SCAN|SEARCH) files/.test(stepDetail)))
      expect(detail, text).toContain("COVERING INDEX");
});

test.each([
  ["a project", { deep: "true" }, /^SEARCH metadata_values USING (COVERING )?INDEX metadata_values_order \(field_id=\? AND project_id=\?\)/, false],
  ["a folder", {}, /^SEARCH files USING .*\(parent_id=\?/, true],
] as const)("sorting %s by a metadata field reads its values from an index", async (_title, scope, expected, isSorted) => {
  const { testApp, home, guest } = fixtures;
  const { fields } = await createMetadataTemplate(fixtures);
  const query = { ...scope, sort_field_id: String(fields[0]?.id) };
  const plans = await explainQueries(() => testApp.call(guest, view.listFiles, { params: { project_id: home.project }, query }));
  const pages = plans.filter(({ text }) => text.includes("order by metadata_values.sort_number"));
  expect(pages).toHaveLength(1);
  const details = pages[0]?.steps.map(({ detail }) => detail) ?? [];
  expect(details[0]).toMatch(expected);
  for (const detail of details) expect(detail).not.toMatch(/^SCAN|AUTOMATIC/);
  expect(details.some((detail) => detail.includes("TEMP B-TREE FOR ORDER BY"))).toBe(isSorted);
});

test("the newest files of a project come from the index of their dates, without sorting", async () => {
  const { testApp, home, guest } = fixtures;
  const query = { deep: "true", kind: "audio,video,image,document", sort: "changed", order: "desc" } as const;
  const plans = await explainQueries(() => testApp.call(guest, view.listFiles, { params: { project_id: home.project }, query }));
  const pages = plans.filter(({ text }) => text.includes('order by "files"."changed_at"'));
  expect(pages).toHaveLength(1);
  const details = pages[0]!.steps.map(({ detail }) => detail).join();
  expect(details).toContain("files_of_changed (project_id=?)");
  expect(details).not.toContain("TEMP B-TREE");
});

test("the date of a folder is the end of an index", async () => {
  const { testApp, home, member } = fixtures;
  await upload(testApp, member, { parent: home.folder, name: "dated.wav", bytes: "x" });
  const dates = [...everPrepared].filter((text) => text.startsWith("select") && text.includes('max("children"."changed_at")'));
  expect(dates).not.toEqual([]);
  for (const text of dates)
    for (const { detail } of (await sql<Step>`explain query plan ${sql.raw(text)}`.execute(testApp.database.read)).rows)
      expect(detail, text).toMatch(/^SEARCH children USING INDEX files_in_changed \(parent_id=\?\)|PRIMARY KEY|CORRELATED/);
});

test("filtering by a metadata field looks values up by their key", async () => {
  const { testApp, home, guest } = fixtures;
  const { fields } = await createMetadataTemplate(fixtures);
  const query = { deep: "true" as const, metadata: JSON.stringify([{ field_id: fields[0]?.id, op: "contains", value: "warm" }]) };
  const plans = await explainQueries(() => testApp.call(guest, view.listFiles, { params: { project_id: home.project }, query }));
  const details = plans.flatMap(({ text, steps }) => (text.includes("metadata_values.match_text") ? steps.map(({ detail }) => detail) : []));
  expect(details.filter((detail) => detail.includes("metadata_values"))).toEqual([
    expect.stringMatching(/^SEARCH metadata_values .*\(file_id=\? AND field_id=\?\)/),
  ]);
});

test.each([
  ["words", { query: "bounce" }, /files USING COVERING INDEX files_of_name \(project_id=\?/],
  ["name", { name: "mix.wav" }, /files USING INDEX files_of_name \(project_id=\? AND is_folder=\? AND order_key=\?\)/],
  ["tag", { tag: "House" }, /file_tags USING (COVERING INDEX|PRIMARY KEY|INDEX) .*\(project_id=\? AND tag=\?\)/],
  ["status", { status_id: 1 }, /files USING INDEX files_status \(status_id=\?\)/],
])("finding files of a team by %s uses its index", async (_title, filter, expected) => {
  const { testApp, home, member } = fixtures;
  const plans = await explainQueries(() => testApp.call(member, files.findFiles, { body: { team_id: home.team, ...filter } }));
  const search = plans.find(({ text }) => text.includes("offset"))!;
  expect(search.steps.map(({ detail }) => detail).join("\n")).toMatch(expected);
  for (const { detail } of search.steps) expect(detail).not.toMatch(/^SCAN (files|file_tags)|AUTOMATIC/);
});
