/** How many agents an organization and how many tokens an agent can have. */
import { AGENT_SCOPES } from "../../../contract/agent-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { operations } from "../../../contract/operations/all.ts";
import { newSecret } from "../../lib/crypto.ts";
import { createAgentIn } from "../agents.ts";
import type { Fixtures } from "../fixtures.ts";
import { range } from "./fill.ts";
import type { LimitCase } from "./limited-lists.ts";

/** Whose tokens are listed. */
const agentOf = new WeakMap<Fixtures, number>();
const inPath = (fixtures: Fixtures) => ({ params: { agent_id: agentOf.get(fixtures)! } });

export const AGENT_LIMITS: [string, LimitCase][] = [
  [
    "listAgentTokens",
    {
      limit: LIMITS.agent_tokens,
      async fill(tx, fixtures) {
        const { testApp, owner } = fixtures;
        const agent = await createAgentIn(tx, testApp.engine, testApp.clock.now(), { createdBy: owner, projects: [], scopes: AGENT_SCOPES });
        agentOf.set(fixtures, agent);
        const row = { account_id: agent, name: "\u{1F3B5}".repeat(40), scopes: JSON.stringify(AGENT_SCOPES), created_at: testApp.clock.now() };
        await tx
          .insertInto("api_tokens")
          .values(range(LIMITS.agent_tokens, () => ({ ...row, public_id: newSecret().slice(0, 20), token_hash: newSecret() })))
          .execute();
      },
      list: [operations.listAgentTokens, inPath],
      create: [operations.createAgentToken, (fixtures) => ({ ...inPath(fixtures), body: { name: "one more", scopes: ["chat:read"] } })],
      denial: /^An agent can have at most 20 tokens\. Revoke one/,
    },
  ],
  [
    "createAgent",
    {
      limit: LIMITS.agents,
      async fill(tx, { testApp, owner }) {
        const { count } = await tx
          .selectFrom("accounts")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("is_agent", "=", 1)
          .executeTakeFirstOrThrow();
        for (const _ of range(LIMITS.agents - count, (index) => index))
          await createAgentIn(tx, testApp.engine, testApp.clock.now(), { createdBy: owner, projects: [] });
      },
      create: [operations.createAgent, () => ({ body: { username: "One more", role: "member", scopes: ["chat:read"] } })],
      denial: /^An organization can have at most 50 agents\. Delete one/,
    },
  ],
];
