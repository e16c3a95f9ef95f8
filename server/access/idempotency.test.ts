/** Tests that a write with an Idempotency-Key runs once, even with twenty concurrent requests. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "../../contract/define-operation.ts";
import * as accounts from "../../contract/operations/accounts.ts";
import * as agents from "../../contract/operations/agents.ts";
import { operations } from "../../contract/operations/all.ts";
import * as files from "../../contract/operations/files.ts";
import * as playlists from "../../contract/operations/playlists.ts";
import * as projects from "../../contract/operations/projects.ts";
import * as resources from "../../contract/operations/resources.ts";
import * as tasks from "../../contract/operations/tasks.ts";
import * as teams from "../../contract/operations/teams.ts";
import * as webhooks from "../../contract/operations/webhooks.ts";
import type { Schema } from "../db/schema.ts";
import { DAY } from "../lib/clock.ts";
import { ENGINES } from "../testing/engines.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { createSession } from "../testing/people.ts";
import { stateFingerprint } from "../testing/state-fingerprint.ts";

const CASES: [string, Operation, keyof Schema, (fixtures: Fixtures, name: string) => Record<string, unknown>, secret: string | null][] = [
  ["createProject", projects.createProject, "projects", ({ home }, name) => ({ team_id: home.team, name }), null],
  ["createProjectV2", resources.createProjectV2, "projects", ({ home }, name) => ({ team_id: home.team, name }), null],
  ["createGroupV2", resources.createGroupV2, "project_groups", ({ home }, name) => ({ team_id: home.team, name: `v2 ${name}` }), null],
  ["createTask", resources.createTask, "tasks", ({ home }, title) => ({ file_id: home.file, title }), null],
  ["createGroup", teams.createGroup, "project_groups", ({ home }, name) => ({ team_id: home.team, name }), null],
  ["inviteMember", teams.inviteMember, "invites", ({ home }, name) => ({ team_id: home.team, role: "member", email: `${name}@talkback.test` }), "url"],
  ["createFolder", files.createFolder, "files", ({ home }, name) => ({ parent_id: home.root, name }), null],
  ["createTasks", tasks.createTasks, "tasks", ({ home }, title) => ({ file_id: home.file, tasks: [{ title }] }), null],
  ["createTaskTemplate", tasks.createTaskTemplate, "task_templates", ({ home }, name) => ({ team_id: home.team, name, tasks: [{ title: name }] }), null],
  [
    "createWebhookEndpoint",
    webhooks.createWebhookEndpoint,
    "webhook_endpoints",
    (_, name) => ({ url: `https://tools.example/${name}`, event_types: ["file.renamed"] }),
    "secret",
  ],
  ["createPlaylist", playlists.createPlaylist, "playlists", ({ home }, name) => ({ project_id: home.project, name }), null],
  ["createToken", accounts.createToken, "api_tokens", (_, name) => ({ name, scopes: ["chat:read"] }), "token"],
  ["createAgent", agents.createAgent, "agents", (_, username) => ({ username, role: "member", scopes: ["chat:read"] }), null],
];

/**
 * The endpoint cases test a template's tasks, deletions, the items and copies of playlists, and subscriptions of agents with their secrets, and a test below rotated secrets. Tests in `server/modules` cover the others: messages in
 * conversation/chat.test.ts, comments in conversation/comments.test.ts, bytes in files/uploads.test.ts and files/external-uploads.test.ts, versions in files/restored-versions.test.ts, test events and redeliveries in
 * webhooks/deliveries.test.ts, statuses in statuses/manage-statuses.test.ts, templates and fields in metadata/metadata.test.ts, tokens of agents in
 * agents/agents.test.ts, their tasks and runs in agent-tasks/repeated-requests.test.ts.
 */
const TESTED_ELSEWHERE = [
  "sendMessage",
  "createMessage",
  "uploadFile",
  "uploadExternal",
  "loadTasksFromTemplate",
  "deleteFiles",
  "testWebhookEndpoint",
  "rotateWebhookSecret",
  "redeliver",
  "writeComment",
  "createFileStatus",
  "addPlaylistItems",
  "duplicatePlaylist",
  "createMetadataTemplate",
  "createMetadataField",
  "createAgentToken",
  "createAgentTask",
  "runAgentTask",
  "createEventSubscription",
  "rotateSubscriptionSecret",
  "restoreVersion",
];
/** Operations whose records must have unique names. */
const UNIQUELY_NAMED: Operation[] = [files.createFolder, tasks.createTaskTemplate, teams.createGroup, resources.createGroupV2, agents.createAgent];

describe.each(ENGINES)("idempotency on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  it("covers every idempotent operation", () => {
    const idempotentOperations = Object.entries(operations)
      .filter(([, operation]) => (operation as Operation).idempotent)
      .map(([name]) => name);
    expect([...CASES.map(([name]) => name), ...TESTED_ELSEWHERE].sort()).toEqual(idempotentOperations.sort());
  });

  describe.each(CASES)("%s", (label, operation, table, createBody, secret) => {
    const send = (name: string, body = createBody(fixtures, name)) =>
      fixtures.testApp.callUntyped(fixtures.owner, operation, { body }, { headers: { "idempotency-key": `${label}:${name}` } });
    const dataOf = (reply: Awaited<ReturnType<typeof send>>) => (reply.response as { data: Record<string, unknown> }).data;
    const count = async () =>
      Number(
        (
          await fixtures.testApp.database.read
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as("n"))
            .executeTakeFirstOrThrow()
        ).n,
      );

    it("a repetition returns the first result without its one-time secret", async () => {
      const before = await count();
      const [first, second] = [dataOf(await send("again")), dataOf(await send("again"))];
      if (secret) {
        expect(first[secret]).toMatch(/[\w+/-]{43}=?$/);
        expect(second[secret] ?? "").toBe("");
      }
      expect({ ...second, [secret ?? ""]: 0 }).toEqual({ ...first, [secret ?? ""]: 0 });
      expect(await count()).toBe(before + 1);
    });
    it("20 simultaneous requests with one key create one row", async () => {
      const before = await count();
      const replies = await Promise.all(Array.from({ length: 20 }, () => send("at-once")));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      if (secret) expect(replies.filter((reply) => dataOf(reply)[secret])).toHaveLength(1);
      expect(await count()).toBe(before + 1);
    });
    it("the same key with another body is a conflict and stores nothing", async () => {
      await send("one");
      const before = await stateFingerprint(fixtures.testApp.database);
      expect((await send("one", createBody(fixtures, "other"))).status).toBe(409);
      expect(await stateFingerprint(fixtures.testApp.database)).toBe(before);
    });
    it("a failed request leaves the key free", async () => {
      expect((await send("failed", { ...createBody(fixtures, "failed"), name: "", title: "", role: "boss", tasks: [], url: "" })).status).toBe(400);
      expect((await send("failed")).status).toBe(200);
    });
    it.each(["", "with space", "ü", "x".repeat(129)])("rejects the key %j", async (key) => {
      const reply = await fixtures.testApp.callUntyped(
        fixtures.owner,
        operation,
        { body: createBody(fixtures, "bad") },
        { headers: { "idempotency-key": key } },
      );
      expect(reply.status).toBe(400);
    });
    it("a key expires after a day", async () => {
      await send("day");
      fixtures.testApp.clock.advance(DAY);
      const before = await count();
      // The second request counts as new and is rejected for its duplicate name.
      const isUniquelyNamed = UNIQUELY_NAMED.includes(operation);
      expect((await send("day")).status).toBe(isUniquelyNamed ? 409 : 200);
      expect(await count()).toBe(before + (isUniquelyNamed ? 0 : 1));
    });
  });

  it("20 simultaneous requests with one key rotate a secret once and show it once", async () => {
    const { testApp, owner } = fixtures;
    const { body } = { body: { url: "https://tools.example/rotated", event_types: ["file.renamed" as const] } };
    const created = (await testApp.call(owner, webhooks.createWebhookEndpoint, { body })).response.data;
    const rotate = (endpoint_id: number) =>
      testApp.call(owner, webhooks.rotateWebhookSecret, { params: { endpoint_id } }, { headers: { "idempotency-key": "turn" } });
    const replies = await Promise.all(Array.from({ length: 20 }, () => rotate(created.id)));
    const rotations = replies.map(({ response }) => response.data);
    const secrets = rotations.flatMap(({ secret }) => secret ?? []);
    expect(secrets).toHaveLength(1);
    expect(new Set(rotations.map((rotation) => rotation.previous_secret_until)).size).toBe(1);
    const row = await testApp.database.read.selectFrom("webhook_endpoints").selectAll().where("id", "=", created.id).executeTakeFirstOrThrow();
    expect(JSON.parse(row.previous_secrets)).toHaveLength(1);
    expect((await testApp.call(owner, webhooks.getWebhookEndpoint, { params: { endpoint_id: created.id } })).response.data.secret_hint).toBe(
      secrets[0]!.slice(-4),
    );
    const other = (await testApp.call(owner, webhooks.createWebhookEndpoint, { body })).response.data;
    expect((await rotate(other.id)).status).toBe(409);
  });

  it("a repetition returns 404 after the caller was removed from the created project", async () => {
    const { testApp, member, owner, home } = fixtures;
    const headers = { "idempotency-key": "gone" };
    const by = await createSession(testApp, member.id, "member");
    const createProject = () => testApp.call(by, projects.createProject, { body: { name: "Mine", team_id: home.team } }, { headers });
    const { id } = (await createProject()).response.data;
    await testApp.call(owner, projects.removeProjectMember, { params: { project_id: id, account_id: member.id } });
    expect((await createProject()).status).toBe(404);
  });
});
