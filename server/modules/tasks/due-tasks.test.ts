/** Tests the hourly job that notifies of tasks that are due. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as notifications from "../../../contract/operations/notifications.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import type { Database } from "../../db/database.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import type { Person } from "../../testing/people.ts";
import { notifyOfDueTasks } from "./task-notifications.ts";

describe.each(ENGINES)("tasks that are due on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(() =>
    fixtures.testApp.database.write(async (tx) => {
      await tx.deleteFrom("notifications").execute();
      await tx.deleteFrom("tasks").execute();
    }),
  );

  const list = async (person: Person) => (await fixtures.testApp.call(person, notifications.listNotifications, { query: {} })).response;
  const createTask = async (by: Person, assignee: Person, extra: object) =>
    (
      await fixtures.testApp.call(by, tasks.createTasks, {
        body: { file_id: fixtures.home.file, tasks: [{ title: "Bounce the stems", assignee_account_id: assignee.id, ...extra }] },
      })
    ).response.data[0]!.id;
  const updateTask = (by: Person, task_id: number, body: object) => fixtures.testApp.call(by, tasks.updateTask, { params: { task_id }, body });
  const deleteNotifications = () => fixtures.testApp.database.write(async (tx) => void (await tx.deleteFrom("notifications").execute()));
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

  it("a task that is due notifies its assignee in the morning of the day in their time zone, once for each date", async () => {
    const { testApp, member, guest, owner } = fixtures;
    const setZone = (id: number, time_zone: string) =>
      testApp.database.write(async (tx) => void (await tx.updateTable("accounts").set({ time_zone }).where("id", "=", id).execute()));
    await setZone(member.id, "Pacific/Auckland");
    await setZone(guest.id, "America/Los_Angeles");
    const due_date = "2026-03-05";
    const ids = [await createTask(owner, member, { due_date }), await createTask(owner, guest, { due_date })];
    await createTask(owner, guest, { due_date: "2026-02-27" });
    await deleteNotifications();
    const runAt = async (time: string) => {
      testApp.clock.advance(Date.parse(time) - testApp.clock.now());
      await testApp.app.scheduledJobs["notify of tasks that are due"]!();
      return [(await list(member)).data.length, (await list(guest)).data.length];
    };
    // Eight in the morning of March 5 is 19:00 UTC of March 4 in Auckland, and 16:00 UTC in Los Angeles.
    expect(await runAt("2026-03-04T18:59:00Z")).toEqual([0, 0]);
    expect(await runAt("2026-03-04T19:00:00Z")).toEqual([1, 0]);
    expect(await runAt("2026-03-05T15:59:00Z")).toEqual([1, 0]);
    expect(await runAt("2026-03-05T16:00:00Z")).toEqual([1, 1]);
    expect(await runAt("2026-03-05T17:00:00Z")).toEqual([1, 1]);
    expect((await list(guest)).data[0]).toMatchObject({ kind: "task_due", task_id: ids[1], account_id: null, due_date: "2026-03-05T00:00:00.000Z" });
    await updateTask(owner, ids[0]!, { due_date: "2026-03-06" });
    expect(await runAt("2026-03-05T20:00:00Z")).toEqual([2, 1]);
    await updateTask(owner, ids[1]!, { due_date: "2026-03-06", closed: true });
    expect(await runAt("2026-03-06T20:00:00Z")).toEqual([2, 2]);
    expect((await list(guest)).data.map(({ kind }) => kind)).toEqual(["task_closed", "task_due"]);
  });

  it("two processes that look for due tasks at the same time notify of each once", async () => {
    const { testApp, owner, admin } = fixtures;
    const job = testApp.app.scheduledJobs["notify of tasks that are due"]!;
    const due_date = dayOf(testApp.clock.now());
    for (let count = 0; count < 20; count += 1) await createTask(owner, admin, { due_date });
    await deleteNotifications();
    const countEvents = async () => {
      const events = testApp.database.read.selectFrom("events").where("topic", "=", `account:${admin.id}`).where("type", "=", "notifications.changed");
      return (await events.select("seq").execute()).length;
    };
    const before = await countEvents();
    await Promise.all([job(), job(), job()]);
    expect([(await list(admin)).unread_count, (await countEvents()) - before]).toEqual([20, 1]);
  });

  it("writes only for tasks whose morning has come, and for all of them at once", async () => {
    const { testApp, owner, admin } = fixtures;
    const { deps, services } = testApp.app;
    let writes = 0;
    const database = new Proxy(testApp.database, {
      get: (target, name: keyof Database) => {
        if (name === "backgroundWrite") writes += 1;
        return target[name];
      },
    });
    const run = () => notifyOfDueTasks({ ...deps, database, notify: services.notify });
    // Half past seven in the evening in UTC: it is the next day in Auckland, but not yet eight in the morning in UTC.
    testApp.clock.advance(Date.parse(`${dayOf(testApp.clock.now() + 2 * DAY)}T19:30:00Z`) - testApp.clock.now());
    for (let count = 0; count < 3; count += 1) await createTask(owner, admin, { due_date: dayOf(testApp.clock.now() + DAY / 2) });
    await deleteNotifications();
    expect([await run(), writes]).toEqual([0, 0]);
    testApp.clock.advance(DAY / 2 + HOUR);
    expect([await run(), writes]).toEqual([3, 1]);
    expect(await run()).toBe(0);
    expect((await list(admin)).data.map(({ kind }) => kind)).toEqual(["task_due", "task_due", "task_due"]);
  });
});
