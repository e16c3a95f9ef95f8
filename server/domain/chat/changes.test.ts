/** What becomes of a message after it was sent, also when everybody changes it at once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as projects from "../../../contract/operations/projects.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Message } from "../../../contract/records.ts";
import { startCast, writeMessage, type Cast } from "../../testing/cast.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";

const MANY_EMOJI = ["👍", "👎", "❤️", "🎧", "🎤", "🎹", "🥁", "🎸", "🎺", "🎻", "🔥", "✅", "🚀", "😀", "😂", "😍", "🤔", "😭", "🙏", "👏", "💯"];

describe.each(ENGINES)("changes of messages on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  const place = (message_id: number, project_id = cast.home.project) => ({ params: { project_id, message_id } });
  const write = (body: string, by: Caller = cast.member) => writeMessage(cast.world, by, cast.home.project, body);
  const send = async (body: object, by: Caller = cast.member) =>
    (await cast.world.call(by, chat.sendMessage, { body: { project_id: cast.home.project, body: "x", ...body } })).answer.data;
  const edit = (id: number, body: string, by: Caller = cast.member) => cast.world.call(by, messages.editMessage, { ...place(id), body: { body } });
  const remove = (id: number, by: Caller = cast.member) => cast.world.call(by, messages.deleteMessage, place(id));
  const restore = (id: number, by: Caller = cast.member) => cast.world.call(by, messages.restoreMessage, place(id));
  const react = (id: number, emoji: string, by: Caller = cast.member) => cast.world.call(by, messages.addReaction, { params: { ...place(id).params, emoji } });
  const unreact = (id: number, emoji: string, by: Caller = cast.member) =>
    cast.world.call(by, messages.removeReaction, { params: { ...place(id).params, emoji } });
  const seen = async (id: number, by: Caller = cast.guest): Promise<Message> => {
    const page = await cast.world.call(by, chat.chatHistory, { body: { project_id: cast.home.project, around_id: id, limit: 1, include_deleted: true } });
    return page.answer.data.find((one) => one.id === id) ?? expect.fail(`no message ${id}`);
  };
  const eventsOf = async (id: number): Promise<Message[]> => {
    const rows = await cast.world.database.read
      .selectFrom("events")
      .select(["data", "type"])
      .where("topic", "=", `project:${cast.home.project}`)
      .where("type", "in", ["message.created", "message.updated"])
      .orderBy("seq")
      .execute();
    return rows.map(({ data }) => JSON.parse(data) as Message).filter((one) => one.id === id);
  };
  /** Events since the message was sent: only it changes meanwhile, and what it says no more only keeps its place. */
  const eventsSince = async (id: number): Promise<number> => {
    const rows = await cast.world.database.read
      .selectFrom("events")
      .select("data")
      .where("topic", "=", `project:${cast.home.project}`)
      .orderBy("seq")
      .execute();
    return rows.length - rows.findIndex(({ data }) => (JSON.parse(data) as Partial<Message>).id === id);
  };
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

  it("answer, event and history say the same of each change", async () => {
    const id = await write("first");
    for (const change of [
      () => edit(id, `second for <@${cast.guest.id}>`),
      () => react(id, "👍", cast.guest),
      () => remove(id, cast.admin),
      () => restore(id, cast.admin),
      () => unreact(id, "👍", cast.guest),
    ]) {
      const told = (await change()).answer.data;
      expect((await eventsOf(id)).at(-1)).toEqual(told);
      expect(await seen(id)).toEqual(told);
    }
    expect(await eventsSince(id)).toBe(6);
    expect(await seen(id)).toMatchObject({ body: `second for <@${cast.guest.id}>`, mentions: [cast.guest.id], reactions: [], edited: true, deleted: false });
  });

  it("edits at once: each has its revision and its event, and the last one stands", async () => {
    const id = await write("race");
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => edit(id, `edit ${index}`)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(replies.map(({ answer }) => answer.data.revision).sort((a, b) => Number(a) - Number(b))).toEqual(upTo(21).slice(1));
    expect(await eventsSince(id)).toBe(21);
    expect(await seen(id)).toEqual((await eventsOf(id)).at(-1));
  });

  it("edit, delete, restore and reactions at once: revisions grow without hole, no reaction is lost, only refusals that say why", async () => {
    const { member, guest, owner, admin } = cast;
    const id = await write("all at once");
    const work = Array.from({ length: 6 }, (_, round) => [
      () => edit(id, `text ${round}`),
      () => remove(id),
      () => restore(id),
      () => react(id, MANY_EMOJI[round] ?? "", guest),
      () => react(id, MANY_EMOJI[round] ?? "", owner),
      () => react(id, "💬", [member, guest, owner, admin][round % 4]),
    ]).flat();
    const replies = await Promise.all(work.map((one) => one()));
    for (const { status } of replies) expect([200, 409]).toContain(status);
    expect((await eventsOf(id)).at(-1)?.revision).toBe(await eventsSince(id));
    await restore(id);
    const after = await seen(id);
    expect(after).toEqual((await eventsOf(id)).at(-1));
    // What was confirmed is there.
    const confirmed = work
      .map((_, index) => ({ reply: replies[index]!, kind: index % 6, round: Math.floor(index / 6) }))
      .filter(({ reply, kind }) => kind >= 3 && kind <= 4 && reply.status === 200);
    for (const { kind, round } of confirmed) {
      const people = after.reactions?.find(({ emoji }) => emoji === MANY_EMOJI[round])?.account_ids ?? [];
      expect(people).toContain(kind === 3 ? guest.id : owner.id);
    }
    expect(await cast.world.database.read.selectFrom("messages").select("id").where("id", "=", id).execute()).toHaveLength(1);
  });

  it("the same reaction of twenty pages at once is one, and taken back is none", async () => {
    const id = await write("liked");
    await Promise.all(Array.from({ length: 20 }, () => react(id, "👍", cast.guest)));
    expect(await seen(id)).toMatchObject({ revision: 2, reactions: [{ emoji: "👍", account_ids: [cast.guest.id] }] });
    await Promise.all(Array.from({ length: 20 }, () => unreact(id, "👍", cast.guest)));
    expect(await seen(id)).toMatchObject({ revision: 3, reactions: [] });
  });

  it("so many different reactions and no more; those that are there can still be joined", async () => {
    const id = await write("popular");
    const replies = [];
    for (const emoji of MANY_EMOJI) replies.push((await react(id, emoji)).status);
    expect(replies).toEqual([...Array.from({ length: LIMITS.reactions_per_message }, () => 200), 409]);
    expect((await react(id, MANY_EMOJI[0] ?? "", cast.guest)).status).toBe(200);
    expect((await react(id, MANY_EMOJI[20] ?? "", cast.guest)).status).toBe(409);
    // At once, from one free place on.
    await unreact(id, MANY_EMOJI[19] ?? "");
    const raced = await Promise.all(["🐶", "🐱", "🐭", "🐹"].map((emoji) => react(id, emoji, cast.owner)));
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await seen(id)).reactions).toHaveLength(LIMITS.reactions_per_message);
  });

  it("an emoji is one emoji, however long it is written", async () => {
    const id = await write("hostile");
    const good = ["👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩🏿‍❤️‍💋‍👨🏻", "🏳️‍🌈", "1️⃣", "🇩🇪"];
    for (const emoji of good) expect((await react(id, emoji)).status, emoji).toBe(200);
    const bad = ["👍👍", "👍‍", "‍👍", "👍\u0000", "a👍", "👨‍👩‍👧‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦‍👦", "\u202e👍", "é́́́", "👍\u0301", "🏿🏿"];
    for (const emoji of bad) expect([400, 404, 414], emoji).toContain((await react(id, emoji)).status);
    expect((await seen(id)).reactions?.map(({ emoji }) => emoji).sort()).toEqual([...good].sort());
  });

  it("undo ends after ten minutes, and is for who deleted", async () => {
    const [mine, byAdmin] = [await write("mine"), await write("by admin")];
    await remove(mine);
    await remove(byAdmin, cast.admin);
    expect((await restore(byAdmin)).status).toBe(403);
    expect((await restore(mine, cast.admin)).status).toBe(403);
    cast.world.clock.pass(LIMITS.message_restore_seconds * 1_000);
    expect((await restore(mine)).answer.data).toMatchObject({ body: "mine", deleted: false });
    cast.world.clock.pass(1);
    expect((await restore(byAdmin, cast.admin)).status).toBe(409);
  });

  it("a guest changes what is theirs and nothing else", async () => {
    const [theirs, other] = [await write("theirs", cast.guest), await write("other")];
    expect((await edit(theirs, "changed", cast.guest)).status).toBe(200);
    expect((await edit(other, "changed", cast.guest)).status).toBe(403);
    expect((await remove(other, cast.guest)).status).toBe(403);
    expect((await react(other, "👍", cast.guest)).status).toBe(200);
    expect((await remove(theirs, cast.guest)).status).toBe(200);
    expect((await restore(theirs, cast.guest)).status).toBe(200);
  });

  it("text may go where files stay, not otherwise", async () => {
    const file = await upload(cast.world, cast.member, { parent: cast.home.folder, name: `carried-${engine}.txt` });
    const { id } = await send({ attachment_ids: [file] });
    expect((await edit(id, "")).answer.data).toMatchObject({ body: "", attachments: [{ id: file }] });
    expect((await edit(await write("words"), " \n")).status).toBe(400);
    expect((await remove(id)).answer.data.attachments).toEqual([]);
    expect((await restore(id)).answer.data.attachments).toMatchObject([{ id: file }]);
  });

  describe("a quote", () => {
    const reply = async (parent: number) => (await send({ body: "answer", parent_message_id: parent }, cast.guest)).id;

    it("tells the parent as it stands now", async () => {
      const parent = await write(`look, <@${cast.owner.id}>`);
      const id = await reply(parent);
      expect((await seen(id)).parent).toEqual({
        id: parent,
        account_id: cast.member.id,
        excerpt: `look, <@${cast.owner.id}>`,
        mentions: [cast.owner.id],
        deleted: false,
        is_audio_message: false,
        attachment_name: null,
        audio_duration: null,
      });
      await edit(parent, "look again");
      expect((await seen(id)).parent).toMatchObject({ excerpt: "look again", mentions: [], deleted: false });
      await remove(parent);
      expect((await seen(id)).parent).toMatchObject({ id: parent, excerpt: "", mentions: [], deleted: true, attachment_name: null });
      await restore(parent);
      expect((await seen(id)).parent).toMatchObject({ excerpt: "look again", deleted: false });
    });
    it("of a deleted message can be written", async () => {
      const parent = await write("gone soon");
      await remove(parent);
      expect((await seen(await reply(parent))).parent).toMatchObject({ id: parent, deleted: true, excerpt: "" });
    });
    it("has 200 characters, cuts no emoji and no mention, and names the first file", async () => {
      const mention = `<@${cast.owner.id}>`;
      const file = await upload(cast.world, cast.member, { parent: cast.home.folder, name: `quoted-${engine}.txt` });
      const { id: emoji } = await send({ body: "🎧".repeat(300), attachment_ids: [file] });
      expect((await seen(await reply(emoji))).parent).toMatchObject({ excerpt: "🎧".repeat(200), attachment_name: `quoted-${engine}.txt` });
      for (let cut = 1; cut < mention.length; cut += 1) {
        const before = "x".repeat(200 - cut);
        const parent = await write(`${before}${mention} more`);
        expect((await seen(await reply(parent))).parent).toMatchObject({ excerpt: before, mentions: [] });
      }
    });
    it("is null where nothing is answered", async () => expect((await seen(await write("alone"))).parent).toBeNull());
  });

  describe("mentions", () => {
    const countsOf = async (who: Caller) => {
      const { data } = (await cast.world.call(who, chat.getReadMarker, { params: { project_id: cast.home.project } })).answer;
      const list = (await cast.world.call(who, projects.listProjects, { query: { limit: "200" } })).answer.data;
      const shown = list.find(({ id }) => id === cast.home.project);
      expect([shown?.unread_count, shown?.mention_count]).toEqual([data.unread_count, data.mention_count]);
      return [data.unread_count, data.mention_count];
    };
    const readAll = async (who: Caller) => {
      const newest = await write("newest", cast.owner);
      await cast.world.call(who, chat.moveReadMarker, { params: { project_id: cast.home.project }, body: { message_id: newest } });
    };

    it("are people who see the project, once; the rest is text", async () => {
      const { owner, admin, member, guest, neighbour, foreignOwner } = cast;
      const named = [member, guest, owner, admin, neighbour, foreignOwner].map(({ id }) => `<@${id}> <@${id}>`).join(" ");
      const body = `${named} <@0> <@999999> <@-1> <@1e3> <@ ${guest.id}> <@${"9".repeat(40)}>`;
      const sent = await send({ body });
      expect(sent.body).toBe(body);
      expect(sent.mentions).toEqual([member, guest, owner, admin].map(({ id }) => id).sort((a, b) => a - b));
    });
    it("thousands of them are no burden", async () => {
      const body = Array.from({ length: 1_000 }, (_, index) => `<@${index + 50_000}>`).join("");
      expect((await send({ body })).mentions).toEqual([]);
    });
    it("count where they are unread, of others and standing; an edit adds and takes away", async () => {
      const { guest } = cast;
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
    it("unread from here: the marker goes back, the event has both counts, and reading goes on from there", async () => {
      const { world, guest, home } = cast;
      await readAll(guest);
      const before = await write("before", cast.owner);
      const first = await write(`one <@${guest.id}>`);
      await write("two");
      await readAll(guest);
      const { data } = (await world.call(guest, messages.markUnread, { params: { project_id: home.project }, body: { message_id: first } })).answer;
      expect(data).toEqual({ project_id: home.project, last_read_message_id: before, unread_count: 3, mention_count: 1 });
      const told = await world.database.read
        .selectFrom("events")
        .select("data")
        .where("topic", "=", `account:${cast.guest.id}`)
        .where("type", "=", "read.moved")
        .orderBy("seq", "desc")
        .executeTakeFirstOrThrow();
      expect(JSON.parse(told.data)).toEqual(data);
      const on = await world.call(guest, chat.moveReadMarker, { params: { project_id: home.project }, body: { message_id: first } });
      expect(on.answer.data).toMatchObject({ last_read_message_id: first, unread_count: 2, mention_count: 0 });
    });
  });
});
