/** What the dry run of an import lists. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as csv from "../../../contract/operations/metadata-files.ts";
import * as metadata from "../../../contract/operations/metadata.ts";
import type { MetadataImport, MetadataTemplate } from "../../../contract/metadata-records.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createMetadataTemplate, fieldOf } from "../../testing/metadata.ts";

describe.each(ENGINES)("on %s", (engine) => {
  let fixtures: Fixtures;
  let template: MetadataTemplate;
  let folder: number;
  const idOf = (name: string): number => fieldOf(template, name).id;
  const dryRun = async (table: string): Promise<MetadataImport> => {
    const { testApp, member, home } = fixtures;
    const input = { params: { project_id: home.project }, query: { dry_run: "true" }, bytes: Buffer.from(table) };
    return ((await testApp.callUntyped(member, csv.importMetadata, input)).response as { data: MetadataImport }).data;
  };
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    template = await createMetadataTemplate(fixtures);
    const { testApp, member, home } = fixtures;
    folder = (await testApp.call(member, files.createFolder, { body: { parent_id: home.root, name: "Preview" } })).response.data.id;
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  test("each change has its line, the path of its file, and the value before", async () => {
    const { testApp, member } = fixtures;
    const inner = (await testApp.call(member, files.createFolder, { body: { parent_id: folder, name: "Takes" } })).response.data.id;
    const [first, second] = [
      await upload(testApp, member, { parent: folder, name: "first.txt", bytes: "1" }),
      await upload(testApp, member, { parent: inner, name: "second.txt", bytes: "2" }),
    ];
    const values = { [idOf("Notes")]: "warm", [idOf("Take")]: 2 };
    await testApp.call(member, metadata.updateFileMetadata, { params: { file_id: first }, body: { values } });
    const { changes, changed_value_count } = await dryRun("Path,Notes,Take\r\nPreview/first.txt,,2\r\npreview/TAKES/second.txt,cold,\r\n");
    expect(changed_value_count).toBe(2);
    expect(changes).toEqual([
      { line: 2, file_id: first, path: "Preview/first.txt", values: { [idOf("Notes")]: null }, former_values: { [idOf("Notes")]: "warm" } },
      { line: 3, file_id: second, path: "Preview/Takes/second.txt", values: { [idOf("Notes")]: "cold" }, former_values: { [idOf("Notes")]: null } },
    ]);
  });

  test("an import with the digest of its preview is refused once it would replace something else", async () => {
    const { testApp, member, home } = fixtures;
    const file_id = await upload(testApp, member, { parent: folder, name: "digest.txt", bytes: "3" });
    const table = "Path,Notes\r\nPreview/digest.txt,mine\r\n";
    const valuesOf = async () => (await testApp.call(member, metadata.getFileMetadata, { params: { file_id } })).response.data.values;
    const apply = (if_digest: string | undefined) =>
      testApp.callUntyped(member, csv.importMetadata, { params: { project_id: home.project }, query: { if_digest }, bytes: Buffer.from(table) });
    const { digest } = await dryRun(table);
    await testApp.call(member, metadata.updateFileMetadata, { params: { file_id }, body: { values: { [idOf("Notes")]: "theirs" } } });
    expect([(await apply(digest)).status, await valuesOf()]).toEqual([409, { [idOf("Notes")]: "theirs" }]);
    expect([(await apply((await dryRun(table)).digest)).status, await valuesOf()]).toEqual([200, { [idOf("Notes")]: "mine" }]);
  });

  test("at most 100 values are listed, and all are counted", async () => {
    const { testApp, member } = fixtures;
    const names = Array.from({ length: 60 }, (_, index) => `many ${index}.txt`);
    for (const name of names) await upload(testApp, member, { parent: folder, name, bytes: name });
    const lines = names.map((name) => `Preview/${name},x,1`);
    const { changes, changed_value_count, changed_file_count } = await dryRun(`Path,Notes,Take\r\n${lines.join("\r\n")}\r\n`);
    expect([changed_file_count, changed_value_count]).toEqual([60, 120]);
    expect(changes.flatMap(({ values }) => Object.keys(values))).toHaveLength(100);
    expect(changes.map(({ line }) => line)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
  });
});
