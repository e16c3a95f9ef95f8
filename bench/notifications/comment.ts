/**
 * Benchmarks a comment on a file that many people watch, each with a browser for push messages and an email at once, beside the same comment on a file that
 * nobody watches, and beside bare inserts of as many rows.
 * `npm run bench -- notifications`, or `node bench/notifications/comment.ts [samples]`, also on PostgreSQL if TEST_DATABASE_URL is set.
 */
import { loadavg } from "node:os";
import * as projects from "../../contract/operations/projects.ts";
import * as teams from "../../contract/operations/teams.ts";
import * as comments from "../../contract/operations/comments.ts";
import type { Database, Engine } from "../../server/db/database.ts";
import type { Tx } from "../../server/db/schema.ts";
import { markProcessed, singleFileFetcher, upload } from "../../server/testing/files.ts";
import { ENGINES } from "../../server/testing/engines.ts";
import { setUpOwner, type Person } from "../../server/testing/people.ts";
import { startTestApp, type TestApp } from "../../server/testing/test-app.ts";
import { percentile } from "../lib/statistics.ts";

const SAMPLES = Number(process.argv[2] ?? 20);
const WATCHER_COUNTS = [300, 2_000];
/** Rows per statement of the bare inserts. */
const BATCH_SIZE = 500;

interface Setting {
  testApp: TestApp;
  owner: Person;
  project: number;
  root: number;
  team: number;
}

async function open(engine: Engine): Promise<Setting> {
  const testApp = await startTestApp(engine, { fetcher: singleFileFetcher });
  const owner = await setUpOwner(testApp);
  const [team] = (await testApp.call(owner, teams.listTeams)).response.data;
  const body = { team_id: team!.id, group_id: null, name: "Album" };
  const { id, root_folder_id } = (await testApp.call(owner, projects.createProject, { body })).response.data;
  return { testApp, owner, project: id, root: root_folder_id ?? 0, team: team!.id };
}

/** Calls `insert` for so many rows, in batches. */
async function insertRows(count: number, insert: (indexes: number[]) => Promise<unknown>): Promise<void> {
  for (let offset = 0; offset < count; offset += BATCH_SIZE)
    await insert(Array.from({ length: Math.min(BATCH_SIZE, count - offset) }, (_, index) => offset + index));
}

/** Uploads a file with so many watchers, all members of the project. */
async function createFile({ testApp, owner, project, root }: Setting, watcherCount: number): Promise<number> {
  const file = await upload(testApp, owner, { parent: root, name: `watched by ${watcherCount}.wav` });
  await markProcessed(testApp, file);
  const [now, prefix] = [testApp.clock.now(), `w${watcherCount}-`];
  const { organisation_id } = await testApp.database.read.selectFrom("accounts").select("organisation_id").where("id", "=", owner.id).executeTakeFirstOrThrow();
  await testApp.database.write(async (tx) => {
    const nameOf = (index: number) => `${prefix}${index}`;
    await insertRows(watcherCount, async (indexes) => {
      const accounts = await tx
        .insertInto("accounts")
        .values(
          indexes.map((index) => ({
            organisation_id,
            role: "member" as const,
            username: nameOf(index),
            username_key: nameOf(index),
            email: `${nameOf(index)}@example.test`,
            email_key: `${nameOf(index)}@example.test`,
            password_hash: "",
            user_info: "",
            created_at: now,
          })),
        )
        .returning(["id", "email_key"])
        .execute();
      const each = <T>(row: (account_id: number) => T): T[] => accounts.map(({ id }) => row(id));
      await tx
        .insertInto("project_members")
        .values(each((account_id) => ({ project_id: project, account_id, added_at: now })))
        .execute();
      await tx
        .insertInto("file_watchers")
        .values(each((account_id) => ({ file_id: file, account_id, watching: 1 as const, created_at: now })))
        .execute();
      await tx
        .insertInto("notification_settings")
        .values(each((account_id) => ({ account_id, kinds: '{"comment":{"mail":"at_once"}}' })))
        .execute();
      await tx
        .insertInto("confirmed_addresses")
        .values(accounts.map(({ id, email_key }) => ({ account_id: id, email_key, confirmed_at: now })))
        .execute();
      const session = (account_id: number) => ({ account_id, token_hash: `${account_id}`, user_agent: "", address: "", created_at: now, last_seen_at: now });
      const sessions = await tx.insertInto("sessions").values(each(session)).returning(["id", "account_id"]).execute();
      await tx
        .insertInto("push_subscriptions")
        .values(sessions.map(({ id, account_id }) => ({ account_id, session_id: id, endpoint_hash: `${id}`, target: "", created_at: now })))
        .execute();
    });
  });
  return file;
}

/** Writes a comment and returns the milliseconds until the response. */
async function comment({ testApp, owner }: Setting, file_id: number): Promise<number> {
  const startedAt = performance.now();
  await testApp.call(owner, comments.writeComment, { params: { file_id }, body: { body: "The snare is too loud", version: 1 } });
  return performance.now() - startedAt;
}

/** Inserts the rows that a comment causes, with as many statements as the number of values allows. Returns the milliseconds of the transaction. */
async function insertBare(database: Database, accountIds: readonly number[], round: number): Promise<number> {
  const startedAt = performance.now();
  await database.write((tx) =>
    insertRows(accountIds.length, async (indexes) =>
      insertBatch(
        tx,
        indexes.map((index) => accountIds[index]!),
        round,
      ),
    ),
  );
  return performance.now() - startedAt;
}

async function insertBatch(tx: Tx, accountIds: readonly number[], round: number): Promise<void> {
  const subject = { project_id: null, actor_id: null, message_id: null, comment_id: null, file_id: null, task_id: null, status_id: null, endpoint_id: null };
  const notifications = await tx
    .insertInto("notifications")
    .values(
      accountIds.map((account_id) => ({ account_id, kind: "comment" as const, dedupe_key: `bare ${round}`, ...subject, in_app: 1 as const, created_at: 1 })),
    )
    .returning("id")
    .execute();
  await tx
    .insertInto("events")
    .values(
      accountIds.map((id) => ({
        topic: `bare:${id}`,
        seq: round,
        type: "bare",
        data: '{"unread_count":1}',
        created_at: 1,
        message_id: null,
        quoted_id: null,
        comment_id: null,
      })),
    )
    .execute();
  const delivery = {
    is_test: 0 as const,
    is_digest: 0 as const,
    state: "pending" as const,
    subscription_id: null,
    next_attempt_at: 1,
    lease_until: null,
    lease_token: null,
    created_at: 1,
  };
  for (const channel of ["push", "mail"] as const) {
    const deliveries = await tx
      .insertInto("notification_deliveries")
      .values(accountIds.map((account_id) => ({ account_id, channel, ...delivery })))
      .returning("id")
      .execute();
    const items = deliveries.map(({ id }, index) => ({ delivery_id: id, notification_id: notifications[index]!.id }));
    await tx.insertInto("notification_delivery_items").values(items).execute();
  }
}

/** Deletes what waits to be sent, so that the next comment creates deliveries and does not add to these. */
const deleteDeliveries = ({ testApp }: Setting) => testApp.database.write(async (tx) => void (await tx.deleteFrom("notification_deliveries").execute()));

async function measure(engine: Engine): Promise<void> {
  const setting = await open(engine);
  const unwatched = await createFile(setting, 0);
  for (const watcherCount of WATCHER_COUNTS) {
    const file = await createFile(setting, watcherCount);
    const { read } = setting.testApp.database;
    const watchers = await read.selectFrom("file_watchers").select("account_id").where("file_id", "=", file).orderBy("account_id").execute();
    const accountIds = watchers.map(({ account_id }) => account_id).filter((id) => id !== setting.owner.id);
    const times: Record<string, number[]> = { "nobody watches": [], "all new deliveries": [], "added to waiting deliveries": [], "bare inserts": [] };
    // They alternate, so that other load on the machine affects all alike.
    for (let round = -2; round < SAMPLES; round += 1) {
      await deleteDeliveries(setting);
      const sample = {
        "nobody watches": await comment(setting, unwatched),
        "all new deliveries": await comment(setting, file),
        "added to waiting deliveries": await comment(setting, file),
        "bare inserts": await insertBare(setting.testApp.database, accountIds, watcherCount * 1_000 + round),
      };
      if (round >= 0) for (const [name, time] of Object.entries(sample)) times[name]!.push(time);
    }
    console.log(`${engine}: ${watcherCount} watchers, ${SAMPLES} comments, p50 / p95 in ms; load ${loadavg()[0]?.toFixed(1)}`);
    for (const [name, samples] of Object.entries(times))
      console.log(`  ${name.padEnd(28)} ${[0.5, 0.95].map((share) => percentile(samples, share).toFixed(1)).join(" / ")}`);
  }
  await setting.testApp.close();
}

for (const engine of ENGINES) await measure(engine);
