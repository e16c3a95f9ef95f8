/**
 * Records what agents do: every event of a project or of the organization that a transaction of an agent appends becomes a row of `agent_actions` in that
 * transaction, so that nothing that people can see is missing.
 */
import type { MetadataChanges } from "../../contract/metadata-records.ts";
import type { Row, Tx } from "../db/schema.ts";
import type { Caller } from "../lib/current-caller.ts";
import { type CommentState, type FileState, formerState, type PlaylistState, type TaskState } from "./agent-action-states.ts";

interface ActionEvent {
  topic: string;
  type: string;
  /** JSON text. */
  data: string;
}
type Action = Pick<Row<"agent_actions">, "action" | "target_type" | "target_id" | "file_id"> & { before?: object | null; after?: object | null };
type Data = Record<string, unknown> & { id?: number };

/** What the service says about a change besides the event of the change. */
const NEVER_ACTIONS = new Set(["attachment.updated", "agent_tasks.changed", "agent_actions.changed"]);
/** Events that other changes entail, such as a renamed file in a message that shows it. Alone they are actions. */
const ENTAILED = new Set(["message.updated", "comment.updated", "messages.imported"]);

const transactionsWithActions = new WeakSet<Tx>();

function describeFile(tx: Tx, agentId: number, type: string, data: Data): Action {
  const id = Number(data.id);
  const target = { target_type: data["is_folder"] === true ? "folder" : "file", target_id: id, file_id: id };
  const before = formerState(tx, "file", id);
  if (type === "file.deleted") return { action: type, ...target, before, after: before && { ...before, deleted_by: agentId } };
  const after: FileState = {
    name: String(data["name"]),
    parent_id: data["parent_id"] as number | null,
    status_id: (data["status"] as { id: number } | null)?.id ?? null,
    deleted_by: null,
    version: Number(data["version"]),
  };
  if (type === "file.created") return { action: data["restored"] === true ? "file.restored" : type, ...target, after };
  return { action: before ? changeOfFile(before, after) : type, ...target, before, after };
}

function changeOfFile(before: FileState, after: FileState): string {
  if (before.name !== after.name) return "file.renamed";
  if (before.parent_id !== after.parent_id) return "file.moved";
  return before.status_id === after.status_id ? "file.updated" : "file.status_changed";
}

function describeTask(tx: Tx, type: string, data: Data): Action {
  const id = Number(data.id);
  const dueDate = data["due_date"] as string | null;
  const after: TaskState = {
    title: String(data["title"]),
    assignee_id: data["assignee_account_id"] as number | null,
    due_at: dueDate === null ? null : Date.parse(dueDate),
    closed: data["closed"] === true,
  };
  const target = { target_type: "task", target_id: id, file_id: Number(data["file_id"]) };
  if (type === "task.created") return { action: type, ...target, after };
  const before = formerState(tx, "task", id);
  if (!before) return { action: type, ...target };
  const action = before.closed === after.closed ? type : after.closed ? "task.closed" : "task.reopened";
  return { action, ...target, before, after };
}

function describeComment(tx: Tx, type: string, data: Data): Action {
  const id = Number(data.id);
  const after: CommentState = { resolved: data["resolved_at"] !== null, deleted: data["deleted"] === true };
  const before = type === "comment.created" ? null : formerState(tx, "comment", id);
  return { action: before ? changeOfComment(before, after) : type, target_type: "comment", target_id: id, file_id: Number(data["file_id"]), before, after };
}

function changeOfComment(before: CommentState, after: CommentState): string {
  if (before.deleted !== after.deleted) return after.deleted ? "comment.deleted" : "comment.restored";
  if (before.resolved !== after.resolved) return after.resolved ? "comment.resolved" : "comment.reopened";
  return "comment.updated";
}

function describePlaylist(tx: Tx, type: string, data: Data): Action {
  const id = Number(data.id);
  const before = formerState(tx, "playlist", id);
  const target = { target_type: "playlist", target_id: id, file_id: null };
  // The event of a deletion has no revision; deleting increases it.
  if (type === "playlist.deleted") return { action: type, ...target, before, after: before && { revision: before.revision + 1, deleted: true } };
  const after: PlaylistState = { revision: Number(data["revision"]), deleted: false };
  return { action: before?.deleted === true ? "playlist.restored" : type, ...target, before, after };
}

function describe(tx: Tx, agentId: number, { type, data: json }: ActionEvent): Action {
  const data = JSON.parse(json) as Data;
  switch (type) {
    case "file.created":
    case "file.updated":
    case "file.deleted":
      return describeFile(tx, agentId, type, data);
    case "task.created":
    case "task.updated":
      return describeTask(tx, type, data);
    case "comment.created":
    case "comment.updated":
      return describeComment(tx, type, data);
    case "playlist.created":
    case "playlist.updated":
    case "playlist.deleted":
      return describePlaylist(tx, type, data);
    case "metadata.updated": {
      const id = Number(data["file_id"]);
      const after = data["values"] as MetadataChanges;
      return { action: type, target_type: "metadata", target_id: id, file_id: id, before: formerState(tx, "metadata", id), after };
    }
    default: {
      const action = type === "message.updated" && data["deleted"] === true ? "message.deleted" : type;
      const id = data.id ?? data["file_id"] ?? data["account_id"] ?? data["team_id"] ?? data["project_id"] ?? 0;
      const fileId = data["file_id"];
      return { action, target_type: type.split(".")[0]!, target_id: Number(id), file_id: typeof fileId === "number" ? fileId : null };
    }
  }
}

/** Returns true if it recorded something. */
export async function recordAgentActions(tx: Tx, caller: Caller, now: number, events: readonly ActionEvent[]): Promise<boolean> {
  if (caller.isAgent !== true) return false;
  const rows = events.flatMap((event) => {
    const [kind, id] = event.topic.split(":");
    if ((kind !== "project" && kind !== "organisation") || NEVER_ACTIONS.has(event.type)) return [];
    if (ENTAILED.has(event.type) && transactionsWithActions.has(tx)) return [];
    transactionsWithActions.add(tx);
    const { before, after, ...action } = describe(tx, caller.accountId, event);
    return {
      agent_id: caller.accountId,
      run_id: caller.runId ?? null,
      project_id: kind === "project" ? Number(id) : null,
      ...action,
      state_before: before ? JSON.stringify(before) : null,
      state_after: after ? JSON.stringify(after) : null,
      created_at: now,
    };
  });
  for (const row of rows) await tx.insertInto("agent_actions").values(row).execute();
  return rows.length > 0;
}
