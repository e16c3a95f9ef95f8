/** Changes of the review that meet each other halfway: only PostgreSQL has two writers. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "kysely";
import * as comments from "../contract/operations/comments.ts";
import * as files from "../contract/operations/files.ts";
import * as statuses from "../contract/operations/statuses.ts";
import type { FileStatus } from "../contract/records.ts";
import { startCast, type Cast } from "./testing/cast.ts";
import type { Caller } from "./testing/client.ts";
import { ENGINES } from "./testing/engines.ts";
import { upload } from "./testing/files.ts";

describe.runIf(ENGINES.includes("postgres"))("two at once in the review", { timeout: 60_000 }, () => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast("postgres")), 60_000);
  afterAll(() => cast.world.close());

  let drawn = 0;
  const fresh = () => upload(cast.world, cast.owner, { parent: cast.home.folder, name: `race ${++drawn}.wav` });
  const create = async (): Promise<FileStatus> =>
    (await cast.world.call(cast.admin, statuses.createFileStatus, { params: { team_id: cast.home.team }, body: { title: `Race ${++drawn}`, color: 2 } })).answer
      .data;
  const replace = (from: number, to: number) =>
    cast.world.call(cast.admin, statuses.deleteFileStatus, { params: { status_id: from }, query: { replacement_id: String(to) } });
  const set = (file_id: number, status_id: number, if_status_id?: number) =>
    cast.world.call(cast.member, files.setFileStatus, { body: { file_id, status_id, ...(if_status_id === undefined ? {} : { if_status_id }) } });
  const history = async (file_id: number) =>
    (await cast.world.call(cast.guest, files.statusHistory, { params: { file_id } })).answer.data.map((one) => [one.old_status?.id, one.new_status.id]);
  const begins = (status_id: number | null) =>
    cast.world.call(cast.admin, statuses.setDefaultFileStatus, { params: { team_id: cast.home.team }, body: { status_id } });

  async function waiting(count: number): Promise<void> {
    for (const end = Date.now() + 10_000; ;) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(cast.world.database.read);
      if (rows[0]?.count === count) return;
      if (Date.now() > end) throw new Error(`${rows[0]?.count} wait, not ${count}`);
      await sleep(10);
    }
  }

  /** Everybody who needs the row waits from here on, in the order in which they came. */
  async function hold(table: "file_statuses" | "topics", key: number | string): Promise<() => Promise<void>> {
    const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = cast.world.database.write(async (tx) => {
      await sql`select 1 from ${sql.table(table)} where ${sql.ref(table === "topics" ? "topic" : "id")} = ${key} for update`.execute(tx);
      held.resolve();
      await over.promise;
    });
    await held.promise;
    return async () => {
      over.resolve();
      await holding;
    };
  }

  it("a status that is set while it is being replaced is compared with what stands then, and fired once", async () => {
    // Locked in this order.
    const [from, other, to] = [await create(), await create(), await create()];
    const [same, another, unasked] = [await fresh(), await fresh(), await fresh()];
    for (const file of [same, another, unasked]) await set(file, from.id);
    const release = await hold("file_statuses", to.id);
    const replaced = replace(from.id, to.id);
    await waiting(1);
    // Those after the first one wait for their turn in the project.
    const answers = [set(same, to.id, from.id)];
    await waiting(2);
    answers.push(set(another, other.id, from.id), set(unasked, other.id));
    await waiting(4);
    await release();
    expect((await replaced).status).toBe(200);
    const [first, second, third] = await Promise.all(answers);
    expect([first?.status, second?.status, third?.status]).toEqual([200, 409, 200]);
    expect(second?.problem["current_status"]).toMatchObject({ id: to.id });
    const begun = [undefined, from.id];
    const moved = [from.id, to.id];
    expect([await history(same), await history(another), await history(unasked)]).toEqual([
      [moved, begun],
      [moved, begun],
      [[to.id, other.id], moved, begun],
    ]);
  });

  it("an upload that comes while the default is replaced begins with what took its place", async () => {
    const [from, to] = [await create(), await create()];
    await begins(from.id);
    const release = await hold("file_statuses", from.id);
    const replaced = replace(from.id, to.id);
    await waiting(1);
    const uploaded = fresh();
    await waiting(2);
    await release();
    expect((await replaced).answer.default_status_id).toBe(to.id);
    expect((await cast.world.call(cast.guest, files.getFileInfo, { body: { file_id: await uploaded } })).answer.common.status).toEqual(to);
    await begins(null);
  });

  it("who reads one comment while the next is taken back is told in the end that nothing is unread", async () => {
    const { world, member, guest, admin } = cast;
    const file = await fresh();
    const write = async () => (await world.call(guest, comments.writeComment, { params: { file_id: file }, body: { body: "x" } })).answer.data.id;
    const read = (by: Caller, last_comment_id: number) => world.call(by, comments.markCommentsRead, { params: { file_id: file }, body: { last_comment_id } });
    const told = async () =>
      (await world.database.read.selectFrom("events").select("data").where("topic", "=", `account:${member.id}`).orderBy("seq").execute()).map(({ data }) =>
        JSON.parse(data),
      );
    const [first, second] = [await write(), await write()];
    // To the admin the second alone is unread: of them the deletion tells, and so it waits.
    await read(admin, first);
    const release = await hold("topics", `account:${admin.id}`);
    const removed = world.call(guest, comments.deleteComment, { params: { comment_id: second } });
    await waiting(1);
    const marked = read(member, first);
    // Where it has to wait for the deletion, that comes first.
    await Promise.race([marked, waiting(2).catch(() => {})]);
    await release();
    await Promise.all([removed, marked]);
    expect((await told()).findLast(({ file_id }) => file_id === file)).toMatchObject({ last_read_comment_id: first, has_unread_comments: false });
  });
});
