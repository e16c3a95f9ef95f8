/** Teams and the groups that organize a team's projects. */
import { nameKey } from "../../../contract/text.ts";
import { assertCan, loadAuthorizedGroup, loadAuthorizedTeam, visibleGroups, visibleTeams, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { toPage } from "../../http/paging.ts";
import { conflict } from "../../lib/errors.ts";
import { joinTeam } from "./memberships.ts";
import { presentGroup } from "./presenter.ts";

/** Creates the first team of a new organization, with the owner as member, and returns the team's id. */
export async function createFirstTeam(tx: Tx, now: number, organisation: Row<"organisations">, owner: Row<"accounts">): Promise<number> {
  const { id } = await tx
    .insertInto("teams")
    .values({ organisation_id: organisation.id, name: organisation.name, created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  await joinTeam(tx, now, id, owner.id);
  return id;
}

export function createTeams({ database, events, clock }: ModuleDeps) {
  return {
    async list(actor: Actor): Promise<Row<"teams">[]> {
      assertCan(actor, "self", {}, "");
      return visibleTeams(database.read, actor).selectAll("teams").orderBy("id").execute();
    },
    /** Returns a page of the visible teams, in order of id; so does `groupPage` of groups, in all teams if `teamId` is null. */
    async page(actor: Actor, after: number, limit: number) {
      assertCan(actor, "self", {}, "");
      const query = visibleTeams(database.read, actor).selectAll("teams").where("teams.id", ">", after).orderBy("teams.id");
      return toPage(await query.limit(limit + 1).execute(), limit);
    },
    async groupPage(actor: Actor, teamId: number | null, after: number, limit: number) {
      assertCan(actor, "team.read", {}, "");
      let query = visibleGroups(database.read, actor).selectAll("project_groups").where("project_groups.id", ">", after).orderBy("project_groups.id");
      if (teamId !== null) query = query.where("project_groups.team_id", "=", (await loadAuthorizedTeam(database.read, actor, "team.read", teamId)).id);
      return toPage(await query.limit(limit + 1).execute(), limit);
    },
    get: (actor: Actor, id: number): Promise<Row<"teams">> => loadAuthorizedTeam(database.read, actor, "team.read", id),
    async groups(actor: Actor, teamId: number): Promise<Row<"project_groups">[]> {
      const team = await loadAuthorizedTeam(database.read, actor, "team.read", teamId);
      return visibleGroups(database.read, actor)
        .selectAll("project_groups")
        .where("project_groups.team_id", "=", team.id)
        .orderBy("name")
        .orderBy("id")
        .execute();
    },
    group: (actor: Actor, id: number): Promise<Row<"project_groups">> => loadAuthorizedGroup(database.read, actor, "group.read", id),

    createGroup(
      actor: Actor,
      input: { teamId: number; name: string; description: string },
      idempotencyKey: IdempotencyKey | null,
    ): Promise<Row<"project_groups">> {
      return database.write(async (tx) => {
        const team = await loadAuthorizedTeam(tx, actor, "group.create", input.teamId);
        const [now, name] = [clock.now(), input.name.trim()];
        return runIdempotent(tx, actor, idempotencyKey, now, async () => {
          const group = await tx
            .insertInto("project_groups")
            .values({ team_id: team.id, name, name_key: nameKey(name), description: input.description, created_at: now })
            .onConflict((existing) => existing.columns(["team_id", "name_key"]).doNothing())
            .returningAll()
            .executeTakeFirst();
          if (!group) throw conflict("A group with this name already exists.");
          await events.append(tx, topicOf.organisation(actor.organisationId), "group.created", presentGroup(group));
          await auditActor(tx, now, actor, "group.created", `group:${group.id}`);
          return group;
        });
      });
    },
  };
}
