/** The browsers to which an account's notifications are pushed: one for each session, until it ends. */
import { assertCan, type Actor } from "../../access/access.ts";
import { GuardError } from "../../delivery/guard.ts";
import { acquireAdvisoryLock, lockRows } from "../../db/engine-sql.ts";
import type { PushTarget } from "../../delivery/send-push.ts";
import type { Db } from "../../db/schema.ts";
import { forbidden, HttpError, invalid, notFound } from "../../lib/errors.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import { enqueueTest } from "./enqueue.ts";
import { isPublicKey } from "./push-keys.ts";

const querySubscriptions = (db: Db, { accountId }: Actor) =>
  db
    .selectFrom("push_subscriptions")
    .innerJoin("sessions", "sessions.id", "push_subscriptions.session_id")
    .select(["push_subscriptions.id", "push_subscriptions.session_id", "push_subscriptions.created_at", "sessions.user_agent"])
    .where("push_subscriptions.account_id", "=", accountId);
export type SubscriptionView = Awaited<ReturnType<ReturnType<typeof querySubscriptions>["executeTakeFirstOrThrow"]>>;

export function createPushSubscriptions(deps: NotificationDeliveryDeps) {
  const { database, clock, events, guard, pushTargets } = deps;

  function assertTarget({ endpoint, keys }: PushTarget): void {
    try {
      guard.assertUrlAllowed(endpoint);
    } catch (error) {
      throw error instanceof GuardError ? invalid("endpoint", error.message) : error;
    }
    if (!isPublicKey(keys.p256dh)) throw invalid("keys.p256dh", "must be a public key on the curve P-256");
  }

  return {
    list(actor: Actor): Promise<SubscriptionView[]> {
      assertCan(actor, "self", {}, "");
      return querySubscriptions(database.read, actor).orderBy("push_subscriptions.id", "desc").execute();
    },

    /** Replaces the subscription of the session, and that of the same browser for another session or account. */
    create(actor: Actor, target: PushTarget): Promise<SubscriptionView> {
      assertCan(actor, "self", {}, "");
      const { sessionId, accountId } = actor;
      if (sessionId === null) throw forbidden("An API token cannot do this. Sign in with a browser.");
      assertTarget(target);
      const columns = pushTargets.toColumns(target);
      return database.write(async (tx) => {
        // Serializes the subscriptions of a session, and those of a browser. Rows come before topics here, as when a session ends.
        const session = await lockRows(tx.selectFrom("sessions").select("id").where("id", "=", sessionId), database.engine, "update").executeTakeFirst();
        if (!session) throw new HttpError(401, "This session has ended. Sign in again.");
        await acquireAdvisoryLock(tx, database.engine, `push endpoint ${columns.endpoint_hash}`);
        await tx
          .deleteFrom("push_subscriptions")
          .where(({ or, eb }) => or([eb("session_id", "=", sessionId), eb("endpoint_hash", "=", columns.endpoint_hash)]))
          .execute();
        const { id } = await tx
          .insertInto("push_subscriptions")
          .values({ account_id: accountId, session_id: sessionId, ...columns, created_at: clock.now() })
          .returning("id")
          .executeTakeFirstOrThrow();
        events.appendToAccounts(tx, [accountId], "notification_channels.changed", {});
        return querySubscriptions(tx, actor).where("push_subscriptions.id", "=", id).executeTakeFirstOrThrow();
      });
    },

    async remove(actor: Actor, id: number): Promise<void> {
      assertCan(actor, "self", {}, "");
      await database.write(async (tx) => {
        const { numDeletedRows } = await tx.deleteFrom("push_subscriptions").where("id", "=", id).where("account_id", "=", actor.accountId).executeTakeFirst();
        if (Number(numDeletedRows) === 0) throw notFound("push subscription");
        events.appendToAccounts(tx, [actor.accountId], "notification_channels.changed", {});
      });
    },

    async sendTest(actor: Actor, id: number): Promise<void> {
      assertCan(actor, "self", {}, "");
      await database.write(async (tx) => {
        const found = await querySubscriptions(tx, actor).where("push_subscriptions.id", "=", id).executeTakeFirst();
        if (!found) throw notFound("push subscription");
        await enqueueTest(tx, clock.now(), actor.accountId, id);
      });
    },
  };
}
