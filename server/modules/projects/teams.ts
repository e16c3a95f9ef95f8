/** Teams and the groups that organize a team's projects. */
import { LIMITS } from "../../../contract/limits.ts";
import { creatorFacts } from "../../../contract/policy.ts";
import { formatCount, nameKey } from "../../../contract/text.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { assertCan, loadAuthorizedGroup, loadAuthorizedTeam, visibleGroups, visibleTeams, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { lockRows } from "../../db/engine-sql.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { toPage } from "../../http/paging.ts";
import { conflict, notFound } from "../../lib/errors.ts";
import { joinTeam } from "./memberships.ts";
import { presentGroup, presentSharedProject } from "./presenter.ts";

const NAME_TAKEN = "A group with this name already exists.";

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
    /** Returns a page of a team's visible groups, by name. */
    async groups(actor: Actor, teamId: number, { after, limit }: { after: number; limit: number }) {
      const team = await loadAuthorizedTeam(database.read, actor, "team.read", teamId);
      let query = visibleGroups(database.read, actor).selectAll("project_groups").where("project_groups.team_id", "=", team.id);
      if (after > 0)
        query = query.where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple("project_groups.name", "project_groups.id"),
            ">",
            selectFrom("project_groups as last")
              .select(["last.name", "last.id"])
              .where("last.id", "=", after)
              .where("last.team_id", "=", team.id)
              .$asTuple("name", "id"),
          ),
        );
      const rows = await query
        .orderBy("name")
        .orderBy("id")
        .limit(limit + 1)
        .execute();
      return toPage(rows, limit);
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
          await assertCountBelow(tx, database.engine, {
            name: `groups of team ${team.id}`,
            max: LIMITS.groups_per_team,
            rows: tx.selectFrom("project_groups").where("team_id", "=", team.id),
            denial: `A team can have at most ${formatCount(LIMITS.groups_per_team)} groups. Use an existing one.`,
          });
          const group = await tx
            .insertInto("project_groups")
            .values({ team_id: team.id, name, name_key: nameKey(name), description: input.description, created_at: now, created_by: actor.accountId })
            .onConflict((existing) => existing.columns(["team_id", "name_key"]).doNothing())
            .returningAll()
            .executeTakeFirst();
          if (!group) throw conflict(NAME_TAKEN);
          await events.append(tx, topicOf.organisation(actor.organisationId), "group.created", presentGroup(group));
          await auditActor(tx, now, actor, "group.created", `group:${group.id}`);
          return group;
        });
      });
    },

    updateGroup(
      actor: Actor,
      id: number,
      changes: { name?: string | undefined; description?: string | undefined; color?: number | null | undefined },
    ): Promise<Row<"project_groups">> {
      return database.write(async (tx) => {
        const before = await loadAuthorizedGroup(tx, actor, "group.edit", id);
        const name = changes.name?.trim() ?? before.name;
        const key = nameKey(name);
        const namesake = await tx
          .selectFrom("project_groups")
          .select("id")
          .where("team_id", "=", before.team_id)
          .where("name_key", "=", key)
          .where("id", "!=", id)
          .executeTakeFirst();
        if (namesake && key !== before.name_key) throw conflict(NAME_TAKEN);
        const after = await tx
          .updateTable("project_groups")
          .set({
            name,
            // A group of an old version without a key may have the name of another one, and then stays without.
            name_key: namesake ? before.name_key : key,
            description: changes.description ?? before.description,
            color: changes.color === undefined ? before.color : changes.color,
          })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await events.append(tx, topicOf.organisation(actor.organisationId), "groups.changed", { team_id: after.team_id });
        await auditActor(tx, clock.now(), actor, "group.updated", `group:${id}`);
        return after;
      });
    },

    /** Deletes the group. Its projects stay, without a group, those that the actor does not see too. */
    deleteGroup(actor: Actor, id: number): Promise<void> {
      return database.write(async (tx) => {
        const group = await visibleGroups(tx, actor).where("project_groups.id", "=", id).selectAll("project_groups").executeTakeFirst();
        if (!group) throw notFound("group");
        assertCan(
          actor,
          "group.delete",
          creatorFacts({ created_by_account_id: group.created_by }, actor.accountId),
          "Only owners, admins and whoever created the group can delete it.",
        );
        // No project can be moved into the group meanwhile.
        await lockRows(tx.selectFrom("project_groups").select("id").where("id", "=", id), database.engine, "update").execute();
        const inGroup = await tx.selectFrom("projects").select("id").where("group_id", "=", id).execute();
        await events.lock(tx, ...inGroup.map((project) => topicOf.project(project.id)));
        const projects = await tx.updateTable("projects").set({ group_id: null }).where("group_id", "=", id).returningAll().execute();
        await tx.deleteFrom("project_groups").where("id", "=", id).execute();
        await events.appendMany(
          tx,
          projects.map((project) => ({ topic: topicOf.project(project.id), type: "project.updated", data: presentSharedProject(project) })),
        );
        await events.append(tx, topicOf.organisation(actor.organisationId), "groups.changed", { team_id: group.team_id });
        await auditActor(tx, clock.now(), actor, "group.deleted", `group:${id}`, { projects: projects.length });
      });
    },
  };
}
