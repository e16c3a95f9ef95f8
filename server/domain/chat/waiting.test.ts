/** What those are told who have not read a message yet, when it is deleted, brought back or mentions other people. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import type { ReadMarker } from "../../../contract/records.ts";
import { startCast, writeMessage, type Cast } from "../../testing/cast.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";

describe.each(ENGINES)("counts of unread messages on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  const place = (message_id: number) => ({ params: { project_id: cast.home.project, message_id } });
  const write = (body: string, by: Caller = cast.member) => writeMessage(cast.world, by, cast.home.project, body);
  const edit = (id: number, body: string) => cast.world.call(cast.member, messages.editMessage, { ...place(id), body: { body } });
  const remove = (id: number, by: Caller = cast.member) => cast.world.call(by, messages.deleteMessage, place(id));
  const restore = (id: number, by: Caller = cast.member) => cast.world.call(by, messages.restoreMessage, place(id));
  const readThrough = (by: Caller, message_id: number) =>
    cast.world.call(by, chat.moveReadMarker, { params: { project_id: cast.home.project }, body: { message_id } });
  const readAll = (by: Caller) => readThrough(by, 999_999);
  const standsFor = async (by: Caller) => (await cast.world.call(by, chat.getReadMarker, { params: { project_id: cast.home.project } })).answer.data;

  async function markersOf({ id }: { id: number }): Promise<ReadMarker[]> {
    const rows = await cast.world.database.read
      .selectFrom("events")
      .select("data")
      .where("topic", "=", `account:${id}`)
      .where("type", "=", "read.moved")
      .orderBy("seq")
      .execute();
    return rows.map(({ data }) => JSON.parse(data) as ReadMarker);
  }
  /** Who hears what of a change: unread messages and mentions among them. */
  async function told(change: () => Promise<unknown>): Promise<Record<string, [number, number | undefined][]>> {
    const people = { guest: cast.guest, admin: cast.admin, member: cast.member, owner: cast.owner, neighbour: cast.neighbour };
    const all = () => Promise.all(Object.values(people).map(markersOf));
    const before = await all();
    await change();
    const after = await all();
    return Object.fromEntries(
      Object.keys(people).flatMap((name, index) => {
        const news = after[index]!.slice(before[index]!.length);
        return news.length > 0 ? [[name, news.map(({ unread_count, mention_count }) => [unread_count, mention_count])]] : [];
      }),
    );
  }

  it("only those whose counts are other ones are told, each how they stand", async () => {
    const { guest, admin, owner, world } = cast;
    for (const one of [guest, admin, owner]) await readAll(one);
    const id = await write(`for <@${guest.id}>`);
    await write("for all");
    await readAll(owner);
    expect(await told(() => remove(id, admin))).toEqual({ admin: [[1, 0]], guest: [[1, 0]] });
    expect(await told(() => remove(id, admin))).toEqual({});
    expect(await told(() => restore(id, admin))).toEqual({ admin: [[2, 0]], guest: [[2, 1]] });
    expect(await told(() => edit(id, "for everybody"))).toEqual({ guest: [[2, 0]] });
    expect(await told(() => edit(id, `for <@${admin.id}>`))).toEqual({ admin: [[2, 1]] });
    expect(await told(() => edit(id, `now for <@${admin.id}>`))).toEqual({});
    expect(await told(() => world.call(guest, messages.addReaction, { params: { ...place(id).params, emoji: "👍" } }))).toEqual({});
    expect((await markersOf(guest)).at(-1)).toEqual(await standsFor(guest));
    await readAll(guest);
    expect(await told(() => remove(id))).toEqual({ admin: [[1, 0]] });
  });

  it("above a hundred nothing changes that anybody is shown", async () => {
    const { guest, admin } = cast;
    await readAll(guest);
    await readAll(admin);
    const ids: number[] = [];
    for (let index = 0; index < 102; index += 1) ids.push(await write(`one of many ${index}`));
    expect(await told(() => remove(ids[50]!))).toEqual({});
    expect(await told(() => remove(ids[51]!))).toEqual({});
    expect(await told(() => remove(ids[52]!))).toEqual({ admin: [[99, 0]], guest: [[99, 0]], owner: [[99, 0]] });
  });

  it("deletions and reading at once: what is told last is what stands", async () => {
    const { guest } = cast;
    await readAll(guest);
    const ids: number[] = [];
    for (let index = 0; index < 12; index += 1) ids.push(await write(`race ${index}`));
    await Promise.all(ids.flatMap((id, index) => (index % 3 === 0 ? [remove(id), readThrough(guest, id)] : [remove(id)])));
    expect((await markersOf(guest)).at(-1)).toEqual(await standsFor(guest));
    expect(await standsFor(guest)).toMatchObject({ unread_count: 0 });
  });
});
