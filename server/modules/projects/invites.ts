/** Invites: a link to copy, bound to role and team, valid for one person and 7 days. */
import { LIMITS } from "../../../contract/limits.ts";
import { nameKey } from "../../../contract/text.ts";
import type { Role } from "../../../contract/records.ts";
import { assertCan, assertCanGrantRole, loadAuthorizedTeam, visibleProjects, type Actor } from "../../access/access.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { audit, auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { DAY } from "../../lib/clock.ts";
import { hashSecret, newSecret } from "../../lib/crypto.ts";
import { HttpError, invalid, notFound } from "../../lib/errors.ts";
import { createAccount, lockAccounts } from "../accounts/create-account.ts";
import { isInviteAuthorized } from "../accounts/issued-access.ts";
import { assertStrongPassword, hashPassword } from "../accounts/passwords.ts";
import { presentAccount } from "../accounts/presenter.ts";
import { startSession, type Device } from "../accounts/sessions.ts";
import type { SignInResult } from "../accounts/sign-in.ts";
import { assertNotThrottled, recordFailure, throttleBuckets } from "../accounts/throttle.ts";
import { joinProject, joinTeam } from "./memberships.ts";

const INVITE_TTL_MS = 7 * DAY;

export interface InviteInput {
  teamId: number;
  role: Role;
  projectIds: number[];
  email: string | null;
}

export interface InvitePreview {
  invite: Row<"invites">;
  organisation: string;
  invitedBy: string;
  projects: string[];
}

/** Runs in the transaction in which somebody accepts an invite. */
export type OnInviteAccepted = (tx: Tx, invite: Row<"invites">, account: Row<"accounts">) => Promise<void>;

export function createInvites(deps: ModuleDeps, onInviteAccepted: OnInviteAccepted) {
  const { database, events, clock } = deps;
  const invalidInviteError = () => new HttpError(404, "This invite is invalid, expired, revoked or already used. Ask for a new link.");
  const openInvites = (db: Tx | typeof database.read) =>
    db.selectFrom("invites").where("used_at", "is", null).where("revoked_at", "is", null).where("expires_at", ">", clock.now());

  async function loadByToken(token: string, device: Device): Promise<Row<"invites">> {
    const buckets = throttleBuckets.invite(device.address);
    await assertNotThrottled(database.read, clock.now(), buckets);
    const invite = await openInvites(database.read).selectAll("invites").where("token_hash", "=", hashSecret(token)).executeTakeFirst();
    if (invite && (await isInviteAuthorized(database.read, invite))) return invite;
    await recordFailure(database, clock.now(), buckets, device.address);
    throw invalidInviteError();
  }

  return {
    /** `url` is null if a repeated request returns an earlier result. */
    create(actor: Actor, input: InviteInput, idempotencyKey: IdempotencyKey | null): Promise<{ url: string | null; expiresAt: number }> {
      return database.write(async (tx) => {
        const team = await loadAuthorizedTeam(tx, actor, "team.invite", input.teamId, { newRole: input.role });
        assertCanGrantRole(actor, input.role);
        if (input.role === "guest" && input.projectIds.length === 0) throw invalid("project_ids", "must include at least one project for a guest");
        const now = clock.now();
        return runIdempotent<{ url: string | null; expiresAt: number }>(
          tx,
          actor,
          idempotencyKey,
          now,
          async () => {
            const projectIds = [...new Set(input.projectIds)];
            if (projectIds.length > 0) {
              const visible = await visibleProjects(tx, actor)
                .where("projects.id", "in", projectIds)
                .where("projects.team_id", "=", team.id)
                .select("projects.id")
                .execute();
              if (visible.length !== projectIds.length) throw invalid("project_ids", "must be projects of this team");
            }
            await assertCountBelow(tx, database.engine, {
              name: `invites of organization ${actor.organisationId}`,
              max: LIMITS.open_invites,
              rows: openInvites(tx).where("organisation_id", "=", actor.organisationId),
              denial: `There can be at most ${LIMITS.open_invites} open invites. Revoke one first, or wait until some are accepted.`,
            });
            const token = newSecret();
            const expiresAt = now + INVITE_TTL_MS;
            const { id } = await tx
              .insertInto("invites")
              .values({
                organisation_id: actor.organisationId,
                team_id: team.id,
                role: input.role,
                project_ids: JSON.stringify(projectIds),
                email: input.email,
                token_hash: hashSecret(token),
                created_by: actor.accountId,
                created_session_id: actor.sessionId,
                created_token_id: actor.tokenId,
                created_at: now,
                expires_at: expiresAt,
              })
              .returning("id")
              .executeTakeFirstOrThrow();
            await auditActor(tx, now, actor, "invite.created", `invite:${id}`, { role: input.role, email: input.email });
            return { url: `${deps.publicUrl}/invite#${token}`, expiresAt };
          },
          ({ expiresAt }) => ({ url: null, expiresAt }),
        );
      });
    },

    async list(actor: Actor): Promise<Row<"invites">[]> {
      assertCan(actor, "invite.manage", {}, "Only owners and admins can see invites.");
      return openInvites(database.read).selectAll("invites").where("organisation_id", "=", actor.organisationId).orderBy("id", "desc").execute();
    },

    async revoke(actor: Actor, id: number): Promise<void> {
      assertCan(actor, "invite.manage", {}, "Only owners and admins can revoke invites.");
      await database.write(async (tx) => {
        const invite = await openInvites(tx).select("id").where("organisation_id", "=", actor.organisationId).where("id", "=", id).executeTakeFirst();
        if (!invite) throw notFound("invite");
        const now = clock.now();
        await tx.updateTable("invites").set({ revoked_at: now }).where("id", "=", id).execute();
        await auditActor(tx, now, actor, "invite.revoked", `invite:${id}`);
      });
    },

    async preview(token: string, device: Device): Promise<InvitePreview> {
      const invite = await loadByToken(token, device);
      const ids = JSON.parse(invite.project_ids) as number[];
      const [organisation, inviter, projects] = await Promise.all([
        database.read.selectFrom("organisations").select("name").where("id", "=", invite.organisation_id).executeTakeFirstOrThrow(),
        database.read.selectFrom("accounts").select("username").where("id", "=", invite.created_by).executeTakeFirstOrThrow(),
        ids.length === 0
          ? []
          : database.read.selectFrom("projects").select("name").where("id", "in", ids).where("deleted_at", "is", null).orderBy("name").execute(),
      ]);
      return { invite, organisation: organisation.name, invitedBy: inviter.username, projects: projects.map(({ name }) => name) };
    },

    /** Creates the invited account, adds it to the invite's team and projects, and signs it in. Throws a 404 unless the invite is still open. */
    async accept(token: string, profile: { username: string; email: string; password: string }, device: Device): Promise<SignInResult> {
      const invite = await loadByToken(token, device);
      if (invite.email !== null && nameKey(invite.email) !== nameKey(profile.email)) {
        throw invalid("email", "must be the email address that was invited");
      }
      assertStrongPassword(profile.password, "password", [profile.username, profile.email]);
      const passwordHash = await hashPassword(profile.password);
      return database.write(async (tx) => {
        const now = clock.now();
        const used = await tx
          .updateTable("invites")
          .set({ used_at: now })
          .where("id", "=", invite.id)
          .where("used_at", "is", null)
          .where("revoked_at", "is", null)
          .executeTakeFirst();
        if (Number(used.numUpdatedRows) === 0) throw invalidInviteError();
        await lockAccounts(tx, database.engine, invite.organisation_id);
        const account = await createAccount(tx, database.engine, now, {
          organisationId: invite.organisation_id,
          role: invite.role,
          username: profile.username,
          email: profile.email,
          passwordHash,
          isInvited: invite.email !== null,
        });
        await joinTeam(tx, now, invite.team_id, account.id);
        const ids = JSON.parse(invite.project_ids) as number[];
        const projects = ids.length === 0 ? [] : await tx.selectFrom("projects").selectAll().where("id", "in", ids).orderBy("id").execute();
        for (const project of projects) await joinProject(tx, deps, now, project, account);
        await events.append(tx, topicOf.organisation(invite.organisation_id), "account.updated", {
          ...presentAccount(account, deps.publicUrl),
          role: account.role,
          disabled: false,
        });
        await audit(tx, now, {
          organisationId: invite.organisation_id,
          accountId: account.id,
          action: "invite.accepted",
          target: `invite:${invite.id}`,
          address: device.address,
          detail: { account_id: invite.created_by, role: invite.role },
        });
        await onInviteAccepted(tx, invite, account);
        const organisation = await tx.selectFrom("organisations").selectAll().where("id", "=", invite.organisation_id).executeTakeFirstOrThrow();
        const session = await startSession(tx, deps, account, device, "invite");
        return { account, organisation, sessionId: session.id, token: session.token };
      });
    },
  };
}
