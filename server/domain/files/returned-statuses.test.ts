/** Files in the trash while their status is deleted: nothing happens to them there, and they come back with one that is there. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";

describe.each(ENGINES)("statuses of files that come back on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  const create = async (title: string) =>
    (await cast.world.call(cast.admin, statuses.createFileStatus, { params: { team_id: cast.home.team }, body: { title, color: 2 } })).answer.data;
  const remove = async (id: number, replacement?: number) =>
    (
      await cast.world.call(cast.admin, statuses.deleteFileStatus, {
        params: { status_id: id },
        query: replacement === undefined ? {} : { replacement_id: String(replacement) },
      })
    ).answer;
  const row = (id: number) => cast.world.database.read.selectFrom("files").select(["status_id", "status_rank"]).where("id", "=", id).executeTakeFirstOrThrow();
  const history = async (file_id: number) =>
    (await cast.world.call(cast.guest, files.statusHistory, { params: { file_id } })).answer.data.map((one) => [
      one.old_status?.id ?? null,
      one.new_status.id,
      one.changed_by_account_id,
    ]);
  const fired = async (file: number) =>
    (await cast.world.database.read.selectFrom("outbound_events").select("data").where("type", "=", "file.status_changed").execute())
      .map(({ data }) => JSON.parse(data))
      .filter(({ id }) => id === file)
      .map((data) => [data.old_status?.id ?? null, data.new_status.id, data.changed_by_account_id]);

  it("what took its place at last, with history and event; else none", async () => {
    const { world, owner, member, guest, home } = cast;
    const folder = (await world.call(owner, files.makeFolder, { body: { parent_id: home.folder, name: "Trashed" } })).answer.data.id;
    const [moved, bare, kept] = [
      await upload(world, owner, { parent: folder, name: "moved.wav" }),
      await upload(world, owner, { parent: folder, name: "bare.wav" }),
      await upload(world, owner, { parent: folder, name: "kept.wav" }),
    ];
    const [first, second, third, alone] = [await create("First"), await create("Second"), await create("Third"), await create("Alone")];
    for (const [file_id, status_id] of [
      [moved, first.id],
      [bare, alone.id],
      [kept, third.id],
    ] as const)
      await world.call(member, files.setFileStatus, { body: { file_id, status_id } });
    await world.call(owner, files.deleteFile, { body: { file_id: folder } });
    await remove(first.id, second.id);
    await remove(second.id, third.id);
    await remove(alone.id);
    // In the trash they stay as they are.
    expect(await row(moved)).toEqual({ status_id: first.id, status_rank: first.position });
    expect(await fired(moved)).toHaveLength(1);
    await world.call(owner, view.restoreFiles, { body: { file_ids: [folder] } });
    expect(await row(moved)).toEqual({ status_id: third.id, status_rank: third.position });
    const changes = [
      [null, first.id, member.id],
      [first.id, third.id, owner.id],
    ];
    expect([await fired(moved), await history(moved)]).toEqual([changes, changes.toReversed()]);
    expect([await row(bare), await row(kept)]).toEqual([
      { status_id: null, status_rank: -1 },
      { status_id: third.id, status_rank: third.position },
    ]);
    expect([await fired(bare), await fired(kept)]).toEqual([[[null, alone.id, member.id]], [[null, third.id, member.id]]]);
    const { status } = (await world.call(guest, files.getFileInfo, { body: { file_id: bare } })).answer.common;
    expect(status).toBeNull();
  });
});
