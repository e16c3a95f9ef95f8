/** Deletes projects with everything in them, lists the deleted ones, and restores them. Nothing in a deleted project changes, so that restoring is exact. */
import { LIMITS } from "../../../contract/limits.ts";
import { canSeeEverything, creatorFacts } from "../../../contract/policy.ts";
import { formatCount } from "../../../contract/text.ts";
import { assertCan, reachableProjects, visibleProjects, type Actor } from "../../access/access.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { notFound } from "../../lib/errors.ts";
import { type DeletedProjectRow, type DeletedProjectView, presentSharedProject, type ProjectForReader } from "./presenter.ts";
import { PROJECT_RESTORABLE_MS } from "./project-retention.ts";
import { audienceOf, projectsForReader } from "./repository.ts";

/** The list ends after this many. */
const MAX_LISTED = 500;

/** What other modules do in the transaction that hides or restores a project. */
export type OnProjectHidden = (tx: Tx, change: { actor: Actor; projectId: number; isHidden: boolean }) => Promise<void>;

export function createDeletedProjects({ database, events, clock }: ModuleDeps, onProjectHidden: OnProjectHidden) {
  async function loadViews(db: Db, projects: readonly DeletedProjectRow[]): Promise<DeletedProjectView[]> {
    if (projects.length === 0) return [];
    const rows = await db
      .selectFrom("files")
      .select(({ fn }) => ["project_id", fn.countAll<number>().as("count")])
      .where(
        "project_id",
        "in",
        projects.map(({ id }) => id),
      )
      .where("is_folder", "=", 0)
      .where("deleted_at", "is", null)
      .groupBy("project_id")
      .execute();
    const counts = new Map(rows.map(({ project_id, count }) => [project_id, count]));
    return projects.map((project) => ({ project, fileCount: counts.get(project.id) ?? 0 }));
  }

  /** Queries the deleted projects that can still be restored. */
  const restorable = (db: Db, actor: Actor) =>
    reachableProjects(db, actor)
      .where("projects.deleted_at", ">", clock.now() - PROJECT_RESTORABLE_MS)
      .selectAll("projects")
      .$narrowType<{ deleted_at: number; deleted_by: number }>();

  const loadAudience = async (tx: Tx, projectId: number) => (await audienceOf(tx, projectId).select("accounts.id").execute()).map(({ id }) => id);

  return {
    remove(actor: Actor, id: number): Promise<DeletedProjectView> {
      return database.write(async (tx) => {
        await events.lock(tx, topicOf.project(id));
        const project = await visibleProjects(tx, actor).where("projects.id", "=", id).selectAll("projects").executeTakeFirst();
        if (!project) throw notFound("project");
        assertCan(
          actor,
          "project.delete",
          creatorFacts({ created_by_account_id: project.created_by }, actor.accountId),
          "Only owners, admins and whoever created the project can delete it.",
        );
        const audience = await loadAudience(tx, id);
        const deletion = { deleted_at: clock.now(), deleted_by: actor.accountId };
        await events.append(tx, topicOf.project(id), "project.deleted", { id, name: project.name });
        await tx.updateTable("projects").set(deletion).where("id", "=", id).execute();
        events.appendToAccounts(tx, audience, "projects.changed", { project_id: id });
        await onProjectHidden(tx, { actor, projectId: id, isHidden: true });
        await auditActor(tx, clock.now(), actor, "project.deleted", `project:${id}`);
        const [view] = await loadViews(tx, [{ ...project, ...deletion }]);
        return view!;
      });
    },

    /** Returns the newest ones that the actor may restore. */
    async list(actor: Actor): Promise<DeletedProjectView[]> {
      assertCan(actor, "project.list_deleted", {}, "Guests cannot restore projects.");
      let query = restorable(database.read, actor);
      if (!canSeeEverything(actor.role)) query = query.where("projects.created_by", "=", actor.accountId);
      return loadViews(database.read, await query.orderBy("projects.deleted_at", "desc").orderBy("projects.id", "desc").limit(MAX_LISTED).execute());
    },

    restore(actor: Actor, id: number): Promise<ProjectForReader> {
      return database.write(async (tx) => {
        await events.lock(tx, topicOf.project(id));
        const project = await restorable(tx, actor).where("projects.id", "=", id).executeTakeFirst();
        if (!project) throw notFound("deleted project");
        assertCan(
          actor,
          "project.restore",
          creatorFacts({ created_by_account_id: project.created_by }, actor.accountId),
          "Only owners, admins and whoever created the project can restore it.",
        );
        await assertCountBelow(tx, database.engine, {
          name: `projects of team ${project.team_id}`,
          max: LIMITS.projects_per_team,
          rows: tx.selectFrom("projects").where("team_id", "=", project.team_id).where("deleted_at", "is", null),
          denial: `A team can have at most ${formatCount(LIMITS.projects_per_team)} projects. Delete one that is no longer used.`,
        });
        const restored = await tx
          .updateTable("projects")
          .set({ deleted_at: null, deleted_by: null })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await events.append(tx, topicOf.project(id), "project.restored", presentSharedProject(restored));
        events.appendToAccounts(tx, await loadAudience(tx, id), "projects.changed", { project_id: id });
        await onProjectHidden(tx, { actor, projectId: id, isHidden: false });
        await auditActor(tx, clock.now(), actor, "project.restored", `project:${id}`);
        return projectsForReader(tx, actor).where("projects.id", "=", id).executeTakeFirstOrThrow();
      });
    },
  };
}
