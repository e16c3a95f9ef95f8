/** Tests of order, paging, idempotent sending and unread counts, which every chat view relies on. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import { deleteMessage } from "../../../contract/operations/messages.ts";
import type { Message } from "../../../contract/records.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";

const MESSAGE_COUNT = 230;

describe.each(ENGINES)("chat on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const history = async (body: object, project = fixtures.apart.project) =>
    (await fixtures.testApp.call(fixtures.owner, chat.chatHistory, { body: { project_id: project, ...body } })).response;
  const send = (body: object, project = fixtures.home.project, by = fixtures.member, headers = {}) =>
    fixtures.testApp.call(by, chat.sendMessage, { body: { project_id: project, body: "x", ...body } }, { headers });
  const loadRows = async (project: number) =>
    fixtures.testApp.database.read.selectFrom("messages").selectAll().where("project_id", "=", project).orderBy("id").execute();

  describe("paging", () => {
    let ids: number[];
    let visibleIds: number[];
    beforeAll(async () => {
      const { testApp, owner, apart, home } = fixtures;
      for (let count = 1; count < MESSAGE_COUNT; count += 1) {
        await createMessage(testApp, owner, apart.project, `m${count}`);
        if (count % 10 === 0) await createMessage(testApp, owner, home.project, "in between");
      }
      ids = (await loadRows(apart.project)).map(({ id }) => id);
      // Deletes every seventh message.
      const deleted = ids.filter((_, index) => index % 7 === 3);
      await testApp.database.write((tx) => tx.updateTable("messages").set({ deleted_at: 1, revision: 2 }).where("id", "in", deleted).execute());
      visibleIds = ids.filter((id) => !deleted.includes(id));
    }, 60_000);

    const collectPages = async (backward: boolean, limit: number, extra: object) => {
      const seenIds: number[] = [];
      let cursor: object = backward ? {} : { after_id: 0 };
      for (;;) {
        const page = await history({ ...cursor, limit, ...extra });
        const pageIds = page.data.map(({ id }) => id);
        expect(pageIds).toEqual([...pageIds].sort((a, b) => a - b));
        if (backward) seenIds.unshift(...pageIds);
        else seenIds.push(...pageIds);
        expect(page.has_more_after).toBe(backward ? seenIds.length > pageIds.length : page.data.at(-1)?.id !== ids.at(-1));
        if (!(backward ? page.has_more_before : page.has_more_after)) return seenIds;
        cursor = backward ? { before_id: pageIds[0] } : { after_id: pageIds.at(-1) };
      }
    };
    it.each([1, 7, 50, 200])("in steps of %i returns each message exactly once in both directions", async (limit) => {
      expect(await collectPages(true, limit, {})).toEqual(visibleIds);
      expect(await collectPages(false, limit, {})).toEqual(visibleIds);
    });
    it("includes deleted messages without their text only on request", async () => {
      expect(await collectPages(true, 200, { include_deleted: true })).toEqual(ids);
      const [deletedMessage] = (await history({ around_id: ids[3], limit: 1, include_deleted: true })).data;
      expect(deletedMessage).toMatchObject({ id: ids[3], deleted: true, body: "", attachments: [] });
    });
    it("returns the newest 50 without a limit and at most 200", async () => {
      expect((await history({})).data.map(({ id }) => id)).toEqual(visibleIds.slice(-50));
      expect((await history({ limit: 1_000_000_000, include_deleted: true })).data.map(({ id }) => id)).toEqual(ids.slice(-200));
    });
    it.each([1, 2, 11, 50])("returns a page of %i around a message", async (limit) => {
      for (const index of [0, 5, 100, visibleIds.length - 1]) {
        const page = await history({ around_id: visibleIds[index], limit });
        const pageIds = page.data.map(({ id }) => id);
        const half = Math.floor(limit / 2);
        expect(pageIds).toEqual(visibleIds.slice(Math.max(0, index - half), index + limit - half));
        expect([page.has_more_before, page.has_more_after]).toEqual([pageIds[0] !== visibleIds[0], pageIds.at(-1) !== visibleIds.at(-1)]);
      }
    });
    it("returns the page around the position of a deleted message", async () => {
      const page = await history({ around_id: ids[3], limit: 4 });
      expect(page.data.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[4], ids[5]]);
    });
    it("returns empty pages and the right flags past both ends", async () => {
      expect(await history({ before_id: ids[0] })).toMatchObject({ data: [], has_more_before: false, has_more_after: true });
      expect(await history({ after_id: ids.at(-1) })).toMatchObject({ data: [], has_more_before: true, has_more_after: false });
    });
  });

  it("simultaneous messages get ids and seqs in the same order, without gaps or duplicates", async () => {
    const { testApp, owner, member, guest, home, next } = fixtures;
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        send({ body: `at once ${index}` }, index % 3 === 0 ? next.project : home.project, index % 3 === 0 ? owner : index % 3 === 1 ? member : guest),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    for (const { project } of [home, next]) {
      const events = await testApp.database.read.selectFrom("events").selectAll().where("topic", "=", `project:${project}`).orderBy("seq").execute();
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      const ids = events.filter(({ type }) => type === "message.created").map(({ data }) => (JSON.parse(data) as Message).id);
      expect(ids).toEqual((await loadRows(project)).map(({ id }) => id));
      expect((await testApp.database.read.selectFrom("topics").select("seq").where("topic", "=", `project:${project}`).executeTakeFirstOrThrow()).seq).toBe(
        events.length,
      );
      expect(
        (await testApp.database.read.selectFrom("projects").select("last_message_id").where("id", "=", project).executeTakeFirstOrThrow()).last_message_id,
      ).toBe(ids.at(-1));
    }
  });

  it("after_id never skips a message while others write", async () => {
    const { apart } = fixtures;
    const start = (await loadRows(apart.project)).at(-1)?.id ?? 0;
    let last = start;
    let isWriting = true;
    const seenIds: number[] = [];
    const writers = Promise.all(Array.from({ length: 40 }, () => send({}, apart.project, fixtures.owner))).then(() => (isWriting = false));
    for (let isDone = false; !isDone;) {
      isDone = !isWriting;
      const page = await history({ after_id: last, limit: 200 });
      seenIds.push(...page.data.map(({ id }) => id));
      last = seenIds.at(-1) ?? last;
    }
    await writers;
    expect(seenIds).toEqual((await loadRows(apart.project)).map(({ id }) => id).filter((id) => id > start));
  });

  describe.each(["client_id", "Idempotency-Key"])("exactly once by %s", (mechanism) => {
    let key = 0;
    const keyedBy = (name: string) => (mechanism === "client_id" ? [{ client_id: name }, {}] : [{}, { "idempotency-key": name }]);
    const sendKeyed = (name: string, body: object, by = fixtures.member, project = fixtures.home.project) => {
      const [extra, headers] = keyedBy(name);
      return send({ ...body, ...extra }, project, by, headers);
    };
    const newKey = () => `once-${mechanism}-${++key}`;

    it("a repetition returns the same message with one row and one event", async () => {
      const [name, body] = [newKey(), `once by ${mechanism}`];
      const [first, second] = [await sendKeyed(name, { body }), await sendKeyed(name, { body })];
      expect(second.response.data).toEqual(first.response.data);
      expect((await loadRows(fixtures.home.project)).filter((row) => row.body === body)).toHaveLength(1);
      const events = await fixtures.testApp.database.read.selectFrom("events").select("data").where("topic", "=", `project:${fixtures.home.project}`).execute();
      expect(events.filter(({ data }) => (JSON.parse(data) as Message).body === body)).toHaveLength(1);
    });
    it("20 simultaneous requests create one message", async () => {
      const [name, body] = [newKey(), `in parallel by ${mechanism}`];
      const replies = await Promise.all(Array.from({ length: 20 }, () => sendKeyed(name, { body })));
      expect(new Set(replies.map((reply) => reply.response.data.id)).size).toBe(1);
      expect((await loadRows(fixtures.home.project)).filter((row) => row.body === body)).toHaveLength(1);
    });
    it.each([
      ["another text", { body: "two" }],
      ["another parent", { body: "one", parent_message_id: -1 }],
    ])("the same key with %s is a conflict and stores nothing", async (_title, change) => {
      const name = newKey();
      await sendKeyed(name, { body: "one" });
      const before = await loadRows(fixtures.home.project);
      const body = "parent_message_id" in change ? { ...change, parent_message_id: fixtures.home.message } : change;
      expect((await sendKeyed(name, body)).status).toBe(409);
      expect(await loadRows(fixtures.home.project)).toHaveLength(before.length);
    });
    it("another person can use the same key", async () => {
      const name = newKey();
      const [own, other] = [await sendKeyed(name, {}), await sendKeyed(name, {}, fixtures.guest)];
      expect(own.response.data.id).not.toBe(other.response.data.id);
    });
  });

  it("an Idempotency-Key cannot be reused in another project", async () => {
    const headers = { "idempotency-key": "one-project" };
    expect((await send({}, fixtures.home.project, fixtures.owner, headers)).status).toBe(200);
    expect((await send({}, fixtures.next.project, fixtures.owner, headers)).status).toBe(409);
  });

  describe("the read marker", () => {
    const marker = async (by = fixtures.neighbor) =>
      (await fixtures.testApp.call(by, chat.getReadMarker, { params: { project_id: fixtures.next.project } })).response.data;
    const move = (id: number, by = fixtures.neighbor) =>
      fixtures.testApp.call(by, chat.moveReadMarker, { params: { project_id: fixtures.next.project }, body: { message_id: id } });

    it("counts messages of others after it, except deleted ones, and moves only forward", async () => {
      const { testApp, owner, neighbor, next } = fixtures;
      await move((await loadRows(next.project)).at(-1)?.id ?? 0);
      expect((await marker()).unread_count).toBe(0);
      const ids: number[] = [];
      for (let count = 0; count < 5; count += 1) ids.push(await createMessage(testApp, owner, next.project, "new"));
      await createMessage(testApp, neighbor, next.project, "my own");
      expect((await marker()).unread_count).toBe(5);
      await testApp.database.write((tx) =>
        tx
          .updateTable("messages")
          .set({ deleted_at: 1 })
          .where("id", "=", ids[4] ?? 0)
          .execute(),
      );
      expect((await marker()).unread_count).toBe(4);
      expect((await move(ids[1] ?? 0)).response.data).toMatchObject({ last_read_message_id: ids[1], unread_count: 2 });
      expect((await move(ids[0] ?? 0)).response.data).toMatchObject({ last_read_message_id: ids[1], unread_count: 2 });
    });
    it("advances with the reader's own message if everything before it was read or deleted", async () => {
      const { testApp, owner, neighbor, next } = fixtures;
      await move((await loadRows(next.project)).at(-1)?.id ?? 0);
      const deletedId = await createMessage(testApp, owner, next.project, "a slip");
      await testApp.call(owner, deleteMessage, { params: { project_id: next.project, message_id: deletedId } });
      const ownId = await createMessage(testApp, neighbor, next.project, "my own");
      expect(await marker()).toMatchObject({ last_read_message_id: ownId, unread_count: 0 });
      const unreadId = await createMessage(testApp, owner, next.project, "not read");
      await createMessage(testApp, neighbor, next.project, "my own again");
      expect(await marker()).toMatchObject({ last_read_message_id: ownId, unread_count: 1 });
      await move(unreadId);
    });
    it("counts at most 100 unread messages", async () => {
      const { testApp, owner, next } = fixtures;
      const now = testApp.clock.now();
      const manyRows = Array.from({ length: 130 }, () => ({
        project_id: next.project,
        account_id: owner.id,
        body: "x",
        type: "message",
        is_audio_message: 0 as const,
        parent_id: null,
        revision: 1,
        created_at: now,
      }));
      await testApp.database.write((tx) => tx.insertInto("messages").values(manyRows).execute());
      expect((await marker()).unread_count).toBe(100);
    });
    it("considers only the newest 2,000 messages of any author", async () => {
      const { testApp, owner, guestNextDoor, next } = fixtures;
      const newest = (await loadRows(next.project)).at(-1)?.id ?? 0;
      await move(newest, guestNextDoor);
      const rows = (by: number, count: number) =>
        Array.from({ length: count }, () => ({
          project_id: next.project,
          account_id: by,
          body: `<@${guestNextDoor.id}>`,
          type: "message",
          is_audio_message: 0 as const,
          revision: 1,
          created_at: testApp.clock.now(),
        }));
      const insert = (by: number, count: number) =>
        testApp.database.write(async (tx) => {
          const inserted = await tx.insertInto("messages").values(rows(by, count)).returning("id").execute();
          await tx
            .insertInto("message_mentions")
            .values(inserted.map(({ id }) => ({ account_id: guestNextDoor.id, project_id: next.project, message_id: id })))
            .execute();
        });
      await insert(owner.id, 7);
      for (let count = 0; count < 4; count += 1) await insert(guestNextDoor.id, 499);
      expect(await marker(guestNextDoor)).toMatchObject({ unread_count: 4, mention_count: 4 });
      await insert(guestNextDoor.id, 4);
      expect(await marker(guestNextDoor)).toMatchObject({ unread_count: 0, mention_count: 0 });
      await insert(owner.id, 1);
      expect(await marker(guestNextDoor)).toMatchObject({ unread_count: 1, mention_count: 1 });
    });
    it("ends at the furthest of many simultaneous moves, and its events never go back", async () => {
      const { testApp, owner, guestNextDoor, next } = fixtures;
      const newest = await createMessage(testApp, owner, next.project, "the furthest");
      const ids = (await loadRows(next.project))
        .map(({ id }) => id)
        .filter((id) => id <= newest)
        .slice(-20);
      await Promise.all([...ids].reverse().map((id) => move(id, guestNextDoor)));
      expect((await marker(guestNextDoor)).last_read_message_id).toBe(newest);
      const events = await testApp.database.read
        .selectFrom("events")
        .select("data")
        .where("topic", "=", `account:${guestNextDoor.id}`)
        .where("type", "=", "read.moved")
        .orderBy("seq")
        .execute();
      const positions = events.map(({ data }) => (JSON.parse(data) as { last_read_message_id: number }).last_read_message_id);
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
    });
  });

  it("a read-only token cannot send messages", async () => {
    const token = await createApiToken(fixtures.testApp, fixtures.member, ["chat:read"]);
    const reply = await fixtures.testApp.call(token, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "x" } });
    expect(reply.status).toBe(403);
    expect(reply.headers["www-authenticate"]).toContain(`scope="chat:write"`);
  });
});
