/** Values stay with their file and their person: after moves, after deleting and restoring, and under the person's present name. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as csv from "../../../contract/operations/metadata-files.ts";
import * as metadata from "../../../contract/operations/metadata.ts";
import * as search from "../../../contract/operations/search.ts";
import type { MetadataChanges, MetadataTemplate } from "../../../contract/metadata-records.ts";
import { requestUrl, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createMetadataTemplate, fieldOf } from "../../testing/metadata.ts";

describe.each(ENGINES)("on %s", (engine) => {
  let fixtures: Fixtures;
  let template: MetadataTemplate;
  const idOf = (name: string): number => fieldOf(template, name).id;
  const set = (file_id: number, values: MetadataChanges) =>
    fixtures.testApp.call(fixtures.member, metadata.updateFileMetadata, { params: { file_id }, body: { values } });
  const valuesOf = async (file_id: number) => (await fixtures.testApp.call(fixtures.guest, metadata.getFileMetadata, { params: { file_id } })).response.data;
  const list = async (query: object) =>
    (await fixtures.testApp.call(fixtures.guest, view.listFiles, { params: { project_id: fixtures.home.project }, query })).response.data;
  const namesIn = async (folder: number, query: object = {}) => (await list({ folder_id: String(folder), ...query })).map(({ name }) => name);
  const rename = (caller: Caller, username: string) => fixtures.testApp.call(caller, accounts.updateAccount, { body: { username } });

  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    template = await createMetadataTemplate(fixtures);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  test("a column of people is sorted, exported and imported by their present names", async () => {
    const { testApp, member, admin, guest, home } = fixtures;
    const folder = await createFolder(testApp, member, home.root, "People");
    const engineer = idOf("Engineer");
    for (const [name, person] of [
      ["of admin.txt", admin],
      ["of guest.txt", guest],
      ["of member.txt", member],
    ] as const)
      await set(await upload(testApp, member, { parent: folder, name, bytes: name }), { [engineer]: person.id });
    const sorted = (order: "asc" | "desc" = "asc") => namesIn(folder, { sort_field_id: String(engineer), order });
    expect(await sorted()).toEqual(["of admin.txt", "of guest.txt", "of member.txt"]);
    expect((await rename(admin, "Zoë")).status).toBe(200);
    expect((await rename(member, "amal")).status).toBe(200);
    expect(await sorted()).toEqual(["of member.txt", "of guest.txt", "of admin.txt"]);
    expect(await sorted("desc")).toEqual(["of admin.txt", "of guest.txt", "of member.txt"]);

    const params = { project_id: home.project };
    const { text } = await testApp.send(member, { method: "GET", url: requestUrl(csv.exportMetadata, { params, query: { folder_id: String(folder) } }) });
    expect(text).toMatch(/of admin\.txt.*,Zoë,/);
    expect(text).toMatch(/of member\.txt.*,amal,/);
    const importRow = (person: string) =>
      testApp.callUntyped(member, csv.importMetadata, {
        params,
        query: { dry_run: "true" },
        bytes: Buffer.from(`Path,Engineer\nPeople/of guest.txt,${person}\n`),
      });
    expect((await importRow("zoë")).response).toMatchObject({ data: { error_count: 0, changes: [{ line: 2, values: { [engineer]: admin.id } }] } });
    expect((await importRow("admin")).response).toMatchObject({ data: { errors: [{ line: 2, column: "Engineer" }] } });
  });

  test("values move with a file and with its folder, and are found, filtered and exported at the new place", async () => {
    const { testApp, member, guest, home } = fixtures;
    const [from, to] = [await createFolder(testApp, member, home.root, "From"), await createFolder(testApp, member, home.root, "To")];
    const inner = await createFolder(testApp, member, from, "Inner");
    const file = await upload(testApp, member, { parent: inner, name: "moving.txt", bytes: "moving" });
    await set(file, { [idOf("Notes")]: "wandering", [idOf("Take")]: 4 });
    const { values, revision } = await valuesOf(file);
    const condition = { metadata: JSON.stringify([{ field_id: idOf("Take"), op: "is", value: 4 }]) };
    for (const [moved, parent_id, place] of [
      [file, from, from],
      [file, inner, inner],
      [inner, to, inner],
    ] as const) {
      expect((await testApp.call(member, view.moveFiles, { body: { file_ids: [moved], parent_id } })).status).toBe(200);
      expect(await valuesOf(file)).toMatchObject({ values, revision });
      expect(await namesIn(place, condition)).toEqual(["moving.txt"]);
    }
    expect((await list({ deep: "true", folder_id: String(from), ...condition })).map(({ name }) => name)).toEqual([]);
    const byTake = await list({ deep: "true", folder_id: String(to), sort_field_id: String(idOf("Take")), fields: String(idOf("Take")) });
    expect(byTake.find(({ id }) => id === file)?.metadata).toEqual({ [idOf("Take")]: 4 });
    const { response } = await testApp.call(guest, search.search, { query: { q: "wandering", kind: "file" } });
    expect(JSON.stringify(response)).toContain("moving.txt");
    const url = requestUrl(csv.exportMetadata, { params: { project_id: home.project }, query: { folder_id: String(to) } });
    expect((await testApp.send(member, { method: "GET", url })).text).toContain("To/Inner/moving.txt,moving.txt,wandering,4");
  });

  test.each(["file", "folder"] as const)("a deleted %s has no metadata that anybody finds, and has it again after it is restored", async (what) => {
    const { testApp, member, guest, home } = fixtures;
    const folder = await createFolder(testApp, member, home.root, `Deleted ${what}`);
    const file = await upload(testApp, member, { parent: folder, name: `${what}.txt`, bytes: what });
    await set(file, { [idOf("Notes")]: `vanished${what}`, [idOf("Engineer")]: guest.id, [idOf("Cleared")]: true });
    const before = await valuesOf(file);
    const find = async () => JSON.stringify((await testApp.call(guest, search.search, { query: { q: `vanished${what}`, kind: "file" } })).response);
    const file_ids = [what === "file" ? file : folder];
    await testApp.call(member, view.deleteFiles, { body: { file_ids } });
    expect((await testApp.call(guest, metadata.getFileMetadata, { params: { file_id: file } })).status).toBe(404);
    expect((await set(file, { [idOf("Notes")]: "late" })).status).toBe(404);
    expect(await find()).not.toContain(`${what}.txt`);
    expect((await testApp.call(member, view.restoreFiles, { body: { file_ids } })).status).toBe(200);
    expect(await valuesOf(file)).toEqual(before);
    expect(await find()).toContain(`${what}.txt`);
    expect(await namesIn(folder, { metadata: JSON.stringify([{ field_id: idOf("Cleared"), op: "not_empty" }]) })).toEqual([`${what}.txt`]);
  });
});
