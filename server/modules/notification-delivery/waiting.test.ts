/** Tests that push messages and emails follow the settings of their person, also those that change while one waits. */
import { describe, expect, test } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import { HOUR } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createSendingSteps, setupSendingTests } from "./sending.fixture.ts";

describe.each(ENGINES)("settings and what waits on %s", { timeout: 60_000 }, (engine) => {
  const context = setupSendingTests(engine);
  const { advance, app, passMailDelay, passPushDelay, pushes } = createSendingSteps(context);

  test("do not disturb holds everything back, and ends with one message", async () => {
    const { database, clock } = app();
    const until = clock.now() + 8 * HOUR;
    await database.write((tx) => tx.insertInto("notification_settings").values({ account_id: context.reader.id, paused_until: until }).execute());
    context.start();
    await context.mention("At night");
    advance(4 * HOUR);
    await context.settle();
    await context.mention("In the morning");
    await context.settle();
    expect([context.push.received, context.mails.received]).toEqual([[], []]);
    advance(4 * HOUR);
    await context.settle();
    expect(pushes()).toMatchObject([{ title: "2 new notifications" }]);
    expect(context.mails.received).toHaveLength(1);
  });

  test("what is due when do not disturb begins waits until its end", async () => {
    const { database, clock } = app();
    await context.mention("Just before");
    const until = clock.now() + HOUR;
    await database.write((tx) => tx.insertInto("notification_settings").values({ account_id: context.reader.id, paused_until: until }).execute());
    context.start();
    await passPushDelay();
    await passMailDelay();
    expect([context.push.received, context.mails.received]).toEqual([[], []]);
    expect((await context.loadDeliveries()).map(({ next_attempt_at }) => next_attempt_at)).toEqual([until, until]);
    advance(HOUR);
    await context.settle();
    expect([context.push.received.length, context.mails.received.length]).toEqual([1, 1]);
  });

  test("a digest is one email a day, at eight in the account's time zone", async () => {
    const { database, clock } = app();
    await app().call(context.reader, accounts.updateAccount, { body: { time_zone: "Asia/Tokyo" } });
    const kinds = JSON.stringify({ mention: { push: false, mail: "digest" } });
    await database.write((tx) => tx.insertInto("notification_settings").values({ account_id: context.reader.id, kinds }).execute());
    context.start();
    for (const text of ["first", "second"]) await context.mention(text);
    const [row, ...others] = await context.loadDeliveries();
    expect([others, row!.is_digest]).toEqual([[], 1]);
    expect(new Date(row!.next_attempt_at!).toISOString()).toMatch(/T23:00:00\.000Z$/);
    advance(row!.next_attempt_at! - clock.now());
    await context.settle();
    expect(context.mails.received.map(({ headers }) => headers["subject"])).toEqual(["2 notifications from Northwind"]);
  });

  test("a project that is muted, or a kind that is turned off, meanwhile is neither pushed nor sent", async () => {
    const { database } = app();
    const { reader } = context;
    await context.mention("before it is muted");
    expect(await context.loadDeliveries()).toHaveLength(2);
    const project_id = context.fixtures.home.project;
    const settings = { account_id: reader.id, project_id, muted: 0 as 0 | 1, kinds: JSON.stringify({ mention: { push: false } }) };
    await database.write((tx) => tx.insertInto("project_notification_settings").values(settings).execute());
    context.start();
    await passPushDelay();
    expect(pushes()).toEqual([]);
    await database.write((tx) => tx.updateTable("project_notification_settings").set({ muted: 1 }).execute());
    advance(HOUR);
    await context.settle();
    expect([pushes(), context.mails.received]).toEqual([[], []]);
  });
});
