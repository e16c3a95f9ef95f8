/** Finds the file or folder that a comment or task is about. */
import type { Rule } from "../../contract/define.ts";
import type { Db, Row, Tx } from "../db/schema.ts";
import { topicOf, type EventLog } from "../events/log.ts";
import { notFound } from "../lib/faults.ts";
import { assertCan, visibleFiles, type Actor } from "./access.ts";

/** Returns the file or folder. Throws a 404 if the actor does not see it, a 403 if the rule forbids the action. */
export async function fileRowFor(db: Db, actor: Actor, rule: Rule, fileId: number): Promise<Row<"files">> {
  const file = await visibleFiles(db, actor).selectAll("files").where("files.id", "=", fileId).executeTakeFirst();
  if (!file) throw notFound("file");
  assertCan(actor, rule, {}, "Your role does not allow this here.");
  return file;
}

/** Like `fileRowFor`, after locking the project's topic, so that this transaction is the project's only writer. */
export async function lockFileRow(tx: Tx, events: EventLog, actor: Actor, rule: Rule, fileId: number): Promise<Row<"files">> {
  const { project_id } = await fileRowFor(tx, actor, rule, fileId);
  await events.lock(tx, topicOf.project(project_id));
  return fileRowFor(tx, actor, rule, fileId);
}
