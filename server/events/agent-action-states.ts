/** What the log of agents remembers of a record, to tell whether it changed since and to restore it. Texts of messages and comments are never in it. */
import type { MetadataChanges } from "../../contract/metadata-records.ts";
import type { Row, Tx } from "../db/schema.ts";
import { formerRow } from "./former-rows.ts";

export interface FileState {
  name: string;
  parent_id: number | null;
  status_id: number | null;
  /** The account that deleted it; null: it is not deleted. */
  deleted_by: number | null;
  /** Number of the current version; null: a folder, or not known. */
  version: number | null;
}
export interface TaskState {
  title: string;
  assignee_id: number | null;
  due_at: number | null;
  closed: boolean;
}
export interface CommentState {
  resolved: boolean;
  deleted: boolean;
}
export interface PlaylistState {
  /** Increases with each change. */
  revision: number;
  deleted: boolean;
}
/** `metadata`: the values of those fields that were changed. */
export interface StateOf {
  file: FileState;
  task: TaskState;
  comment: CommentState;
  playlist: PlaylistState;
  metadata: MetadataChanges;
}
export type StateKind = keyof StateOf;

export const fileState = (
  { name, parent_id, status_id, deleted_by }: Pick<Row<"files">, "name" | "parent_id" | "status_id" | "deleted_by">,
  version: number | null,
): FileState => ({ name, parent_id, status_id, deleted_by, version });

export const taskState = ({ title, assignee_id, due_at, closed_at }: Row<"tasks">): TaskState => ({ title, assignee_id, due_at, closed: closed_at !== null });

export const commentState = ({ resolved_at, deleted_at }: Pick<Row<"comments">, "resolved_at" | "deleted_at">): CommentState => ({
  resolved: resolved_at !== null,
  deleted: deleted_at !== null,
});

export const playlistState = ({ revision, deleted_at }: Pick<Row<"playlists">, "revision" | "deleted_at">): PlaylistState => ({
  revision,
  deleted: deleted_at !== null,
});

/** Returns the state of the record before the transaction changed it; null if the transaction has not remembered it. */
export function formerState<T extends StateKind>(tx: Tx, kind: T, id: number): StateOf[T] | null;
export function formerState(tx: Tx, kind: StateKind, id: number): StateOf[StateKind] | null {
  switch (kind) {
    case "file": {
      const row = formerRow(tx, "file", id);
      return row && fileState(row, null);
    }
    case "task": {
      const row = formerRow(tx, "task", id);
      return row && taskState(row);
    }
    case "comment": {
      const row = formerRow(tx, "comment", id);
      return row && commentState(row);
    }
    case "playlist": {
      const row = formerRow(tx, "playlist", id);
      return row && playlistState(row);
    }
    case "metadata":
      return formerRow(tx, "metadata", id)?.values ?? null;
  }
}
