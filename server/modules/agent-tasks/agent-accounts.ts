/** The accounts of agents, as tasks see them. */
import { type Scope } from "../../../contract/define-operation.ts";
import { visibleAccounts } from "../../access/access.ts";
import { notFound } from "../../lib/errors.ts";
import type { AgentAccounts } from "./deps.ts";

export const createAgentAccounts = (): AgentAccounts => ({
  async loadVisible(db, actor, agentId) {
    const agent = await visibleAccounts(db, actor)
      .select("accounts.id")
      .where("accounts.id", "=", agentId)
      .where("accounts.id", "in", db.selectFrom("agents").select("agents.account_id"))
      .where("accounts.disabled_at", "is", null)
      .executeTakeFirst();
    if (!agent) throw notFound("agent");
    return agent.id;
  },
  isAgent: async (db, accountId) => (await db.selectFrom("agents").select("account_id").where("account_id", "=", accountId).executeTakeFirst()) !== undefined,
  async loadActor(db, agentId) {
    const row = await db
      .selectFrom("accounts")
      .innerJoin("agents", "agents.account_id", "accounts.id")
      .select(["accounts.id", "accounts.organisation_id", "accounts.role", "agents.scopes", "agents.paused_at"])
      .where("accounts.id", "=", agentId)
      .where("accounts.disabled_at", "is", null)
      .executeTakeFirst();
    if (!row) return null;
    const actor = {
      accountId: row.id,
      organisationId: row.organisation_id,
      role: row.role,
      scopes: JSON.parse(row.scopes) as Scope[],
      sessionId: null,
      tokenId: null,
      address: null,
      checkedRules: new Set<never>(),
    };
    return { actor, isPaused: row.paused_at !== null };
  },
});
