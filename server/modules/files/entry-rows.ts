/** Builds rows of files and folders, including the columns derived from the name. */
import { foldName, nameOrderKey } from "../../../contract/file-order.ts";
import type { Actor } from "../../access/access.ts";
import type { Engine } from "../../db/database.ts";
import { lockRows } from "../../db/portable.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { fileNameKey } from "./names.ts";

export const nameColumns = (name: string, isFolder: boolean) => ({
  name,
  name_key: fileNameKey(name),
  folded_name: foldName(name),
  order_key: nameOrderKey(name, isFolder),
});

type ParentFolder = Pick<Row<"files">, "id" | "project_id">;
export type ProtectionFlags = Partial<Pick<Row<"files">, "removal_protection" | "task_load_protection">>;

const commonColumns = (parent: ParentFolder, actor: Actor, now: number) => ({
  project_id: parent.project_id,
  parent_id: parent.id,
  created_by: actor.accountId,
  uploader_id: actor.accountId,
  created_at: now,
  changed_at: now,
});

/** Requires a valid and free name, and that the caller has locked the project's topic. */
export const insertFolder = (tx: Tx, parent: ParentFolder, name: string, actor: Actor, now: number, flags: ProtectionFlags = {}): Promise<Row<"files">> =>
  tx
    .insertInto("files")
    .values({ ...commonColumns(parent, actor, now), is_folder: 1, kind: "folder", ...nameColumns(name, true), ...flags })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Returns the team's default status for a new upload, and locks it in share mode until the commit, so that nobody deletes it meanwhile. */
async function loadDefaultStatus(tx: Tx, engine: Engine, projectId: number): Promise<Partial<Pick<Row<"files">, "status_id" | "status_rank">>> {
  const defaultStatusId = tx
    .selectFrom("projects")
    .innerJoin("teams", "teams.id", "projects.team_id")
    .where("projects.id", "=", projectId)
    .select("teams.default_status_id");
  const find = () =>
    lockRows(
      tx.selectFrom("file_statuses").select(["id", "position"]).where("id", "=", defaultStatusId).where("deleted_at", "is", null),
      engine,
      "share",
    ).executeTakeFirst();
  // The status may be deleted while this query waits for the lock; the second query then finds the team's new default.
  const status = (await find()) ?? (await find());
  return status ? { status_id: status.id, status_rank: status.position } : {};
}

/** Inserts the file without a version. */
export async function insertFile(tx: Tx, engine: Engine, parent: ParentFolder, name: string, actor: Actor, now: number): Promise<Row<"files">> {
  const status = await loadDefaultStatus(tx, engine, parent.project_id);
  return tx
    .insertInto("files")
    .values({ ...commonColumns(parent, actor, now), is_folder: 0, ...nameColumns(name, false), ...status })
    .returningAll()
    .executeTakeFirstOrThrow();
}
