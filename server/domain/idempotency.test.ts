/** Writes with an Idempotency-Key happen once, also when they are sent twenty times at once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../contract/operations/accounts.ts";
import * as files from "../../contract/operations/files.ts";
import * as projects from "../../contract/operations/projects.ts";
import * as tasks from "../../contract/operations/tasks.ts";
import * as teams from "../../contract/operations/teams.ts";
import * as webhooks from "../../contract/operations/webhooks.ts";
import type { Operation } from "../../contract/define.ts";
import { operations } from "../../contract/operations/all.ts";
import type { Schema } from "../db/schema.ts";
import { DAY } from "../lib/clock.ts";
import { startCast, type Cast } from "../testing/cast.ts";
import { ENGINES } from "../testing/engines.ts";
import { freshSession } from "../testing/people.ts";
import { stateOf } from "../testing/state.ts";

const WRITES: [string, Operation, keyof Schema, (cast: Cast, name: string) => Record<string, unknown>, secret: string | null][] = [
  ["createProject", projects.createProject, "projects", ({ home }, name) => ({ team_id: home.team, name }), null],
  ["createGroup", teams.createGroup, "project_groups", ({ home }, name) => ({ team_id: home.team, name }), null],
  ["inviteMember", teams.inviteMember, "invites", ({ home }, name) => ({ team_id: home.team, role: "member", email: `${name}@talkback.test` }), "url"],
  ["makeFolder", files.makeFolder, "files", ({ home }, name) => ({ parent_id: home.root, name }), null],
  ["createTasks", tasks.createTasks, "tasks", ({ home }, title) => ({ file_id: home.file, tasks: [{ title }] }), null],
  ["createTaskTemplate", tasks.createTaskTemplate, "task_templates", ({ home }, name) => ({ team_id: home.team, name, tasks: [{ title: name }] }), null],
  [
    "createWebhookEndpoint",
    webhooks.createWebhookEndpoint,
    "webhook_endpoints",
    (_, name) => ({ url: `https://tools.example/${name}`, event_types: ["file.renamed"] }),
    "secret",
  ],
  ["createToken", accounts.createToken, "api_tokens", (_, name) => ({ name, scopes: ["chat:read"] }), "token"],
];

/** Chat messages: chat.test.ts; bytes: upload.test.ts, external.test.ts; a template's tasks and deletions: the ladder; test events: deliveries.test.ts; rotated secrets: below; comments: comments.test.ts; statuses: changes.test.ts beside them. */
const ELSEWHERE = [
  "sendMessage",
  "uploadFile",
  "uploadExternal",
  "loadTasksFromTemplate",
  "deleteFiles",
  "testWebhookEndpoint",
  "rotateWebhookSecret",
  "writeComment",
  "createFileStatus",
];
/** Two of one name cannot stand beside each other. */
const NAMED_ONCE: Operation[] = [files.makeFolder, tasks.createTaskTemplate];

describe.each(ENGINES)("idempotency on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  it("covers every operation that promises it", () => {
    const promised = Object.entries(operations)
      .filter(([, one]) => (one as Operation).idempotent)
      .map(([name]) => name);
    expect([...WRITES.map(([name]) => name), ...ELSEWHERE].sort()).toEqual(promised.sort());
  });

  describe.each(WRITES)("%s", (label, operation, table, bodyOf, secret) => {
    const ask = (name: string, body = bodyOf(cast, name)) =>
      cast.world.wild(cast.owner, operation, { body }, { headers: { "idempotency-key": `${label}:${name}` } });
    const dataOf = (reply: Awaited<ReturnType<typeof ask>>) => (reply.answer as { data: Record<string, unknown> }).data;
    const count = async () =>
      Number(
        (
          await cast.world.database.read
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as("n"))
            .executeTakeFirstOrThrow()
        ).n,
      );

    it("again: the first result, without what is shown once", async () => {
      const before = await count();
      const [first, second] = [dataOf(await ask("again")), dataOf(await ask("again"))];
      if (secret) {
        expect(first[secret]).toMatch(/[\w+/-]{43}=?$/);
        expect(second[secret] ?? "").toBe("");
      }
      expect({ ...second, [secret ?? ""]: 0 }).toEqual({ ...first, [secret ?? ""]: 0 });
      expect(await count()).toBe(before + 1);
    });
    it("20 at once: one row", async () => {
      const before = await count();
      const replies = await Promise.all(Array.from({ length: 20 }, () => ask("at-once")));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      if (secret) expect(replies.filter((reply) => dataOf(reply)[secret])).toHaveLength(1);
      expect(await count()).toBe(before + 1);
    });
    it("with another body: a conflict, nothing stored", async () => {
      await ask("one");
      const before = await stateOf(cast.world.database);
      expect((await ask("one", bodyOf(cast, "other"))).status).toBe(409);
      expect(await stateOf(cast.world.database)).toBe(before);
    });
    it("a failed one leaves the key free", async () => {
      expect((await ask("failed", { ...bodyOf(cast, "failed"), name: "", role: "boss", tasks: [], url: "" })).status).toBe(400);
      expect((await ask("failed")).status).toBe(200);
    });
    it.each(["", "with space", "ü", "x".repeat(129)])("the key %j is refused", async (key) => {
      const reply = await cast.world.wild(cast.owner, operation, { body: bodyOf(cast, "bad") }, { headers: { "idempotency-key": key } });
      expect(reply.status).toBe(400);
    });
    it("is forgotten after a day", async () => {
      await ask("day");
      cast.world.clock.pass(DAY);
      const before = await count();
      // The second wish is a new one, and is refused as such.
      const once = NAMED_ONCE.includes(operation);
      expect((await ask("day")).status).toBe(once ? 409 : 200);
      expect(await count()).toBe(before + (once ? 0 : 1));
    });
  });

  it("a secret is rotated once, also by 20 at once, and shown once", async () => {
    const { world, owner } = cast;
    const { body } = { body: { url: "https://tools.example/rotated", event_types: ["file.renamed" as const] } };
    const made = (await world.call(owner, webhooks.createWebhookEndpoint, { body })).answer.data;
    const rotate = (endpoint_id: number) =>
      world.call(owner, webhooks.rotateWebhookSecret, { params: { endpoint_id } }, { headers: { "idempotency-key": "turn" } });
    const replies = await Promise.all(Array.from({ length: 20 }, () => rotate(made.id)));
    const told = replies.map(({ answer }) => answer.data);
    const shown = told.flatMap(({ secret }) => secret ?? []);
    expect(shown).toHaveLength(1);
    expect(new Set(told.map((one) => one.previous_secret_until)).size).toBe(1);
    const row = await world.database.read.selectFrom("webhook_endpoints").selectAll().where("id", "=", made.id).executeTakeFirstOrThrow();
    expect(JSON.parse(row.previous_secrets)).toHaveLength(1);
    expect((await world.call(owner, webhooks.getWebhookEndpoint, { params: { endpoint_id: made.id } })).answer.data.secret_hint).toBe(shown[0]!.slice(-4));
    const other = (await world.call(owner, webhooks.createWebhookEndpoint, { body })).answer.data;
    expect((await rotate(other.id)).status).toBe(409);
  });

  it("whoever has been taken out of their project gets no repetition of its record", async () => {
    const { world, member, owner, home } = cast;
    const headers = { "idempotency-key": "gone" };
    const by = await freshSession(world, member.id, "member");
    const make = () => world.call(by, projects.createProject, { body: { name: "Mine", team_id: home.team } }, { headers });
    const { id } = (await make()).answer.data;
    await world.call(owner, projects.removeProjectMember, { params: { project_id: id, account_id: member.id } });
    expect((await make()).status).toBe(404);
  });
});
