/** Tests that words in quotes are found only where they stand together, in every kind of record. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendMessage } from "../../../contract/operations/chat.ts";
import { writeComment } from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import { createPlaylist } from "../../../contract/operations/playlists.ts";
import { createProject } from "../../../contract/operations/projects.ts";
import { search } from "../../../contract/operations/search.ts";
import { createFileStatus } from "../../../contract/operations/statuses.ts";
import { createTasks } from "../../../contract/operations/tasks.ts";
import { setPages } from "../../testing/documents.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";

describe.each(ENGINES)("phrases on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, owner, home } = fixtures;
    for (const text of ["quiet marimba solo", "solo, marimba: quiet"]) {
      await testApp.call(owner, createProject, { body: { team_id: home.team, name: text } });
      await testApp.call(owner, createPlaylist, { body: { project_id: home.project, name: text } });
      await testApp.call(owner, createTasks, { body: { file_id: home.file, tasks: [{ title: text }] } });
      await testApp.call(owner, sendMessage, { body: { project_id: home.project, body: text } });
      await testApp.call(owner, writeComment, { params: { file_id: home.file }, body: { body: text } });
      await setPages(testApp, await upload(testApp, owner, { parent: home.folder, name: `${text}.pdf` }), [text]);
    }
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const find = async (q: string, query: Record<string, string | number> = {}) =>
    (await fixtures.testApp.call(fixtures.owner, search, { query: { q, ...query } })).response.data.groups;
  const count = async (q: string, query = {}) => Object.fromEntries((await find(q, query)).map(({ kind, results }) => [kind, results.length]));

  test("words in quotes stand together, in every kind", async () => {
    const each = (number: number) => ({ project: number, file: number, playlist: number, task: number, message: number, comment: number, document: number });
    expect(await count("quiet marimba solo")).toEqual(each(2));
    expect(await count('"quiet marimba" solo')).toEqual(each(1));
    expect(await count("solo \u201Cquiet mari")).toEqual(each(1));
    expect(await count('"marimba solo quiet"')).toEqual({});
    expect(await count('"quiet marimba"', { near_project_id: fixtures.home.project })).toEqual(each(1));
  });

  test("the title of a file's status counts, and a key with a sharp", async () => {
    const { testApp, owner, home } = fixtures;
    const { response } = await testApp.call(owner, createFileStatus, { params: { team_id: home.team }, body: { title: "Needs a second listen", color: 3 } });
    await testApp.call(owner, files.setFileStatus, { body: { file_id: home.file, status_id: response.data.id } });
    expect(await count('"second listen"', { kind: "file" })).toEqual({ file: 1 });
    expect(await count('"listen second"', { kind: "file" })).toEqual({});
    await upload(testApp, owner, { parent: home.folder, name: "harp F# major.wav" });
    expect(await count('"F# major"', { kind: "file" })).toEqual({ file: 1 });
  });

  test("pages of results go on behind records that only have the words", async () => {
    const { testApp, owner, home } = fixtures;
    for (let index = 0; index < 130; index += 1)
      await createMessage(testApp, owner, home.project, index % 65 === 0 ? "slow celesta intro" : "intro: celesta, slow");
    const kind = "message";
    const [first] = await find('"slow celesta"', { kind, limit: 1, project_id: home.project });
    expect(first?.results).toHaveLength(1);
    const [second] = await find('"slow celesta"', { kind, limit: 1, project_id: home.project, cursor: first!.next_cursor! });
    expect([second?.results.length, second?.next_cursor]).toEqual([1, null]);
  });
});
