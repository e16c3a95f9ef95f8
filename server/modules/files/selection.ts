/** Loads several selected files at once: either all are found and allowed, or the call throws. */
import { type RawBuilder, sql } from "kysely";
import { isAllowed } from "../../../contract/policy.ts";
import { assertCan, visibleFiles, visibleProjects, type Actor } from "../../access/access.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { assertCanForFile, type FileRule } from "./repository.ts";
import { filesInTree } from "./tree.ts";

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

/** Throws a 403 if the rule allows the actor only their own entries and `tree` contains one of somebody else. */
export async function assertCanForTree(tx: Tx, actor: Actor, rule: FileRule, tree: RawBuilder<unknown>, denialReason: string): Promise<void> {
  if (isAllowed(rule, actor.role, { isOwn: false, isRoot: false })) return;
  const { rows } = await sql`${tree} select 1 from ${filesInTree} and files.created_by <> ${actor.accountId} limit 1`.execute(tx);
  assertCan(actor, rule, { isOwn: rows.length === 0, isRoot: false }, denialReason);
}

/** Locks the project of the files, making this transaction its only writer, and rereads them; throws a 400 if they are of several projects. */
export async function lockFiles(tx: Tx, events: EventLog, read: () => Promise<Row<"files">[]>): Promise<Row<"files">[]> {
  const [first, ...rest] = await read();
  if (!first) throw notFound("file");
  if (rest.some(({ project_id }) => project_id !== first.project_id)) throw invalid("file_ids", "must all be in the same project");
  await events.lock(tx, topicOf.project(first.project_id));
  return read();
}
