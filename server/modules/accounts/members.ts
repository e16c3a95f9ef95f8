/** Account profiles and the members of an organization. */
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount } from "../../../contract/text.ts";
import { canSeeEverything } from "../../../contract/policy.ts";
import { ROLES, type Role } from "../../../contract/records.ts";
import { loadAuthorizedAccount, assertCan, assertCanGrantRole, visibleAccounts, visibleProjects, type Actor } from "../../access/access.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { auditActor } from "../../access/audit.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { toPage } from "../../http/paging.ts";
import { DAY } from "../../lib/clock.ts";
import { hashSecret, newSecret } from "../../lib/crypto.ts";
import { conflict, HttpError, notFound } from "../../lib/errors.ts";
import { assertNotFull, lockAccountsFor } from "./create-account.ts";
import { endAccess, endAccessOfFormerRole, type AccessDeps, revokePasswordResets } from "./issued-access.ts";
import { assertStrongPassword, hashPassword, verifyPassword } from "./passwords.ts";
import { publishAccountUpdated } from "./profiles.ts";
import { releaseAttempts, reserveAttempt, throttleBuckets } from "./throttle.ts";

const PASSWORD_RESET_TTL_MS = DAY;
const NOT_A_PERSON = "This account is an agent: it never signs in, and it is changed on its own page.";

export interface MemberRecord {
  account: Row<"accounts">;
  projectIds: number[];
}

/** Creates a link for choosing a new password and revokes earlier links of the account. `creator`: null for the command line. Throws a 409 for an agent. */
export async function issuePasswordReset(
  tx: Tx,
  now: number,
  publicUrl: string,
  accountId: number,
  creator: Pick<Actor, "accountId" | "sessionId"> | null,
): Promise<{ url: string; expiresAt: number }> {
  const agent = await tx.selectFrom("accounts").select("id").where("id", "=", accountId).where("is_agent", "=", 1).executeTakeFirst();
  if (agent) throw conflict(NOT_A_PERSON);
  const token = newSecret();
  const expiresAt = now + PASSWORD_RESET_TTL_MS;
  await revokePasswordResets(tx, now, accountId);
  await tx
    .insertInto("password_resets")
    .values({
      account_id: accountId,
      token_hash: hashSecret(token),
      created_by: creator?.accountId ?? null,
      created_session_id: creator?.sessionId ?? null,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { url: `${publicUrl}/reset#${token}`, expiresAt };
}

export type Members = ReturnType<typeof createMembers>;

export function createMembers(deps: AccessDeps) {
  const { database, clock } = deps;

  /** Reset links of the actor's organization that are neither used, revoked nor expired. */
  const openPasswordResets = (db: Db, { organisationId }: Actor) =>
    db
      .selectFrom("password_resets")
      .innerJoin("accounts", "accounts.id", "password_resets.account_id")
      .where("organisation_id", "=", organisationId)
      .where("used_at", "is", null)
      .where("revoked_at", "is", null)
      .where("expires_at", ">", clock.now());

  /** Returns project ids per account, limited to projects that the actor sees. */
  async function loadProjectIds(actor: Actor, accountIds: number[]): Promise<Map<number, number[]>> {
    const byAccount = new Map(accountIds.map((id) => [id, [] as number[]]));
    if (accountIds.length === 0) return byAccount;
    const rows = await database.read
      .selectFrom("project_members")
      .select(["account_id", "project_id"])
      .where("account_id", "in", accountIds)
      .where("project_id", "in", visibleProjects(database.read, actor).select("projects.id"))
      .orderBy("project_id")
      .execute();
    for (const row of rows) byAccount.get(row.account_id)?.push(row.project_id);
    return byAccount;
  }

  return {
    async loadAccountWithOrganisation(actor: Actor): Promise<{ account: Row<"accounts">; organisation: Row<"organisations"> }> {
      assertCan(actor, "self", {}, "");
      const account = await database.read.selectFrom("accounts").selectAll().where("id", "=", actor.accountId).executeTakeFirstOrThrow();
      const organisation = await database.read.selectFrom("organisations").selectAll().where("id", "=", actor.organisationId).executeTakeFirstOrThrow();
      return { account, organisation };
    },

    /** Returns a page in order of id; owners and admins see disabled accounts too, and everybody deleted agents. */
    async list(actor: Actor, after: number, limit: number): Promise<{ members: MemberRecord[]; next: number | null }> {
      assertCan(actor, "self", {}, "");
      let query = visibleAccounts(database.read, actor).selectAll("accounts").where("accounts.id", ">", after);
      // Deleted agents stay for everybody, as the authors of what they wrote.
      if (!canSeeEverything(actor.role)) query = query.where(({ or, eb }) => or([eb("accounts.disabled_at", "is", null), eb("accounts.is_agent", "=", 1)]));
      const rows = await query
        .orderBy("accounts.id")
        .limit(limit + 1)
        .execute();
      const { rows: accounts, next } = toPage(rows, limit);
      const projects = await loadProjectIds(
        actor,
        accounts.map(({ id }) => id),
      );
      return {
        members: accounts.map((account) => ({ account, projectIds: projects.get(account.id) ?? [] })),
        next,
      };
    },

    async changePassword(actor: Actor, current: string, next: string, endTokens: boolean): Promise<void> {
      assertCan(actor, "self", {}, "");
      const attempts = await reserveAttempt(database, clock.now(), [throttleBuckets.passwordChange(actor.accountId)]);
      const account = await database.read.selectFrom("accounts").selectAll().where("id", "=", actor.accountId).executeTakeFirstOrThrow();
      const incorrect = () => new HttpError(403, "The current password is incorrect.", { errors: [{ path: "current_password", message: "is incorrect" }] });
      if (!(await verifyPassword(account.password_hash, current))) throw incorrect();
      await database.write((tx) => releaseAttempts(tx, attempts));
      assertStrongPassword(next, "new_password", [account.username, account.email]);
      const passwordHash = await hashPassword(next);
      await database.write(async (tx) => {
        // Another password may have been set while this one was being hashed.
        const changed = await tx
          .updateTable("accounts")
          .set({ password_hash: passwordHash })
          .where("id", "=", account.id)
          .where("password_hash", "=", account.password_hash)
          .executeTakeFirst();
        if (Number(changed.numUpdatedRows) === 0) throw incorrect();
        const ended = await endAccess(tx, deps, account.id, { tokens: endTokens, exceptSessionId: actor.sessionId });
        await auditActor(tx, clock.now(), actor, "password.changed", `account:${account.id}`, { ...ended });
      });
    },

    /** Changes role or access. Throws a 409 for an agent, and if the organization would have no enabled owner left. */
    async update(requestedBy: Actor, id: number, changes: { role?: Role; disabled?: boolean }): Promise<MemberRecord> {
      const account = await database.write(async (tx) => {
        // Serializes changes, because two owners could otherwise demote each other at the same moment.
        const actor = await lockAccountsFor(tx, database.engine, requestedBy);
        const before = await loadAuthorizedAccount(tx, actor, "account.manage", id, changes.role);
        if (before.is_agent === 1) throw conflict(NOT_A_PERSON);
        const role = changes.role ?? before.role;
        const isEnabled = changes.disabled === false && before.disabled_at !== null;
        const isPromoted = ROLES.indexOf(role) < ROLES.indexOf(before.role);
        if (isEnabled || isPromoted) assertCanGrantRole(actor, role);
        if (isEnabled) await assertNotFull(tx, actor.organisationId);
        const after = await tx
          .updateTable("accounts")
          .set({
            role,
            disabled_at: changes.disabled === undefined ? before.disabled_at : changes.disabled ? (before.disabled_at ?? clock.now()) : null,
          })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const owner = await tx
          .selectFrom("accounts")
          .select("id")
          .where("organisation_id", "=", actor.organisationId)
          .where("role", "=", "owner")
          .where("disabled_at", "is", null)
          .limit(1)
          .executeTakeFirst();
        if (!owner) throw conflict("An organization needs at least one owner. Make someone else an owner first.");
        const isDisabledNow = after.disabled_at !== null && before.disabled_at === null;
        const ended = isDisabledNow
          ? await endAccess(tx, deps, id, { tokens: true })
          : after.role === before.role
            ? {}
            : await endAccessOfFormerRole(tx, deps, id);
        await publishAccountUpdated(tx, deps, after);
        if (after.role !== before.role)
          await auditActor(tx, clock.now(), actor, "account.role_changed", `account:${id}`, { from: before.role, to: after.role, ...ended });
        if ((after.disabled_at === null) !== (before.disabled_at === null))
          await auditActor(tx, clock.now(), actor, after.disabled_at === null ? "account.enabled" : "account.disabled", `account:${id}`, { ...ended });
        return after;
      });
      return { account, projectIds: (await loadProjectIds(requestedBy, [id])).get(id) ?? [] };
    },

    /** Returns a person whom the actor sees, with their projects. */
    async loadMember(actor: Actor, id: number): Promise<MemberRecord> {
      const account = await loadAuthorizedAccount(database.read, actor, "account.read", id);
      return { account, projectIds: (await loadProjectIds(actor, [id])).get(id) ?? [] };
    },

    createPasswordReset(actor: Actor, id: number): Promise<{ url: string; expiresAt: number }> {
      return database.write(async (tx) => {
        await loadAuthorizedAccount(tx, actor, "account.manage", id);
        await assertCountBelow(tx, database.engine, {
          name: `reset links of organization ${actor.organisationId}`,
          max: LIMITS.open_password_resets,
          // A new link replaces earlier ones of the account.
          rows: openPasswordResets(tx, actor).where("password_resets.account_id", "!=", id),
          denial: `There can be at most ${formatCount(LIMITS.open_password_resets)} open reset links. Revoke one first.`,
        });
        await auditActor(tx, clock.now(), actor, "password.reset_link", `account:${id}`);
        return issuePasswordReset(tx, clock.now(), deps.publicUrl, id, actor);
      });
    },

    /** Returns the reset links that can still be used. */
    async listPasswordResets(actor: Actor): Promise<Row<"password_resets">[]> {
      assertCan(actor, "password_reset.manage", {}, "Only owners can see password reset links.");
      return openPasswordResets(database.read, actor).selectAll("password_resets").orderBy("password_resets.id", "desc").execute();
    },

    async revokePasswordReset(actor: Actor, id: number): Promise<void> {
      assertCan(actor, "password_reset.manage", {}, "Only owners can revoke password reset links.");
      await database.write(async (tx) => {
        const reset = await openPasswordResets(tx, actor).select("account_id").where("password_resets.id", "=", id).executeTakeFirst();
        if (!reset) throw notFound("reset link");
        await tx.updateTable("password_resets").set({ revoked_at: clock.now() }).where("id", "=", id).execute();
        await auditActor(tx, clock.now(), actor, "password.reset_link_revoked", `account:${reset.account_id}`);
      });
    },
  };
}
