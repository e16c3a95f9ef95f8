/** Loads agents and their event subscriptions, limited to what the actor sees and manages. */
import type { Scope } from "../../../contract/define-operation.ts";
import { can, visibleAccounts, type Actor } from "../../access/access.ts";
import type { Engine } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { forbidden, notFound } from "../../lib/errors.ts";
import { endedTokens } from "../webhooks/ended-tokens.ts";

/** A subscription is an endpoint that belongs to an agent. */
export type Subscription = Row<"webhook_endpoints"> & { agent_id: number };

/** Throws a 404 unless the actor sees the agent, and a 403 unless it may manage the agent's subscriptions. */
export async function assertSubscriber(db: Db, actor: Actor, agentId: number): Promise<void> {
  const agent = await visibleAccounts(db, actor)
    .innerJoin("agents", "agents.account_id", "accounts.id")
    .select("accounts.id")
    .where("accounts.id", "=", agentId)
    .where("accounts.disabled_at", "is", null)
    .executeTakeFirst();
  if (!agent) throw notFound("agent");
  if (!can(actor, "agent.subscribe", { isOwn: actor.accountId === agentId }))
    throw forbidden("Only owners, admins and the agent itself can manage its event subscriptions.");
}

export const subscriptionsOf = (db: Db, agentId: number) =>
  db.selectFrom("webhook_endpoints").where("webhook_endpoints.agent_id", "=", agentId).where("webhook_endpoints.deleted_at", "is", null);

const asSubscription = (row: Row<"webhook_endpoints"> | undefined): Subscription => {
  if (!row || row.agent_id === null) throw notFound("event subscription");
  return { ...row, agent_id: row.agent_id };
};

export async function loadSubscription(db: Db, actor: Actor, agentId: number, id: number): Promise<Subscription> {
  await assertSubscriber(db, actor, agentId);
  return asSubscription(await subscriptionsOf(db, agentId).selectAll().where("id", "=", id).executeTakeFirst());
}

/** The same, and locks the row, so that nobody else changes it or stores events for it until the transaction ends. */
export async function lockSubscription(tx: Tx, engine: Engine, actor: Actor, agentId: number, id: number): Promise<Subscription> {
  await assertSubscriber(tx, actor, agentId);
  return asSubscription(await lockRows(subscriptionsOf(tx, agentId).selectAll().where("id", "=", id), engine, "update").executeTakeFirst());
}

/**
 * Returns the agent as the one who receives the events of a subscription: with the scopes that both the agent and the token that set it up have. null: it
 * receives nothing now, because it or the token is paused, disabled or has ended.
 */
export async function loadReceiver(db: Db, agentId: number, tokenId: number | null, now: number, { evenIfPaused = false } = {}): Promise<Actor | null> {
  const row = await db
    .selectFrom("accounts")
    .innerJoin("agents", "agents.account_id", "accounts.id")
    .leftJoin("api_tokens", (join) => join.on("api_tokens.id", "=", tokenId))
    .select(["accounts.id", "accounts.organisation_id", "accounts.role", "agents.scopes", "api_tokens.scopes as token_scopes"])
    .where("accounts.id", "=", agentId)
    .where("accounts.disabled_at", "is", null)
    .$if(!evenIfPaused, (query) => query.where("agents.paused_at", "is", null))
    .executeTakeFirst();
  if (!row) return null;
  if (tokenId !== null && (await endedTokens(db, now).where("api_tokens.id", "=", tokenId).executeTakeFirst())) return null;
  const scopes = JSON.parse(row.scopes) as Scope[];
  const tokenScopes = row.token_scopes === null ? scopes : (JSON.parse(row.token_scopes) as Scope[]);
  return {
    accountId: row.id,
    organisationId: row.organisation_id,
    role: row.role,
    scopes: scopes.filter((scope) => tokenScopes.includes(scope)),
    sessionId: null,
    tokenId: null,
    address: null,
    checkedRules: new Set(),
  };
}
