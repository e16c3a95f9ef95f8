/** Tests that no list, filled with the longest records, is answered with much more than 1 MB, and that paging on returns every record once. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../contract/limits.ts";
import { operations } from "../../contract/operations/all.ts";
import { recordResults } from "../delivery/record-results.ts";
import { AGENT_LIMITS } from "../testing/bounded-lists/agent-lists.ts";
import { AGENT_ACTION_CASES } from "../testing/bounded-lists/agent-action-lists.ts";
import { AGENT_TASK_CASES } from "../testing/bounded-lists/agent-task-lists.ts";
import { FAVORITE_CASES } from "../testing/bounded-lists/favorite-lists.ts";
import { range } from "../testing/bounded-lists/fill.ts";
import { LIMITED } from "../testing/bounded-lists/limited-lists.ts";
import { METADATA_CASES, METADATA_LIMITS } from "../testing/bounded-lists/metadata-lists.ts";
import { PLAYLIST_LIMITS } from "../testing/bounded-lists/playlist-lists.ts";
import { CASES as PAGED_CASES, type Page } from "../testing/bounded-lists/paged-lists.ts";
import { ANONYMOUS } from "../testing/client.ts";
import { ENGINES } from "../testing/engines.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { createSessions, PASSWORD } from "../testing/people.ts";
import { insertDelivery, recordAttempt, registerEndpoint, WEBHOOK_URL } from "../testing/webhooks.ts";
import { MAX_PAGE_BYTES } from "./paging.ts";

const LIMITS_OF_COUNT = [...LIMITED, ...PLAYLIST_LIMITS, ...METADATA_LIMITS, ...AGENT_LIMITS];
const CASES = [...PAGED_CASES, ...AGENT_TASK_CASES, ...AGENT_ACTION_CASES, ...FAVORITE_CASES, ...METADATA_CASES];
/** Envelope, and the difference between a row and its record in lists that measure rows. */
const TOLERANCE = 1.3;

/** Rows of at most a few hundred bytes, of which a page has at most 200: cut by `toPage` in any case. */
const SHORT_RECORDS = [
  "listGroupsV2",
  "listTeamsV2",
  "listTasks",
  "listNotifications",
  "listProjectNotificationSettings",
  "listProjects",
  "listDeletedProjects",
  "listMembers",
  "listAgents",
  "listAuditEntries",
  "listPlaylists",
  "listDeliveries",
  "listSubscriptionDeliveries",
  "findFiles",
  "searchKnowledgeBase",
  "listFilePages",
  "listFileMessages",
];
/** As many as the request named, or as a limit of the contract allows. */
const LIMITED_COUNT = [
  "moveFiles",
  "restoreFiles",
  "createTasks",
  "addPlaylistItems",
  "loadTasksFromTemplate",
  "updateProjectMetadata",
  "listTaskTemplates",
  "listWebhookEndpoints",
  "listEventSubscriptions",
  "listFileStatuses",
  "deleteFileStatus",
  "orderFileStatuses",
  "setDefaultFileStatus",
];
/** One for each organization: no operation creates another. */
const SINGLE = ["listTeams"];
/** Tested below: older ones make way for newer ones. */
const NEWEST = ["listSessions", "listAttempts"];
/** One for each session of the account. */
const ONE_PER_SESSION = ["listPushSubscriptions"];

it("every list is in one of the groups", () => {
  const lists = Object.entries(operations).filter(([, { response }]) => {
    const shape = (response as { _zod?: { def: { shape?: { data?: { _zod: { def: { type: string } } } } } } } | null)?._zod?.def.shape;
    return shape?.data?._zod.def.type === "array";
  });
  const grouped = [
    ...CASES.map(([name]) => name.split(",")[0]),
    ...SHORT_RECORDS,
    ...LIMITED_COUNT,
    ...LIMITS_OF_COUNT.map(([name]) => name).filter((name) => name.startsWith("list")),
    ...SINGLE,
    ...NEWEST,
    ...ONE_PER_SESSION,
  ];
  expect([...new Set(grouped)].toSorted()).toEqual(lists.map(([name]) => name).toSorted());
});

describe.each(ENGINES)("lists of the longest records on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  it.each(CASES)("%s", async (_, operation, { prepare, records, hasOthers }) => {
    const { testApp, member } = fixtures;
    const inputOf = await testApp.database.write((tx) => prepare(tx, fixtures));
    const ids: number[] = [];
    let pageCount = 0;
    for (let previous: Page | null = null, input = inputOf(null); input; input = inputOf(previous)) {
      const { response } = await testApp.callUntyped(member, operation, input);
      const page = response as Page;
      pageCount += 1;
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MAX_PAGE_BYTES * TOLERANCE);
      expect(page.data.length).toBeGreaterThan(0);
      ids.push(...page.data.map(({ id, number, file_id }: { id?: number; number?: number; file_id?: number }) => id ?? number ?? file_id ?? 0));
      previous = page;
    }
    if (records > 0) expect(pageCount).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
    if (hasOthers) expect(ids.length).toBeGreaterThanOrEqual(records);
    else expect(ids).toHaveLength(records);
  });

  it("a page around a message has it, and tells truthfully what lies beyond", async () => {
    const { testApp, member, home } = fixtures;
    const all = (await sql<{ id: number }>`select id from messages where project_id = ${home.project} order by id`.execute(testApp.database.read)).rows.map(
      ({ id }) => id,
    );
    for (const around_id of [all[0], all[Math.floor(all.length / 2)], all.at(-1)]) {
      const { response } = await testApp.callUntyped(member, operations.chatHistory, { body: { project_id: home.project, around_id, limit: 200 } });
      const { data, has_more_before, has_more_after } = response as Page;
      const ids = data.map(({ id }) => id);
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(MAX_PAGE_BYTES * TOLERANCE);
      expect(ids).toContain(around_id);
      expect(ids).toEqual(all.slice(all.indexOf(ids[0] ?? 0), all.indexOf(ids[0] ?? 0) + ids.length));
      expect([has_more_before, has_more_after]).toEqual([ids[0] !== all[0], ids.at(-1) !== all.at(-1)]);
    }
  });

  it.each(LIMITS_OF_COUNT)(
    "%s: as many as there can be are one answer, and one more is refused",
    async (_, { limit, fill, list, create: [operation, inputOf], denial }) => {
      const { testApp, owner, neighbor } = fixtures;
      await testApp.database.write((tx) => tx.updateTable("accounts").set({ disabled_at: 1 }).where("id", "=", neighbor.id).execute());
      await testApp.database.write((tx) => fill(tx, fixtures));
      if (list) {
        const [operationOfList, input] = list;
        const { response, text } = await testApp.callUntyped(owner, operationOfList, typeof input === "function" ? input(fixtures) : input);
        expect((response as Page).data).toHaveLength(limit);
        expect(text.length).toBeLessThan(MAX_PAGE_BYTES * TOLERANCE);
      }
      const { status, problem } = await testApp.callUntyped(owner, operation, inputOf(fixtures));
      expect([status, problem.detail]).toEqual([409, expect.stringMatching(denial)]);
    },
  );

  it("listReaders: everybody of a full organization is one answer", async () => {
    const { text, response } = await fixtures.testApp.callUntyped(fixtures.owner, operations.listReaders, { params: { project_id: fixtures.home.project } });
    expect((response as Page).data.length).toBeGreaterThanOrEqual(LIMITS.people);
    expect(text.length).toBeLessThan(MAX_PAGE_BYTES * TOLERANCE);
  });

  it("listSessions: signing in ends the session that was used longest ago beyond the limit", async () => {
    const { testApp, admin } = fixtures;
    const oldest = await createSessions(
      testApp,
      range(LIMITS.sessions, () => ({ id: admin.id, name: "admin" })),
    );
    testApp.clock.advance(60_000);
    const { status } = await testApp.call(ANONYMOUS, operations.signIn, { body: { login: admin.email, password: PASSWORD } });
    expect(status).toBe(200);
    const sessions = await testApp.database.read.selectFrom("sessions").select("id").where("account_id", "=", admin.id).execute();
    expect(sessions).toHaveLength(LIMITS.sessions);
    expect(sessions.map(({ id }) => id)).not.toContain(oldest[0]!.id);
    expect(sessions.map(({ id }) => id)).toContain(oldest.at(-1)!.id);
    // By this event its live connections end too.
    const events = await testApp.database.read.selectFrom("events").select("type").where("topic", "=", `account:${admin.id}`).execute();
    expect(events.map(({ type }) => type)).toContain("sessions.changed");
  });

  it("listAttempts: a delivery keeps its newest attempts", async () => {
    const { testApp, owner } = fixtures;
    const delivery = await insertDelivery(testApp, await registerEndpoint(testApp, owner), "failed");
    for (let number = 1; number <= LIMITS.attempts_per_delivery; number += 1) await recordAttempt(testApp, delivery, {}, { state: "failed" });
    const lease_token = "attempt";
    for (let extra = 1; extra <= 2; extra += 1)
      await testApp.database.write(async (tx) => {
        const values = { attempts: LIMITS.attempts_per_delivery + extra, state: "pending" as const, lease_token, lease_until: testApp.clock.now() };
        const row = await tx.updateTable("deliveries").set(values).where("id", "=", delivery).returningAll().executeTakeFirstOrThrow();
        const response = { responseHeaders: { "x-long": "x".repeat(16_000) }, responseBody: "x".repeat(2_048) };
        const result = { outcome: "http", status: 500, startedAt: 1, duration: 1, requestHeaders: {}, retryAfterMs: null, ...response } as const;
        const publisher = { publishDeliveries: async () => {}, publishEndpoint: async () => {}, publishDisabled: async () => {} };
        await recordResults(tx, [{ delivery: { ...row, lease_token }, url: WEBHOOK_URL, result }], { engine, now: 1, publisher, random: () => 0 });
      });
    const { response } = await testApp.callUntyped(owner, operations.listAttempts, { params: { delivery_id: delivery } });
    const numbers = (response as { data: { number: number }[] }).data.map(({ number }) => number);
    expect(numbers).toEqual(range(LIMITS.attempts_per_delivery, (index) => LIMITS.attempts_per_delivery + 2 - index));
  });
});
