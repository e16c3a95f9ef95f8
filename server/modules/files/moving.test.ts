import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { nameColumns } from "./entry-rows.ts";

describe.each(ENGINES)("moving and renaming on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  let nameCounter = 0;
  const folder = (name = `Folder ${++nameCounter}`, parent = fixtures.home.root) => createFolder(fixtures.testApp, fixtures.member, parent, name);
  const file = (name: string, parent: number) => upload(fixtures.testApp, fixtures.member, { parent, name, bytes: "x" });
  const move = (file_ids: number[], parent_id: number, by = fixtures.member) => fixtures.testApp.call(by, view.moveFiles, { body: { file_ids, parent_id } });
  const parentOf = async (id: number) =>
    (await fixtures.testApp.database.read.selectFrom("files").select("parent_id").where("id", "=", id).executeTakeFirstOrThrow()).parent_id;
  const latestSeq = async () =>
    (await fixtures.testApp.database.read.selectFrom("topics").select("seq").where("topic", "=", `project:${fixtures.home.project}`).executeTakeFirstOrThrow())
      .seq;
  const eventsSince = async (seq: number) =>
    (
      await fixtures.testApp.database.read
        .selectFrom("events")
        .select(["type", "data"])
        .where("topic", "=", `project:${fixtures.home.project}`)
        .where("seq", ">", seq)
        .orderBy("seq")
        .execute()
    ).map(({ type, data }) => ({ type, ...(JSON.parse(data) as { id: number; parent_id: number; revision: number }) }));

  test("moves a folder with its contents and publishes one event for each selected entry that moved", async () => {
    const [from, to] = [await folder(), await folder()];
    const inner = await folder("Inner", from);
    const deep = await file("deep.wav", inner);
    const beside = await file("a.wav", from);
    const existing = await file("there.wav", to);
    const since = await latestSeq();
    // `deep` is inside `inner`, which is also selected, so it moves along with `inner`.
    const { response: answer } = await move([deep, inner, beside, existing], to);
    expect(answer.data.map(({ id, parent_id }) => [id, parent_id])).toEqual([
      [deep, inner],
      [inner, to],
      [beside, to],
      [existing, to],
    ]);
    expect((await eventsSince(since)).map(({ type, id, parent_id, revision }) => [type, id, parent_id, revision])).toEqual([
      ["file.updated", inner, to, 2],
      ["file.updated", beside, to, 3],
    ]);
    const beforeRepeat = await latestSeq();
    expect((await move([inner, beside], to)).status).toBe(200);
    expect(await eventsSince(beforeRepeat)).toEqual([]);
  });

  test("rejects moving a folder into itself or a subfolder, and moves nothing", async () => {
    const outer = await folder("Outer");
    const inner = await folder("Inner", outer);
    const innermost = await folder("Innermost", inner);
    const free = await file("free.wav", outer);
    const itself = await move([free, outer], outer);
    expect([itself.status, itself.problem.detail]).toEqual([409, '"Outer" cannot be moved into itself.']);
    const below = await move([free, outer], innermost);
    expect([below.status, below.problem.detail]).toEqual([409, '"Outer" cannot be moved into one of its own subfolders.']);
    expect([await parentOf(outer), await parentOf(free)]).toEqual([fixtures.home.root, outer]);
  });

  test("two simultaneous moves into each other's folder create no cycle, and one returns 409", async () => {
    for (let round = 0; round < 6; round += 1) {
      const [a, b] = [await folder(), await folder()];
      const [belowA, belowB] = [await folder("x", a), await folder("y", b)];
      const replies = await Promise.all([move([a], belowB), move([b], belowA, fixtures.admin)]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const countSteps = async (id: number) => {
        let steps = 0;
        for (let currentId: number | null = id; currentId !== null && steps < 50; steps += 1) currentId = await parentOf(currentId);
        return steps;
      };
      expect(Math.max(await countSteps(belowA), await countSteps(belowB))).toBeLessThan(10);
    }
  });

  test("rejects the whole move and lists names that are taken or clash among themselves", async () => {
    const [from, other, to] = [await folder(), await folder(), await folder("Target")];
    await file("Été.wav", to);
    const clashing = await file("e\u0301TE\u0301.WAV", from);
    const twins = [await file("Twin.wav", from), await file("twin.WAV", other)];
    const free = await file("free.wav", from);
    const reply = await move([free, clashing, ...twins], to);
    expect([reply.status, reply.problem.detail]).toEqual([409, '"Target" already has "e\u0301TE\u0301.WAV", "twin.WAV". Nothing was moved.']);
    expect(reply.problem.errors?.map(({ message }) => message)).toEqual(["e\u0301TE\u0301.WAV", "twin.WAV"]);
    expect(await parentOf(free)).toBe(from);
  });

  test("limits the folder depth when creating, moving and restoring", async () => {
    const { testApp, home, member } = fixtures;
    const createChain = async (length: number) => {
      const top = await folder();
      const ids = await testApp.database.write(async (tx) => {
        const folderIds = [top];
        while (folderIds.length < length) {
          const row = { ...nameColumns("deep", true), project_id: home.project, parent_id: folderIds.at(-1)!, is_folder: 1 as const, kind: "folder" as const };
          folderIds.push(
            (
              await tx
                .insertInto("files")
                .values({ ...row, created_by: member.id, created_at: 1 })
                .returning("id")
                .executeTakeFirstOrThrow()
            ).id,
          );
        }
        return folderIds;
      });
      return ids as [number, ...number[]];
    };
    const detail = "At most 100 levels of folders are allowed.";
    const long = await createChain(LIMITS.folder_depth - 1);
    const short = await createChain(2);
    const [last, deletedFolder] = [long.at(-1)!, short[1]!];
    const bottom = await folder("Bottom", last);
    const creation = await testApp.call(member, files.createFolder, { body: { name: "Deeper", parent_id: bottom } });
    expect([creation.status, creation.problem.detail]).toEqual([409, detail]);
    const rejection = await move([short[0]], last);
    expect([rejection.status, rejection.problem.detail, await parentOf(short[0])]).toEqual([409, detail, home.root]);
    expect((await move([await file("fits.wav", short[0])], bottom)).status).toBe(200);
    await testApp.call(member, view.deleteFiles, { body: { file_ids: [deletedFolder] } });
    expect((await move([short[0]], last)).status).toBe(200);
    const restoration = await testApp.call(member, view.restoreFiles, { body: { file_ids: [deletedFolder] } });
    expect([restoration.status, restoration.problem.detail]).toEqual([409, detail]);
    expect((await move([short[0]], home.root)).status).toBe(200);
    expect((await testApp.call(member, view.restoreFiles, { body: { file_ids: [deletedFolder] } })).status).toBe(200);
  });

  test("rejects moving a protected file, but moves its folder with it", async () => {
    const [from, to] = [await folder(), await folder()];
    const protectedFile = await file("kept.wav", from);
    await fixtures.testApp.call(fixtures.member, view.updateFile, { params: { file_id: protectedFile }, body: { removal_protection: true } });
    const reply = await move([protectedFile], to);
    expect([reply.status, reply.problem.detail]).toEqual([409, '"kept.wav" is protected from removal and cannot be moved. Remove the protection first.']);
    expect((await move([from], to)).status).toBe(200);
    expect(await parentOf(protectedFile)).toBe(from);
  });

  test("a file moved into a folder being deleted is deleted with it, or the move fails", async () => {
    for (let round = 0; round < 4; round += 1) {
      const [from, to] = [await folder(), await folder()];
      const fileId = await file("m.wav", from);
      const [deletion, moveReply] = await Promise.all([
        fixtures.testApp.call(fixtures.admin, view.deleteFiles, { body: { file_ids: [to] } }),
        move([fileId], to),
      ]);
      expect(deletion.status).toBe(200);
      const row = await fixtures.testApp.database.read.selectFrom("files").selectAll().where("id", "=", fileId).executeTakeFirstOrThrow();
      if (moveReply.status === 200) expect([row.parent_id, row.deleted_with]).toEqual([to, to]);
      else expect([moveReply.status, row.parent_id, row.deleted_at]).toEqual([404, from, null]);
    }
  });

  test("an update without a change publishes no event", async () => {
    const id = await file("Same.wav", fixtures.home.root);
    const [since, { response: before }] = [
      await latestSeq(),
      await fixtures.testApp.call(fixtures.member, view.updateFile, { params: { file_id: id }, body: { task_load_protection: true } }),
    ];
    for (const body of [{}, { name: "Same.wav" }, { name: "Same.wav", removal_protection: false }, { task_load_protection: true }])
      expect((await fixtures.testApp.call(fixtures.member, view.updateFile, { params: { file_id: id }, body })).response).toEqual(before);
    expect((await eventsSince(since)).map(({ type }) => type)).toEqual(["file.updated"]);
    expect(
      (await fixtures.testApp.call(fixtures.member, view.updateFile, { params: { file_id: id }, body: { name: "same.wav" } })).response.data.revision,
    ).toBe(before.data.revision + 1);
  });

  test("of two simultaneous renames to one name one succeeds and the other returns 409", async () => {
    const folderId = await folder();
    for (const [first, second] of [
      ["same.wav", "same.wav"],
      ["Case.wav", "cASE.wav"],
      ["Am\u00e9lie.wav", "Ame\u0301lie.wav"],
    ] as const) {
      const [a, b] = [await file(`${++nameCounter}.wav`, folderId), await file(`${++nameCounter}.wav`, folderId)];
      const replies = await Promise.all([
        fixtures.testApp.call(fixtures.member, view.updateFile, { params: { file_id: a }, body: { name: first } }),
        fixtures.testApp.call(fixtures.admin, files.renameFile, { body: { file_id: b, name: second } }),
      ]);
      expect(replies.map(({ status }) => status).toSorted(), first).toEqual([200, 409]);
      expect(replies.find(({ status }) => status === 409)?.problem.detail).toBe("A file or folder with this name already exists here.");
    }
  });
});
