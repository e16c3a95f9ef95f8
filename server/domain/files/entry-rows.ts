/** How rows of files and folders are made: what follows from a name is written with it. */
import { foldName, nameOrderKey } from "../../../contract/file-order.ts";
import type { Row, Tx } from "../../db/schema.ts";
import type { Actor } from "../access.ts";
import { fileNameKey } from "./names.ts";

export const nameColumns = (name: string, isFolder: boolean) => ({
  name,
  name_key: fileNameKey(name),
  folded_name: foldName(name),
  order_key: nameOrderKey(name, isFolder),
});

type Place = Pick<Row<"files">, "id" | "project_id">;
export type Flags = Partial<Pick<Row<"files">, "removal_protection" | "task_load_protection">>;

const made = (parent: Place, actor: Actor, now: number) => ({
  project_id: parent.project_id,
  parent_id: parent.id,
  created_by: actor.accountId,
  uploader_id: actor.accountId,
  created_at: now,
  changed_at: now,
});

/** The name must be good and free; its topic locked. */
export const insertFolder = (tx: Tx, parent: Place, name: string, actor: Actor, now: number, flags: Flags = {}): Promise<Row<"files">> =>
  tx
    .insertInto("files")
    .values({ ...made(parent, actor, now), is_folder: 1, kind: "folder", ...nameColumns(name, true), ...flags })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Without a version yet. */
export const insertFile = (tx: Tx, parent: Place, name: string, actor: Actor, now: number): Promise<Row<"files">> =>
  tx
    .insertInto("files")
    .values({ ...made(parent, actor, now), is_folder: 0, ...nameColumns(name, false) })
    .returningAll()
    .executeTakeFirstOrThrow();
