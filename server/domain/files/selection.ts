/** Several files that somebody names at once: all found and allowed, or nothing is done. */
import type { Rule } from "../../../contract/define.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { invalid, notFound } from "../../lib/faults.ts";
import { assertCan, visibleFiles, visibleProjects, type Actor } from "../access.ts";

const DENIAL_REASON = "Your role does not allow this for every file that was named.";

/** In the order asked for; a 404 unless the actor sees each, a 403 unless they may. */
export async function loadFiles(db: Db, actor: Actor, rule: Rule, ids: readonly number[]): Promise<Row<"files">[]> {
  const rows = await visibleFiles(db, actor).selectAll("files").where("files.id", "in", ids).execute();
  return authorizeInOrder(actor, rule, ids, rows);
}

/** The same with deleted ones. */
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
  for (const row of sorted) assertCan(actor, rule, { own: row?.created_by === actor.accountId }, DENIAL_REASON);
  return sorted as Row<"files">[];
}

/** Read once this transaction is their project's only writer; a 400 where they are of several. */
export async function lockFiles(tx: Tx, events: EventLog, read: () => Promise<Row<"files">[]>): Promise<Row<"files">[]> {
  const [first, ...rest] = await read();
  if (!first) throw notFound("file");
  if (rest.some(({ project_id }) => project_id !== first.project_id)) throw invalid("file_ids", "must be of one project");
  await events.lock(tx, topicOf.project(first.project_id));
  return read();
}
