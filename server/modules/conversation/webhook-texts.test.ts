/** Tests webhook events about messages, comments and tasks: their shape, the projects of an endpoint, redaction, and bulk imports. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as comments from "../../../contract/operations/comments.ts";
import { createDemo } from "../../../contract/operations/demo.ts";
import * as files from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { sendMessage } from "../../../contract/operations/chat.ts";
import { createTasks } from "../../../contract/operations/tasks.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { WEBHOOK_EVENTS, type WebhookEventType } from "../../../contract/webhook-events.ts";
import { WEBHOOK_EVENT_DATA } from "../../../contract/webhook-payloads.ts";
import { importChat } from "../../cli/import-chat.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, createMessage, type Fixtures, type ProjectFixture } from "../../testing/fixtures.ts";
import { setUpOwner } from "../../testing/people.ts";
import { startTestApp } from "../../testing/test-app.ts";
import { findDeliveries, registerEndpoint } from "../../testing/webhooks.ts";

const TEXT_TYPES = ["comment.created", "message.created", "task.created"] as const satisfies WebhookEventType[];

describe.each(ENGINES)("webhook events about texts on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const register = (event_types: WebhookEventType[] = [...TEXT_TYPES], project_ids: number[] | null = null) =>
    registerEndpoint(fixtures.testApp, fixtures.owner, { event_types, project_ids });
  const writeComment = async ({ file }: ProjectFixture, body: string) =>
    (await fixtures.testApp.call(fixtures.owner, comments.writeComment, { params: { file_id: file }, body: { body } })).response.data;
  const addTask = ({ file }: ProjectFixture) => fixtures.testApp.call(fixtures.owner, createTasks, { body: { file_id: file, tasks: [{ title: "Bounce" }] } });
  const write = ({ project }: ProjectFixture, body: string) => createMessage(fixtures.testApp, fixtures.owner, project, body);
  const loadBodies = async (endpointId: number): Promise<any[]> =>
    Promise.all(
      (await findDeliveries(fixtures.testApp, endpointId)).map(
        async ({ id }) =>
          JSON.parse((await fixtures.testApp.call(fixtures.owner, webhooks.getDelivery, { params: { delivery_id: id } })).response.data.body) as unknown,
      ),
    );
  const loadTypes = async (endpointId: number) => (await findDeliveries(fixtures.testApp, endpointId)).map(({ event_type }) => event_type);
  const countStored = async () => (await fixtures.testApp.database.read.selectFrom("outbound_events").select("id").execute()).length;

  // Runs first, before an endpoint wants the events of every project.
  it("are stored for no one if no endpoint wants them", async () => {
    await register(["file.renamed"]);
    await register(["message.created"], [fixtures.next.project]);
    const before = await countStored();
    await write(fixtures.home, "Unheard");
    await writeComment(fixtures.home, "Unheard");
    await addTask(fixtures.home);
    expect(await countStored()).toBe(before);
    await write(fixtures.next, "Heard");
    expect(await countStored()).toBe(before + 1);
  });

  it("have the record of the live channel with the members that the catalog shows", async () => {
    const { testApp, owner, home } = fixtures;
    const id = await register();
    await writeComment(home, "Bass is hot here");
    await write(home, "All approved");
    await addTask(home);
    const bodies = await loadBodies(id);
    expect(bodies.map(({ type }) => type)).toEqual(TEXT_TYPES);
    for (const { type, data } of bodies as { type: (typeof TEXT_TYPES)[number]; data: Record<string, unknown> }[]) {
      expect(WEBHOOK_EVENT_DATA[type].safeParse(data).error, type).toBeUndefined();
      expect(Object.keys(data).toSorted(), type).toEqual(Object.keys(WEBHOOK_EVENTS[type].example).toSorted());
      const logged = await testApp.database.read.selectFrom("events").select("data").where("type", "=", type).orderBy("seq", "desc").limit(1).execute();
      expect(data).toMatchObject({ ...(JSON.parse(logged[0]!.data) as object), changed_by_account_id: owner.id });
    }
    const log = (await testApp.call(owner, webhooks.listDeliveries, { params: { endpoint_id: id }, query: {} })).response;
    expect(log.data.map(({ subject }) => subject)).toEqual(["Bounce", expect.any(String), "mix.wav"]);
    expect(JSON.stringify(log)).not.toMatch(/Bass is hot|All approved/);
    const live = await testApp.database.read.selectFrom("events").select("data").where("type", "=", "delivery.updated").execute();
    expect(JSON.stringify(live)).not.toMatch(/Bass is hot|All approved/);
  });

  it("of other projects give an endpoint nothing, and a change of its projects acts from then on", async () => {
    const { testApp, owner, home, next } = fixtures;
    const id = await register(["message.created", "comment.created", "task.created", "file.renamed"], [home.project]);
    const change = async (project_ids: number[] | null) =>
      (await testApp.call(owner, webhooks.updateWebhookEndpoint, { params: { endpoint_id: id }, body: { project_ids } })).status;
    const everything = async (project: ProjectFixture, name: string) => {
      await write(project, name);
      await writeComment(project, name);
      await addTask(project);
      await testApp.call(owner, files.renameFile, { body: { file_id: project.file, name: `${name}.wav` } });
    };
    await everything(next, "elsewhere");
    expect(await loadTypes(id)).toEqual([]);
    await everything(home, "here");
    expect(await loadTypes(id)).toEqual(["message.created", "comment.created", "task.created", "file.renamed"]);
    expect(await change([next.project])).toBe(200);
    await everything(home, "here later");
    expect(await loadTypes(id)).toHaveLength(4);
    await everything(next, "elsewhere later");
    expect(await loadTypes(id)).toHaveLength(8);
    expect(await change(null)).toBe(200);
    await everything(home, "everywhere");
    expect(await loadTypes(id)).toHaveLength(12);
  });

  it("a project that is gone stays in the list of an endpoint, which does not widen it", async () => {
    const { testApp, owner, home } = fixtures;
    const id = await register(["message.created"], [home.project]);
    const gone = 987_654;
    await testApp.database.write((tx) =>
      tx
        .updateTable("webhook_endpoints")
        .set({ project_ids: `[${gone}]` })
        .where("id", "=", id)
        .execute(),
    );
    await write(home, "not for it");
    expect(await loadTypes(id)).toEqual([]);
    const update = (project_ids: number[]) => testApp.call(owner, webhooks.updateWebhookEndpoint, { params: { endpoint_id: id }, body: { project_ids } });
    expect((await update([gone, home.project])).response.data.project_ids).toEqual([gone, home.project]);
    expect((await update([home.project])).status).toBe(200);
    expect((await update([gone])).status).toBe(400);
  });

  it("lose edited and deleted text before they are sent, with everything that quotes or shows it", async () => {
    const { testApp, owner, home } = fixtures;
    const id = await register();
    const params = (message_id: number) => ({ params: { project_id: home.project, message_id } });
    const edited = await write(home, "First secret");
    const deleted = await write(home, "Second secret");
    const reply = { project_id: home.project, body: "A reply", parent_message_id: deleted };
    await testApp.call(owner, sendMessage, { body: reply });
    const comment = await writeComment(home, "Third secret");
    await testApp.call(owner, comments.showComment, { params: { comment_id: comment.id } });
    expect(JSON.stringify(await loadBodies(id)).match(/secret/g)!.length).toBeGreaterThanOrEqual(5);
    await testApp.call(owner, messages.editMessage, { ...params(edited), body: { body: "First, corrected" } });
    await testApp.call(owner, messages.deleteMessage, params(deleted));
    await testApp.call(owner, comments.deleteComment, { params: { comment_id: comment.id } });
    const bodies = await loadBodies(id);
    expect(JSON.stringify(await testApp.database.read.selectFrom("outbound_events").selectAll().execute())).not.toContain("secret");
    const common = { project_id: home.project, changed_by_account_id: owner.id, revision: 1 };
    expect(bodies.map(({ data }) => data)).toMatchObject([
      { id: edited, body: "First, corrected", deleted: false, project_name: expect.any(String), ...common },
      { id: deleted, body: "", deleted: true, project_name: expect.any(String), ...common },
      { body: "A reply", parent: { excerpt: "" }, ...common },
      { id: comment.id, body: "", deleted: true, file_name: expect.any(String), ...common },
      { project_name: expect.any(String), ...common },
    ]);
  });

  it("are not sent for imported messages", async () => {
    const { testApp, owner, apart } = fixtures;
    const id = await register(["message.created"]);
    const folder = mkdtempSync(join(tmpdir(), "talkback-webhooks-"));
    const file = join(folder, "chat.jsonl");
    const records = Array.from({ length: 50 }, (_, index) => ({
      id: index + 1,
      account_email: owner.email,
      body: `old ${index}`,
      datetime: "2021-05-04T10:00:00Z",
    }));
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join("\n"));
    await importChat(testApp.app.services.chatImport, { projectId: apart.project, file, fallback: null, dryRun: false, progress: () => {} });
    rmSync(folder, { recursive: true });
    expect(await loadTypes(id)).toEqual([]);
    await write(apart, "and on");
    expect(await loadTypes(id)).toEqual(["message.created"]);
  });

  it("are not sent for the demo, which an organization with webhooks cannot create", async () => {
    const testApp = await startTestApp(engine);
    const owner = await setUpOwner(testApp);
    await registerEndpoint(testApp, owner, { event_types: ["message.created"] });
    const { status, problem } = await testApp.call(owner, createDemo);
    expect([status, problem.detail]).toEqual([409, expect.stringContaining("This organization has webhooks")]);
    await testApp.close();
  });
});
