/** Pauses the endpoints whose API token can no longer manage webhooks, so that nobody goes on receiving events that they may not see (decision 033). */
import { audit } from "../../access/audit.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { WEBHOOK_MANAGERS } from "../notifications/visible.ts";
import type { WebhookDeps } from "./deps.ts";
import { createDeliveryPublisher } from "./publisher.ts";
import { setWaitingState } from "./repository.ts";

/** Ids of tokens that can no longer manage webhooks: revoked, expired, or of an account that is disabled or has lost the role for it. */
export const endedTokens = (db: Db, now: number) =>
  db
    .selectFrom("api_tokens")
    .innerJoin("accounts", "accounts.id", "api_tokens.account_id")
    .select("api_tokens.id")
    .where(({ or, and, eb }) =>
      or([
        eb("api_tokens.revoked_at", "is not", null),
        eb("api_tokens.expires_at", "<=", now),
        eb("accounts.disabled_at", "is not", null),
        // An agent has its subscriptions by another rule.
        and([eb("accounts.role", "not in", WEBHOOK_MANAGERS), eb("accounts.id", "not in", db.selectFrom("agents").select("agents.account_id"))]),
      ]),
    );

const endpointsOfEndedTokens = (db: Db, now: number) =>
  db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("token_id", "in", endedTokens(db, now))
    .where("enabled", "=", 1)
    .where("deleted_at", "is", null)
    .orderBy("id");

/** Pauses enabled endpoints whose token has ended and holds their deliveries, which stay for Recover. Returns the ids of the endpoints. */
export async function pauseEndpointsOfEndedTokens(tx: Tx, deps: WebhookDeps): Promise<number[]> {
  const now = deps.clock.now();
  const publisher = createDeliveryPublisher(deps);
  const endpoints = await lockRows(endpointsOfEndedTokens(tx, now), deps.database.engine, "update").execute();
  for (const { id, organisation_id, agent_id, token_id } of endpoints) {
    const owner = await tx.selectFrom("api_tokens").select("account_id").where("id", "=", token_id).executeTakeFirstOrThrow();
    const state = { enabled: 0, disabled_reason: "token_ended", disabled_at: now, disabled_by: null, updated_at: now } as const;
    await tx.updateTable("webhook_endpoints").set(state).where("id", "=", id).execute();
    await audit(tx, now, {
      organisationId: organisation_id,
      accountId: owner.account_id,
      tokenId: token_id,
      action: "webhook.token_ended",
      target: `webhook_endpoint:${id}`,
    });
    await publisher.publishDeliveries(tx, await setWaitingState(tx, id, "held", null));
    await publisher.publishEndpoint(tx, id);
    await publisher.publishDisabled(tx, { id, organisation_id, agent_id });
  }
  return endpoints.map(({ id }) => id);
}

/** The same, in a transaction of its own if there is any such endpoint: for tokens that expire, and for endpoints stored in the moment of the change. */
export async function pauseEndpointsOfExpiredTokens(deps: WebhookDeps): Promise<void> {
  const found = await endpointsOfEndedTokens(deps.database.read, deps.clock.now()).limit(1).executeTakeFirst();
  if (found) await deps.database.write((tx) => pauseEndpointsOfEndedTokens(tx, deps));
}
