import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { openPostgresDatabase, openSqliteDatabase, type Database } from "../../db/database.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";

let breaksAtCommit = false;
/** All of a change's work is done, and then it cannot be committed. */
const breakable = (database: Database): Database => ({
  ...database,
  get read() {
    return database.read;
  },
  write: (work) =>
    database.write(async (tx) => {
      const result = await work(tx);
      if (breaksAtCommit) throw new Error("the commit failed");
      return result;
    }),
});

describe.each(ENGINES)("what is told of tasks, on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await startCast(engine, {
      connect: async (location) => breakable(engine === "sqlite" ? openSqliteDatabase(location) : openPostgresDatabase(location)),
    });
  }, 60_000);
  afterAll(() => cast.world.close());

  const create = async (more: object = {}, by: Caller = cast.member): Promise<number> => {
    const { data } = (await cast.world.call(by, tasks.createTasks, { body: { file_id: cast.home.file, tasks: [{ title: "Bounce the stems", ...more }] } }))
      .answer;
    return data[0]?.id ?? 0;
  };
  const update = (task_id: number, body: object, by: Caller = cast.member) => cast.world.call(by, tasks.updateTask, { params: { task_id }, body });
  const closedEvents = async (taskId: number): Promise<any[]> => {
    const rows = await cast.world.database.read.selectFrom("outbound_events").selectAll().where("type", "=", "task.closed").execute();
    return rows.map((row) => ({ row, data: JSON.parse(row.data) })).filter(({ data }) => data.id === taskId);
  };
  const live = async (topic: string): Promise<{ type: string; data: any }[]> => {
    const rows = await cast.world.database.read.selectFrom("events").selectAll().where("topic", "=", topic).orderBy("seq").execute();
    return rows.filter(({ type }) => type.startsWith("task")).map(({ type, data }) => ({ type, data: JSON.parse(data) }));
  };
  const ofTask = async (id: number) => (await live(`project:${cast.home.project}`)).filter(({ data }) => data.id === id);
  const toldTo = async ({ id }: { id: number }) => (await live(`account:${id}`)).length;

  test("task.closed carries the task record as it stands after closing, and who closed it", async () => {
    const id = await create({ assignee_account_id: cast.guest.id, due_date: "2026-03-09" });
    cast.world.clock.pass(5_000);
    const record = (await update(id, { closed: true }, cast.guest)).answer.data;
    const [event, ...more] = await closedEvents(id);
    expect(more).toEqual([]);
    expect(event.data).toEqual({ ...record, changed_by_account_id: cast.guest.id });
    expect(event.data).toMatchObject({
      object: "task",
      id,
      title: "Bounce the stems",
      file_id: cast.home.file,
      assignee_account_id: cast.guest.id,
      due_date: "2026-03-09T00:00:00.000Z",
      closed: true,
      closed_at: new Date(cast.world.clock.now()).toISOString(),
      created_by_account_id: cast.member.id,
      changed_by_account_id: cast.guest.id,
    });
    expect(event.row).toMatchObject({ organisation_id: 1, created_at: cast.world.clock.now() });
  });

  test("once for each time that it really was closed, however often and by however many it is asked for", async () => {
    const id = await create();
    const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => update(id, { closed: true }, index % 2 === 0 ? cast.member : cast.admin)));
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await closedEvents(id)).toHaveLength(1);
    await update(id, { title: "Still closed", closed: true });
    expect(await closedEvents(id)).toHaveLength(1);
    await update(id, { closed: false });
    expect((await update(id, { closed: true })).answer.data).toMatchObject({ closed: true, title: "Still closed" });
    expect(await closedEvents(id)).toHaveLength(2);
    expect((await ofTask(id)).map(({ type, data }) => [type, data.closed ?? null, data.revision])).toEqual([
      ["task.created", false, 1],
      ["task.updated", true, 2],
      ["task.updated", true, 3],
      ["task.updated", false, 4],
      ["task.updated", true, 5],
    ]);
  });

  test("nothing of what is refused or rolled back, and nothing of what changes nothing", async () => {
    const id = await create();
    const seen = await ofTask(id);
    expect((await update(id, { closed: true }, cast.guest)).status).toBe(403);
    expect((await update(id, { closed: true }, cast.neighbour)).status).toBe(404);
    expect((await update(id, { closed: true, assignee_account_id: cast.neighbour.id })).status).toBe(400);
    expect((await update(id, { title: " Bounce the stems ", closed: false, due_date: null, assignee_account_id: null })).answer.data.revision).toBe(1);
    breaksAtCommit = true;
    try {
      const wild = (operation: typeof tasks.updateTask | typeof tasks.deleteTask, body?: object) =>
        cast.world.wild(cast.member, operation, { params: { task_id: id }, body });
      expect((await wild(tasks.updateTask, { closed: true })).status).toBe(500);
      expect((await wild(tasks.deleteTask)).status).toBe(500);
    } finally {
      breaksAtCommit = false;
    }
    expect(await closedEvents(id)).toEqual([]);
    expect(await ofTask(id)).toEqual(seen);
    expect((await cast.world.call(cast.guest, tasks.getTask, { params: { task_id: id } })).answer.data).toMatchObject({ closed: false, revision: 1 });
  });

  test("those whose task it is, was or becomes hear of it wherever they look", async () => {
    const [member, guest, admin] = [await toldTo(cast.member), await toldTo(cast.guest), await toldTo(cast.admin)];
    const id = await create({ assignee_account_id: cast.guest.id });
    expect(await toldTo(cast.guest)).toBe(guest + 1);
    await update(id, { assignee_account_id: cast.admin.id });
    expect([await toldTo(cast.guest), await toldTo(cast.admin)]).toEqual([guest + 2, admin + 1]);
    await update(id, { title: "Other words" });
    await cast.world.call(cast.member, tasks.deleteTask, { params: { task_id: id } });
    expect([await toldTo(cast.member), await toldTo(cast.guest), await toldTo(cast.admin)]).toEqual([member, guest + 2, admin + 3]);
    expect((await ofTask(id)).at(-1)).toEqual({ type: "task.deleted", data: { id, file_id: cast.home.file } });
  });

  test("twenty at once on one file stand one after the other, each with its own place", async () => {
    const folder = (await cast.world.call(cast.member, files.makeFolder, { body: { parent_id: cast.home.root, name: `Crowd ${engine}` } })).answer.data.id;
    const people = [cast.member, cast.guest, cast.admin, cast.owner];
    const made = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const body = { file_id: folder, tasks: [{ title: `${index}`, assignee_account_id: people[index % 4]?.id ?? null }, { title: `${index} more` }] };
        return (await cast.world.call(people[(index + 1) % 4] ?? cast.owner, tasks.createTasks, { body })).answer.data;
      }),
    );
    const positions = (await cast.world.call(cast.guest, tasks.tasksByFolder, { body: { file_id: folder } })).answer.data.map(({ position }) => position);
    expect(positions).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    for (const [first, second] of made) expect((second?.position ?? 0) - (first?.position ?? 0)).toBe(1);
  });

  test("a record says what its file is called now", async () => {
    const id = await create();
    await cast.world.call(cast.member, files.renameFile, { body: { file_id: cast.home.file, name: `final ${engine}.wav` } });
    expect((await cast.world.call(cast.guest, tasks.getTask, { params: { task_id: id } })).answer.data.file_name).toBe(`final ${engine}.wav`);
  });

  test("what is deleted is written down with who did it", async () => {
    const id = await create();
    await cast.world.call(cast.member, tasks.deleteTask, { params: { task_id: id } });
    const entry = await cast.world.database.read.selectFrom("audit").selectAll().where("target", "=", `task:${id}`).executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ action: "task.deleted", account_id: cast.member.id, organisation_id: 1 });
  });
});
