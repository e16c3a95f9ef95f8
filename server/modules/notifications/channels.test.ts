/** Tests where notifications go: by the settings of the account and the project, and when push messages and emails wait. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Channels, NotificationKind } from "../../../contract/notification-records.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as notifications from "../../../contract/operations/notifications.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { findQuietEnd } from "./quiet-time.ts";
import { createNotify, type CreatedNotification } from "./notify.ts";

describe.each(ENGINES)("where notifications go on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let created: readonly CreatedNotification[];
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(async () => {
    await fixtures.testApp.database.write(async (tx) => {
      for (const table of ["notification_settings", "project_notification_settings"] as const) await tx.deleteFrom(table).execute();
      await tx.updateTable("accounts").set({ time_zone: null }).execute();
    });
  });

  let counter = 0;
  /** Notifies the member, and returns where the notification goes; undefined if there is none. */
  async function notify(kind: NotificationKind): Promise<(Channels & { quietUntil: number | null }) | undefined> {
    const { testApp, member, home } = fixtures;
    created = [];
    const run = createNotify({ ...testApp.app.deps, onCreated: async (_tx, rows) => void (created = rows) });
    const input = { kind, actorId: null, projectId: home.project, recipientIds: [member.id], dedupeKey: `channels:${++counter}`, isRenewed: false };
    await testApp.database.write((tx) => run(tx, [{ ...input, subject: {} }]));
    const [first] = created;
    return first && { app: first.notification.in_app === 1, push: first.push, mail: first.mail, quietUntil: first.quietUntil };
  }
  const update = (body: object) => fixtures.testApp.call(fixtures.member, notifications.updateNotificationSettings, { body });
  const updateProject = (body: object) =>
    fixtures.testApp.call(fixtures.member, notifications.updateProjectNotificationSettings, { params: { project_id: fixtures.home.project }, body });

  it("are the defaults, then the account's, then the project's", async () => {
    expect(await notify("mention")).toEqual({ app: true, push: true, mail: "at_once", quietUntil: null });
    expect(await notify("task_closed")).toEqual({ app: true, push: false, mail: "off", quietUntil: null });
    await update({ kinds: { mention: { mail: "digest" } } });
    expect(await notify("mention")).toMatchObject({ app: true, push: true, mail: "digest" });
    await updateProject({ kinds: { mention: { push: false } } });
    expect(await notify("mention")).toMatchObject({ app: true, push: false, mail: "digest" });
    expect(await notify("reply")).toMatchObject({ app: true, push: true, mail: "at_once" });
  });

  it("a kind without the list is not listed or counted, but goes elsewhere; one without any channel is not created", async () => {
    const { testApp, member } = fixtures;
    const unread = async () => (await testApp.call(member, notifications.listNotifications, { query: {} })).response.unread_count;
    const before = await unread();
    await update({ kinds: { mention: { app: false } } });
    expect(await notify("mention")).toMatchObject({ app: false, push: true });
    await update({ kinds: { mention: { push: false, mail: "off" } } });
    expect(await notify("mention")).toBeUndefined();
    expect(await unread()).toBe(before);
  });

  it("a muted project causes none until it is no longer muted", async () => {
    await updateProject({ muted: true });
    expect(await notify("mention")).toBeUndefined();
    await updateProject({ muted: false });
    expect(await notify("mention")).toBeDefined();
  });

  it("push messages and emails wait while the person is not to be disturbed, in their time zone, and while they are paused", async () => {
    const { testApp, member } = fixtures;
    // 9:00 in UTC, 10:00 in Zagreb.
    const now = testApp.clock.now();
    expect(new Date(now).toISOString()).toBe("2026-03-02T09:00:00.000Z");
    await update({ do_not_disturb: { start: "09:30", end: "10:30" } });
    expect(await notify("mention")).toMatchObject({ quietUntil: null });
    await testApp.call(member, accounts.updateAccount, { body: { time_zone: "Europe/Zagreb" } });
    expect(await notify("mention")).toMatchObject({ app: true, quietUntil: Date.parse("2026-03-02T09:30:00Z") });
    await update({ do_not_disturb: null, paused_until: "2026-03-02T11:00:00Z" });
    expect(await notify("mention")).toMatchObject({ app: true, quietUntil: Date.parse("2026-03-02T11:00:00Z") });
  });
});

describe("the end of a quiet time", () => {
  const at = (time: string) => Date.parse(time);
  const night = { kinds: "{}", do_not_disturb_start: 22 * 60, do_not_disturb_end: 7 * 60, paused_until: null };
  it.each([
    ["before it", "2026-03-02T21:59:59Z", "UTC", null],
    ["in the evening, until the next day", "2026-03-02T22:00:00Z", "UTC", "2026-03-03T07:00:00Z"],
    ["in the morning of the same night", "2026-03-03T06:59:59Z", "UTC", "2026-03-03T07:00:00Z"],
    ["after it", "2026-03-03T07:00:00Z", "UTC", null],
    ["in a zone ahead", "2026-03-02T17:00:00Z", "Asia/Kolkata", "2026-03-03T01:30:00Z"],
    ["in a night whose clocks are turned forward", "2026-03-28T22:00:00Z", "Europe/Zagreb", "2026-03-29T05:00:00Z"],
    ["in a night whose clocks are turned back", "2026-10-24T21:00:00Z", "Europe/Zagreb", "2026-10-25T06:00:00Z"],
  ])("%s", (_, now, zone, end) => expect(findQuietEnd(night, zone, at(now))).toBe(end === null ? null : at(end)));

  it("ends after a pause, unless that ends in a quiet time", () => {
    const paused = (until: string) => ({ ...night, paused_until: at(until) });
    expect(findQuietEnd(paused("2026-03-02T12:00:00Z"), "UTC", at("2026-03-02T11:00:00Z"))).toBe(at("2026-03-02T12:00:00Z"));
    expect(findQuietEnd(paused("2026-03-02T23:00:00Z"), "UTC", at("2026-03-02T11:00:00Z"))).toBe(at("2026-03-03T07:00:00Z"));
    expect(findQuietEnd(paused("2026-03-02T10:00:00Z"), "UTC", at("2026-03-02T11:00:00Z"))).toBeNull();
    const day = { ...night, do_not_disturb_start: 9 * 60, do_not_disturb_end: 17 * 60 };
    expect(findQuietEnd(day, "UTC", at("2026-03-02T16:59:00Z"))).toBe(at("2026-03-02T17:00:00Z"));
    expect(findQuietEnd(day, "UTC", at("2026-03-02T22:00:00Z"))).toBeNull();
  });
});
