/** Tests of unread notifications: events for readers of an unread message that is deleted, restored, or edited to mention other people. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import type { ReadMarker } from "../../../contract/records.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";

describe.each(ENGINES)("counts of unread messages on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const messageParams = (message_id: number) => ({ params: { project_id: fixtures.home.project, message_id } });
  const write = (body: string, by: Caller = fixtures.member) => createMessage(fixtures.testApp, by, fixtures.home.project, body);
  const edit = (id: number, body: string) => fixtures.testApp.call(fixtures.member, messages.editMessage, { ...messageParams(id), body: { body } });
  const remove = (id: number, by: Caller = fixtures.member) => fixtures.testApp.call(by, messages.deleteMessage, messageParams(id));
  const restore = (id: number, by: Caller = fixtures.member) => fixtures.testApp.call(by, messages.restoreMessage, messageParams(id));
  const readUpTo = (by: Caller, message_id: number) =>
    fixtures.testApp.call(by, chat.moveReadMarker, { params: { project_id: fixtures.home.project }, body: { message_id } });
  const readAll = (by: Caller) => readUpTo(by, 999_999);
  const readMarkerOf = async (by: Caller) =>
    (await fixtures.testApp.call(by, chat.getReadMarker, { params: { project_id: fixtures.home.project } })).response.data;

  async function publishedMarkers({ id }: { id: number }): Promise<ReadMarker[]> {
    const rows = await fixtures.testApp.database.read
      .selectFrom("events")
      .select("data")
      .where("topic", "=", `account:${id}`)
      .where("type", "=", "read.moved")
      .orderBy("seq")
      .execute();
    return rows.map(({ data }) => JSON.parse(data) as ReadMarker);
  }
  /** Returns the unread and mention counts that a change publishes to each person. */
  async function publishedCounts(change: () => Promise<unknown>): Promise<Record<string, [number, number | undefined][]>> {
    const people = { guest: fixtures.guest, admin: fixtures.admin, member: fixtures.member, owner: fixtures.owner, neighbor: fixtures.neighbor };
    const loadAll = () => Promise.all(Object.values(people).map(publishedMarkers));
    const before = await loadAll();
    await change();
    const after = await loadAll();
    return Object.fromEntries(
      Object.keys(people).flatMap((name, index) => {
        const newMarkers = after[index]!.slice(before[index]!.length);
        return newMarkers.length > 0 ? [[name, newMarkers.map(({ unread_count, mention_count }) => [unread_count, mention_count])]] : [];
      }),
    );
  }

  it("are published only to people whose counts changed, with their current values", async () => {
    const { guest, admin, owner, testApp } = fixtures;
    for (const reader of [guest, admin, owner]) await readAll(reader);
    const id = await write(`for <@${guest.id}>`);
    await write("for all");
    await readAll(owner);
    expect(await publishedCounts(() => remove(id, admin))).toEqual({ admin: [[1, 0]], guest: [[1, 0]] });
    expect(await publishedCounts(() => remove(id, admin))).toEqual({});
    expect(await publishedCounts(() => restore(id, admin))).toEqual({ admin: [[2, 0]], guest: [[2, 1]] });
    expect(await publishedCounts(() => edit(id, "for everybody"))).toEqual({ guest: [[2, 0]] });
    expect(await publishedCounts(() => edit(id, `for <@${admin.id}>`))).toEqual({ admin: [[2, 1]] });
    expect(await publishedCounts(() => edit(id, `now for <@${admin.id}>`))).toEqual({});
    expect(await publishedCounts(() => testApp.call(guest, messages.addReaction, { params: { ...messageParams(id).params, emoji: "👍" } }))).toEqual({});
    expect((await publishedMarkers(guest)).at(-1)).toEqual(await readMarkerOf(guest));
    await readAll(guest);
    expect(await publishedCounts(() => remove(id))).toEqual({ admin: [[1, 0]] });
  });

  it("are not published while the count stays above 100", async () => {
    const { guest, admin } = fixtures;
    await readAll(guest);
    await readAll(admin);
    const ids: number[] = [];
    for (let index = 0; index < 102; index += 1) ids.push(await write(`one of many ${index}`));
    expect(await publishedCounts(() => remove(ids[50]!))).toEqual({});
    expect(await publishedCounts(() => remove(ids[51]!))).toEqual({});
    expect(await publishedCounts(() => remove(ids[52]!))).toEqual({ admin: [[99, 0]], guest: [[99, 0]], owner: [[99, 0]] });
  });

  it("end with the current value after simultaneous deletions and reads", async () => {
    const { guest } = fixtures;
    await readAll(guest);
    const ids: number[] = [];
    for (let index = 0; index < 12; index += 1) ids.push(await write(`race ${index}`));
    await Promise.all(ids.flatMap((id, index) => (index % 3 === 0 ? [remove(id), readUpTo(guest, id)] : [remove(id)])));
    expect((await publishedMarkers(guest)).at(-1)).toEqual(await readMarkerOf(guest));
    expect(await readMarkerOf(guest)).toMatchObject({ unread_count: 0 });
  });
});
