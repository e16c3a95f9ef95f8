/** Tests what an edit does to the notifications of a message, and what of its text they show. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as notifications from "../../../contract/operations/notifications.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

describe.each(ENGINES)("notifications of messages on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  /** A message of the guest, to which the member replies. */
  let parent_message_id: number;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    parent_message_id = (await fixtures.testApp.call(fixtures.guest, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "Which take?" } }))
      .response.data.id;
  }, 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => fixtures.testApp.database.write(async (tx) => void (await tx.deleteFrom("notifications").execute())));

  const list = async () => (await fixtures.testApp.call(fixtures.guest, notifications.listNotifications, { query: {} })).response;
  const send = async (body: string, extra: object = {}) =>
    (await fixtures.testApp.call(fixtures.member, chat.sendMessage, { body: { project_id: fixtures.home.project, body, ...extra } })).response.data.id;
  const edit = (message_id: number, body: string) =>
    fixtures.testApp.call(fixtures.member, messages.editMessage, { params: { project_id: fixtures.home.project, message_id }, body: { body } });
  const set = (kinds: object) => fixtures.testApp.call(fixtures.guest, notifications.updateNotificationSettings, { body: { kinds } });

  it("a reply whose edit takes the mention out is a reply, and one whose edit brings it back a mention", async () => {
    const { guest } = fixtures;
    const id = await send(`<@${guest.id}> the second`, { parent_message_id });
    const [before] = (await list()).data;
    expect(before).toMatchObject({ kind: "mention", read: false });
    await edit(id, "The second");
    expect(await list()).toMatchObject({ data: [{ id: before!.id, kind: "reply", text: "The second", read: false }], unread_count: 1 });
    await edit(id, `The second, <@${guest.id}>`);
    expect((await list()).data.map(({ kind }) => kind)).toEqual(["mention"]);
  });

  it("the mention goes if its reader wants no notifications of replies, and leaves the list if they want them elsewhere", async () => {
    const { guest } = fixtures;
    const ids = [await send(`<@${guest.id}> one`, { parent_message_id }), await send(`<@${guest.id}> two`, { parent_message_id })];
    await set({ reply: { app: false, push: true, mail: "off" } });
    await edit(ids[0]!, "one");
    expect(await list()).toMatchObject({ data: [{ text: "@guest two" }], unread_count: 1 });
    await set({ reply: { app: false, push: false, mail: "off" } });
    await edit(ids[1]!, "two");
    expect(await list()).toMatchObject({ data: [], unread_count: 0 });
    const rows = await fixtures.testApp.database.read.selectFrom("notifications").select(["kind", "message_id"]).where("account_id", "=", guest.id).execute();
    expect(rows).toEqual([{ kind: "reply", message_id: ids[0] }]);
    await set({ reply: { app: true, push: true, mail: "at_once" } });
  });

  it("a text ends before a mention that does not fit", async () => {
    const { guest } = fixtures;
    const mention = `<@${guest.id}>`;
    await send(`${"x".repeat(198)}${mention}`);
    await send(`${"x".repeat(200 - mention.length)}${mention} and more`);
    await send(`${mention} too low <`);
    expect((await list()).data.map(({ text }) => text)).toEqual(["@guest too low <", `${"x".repeat(200 - mention.length)}@guest`, "x".repeat(198)]);
  });
});
