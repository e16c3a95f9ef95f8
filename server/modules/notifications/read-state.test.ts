/** Tests that what somebody has seen counts as read, which all of their clients learn of, and that old notifications go. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS, NOTIFICATION_RETENTION_DAYS } from "../../../contract/limits.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as notifications from "../../../contract/operations/notifications.ts";
import { DAY } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { insertNotification } from "../../testing/notifications.ts";
import { deleteOldNotifications } from "./retention.ts";

describe.each(ENGINES)("read notifications on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const unread = async () => (await fixtures.testApp.call(fixtures.guest, notifications.listNotifications, { query: { unread: "true" } })).response;
  const publishedCounts = async () => {
    const rows = await fixtures.testApp.database.read
      .selectFrom("events")
      .select("data")
      .where("topic", "=", `account:${fixtures.guest.id}`)
      .where("type", "=", "notifications.changed")
      .orderBy("seq")
      .execute();
    return rows.map(({ data }) => (JSON.parse(data) as { unread_count: number }).unread_count);
  };
  const mention = async (body: string) =>
    (
      await fixtures.testApp.call(fixtures.member, chat.sendMessage, {
        body: { project_id: fixtures.home.project, body: `${body} <@${fixtures.guest.id}>` },
      })
    ).response.data.id;

  it("a message that was read in the chat is read, one after it is not", async () => {
    const { testApp, guest, home } = fixtures;
    const first = await mention("one");
    await mention("two");
    await testApp.call(guest, chat.moveReadMarker, { params: { project_id: home.project }, body: { message_id: first } });
    expect(await unread()).toMatchObject({ data: [{ text: "two @guest" }], unread_count: 1 });
    expect(await publishedCounts()).toEqual([1, 2, 1]);
    await testApp.call(guest, notifications.readNotifications, { body: {} });
  });

  it("a mention that an edit adds to a message already read is read when its reader opens the chat again", async () => {
    const { testApp, guest, member, home } = fixtures;
    const [params, body] = [{ project_id: home.project }, { project_id: home.project, body: "Which take?" }];
    const message_id = (await testApp.call(member, chat.sendMessage, { body })).response.data.id;
    const open = async () => (await testApp.call(guest, chat.moveReadMarker, { params, body: { message_id } })).response;
    await open();
    await testApp.call(member, messages.editMessage, { params: { ...params, message_id }, body: { body: `Which take, <@${guest.id}>?` } });
    expect((await unread()).data).toMatchObject([{ kind: "mention", text: "Which take, @guest?" }]);
    await open();
    expect(await unread()).toMatchObject({ data: [], unread_count: 0 });
    expect((await publishedCounts()).slice(-2)).toEqual([1, 0]);
  });

  it("comments that were read on the file's page are read, other notifications of the file are not", async () => {
    const { testApp, guest, member, home } = fixtures;
    await testApp.call(guest, notifications.setFileWatch, { params: { file_id: home.file }, body: { watching: true } });
    const write = async (body: string) =>
      (await testApp.call(member, comments.writeComment, { params: { file_id: home.file }, body: { body, version: 1 } })).response.data.id;
    const first = await write("one");
    await write("two");
    await insertNotification(testApp, guest.id, { project_id: home.project, kind: "file_status", file_id: home.file });
    await testApp.call(guest, comments.markCommentsRead, { params: { file_id: home.file }, body: { last_comment_id: first } });
    expect((await unread()).data.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["file_status ", "comment two"]);
    expect((await publishedCounts()).at(-1)).toBe(2);
    await testApp.call(guest, notifications.readNotifications, { body: {} });
  });

  it("an event comes only if something changed", async () => {
    const { testApp, guest } = fixtures;
    const before = await publishedCounts();
    await testApp.call(guest, notifications.readNotifications, { body: {} });
    expect(await publishedCounts()).toEqual(before);
  });

  it("the count ends at its limit", async () => {
    const { testApp, guest, home } = fixtures;
    for (let index = 0; index <= LIMITS.unread_count_max; index += 1) await insertNotification(testApp, guest.id, { project_id: home.project });
    expect((await unread()).unread_count).toBe(LIMITS.unread_count_max);
  });

  it("old ones are deleted, and of very many all but the newest", async () => {
    const { testApp, guest, member, home } = fixtures;
    const now = testApp.clock.now();
    await testApp.database.write(async (tx) => void (await tx.deleteFrom("notifications").execute()));
    const kept = await insertNotification(testApp, member.id, { project_id: home.project, created_at: now - (NOTIFICATION_RETENTION_DAYS - 1) * DAY });
    await insertNotification(testApp, member.id, { project_id: home.project, created_at: now - (NOTIFICATION_RETENTION_DAYS + 1) * DAY });
    const SURPLUS = 3;
    await testApp.database.write(async (tx) => {
      const row = { account_id: guest.id, kind: "mention" as const, project_id: home.project, in_app: 1 as const, created_at: now };
      const empty = { actor_id: null, message_id: null, comment_id: null, file_id: null, task_id: null, status_id: null, endpoint_id: null };
      const rows = Array.from({ length: LIMITS.notifications_per_account + SURPLUS }, (_, index) => ({ ...row, ...empty, dedupe_key: `many:${index}` }));
      await tx.insertInto("notifications").values(rows).execute();
    });
    const idsOf = async (id: number) =>
      (await testApp.database.read.selectFrom("notifications").select("id").where("account_id", "=", id).orderBy("id").execute()).map((row) => row.id);
    const all = await idsOf(guest.id);
    expect(await deleteOldNotifications(testApp)).toBe(SURPLUS + 1);
    expect(await idsOf(guest.id)).toEqual(all.slice(SURPLUS));
    expect(await idsOf(member.id)).toEqual([kept]);
    expect(await deleteOldNotifications(testApp)).toBe(0);
  });
});
