/** Tests that a project has a limited number of folders, whichever way they are made, and that the folders are listed in pages. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import type { Actor } from "../../access/access.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";
import { assertDestination, resolveTargetFile } from "./destination.ts";

describe.each(ENGINES)("a project with as many folders as it can have, on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, home, member } = fixtures;
    await testApp.database.write(async (tx) => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from files where project_id = ${home.project} and is_folder = 1`.execute(tx);
      await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${LIMITS.folders_per_project - (rows[0]?.count ?? 0)})
        insert into files (project_id, parent_id, is_folder, kind, name, name_key, folded_name, order_key, created_by, created_at)
        select ${home.project}, ${home.root}, 1, 'folder', 'Bulk ' || n, 'bulk ' || n, 'bulk ' || n, 'bulk ' || n, ${member.id}, 1 from numbers`.execute(tx);
    });
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const createFolder = (name: string) => fixtures.testApp.call(fixtures.member, files.createFolder, { body: { parent_id: fixtures.home.root, name } });
  async function loadActor(): Promise<Actor> {
    const { headers } = await createApiToken(fixtures.testApp, fixtures.member);
    return (await fixtures.testApp.app.services.authentication.byBearer(headers["authorization"]?.replace("Bearer ", "") ?? ""))!;
  }

  it("lists them in pages, each once, the root first", async () => {
    const ids: number[] = [];
    let cursor: string | undefined;
    do {
      const { response } = await fixtures.testApp.call(fixtures.guest, view.listFolders, {
        params: { project_id: fixtures.home.project },
        query: cursor ? { cursor } : {},
      });
      ids.push(...response.data.map(({ id }) => id));
      cursor = response.next_cursor ?? undefined;
    } while (cursor);
    const firstPage = async (limit: string, after?: string) =>
      (
        await fixtures.testApp.call(fixtures.guest, view.listFolders, {
          params: { project_id: fixtures.home.project },
          query: { limit, ...(after ? { cursor: after } : {}) },
        })
      ).response;
    const [root, two] = [await firstPage("1"), await firstPage("2")];
    expect([root, two].map(({ data }) => data.map(({ id }) => id))).toEqual([ids.slice(0, 1), ids.slice(0, 2)]);
    const following = await Promise.all([root, two].map(({ next_cursor }) => firstPage("1", next_cursor!)));
    expect(following.map(({ data }) => data.map(({ id }) => id))).toEqual([ids.slice(1, 2), ids.slice(2, 3)]);
    expect([ids[0], ids.length, new Set(ids).size]).toEqual([fixtures.home.root, LIMITS.folders_per_project, LIMITS.folders_per_project]);
  });

  it("takes no further folder, but files, also in paths that exist", async () => {
    const { home, testApp } = fixtures;
    const refused = await createFolder("One more");
    expect([refused.status, refused.problem.detail]).toEqual([409, "A project can have at most 10,000 folders. Delete some that you no longer need."]);
    const actor = await loadActor();
    const destination = (path: string[]) => ({ parentId: home.root, name: "take.wav", path });
    await expect(assertDestination(testApp.database.read, actor, destination(["Bulk 1", "New"]))).rejects.toMatchObject({ status: 409 });
    await assertDestination(testApp.database.read, actor, destination(["Bulk 1"]));
    // Bytes that were received before the limit was reached are kept: the file goes into the last folder of its path that exists.
    const bulk = await testApp.database.read.selectFrom("files").select("id").where("name", "=", "Bulk 1").executeTakeFirstOrThrow();
    const file = await testApp.database.write((tx) => resolveTargetFile(tx, testApp.app.deps, actor, destination(["Bulk 1", "New", "Newer"])));
    expect(file.parent_id).toBe(bulk.id);
  });

  it("does not take back deleted folders beyond the limit", async () => {
    const { testApp, member } = fixtures;
    const bulk = await testApp.database.read.selectFrom("files").select("id").where("name", "=", "Bulk 2").executeTakeFirstOrThrow();
    await testApp.call(member, view.deleteFiles, { body: { file_ids: [bulk.id] } });
    const created = await createFolder("In its place");
    expect(created.status).toBe(200);
    expect((await testApp.call(member, view.restoreFiles, { body: { file_ids: [bulk.id] } })).status).toBe(409);
    await testApp.call(member, view.deleteFiles, { body: { file_ids: [created.response.data.id] } });
    expect((await testApp.call(member, view.restoreFiles, { body: { file_ids: [bulk.id] } })).status).toBe(200);
  });
});
