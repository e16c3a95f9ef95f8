/** How rows of files and folders are made: what follows from a name is written with it. */
import { foldName, nameOrderKey } from "../../../contract/file-order.ts";
import type { Engine } from "../../db/database.ts";
import { lockRows } from "../../db/portable.ts";
import type { Row, Tx } from "../../db/schema.ts";
import type { Actor } from "../access.ts";
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

/** The name must be good and free; its topic locked. */
export const insertFolder = (tx: Tx, parent: ParentFolder, name: string, actor: Actor, now: number, flags: ProtectionFlags = {}): Promise<Row<"files">> =>
  tx
    .insertInto("files")
    .values({ ...commonColumns(parent, actor, now), is_folder: 1, kind: "folder", ...nameColumns(name, true), ...flags })
    .returningAll()
    .executeTakeFirstOrThrow();

/** What a new upload of the project begins with. Shared until the commit, so that it is not deleted meanwhile. */
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
  // It may have been deleted while this waited for it; the second look sees what the team begins with since then.
  const status = (await find()) ?? (await find());
  return status ? { status_id: status.id, status_rank: status.position } : {};
}

/** Without a version yet. */
export async function insertFile(tx: Tx, engine: Engine, parent: ParentFolder, name: string, actor: Actor, now: number): Promise<Row<"files">> {
  const status = await loadDefaultStatus(tx, engine, parent.project_id);
  return tx
    .insertInto("files")
    .values({ ...commonColumns(parent, actor, now), is_folder: 0, ...nameColumns(name, false), ...status })
    .returningAll()
    .executeTakeFirstOrThrow();
}
