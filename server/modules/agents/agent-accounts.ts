/** How later modules see the accounts of agents. */
import type { Actor } from "../../access/access.ts";
import type { Db } from "../../db/schema.ts";
import { parseAgentScopes } from "./presenter.ts";
import { loadAgent } from "./repository.ts";

export const createAgentAccounts = () => ({
  /** Returns the agent's id. Throws a 404 unless the actor sees the agent. */
  loadVisible: async (db: Db, actor: Actor, agentId: number): Promise<number> => (await loadAgent(db, actor, agentId)).account.id,

  isAgent: async (db: Db, accountId: number): Promise<boolean> =>
    (await db.selectFrom("agents").select("account_id").where("account_id", "=", accountId).executeTakeFirst()) !== undefined,

  /** Returns the agent as the one who acts in a run of a task (null: in none); null if it is deleted. It may do what its role, its projects and its scopes allow. */
  async loadActor(db: Db, agentId: number, runId: number | null): Promise<{ actor: Actor; isPaused: boolean } | null> {
    const row = await db
      .selectFrom("accounts")
      .innerJoin("agents", "agents.account_id", "accounts.id")
      .select(["accounts.id", "accounts.organisation_id", "accounts.role", "agents.scopes", "agents.paused_at"])
      .where("accounts.id", "=", agentId)
      .where("accounts.disabled_at", "is", null)
      .executeTakeFirst();
    if (!row) return null;
    const actor: Actor = {
      accountId: row.id,
      organisationId: row.organisation_id,
      role: row.role,
      scopes: parseAgentScopes(row),
      sessionId: null,
      tokenId: null,
      agent: { runId },
      address: null,
      checkedRules: new Set(),
    };
    return { actor, isPaused: row.paused_at !== null };
  },
});

export type AgentAccounts = ReturnType<typeof createAgentAccounts>;
