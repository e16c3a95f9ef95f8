/** Invites: a copyable link, bound to role and team, for one person and 7 days. */
import type { Role } from "../../../contract/records.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { DAY } from "../../lib/clock.ts";
import { Fault, invalid, notFound } from "../../lib/faults.ts";
import { networkOf } from "../../lib/network.ts";
import { hashSecret, newSecret } from "../../lib/secrets.ts";
import { demand, teamFor, visibleProjects, type Actor } from "../access.ts";
import { audit } from "../audit.ts";
import type { DomainDeps } from "../deps.ts";
import { once, type Repeat } from "../idempotency.ts";
import { joinProject, joinTeam } from "../memberships.ts";
import { presentAccount } from "../../presenters/records.ts";
import { createAccount, nameKey } from "./create.ts";
import { demandGoodPassword, hashPassword } from "./passwords.ts";
import { startSession, type Device } from "./sessions.ts";
import type { SignedIn } from "./sign-in.ts";
import { demandPatience, recordFailure } from "./throttle.ts";

const VALID_MS = 7 * DAY;

export interface InviteWish {
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

export function createInvites(deps: DomainDeps) {
  const { database, events, clock } = deps;
  const gone = () => new Fault(404, "This invite was used already, was withdrawn, has expired, or is not right. Ask for a new link.");
  const open = (db: Tx | typeof database.read) =>
    db.selectFrom("invites").selectAll("invites").where("used_at", "is", null).where("revoked_at", "is", null).where("expires_at", ">", clock.now());

  async function byToken(token: string, device: Device): Promise<Row<"invites">> {
    const bucket = `invite ${networkOf(device.address)}`;
    await demandPatience(database.read, clock.now(), bucket);
    const invite = await open(database.read).where("token_hash", "=", hashSecret(token)).executeTakeFirst();
    if (invite) return invite;
    await recordFailure(database, clock.now(), bucket);
    throw gone();
  }

  return {
    /** `url` is null when a repeated request answers an earlier result. */
    create(actor: Actor, wish: InviteWish, repeat: Repeat): Promise<{ url: string | null; expiresAt: number }> {
      return database.write(async (tx) => {
        const team = await teamFor(tx, actor, "team.invite", wish.teamId, { newRole: wish.role });
        if (wish.role === "guest" && wish.projectIds.length === 0) throw invalid("project_ids", "must name at least one project for a guest");
        const now = clock.now();
        return once<{ url: string | null; expiresAt: number }>(
          tx,
          actor,
          repeat,
          now,
          async () => {
            const wanted = [...new Set(wish.projectIds)];
            if (wanted.length > 0) {
              const found = await visibleProjects(tx, actor)
                .where("projects.id", "in", wanted)
                .where("projects.team_id", "=", team.id)
                .select("projects.id")
                .execute();
              if (found.length !== wanted.length) throw invalid("project_ids", "must be projects of this team");
            }
            const token = newSecret();
            const expiresAt = now + VALID_MS;
            const { id } = await tx
              .insertInto("invites")
              .values({
                organisation_id: actor.organisationId,
                team_id: team.id,
                role: wish.role,
                project_ids: JSON.stringify(wanted),
                email: wish.email,
                token_hash: hashSecret(token),
                created_by: actor.accountId,
                created_at: now,
                expires_at: expiresAt,
              })
              .returning("id")
              .executeTakeFirstOrThrow();
            await audit(tx, now, {
              organisationId: actor.organisationId,
              accountId: actor.accountId,
              action: "invite.created",
              target: `invite:${id}`,
              detail: { role: wish.role },
            });
            return { url: `${deps.publicUrl}/invite#${token}`, expiresAt };
          },
          ({ expiresAt }) => ({ url: null, expiresAt }),
        );
      });
    },

    async list(actor: Actor): Promise<Row<"invites">[]> {
      demand(actor, "invite.manage", {}, "Only owners and admins see invites.");
      return open(database.read).where("organisation_id", "=", actor.organisationId).orderBy("id", "desc").execute();
    },

    async revoke(actor: Actor, id: number): Promise<void> {
      demand(actor, "invite.manage", {}, "Only owners and admins withdraw invites.");
      await database.write(async (tx) => {
        const invite = await open(tx).where("organisation_id", "=", actor.organisationId).where("id", "=", id).executeTakeFirst();
        if (!invite) throw notFound("invite");
        const now = clock.now();
        await tx.updateTable("invites").set({ revoked_at: now }).where("id", "=", id).execute();
        await audit(tx, now, { organisationId: actor.organisationId, accountId: actor.accountId, action: "invite.revoked", target: `invite:${id}` });
      });
    },

    async preview(token: string, device: Device): Promise<InvitePreview> {
      const invite = await byToken(token, device);
      const ids = JSON.parse(invite.project_ids) as number[];
      const [organisation, inviter, projects] = await Promise.all([
        database.read.selectFrom("organisations").select("name").where("id", "=", invite.organisation_id).executeTakeFirstOrThrow(),
        database.read.selectFrom("accounts").select("username").where("id", "=", invite.created_by).executeTakeFirstOrThrow(),
        ids.length === 0 ? [] : database.read.selectFrom("projects").select("name").where("id", "in", ids).orderBy("name").execute(),
      ]);
      return { invite, organisation: organisation.name, invitedBy: inviter.username, projects: projects.map(({ name }) => name) };
    },

    async accept(token: string, person: { username: string; email: string; password: string }, device: Device): Promise<SignedIn> {
      const invite = await byToken(token, device);
      if (invite.email !== null && nameKey(invite.email) !== nameKey(person.email)) {
        throw invalid("email", "must be the address that was invited");
      }
      demandGoodPassword(person.password, "password", [person.username, person.email]);
      const passwordHash = await hashPassword(person.password);
      return database.write(async (tx) => {
        const now = clock.now();
        const used = await tx
          .updateTable("invites")
          .set({ used_at: now })
          .where("id", "=", invite.id)
          .where("used_at", "is", null)
          .where("revoked_at", "is", null)
          .executeTakeFirst();
        if (Number(used.numUpdatedRows) === 0) throw gone();
        const account = await createAccount(tx, now, {
          organisationId: invite.organisation_id,
          role: invite.role,
          username: person.username,
          email: person.email,
          passwordHash,
        });
        await joinTeam(tx, now, invite.team_id, account.id);
        const ids = JSON.parse(invite.project_ids) as number[];
        const projects = ids.length === 0 ? [] : await tx.selectFrom("projects").selectAll().where("id", "in", ids).orderBy("id").execute();
        for (const project of projects) await joinProject(tx, events, now, project, account);
        await events.append(tx, topicOf.organisation(invite.organisation_id), "account.updated", {
          ...presentAccount(account),
          role: account.role,
          disabled: false,
        });
        await audit(tx, now, { organisationId: invite.organisation_id, accountId: account.id, action: "invite.accepted", target: `invite:${invite.id}` });
        const organisation = await tx.selectFrom("organisations").selectAll().where("id", "=", invite.organisation_id).executeTakeFirstOrThrow();
        const session = await startSession(tx, now, account.id, device);
        return { account, organisation, sessionId: session.id, token: session.token };
      });
    },
  };
}
