/** Tests that no list, filled with the longest records, is answered with much more than 1 MB, and that paging on returns every record once. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Operation } from "../../contract/define-operation.ts";
import { LIMITS } from "../../contract/limits.ts";
import { operations } from "../../contract/operations/all.ts";
import { foldName, nameOrderKey } from "../../contract/file-order.ts";
import type { Tx } from "../db/schema.ts";
import { fillSearchIndex } from "../db/search.ts";
import { newSecret } from "../lib/crypto.ts";
import { recordResults } from "../delivery/record-results.ts";
import { ANONYMOUS, type UntypedInput } from "../testing/client.ts";
import { ENGINES } from "../testing/engines.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { createSessions, PASSWORD } from "../testing/people.ts";
import { insertDelivery, recordAttempt, registerEndpoint, WEBHOOK_URL } from "../testing/webhooks.ts";
import { MAX_PAGE_BYTES } from "./paging.ts";

const LONG_TEXT = "\u{1F3B5}".repeat(LIMITS.message_characters / 2);
const RECORDS = 120;
/** Envelope, and the difference between a row and its record in lists that measure rows. */
const TOLERANCE = 1.3;

interface Page {
  data: { id: number }[];
  next_cursor?: string | null;
  has_more?: boolean;
  has_more_before?: boolean;
  has_more_after?: boolean;
}
type Input = Record<string, Record<string, unknown>>;
interface ListCase {
  /** Inserts the records and returns the input of a page; `previous`: null for the first one. */
  prepare(tx: Tx, fixtures: Fixtures): Promise<(previous: Page | null) => Input | null>;
  /** Fewer where a record is long or slow to make. */
  records: number;
  /** Other records of the fixtures are in the list, too. */
  hasOthers?: boolean;
}

const range = <T>(count: number, build: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => build(index));
const byCursor =
  (input: Input, location: "query" | "body", limit: number) =>
  (previous: Page | null): Input | null =>
    previous?.next_cursor === null ? null : { ...input, [location]: { ...input[location], limit, ...(previous ? { cursor: previous.next_cursor } : {}) } };

async function insertMessages(tx: Tx, { home, member }: Fixtures): Promise<void> {
  const row = { project_id: home.project, account_id: member.id, type: "message", is_audio_message: 0 as const, revision: 1, created_at: 1 };
  await tx
    .insertInto("messages")
    .values(range(RECORDS, () => ({ ...row, body: LONG_TEXT })))
    .execute();
}
async function insertFiles(tx: Tx, { home, member }: Fixtures, parent_id: number, isFolder: boolean, count: number): Promise<void> {
  const name = (index: number) => `${index} ${"\u{1F3B5}".repeat(55)}`;
  const row = { project_id: home.project, parent_id, is_folder: isFolder ? (1 as const) : (0 as const), created_by: member.id, created_at: 1 };
  for (let offset = 0; offset < count; offset += 500)
    await tx
      .insertInto("files")
      .values(
        range(500, (index) => name(offset + index)).map((text) => ({
          ...row,
          kind: isFolder ? ("folder" as const) : ("document" as const),
          name: text,
          name_key: text,
          folded_name: foldName(text),
          order_key: nameOrderKey(text, isFolder),
        })),
      )
      .execute();
}
const newFolder = async (tx: Tx, { home, member }: Fixtures, name: string): Promise<number> => {
  const derived = { name_key: name, folded_name: foldName(name), order_key: nameOrderKey(name, true) };
  const values = { project_id: home.project, parent_id: home.root, is_folder: 1 as const, kind: "folder" as const, name, ...derived, created_by: member.id };
  return (
    await tx
      .insertInto("files")
      .values({ ...values, created_at: 1 })
      .returning("id")
      .executeTakeFirstOrThrow()
  ).id;
};

const history = (edge: "before_id" | "after_id") => async (tx: Tx, fixtures: Fixtures) => {
  await insertMessages(tx, fixtures);
  return (previous: Page | null): Input | null => {
    const hasMore = edge === "before_id" ? previous?.has_more_before : previous?.has_more_after;
    if (previous && !hasMore) return null;
    const at = previous ? (edge === "before_id" ? previous.data[0] : previous.data.at(-1))?.id : edge === "after_id" ? 0 : undefined;
    return { body: { project_id: fixtures.home.project, limit: LIMITS.history_max, [edge]: at } };
  };
};

const CASES: [string, Operation, ListCase][] = [
  ["chatHistory, backwards", operations.chatHistory, { records: RECORDS, hasOthers: true, prepare: history("before_id") }],
  ["chatHistory, forwards", operations.chatHistory, { records: RECORDS, hasOthers: true, prepare: history("after_id") }],
  [
    "searchMessages",
    operations.searchMessages,
    {
      records: RECORDS,
      hasOthers: true,
      async prepare(tx, fixtures) {
        await insertMessages(tx, fixtures);
        await fillSearchIndex(tx, fixtures.testApp.engine);
        return byCursor({ params: { project_id: fixtures.home.project }, query: { account_id: fixtures.member.id } }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listFolderTasks",
    operations.listFolderTasks,
    {
      records: 0,
      hasOthers: true,
      async prepare(tx, { home, member }) {
        const row = { file_id: home.file, title: "\u{1F3B5}".repeat(150), created_by: member.id, created_at: 1 };
        for (let offset = 0; offset < 2_500; offset += 500)
          await tx
            .insertInto("tasks")
            .values(range(500, (index) => ({ ...row, position: offset + index + 100 })))
            .execute();
        return (previous) => (previous ? null : { body: { file_id: home.file } });
      },
    },
  ],
  [
    "listComments",
    operations.listComments,
    {
      records: RECORDS,
      async prepare(tx, { home, member }) {
        const row = { project_id: home.project, file_id: home.file, version: 1, account_id: member.id, body: LONG_TEXT, created_at: 1 };
        await tx
          .insertInto("comments")
          .values(range(RECORDS, () => row))
          .execute();
        const params = { file_id: home.file };
        return (previous) => (previous?.has_more === false ? null : { params, query: previous ? { after_id: previous.data.at(-1)?.id } : {} });
      },
    },
  ],
  [
    "listStatusChanges",
    operations.listStatusChanges,
    {
      records: 200,
      async prepare(tx, { home, member }) {
        const { id } = await tx.selectFrom("file_statuses").select("id").limit(1).executeTakeFirstOrThrow();
        const note = "\u{1F3B5}".repeat(2_000);
        const row = { file_id: home.file, old_status_id: id, new_status_id: id, note, account_id: member.id, created_at: 1 };
        await tx
          .insertInto("status_changes")
          .values(range(200, () => row))
          .execute();
        return byCursor({ params: { file_id: home.file } }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listFolders",
    operations.listFolders,
    {
      records: 3_000,
      hasOthers: true,
      async prepare(tx, fixtures) {
        await insertFiles(tx, fixtures, await newFolder(tx, fixtures, "of folders"), true, 3_000);
        return byCursor({ params: { project_id: fixtures.home.project } }, "query", LIMITS.files_page_max);
      },
    },
  ],
  [
    "listFolder",
    operations.listFolder,
    {
      records: 3_000,
      async prepare(tx, fixtures) {
        const folder = await newFolder(tx, fixtures, "of files");
        await insertFiles(tx, fixtures, folder, false, 3_000);
        return byCursor({ body: { file_id: folder } }, "body", LIMITS.files_page_max);
      },
    },
  ],
  [
    "listFiles, with long paths",
    operations.listFiles,
    {
      records: 500,
      async prepare(tx, fixtures) {
        let folder = await newFolder(tx, fixtures, "deep");
        const top = folder;
        const name = "\u{1F3B5}".repeat(60);
        const derived = { name_key: name, folded_name: name, order_key: nameOrderKey(name, true) };
        for (let depth = 0; depth < 20; depth += 1) {
          const values = { project_id: fixtures.home.project, parent_id: folder, is_folder: 1 as const, kind: "folder" as const, name, ...derived };
          const inserted = tx.insertInto("files").values({ ...values, created_by: fixtures.member.id, created_at: 1 });
          folder = (await inserted.returning("id").executeTakeFirstOrThrow()).id;
        }
        await insertFiles(tx, fixtures, folder, false, 500);
        const query = { deep: "true", folder_id: String(top), kind: "document" };
        return byCursor({ params: { project_id: fixtures.home.project }, query }, "query", LIMITS.files_page_max);
      },
    },
  ],
  [
    "listVersions",
    operations.listVersions,
    {
      records: 300,
      hasOthers: true,
      async prepare(tx, { home, member }) {
        const { blob_key } = await tx.selectFrom("file_versions").select("blob_key").where("file_id", "=", home.file).executeTakeFirstOrThrow();
        const row = { file_id: home.file, blob_key, size: 1, created_by: member.id, created_at: 1, failure: "x".repeat(5_000) };
        await tx
          .insertInto("file_versions")
          .values(range(300, (index) => ({ ...row, number: index + 100 })))
          .execute();
        return byCursor({ params: { file_id: home.file } }, "query", LIMITS.history_max);
      },
    },
  ],
];

/** Inserts people with the longest profiles, and returns their ids. */
async function insertPeople(tx: Tx, { testApp, member }: Fixtures, count: number): Promise<number[]> {
  const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", member.id).executeTakeFirstOrThrow();
  const ids: number[] = [];
  for (let offset = 0; offset < count; offset += 500) {
    const rows = range(Math.min(500, count - offset), () => `${newSecret()}${"x".repeat(15)}`).map((name) => ({
      organisation_id,
      role: "member" as const,
      username: name,
      username_key: name,
      user_info: "\u{1F3B5}".repeat(250),
      email: `${name}@${"x".repeat(180)}.test`,
      email_key: name,
      created_at: testApp.clock.now(),
    }));
    ids.push(...(await tx.insertInto("accounts").values(rows).returning("id").execute()).map(({ id }) => id));
  }
  return ids;
}
async function insertProjects(tx: Tx, { testApp, home, owner, member }: Fixtures, group_id: number | null, total: number): Promise<void> {
  const description = "\u{1F3B5}".repeat(1_000);
  const row = { team_id: home.team, group_id, description, created_by: owner.id, created_at: testApp.clock.now() };
  for (let offset = 0; offset < total; offset += 500) {
    const rows = range(Math.min(500, total - offset), (index) => ({ ...row, name: `p ${(offset + index) % 7}` }));
    const projects = await tx.insertInto("projects").values(rows).returning("id").execute();
    await tx
      .insertInto("project_members")
      .values(projects.map(({ id }) => ({ project_id: id, account_id: member.id, added_at: 1 })))
      .execute();
  }
}
const groupRows = ({ testApp, home }: Fixtures, count: number) =>
  range(count, (index) => ({
    team_id: home.team,
    name: `g ${index % 7}`,
    name_key: `filler ${index}`,
    description: "\u{1F3B5}".repeat(1_000),
    created_at: testApp.clock.now(),
  }));

CASES.push(
  [
    "listProjectMembers",
    operations.listProjectMembers,
    {
      records: 600,
      hasOthers: true,
      async prepare(tx, fixtures) {
        const ids = await insertPeople(tx, fixtures, 600);
        await tx
          .insertInto("project_members")
          .values(ids.map((account_id) => ({ project_id: fixtures.home.project, account_id, added_at: 1 })))
          .execute();
        return byCursor({ params: { project_id: fixtures.home.project } }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listProjectsByGroup",
    operations.listProjectsByGroup,
    {
      records: 400,
      hasOthers: true,
      async prepare(tx, fixtures) {
        await insertProjects(tx, fixtures, fixtures.home.group, 400);
        return byCursor({ body: { group_id: fixtures.home.group } }, "body", LIMITS.history_max);
      },
    },
  ],
  [
    "listProjectsWithoutGroup",
    operations.listProjectsWithoutGroup,
    {
      records: 400,
      async prepare(tx, fixtures) {
        await insertProjects(tx, fixtures, null, 400);
        return byCursor({ body: { team_id: fixtures.home.team } }, "body", LIMITS.history_max);
      },
    },
  ],
  [
    "listGroups",
    operations.listGroups,
    {
      records: 400,
      hasOthers: true,
      async prepare(tx, fixtures) {
        await tx.insertInto("project_groups").values(groupRows(fixtures, 400)).execute();
        return byCursor({ body: { team_id: fixtures.home.team } }, "body", LIMITS.history_max);
      },
    },
  ],
);

/** Lists that are answered whole, since there can be only so many records. */
interface LimitCase {
  limit: number;
  /** Inserts records up to the limit, the longest ones. */
  fill(tx: Tx, fixtures: Fixtures): Promise<unknown>;
  list?: [Operation, UntypedInput];
  /** Would create one more: refused with this text. */
  create: [Operation, (fixtures: Fixtures) => UntypedInput];
  denial: RegExp;
}
const count = async (rows: Promise<readonly unknown[]>): Promise<number> => (await rows).length;
const LIMITED: [string, LimitCase][] = [
  [
    "listInvites",
    {
      limit: LIMITS.open_invites,
      async fill(tx, { testApp, owner, home }) {
        const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", owner.id).executeTakeFirstOrThrow();
        const row = { organisation_id, team_id: home.team, role: "guest" as const, project_ids: JSON.stringify(range(200, (index) => 1_000_000 + index)) };
        const missing =
          LIMITS.open_invites -
          (await count(tx.selectFrom("invites").select("id").where("used_at", "is", null).where("organisation_id", "=", organisation_id).execute()));
        const times = { created_at: testApp.clock.now(), expires_at: testApp.clock.now() + 1_000_000 };
        await tx
          .insertInto("invites")
          .values(range(missing, () => ({ ...row, ...times, email: `${"x".repeat(250)}@x`, token_hash: newSecret(), created_by: owner.id })))
          .execute();
      },
      list: [operations.listInvites, {}],
      create: [operations.inviteMember, ({ home }) => ({ body: { team_id: home.team, role: "member" } })],
      denial: /^There can be at most 300 open invites\. Revoke one first/,
    },
  ],
  [
    "listPasswordResets",
    {
      limit: LIMITS.open_password_resets,
      async fill(tx, fixtures) {
        const ids = await insertPeople(tx, fixtures, LIMITS.open_password_resets);
        const times = { created_at: fixtures.testApp.clock.now(), expires_at: fixtures.testApp.clock.now() + 1_000_000 };
        for (let offset = 0; offset < ids.length; offset += 500)
          await tx
            .insertInto("password_resets")
            .values(ids.slice(offset, offset + 500).map((account_id) => ({ account_id, token_hash: newSecret(), created_by: fixtures.owner.id, ...times })))
            .execute();
      },
      list: [operations.listPasswordResets, {}],
      create: [operations.createPasswordReset, ({ guest }) => ({ params: { account_id: guest.id } })],
      denial: /^There can be at most 1,000 open reset links\. Revoke one first\.$/,
    },
  ],
  [
    "listTokens",
    {
      limit: LIMITS.api_tokens,
      async fill(tx, { testApp, owner }) {
        const missing = LIMITS.api_tokens - (await count(tx.selectFrom("api_tokens").select("id").where("account_id", "=", owner.id).execute()));
        const row = { account_id: owner.id, name: "\u{1F3B5}".repeat(40), scopes: JSON.stringify(SCOPES), created_at: testApp.clock.now() };
        await tx
          .insertInto("api_tokens")
          .values(range(missing, () => ({ ...row, public_id: newSecret().slice(0, 20), token_hash: newSecret() })))
          .execute();
      },
      list: [operations.listTokens, {}],
      create: [operations.createToken, () => ({ body: { name: "one more", scopes: ["chat:read"] } })],
      denial: /^You can have at most 500 API tokens\. Revoke one/,
    },
  ],
  [
    "projects of a team",
    {
      limit: LIMITS.projects_per_team,
      fill: (tx, fixtures) => insertProjects(tx, fixtures, null, LIMITS.projects_per_team),
      create: [operations.createProject, ({ home }) => ({ body: { team_id: home.team, name: "One more" } })],
      denial: /^A team can have at most 10,000 projects\./,
    },
  ],
  [
    "groups of a team",
    {
      limit: LIMITS.groups_per_team,
      fill: (tx, fixtures) =>
        tx
          .insertInto("project_groups")
          .values(groupRows(fixtures, LIMITS.groups_per_team).map((row, index) => ({ ...row, name_key: `more ${index}`, description: "" })))
          .execute(),
      create: [operations.createGroup, ({ home }) => ({ body: { team_id: home.team, name: "One more" } })],
      denial: /^A team can have at most 1,000 groups\./,
    },
  ],
  [
    "listReaders",
    {
      limit: LIMITS.people,
      async fill(tx, fixtures) {
        const ids = await insertPeople(tx, fixtures, LIMITS.people);
        for (let offset = 0; offset < ids.length; offset += 500) {
          const rows = ids.slice(offset, offset + 500).map((account_id) => ({ project_id: fixtures.home.project, account_id, added_at: 1 }));
          await tx.insertInto("project_members").values(rows).execute();
          const marker = { project_id: fixtures.home.project, last_read_message_id: fixtures.home.message, comments_since: 0, moved_at: 1_790_000_000_000 };
          await tx
            .insertInto("read_markers")
            .values(rows.map(({ account_id }) => ({ ...marker, account_id })))
            .execute();
        }
      },
      create: [operations.updateMember, ({ neighbor }) => ({ params: { account_id: neighbor.id }, body: { disabled: false } })],
      denial: /^An organization can have at most 10,000 people\./,
    },
  ],
];

/** Rows of at most a few hundred bytes, of which a page has at most 200: cut by `toPage` in any case. */
const SHORT_RECORDS = ["listGroupsV2", "listTeamsV2", "listTasks", "listProjects", "listMembers", "listAuditEntries", "listDeliveries", "findFiles"];
/** As many as the request named, or as a limit of the contract allows. */
const LIMITED_COUNT = [
  "moveFiles",
  "restoreFiles",
  "createTasks",
  "loadTasksFromTemplate",
  "listTaskTemplates",
  "listWebhookEndpoints",
  "listFileStatuses",
  "deleteFileStatus",
  "orderFileStatuses",
  "setDefaultFileStatus",
];
/** One for each organization: no operation creates another. */
const SINGLE = ["listTeams"];
/** Tested below: older ones make way for newer ones. */
const NEWEST = ["listSessions", "listAttempts"];

it("every list is in one of the groups", () => {
  const lists = Object.entries(operations).filter(([, { response }]) => {
    const shape = (response as { _zod?: { def: { shape?: { data?: { _zod: { def: { type: string } } } } } } } | null)?._zod?.def.shape;
    return shape?.data?._zod.def.type === "array";
  });
  const grouped = [
    ...CASES.map(([name]) => name.split(",")[0]),
    ...SHORT_RECORDS,
    ...LIMITED_COUNT,
    ...LIMITED.map(([name]) => name).filter((name) => name.startsWith("list")),
    ...SINGLE,
    ...NEWEST,
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
      ids.push(...page.data.map(({ id, number }: { id?: number; number?: number }) => id ?? number ?? 0));
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

  it.each(LIMITED)(
    "%s: as many as there can be are one answer, and one more is refused",
    async (_, { limit, fill, list, create: [operation, inputOf], denial }) => {
      const { testApp, owner, neighbor } = fixtures;
      await testApp.database.write((tx) => tx.updateTable("accounts").set({ disabled_at: 1 }).where("id", "=", neighbor.id).execute());
      await testApp.database.write((tx) => fill(tx, fixtures));
      if (list) {
        const { response, text } = await testApp.callUntyped(owner, ...list);
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
        const publisher = { publishDeliveries: async () => {}, publishEndpoint: async () => {} };
        await recordResults(tx, [{ delivery: { ...row, lease_token }, url: WEBHOOK_URL, result }], { engine, now: 1, publisher, random: () => 0 });
      });
    const { response } = await testApp.callUntyped(owner, operations.listAttempts, { params: { delivery_id: delivery } });
    const numbers = (response as { data: { number: number }[] }).data.map(({ number }) => number);
    expect(numbers).toEqual(range(LIMITS.attempts_per_delivery, (index) => LIMITS.attempts_per_delivery + 2 - index));
  });
});
