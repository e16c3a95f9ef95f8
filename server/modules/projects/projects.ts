/** Projects: creating, finding and editing them, and their members. */
import { LIMITS } from "../../../contract/limits.ts";
import { canSeeEverything, MANAGER_ROLES } from "../../../contract/policy.ts";
import { formatCount } from "../../../contract/text.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import {
  loadAuthorizedAccount,
  assertCan,
  assertCanGrantRole,
  loadAuthorizedGroup,
  loadAuthorizedProject,
  loadAuthorizedTeam,
  visibleAccounts,
  visibleGroups,
  type Actor,
} from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { lockRows } from "../../db/engine-sql.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { ARCHIVED } from "../../events/archived-projects.ts";
import { topicOf } from "../../events/log.ts";
import { toPage } from "../../http/paging.ts";
import { conflict, invalid, notFound } from "../../lib/errors.ts";
import { joinProject, leaveProject } from "./memberships.ts";
import { presentSharedProject, type ProjectForReader } from "./presenter.ts";
import { projectsForReader } from "./repository.ts";

export interface ProjectInput {
  teamId: number;
  groupId: number | null;
  name: string;
  description: string;
}
interface ProjectChanges {
  name?: string | undefined;
  description?: string | undefined;
  groupId?: number | null | undefined;
  color?: number | null | undefined;
  archived?: boolean | undefined;
}
/** The id after which a page begins, 0 for the first page, and its size. */
interface PageStart {
  after: number;
  limit: number;
}
export type ProjectMemberRow = Row<"accounts"> & { added_at: number };

export function createProjects(deps: ModuleDeps) {
  const { database, events, clock } = deps;
  /** Throws a 400 unless the group exists; it is not deleted before the transaction ends. */
  async function assertGroupInTeam(tx: Tx, actor: Actor, groupId: number | null | undefined, teamId: number): Promise<void> {
    if (groupId === null || groupId === undefined) return;
    const group = await visibleGroups(tx, actor)
      .where("project_groups.id", "=", groupId)
      .where("project_groups.team_id", "=", teamId)
      .select("project_groups.id")
      .executeTakeFirst();
    const locked =
      group && (await lockRows(tx.selectFrom("project_groups").select("id").where("id", "=", group.id), database.engine, "share").executeTakeFirst());
    if (!locked) throw invalid("group_id", "must be a group of the project's team");
  }

  /** Returns the projects that follow the one with the id `after` by name, which may have left the query's group meanwhile. */
  async function loadProjectPage(query: ReturnType<typeof projectsForReader>, { after, limit }: PageStart) {
    if (after > 0)
      query = query.where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("projects.name", "projects.id"),
          ">",
          selectFrom("projects as last")
            .select(["last.name", "last.id"])
            .where("last.id", "=", after)
            .whereRef("last.team_id", "=", "projects.team_id")
            .$asTuple("name", "id"),
        ),
      );
    const rows = await query
      .orderBy("projects.name")
      .orderBy("projects.id")
      .limit(limit + 1)
      .execute();
    return toPage(rows, limit);
  }

  async function loadForReader(db: Tx | typeof database.read, actor: Actor, id: number): Promise<ProjectForReader> {
    const project = await projectsForReader(db, actor).where("projects.id", "=", id).executeTakeFirst();
    // The actor was removed from the project after the check, or before repeating the request.
    if (!project) throw notFound("project");
    return project;
  }

  /** Inserts the project and its root folder. */
  async function insertProject(tx: Tx, actor: Actor, now: number, input: ProjectInput): Promise<Row<"projects">> {
    const project = await tx
      .insertInto("projects")
      .values({
        team_id: input.teamId,
        group_id: input.groupId,
        name: input.name.trim(),
        description: input.description,
        created_at: now,
        created_by: actor.accountId,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const root = await tx
      .insertInto("files")
      .values({
        project_id: project.id,
        parent_id: null,
        is_folder: 1,
        kind: "folder",
        name: project.name,
        name_key: "",
        created_by: actor.accountId,
        uploader_id: actor.accountId,
        created_at: now,
        changed_at: now,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx.updateTable("projects").set({ root_folder_id: root.id }).where("id", "=", project.id).execute();
    await indexRecords(tx, database.engine, "project", [project.id]);
    return project;
  }

  return {
    async get(actor: Actor, id: number): Promise<ProjectForReader> {
      await loadAuthorizedProject(database.read, actor, "project.read", id);
      return loadForReader(database.read, actor, id);
    },

    /** Returns a page of all visible projects, in order of id. */
    async list(actor: Actor, after: number, limit: number): Promise<{ projects: ProjectForReader[]; next: number | null }> {
      assertCan(actor, "self", {}, "");
      const rows = await projectsForReader(database.read, actor)
        .where("projects.id", ">", after)
        .orderBy("projects.id")
        .limit(limit + 1)
        .execute();
      const { rows: projects, next } = toPage(rows, limit);
      return { projects, next };
    },
    /** Returns a page of the projects of a group, by name; so does `listWithoutGroup` of those of a team that are in none. */
    async listByGroup(actor: Actor, groupId: number, page: PageStart) {
      const group = await loadAuthorizedGroup(database.read, actor, "group.read", groupId);
      const query = projectsForReader(database.read, actor).where("projects.team_id", "=", group.team_id).where("projects.group_id", "=", group.id);
      return loadProjectPage(query, page);
    },
    async listWithoutGroup(actor: Actor, teamId: number, page: PageStart) {
      const team = await loadAuthorizedTeam(database.read, actor, "team.read", teamId);
      return loadProjectPage(projectsForReader(database.read, actor).where("projects.team_id", "=", team.id).where("projects.group_id", "is", null), page);
    },

    create(actor: Actor, input: ProjectInput, idempotencyKey: IdempotencyKey | null): Promise<ProjectForReader> {
      return database.write(async (tx) => {
        const team = await loadAuthorizedTeam(tx, actor, "project.create", input.teamId);
        const now = clock.now();
        const id = await runIdempotent(tx, actor, idempotencyKey, now, async () => {
          await assertGroupInTeam(tx, actor, input.groupId, team.id);
          await assertCountBelow(tx, database.engine, {
            name: `projects of team ${team.id}`,
            max: LIMITS.projects_per_team,
            rows: tx.selectFrom("projects").where("team_id", "=", team.id).where("deleted_at", "is", null),
            denial: `A team can have at most ${formatCount(LIMITS.projects_per_team)} projects. Delete one that is no longer used.`,
          });
          const project = await insertProject(tx, actor, now, input);
          // Owners and admins see the project without being members.
          const admins = await tx
            .selectFrom("accounts")
            .select("id")
            .where("organisation_id", "=", actor.organisationId)
            .where("role", "in", MANAGER_ROLES)
            .where("id", "!=", actor.accountId)
            .execute();
          await joinProject(tx, deps, now, project, await loadAuthorizedAccount(tx, actor, "account.read", actor.accountId));
          events.appendToAccounts(
            tx,
            admins.map(({ id: adminId }) => adminId),
            "projects.changed",
            { project_id: project.id },
          );
          await auditActor(tx, now, actor, "project.created", `project:${project.id}`);
          return project.id;
        });
        return loadForReader(tx, actor, id);
      });
    },

    /** Throws a 409 for an archived project, unless the change takes it out of the archive. */
    update(actor: Actor, id: number, changes: ProjectChanges): Promise<ProjectForReader> {
      return database.write(async (tx) => {
        await events.lock(tx, topicOf.project(id));
        const before = await loadAuthorizedProject(tx, actor, "project.edit", id);
        const { archived, ...others } = changes;
        // Archiving it once more is no error.
        const changesArchived = archived === undefined || (archived && Object.values(others).some((value) => value !== undefined));
        if (before.archived_at !== null && changesArchived) throw conflict(ARCHIVED);
        if (changes.groupId !== before.group_id) await assertGroupInTeam(tx, actor, changes.groupId, before.team_id);
        const isArchived = archived ?? before.archived_at !== null;
        const after = await tx
          .updateTable("projects")
          .set({
            name: changes.name?.trim() ?? before.name,
            description: changes.description,
            group_id: changes.groupId,
            color: changes.color,
            archived_at: isArchived ? (before.archived_at ?? clock.now()) : null,
          })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        if (after.name !== before.name && after.root_folder_id !== null)
          await tx
            .updateTable("files")
            .set((eb) => ({ name: after.name, revision: eb("revision", "+", 1) }))
            .where("id", "=", after.root_folder_id)
            .execute();
        await indexRecords(tx, database.engine, "project", [id]);
        await events.append(tx, topicOf.project(id), "project.updated", presentSharedProject(after));
        const wasArchived = before.archived_at !== null;
        const action = isArchived === wasArchived ? "project.updated" : isArchived ? "project.archived" : "project.unarchived";
        await auditActor(tx, clock.now(), actor, action, `project:${id}`);
        return loadForReader(tx, actor, id);
      });
    },

    /** Returns a page of the project's people, by name. */
    async members(actor: Actor, id: number, { after, limit }: PageStart): Promise<{ rows: ProjectMemberRow[]; next: number | null }> {
      await loadAuthorizedProject(database.read, actor, "project.read", id);
      let query = database.read
        .selectFrom("project_members")
        .innerJoin("accounts", "accounts.id", "project_members.account_id")
        .selectAll("accounts")
        .select("project_members.added_at")
        .where("project_id", "=", id)
        .where("accounts.disabled_at", "is", null);
      if (after > 0)
        query = query.where("accounts.username_key", ">", ({ selectFrom }) =>
          selectFrom("accounts as last").select("last.username_key").where("last.id", "=", after).where("last.organisation_id", "=", actor.organisationId),
        );
      const rows = await query
        .orderBy("accounts.username_key")
        .limit(limit + 1)
        .execute();
      return toPage(rows, limit);
    },

    addMember(actor: Actor, id: number, accountId: number): Promise<ProjectMemberRow> {
      return database.write(async (tx) => {
        const project = await loadAuthorizedProject(tx, actor, "project.member.add", id);
        const account = await visibleAccounts(tx, actor)
          .selectAll("accounts")
          .where("accounts.id", "=", accountId)
          .where("accounts.disabled_at", "is", null)
          .executeTakeFirst();
        if (!account) throw invalid("account_id", "must be a member of this organization");
        // Owners and admins see every project already.
        if (!canSeeEverything(account.role)) assertCanGrantRole(actor, account.role);
        const now = clock.now();
        if (await joinProject(tx, deps, now, project, account)) {
          await auditActor(tx, now, actor, "project.member_added", `project:${id}`, { account_id: accountId });
        }
        const { added_at } = await tx
          .selectFrom("project_members")
          .select("added_at")
          .where("project_id", "=", id)
          .where("account_id", "=", accountId)
          .executeTakeFirstOrThrow();
        return { ...account, added_at };
      });
    },

    removeMember(actor: Actor, id: number, accountId: number): Promise<void> {
      return database.write(async (tx) => {
        await loadAuthorizedProject(tx, actor, "project.member.remove", id, { isOwn: accountId === actor.accountId });
        if (!(await leaveProject(tx, events, id, accountId))) throw notFound("member of this project");
        await auditActor(tx, clock.now(), actor, "project.member_removed", `project:${id}`, { account_id: accountId });
      });
    },
  };
}
