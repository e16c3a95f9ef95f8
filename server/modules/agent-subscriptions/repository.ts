/** Loads agents and their event subscriptions, limited to what the actor sees and manages. */
import { can, type Actor } from "../../access/access.ts";
import type { Engine } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { forbidden, notFound } from "../../lib/errors.ts";
import { findAgentActor } from "../agents/agent-accounts.ts";
import { loadAgentAccount } from "../agents/repository.ts";
import { endedTokens } from "../webhooks/ended-tokens.ts";

/** A subscription is an endpoint that belongs to an agent. */
export type Subscription = Row<"webhook_endpoints"> & { agent_id: number };

/** Throws a 404 unless the actor sees the agent, and a 403 unless it may manage the agent's subscriptions. */
export async function assertSubscriber(db: Db, actor: Actor, agentId: number): Promise<void> {
  await loadAgentAccount(db, actor, agentId);
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
 * Returns the agent as the one who receives the events of a subscription; null if it receives nothing now, because it is paused or deleted, or the token that
 * set the subscription up has ended. The scopes of that token never change, and were asked for when it set the subscription up.
 */
export async function loadReceiver(db: Db, agentId: number, tokenId: number | null, now: number, { evenIfPaused = false } = {}): Promise<Actor | null> {
  const agent = await findAgentActor(db, agentId);
  if (!agent || (agent.isPaused && !evenIfPaused)) return null;
  if (tokenId !== null && (await endedTokens(db, now).where("api_tokens.id", "=", tokenId).executeTakeFirst())) return null;
  return agent.actor;
}
