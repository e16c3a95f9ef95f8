import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { openPostgresDatabase, openSqliteDatabase, type Database } from "../../db/database.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

let failsOnCommit = false;
/** Fails a transaction after all of its work, before the commit. */
const breakable = (database: Database): Database => ({
  ...database,
  get read() {
    return database.read;
  },
  write: (work) =>
    database.write(async (tx) => {
      const result = await work(tx);
      if (failsOnCommit) throw new Error("the commit failed");
      return result;
    }),
});

describe.each(ENGINES)("task events on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => {
    fixtures = await createFixtures(engine, {
      connect: async (location) => breakable(engine === "sqlite" ? openSqliteDatabase(location) : openPostgresDatabase(location)),
    });
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const create = async (overrides: object = {}, by: Caller = fixtures.member): Promise<number> => {
    const { data } = (
      await fixtures.testApp.call(by, tasks.createTasks, { body: { file_id: fixtures.home.file, tasks: [{ title: "Bounce the stems", ...overrides }] } })
    ).response;
    return data[0]?.id ?? 0;
  };
  const update = (task_id: number, body: object, by: Caller = fixtures.member) => fixtures.testApp.call(by, tasks.updateTask, { params: { task_id }, body });
  const closedEvents = async (taskId: number): Promise<any[]> => {
    const rows = await fixtures.testApp.database.read.selectFrom("outbound_events").selectAll().where("type", "=", "task.closed").execute();
    return rows.map((row) => ({ row, data: JSON.parse(row.data) })).filter(({ data }) => data.id === taskId);
  };
  const loadTaskEvents = async (topic: string): Promise<{ type: string; data: any }[]> => {
    const rows = await fixtures.testApp.database.read.selectFrom("events").selectAll().where("topic", "=", topic).orderBy("seq").execute();
    return rows.filter(({ type }) => type.startsWith("task")).map(({ type, data }) => ({ type, data: JSON.parse(data) }));
  };
  const loadEventsOfTask = async (id: number) => (await loadTaskEvents(`project:${fixtures.home.project}`)).filter(({ data }) => data.id === id);
  const countAccountEvents = async ({ id }: { id: number }) => (await loadTaskEvents(`account:${id}`)).length;

  test("task.closed carries the task record after closing and who closed it", async () => {
    const id = await create({ assignee_account_id: fixtures.guest.id, due_date: "2026-03-09" });
    fixtures.testApp.clock.advance(5_000);
    const record = (await update(id, { closed: true }, fixtures.guest)).response.data;
    const [event, ...rest] = await closedEvents(id);
    expect(rest).toEqual([]);
    expect(event.data).toEqual({ ...record, changed_by_account_id: fixtures.guest.id });
    expect(event.data).toMatchObject({
      object: "task",
      id,
      title: "Bounce the stems",
      file_id: fixtures.home.file,
      assignee_account_id: fixtures.guest.id,
      due_date: "2026-03-09T00:00:00.000Z",
      closed: true,
      closed_at: new Date(fixtures.testApp.clock.now()).toISOString(),
      created_by_account_id: fixtures.member.id,
      changed_by_account_id: fixtures.guest.id,
    });
    expect(event.row).toMatchObject({ organisation_id: 1, created_at: fixtures.testApp.clock.now() });
  });

  test("task.closed is written once per actual closing, even for simultaneous requests", async () => {
    const id = await create();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => update(id, { closed: true }, index % 2 === 0 ? fixtures.member : fixtures.admin)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await closedEvents(id)).toHaveLength(1);
    await update(id, { title: "Still closed", closed: true });
    expect(await closedEvents(id)).toHaveLength(1);
    await update(id, { closed: false });
    expect((await update(id, { closed: true })).response.data).toMatchObject({ closed: true, title: "Still closed" });
    expect(await closedEvents(id)).toHaveLength(2);
    expect((await loadEventsOfTask(id)).map(({ type, data }) => [type, data.closed ?? null, data.revision])).toEqual([
      ["task.created", false, 1],
      ["task.updated", true, 2],
      ["task.updated", true, 3],
      ["task.updated", false, 4],
      ["task.updated", true, 5],
    ]);
  });

  test("requests that are rejected, rolled back or without a change publish nothing", async () => {
    const id = await create();
    const eventsBefore = await loadEventsOfTask(id);
    expect((await update(id, { closed: true }, fixtures.guest)).status).toBe(403);
    expect((await update(id, { closed: true }, fixtures.neighbor)).status).toBe(404);
    expect((await update(id, { closed: true, assignee_account_id: fixtures.neighbor.id })).status).toBe(400);
    expect((await update(id, { title: " Bounce the stems ", closed: false, due_date: null, assignee_account_id: null })).response.data.revision).toBe(1);
    failsOnCommit = true;
    try {
      const requestTask = (operation: typeof tasks.updateTask | typeof tasks.deleteTask, body?: object) =>
        fixtures.testApp.callUntyped(fixtures.member, operation, { params: { task_id: id }, body });
      expect((await requestTask(tasks.updateTask, { closed: true })).status).toBe(500);
      expect((await requestTask(tasks.deleteTask)).status).toBe(500);
    } finally {
      failsOnCommit = false;
    }
    expect(await closedEvents(id)).toEqual([]);
    expect(await loadEventsOfTask(id)).toEqual(eventsBefore);
    expect((await fixtures.testApp.call(fixtures.guest, tasks.getTask, { params: { task_id: id } })).response.data).toMatchObject({
      closed: false,
      revision: 1,
    });
  });

  test("current, former and new assignees are notified in their account topic", async () => {
    const [member, guest, admin] = [
      await countAccountEvents(fixtures.member),
      await countAccountEvents(fixtures.guest),
      await countAccountEvents(fixtures.admin),
    ];
    const id = await create({ assignee_account_id: fixtures.guest.id });
    expect(await countAccountEvents(fixtures.guest)).toBe(guest + 1);
    await update(id, { assignee_account_id: fixtures.admin.id });
    expect([await countAccountEvents(fixtures.guest), await countAccountEvents(fixtures.admin)]).toEqual([guest + 2, admin + 1]);
    await update(id, { title: "Other words" });
    await fixtures.testApp.call(fixtures.member, tasks.deleteTask, { params: { task_id: id } });
    expect([await countAccountEvents(fixtures.member), await countAccountEvents(fixtures.guest), await countAccountEvents(fixtures.admin)]).toEqual([
      member,
      guest + 2,
      admin + 3,
    ]);
    expect((await loadEventsOfTask(id)).at(-1)).toEqual({ type: "task.deleted", data: { id, file_id: fixtures.home.file } });
  });

  test("simultaneously created tasks of a file get consecutive positions", async () => {
    const folder = (await fixtures.testApp.call(fixtures.member, files.createFolder, { body: { parent_id: fixtures.home.root, name: `Crowd ${engine}` } }))
      .response.data.id;
    const people = [fixtures.member, fixtures.guest, fixtures.admin, fixtures.owner];
    const created = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const body = { file_id: folder, tasks: [{ title: `${index}`, assignee_account_id: people[index % 4]?.id ?? null }, { title: `${index} more` }] };
        return (await fixtures.testApp.call(people[(index + 1) % 4] ?? fixtures.owner, tasks.createTasks, { body })).response.data;
      }),
    );
    const positions = (await fixtures.testApp.call(fixtures.guest, tasks.listFolderTasks, { body: { file_id: folder } })).response.data.map(
      ({ position }) => position,
    );
    expect(positions).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    for (const [first, second] of created) expect((second?.position ?? 0) - (first?.position ?? 0)).toBe(1);
  });

  test("a task shows the current name of its file", async () => {
    const id = await create();
    await fixtures.testApp.call(fixtures.member, files.renameFile, { body: { file_id: fixtures.home.file, name: `final ${engine}.wav` } });
    expect((await fixtures.testApp.call(fixtures.guest, tasks.getTask, { params: { task_id: id } })).response.data.file_name).toBe(`final ${engine}.wav`);
  });

  test("a deletion is recorded in the audit log with its account", async () => {
    const id = await create();
    await fixtures.testApp.call(fixtures.member, tasks.deleteTask, { params: { task_id: id } });
    const entry = await fixtures.testApp.database.read.selectFrom("audit").selectAll().where("target", "=", `task:${id}`).executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ action: "task.deleted", account_id: fixtures.member.id, organisation_id: 1 });
  });
});
