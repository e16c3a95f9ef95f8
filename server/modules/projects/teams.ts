/** Teams and the groups that organize a team's projects. */
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount, nameKey } from "../../../contract/text.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
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
