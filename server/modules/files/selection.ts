/** Loads several selected files at once: either all are found and allowed, or the call throws. */
import type { Rule } from "../../../contract/define-operation.ts";
import { assertCan, visibleFiles, visibleProjects, type Actor } from "../../access/access.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { invalid, notFound } from "../../lib/errors.ts";

const DENIAL_REASON = "Your role does not allow this for all of these files.";

/** Returns the files in the requested order; throws a 404 unless the actor sees each, and a 403 unless the rule allows each. */
export async function loadFiles(db: Db, actor: Actor, rule: Rule, ids: readonly number[]): Promise<Row<"files">[]> {
  const rows = await visibleFiles(db, actor).selectAll("files").where("files.id", "in", ids).execute();
  return authorizeInOrder(actor, rule, ids, rows);
}

/** Same as `loadFiles`, including deleted files. */
export async function loadFilesWithDeleted(db: Db, actor: Actor, rule: Rule, ids: readonly number[]): Promise<Row<"files">[]> {
  const rows = await db
    .selectFrom("files")
    .selectAll()
    .where("id", "in", ids)
    .where("project_id", "in", visibleProjects(db, actor).select("projects.id"))
    .execute();
  return authorizeInOrder(actor, rule, ids, rows);
}

function authorizeInOrder(actor: Actor, rule: Rule, ids: readonly number[], rows: Row<"files">[]): Row<"files">[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const sorted = [...new Set(ids)].map((id) => byId.get(id));
  if (sorted.includes(undefined)) throw notFound("file");
  for (const row of sorted) assertCan(actor, rule, { isOwn: row?.created_by === actor.accountId }, DENIAL_REASON);
  return sorted as Row<"files">[];
}

/** Locks the project of the files, making this transaction its only writer, and rereads them; throws a 400 if they are of several projects. */
export async function lockFiles(tx: Tx, events: EventLog, read: () => Promise<Row<"files">[]>): Promise<Row<"files">[]> {
  const [first, ...rest] = await read();
  if (!first) throw notFound("file");
  if (rest.some(({ project_id }) => project_id !== first.project_id)) throw invalid("file_ids", "must all be in the same project");
  await events.lock(tx, topicOf.project(first.project_id));
  return read();
}
