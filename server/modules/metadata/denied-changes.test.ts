/** Changes of several files of which one is refused: nothing changes, and the answer names what was refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as csv from "../../../contract/operations/metadata-files.ts";
import * as metadata from "../../../contract/operations/metadata.ts";
import type { MetadataImport, MetadataTemplate } from "../../../contract/metadata-records.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createMetadataTemplate, fieldOf } from "../../testing/metadata.ts";
import type { Caller } from "../../testing/client.ts";

describe.each(ENGINES)("on %s", (engine) => {
  let fixtures: Fixtures;
  let template: MetadataTemplate;
  let [folder, own, other, third] = [0, 0, 0, 0];
  const idOf = (name: string): number => fieldOf(template, name).id;
  const valuesOf = async (file_id: number) =>
    (await fixtures.testApp.call(fixtures.member, metadata.getFileMetadata, { params: { file_id } })).response.data.values;
  const all = () => Promise.all([own, other, third].map(valuesOf));
  const update = (caller: Caller, changes: { file_ids: number[]; values: object; if_values?: object }[]) =>
    fixtures.testApp.callUntyped(caller, metadata.updateProjectMetadata, { params: { project_id: fixtures.home.project }, body: { changes } });

  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, member, guest, home } = fixtures;
    template = await createMetadataTemplate(fixtures);
    folder = await createFolder(testApp, member, home.root, "Shared");
    own = await upload(testApp, guest, { parent: folder, name: "own.txt", bytes: "own" });
    other = await upload(testApp, member, { parent: folder, name: "other.txt", bytes: "other" });
    third = await upload(testApp, member, { parent: folder, name: "third.txt", bytes: "third" });
  }, 60_000);
  beforeEach(() =>
    update(fixtures.member, [
      { file_ids: [own], values: { [idOf("Notes")]: "mine", [idOf("Take")]: 1 } },
      { file_ids: [other, third], values: { [idOf("Notes")]: "theirs", [idOf("Take")]: 2 } },
    ]),
  );
  afterAll(() => fixtures.testApp.close());

  describe("an import by a guest", () => {
    const importTable = async (table: string, dry_run: "true" | "false") => {
      const bytes = Buffer.from(table);
      const reply = await fixtures.testApp.callUntyped(fixtures.guest, csv.importMetadata, {
        params: { project_id: fixtures.home.project },
        query: { dry_run },
        bytes,
      });
      return reply;
    };
    const reportOf = ({ response }: { response: unknown }) => (response as { data: MetadataImport }).data;
    const table = "Path,Take\nShared/own.txt,5\nShared/other.txt,6\nShared/third.txt,7\n";

    test("is refused as a whole, with each line that is of somebody else's file", async () => {
      const before = await all();
      const { status, problem } = await importTable(table, "false");
      expect(status).toBe(403);
      expect(problem.detail).toContain("lines 3, 4");
      expect(problem.errors).toMatchObject([
        { path: "line 3", message: expect.stringContaining('"other.txt"') },
        { path: "line 4", message: expect.stringContaining('"third.txt"') },
      ]);
      expect(await all()).toEqual(before);
    });

    test("says these lines beforehand, in order with what else is wrong", async () => {
      const reply = await importTable(`${table}Shared/none.txt,8\n`.replace("own.txt,5", "own.txt,many"), "true");
      const report = reportOf(reply);
      expect([report.error_count, report.changes]).toEqual([4, []]);
      expect(report.errors.map(({ line, column }) => [line, column])).toEqual([
        [2, "Take"],
        [3, null],
        [4, null],
        [5, "Path"],
      ]);
      expect(report.errors[1]?.message).toMatch(/Guests can only change .*"other\.txt"/);
    });

    test("may have lines of others' files that change nothing, as an export has", async () => {
      const reply = await importTable("Path,Take\nShared/own.txt,5\nShared/other.txt,2\n", "false");
      expect(reportOf(reply)).toMatchObject({ changed_file_count: 1, error_count: 0 });
      expect((await valuesOf(own))[idOf("Take")]).toBe(5);
    });
  });

  test.each([
    ["a guest's change of somebody else's file", 403, '"other.txt"', "guest", () => [{ file_ids: [own, other], values: { [idOf("Take")]: 9 } }]],
    ["a folder", 400, '"Shared"', "member", () => [{ file_ids: [own, folder], values: { [idOf("Take")]: 9 } }]],
    [
      "a file with another value than expected",
      409,
      '"other.txt"',
      "member",
      () => [{ file_ids: [own, other], values: { [idOf("Take")]: 9 }, if_values: { [idOf("Notes")]: "mine" } }],
    ],
    ["a file that nobody has", 404, "999999", "member", () => [{ file_ids: [own, 999_999], values: { [idOf("Take")]: 9 } }]],
  ] as const)("an update of several files is refused as a whole because of one: %s", async (_title, status, name, caller, changes) => {
    const before = await all();
    const reply = await update(fixtures[caller], changes());
    expect(reply.status).toBe(status);
    expect(reply.problem.detail).toContain(name);
    expect(await all()).toEqual(before);
  });

  test("a field that one of the files does not have is named with that file", async () => {
    const { testApp, owner, member, home } = fixtures;
    const body = { name: "Only audio", kinds: ["audio" as const], fields: [{ name: "Tempo", type: "number" as const }] };
    const { data } = (await testApp.call(owner, metadata.createMetadataTemplate, { params: { team_id: home.team }, body })).response;
    const tempo = data.fields[0]?.id ?? 0;
    const reply = await update(member, [{ file_ids: [home.file, other], values: { [tempo]: 118 } }]);
    expect([reply.status, reply.problem.detail]).toEqual([400, expect.stringContaining('"other.txt"')]);
    expect(await valuesOf(home.file)).toEqual({});
  });
});
