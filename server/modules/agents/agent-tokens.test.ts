/** Tests that the token of an agent can do what both the token and the agent may do now, and nothing while the agent is paused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as chat from "../../../contract/operations/chat.ts";
import { createAgent, createAgentToken, pauseAgent } from "../../testing/agents.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

describe.each(ENGINES)("tokens of agents, on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const newAgent = () =>
    createAgent(fixtures.testApp, { createdBy: fixtures.admin, projects: [fixtures.home.project], scopes: ["account:read", "chat:read", "chat:write"] });
  const message = () => ({ body: { project_id: fixtures.home.project, body: "Loudness is -14 LUFS" } });

  it("have at most the scopes of the agent, also after it lost some", async () => {
    const { testApp } = fixtures;
    const agent = await newAgent();
    const token = await createAgentToken(testApp, agent, ["account:read", "chat:write"]);
    await testApp.call(token, chat.sendMessage, message());
    await testApp.database.write((tx) => tx.updateTable("agents").set({ scopes: '["account:read"]' }).where("account_id", "=", agent).execute());
    expect((await testApp.call(token, chat.sendMessage, message())).status).toBe(403);
    expect((await testApp.call(token, accounts.getAccount)).status).toBe(200);
  });

  it("have at most their own scopes", async () => {
    const token = await createAgentToken(fixtures.testApp, await newAgent(), ["account:read"]);
    expect((await fixtures.testApp.call(token, chat.sendMessage, message())).status).toBe(403);
  });

  it("are refused with 403 while the agent is paused", async () => {
    const { testApp } = fixtures;
    const agent = await newAgent();
    const token = await createAgentToken(testApp, agent, ["account:read"]);
    await pauseAgent(testApp, agent, true);
    expect((await testApp.call(token, accounts.getAccount)).status).toBe(403);
    await pauseAgent(testApp, agent, false);
    expect((await testApp.call(token, accounts.getAccount)).status).toBe(200);
  });
});
