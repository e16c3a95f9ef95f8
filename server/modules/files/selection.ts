/** Loads several selected files at once: either all are found and allowed, or the call throws. */
import { sql } from "kysely";
import { isAllowed } from "../../../contract/policy.ts";
import { assertCan, visibleFiles, visibleProjects, type Actor } from "../../access/access.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { rememberFormerRows } from "../../events/former-rows.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { assertCanForFile, type FileFacts, type FileRule } from "./repository.ts";
import { filesInTree, loadAncestors, undeletedTree } from "./tree.ts";

const DENIAL_REASON = "Your role does not allow this for all of these files.";

/** Returns the files in the requested order; throws a 404 unless the actor sees each, and a 403 unless the rule allows each. */
export async function loadFiles(db: Db, actor: Actor, rule: FileRule, ids: readonly number[]): Promise<Row<"files">[]> {
  const rows = await visibleFiles(db, actor).selectAll("files").where("files.id", "in", ids).execute();
  return authorizeInOrder(actor, rule, ids, rows);
}

/** Same as `loadFiles`, including deleted files. */
export async function loadFilesWithDeleted(db: Db, actor: Actor, rule: FileRule, ids: readonly number[]): Promise<Row<"files">[]> {
  const rows = await db
    .selectFrom("files")
    .selectAll()
    .where("id", "in", ids)
    .where("project_id", "in", visibleProjects(db, actor).select("projects.id"))
    .execute();
  return authorizeInOrder(actor, rule, ids, rows);
}

function authorizeInOrder(actor: Actor, rule: FileRule, ids: readonly number[], rows: Row<"files">[]): Row<"files">[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const sorted = [...new Set(ids)].map((id) => byId.get(id));
  if (sorted.includes(undefined)) throw notFound("file");
  for (const row of sorted as Row<"files">[]) assertCanForFile(actor, rule, row, DENIAL_REASON);
  return sorted as Row<"files">[];
}

/**
 * Returns the facts about entries with everything in them: whether all is the actor's own, whether one of them or a folder above them is protected, and
 * whether any file has a final status.
 */
export async function loadTreeFacts(db: Db, actor: Actor, topIds: readonly number[], tree = undeletedTree(topIds)): Promise<Omit<FileFacts, "isRoot">> {
  const isFinal = sql`exists (select 1 from file_statuses where file_statuses.id = files.status_id and file_statuses.is_final = 1)`;
  const { rows } = await sql<{ others: number; final: number }>`${tree}
    select max(case when files.created_by = ${actor.accountId} then 0 else 1 end) as others, max(case when ${isFinal} then 1 else 0 end) as final
    from ${filesInTree}`.execute(db);
  const ancestors = await loadAncestors(db, topIds);
  return {
    isOwn: rows[0]?.others === 0,
    isProtected: [...ancestors.values()].some(({ removal_protection }) => removal_protection === 1),
    isFinal: rows[0]?.final === 1,
  };
}

const PROTECTED_REASON = "It is protected from removal, or in a protected folder, so guests cannot move it. Ask a member of the team.";
const FINAL_REASON = "A file with a final status, such as Approved, is in it, so guests cannot delete it. Ask a member of the team.";

/** Throws a 403 unless the rule allows the actor the action on these entries and everything in them. `ownReason`: why not on what others added. */
export async function assertCanForTree(
  tx: Tx,
  actor: Actor,
  rule: FileRule,
  topIds: readonly number[],
  ownReason: string,
  tree = undeletedTree(topIds),
): Promise<void> {
  if (isAllowed(rule, actor.role, { isOwn: false, isRoot: false, isProtected: true, isFinal: true })) return;
  const facts = { ...(await loadTreeFacts(tx, actor, topIds, tree)), isRoot: false };
  assertCan(actor, rule, facts, !facts.isOwn ? ownReason : rule === "file.move" ? PROTECTED_REASON : FINAL_REASON);
}

/** Locks the project of the files, making this transaction its only writer, and rereads them; throws a 400 if they are of several projects. */
export async function lockFiles(tx: Tx, events: EventLog, read: () => Promise<Row<"files">[]>): Promise<Row<"files">[]> {
  const [first, ...rest] = await read();
  if (!first) throw notFound("file");
  if (rest.some(({ project_id }) => project_id !== first.project_id)) throw invalid("file_ids", "must all be in the same project");
  await events.lock(tx, topicOf.project(first.project_id));
  const files = await read();
  rememberFormerRows(tx, "file", files);
  return files;
}
