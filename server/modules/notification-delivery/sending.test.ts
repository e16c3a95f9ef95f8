/** Tests that notifications reach browsers and inboxes, and when they do not. */
import { describe, expect, test } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as delivery from "../../../contract/operations/notification-delivery.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as session from "../../../contract/operations/session.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../lib/clock.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { subscribeBrowser } from "../../testing/notification-delivery.ts";
import { startPushService } from "../../testing/push-service.ts";
import { SESSION_IDLE_MS } from "../accounts/authentication.ts";
import { createSendingSteps, setupSendingTests } from "./sending.fixture.ts";

describe.each(ENGINES)("notifications on %s", { timeout: 60_000 }, (engine) => {
  const context = setupSendingTests(engine);
  const { advance, app, passMailDelay, passPushDelay, pushes } = createSendingSteps(context);

  test("a mention is pushed to the browser, and sent as an email a minute later", async () => {
    context.start();
    const id = await context.mention("Bass is hot at 1:23");
    await context.settle();
    expect(context.push.received).toEqual([]);
    await passPushDelay();
    const path = expect.stringMatching(/^\/projects\/\d+\/chat\/\d+$/);
    expect(pushes()).toEqual([{ title: "member mentioned you in home", body: "Bass is hot at 1:23", path, tag: `notification-${id}` }]);
    expect(context.mails.received).toEqual([]);
    await passMailDelay();
    const [mail, ...others] = context.mails.received;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: "studio@talkback.test", to: [context.reader.email] });
    expect(mail!.headers).toMatchObject({
      subject: "member mentioned you in home",
      "reply-to": "Studio <studio@talkback.test>",
      "auto-submitted": "auto-generated",
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    });
    expect(mail!.text).toMatch(/^member mentioned you in home:\n\n {4}Bass is hot at 1:23\n\nhttp:\/\/talkback\.test:3000\/projects\/\d+\/chat\/\d+\n/);
    expect((await context.loadDeliveries()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ["sent", 1],
      ["sent", 1],
    ]);
  });

  test("what is read before is neither pushed nor sent", async () => {
    context.start();
    const id = await context.mention("Seen at once");
    await app().database.write((tx) => tx.updateTable("notifications").set({ read_at: 1 }).where("id", "=", id).execute());
    await passPushDelay();
    await passMailDelay();
    expect([context.push.received, context.mails.received]).toEqual([[], []]);
    expect((await context.loadDeliveries()).map(({ state, outcome }) => [state, outcome])).toEqual([
      ["skipped", "read before"],
      ["skipped", "read before"],
    ]);
  });

  test("several notifications are one push message and one email", async () => {
    for (const text of ["one", "two", "three"]) await context.mention(text);
    context.start();
    await passPushDelay();
    expect(pushes()).toMatchObject([{ title: "3 new notifications", path: "/notifications" }]);
    await passMailDelay();
    expect(context.mails.received).toHaveLength(1);
    expect(context.mails.received[0]!.headers["subject"]).toBe("3 notifications from Northwind");
    expect(context.mails.received[0]!.text).toMatch(/one[\s\S]+two[\s\S]+three[\s\S]+-- \n/);
  });

  test("what was deleted, or is in a project that the person has left, is not sent", async () => {
    const { testApp, member, home, owner } = context.fixtures;
    const notificationId = await context.mention("A secret");
    const { message_id } = await testApp.database.read
      .selectFrom("notifications")
      .select("message_id")
      .where("id", "=", notificationId)
      .executeTakeFirstOrThrow();
    await testApp.call(member, messages.deleteMessage, { params: { project_id: home.project, message_id: message_id ?? 0 } });
    context.start();
    await passPushDelay();
    await context.mention("Still here");
    await testApp.call(owner, projects.removeProjectMember, { params: { project_id: home.project, account_id: context.reader.id } });
    await passPushDelay();
    await passMailDelay();
    expect([context.push.received, context.mails.received]).toEqual([[], []]);
  });

  test("a browser gets nothing after its person signed out there, or was disabled", async () => {
    const { testApp, owner } = context.fixtures;
    const other = await startPushService();
    const second = await subscribeBrowser(testApp, context.reader.id, other.target);
    await context.mention("To both browsers");
    await testApp.call(second.caller, session.signOut);
    context.start();
    await passPushDelay();
    expect([context.push.received.length, other.received.length]).toEqual([1, 0]);
    await context.mention("To nobody");
    await testApp.call(owner, accounts.updateMember, { params: { account_id: context.reader.id }, body: { disabled: true } });
    await passPushDelay();
    await passMailDelay();
    expect([context.push.received.length, other.received.length, context.mails.received.length]).toEqual([1, 0, 0]);
    await other.close();
  });

  test.each([404, 410])("a browser for which its push service responds with %i is removed", async (status) => {
    context.push.respondWith = { status };
    context.start();
    await context.mention("Gone");
    await passPushDelay();
    expect((await context.loadDeliveries())[0]).toMatchObject({ state: "failed", outcome: `HTTP ${status}`, next_attempt_at: null });
    expect((await app().call(context.reader, delivery.listPushSubscriptions)).response.data).toEqual([]);
    await context.mention("Only by email");
    await passPushDelay();
    expect(context.push.received).toHaveLength(1);
  });

  test("a push service that fails is tried again five times in all, and one that refuses the message is not", async () => {
    context.push.respondWith = { status: 503 };
    context.start();
    await context.mention("Busy");
    await passPushDelay();
    for (const delay of [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR]) {
      const [row] = await context.loadDeliveries();
      expect(row!.next_attempt_at! - app().clock.now()).toBe(delay);
      advance(delay);
      await context.settle();
    }
    expect(context.push.received).toHaveLength(5);
    expect((await context.loadDeliveries())[0]).toMatchObject({ state: "failed", attempts: 5, outcome: "HTTP 503" });
    context.push.respondWith = { status: 403 };
    await context.mention("Not ours");
    await passPushDelay();
    expect(context.push.received).toHaveLength(6);
    expect((await context.loadDeliveries()).filter(({ channel }) => channel === "push").at(-1)).toMatchObject({ state: "failed", outcome: "HTTP 403" });
  });

  test("a browser that has failed for five days is removed", async () => {
    context.push.respondWith = { status: 400 };
    context.start();
    await context.mention("Monday");
    await passPushDelay();
    expect((await app().call(context.reader, delivery.listPushSubscriptions)).response.data).toHaveLength(1);
    advance(5 * DAY);
    await context.mention("Saturday");
    await passPushDelay();
    expect((await app().call(context.reader, delivery.listPushSubscriptions)).response.data).toEqual([]);
  });

  test("the link in the header of an email stops all emails, those that wait too", async () => {
    context.start();
    await context.mention("First");
    await passMailDelay();
    await context.mention("Waits");
    const [, url = ""] = /^<(.*)>$/.exec(context.mails.received[0]!.headers["list-unsubscribe"] ?? "") ?? [];
    const token = new URL(url).searchParams.get("token") ?? "";
    expect(context.mails.received[0]!.text).toContain(`http://talkback.test:3000/unsubscribe#${token}\n`);
    const reply = await app().app.server.inject({
      method: "POST",
      url: new URL(url).pathname + new URL(url).search,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "List-Unsubscribe=One-Click",
    });
    expect(reply.statusCode).toBe(204);
    await passMailDelay();
    const queued = async () => (await context.loadDeliveries()).filter(({ channel }) => channel === "mail").length;
    const before = await queued();
    await context.mention("Too late");
    expect(await queued()).toBe(before);
    await passMailDelay();
    expect(context.mails.received).toHaveLength(1);
    expect(context.push.received).toHaveLength(3);
    await app().call(ANONYMOUS, delivery.applyMailLink, { body: { token, enabled: true } });
    await context.mention("Again");
    await passMailDelay();
    expect(context.mails.received).toHaveLength(2);
  });

  test("an email that the server defers is sent again as the same one, and one that it rejects is not", async () => {
    context.mails.respondWith.status = 451;
    context.start();
    await context.mention("Greylisted");
    await passMailDelay();
    expect(context.warnings).toEqual([expect.stringMatching(/^email \d+ was not sent: refused; it is retried$/)]);
    context.mails.respondWith.status = 250;
    advance(5 * SECOND);
    await context.settle();
    expect(context.mails.received).toHaveLength(1);
    context.mails.respondWith.status = 550;
    await context.mention("No mailbox");
    await passMailDelay();
    expect((await context.loadDeliveries()).at(-1)).toMatchObject({ channel: "mail", state: "failed", outcome: "rejected", attempts: 1 });
  });

  test("a test message reaches the browser at once, also while the person is not to be disturbed", async () => {
    const { database, clock } = app();
    await database.write((tx) =>
      tx
        .insertInto("notification_settings")
        .values({ account_id: context.reader.id, paused_until: clock.now() + HOUR })
        .execute(),
    );
    context.start();
    await app().call(context.reader, delivery.testPushSubscription, { params: { subscription_id: context.subscriptionId } });
    await context.push.waitForPushes(1);
    expect(pushes()).toMatchObject([{ title: "Notifications are on", tag: "test" }]);
  });

  test("addresses that do not respond delay only their own account", async () => {
    const hanging = await startPushService();
    hanging.respondWith = { status: null };
    const { testApp, neighbor } = context.fixtures;
    for (let count = 0; count < 12; count += 1) {
      const target = { ...hanging.target, endpoint: `${hanging.base}/push/${count}` };
      const { id, caller } = await subscribeBrowser(testApp, neighbor.id, target);
      await testApp.call(caller, delivery.testPushSubscription, { params: { subscription_id: id } });
    }
    context.start();
    await hanging.waitForPushes(4);
    await context.mention("Not delayed");
    await passPushDelay();
    expect(context.push.received).toHaveLength(1);
    // No more than four attempts of one account are in flight.
    expect(hanging.received).toHaveLength(4);
    await hanging.close();
  });

  // The sessions of everybody end with it, so it comes last.
  test("a browser gets nothing after its session has ended by itself", async () => {
    await context.mention("While away");
    advance(SESSION_IDLE_MS);
    context.start();
    await context.settle();
    expect(context.push.received).toEqual([]);
    expect((await context.loadDeliveries())[0]).toMatchObject({ channel: "push", state: "skipped", outcome: "signed out" });
  });
});
