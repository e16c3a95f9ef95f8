/** Lists what agents did, undoes it as a person, and deletes old rows. */
import { AGENT_ACTION_RETENTION_DAYS, LIMITS } from "../../../contract/limits.ts";
import { type Actor, assertCan, loadAuthorizedProject, visibleAccounts, visibleProjects } from "../../access/access.ts";
import { affectedRows, runInBatches } from "../../db/batches.ts";
import type { Database } from "../../db/database.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { runWithHook } from "../../events/before-first-event.ts";
import { topicOf } from "../../events/log.ts";
import { toPage } from "../../http/paging.ts";
import { DAY } from "../../lib/clock.ts";
import { conflict, HttpError, notFound } from "../../lib/errors.ts";
import { FILE_RETENTION_MS } from "../files/retention.ts";
import type { AgentActionDeps, ReverseServices } from "./deps.ts";
import type { ActionView } from "./presenter.ts";
import { assertStillReversible, CHANGED_SINCE, reverse, undoDenial } from "./reversible.ts";
import { loadTargets } from "./targets.ts";

interface ActionFilter {
  runId: number | null;
  projectId: number | null;
}
/** `denial`: why the action was not undone; null if it was. */
interface UndoResult {
  id: number;
  denial: string | null;
}

const NO_LONGER_POSSIBLE = "What it was before is no longer possible.";
const UNDONE_BEFORE = "This was undone before.";

/** Returns the actions of an agent, also of a deleted one, in projects that the actor sees. Throws a 404 unless the actor sees the agent. */
async function loadVisibleActions(db: Db, actor: Actor, agentId: number) {
  const agent = await visibleAccounts(db, actor).select("accounts.id").where("accounts.id", "=", agentId).where("accounts.is_agent", "=", 1).executeTakeFirst();
  if (!agent) throw notFound("agent");
  const projects = visibleProjects(db, actor).select("projects.id");
  const query = db
    .selectFrom("agent_actions")
    .where("agent_id", "=", agentId)
    .where(({ or, eb }) => or([eb("project_id", "is", null), eb("project_id", "in", projects)]));
  // A promise of a query builder would be executed.
  return { query };
}

export function createAgentActions({ database, events, clock }: AgentActionDeps, services: ReverseServices) {
  const { read } = database;

  async function undoOne(actor: Actor, action: Row<"agent_actions">): Promise<Row<"agent_actions">> {
    if (action.undone_at !== null) throw conflict(UNDONE_BEFORE);
    const denial = undoDenial(action, await loadTargets(read, actor, action.agent_id, [action], clock.now()));
    if (denial !== null) throw conflict(denial);
    let undone: Row<"agent_actions"> | null = null;
    const mark = async (tx: Tx): Promise<void> => {
      await assertStillReversible(tx, action);
      undone = await markUndone(tx, actor, action);
    };
    try {
      await runWithHook(mark, () => reverse(services, actor, action));
    } catch (error) {
      // The request has nothing that could be wrong: what no longer fits is the former state, such as an assignee who has left the project.
      if (error instanceof HttpError && (error.status === 400 || error.status === 404)) throw conflict(NO_LONGER_POSSIBLE);
      throw error;
    }
    // A service that appends no event has found nothing to change.
    if (!undone) throw conflict(CHANGED_SINCE);
    return undone;
  }

  /** Runs in the transaction of the reverse, which has locked the project: both happen, or neither. */
  async function markUndone(tx: Tx, actor: Actor, { id, project_id, agent_id }: Row<"agent_actions">): Promise<Row<"agent_actions">> {
    const undone = await tx
      .updateTable("agent_actions")
      .set({ undone_at: clock.now(), undone_by: actor.accountId })
      .where("id", "=", id)
      .where("undone_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (!undone) throw conflict(UNDONE_BEFORE);
    if (project_id !== null) await events.append(tx, topicOf.project(project_id), "agent_actions.changed", { project_id, agent_id });
    return undone;
  }

  async function tryUndo(actor: Actor, action: Row<"agent_actions">): Promise<UndoResult> {
    try {
      await undoOne(actor, action);
      return { id: action.id, denial: null };
    } catch (error) {
      if (error instanceof HttpError && error.status < 500) return { id: action.id, denial: error.message };
      throw error;
    }
  }

  return {
    /** Returns a page, newest first. */
    async list(
      actor: Actor,
      agentId: number,
      { runId, projectId }: ActionFilter,
      before: number,
      limit: number,
    ): Promise<{ actions: ActionView[]; next: number | null }> {
      let { query } = await loadVisibleActions(read, actor, agentId);
      assertCan(actor, "agent_action.read", {}, "Guests cannot see what agents do.");
      if (projectId !== null) await loadAuthorizedProject(read, actor, "agent_action.read", projectId);
      if (projectId !== null) query = query.where("project_id", "=", projectId);
      if (runId !== null) query = query.where("run_id", "=", runId);
      if (before > 0) query = query.where("id", "<", before);
      const found = await query
        .selectAll("agent_actions")
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      const { rows, next } = toPage(found, limit);
      const targets = await loadTargets(read, actor, agentId, rows, clock.now());
      return { actions: rows.map((action) => ({ action, targets })), next };
    },

    /** Throws a 409 if the action cannot be undone, and what the reverse throws. */
    async undo(actor: Actor, agentId: number, id: number): Promise<ActionView> {
      const { query } = await loadVisibleActions(read, actor, agentId);
      const action = await query.selectAll("agent_actions").where("id", "=", id).executeTakeFirst();
      if (!action) throw notFound("action");
      assertCan(actor, "agent_action.undo", {}, "Guests cannot undo what agents did.");
      const undone = await undoOne(actor, action);
      return { action: undone, targets: await loadTargets(read, actor, agentId, [undone], clock.now()) };
    },

    /** Undoes what can be undone of a run, newest first, and leaves out what was undone before. */
    async undoRun(actor: Actor, agentId: number, runId: number): Promise<UndoResult[]> {
      const { query } = await loadVisibleActions(read, actor, agentId);
      const ofRun = query.where("run_id", "=", runId);
      if (!(await ofRun.select("id").limit(1).executeTakeFirst())) throw notFound("run");
      assertCan(actor, "agent_action.undo", {}, "Guests cannot undo what agents did.");
      const actions = await ofRun.selectAll("agent_actions").where("undone_at", "is", null).orderBy("id", "desc").limit(LIMITS.undone_actions).execute();
      const results: UndoResult[] = [];
      for (const action of actions) results.push(await tryUndo(actor, action));
      return results;
    },

    /** Deletes actions past retention, and what the log remembers of records that can no longer be restored. Returns the number of actions. */
    async erase(): Promise<number> {
      const emptied = await eraseStates(database, clock.now() - FILE_RETENTION_MS);
      const before = clock.now() - AGENT_ACTION_RETENTION_DAYS * DAY;
      const deleted = await runInBatches(database, {
        find: async (db, limit) =>
          (await db.selectFrom("agent_actions").select("id").where("created_at", "<", before).limit(limit).execute()).map(({ id }) => id),
        change: async (tx, ids) => affectedRows(await tx.deleteFrom("agent_actions").where("id", "in", ids).executeTakeFirst()),
      });
      return emptied + deleted;
    },
  };
}

/** Erases names, titles and values of files and playlists, and of tasks, that were deleted before this time. */
const eraseStates = (database: Database, before: number): Promise<number> =>
  runInBatches(database, {
    find: async (db, limit) => {
      const actions = await db
        .selectFrom("agent_actions")
        .leftJoin("files", "files.id", "agent_actions.file_id")
        .leftJoin("playlists", (join) => join.onRef("playlists.id", "=", "agent_actions.target_id").on("agent_actions.target_type", "=", "playlist"))
        .select("agent_actions.id")
        .where((eb) => eb.or([eb("state_before", "is not", null), eb("state_after", "is not", null)]))
        .where((eb) =>
          eb.or([
            eb("files.deleted_at", "<=", before),
            eb("playlists.deleted_at", "<=", before),
            eb.and([eb("agent_actions.action", "=", "task.deleted"), eb("agent_actions.created_at", "<=", before)]),
          ]),
        )
        .limit(limit)
        .execute();
      return actions.map(({ id }) => id);
    },
    change: async (tx, ids) =>
      affectedRows(await tx.updateTable("agent_actions").set({ state_before: null, state_after: null }).where("id", "in", ids).executeTakeFirst()),
  });

export type AgentActions = ReturnType<typeof createAgentActions>;
