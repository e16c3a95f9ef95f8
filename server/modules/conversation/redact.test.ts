/** Tests that deleted or replaced text becomes unreadable: at once in stored events, and after the restore window in the database. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { getProject } from "../../../contract/operations/projects.ts";
import type { Message } from "../../../contract/records.ts";
import { foundation } from "../../db/migrations/001-foundation.ts";
import { chat as chatTables } from "../../db/migrations/006-chat.ts";
import { ENGINES, createTestDatabase } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { largestTransaction } from "../../testing/largest-transaction.ts";
import { openSocket, startLiveTestApp, seqsUpTo, type LiveTestApp, type TestSocket } from "../../testing/live.ts";
import { joinTeam } from "../../testing/people.ts";
import { eraseDeletedMessages } from "./retention.ts";

describe.each(ENGINES)("redacted events on %s", { timeout: 60_000 }, (engine) => {
  let testApp: LiveTestApp;
  let project: number;
  let topic: string;
  let guestCount = 0;
  const sockets: TestSocket[] = [];
  beforeAll(async () => {
    testApp = await startLiveTestApp(engine);
    project = await testApp.newProject();
    topic = `project:${project}`;
  }, 60_000);
  afterAll(async () => {
    for (const socket of sockets) await socket.close();
    await testApp.close();
  });

  const send = async (body: string, parent: number | null = null) =>
    (await testApp.call(testApp.owner, chat.sendMessage, { body: { project_id: project, body, parent_message_id: parent } })).response.data.id;
  const messageParams = (message_id: number) => ({ params: { project_id: project, message_id } });
  const edit = (id: number, body: string) => testApp.call(testApp.owner, messages.editMessage, { ...messageParams(id), body: { body } });
  const remove = (id: number) => testApp.call(testApp.owner, messages.deleteMessage, messageParams(id));
  const restore = (id: number) => testApp.call(testApp.owner, messages.restoreMessage, messageParams(id));
  const react = (id: number) => testApp.call(testApp.owner, messages.addReaction, { params: { ...messageParams(id).params, emoji: "👍" } });
  const storedEvents = async () => JSON.stringify(await testApp.database.read.selectFrom("events").selectAll().where("topic", "=", topic).execute());

  /** Replays the topic from the beginning as a newly joined guest, and returns all events and the resulting messages. */
  async function replayEvents(): Promise<{ text: string; types: string[]; messages: Map<number, Message> }> {
    const guest = await joinTeam(testApp, testApp.owner, `guest ${++guestCount}`, { team: testApp.team, role: "guest", projects: [project] });
    const socket = await openSocket(testApp.app.server, guest);
    sockets.push(socket);
    const subscription = (await socket.subscribe(topic, 0)) as { subscribed: { seq: number } };
    socket.send({ ping: 1 });
    await expect.poll(() => socket.seqs(topic).at(-1), { timeout: 10_000 }).toBe(subscription.subscribed.seq);
    const events = socket.events(topic);
    expect(socket.seqs(topic)).toEqual(seqsUpTo(subscription.subscribed.seq));
    const messagesById = new Map<number, Message>();
    for (const { type, data } of events) {
      if (type !== "message.created" && type !== "message.updated") continue;
      const message = data as unknown as Message;
      // Applies only newer revisions, as clients do.
      if ((message.revision ?? 0) > (messagesById.get(message.id)?.revision ?? 0)) messagesById.set(message.id, message);
    }
    return { text: JSON.stringify(socket.frames), types: events.map(({ type }) => type), messages: messagesById };
  }

  it("no event or quote contains the text of a deleted message, and a restored one appears again", async () => {
    const id = await send("the secret merlot");
    const reply = await send("what?", id);
    await react(id);
    await edit(id, "the secret merlot, again");
    const later = await send("who?", id);
    await remove(id);
    expect(await storedEvents()).not.toContain("merlot");
    const replay = await replayEvents();
    expect(replay.text).not.toContain("merlot");
    expect(replay.messages.get(id)).toMatchObject({ deleted: true, body: "", reactions: [] });
    expect(replay.messages.get(reply)).toMatchObject({ body: "what?", parent: { id, excerpt: "" } });
    expect(replay.messages.get(later)).toMatchObject({ body: "who?", parent: { id, excerpt: "" } });

    const restored = (await restore(id)).response.data;
    expect((await replayEvents()).messages.get(id)).toEqual(restored);
  });

  it("events contain only the latest text of an edited message and keep their order", async () => {
    const id = await send("draft claret");
    const reply = await send("hm", id);
    await edit(id, "draft malbec");
    // Reacting to the reply publishes it with the current quote.
    await react(reply);
    await edit(id, "final rioja");
    const editedReply = (await edit(reply, "ah")).response.data;
    expect(editedReply.parent).toMatchObject({ excerpt: "final rioja" });
    const replay = await replayEvents();
    for (const removedText of ["claret", "malbec", '"hm"']) expect(replay.text).not.toContain(removedText);
    expect(replay.messages.get(id)).toMatchObject({ body: "final rioja", revision: 3 });
    expect(replay.messages.get(reply)).toEqual(editedReply);
    // The quote in the reply's first event is redacted as well.
    await remove(id);
    expect(await storedEvents()).not.toContain("rioja");
  });

  it("after repeated edits only the first and the last event refer to the message", async () => {
    const id = await send("edit 0");
    for (let count = 1; count <= 12; count += 1) await edit(id, `edit ${count}`);
    const rows = await testApp.database.read.selectFrom("events").select(["type", "data"]).where("message_id", "=", id).orderBy("seq").execute();
    expect(rows.map(({ type, data }) => [type, (JSON.parse(data) as Message).body, (JSON.parse(data) as Message).revision])).toEqual([
      ["message.created", "edit 12", 1],
      ["message.updated", "edit 12", 13],
    ]);
  });

  it("text, mentions and reactions of a deleted message are erased once it cannot be restored", async () => {
    const row = async (id: number) =>
      testApp.database.read.selectFrom("messages").select(["body", "deleted_at"]).where("id", "=", id).executeTakeFirstOrThrow();
    const countRelated = async (id: number) => [
      (await testApp.database.read.selectFrom("message_mentions").select("account_id").where("message_id", "=", id).execute()).length,
      (await testApp.database.read.selectFrom("reactions").select("emoji").where("message_id", "=", id).execute()).length,
    ];
    const [deletedId, keptId] = [await send(`gone <@${testApp.owner.id}>`), await send("standing")];
    await react(deletedId);
    await react(keptId);
    await eraseDeletedMessages(testApp);
    await remove(deletedId);
    testApp.clock.advance(LIMITS.message_restore_seconds * 1_000);
    expect(await eraseDeletedMessages(testApp)).toBe(0);
    expect((await restore(deletedId)).response.data.body).toContain("gone");
    await remove(deletedId);
    testApp.clock.advance(LIMITS.message_restore_seconds * 1_000 + 61_000);
    expect((await Promise.all([eraseDeletedMessages(testApp), eraseDeletedMessages(testApp)])).reduce((sum, erased) => sum + erased, 0)).toBeGreaterThanOrEqual(
      1,
    );
    expect((await row(deletedId)).body).toBe("");
    expect([await countRelated(deletedId), await countRelated(keptId)]).toEqual([
      [0, 0],
      [0, 1],
    ]);
    expect((await row(keptId)).body).toBe("standing");
    expect((await restore(deletedId)).status).toBe(409);
    expect(await eraseDeletedMessages(testApp)).toBe(0);
  });
  it("reactions to a deleted message without text are erased too", async () => {
    const { root_folder_id } = (await testApp.call(testApp.owner, getProject, { body: { project_id: project } })).response.data;
    const file = await upload(testApp, testApp.owner, { parent: root_folder_id! });
    const { id } = (await testApp.call(testApp.owner, chat.sendMessage, { body: { project_id: project, attachment_ids: [file] } })).response.data;
    await react(id);
    await remove(id);
    await eraseDeletedMessages(testApp);
    const countReactions = async () => (await testApp.database.read.selectFrom("reactions").select("emoji").where("message_id", "=", id).execute()).length;
    expect(await countReactions()).toBe(1);
    testApp.clock.advance(LIMITS.message_restore_seconds * 1_000 + 61_000);
    expect(await eraseDeletedMessages(testApp)).toBe(1);
    expect([await countReactions(), await eraseDeletedMessages(testApp)]).toEqual([0, 0]);
  });
  it("erases more than one batch in a run", async () => {
    const now = testApp.clock.now();
    const manyRows = Array.from({ length: 1_100 }, (_, index) => ({
      project_id: project,
      account_id: testApp.owner.id,
      body: `old ${index}`,
      type: "message",
      is_audio_message: 0 as const,
      revision: 2,
      created_at: now,
      deleted_at: now - 3_600_000,
    }));
    await testApp.database.write(async (tx) => {
      for (let start = 0; start < manyRows.length; start += 500)
        await tx
          .insertInto("messages")
          .values(manyRows.slice(start, start + 500))
          .execute();
    });
    const withText = async () => (await testApp.database.read.selectFrom("messages").select("id").where("body", "!=", "").execute()).length;
    const before = await withText();
    expect(await largestTransaction(testApp.database, { withText }, () => eraseDeletedMessages(testApp))).toEqual({ withText: 500 });
    expect(await withText()).toBe(before - 1_100);
  });
  it("the scheduled job erases deleted messages", async () => {
    const id = await send("by the chore");
    await remove(id);
    testApp.clock.advance(3_600_000);
    for (const job of Object.values(testApp.app.scheduledJobs)) await job();
    expect(await testApp.database.read.selectFrom("messages").select("body").where("id", "=", id).executeTakeFirstOrThrow()).toEqual({ body: "" });
  });
});

describe.each(ENGINES)("the chat migration on %s", { timeout: 30_000 }, (engine) => {
  it("sets the message and quote ids of existing events", async () => {
    const data = await createTestDatabase(engine);
    const database = data.open();
    const payload = (id: number, parent: number | null) => JSON.stringify({ id, parent_message_id: parent, body: "x" });
    const rows = [
      ["message.created", payload(7, null)],
      ["message.created", payload(8, 7)],
      ["file.deleted", JSON.stringify({ id: 9, parent_id: null })],
    ];
    await database.write(async (tx) => {
      await foundation.up(tx, engine);
      for (const [index, [type, json]] of rows.entries())
        await sql`insert into events (topic, seq, type, data, created_at) values ('project:1', ${index + 1}, ${type}, ${json}, 0)`.execute(tx);
      await chatTables.up(tx, engine);
    });
    expect(await database.read.selectFrom("events").select(["message_id", "quoted_id"]).orderBy("seq").execute()).toEqual([
      { message_id: 7, quoted_id: null },
      { message_id: 8, quoted_id: 7 },
      { message_id: null, quoted_id: null },
    ]);
    await database.close();
    await data.drop();
  });
});
