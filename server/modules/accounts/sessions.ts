/** Browser sessions: an opaque 256-bit token in a cookie, its SHA-256 in the database. */
import { LIMITS } from "../../../contract/limits.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import { audit, auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { hashSecret, newSecret } from "../../lib/crypto.ts";
import { notFound } from "../../lib/errors.ts";
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS, sessionExpiresAt } from "./authentication.ts";
import { endSession, endSessions } from "./issued-access.ts";

export interface Device {
  userAgent: string;
  address: string;
}

/** Inserts a session and returns the token for the cookie. */
export async function insertSession(tx: Tx, now: number, accountId: number, device: Device): Promise<{ id: number; token: string }> {
  const token = newSecret();
  const { id } = await tx
    .insertInto("sessions")
    .values({
      account_id: accountId,
      token_hash: hashSecret(token),
      user_agent: device.userAgent.slice(0, 300),
      address: device.address,
      created_at: now,
      last_seen_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, token };
}

/** Starts the session of somebody who signs in, and deletes their expired ones and those beyond `LIMITS.sessions`. `method`: how the person signed in. */
export async function startSession(
  tx: Tx,
  { events, clock }: ModuleDeps,
  account: Pick<Row<"accounts">, "id" | "organisation_id">,
  device: Device,
  method: "password" | "invite" | "reset link" | "setup link",
): Promise<{ id: number; token: string }> {
  const accountId = account.id;
  const now = clock.now();
  await tx
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where(({ or, eb }) => or([eb("last_seen_at", "<=", now - SESSION_IDLE_MS), eb("created_at", "<=", now - SESSION_MAX_AGE_MS)]))
    .execute();
  const session = await insertSession(tx, now, accountId, device);
  const evicted = await tx
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where("id", "not in", (eb) =>
      eb
        .selectFrom("sessions as newest")
        .select("newest.id")
        .where("newest.account_id", "=", accountId)
        .orderBy("last_seen_at", "desc")
        .orderBy("id", "desc")
        .limit(LIMITS.sessions),
    )
    .returning("id")
    .execute();
  if (evicted.length > 0) events.appendToAccounts(tx, [accountId], "sessions.changed", {});
  await tx.updateTable("accounts").set({ last_seen_at: now }).where("id", "=", accountId).execute();
  await audit(tx, now, {
    organisationId: account.organisation_id,
    accountId,
    action: "session.started",
    target: `session:${session.id}`,
    address: device.address,
    detail: { method, user_agent: device.userAgent.slice(0, 300) },
  });
  return session;
}

export function createSessions(deps: ModuleDeps) {
  const { database, events, clock } = deps;
  return {
    /** Returns sessions that have not expired, most recently used first. */
    async list(actor: Actor): Promise<Row<"sessions">[]> {
      assertCan(actor, "self", {}, "");
      const now = clock.now();
      const rows = await database.read.selectFrom("sessions").selectAll().where("account_id", "=", actor.accountId).orderBy("last_seen_at", "desc").execute();
      return rows.filter((row) => sessionExpiresAt(row) > now);
    },
    async end(actor: Actor, id: number): Promise<void> {
      assertCan(actor, "self", {}, "");
      await database.write(async (tx) => {
        const ended = await endSession(tx, deps, actor.accountId, id);
        if (!ended) throw notFound("session");
        await auditActor(tx, clock.now(), actor, "session.ended", `session:${id}`, { current: id === actor.sessionId, ...ended });
      });
    },
    /** Signs the caller out here: the links created in this session stay valid. */
    async signOut(actor: Actor, id: number): Promise<void> {
      assertCan(actor, "self", {}, "");
      await database.write(async (tx) => {
        await tx.deleteFrom("sessions").where("id", "=", id).where("account_id", "=", actor.accountId).execute();
        await auditActor(tx, clock.now(), actor, "session.ended", `session:${id}`, { current: true });
        events.appendToAccounts(tx, [actor.accountId], "sessions.changed", {});
      });
    },
    /** Signs the caller out everywhere and revokes the links created in all sessions but this one. */
    async endAll(actor: Actor): Promise<void> {
      assertCan(actor, "self", {}, "");
      await database.write(async (tx) => {
        const ended = await endSessions(tx, deps, actor.accountId, actor.sessionId);
        if (actor.sessionId !== null) await tx.deleteFrom("sessions").where("id", "=", actor.sessionId).execute();
        await auditActor(tx, clock.now(), actor, "sessions.ended", `account:${actor.accountId}`, { ...ended });
      });
    },
  };
}
