/** Tests what a change of an agent ends at once, what agents cannot do in any way, and that repeated requests create once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AGENT_SCOPES } from "../../../contract/agent-records.ts";
import type { Operation } from "../../../contract/define-operation.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as operations from "../../../contract/operations/agents.ts";
import * as agentTasks from "../../../contract/operations/agent-tasks.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { listProjectMembers } from "../../../contract/operations/projects.ts";
import { signIn } from "../../../contract/operations/session.ts";
import { createAgentToken } from "../../testing/agents.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { openSocket } from "../../testing/live.ts";
import { authorizationParameters, createVerifier, redirectParameters, registerApp } from "../../testing/oauth.ts";
import { bearerCaller } from "../../testing/test-app.ts";

type AgentScope = (typeof AGENT_SCOPES)[number];

describe.each(ENGINES)("agents on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    await fixtures.testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  let counter = 0;
  const scopes: AgentScope[] = ["account:read", "chat:read", "chat:write", "files:read"];
  async function newAgent(body: object = {}) {
    const input = { username: `Mix bot ${++counter}`, role: "member" as const, scopes, project_ids: [fixtures.home.project], ...body };
    return (await fixtures.testApp.call(fixtures.admin, operations.createAgent, { body: input })).response.data;
  }
  const change = (agent_id: number, body: object) => fixtures.testApp.call(fixtures.admin, operations.updateAgent, { params: { agent_id }, body });
  const tasksOf = async (agent_id: number) => (await fixtures.testApp.call(fixtures.admin, agentTasks.listAgentTasks, { params: { agent_id } })).response.data;
  async function giveTask(agent_id: number, key?: string) {
    const trigger = { type: "manual" as const };
    const body = {
      project_id: fixtures.home.project,
      action: "rule" as const,
      name: "Say hello",
      trigger,
      steps: [{ type: "post_message" as const, text: "Hello" }],
    };
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
    return (await fixtures.testApp.call(fixtures.admin, agentTasks.createAgentTask, { params: { agent_id }, body }, { headers })).response.data;
  }

  it.each([
    ["is paused", { paused: true }],
    ["is deleted", null],
  ])("close the connections of one that %s", async (_, body) => {
    const { testApp, admin } = fixtures;
    const { id } = await newAgent();
    const socket = await openSocket(testApp.app.server, await createAgentToken(testApp, id, scopes));
    expect(await socket.subscribe(`account:${id}`)).toHaveProperty("subscribed");
    if (body) await change(id, body);
    else await testApp.call(admin, operations.deleteAgent, { params: { agent_id: id } });
    expect(await socket.waitUntilClosed()).toBe(4401);
  });

  it("show an open connection less once the agent may read less", async () => {
    const { testApp, member, home } = fixtures;
    const { id } = await newAgent();
    const socket = await openSocket(testApp.app.server, await createAgentToken(testApp, id, scopes));
    const topic = `project:${home.project}`;
    await socket.subscribe(topic);
    const send = async (body: string) => void (await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body } }));
    const hasSeen = (text: string) => JSON.stringify(socket.frames).includes(text);
    await send("before the change");
    await expect.poll(() => hasSeen("before the change")).toBe(true);
    await change(id, { scopes: ["account:read", "files:read"] });
    await send("after the change");
    const { seq } = await testApp.database.read.selectFrom("topics").select("seq").where("topic", "=", topic).executeTakeFirstOrThrow();
    await expect.poll(() => socket.seqs(topic).includes(seq)).toBe(true);
    expect(hasSeen("after the change")).toBe(false);
    await socket.close();
  });

  it("leave their projects and take their tasks along when they are deleted", async () => {
    const { testApp, admin, member, home } = fixtures;
    const { id } = await newAgent();
    const task = await giveTask(id);
    const run = (await testApp.call(admin, agentTasks.runAgentTask, { params: { task_id: task.id }, body: {} })).response.data;
    await testApp.call(admin, operations.deleteAgent, { params: { agent_id: id } });
    for (const [operation, params] of [
      [agentTasks.getAgentTask, { task_id: task.id }],
      [agentTasks.getAgentTaskRun, { run_id: run.id }],
    ] as [Operation, Record<string, number>][])
      expect((await testApp.callUntyped(admin, operation, { params })).status).toBe(404);
    const people = (await testApp.call(member, listProjectMembers, { params: { project_id: home.project } })).response.data;
    expect(people.map((person) => person.id)).not.toContain(id);
    expect((await testApp.call(member, operations.listAgents)).response.data.map((agent) => agent.id)).not.toContain(id);
  });

  it("never sign in and connect no apps", async () => {
    const { testApp } = fixtures;
    const { id, username } = await newAgent();
    expect((await testApp.call(ANONYMOUS, signIn, { body: { login: username, password: "no password at all" } })).status).toBe(401);
    const { headers } = await createAgentToken(testApp, id, scopes);
    const api_token = String(headers["authorization"]).slice("Bearer ".length);
    const client = await registerApp(testApp);
    const body = { ...authorizationParameters(client, createVerifier(), ["account:read"]), decision: "allow" as const, api_token };
    expect(redirectParameters(await testApp.call(ANONYMOUS, oauth.confirmConsent, { body }))).toMatchObject({ error: "access_denied" });
  });

  it("cannot create, change or pause agents, themselves included", async () => {
    const { testApp } = fixtures;
    const { id } = await newAgent();
    const token = await createAgentToken(testApp, id, scopes);
    expect((await testApp.call(token, operations.updateAgent, { params: { agent_id: id }, body: { scopes: ["account:write"] } })).status).toBe(403);
    expect((await testApp.call(token, operations.createAgent, { body: { username: "Another bot", role: "guest", scopes: ["chat:read"] } })).status).toBe(403);
    expect((await testApp.call(token, accounts.updateAccount, { body: { username: "Boss" } })).status).toBe(403);
  });

  it("keep their name for themselves, also against names that look like it", async () => {
    const { testApp, admin } = fixtures;
    await newAgent({ username: "Loudness helper" });
    const body = { username: "L\u043eudness helper", role: "member" as const, scopes };
    expect((await testApp.call(admin, operations.createAgent, { body })).status).toBe(409);
  });

  it("a repeated request creates one token, one task and one run", async () => {
    const { testApp, admin } = fixtures;
    const { id } = await newAgent();
    const headers = { "idempotency-key": "once" };
    const input = { params: { agent_id: id }, body: { name: "Render server", scopes: ["chat:read" as const] } };
    const [first, second] = [
      (await testApp.call(admin, operations.createAgentToken, input, { headers })).response.data,
      (await testApp.call(admin, operations.createAgentToken, input, { headers })).response.data,
    ];
    expect((await testApp.call(bearerCaller("agent", first.token!), chat.sendMessage, { body: { project_id: 1, body: "x" } })).status).toBe(403);
    expect(second).toMatchObject({ id: first.id, name: "Render server" });
    expect(second).not.toHaveProperty("token");
    const task = await giveTask(id, "one-task");
    expect((await giveTask(id, "one-task")).id).toBe(task.id);
    expect(await tasksOf(id)).toHaveLength(1);
    const run = () => testApp.call(admin, agentTasks.runAgentTask, { params: { task_id: task.id }, body: {} }, { headers: { "idempotency-key": "one-run" } });
    expect((await run()).response.data.id).toBe((await run()).response.data.id);
    expect((await testApp.call(admin, agentTasks.listAgentTaskRuns, { params: { task_id: task.id } })).response.data).toHaveLength(1);
  });
});
