/** What only owners change: the organization's name, and who its owners are. */
import { assertCan, loadAuthorizedAccount, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { Row } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, HttpError } from "../../lib/errors.ts";
import { lockAccountsFor } from "./create-account.ts";
import { type AccessDeps, endAccessOfFormerRole } from "./issued-access.ts";
import type { MemberRecord, Members } from "./members.ts";
import { verifyPassword } from "./passwords.ts";
import { presentOrganisation } from "./presenter.ts";
import { publishAccountUpdated } from "./profiles.ts";
import { releaseAttempts, reserveAttempt, throttleBuckets } from "./throttle.ts";

export function createOwnership(deps: AccessDeps, members: Pick<Members, "loadMember">) {
  const { database, clock } = deps;

  /** Throws a 403 unless it is the actor's password. Counts like attempts to change the password. */
  async function assertPassword(actor: Actor, password: string): Promise<void> {
    const attempts = await reserveAttempt(database, clock.now(), [throttleBuckets.passwordChange(actor.accountId)]);
    const { password_hash } = await database.read.selectFrom("accounts").select("password_hash").where("id", "=", actor.accountId).executeTakeFirstOrThrow();
    if (!(await verifyPassword(password_hash, password)))
      throw new HttpError(403, "The password is incorrect.", { errors: [{ path: "password", message: "is incorrect" }] });
    await database.write((tx) => releaseAttempts(tx, attempts));
  }

  return {
    /** Makes the person an owner; `stepsDown`: the actor becomes an admin in the same transaction, so that there is always an owner. */
    async transfer(requestedBy: Actor, id: number, password: string, stepsDown: boolean): Promise<MemberRecord> {
      await loadAuthorizedAccount(database.read, requestedBy, "account.manage", id, "owner");
      await assertPassword(requestedBy, password);
      await database.write(async (tx) => {
        // The password took its time, in which another owner may have taken the role away.
        const actor = await lockAccountsFor(tx, database.engine, requestedBy);
        const before = await loadAuthorizedAccount(tx, actor, "account.manage", id, "owner");
        if (id === actor.accountId) throw conflict("You are an owner already. Choose another person.");
        if (before.is_agent === 1) throw conflict("An agent cannot be an owner.");
        if (before.disabled_at !== null) throw conflict("This account is disabled. Enable it first.");
        const setRole = async (account: Pick<Row<"accounts">, "id" | "role">, role: "owner" | "admin") => {
          if (account.role === role) return;
          const after = await tx.updateTable("accounts").set({ role }).where("id", "=", account.id).returningAll().executeTakeFirstOrThrow();
          const ended = await endAccessOfFormerRole(tx, deps, account.id);
          await publishAccountUpdated(tx, deps, after);
          await auditActor(tx, clock.now(), actor, "account.role_changed", `account:${account.id}`, { from: account.role, to: role, ...ended });
        };
        await setRole(before, "owner");
        if (stepsDown) await setRole({ id: actor.accountId, role: actor.role }, "admin");
      });
      return members.loadMember(requestedBy, id);
    },

    rename(actor: Actor, name: string): Promise<Row<"organisations">> {
      assertCan(actor, "organisation.edit", {}, "Only owners can rename the organization.");
      return database.write(async (tx) => {
        const { organisationId } = actor;
        const before = await tx.selectFrom("organisations").selectAll().where("id", "=", organisationId).executeTakeFirstOrThrow();
        const after = await tx
          .updateTable("organisations")
          .set({ name: name.trim() })
          .where("id", "=", organisationId)
          .returningAll()
          .executeTakeFirstOrThrow();
        if (after.name !== before.name) {
          await deps.events.append(tx, topicOf.organisation(organisationId), "organisation.updated", presentOrganisation(after));
          await auditActor(tx, clock.now(), actor, "organisation.renamed", `organisation:${organisationId}`, { from: before.name, to: after.name });
        }
        return after;
      });
    },
  };
}
