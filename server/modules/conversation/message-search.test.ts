/** Tests of search: it finds relevant messages, reveals nothing the reader may not see, and never fails. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendMessage } from "../../../contract/operations/chat.ts";
import { deleteMessage, editMessage, restoreMessage, searchMessages } from "../../../contract/operations/messages.ts";
import { migrate } from "../../db/migrate.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";
import { indexMessage } from "./message-repository.ts";

const DAY = 86_400_000;

describe.each(ENGINES)("search on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let firstAt: number;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, owner, member, home, next } = fixtures;
    firstAt = testApp.clock.now() - 40 * DAY;
    await createMessage(testApp, owner, home.project, "The bass is hot at 1:23");
    await createMessage(testApp, member, home.project, "Łódź: listen to https://studio.example/mix");
    // Backdates the messages, as if they had been written weeks earlier.
    await testApp.database.write(async (tx) => {
      for (const row of await tx.updateTable("messages").set({ created_at: firstAt }).where("project_id", "=", home.project).returningAll().execute())
        await indexMessage(tx, engine, row, false);
    });
    await createMessage(testApp, member, home.project, "bassline v2, 日本語の字典");
    await testApp.call(owner, sendMessage, { body: { project_id: home.project, body: "bounce", attachment_ids: [home.file] } });
    await createMessage(testApp, owner, next.project, "bass next door");
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const search = async (query: Record<string, string | number>, by = fixtures.member, project = fixtures.home.project) =>
    fixtures.testApp.callUntyped(by, searchMessages, { params: { project_id: project }, query });
  const bodies = async (query: Record<string, string | number>) => {
    const reply = await search(query);
    return (reply.response as { data: { body: string }[] }).data.map(({ body }) => body);
  };
  const isoAt = (offset: number) => new Date(firstAt + offset).toISOString();

  it.each([
    ["bass", ["bassline v2, 日本語の字典", "The bass is hot at 1:23"]],
    ["bass ", ["The bass is hot at 1:23"]],
    ["HOT BASS", ["The bass is hot at 1:23"]],
    ["lodz", ["Łódź: listen to https://studio.example/mix"]],
    ["studio", ["Łódź: listen to https://studio.example/mix"]],
    ["語の", ["bassline v2, 日本語の字典"]],
    ["字", ["bassline v2, 日本語の字典"]],
    ["bass absent", []],
    ["door", []],
    ["_p1", []],
  ])("finds by text: %s", async (q, expected) => expect(await bodies({ q })).toEqual(expected));

  it("filters by author, time, links and files, with and without text", async () => {
    const { owner, member } = fixtures;
    expect(await bodies({ q: "bass", account_id: owner.id })).toEqual(["The bass is hot at 1:23"]);
    expect(await bodies({ account_id: member.id })).toHaveLength(2);
    expect(await bodies({ has: "link" })).toEqual(["Łódź: listen to https://studio.example/mix"]);
    expect(await bodies({ has: "file" })).toEqual(["bounce"]);
    expect(await bodies({ q: "bass", since: isoAt(DAY) })).toEqual(["bassline v2, 日本語の字典"]);
    expect(await bodies({ q: "bass", until: isoAt(DAY) })).toEqual(["The bass is hot at 1:23"]);
    expect(await bodies({ q: "bass", since: isoAt(-DAY), until: isoAt(DAY) })).toEqual(["The bass is hot at 1:23"]);
    expect(await bodies({ q: "bass", since: isoAt(-4_000 * DAY), until: isoAt(4_000 * DAY) })).toHaveLength(2);
    expect(await bodies({ since: isoAt(DAY), until: isoAt(-DAY) })).toEqual([]);
    expect(await bodies({ since: "9999-12-31T23:59:59Z" })).toEqual([]);
    expect(await bodies({ until: "0001-01-01T00:00:00Z" })).toEqual([]);
  });
  it("filters by time alone in a chat of more than a century", async () => {
    const { testApp, owner, apart } = fixtures;
    const writeDated = async (body: string, writtenAt: string) => {
      const id = await createMessage(testApp, owner, apart.project, body);
      await testApp.database.write(async (tx) => {
        const row = await tx
          .updateTable("messages")
          .set({ created_at: Date.parse(writtenAt) })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await indexMessage(tx, engine, row, false);
      });
    };
    await writeDated("wax", "1912-03-01T00:00:00Z");
    await writeDated("tape", "1961-12-31T23:59:59Z");
    await writeDated("disc", "2031-07-01T00:00:00Z");
    const findBodies = async (query: Record<string, string>) =>
      ((await search(query, owner, apart.project)).response as { data: { body: string }[] }).data.map(({ body }) => body);
    expect(await findBodies({ until: "1962-01-01T00:00:00Z" })).toEqual(["tape", "wax"]);
    expect(await findBodies({ until: "1961-12-31T23:59:59Z" })).toEqual(["wax"]);
    expect(await findBodies({ since: "1961-12-31T23:59:59Z", until: "1961-12-31T23:59:59.001Z" })).toEqual(["tape"]);
    expect(await findBodies({ since: "1912-03-02T00:00:00Z" })).toEqual(["disc", "tape", "Welcome to apart"]);
    expect(await findBodies({ since: "2031-01-01T00:00:00Z" })).toEqual(["disc"]);
    expect(await findBodies({ since: "2031-07-01T00:00:00.001Z" })).toEqual([]);
  });
  it("rejects a search with an empty text, and lists all messages without criteria", async () => {
    expect((await search({ q: "   " })).status).toBe(400);
    expect(await search({})).toMatchObject({ status: 200, response: { next_cursor: null } });
  });
  it("returns 404 to people who cannot see the project", async () => {
    expect((await search({ q: "bass" }, fixtures.neighbor)).status).toBe(404);
    expect((await search({ q: "bass" }, fixtures.foreignOwner)).status).toBe(404);
    expect((await search({ q: "bass" }, fixtures.guest)).status).toBe(200);
  });
  it.each([
    '"',
    "'",
    "'; drop table messages; --",
    '" OR "a',
    "*",
    "a*",
    "NEAR(a b)",
    "words:bass",
    "^a",
    "-a",
    "{a} : b",
    "a & !b",
    "a:* <-> b",
    "\\",
    "%_",
    "(((",
    "AND",
    "ا‎ב",
    "👩‍👩‍👧",
    "x".repeat(200),
    "ä ".repeat(100),
    "a b c d e f g h ".repeat(12),
  ])("%s is a valid query", async (q) => expect((await search({ q })).status).toBe(200));
  it("rejects control characters, long queries and invalid cursors", async () => {
    expect((await search({ q: "a\0b" })).status).toBe(400);
    expect((await search({ q: "x".repeat(201) })).status).toBe(400);
    expect((await search({ q: "a", cursor: "nonsense" })).status).toBe(400);
  });
  it("pages through each hit once, newest first", async () => {
    const { testApp, owner, apart } = fixtures;
    const ids: number[] = [];
    for (let count = 0; count < 23; count += 1) ids.unshift(await createMessage(testApp, owner, apart.project, `take ${count}`));
    const seenIds: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const reply = await testApp.call(owner, searchMessages, {
        params: { project_id: apart.project },
        query: { q: "take", limit: "7", ...(cursor ? { cursor } : {}) },
      });
      seenIds.push(...reply.response.data.map(({ id }) => id));
      cursor = reply.response.next_cursor;
    }
    expect(seenIds).toEqual(ids);
  });
  it("follows edits, deletions and restores", async () => {
    const { testApp, member, home } = fixtures;
    const id = await createMessage(testApp, member, home.project, "zebra crossing https://zoo.example");
    const messageParams = { params: { project_id: home.project, message_id: id } };
    const countLinks = async () => (await bodies({ q: "crossing", has: "link" })).length;
    expect([(await bodies({ q: "zebra" })).length, await countLinks()]).toEqual([1, 1]);
    await testApp.call(member, editMessage, { ...messageParams, body: { body: "giraffe crossing" } });
    expect([await bodies({ q: "zebra" }), await bodies({ q: "giraffe" }), await countLinks()]).toEqual([[], ["giraffe crossing"], 0]);
    await testApp.call(member, deleteMessage, messageParams);
    expect([await bodies({ q: "giraffe" }), await bodies({ q: "crossing" })]).toEqual([[], []]);
    await testApp.call(member, restoreMessage, messageParams);
    expect(await bodies({ q: "giraffe" })).toEqual(["giraffe crossing"]);
    await testApp.call(member, deleteMessage, messageParams);
  });
  it("while messages are added and deleted, pages contain each remaining hit once and in order", async () => {
    const { testApp, owner, next } = fixtures;
    const write = () => createMessage(testApp, owner, next.project, "moving target");
    const ids: number[] = [];
    for (let count = 0; count < 40; count += 1) ids.unshift(await write());
    const deletedIds: number[] = [];
    const deleteAt = async (index: number) => {
      const message_id = ids[index] ?? 0;
      deletedIds.push(message_id);
      await testApp.call(owner, deleteMessage, { params: { project_id: next.project, message_id } });
    };
    const seenIds: number[] = [];
    let pageCount = 0;
    for (let cursor: string | null | undefined; cursor !== null; pageCount += 1) {
      const reply = await testApp.call(owner, searchMessages, {
        params: { project_id: next.project },
        query: { q: "moving", limit: "6", ...(cursor ? { cursor } : {}) },
      });
      seenIds.push(...reply.response.data.map(({ id }) => id));
      cursor = reply.response.next_cursor;
      // Adds a message at the top, and deletes the last returned one (the cursor position), the next one, and one further on.
      await write();
      const last = ids.indexOf(seenIds.at(-1) ?? 0);
      for (const index of [last, last + 1, last + 4]) if (index < ids.length && !deletedIds.includes(ids[index] ?? 0)) await deleteAt(index);
    }
    expect(pageCount).toBeGreaterThan(3);
    expect(seenIds).toEqual([...new Set(seenIds)].toSorted((a, b) => b - a));
    expect(ids.filter((id) => !deletedIds.includes(id)).filter((id) => !seenIds.includes(id))).toEqual([]);
    // Messages written during paging do not appear.
    expect(seenIds.filter((id) => !ids.includes(id))).toEqual([]);
  });
  it("does not find a message that was rejected", async () => {
    const { testApp, member, home } = fixtures;
    const reply = await testApp.call(member, sendMessage, { body: { project_id: home.project, body: "phantom", attachment_ids: [999_999] } });
    expect(reply.status).toBe(400);
    expect(await bodies({ q: "phantom" })).toEqual([]);
  });
  it("the migration indexes existing messages", async () => {
    const { testApp } = fixtures;
    await testApp.database.write(async (tx) => {
      await tx.schema.dropTable("message_search").execute();
      await tx.deleteFrom("migrations").where("name", "=", "007-search").execute();
    });
    expect(await migrate(testApp.database, testApp.clock)).toEqual(["007-search"]);
    expect(await bodies({ q: "bass" })).toEqual(["bassline v2, 日本語の字典", "The bass is hot at 1:23"]);
    expect(await bodies({ has: "file" })).toEqual(["bounce"]);
  });
});

describe.runIf(ENGINES.includes("postgres"))("search on both engines", { timeout: 120_000 }, () => {
  it("returns the same hits for any query", async () => {
    const fixturesByEngine = await Promise.all(ENGINES.map((engine) => createFixtures(engine)));
    try {
      const unit = fc.constantFrom(
        ..."abzß éł日本の字 1_.:/@-\u0301👍'\"*&|!()<>%\\กข".split(/(?:)/u),
        "bass",
        "kick",
        "https://x.example",
        "www.x.de ",
        "<@1>",
        " ",
      );
      const texts = fc
        .sample(fc.string({ unit, minLength: 1, maxLength: 24 }), { numRuns: 150, seed: 7 })
        .map((text) => text.trim())
        .filter((text) => text !== "");
      const indexById = await Promise.all(
        fixturesByEngine.map(async ({ testApp, owner, apart }) => {
          const ids = new Map<number, number>();
          for (const [index, text] of texts.entries()) ids.set(await createMessage(testApp, owner, apart.project, text), index);
          return ids;
        }),
      );
      const queries = [...fc.sample(fc.string({ unit, minLength: 1, maxLength: 6 }), { numRuns: 150, seed: 8 }), ...texts.slice(0, 40)].map((q) => ({ q }));
      let hitCount = 0;
      for (const query of [...queries, { has: "link" }, { q: "bass", has: "link" }]) {
        const [sqlite, postgres] = await Promise.all(
          fixturesByEngine.map(async ({ testApp, owner, apart }, engineIndex) => {
            const reply = await testApp.callUntyped(owner, searchMessages, { params: { project_id: apart.project }, query: { ...query, limit: "200" } });
            const { data } = reply.status === 200 ? (reply.response as { data: { id: number }[] }) : { data: [] };
            return [reply.status, ...data.map(({ id }) => indexById[engineIndex]?.get(id))];
          }),
        );
        expect(sqlite, JSON.stringify(query)).toEqual(postgres);
        hitCount += (sqlite?.length ?? 1) - 1;
      }
      // Guards against queries that match nothing.
      expect(hitCount).toBeGreaterThan(200);
    } finally {
      for (const { testApp } of fixturesByEngine) await testApp.close();
    }
  });
});
