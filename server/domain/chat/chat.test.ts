/** Order, paging, exactly once, unread: what every chat view builds upon. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import { deleteMessage } from "../../../contract/operations/messages.ts";
import type { Message } from "../../../contract/records.ts";
import { startCast, writeMessage, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { tokenOf } from "../../testing/people.ts";

const MESSAGES = 230;

describe.each(ENGINES)("chat on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  const history = async (body: object, project = cast.apart.project) =>
    (await cast.world.call(cast.owner, chat.chatHistory, { body: { project_id: project, ...body } })).answer;
  const send = (body: object, project = cast.home.project, by = cast.member, headers = {}) =>
    cast.world.call(by, chat.sendMessage, { body: { project_id: project, body: "x", ...body } }, { headers });
  const rowsOf = async (project: number) =>
    cast.world.database.read.selectFrom("messages").selectAll().where("project_id", "=", project).orderBy("id").execute();

  describe("paging", () => {
    let ids: number[];
    let shown: number[];
    beforeAll(async () => {
      const { world, owner, apart, home } = cast;
      for (let count = 1; count < MESSAGES; count += 1) {
        await writeMessage(world, owner, apart.project, `m${count}`);
        if (count % 10 === 0) await writeMessage(world, owner, home.project, "in between");
      }
      ids = (await rowsOf(apart.project)).map(({ id }) => id);
      // Every seventh is deleted.
      const deleted = ids.filter((_, index) => index % 7 === 3);
      await world.database.write((tx) => tx.updateTable("messages").set({ deleted_at: 1, revision: 2 }).where("id", "in", deleted).execute());
      shown = ids.filter((id) => !deleted.includes(id));
    }, 60_000);

    const walk = async (back: boolean, limit: number, more: object) => {
      const seen: number[] = [];
      let cursor: object = back ? {} : { after_id: 0 };
      for (;;) {
        const page = await history({ ...cursor, limit, ...more });
        const found = page.data.map(({ id }) => id);
        expect(found).toEqual([...found].sort((a, b) => a - b));
        if (back) seen.unshift(...found);
        else seen.push(...found);
        expect(page.has_more_after).toBe(back ? seen.length > found.length : page.data.at(-1)?.id !== ids.at(-1));
        if (!(back ? page.has_more_before : page.has_more_after)) return seen;
        cursor = back ? { before_id: found[0] } : { after_id: found.at(-1) };
      }
    };
    it.each([1, 7, 50, 200])("in steps of %i, each message exactly once, both ways", async (limit) => {
      expect(await walk(true, limit, {})).toEqual(shown);
      expect(await walk(false, limit, {})).toEqual(shown);
    });
    it("deleted ones come when asked for, empty", async () => {
      expect(await walk(true, 200, { include_deleted: true })).toEqual(ids);
      const [one] = (await history({ around_id: ids[3], limit: 1, include_deleted: true })).data;
      expect(one).toMatchObject({ id: ids[3], deleted: true, body: "", attachments: [] });
    });
    it("the newest 50 without a limit, 200 at most", async () => {
      expect((await history({})).data.map(({ id }) => id)).toEqual(shown.slice(-50));
      expect((await history({ limit: 1_000_000_000, include_deleted: true })).data.map(({ id }) => id)).toEqual(ids.slice(-200));
    });
    it.each([1, 2, 11, 50])("around a message, with %i in all", async (limit) => {
      for (const index of [0, 5, 100, shown.length - 1]) {
        const page = await history({ around_id: shown[index], limit });
        const found = page.data.map(({ id }) => id);
        const half = Math.floor(limit / 2);
        expect(found).toEqual(shown.slice(Math.max(0, index - half), index + limit - half));
        expect([page.has_more_before, page.has_more_after]).toEqual([found[0] !== shown[0], found.at(-1) !== shown.at(-1)]);
      }
    });
    it("around a deleted message, the page where it would stand", async () => {
      const page = await history({ around_id: ids[3], limit: 4 });
      expect(page.data.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[4], ids[5]]);
    });
    it("past both ends there is nothing, and the flags say so", async () => {
      expect(await history({ before_id: ids[0] })).toMatchObject({ data: [], has_more_before: false, has_more_after: true });
      expect(await history({ after_id: ids.at(-1) })).toMatchObject({ data: [], has_more_before: true, has_more_after: false });
    });
  });

  it("many at once: ids and seq rise together, without hole or double", async () => {
    const { world, owner, member, guest, home, next } = cast;
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        send({ body: `at once ${index}` }, index % 3 === 0 ? next.project : home.project, index % 3 === 0 ? owner : index % 3 === 1 ? member : guest),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    for (const { project } of [home, next]) {
      const events = await world.database.read.selectFrom("events").selectAll().where("topic", "=", `project:${project}`).orderBy("seq").execute();
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      const ids = events.filter(({ type }) => type === "message.created").map(({ data }) => (JSON.parse(data) as Message).id);
      expect(ids).toEqual((await rowsOf(project)).map(({ id }) => id));
      expect((await world.database.read.selectFrom("topics").select("seq").where("topic", "=", `project:${project}`).executeTakeFirstOrThrow()).seq).toBe(
        events.length,
      );
      expect(
        (await world.database.read.selectFrom("projects").select("last_message_id").where("id", "=", project).executeTakeFirstOrThrow()).last_message_id,
      ).toBe(ids.at(-1));
    }
  });

  it("while others write, after_id never skips a message", async () => {
    const { apart } = cast;
    const start = (await rowsOf(apart.project)).at(-1)?.id ?? 0;
    let last = start;
    let writing = true;
    const seen: number[] = [];
    const writers = Promise.all(Array.from({ length: 40 }, () => send({}, apart.project, cast.owner))).then(() => (writing = false));
    for (let done = false; !done;) {
      done = !writing;
      const page = await history({ after_id: last, limit: 200 });
      seen.push(...page.data.map(({ id }) => id));
      last = seen.at(-1) ?? last;
    }
    await writers;
    expect(seen).toEqual((await rowsOf(apart.project)).map(({ id }) => id).filter((id) => id > start));
  });

  describe.each(["client_id", "Idempotency-Key"])("exactly once by %s", (means) => {
    let key = 0;
    const under = (name: string) => (means === "client_id" ? [{ client_id: name }, {}] : [{}, { "idempotency-key": name }]);
    const ask = (name: string, body: object, by = cast.member, project = cast.home.project) => {
      const [more, headers] = under(name);
      return send({ ...body, ...more }, project, by, headers);
    };
    const newKey = () => `once-${means}-${++key}`;

    it("again: the same message, one row, one event", async () => {
      const [name, body] = [newKey(), `once by ${means}`];
      const [first, second] = [await ask(name, { body }), await ask(name, { body })];
      expect(second.answer.data).toEqual(first.answer.data);
      expect((await rowsOf(cast.home.project)).filter((row) => row.body === body)).toHaveLength(1);
      const events = await cast.world.database.read.selectFrom("events").select("data").where("topic", "=", `project:${cast.home.project}`).execute();
      expect(events.filter(({ data }) => (JSON.parse(data) as Message).body === body)).toHaveLength(1);
    });
    it("20 at once: one message", async () => {
      const [name, body] = [newKey(), `in parallel by ${means}`];
      const replies = await Promise.all(Array.from({ length: 20 }, () => ask(name, { body })));
      expect(new Set(replies.map((reply) => reply.answer.data.id)).size).toBe(1);
      expect((await rowsOf(cast.home.project)).filter((row) => row.body === body)).toHaveLength(1);
    });
    it.each([
      ["another text", { body: "two" }],
      ["another parent", { body: "one", parent_message_id: -1 }],
    ])("with %s: a conflict, nothing stored", async (_what, change) => {
      const name = newKey();
      await ask(name, { body: "one" });
      const before = await rowsOf(cast.home.project);
      const body = "parent_message_id" in change ? { ...change, parent_message_id: cast.home.message } : change;
      expect((await ask(name, body)).status).toBe(409);
      expect(await rowsOf(cast.home.project)).toHaveLength(before.length);
    });
    it("another person may use the same", async () => {
      const name = newKey();
      const [mine, theirs] = [await ask(name, {}), await ask(name, {}, cast.guest)];
      expect(mine.answer.data.id).not.toBe(theirs.answer.data.id);
    });
  });

  it("an Idempotency-Key is not for another project", async () => {
    const headers = { "idempotency-key": "one-project" };
    expect((await send({}, cast.home.project, cast.owner, headers)).status).toBe(200);
    expect((await send({}, cast.next.project, cast.owner, headers)).status).toBe(409);
  });

  describe("unread", () => {
    const marker = async (by = cast.neighbour) => (await cast.world.call(by, chat.getReadMarker, { params: { project_id: cast.next.project } })).answer.data;
    const move = (id: number, by = cast.neighbour) =>
      cast.world.call(by, chat.moveReadMarker, { params: { project_id: cast.next.project }, body: { message_id: id } });

    it("counts what others wrote after the marker, up to 100, without the deleted; the marker goes forward only", async () => {
      const { world, owner, neighbour, next } = cast;
      await move((await rowsOf(next.project)).at(-1)?.id ?? 0);
      expect((await marker()).unread_count).toBe(0);
      const ids: number[] = [];
      for (let count = 0; count < 5; count += 1) ids.push(await writeMessage(world, owner, next.project, "new"));
      await writeMessage(world, neighbour, next.project, "my own");
      expect((await marker()).unread_count).toBe(5);
      await world.database.write((tx) =>
        tx
          .updateTable("messages")
          .set({ deleted_at: 1 })
          .where("id", "=", ids[4] ?? 0)
          .execute(),
      );
      expect((await marker()).unread_count).toBe(4);
      expect((await move(ids[1] ?? 0)).answer.data).toMatchObject({ last_read_message_id: ids[1], unread_count: 2 });
      expect((await move(ids[0] ?? 0)).answer.data).toMatchObject({ last_read_message_id: ids[1], unread_count: 2 });
    });
    it("who had read all that stands has read what they write then: a deleted message need not have been read", async () => {
      const { world, owner, neighbour, next } = cast;
      await move((await rowsOf(next.project)).at(-1)?.id ?? 0);
      const slip = await writeMessage(world, owner, next.project, "a slip");
      await world.call(owner, deleteMessage, { params: { project_id: next.project, message_id: slip } });
      const mine = await writeMessage(world, neighbour, next.project, "my own");
      expect(await marker()).toMatchObject({ last_read_message_id: mine, unread_count: 0 });
      const unread = await writeMessage(world, owner, next.project, "not read");
      await writeMessage(world, neighbour, next.project, "my own again");
      expect(await marker()).toMatchObject({ last_read_message_id: mine, unread_count: 1 });
      await move(unread);
    });
    it("stops at 100", async () => {
      const { world, owner, next } = cast;
      const now = world.clock.now();
      const many = Array.from({ length: 130 }, () => ({
        project_id: next.project,
        account_id: owner.id,
        body: "x",
        type: "message",
        is_audio_message: 0 as const,
        parent_id: null,
        revision: 1,
        created_at: now,
      }));
      await world.database.write((tx) => tx.insertInto("messages").values(many).execute());
      expect((await marker()).unread_count).toBe(100);
    });
    it("looks at the newest two thousand, whoever wrote them", async () => {
      const { world, owner, guestNextDoor, next } = cast;
      const newest = (await rowsOf(next.project)).at(-1)?.id ?? 0;
      await move(newest, guestNextDoor);
      const rows = (by: number, count: number) =>
        Array.from({ length: count }, () => ({
          project_id: next.project,
          account_id: by,
          body: `<@${guestNextDoor.id}>`,
          type: "message",
          is_audio_message: 0 as const,
          revision: 1,
          created_at: world.clock.now(),
        }));
      const insert = (by: number, count: number) =>
        world.database.write(async (tx) => {
          const made = await tx.insertInto("messages").values(rows(by, count)).returning("id").execute();
          await tx
            .insertInto("message_mentions")
            .values(made.map(({ id }) => ({ account_id: guestNextDoor.id, project_id: next.project, message_id: id })))
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
    it("many moves at once end at the furthest, and no event goes back", async () => {
      const { world, owner, guestNextDoor, next } = cast;
      const newest = await writeMessage(world, owner, next.project, "the furthest");
      const ids = (await rowsOf(next.project))
        .map(({ id }) => id)
        .filter((id) => id <= newest)
        .slice(-20);
      await Promise.all([...ids].reverse().map((id) => move(id, guestNextDoor)));
      expect((await marker(guestNextDoor)).last_read_message_id).toBe(newest);
      const events = await world.database.read
        .selectFrom("events")
        .select("data")
        .where("topic", "=", `account:${guestNextDoor.id}`)
        .where("type", "=", "read.moved")
        .orderBy("seq")
        .execute();
      const moved = events.map(({ data }) => (JSON.parse(data) as { last_read_message_id: number }).last_read_message_id);
      expect(moved).toEqual([...moved].sort((a, b) => a - b));
    });
  });

  it("a token that may only read writes nothing", async () => {
    const token = await tokenOf(cast.world, cast.member, ["chat:read"]);
    const reply = await cast.world.call(token, chat.sendMessage, { body: { project_id: cast.home.project, body: "x" } });
    expect(reply.status).toBe(403);
    expect(reply.headers["www-authenticate"]).toContain(`scope="chat:write"`);
  });
});
