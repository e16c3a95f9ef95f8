/** Tests of editing, deleting, restoring and reacting to messages, including concurrent changes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as projects from "../../../contract/operations/projects.ts";
import type { Message } from "../../../contract/records.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";

const MANY_EMOJI = ["👍", "👎", "❤️", "🎧", "🎤", "🎹", "🥁", "🎸", "🎺", "🎻", "🔥", "✅", "🚀", "😀", "😂", "😍", "🤔", "😭", "🙏", "👏", "💯"];

describe.each(ENGINES)("message changes on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const messageParams = (message_id: number, project_id = fixtures.home.project) => ({ params: { project_id, message_id } });
  const write = (body: string, by: Caller = fixtures.member) => createMessage(fixtures.testApp, by, fixtures.home.project, body);
  const send = async (body: object, by: Caller = fixtures.member) =>
    (await fixtures.testApp.call(by, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "x", ...body } })).response.data;
  const edit = (id: number, body: string, by: Caller = fixtures.member) =>
    fixtures.testApp.call(by, messages.editMessage, { ...messageParams(id), body: { body } });
  const remove = (id: number, by: Caller = fixtures.member) => fixtures.testApp.call(by, messages.deleteMessage, messageParams(id));
  const restore = (id: number, by: Caller = fixtures.member) => fixtures.testApp.call(by, messages.restoreMessage, messageParams(id));
  const react = (id: number, emoji: string, by: Caller = fixtures.member) =>
    fixtures.testApp.call(by, messages.addReaction, { params: { ...messageParams(id).params, emoji } });
  const unreact = (id: number, emoji: string, by: Caller = fixtures.member) =>
    fixtures.testApp.call(by, messages.removeReaction, { params: { ...messageParams(id).params, emoji } });
  const fetchMessage = async (id: number, by: Caller = fixtures.guest): Promise<Message> => {
    const page = await fixtures.testApp.call(by, chat.chatHistory, {
      body: { project_id: fixtures.home.project, around_id: id, limit: 1, include_deleted: true },
    });
    return page.response.data.find((message) => message.id === id) ?? expect.fail(`no message ${id}`);
  };
  const eventsOf = async (id: number): Promise<Message[]> => {
    const rows = await fixtures.testApp.database.read
      .selectFrom("events")
      .select(["data", "type"])
      .where("topic", "=", `project:${fixtures.home.project}`)
      .where("type", "in", ["message.created", "message.updated"])
      .orderBy("seq")
      .execute();
    return rows.map(({ data }) => JSON.parse(data) as Message).filter((message) => message.id === id);
  };
  /** Counts the project's events since the message was created; only that message changes meanwhile, and redacted events keep their rows. */
  const eventsSince = async (id: number): Promise<number> => {
    const rows = await fixtures.testApp.database.read
      .selectFrom("events")
      .select("data")
      .where("topic", "=", `project:${fixtures.home.project}`)
      .orderBy("seq")
      .execute();
    return rows.length - rows.findIndex(({ data }) => (JSON.parse(data) as Partial<Message>).id === id);
  };
  const rangeTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

  it("response, event and history agree after each change", async () => {
    const id = await write("first");
    for (const change of [
      () => edit(id, `second for <@${fixtures.guest.id}>`),
      () => react(id, "👍", fixtures.guest),
      () => remove(id, fixtures.admin),
      () => restore(id, fixtures.admin),
      () => unreact(id, "👍", fixtures.guest),
    ]) {
      const updated = (await change()).response.data;
      expect((await eventsOf(id)).at(-1)).toEqual(updated);
      expect(await fetchMessage(id)).toEqual(updated);
    }
    expect(await eventsSince(id)).toBe(6);
    expect(await fetchMessage(id)).toMatchObject({
      body: `second for <@${fixtures.guest.id}>`,
      mentions: [fixtures.guest.id],
      reactions: [],
      edited: true,
      deleted: false,
    });
  });

  it("simultaneous edits each have a revision and an event, and the last one is stored", async () => {
    const id = await write("race");
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => edit(id, `edit ${index}`)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(replies.map(({ response: answer }) => answer.data.revision).sort((a, b) => Number(a) - Number(b))).toEqual(rangeTo(21).slice(1));
    expect(await eventsSince(id)).toBe(21);
    expect(await fetchMessage(id)).toEqual((await eventsOf(id)).at(-1));
  });

  it("simultaneous edits, deletions, restores and reactions leave no gap in the revisions and lose no confirmed reaction", async () => {
    const { member, guest, owner, admin } = fixtures;
    const id = await write("all at once");
    const operations = Array.from({ length: 6 }, (_, round) => [
      () => edit(id, `text ${round}`),
      () => remove(id),
      () => restore(id),
      () => react(id, MANY_EMOJI[round] ?? "", guest),
      () => react(id, MANY_EMOJI[round] ?? "", owner),
      () => react(id, "💬", [member, guest, owner, admin][round % 4]),
    ]).flat();
    const replies = await Promise.all(operations.map((operation) => operation()));
    for (const { status } of replies) expect([200, 409]).toContain(status);
    expect((await eventsOf(id)).at(-1)?.revision).toBe(await eventsSince(id));
    await restore(id);
    const after = await fetchMessage(id);
    expect(after).toEqual((await eventsOf(id)).at(-1));
    // Every confirmed reaction is stored.
    const confirmed = operations
      .map((_, index) => ({ reply: replies[index]!, kind: index % 6, round: Math.floor(index / 6) }))
      .filter(({ reply, kind }) => kind >= 3 && kind <= 4 && reply.status === 200);
    for (const { kind, round } of confirmed) {
      const people = after.reactions?.find(({ emoji }) => emoji === MANY_EMOJI[round])?.account_ids ?? [];
      expect(people).toContain(kind === 3 ? guest.id : owner.id);
    }
    expect(await fixtures.testApp.database.read.selectFrom("messages").select("id").where("id", "=", id).execute()).toHaveLength(1);
  });

  it("the same reaction sent 20 times at once counts once and is removed once", async () => {
    const id = await write("liked");
    await Promise.all(Array.from({ length: 20 }, () => react(id, "👍", fixtures.guest)));
    expect(await fetchMessage(id)).toMatchObject({ revision: 2, reactions: [{ emoji: "👍", account_ids: [fixtures.guest.id] }] });
    await Promise.all(Array.from({ length: 20 }, () => unreact(id, "👍", fixtures.guest)));
    expect(await fetchMessage(id)).toMatchObject({ revision: 3, reactions: [] });
  });

  it("different reactions are limited, and existing ones can still be joined", async () => {
    const id = await write("popular");
    const replies = [];
    for (const emoji of MANY_EMOJI) replies.push((await react(id, emoji)).status);
    expect(replies).toEqual([...Array.from({ length: LIMITS.reactions_per_message }, () => 200), 409]);
    expect((await react(id, MANY_EMOJI[0] ?? "", fixtures.guest)).status).toBe(200);
    expect((await react(id, MANY_EMOJI[20] ?? "", fixtures.guest)).status).toBe(409);
    // Concurrent requests compete for one free slot.
    await unreact(id, MANY_EMOJI[19] ?? "");
    const concurrentReplies = await Promise.all(["🐶", "🐱", "🐭", "🐹"].map((emoji) => react(id, emoji, fixtures.owner)));
    expect(concurrentReplies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await fetchMessage(id)).reactions).toHaveLength(LIMITS.reactions_per_message);
  });

  it("a reaction is exactly one emoji of any sequence length", async () => {
    const id = await write("hostile");
    const validEmoji = ["👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩🏿‍❤️‍💋‍👨🏻", "🏳️‍🌈", "1️⃣", "🇩🇪"];
    for (const emoji of validEmoji) expect((await react(id, emoji)).status, emoji).toBe(200);
    const invalidEmoji = ["👍👍", "👍‍", "‍👍", "👍\u0000", "a👍", "👨‍👩‍👧‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦", "\u202e👍", "é́́́", "👍\u0301", "🏿🏿"];
    for (const emoji of invalidEmoji) expect([400, 404, 414], emoji).toContain((await react(id, emoji)).status);
    expect((await fetchMessage(id)).reactions?.map(({ emoji }) => emoji).sort()).toEqual([...validEmoji].sort());
  });

  it("only the person who deleted a message can restore it within ten minutes", async () => {
    const [deletedByAuthor, deletedByAdmin] = [await write("mine"), await write("by admin")];
    await remove(deletedByAuthor);
    await remove(deletedByAdmin, fixtures.admin);
    expect((await restore(deletedByAdmin)).status).toBe(403);
    expect((await restore(deletedByAuthor, fixtures.admin)).status).toBe(403);
    fixtures.testApp.clock.advance(LIMITS.message_restore_seconds * 1_000);
    expect((await restore(deletedByAuthor)).response.data).toMatchObject({ body: "mine", deleted: false });
    fixtures.testApp.clock.advance(1);
    expect((await restore(deletedByAdmin, fixtures.admin)).status).toBe(409);
  });

  it("a guest can change only their own messages", async () => {
    const [ownMessage, otherMessage] = [await write("theirs", fixtures.guest), await write("other")];
    expect((await edit(ownMessage, "changed", fixtures.guest)).status).toBe(200);
    expect((await edit(otherMessage, "changed", fixtures.guest)).status).toBe(403);
    expect((await remove(otherMessage, fixtures.guest)).status).toBe(403);
    expect((await react(otherMessage, "👍", fixtures.guest)).status).toBe(200);
    expect((await remove(ownMessage, fixtures.guest)).status).toBe(200);
    expect((await restore(ownMessage, fixtures.guest)).status).toBe(200);
  });

  it("text can be removed only from a message with files", async () => {
    const file = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: `carried-${engine}.txt` });
    const { id } = await send({ attachment_ids: [file] });
    expect((await edit(id, "")).response.data).toMatchObject({ body: "", attachments: [{ id: file }] });
    expect((await edit(await write("words"), " \n")).status).toBe(400);
    expect((await remove(id)).response.data.attachments).toEqual([]);
    expect((await restore(id)).response.data.attachments).toMatchObject([{ id: file }]);
  });

  describe("a quote", () => {
    const reply = async (parent: number) => (await send({ body: "answer", parent_message_id: parent }, fixtures.guest)).id;

    it("shows the current state of the parent", async () => {
      const parent = await write(`look, <@${fixtures.owner.id}>`);
      const id = await reply(parent);
      expect((await fetchMessage(id)).parent).toEqual({
        id: parent,
        account_id: fixtures.member.id,
        excerpt: `look, <@${fixtures.owner.id}>`,
        mentions: [fixtures.owner.id],
        deleted: false,
        is_audio_message: false,
        attachment_name: null,
        audio_duration: null,
      });
      await edit(parent, "look again");
      expect((await fetchMessage(id)).parent).toMatchObject({ excerpt: "look again", mentions: [], deleted: false });
      await remove(parent);
      expect((await fetchMessage(id)).parent).toMatchObject({ id: parent, excerpt: "", mentions: [], deleted: true, attachment_name: null });
      await restore(parent);
      expect((await fetchMessage(id)).parent).toMatchObject({ excerpt: "look again", deleted: false });
    });
    it("can refer to a deleted message", async () => {
      const parent = await write("gone soon");
      await remove(parent);
      expect((await fetchMessage(await reply(parent))).parent).toMatchObject({ id: parent, deleted: true, excerpt: "" });
    });
    it("has at most 200 characters, splits no emoji or mention, and names the first file", async () => {
      const mention = `<@${fixtures.owner.id}>`;
      const file = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: `quoted-${engine}.txt` });
      const { id: emoji } = await send({ body: "🎧".repeat(300), attachment_ids: [file] });
      expect((await fetchMessage(await reply(emoji))).parent).toMatchObject({ excerpt: "🎧".repeat(200), attachment_name: `quoted-${engine}.txt` });
      for (let cut = 1; cut < mention.length; cut += 1) {
        const before = "x".repeat(200 - cut);
        const parent = await write(`${before}${mention} more`);
        expect((await fetchMessage(await reply(parent))).parent).toMatchObject({ excerpt: before, mentions: [] });
      }
    });
    it("is null for a message that is not a reply", async () => expect((await fetchMessage(await write("alone"))).parent).toBeNull());
  });

  describe("mentions", () => {
    const countsOf = async (caller: Caller) => {
      const { data } = (await fixtures.testApp.call(caller, chat.getReadMarker, { params: { project_id: fixtures.home.project } })).response;
      const list = (await fixtures.testApp.call(caller, projects.listProjects, { query: { limit: "200" } })).response.data;
      const listed = list.find(({ id }) => id === fixtures.home.project);
      expect([listed?.unread_count, listed?.mention_count]).toEqual([data.unread_count, data.mention_count]);
      return [data.unread_count, data.mention_count];
    };
    const readAll = async (caller: Caller) => {
      const newest = await write("newest", fixtures.owner);
      await fixtures.testApp.call(caller, chat.moveReadMarker, { params: { project_id: fixtures.home.project }, body: { message_id: newest } });
    };

    it("include each person who can see the project once, and ignore other ids", async () => {
      const { owner, admin, member, guest, neighbor, foreignOwner } = fixtures;
      const mentionText = [member, guest, owner, admin, neighbor, foreignOwner].map(({ id }) => `<@${id}> <@${id}>`).join(" ");
      const body = `${mentionText} <@0> <@999999> <@-1> <@1e3> <@ ${guest.id}> <@${"9".repeat(40)}>`;
      const sent = await send({ body });
      expect(sent.body).toBe(body);
      expect(sent.mentions).toEqual([member, guest, owner, admin].map(({ id }) => id).sort((a, b) => a - b));
    });
    it("accept a thousand unknown ids", async () => {
      const body = Array.from({ length: 1_000 }, (_, index) => `<@${index + 50_000}>`).join("");
      expect((await send({ body })).mentions).toEqual([]);
    });
    it("count in unread messages of others that are not deleted, and follow edits", async () => {
      const { guest } = fixtures;
      await readAll(guest);
      expect(await countsOf(guest)).toEqual([0, 0]);
      const id = await write(`hello <@${guest.id}>`);
      await write("plain");
      await write(`myself <@${guest.id}>`, guest);
      expect(await countsOf(guest)).toEqual([2, 1]);
      await edit(id, "nobody");
      expect(await countsOf(guest)).toEqual([2, 0]);
      await edit(id, `<@${guest.id}> again`);
      await remove(id);
      expect(await countsOf(guest)).toEqual([1, 0]);
      await restore(id);
      expect(await countsOf(guest)).toEqual([2, 1]);
      await readAll(guest);
      expect(await countsOf(guest)).toEqual([0, 0]);
    });
    it("are counted again after a message was marked as unread", async () => {
      const { testApp, guest, home } = fixtures;
      await readAll(guest);
      const before = await write("before", fixtures.owner);
      const first = await write(`one <@${guest.id}>`);
      await write("two");
      await readAll(guest);
      const { data } = (await testApp.call(guest, messages.markUnread, { params: { project_id: home.project }, body: { message_id: first } })).response;
      expect(data).toEqual({ project_id: home.project, last_read_message_id: before, unread_count: 3, mention_count: 1 });
      const event = await testApp.database.read
        .selectFrom("events")
        .select("data")
        .where("topic", "=", `account:${fixtures.guest.id}`)
        .where("type", "=", "read.moved")
        .orderBy("seq", "desc")
        .executeTakeFirstOrThrow();
      expect(JSON.parse(event.data)).toEqual(data);
      const movedReply = await testApp.call(guest, chat.moveReadMarker, { params: { project_id: home.project }, body: { message_id: first } });
      expect(movedReply.response.data).toMatchObject({ last_read_message_id: first, unread_count: 2, mention_count: 0 });
    });
  });
});
