/** How later modules see the accounts of agents. */
import type { Actor } from "../../access/access.ts";
import type { Db } from "../../db/schema.ts";
import { parseAgentScopes } from "./presenter.ts";

export const isAgent = async (db: Db, accountId: number): Promise<boolean> =>
  (await db.selectFrom("agents").select("account_id").where("account_id", "=", accountId).executeTakeFirst()) !== undefined;

/** Returns the agent as somebody who acts without a token, with all its scopes; null if it is deleted. */
export async function findAgentActor(db: Db, agentId: number): Promise<{ actor: Actor; isPaused: boolean } | null> {
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
    isAgent: true,
    address: null,
    checkedRules: new Set(),
  };
  return { actor, isPaused: row.paused_at !== null };
}
