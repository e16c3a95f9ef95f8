/** The file or folder that something is said or to be done about. */
import type { Rule } from "../../contract/define.ts";
import type { Db, Row, Tx } from "../db/schema.ts";
import { topicOf, type EventLog } from "../events/log.ts";
import { notFound } from "../lib/faults.ts";
import { assertCan, visibleFiles, type Actor } from "./access.ts";

/** The file or folder, if the actor sees it (else 404) and may (else 403). */
export async function fileRowFor(db: Db, actor: Actor, rule: Rule, fileId: number): Promise<Row<"files">> {
  const file = await visibleFiles(db, actor).selectAll("files").where("files.id", "=", fileId).executeTakeFirst();
  if (!file) throw notFound("file");
  assertCan(actor, rule, {}, "Your role does not allow this here.");
  return file;
}

/** The same once this transaction is its project's only writer. */
export async function lockFileRow(tx: Tx, events: EventLog, actor: Actor, rule: Rule, fileId: number): Promise<Row<"files">> {
  const { project_id } = await fileRowFor(tx, actor, rule, fileId);
  await events.lock(tx, topicOf.project(project_id));
  return fileRowFor(tx, actor, rule, fileId);
}
