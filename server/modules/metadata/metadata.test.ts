/** Metadata of files over HTTP: values, conflicts, templates that change, the files view, and CSV. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as csv from "../../../contract/operations/metadata-files.ts";
import * as metadata from "../../../contract/operations/metadata.ts";
import * as search from "../../../contract/operations/search.ts";
import type { MetadataChanges, MetadataTemplate } from "../../../contract/metadata-records.ts";
import { DAY } from "../../lib/clock.ts";
import { requestUrl } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createMetadataTemplate, deleteMetadataTemplates, fieldOf } from "../../testing/metadata.ts";
import { eraseDeletedMetadata } from "./retention.ts";

describe.each(ENGINES)("on %s", (engine) => {
  let fixtures: Fixtures;
  let template: MetadataTemplate;
  let folder: number;
  let ids: number[];
  const idOf = (name: string): number => fieldOf(template, name).id;
  const optionOf = (name: string): string => fieldOf(template, "Version").options.find((option) => option.name === name)?.id ?? "";
  const set = (file: number, values: MetadataChanges, if_values?: MetadataChanges) =>
    fixtures.testApp.call(fixtures.member, metadata.updateFileMetadata, { params: { file_id: file }, body: { values, if_values } });
  const valuesOf = async (file: number) =>
    (await fixtures.testApp.call(fixtures.guest, metadata.getFileMetadata, { params: { file_id: file } })).response.data.values;
  const listNames = async (query: object): Promise<string[]> => {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { response } = await fixtures.testApp.call(fixtures.guest, view.listFiles, {
        params: { project_id: fixtures.home.project },
        query: { folder_id: String(folder), limit: "2", ...query, ...(cursor === undefined ? {} : { cursor }) },
      });
      names.push(...response.data.map(({ name }) => name));
      cursor = response.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return names;
  };
  const listWhere = (condition: object) => listNames({ metadata: JSON.stringify([condition]) });

  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, member, home } = fixtures;
    template = await createMetadataTemplate(fixtures);
    folder = (await testApp.call(member, files.createFolder, { body: { parent_id: home.root, name: "Metadata" } })).response.data.id;
    ids = [];
    for (const name of ["a.txt", "b.txt", "c.txt", "d.txt"]) ids.push(await upload(testApp, member, { parent: folder, name, bytes: name }));
    const [a = 0, b = 0, c = 0] = ids;
    await set(a, { [idOf("Take")]: 10, [idOf("Version")]: optionOf("Instrumental"), [idOf("ISRC")]: "gbabc2600002", [idOf("Notes")]: "Très warm 50%" });
    await set(b, { [idOf("Take")]: 2.5, [idOf("Version")]: optionOf("Clean"), [idOf("Due")]: "2026-03-02", [idOf("Cleared")]: true });
    await set(c, { [idOf("Take")]: -1, [idOf("Due")]: "2026-12-24", [idOf("Engineer")]: fixtures.guest.id });
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  test("values are stored as they are read, and a box that is not checked has none", async () => {
    const [a = 0, b = 0] = ids;
    expect((await valuesOf(a))[idOf("ISRC")]).toBe("GB-ABC-26-00002");
    await set(b, { [idOf("Cleared")]: false });
    expect(await valuesOf(b)).toEqual({ [idOf("Take")]: 2.5, [idOf("Version")]: optionOf("Clean"), [idOf("Due")]: "2026-03-02" });
    await set(b, { [idOf("Cleared")]: true });
  });

  test.each([
    ["Notes", 5],
    ["Notes", ""],
    ["Notes", "x".repeat(2_001)],
    ["Take", "5"],
    ["Version", "Clean"],
    ["Due", "2026-02-30"],
    ["Due", "2026-03-02T00:00:00Z"],
    ["Engineer", 999_999],
    ["ISRC", "GB-ABC-26-0000"],
    ["Cleared", "true"],
  ])("a value that does not fit is refused: %s %s", async (name, value) => {
    const reply = await set(ids[3] ?? 0, { [idOf(name)]: value });
    expect(reply.status).toBe(400);
    expect(reply.problem.errors?.[0]?.path).toBe(`values.${idOf(name)}`);
    expect(await valuesOf(ids[3] ?? 0)).toEqual({});
  });

  test("a person must see the project", async () => {
    expect((await set(ids[3] ?? 0, { [idOf("Engineer")]: fixtures.guestNextDoor.id })).status).toBe(400);
  });

  test("different fields merge, and the same field conflicts with what somebody else has set", async () => {
    const file = ids[3] ?? 0;
    const { data } = (await set(file, { [idOf("Notes")]: "first" }, { [idOf("Notes")]: null })).response;
    expect((await set(file, { [idOf("Take")]: 1 }, { [idOf("Take")]: null })).response.data.revision).toBe(data.revision + 1);
    const reply = await set(file, { [idOf("Notes")]: "second" }, { [idOf("Notes")]: null });
    expect(reply.status).toBe(409);
    expect(reply.problem.current_values).toEqual({ [idOf("Notes")]: "first", [idOf("Take")]: 1 });
    expect((await set(file, { [idOf("Notes")]: "first" })).response.data.revision).toBe(data.revision + 1);
    await set(file, { [idOf("Notes")]: null, [idOf("Take")]: null });
  });

  test("a repetition with the same key creates no second template or field, and the key fits no other body", async () => {
    const { testApp, owner, home } = fixtures;
    const headers = { "idempotency-key": "metadata" };
    const create = (name: string) => testApp.call(owner, metadata.createMetadataTemplate, { params: { team_id: home.team }, body: { name } }, { headers });
    const { id } = (await create("Once")).response.data;
    expect((await create("Once")).response.data.id).toBe(id);
    expect((await create("Twice")).status).toBe(409);
    const add = (name: string) =>
      testApp.call(
        owner,
        metadata.createMetadataField,
        { params: { template_id: id }, body: { name, type: "text" } },
        { headers: { "idempotency-key": "field" } },
      );
    expect((await add("Mood")).response.data.id).toBe((await add("Mood")).response.data.id);
    expect((await add("Key")).status).toBe(409);
    const { data } = (await testApp.call(owner, metadata.listMetadataTemplates, { params: { team_id: home.team } })).response;
    expect(data.find((one) => one.id === id)?.fields).toHaveLength(1);
    await testApp.call(owner, metadata.deleteMetadataTemplate, { params: { template_id: id } });
  });

  test("the usage of a template counts the values that files show, and of options those of deleted files too", async () => {
    const { testApp, owner, member } = fixtures;
    const load = async () => (await testApp.call(owner, metadata.getMetadataTemplateUsage, { params: { template_id: template.id } })).response.data;
    const countOf = (usage: Awaited<ReturnType<typeof load>>, name: string) => usage.fields.find(({ field_id }) => field_id === idOf(name));
    const before = await load();
    expect(before).toMatchObject({ template_id: template.id, value_count: 11, file_count: 3 });
    expect(countOf(before, "Take")).toMatchObject({ value_count: 3, options: [] });
    expect(countOf(before, "Version")).toMatchObject({
      value_count: 2,
      options: [
        { id: optionOf("Clean"), value_count: 1 },
        { id: optionOf("Instrumental"), value_count: 1 },
      ],
    });
    const extra = await upload(testApp, member, { parent: folder, name: "counted.txt", bytes: "x" });
    await set(extra, { [idOf("Version")]: optionOf("Clean"), [idOf("Notes")]: "counted" });
    expect(await load()).toMatchObject({ value_count: 13, file_count: 4 });
    expect(countOf(await load(), "Version")?.options[0]).toMatchObject({ value_count: 2 });
    await testApp.call(member, files.deleteFile, { body: { file_id: extra } });
    // Removing an option is final, so its count includes deleted files.
    expect(countOf(await load(), "Version")?.options[0]).toMatchObject({ value_count: 2 });
    expect(await load()).toMatchObject({ value_count: 11, file_count: 3 });
    const options = [{ id: optionOf("Instrumental"), name: "Instrumental" }];
    const removal = { params: { field_id: idOf("Version") }, body: { options, lost_value_count: 1 } };
    expect((await testApp.callUntyped(owner, metadata.updateMetadataField, removal)).status).toBe(409);
    await testApp.call(owner, metadata.updateMetadataTemplate, { params: { template_id: template.id }, body: { kinds: ["video"] } });
    expect(await load()).toMatchObject({ value_count: 0, file_count: 0 });
    await testApp.call(owner, metadata.updateMetadataTemplate, { params: { template_id: template.id }, body: { kinds: null } });
  });

  test("the values of several files are read page by page, in the order of their ids", async () => {
    const { testApp, guest, home } = fixtures;
    const load = async (query: object) =>
      (
        await testApp.call(guest, metadata.listFileMetadata, {
          params: { project_id: home.project },
          query: { file_ids: ids.toReversed().join(","), ...query },
        })
      ).response;
    const first = await load({ limit: "3" });
    expect(first.data.map(({ file_id }) => file_id)).toEqual(ids.slice(0, 3));
    expect(first.data[0]?.values).toEqual(await valuesOf(ids[0] ?? 0));
    const last = await load({ limit: "3", cursor: first.next_cursor });
    expect(last).toMatchObject({ data: [{ file_id: ids[3], values: {} }], next_cursor: null });
  });

  test("several files change all or none", async () => {
    const change = (file_ids: number[], values: MetadataChanges) =>
      fixtures.testApp.call(fixtures.member, metadata.updateProjectMetadata, {
        params: { project_id: fixtures.home.project },
        body: { changes: [{ file_ids, values }] },
      });
    const before = await Promise.all(ids.map(valuesOf));
    expect((await change([...ids, fixtures.next.file], { [idOf("Take")]: 7 })).status).toBe(404);
    expect((await change(ids, { [idOf("Take")]: 7, [idOf("Due")]: "never" })).status).toBe(400);
    expect((await change([ids[0] ?? 0, ids[0] ?? 0], { [idOf("Take")]: 7 })).status).toBe(400);
    expect(await Promise.all(ids.map(valuesOf))).toEqual(before);
    const { data } = (await change([ids[3] ?? 0, ids[0] ?? 0], { [idOf("Take")]: 7 })).response;
    expect(data.map(({ file_id }) => file_id)).toEqual([ids[3], ids[0]]);
    expect(await valuesOf(ids[3] ?? 0)).toMatchObject({ [idOf("Take")]: 7 });
    await set(ids[0] ?? 0, before[0] ?? {});
    await change([ids[3] ?? 0], { [idOf("Take")]: null });
  });

  test.each([
    ["Take", ["c.txt", "b.txt", "a.txt", "d.txt"], ["a.txt", "b.txt", "c.txt", "d.txt"]],
    ["Version", ["b.txt", "a.txt", "c.txt", "d.txt"], ["a.txt", "b.txt", "c.txt", "d.txt"]],
    ["Due", ["b.txt", "c.txt", "a.txt", "d.txt"], ["c.txt", "b.txt", "a.txt", "d.txt"]],
    ["Cleared", ["b.txt", "a.txt", "c.txt", "d.txt"], ["b.txt", "a.txt", "c.txt", "d.txt"]],
  ])("a listing is sorted by %s in pages, files without a value last", async (name, ascending, descending) => {
    expect(await listNames({ sort_field_id: String(idOf(name)) })).toEqual(ascending);
    expect(await listNames({ sort_field_id: String(idOf(name)), order: "desc" })).toEqual(descending);
    const deep = { deep: "true", folder_id: String(fixtures.home.root), sort_field_id: String(idOf(name)), limit: "1" };
    expect((await listNames(deep)).filter((one) => /^[abcd]\.txt$/.test(one))).toEqual(ascending);
  });

  test("a listing is filtered by field", async () => {
    expect(await listWhere({ field_id: idOf("Notes"), op: "contains", value: "tres" })).toEqual(["a.txt"]);
    expect(await listWhere({ field_id: idOf("Notes"), op: "contains", value: "5_" })).toEqual([]);
    expect(await listWhere({ field_id: idOf("ISRC"), op: "is", value: "GBABC2600002" })).toEqual(["a.txt"]);
    expect(await listWhere({ field_id: idOf("Take"), op: "range", min: 2.5 })).toEqual(["a.txt", "b.txt"]);
    expect(await listWhere({ field_id: idOf("Due"), op: "range", max: "2026-06-01" })).toEqual(["b.txt"]);
    expect(await listWhere({ field_id: idOf("Version"), op: "one_of", values: [optionOf("Clean"), optionOf("Instrumental")] })).toEqual(["a.txt", "b.txt"]);
    expect(await listWhere({ field_id: idOf("Engineer"), op: "is", value: fixtures.guest.id })).toEqual(["c.txt"]);
    expect(await listWhere({ field_id: idOf("Cleared"), op: "empty" })).toEqual(["a.txt", "c.txt", "d.txt"]);
    expect(await listWhere({ field_id: idOf("Cleared"), op: "not_empty" })).toEqual(["b.txt"]);
  });

  test.each([
    ["no JSON", "["],
    ["an unknown field", '[{"field_id": 999999, "op": "empty"}]'],
    ["an operator that does not fit", '[{"field_id": FIELD, "op": "contains", "value": "1"}]'],
    ["a range without bounds", '[{"field_id": FIELD, "op": "range"}]'],
    ["a value of another type", '[{"field_id": FIELD, "op": "is", "value": "1"}]'],
  ])("a filter is refused: %s", async (_title, filter) => {
    const query = { metadata: filter.replace("FIELD", String(idOf("Take"))) };
    expect((await fixtures.testApp.callUntyped(fixtures.guest, view.listFiles, { params: { project_id: fixtures.home.project }, query })).status).toBe(400);
  });

  test("a listing shows the asked columns", async () => {
    const query = { folder_id: String(folder), fields: `${idOf("Take")},${idOf("Due")}` };
    const { response } = await fixtures.testApp.call(fixtures.guest, view.listFiles, { params: { project_id: fixtures.home.project }, query });
    expect(response.data.map((entry) => entry.metadata)).toEqual([
      { [idOf("Take")]: 10 },
      { [idOf("Take")]: 2.5, [idOf("Due")]: "2026-03-02" },
      { [idOf("Take")]: -1, [idOf("Due")]: "2026-12-24" },
      {},
    ]);
  });

  test("a file is found by the text of its metadata", async () => {
    const find = async (q: string) => {
      const { response } = await fixtures.testApp.call(fixtures.guest, search.search, { query: { q, kind: "file" } });
      return JSON.stringify(response);
    };
    expect(await find("warm")).toContain("a.txt");
    expect(await find("GB-ABC-26-00002")).toContain("a.txt");
    expect(await find("icy")).not.toContain("a.txt");
  });

  test("options keep their values when they are renamed and moved, and lose them only when confirmed", async () => {
    const change = (options: { id?: string; name: string }[], lost_value_count?: number) =>
      fixtures.testApp.call(fixtures.owner, metadata.updateMetadataField, { params: { field_id: idOf("Version") }, body: { options, lost_value_count } });
    const [clean, instrumental] = [optionOf("Clean"), optionOf("Instrumental")];
    expect(
      (
        await change([
          { id: instrumental, name: "Instrumental" },
          { id: clean, name: "Edited" },
        ])
      ).status,
    ).toBe(200);
    expect((await valuesOf(ids[1] ?? 0))[idOf("Version")]).toBe(clean);
    expect((await listNames({ sort_field_id: String(idOf("Version")) })).slice(0, 2)).toEqual(["a.txt", "b.txt"]);
    const refused = await change([{ id: clean, name: "Edited" }]);
    expect([refused.status, refused.problem.lost_value_count]).toEqual([409, 1]);
    expect((await valuesOf(ids[0] ?? 0))[idOf("Version")]).toBe(instrumental);
    expect((await change([{ id: clean, name: "Edited" }], 1)).status).toBe(200);
    expect((await valuesOf(ids[0] ?? 0))[idOf("Version")]).toBeUndefined();
    template = (await fixtures.testApp.call(fixtures.owner, metadata.listMetadataTemplates, { params: { team_id: fixtures.home.team } })).response.data[0]!;
  });

  test("a table that goes out and comes back changes nothing, also with formulas and line breaks", async () => {
    const { testApp, member, home } = fixtures;
    const params = { project_id: home.project };
    const notes = ["=1+1", "'=1", "-5 dB", '"quoted", and\na second line'];
    for (const [index, text] of notes.entries()) await set(ids[index] ?? 0, { [idOf("Notes")]: text });
    const { text } = await testApp.send(member, { method: "GET", url: requestUrl(csv.exportMetadata, { params, query: { folder_id: String(folder) } }) });
    expect(text).toContain("'=1+1");
    expect(text).toContain("Metadata/a.txt");
    const importText = (body: string, dry_run: string) =>
      testApp.callUntyped(member, csv.importMetadata, { params, query: { dry_run }, bytes: Buffer.from(body) });
    expect((await importText(text, "false")).response).toMatchObject({ data: { row_count: 4, changed_file_count: 0, error_count: 0, unknown_columns: [] } });
    const table = "\uFEFFPath;Take;Due;Extra\r\nmetadata/A.TXT;1,5;2026-01-01;x\r\nMetadata/nothing.txt;1;;\r\nMetadata/b.txt;many;2026-13-01;\r\n";
    const report = (await importText(table, "true")).response as { data: { errors: object[] } };
    expect(report.data).toMatchObject({ dry_run: true, row_count: 3, error_count: 3, unknown_columns: ["Extra"] });
    expect(report.data.errors).toMatchObject([
      { line: 3, column: "Path" },
      { line: 4, column: "Take" },
      { line: 4, column: "Due" },
    ]);
    await importText(table, "false");
    expect((await valuesOf(ids[0] ?? 0))[idOf("Take")]).toBe(10);
    await importText("Path;Take\r\nMetadata/a.txt;1,5\r\n", "true");
    expect((await valuesOf(ids[0] ?? 0))[idOf("Take")]).toBe(10);
    expect((await importText("Path;Take\r\nMetadata/a.txt;1,5\r\n", "false")).response).toMatchObject({ data: { changed_value_count: 1 } });
    expect((await valuesOf(ids[0] ?? 0))[idOf("Take")]).toBe(1.5);
  });

  test("a deleted field comes back with its values until it is erased", async () => {
    const { testApp, owner } = fixtures;
    const params = { field_id: idOf("Due") };
    expect((await testApp.call(owner, metadata.deleteMetadataField, { params })).response.data.value_count).toBe(2);
    expect((await valuesOf(ids[1] ?? 0))[idOf("Due")]).toBeUndefined();
    expect((await set(ids[1] ?? 0, { [idOf("Due")]: "2026-01-01" })).status).toBe(400);
    await testApp.call(owner, metadata.restoreMetadataField, { params });
    expect((await valuesOf(ids[1] ?? 0))[idOf("Due")]).toBe("2026-03-02");
    await deleteMetadataTemplates(fixtures);
    testApp.clock.advance(31 * DAY);
    await eraseDeletedMetadata(testApp);
    const { count } = await testApp.database.read
      .selectFrom("metadata_values")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBe(0);
  });
});
