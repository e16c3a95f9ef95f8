/** Tests event subscriptions of agents through the whole service: which events reach an agent, in which form, and which do not. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { agentEvent, type AgentEventType } from "../../../contract/agent-subscription-records.ts";
import type { Scope } from "../../../contract/define-operation.ts";
import type { LiveEvent } from "../../../contract/events.ts";
import * as operations from "../../../contract/operations/agent-subscriptions.ts";
import { deleteAgent } from "../../../contract/operations/agents.ts";
import * as agentTasks from "../../../contract/operations/agent-tasks.ts";
import * as files from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { addProjectMember, removeProjectMember } from "../../../contract/operations/projects.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { sign } from "../../delivery/request.ts";
import { DAY, SECOND } from "../../lib/clock.ts";
import { createAgent, createAgentToken, pauseAgent } from "../../testing/agents.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";
import { openSocket, waitUntil } from "../../testing/live.ts";
import { startReceiver, type Receiver } from "../../testing/receiver.ts";

const TIMEOUT_MS = 60_000;
const SCOPES: Scope[] = ["account:read", "account:write", "chat:read", "chat:write", "files:read"];

describe.each(ENGINES)("event subscriptions on %s", { timeout: TIMEOUT_MS }, (engine) => {
  let fixtures: Fixtures;
  let receiver: Receiver;
  let stop: () => Promise<void>;
  let agent: number;
  let token: Caller;
  let path: string;
  let counter = 0;
  beforeAll(async () => {
    receiver = await startReceiver();
    fixtures = await createFixtures(engine, { environment: { WEBHOOK_ALLOW_HTTP: "on", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" } });
    await fixtures.testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
    start();
  }, TIMEOUT_MS);
  /** Delivers as two processes would. */
  function start(): void {
    const stops = [1, 2].map(() => fixtures.testApp.app.startDelivery());
    stop = async () => void (await Promise.all(stops.map((end) => end())));
  }
  beforeEach(async () => {
    agent = await createAgent(fixtures.testApp, { createdBy: fixtures.owner, projects: [fixtures.home.project], scopes: SCOPES });
    token = await createAgentToken(fixtures.testApp, agent, SCOPES);
    path = `/agent-${++counter}`;
  });
  afterAll(async () => {
    await stop();
    await fixtures.testApp.close();
    await receiver.close();
  });

  const call: Fixtures["testApp"]["call"] = (...request) => fixtures.testApp.call(...request);
  const subscribe = async (event_types: AgentEventType[], more: { project_ids?: number[] } = {}, caller = token) =>
    (await call(caller, operations.createEventSubscription, { params: { agent_id: agent }, body: { event_types, url: receiver.base + path, ...more } }))
      .response.data;
  const write = (body: string, caller: Caller = fixtures.member, project = fixtures.home.project) => createMessage(fixtures.testApp, caller, project, body);
  const requests = () => receiver.requests.filter((request) => request.path === path);
  const received = (): LiveEvent[] => requests().map(({ body }) => agentEvent.parse(JSON.parse(body)).data);
  const texts = () => received().map(({ data }) => (data as { body?: string }).body);
  const waitForTexts = (expected: string[]) =>
    waitUntil(() => texts().length >= expected.length, `${expected.length} events`, texts).then(() => expect(texts()).toEqual(expected));
  const deliveriesOf = async (subscription_id: number) =>
    (await call(fixtures.owner, operations.listSubscriptionDeliveries, { params: { agent_id: agent, subscription_id }, query: {} })).response.data;

  test("an agent is sent the events that it asked for, signed and as the live channel has them, without its own", async () => {
    const { secret } = await subscribe(["message.created"]);
    const socket = await openSocket(fixtures.testApp.app.server, token);
    const topic = `project:${fixtures.home.project}`;
    socket.send({ subscribe: { topic, types: ["message.created"] } });
    await waitUntil(() => socket.frames.some((frame) => "subscribed" in frame), "subscribed");
    await write("One");
    await write("Mine", token);
    await call(fixtures.member, files.renameFile, { body: { file_id: fixtures.home.file, name: `Renamed ${++counter}.wav` } });
    await write("Two");
    await waitForTexts(["One", "Two"]);
    const [first] = requests();
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = first!.headers;
    expect(JSON.parse(first!.body)).toMatchObject({ object: "event", type: "agent.event", id });
    expect(signature).toBe(sign(id!, Number(time) * SECOND, first!.body, [secret!])["webhook-signature"]);
    await waitUntil(() => socket.events(topic).filter(({ type }) => type === "message.created").length === 3, "live events");
    const live = socket.events(topic);
    expect(new Set(live.map(({ type }) => type))).toEqual(new Set(["message.created", "withheld"]));
    expect(received()).toEqual(live.filter(({ data }) => ["One", "Two"].includes(String((data as { body?: string }).body))));
    await socket.close();
  });

  test("events of other projects, and of scopes that the agent or its token lacks, are not sent", async () => {
    const filesOnly = await createAgentToken(fixtures.testApp, agent, ["account:read", "account:write", "files:read"]);
    await expect(subscribe(["message.created"], {}, filesOnly)).rejects.toThrow();
    await subscribe(["message.created"]);
    await write("Elsewhere", fixtures.owner, fixtures.apart.project);
    await write("Here");
    await waitForTexts(["Here"]);
    await fixtures.testApp.database.write((tx) =>
      tx
        .updateTable("agents")
        .set({ scopes: JSON.stringify(["account:read", "files:read"]) })
        .where("account_id", "=", agent)
        .execute(),
    );
    await write("Hidden");
    await passDispatch();
    await fixtures.testApp.database.write((tx) =>
      tx
        .updateTable("agents")
        .set({ scopes: JSON.stringify(SCOPES) })
        .where("account_id", "=", agent)
        .execute(),
    );
    await write("Seen");
    await waitForTexts(["Here", "Seen"]);
  });

  /** Waits until all cursors have reached the newest events. */
  async function passDispatch(): Promise<void> {
    const find = () =>
      fixtures.testApp.database.read
        .selectFrom("agent_subscription_cursors as known")
        .innerJoin("topics", "topics.topic", "known.topic")
        .select("known.seq")
        .whereRef("topics.seq", ">", "known.seq")
        .execute();
    while ((await find()).length > 0) await pause(10);
  }

  /** Waits until the delivery engine has looked for everything that is due. */
  async function passDelivery(): Promise<void> {
    const url = `${receiver.base}/organization-${++counter}`;
    const { owner } = fixtures;
    const { id } = (await call(owner, webhooks.createWebhookEndpoint, { body: { url, event_types: ["file.renamed"] } })).response.data;
    await call(fixtures.member, files.renameFile, { body: { file_id: fixtures.home.file, name: `Renamed ${++counter}.wav` } });
    await waitUntil(() => receiver.requests.some((request) => url.endsWith(request.path)), "a webhook");
    await call(owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: id } });
  }

  test("a paused agent, a paused subscription and a deleted one get nothing of the meantime", async () => {
    const { id: subscription_id } = await subscribe(["message.created"]);
    const params = { agent_id: agent, subscription_id };
    await pauseAgent(fixtures.testApp, agent, true);
    await write("While the agent is paused");
    await passDispatch();
    await pauseAgent(fixtures.testApp, agent, false);
    await write("Resumed");
    await waitForTexts(["Resumed"]);
    const paused = await call(token, operations.updateEventSubscription, { params, body: { enabled: false } });
    expect(paused.response.data).toMatchObject({ enabled: false, disabled_reason: "paused" });
    await write("While the subscription is paused");
    await passDispatch();
    await call(token, operations.updateEventSubscription, { params, body: { enabled: true } });
    await write("Resumed again");
    await waitForTexts(["Resumed", "Resumed again"]);
    await call(token, operations.deleteEventSubscription, { params });
    await write("After it was deleted");
    await passDispatch();
    expect(texts()).toEqual(["Resumed", "Resumed again"]);
  });

  test("what waits for an attempt is not sent once the agent is paused, and never once it has left the project", async () => {
    receiver.handlers[path] = (response) => response.writeHead(500).end();
    const { id } = await subscribe(["message.created"]);
    await write("Refused");
    await waitForTexts(["Refused"]);
    while ((await deliveriesOf(id))[0]?.last_attempt === null) await pause(10);
    await pauseAgent(fixtures.testApp, agent, true);
    fixtures.testApp.clock.advance(DAY);
    await passDelivery();
    expect(texts()).toEqual(["Refused"]);
    // It waits for the agent to resume.
    expect((await deliveriesOf(id))[0]?.state).toBe("pending");
    await call(fixtures.owner, removeProjectMember, { params: { project_id: fixtures.home.project, account_id: agent } });
    await pauseAgent(fixtures.testApp, agent, false);
    while ((await deliveriesOf(id))[0]?.state !== "failed") await pause(10);
    expect(texts()).toEqual(["Refused"]);
  });

  test("deleted and edited text is removed from events that were stored for an agent, sent or not", async () => {
    receiver.handlers[path] = (response) => response.writeHead(500).end();
    const { id } = await subscribe(["message.created", "message.updated"]);
    const [message, other] = [await write("Secret one"), await write("Secret two")];
    const ofProject = { project_id: fixtures.home.project };
    const edit = (body: string) => call(fixtures.member, messages.editMessage, { params: { ...ofProject, message_id: other }, body: { body } });
    await edit("Secret three");
    await waitUntil(() => received().length >= 3, "three events", received);
    await call(fixtures.member, messages.deleteMessage, { params: { ...ofProject, message_id: message } });
    await edit("Final");
    await passDispatch();
    const stored = await fixtures.testApp.database.read
      .selectFrom("outbound_events")
      .innerJoin("deliveries", "deliveries.event_id", "outbound_events.id")
      .select(["outbound_events.data", "outbound_events.id"])
      .where("deliveries.endpoint_id", "=", id)
      .orderBy("deliveries.id")
      .execute();
    const events = stored.map(({ data }) => JSON.parse(data) as LiveEvent);
    expect(JSON.stringify(events)).not.toContain("Secret");
    expect(events.map(({ type, data }) => [type, (data as { body?: string }).body])).toEqual([
      ["message.created", ""],
      ["message.created", "Final"],
      ["withheld", undefined],
      ["message.updated", ""],
      ["message.updated", "Final"],
    ]);
    const deliveries = await deliveriesOf(id);
    expect(deliveries.map(({ event_type }) => event_type)).toEqual(events.map(({ type }) => type).toReversed());
  });

  test("a project that the agent joins later is followed from then on", async () => {
    await write("Before it joined", fixtures.owner, fixtures.next.project);
    await subscribe(["message.created"]);
    fixtures.testApp.clock.advance(SECOND);
    await call(fixtures.owner, addProjectMember, { params: { project_id: fixtures.next.project }, body: { account_id: agent } });
    await write("After it joined", fixtures.owner, fixtures.next.project);
    await waitForTexts(["After it joined"]);
    expect(texts()).toEqual(["After it joined"]);
  });

  test("what happened while the agent was not in the project is not sent, also if nobody read it meanwhile", async () => {
    const membership = { project_id: fixtures.home.project };
    await subscribe(["message.created"]);
    await stop();
    await call(fixtures.owner, removeProjectMember, { params: { ...membership, account_id: agent } });
    await write("While it was away");
    fixtures.testApp.clock.advance(SECOND);
    await call(fixtures.owner, addProjectMember, { params: membership, body: { account_id: agent } });
    await write("After it came back");
    start();
    await waitForTexts(["After it came back"]);
    expect(texts()).toEqual(["After it came back"]);
  });

  test("a subscription for some projects gets no events of others", async () => {
    await call(fixtures.owner, addProjectMember, { params: { project_id: fixtures.next.project }, body: { account_id: agent } });
    await subscribe(["message.created"], { project_ids: [fixtures.next.project] });
    await write("Home");
    await write("Next", fixtures.owner, fixtures.next.project);
    await waitForTexts(["Next"]);
    await passDispatch();
    expect(texts()).toEqual(["Next"]);
  });

  test("events reach the agent one after another in their order, while the receiver is slow", async () => {
    let busy = 0;
    let most = 0;
    receiver.handlers[path] = async (response) => {
      most = Math.max(most, (busy += 1));
      await pause(20);
      busy -= 1;
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    };
    await subscribe(["message.created"]);
    const bodies = Array.from({ length: 20 }, (_, index) => `Message ${index}`);
    for (const body of bodies) await write(body);
    await waitForTexts(bodies);
    expect(most).toBe(1);
  });

  test("subscriptions are not among the organization's webhooks, which get none of their events", async () => {
    const { owner } = fixtures;
    const endpoint = (await call(owner, webhooks.createWebhookEndpoint, { body: { url: `${receiver.base}/organization`, event_types: ["file.renamed"] } }))
      .response.data;
    const { id: endpoint_id } = await subscribe(["message.created"]);
    await write("For the agent");
    await waitForTexts(["For the agent"]);
    const listed = (await call(owner, webhooks.listWebhookEndpoints)).response.data.map(({ id }) => id);
    expect(listed).toContain(endpoint.id);
    expect(listed).not.toContain(endpoint_id);
    expect((await fixtures.testApp.callUntyped(owner, webhooks.getWebhookEndpoint, { params: { endpoint_id } })).status).toBe(404);
    const [delivery] = await deliveriesOf(endpoint_id);
    expect((await fixtures.testApp.callUntyped(owner, webhooks.getDelivery, { params: { delivery_id: delivery!.id } })).status).toBe(404);
    const published = await fixtures.testApp.database.read
      .selectFrom("events")
      .select(["type", "data"])
      .where("type", "in", ["webhook_endpoint.updated", "delivery.updated"])
      .execute();
    expect(
      published.filter(({ data }) =>
        [(JSON.parse(data) as { endpoint_id?: number }).endpoint_id, (JSON.parse(data) as { id: number }).id].includes(endpoint_id),
      ),
    ).toEqual([]);
    await call(owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: endpoint.id } });
  });

  test("a subscription ends with the token that set it up", async () => {
    const { id: subscription_id } = await subscribe(["message.created"]);
    await fixtures.testApp.database.write((tx) => tx.updateTable("api_tokens").set({ revoked_at: 1 }).where("account_id", "=", agent).execute());
    await write("Too late");
    await passDispatch();
    expect(await deliveriesOf(subscription_id)).toEqual([]);
    // A start looks for ended tokens; otherwise it happens within a minute.
    await fixtures.testApp.app.startDelivery()();
    const params = { agent_id: agent, subscription_id };
    await waitForReason(params, "token_ended");
  });

  test("nothing is sent to a deleted agent, whose subscriptions end", async () => {
    receiver.handlers[path] = (response) => response.writeHead(500).end();
    const { id } = await subscribe(["message.created"]);
    await write("Refused");
    while ((await deliveriesOf(id))[0]?.last_attempt === null || texts().length === 0) await pause(10);
    const { database, clock } = fixtures.testApp;
    const deletedAt = clock.now();
    await call(fixtures.owner, deleteAgent, { params: { agent_id: agent } });
    clock.advance(DAY);
    await write("After it was deleted");
    await passDelivery();
    expect(texts()).toEqual(["Refused"]);
    const states = await database.read.selectFrom("deliveries").select("state").where("endpoint_id", "=", id).execute();
    expect(states).toEqual([{ state: "failed" }]);
    const row = await database.read.selectFrom("webhook_endpoints").select(["deleted_at", "secret"]).where("id", "=", id).executeTakeFirstOrThrow();
    expect(row).toEqual({ deleted_at: deletedAt, secret: "" });
  });

  test("what an agent does in a task is not sent to it", async () => {
    await subscribe(["message.created"]);
    const stopRuns = fixtures.testApp.app.startAgentRuns({ intervalMs: 10 });
    const step = { type: "post_message" as const, text: "By a task" };
    const body = { project_id: fixtures.home.project, name: "Say it", action: "rule" as const, trigger: { type: "manual" as const }, steps: [step] };
    const task = (await call(fixtures.owner, agentTasks.createAgentTask, { params: { agent_id: agent }, body })).response.data;
    await call(fixtures.owner, agentTasks.runAgentTask, { params: { task_id: task.id }, body: {} });
    const posted = () => fixtures.testApp.database.read.selectFrom("messages").select("id").where("account_id", "=", agent).execute();
    while ((await posted()).length === 0) await pause(10);
    await stopRuns();
    await write("By a person");
    await waitForTexts(["By a person"]);
    expect(texts()).toEqual(["By a person"]);
  });

  async function waitForReason(params: { agent_id: number; subscription_id: number }, reason: string): Promise<void> {
    const get = async () => (await call(fixtures.owner, operations.getEventSubscription, { params })).response.data.disabled_reason;
    while ((await get()) !== reason) await pause(10);
  }
});
