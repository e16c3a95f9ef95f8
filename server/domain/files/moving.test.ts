import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { nameColumns } from "./entry-rows.ts";

describe.each(ENGINES)("moving and renaming, on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  let drawn = 0;
  const folder = async (name = `Folder ${++drawn}`, parent_id = cast.home.root) =>
    (await cast.world.call(cast.member, files.makeFolder, { body: { name, parent_id } })).answer.data.id;
  const file = (name: string, parent: number) => upload(cast.world, cast.member, { parent, name, bytes: "x" });
  const move = (file_ids: number[], parent_id: number, by = cast.member) => cast.world.call(by, view.moveFiles, { body: { file_ids, parent_id } });
  const parentOf = async (id: number) =>
    (await cast.world.database.read.selectFrom("files").select("parent_id").where("id", "=", id).executeTakeFirstOrThrow()).parent_id;
  const newest = async () =>
    (await cast.world.database.read.selectFrom("topics").select("seq").where("topic", "=", `project:${cast.home.project}`).executeTakeFirstOrThrow()).seq;
  const eventsSince = async (seq: number) =>
    (
      await cast.world.database.read
        .selectFrom("events")
        .select(["type", "data"])
        .where("topic", "=", `project:${cast.home.project}`)
        .where("seq", ">", seq)
        .orderBy("seq")
        .execute()
    ).map(({ type, data }) => ({ type, ...(JSON.parse(data) as { id: number; parent_id: number; revision: number }) }));

  test("takes all along, tells of each that was named once, and only of those that moved", async () => {
    const [from, to] = [await folder(), await folder()];
    const inner = await folder("Inner", from);
    const deep = await file("deep.wav", inner);
    const beside = await file("a.wav", from);
    const there = await file("there.wav", to);
    const since = await newest();
    // `deep` lies in `inner`, which is named too: it goes along with it.
    const { answer } = await move([deep, inner, beside, there], to);
    expect(answer.data.map(({ id, parent_id }) => [id, parent_id])).toEqual([
      [deep, inner],
      [inner, to],
      [beside, to],
      [there, to],
    ]);
    expect((await eventsSince(since)).map(({ type, id, parent_id, revision }) => [type, id, parent_id, revision])).toEqual([
      ["file.updated", inner, to, 2],
      ["file.updated", beside, to, 3],
    ]);
    const again = await newest();
    expect((await move([inner, beside], to)).status).toBe(200);
    expect(await eventsSince(again)).toEqual([]);
  });

  test("refuses a folder into itself and into what lies in it, and moves nothing", async () => {
    const outer = await folder("Outer");
    const inner = await folder("Inner", outer);
    const innermost = await folder("Innermost", inner);
    const free = await file("free.wav", outer);
    const itself = await move([free, outer], outer);
    expect([itself.status, itself.problem.detail]).toEqual([409, '"Outer" cannot be moved into itself.']);
    const below = await move([free, outer], innermost);
    expect([below.status, below.problem.detail]).toEqual([409, '"Outer" cannot be moved into a folder that lies in it.']);
    expect([await parentOf(outer), await parentOf(free)]).toEqual([cast.home.root, outer]);
  });

  test("two who move each other's target at once make no circle: one of them is told", async () => {
    for (let round = 0; round < 6; round += 1) {
      const [a, b] = [await folder(), await folder()];
      const [belowA, belowB] = [await folder("x", a), await folder("y", b)];
      const replies = await Promise.all([move([a], belowB), move([b], belowA, cast.admin)]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const walk = async (id: number) => {
        let steps = 0;
        for (let at: number | null = id; at !== null && steps < 50; steps += 1) at = await parentOf(at);
        return steps;
      };
      expect(Math.max(await walk(belowA), await walk(belowB))).toBeLessThan(10);
    }
  });

  test("names that are taken refuse the whole and are told, also those that clash among themselves", async () => {
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

  test("as many folders lie in each other as the limit says: made, moved or brought back", async () => {
    const { world, home, member } = cast;
    const chain = async (length: number) => {
      const top = await folder();
      const ids = await world.database.write(async (tx) => {
        const made = [top];
        while (made.length < length) {
          const row = { ...nameColumns("deep", true), project_id: home.project, parent_id: made.at(-1)!, is_folder: 1 as const, kind: "folder" as const };
          made.push(
            (
              await tx
                .insertInto("files")
                .values({ ...row, created_by: member.id, created_at: 1 })
                .returning("id")
                .executeTakeFirstOrThrow()
            ).id,
          );
        }
        return made;
      });
      return ids as [number, ...number[]];
    };
    const detail = "At most 100 folders can lie in each other.";
    const long = await chain(LIMITS.folder_depth - 1);
    const short = await chain(2);
    const [last, lost] = [long.at(-1)!, short[1]!];
    const bottom = await folder("Bottom", last);
    const made = await world.call(member, files.makeFolder, { body: { name: "Deeper", parent_id: bottom } });
    expect([made.status, made.problem.detail]).toEqual([409, detail]);
    const refused = await move([short[0]], last);
    expect([refused.status, refused.problem.detail, await parentOf(short[0])]).toEqual([409, detail, home.root]);
    expect((await move([await file("fits.wav", short[0])], bottom)).status).toBe(200);
    await world.call(member, view.deleteFiles, { body: { file_ids: [lost] } });
    expect((await move([short[0]], last)).status).toBe(200);
    const back = await world.call(member, view.restoreFiles, { body: { file_ids: [lost] } });
    expect([back.status, back.problem.detail]).toEqual([409, detail]);
    expect((await move([short[0]], home.root)).status).toBe(200);
    expect((await world.call(member, view.restoreFiles, { body: { file_ids: [lost] } })).status).toBe(200);
  });

  test("protected entries stay in their folder, which may be moved with them", async () => {
    const [from, to] = [await folder(), await folder()];
    const kept = await file("kept.wav", from);
    await cast.world.call(cast.member, view.updateFile, { params: { file_id: kept }, body: { removal_protection: true } });
    const reply = await move([kept], to);
    expect([reply.status, reply.problem.detail]).toEqual([409, '"kept.wav" is protected from removal and stays in its folder. Take the protection off first.']);
    expect((await move([from], to)).status).toBe(200);
    expect(await parentOf(kept)).toBe(from);
  });

  test("a folder that goes while something is moved into it takes it along, or refuses it", async () => {
    for (let round = 0; round < 4; round += 1) {
      const [from, to] = [await folder(), await folder()];
      const moved = await file("m.wav", from);
      const [gone, came] = await Promise.all([cast.world.call(cast.admin, view.deleteFiles, { body: { file_ids: [to] } }), move([moved], to)]);
      expect(gone.status).toBe(200);
      const row = await cast.world.database.read.selectFrom("files").selectAll().where("id", "=", moved).executeTakeFirstOrThrow();
      if (came.status === 200) expect([row.parent_id, row.deleted_with]).toEqual([to, to]);
      else expect([came.status, row.parent_id, row.deleted_at]).toEqual([404, from, null]);
    }
  });

  test("what changes nothing is told to nobody", async () => {
    const id = await file("Same.wav", cast.home.root);
    const [since, { answer: before }] = [
      await newest(),
      await cast.world.call(cast.member, view.updateFile, { params: { file_id: id }, body: { task_load_protection: true } }),
    ];
    for (const body of [{}, { name: "Same.wav" }, { name: "Same.wav", removal_protection: false }, { task_load_protection: true }])
      expect((await cast.world.call(cast.member, view.updateFile, { params: { file_id: id }, body })).answer).toEqual(before);
    expect((await eventsSince(since)).map(({ type }) => type)).toEqual(["file.updated"]);
    expect((await cast.world.call(cast.member, view.updateFile, { params: { file_id: id }, body: { name: "same.wav" } })).answer.data.revision).toBe(
      before.data.revision + 1,
    );
  });

  test("two who give one name at once: one has it, the other is told", async () => {
    const at = await folder();
    for (const [first, second] of [
      ["same.wav", "same.wav"],
      ["Case.wav", "cASE.wav"],
      ["Am\u00e9lie.wav", "Ame\u0301lie.wav"],
    ] as const) {
      const [a, b] = [await file(`${++drawn}.wav`, at), await file(`${++drawn}.wav`, at)];
      const replies = await Promise.all([
        cast.world.call(cast.member, view.updateFile, { params: { file_id: a }, body: { name: first } }),
        cast.world.call(cast.admin, files.renameFile, { body: { file_id: b, name: second } }),
      ]);
      expect(replies.map(({ status }) => status).toSorted(), first).toEqual([200, 409]);
      expect(replies.find(({ status }) => status === 409)?.problem.detail).toBe("There already is a file or folder of this name here.");
    }
  });
});
