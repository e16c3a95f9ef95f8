/**
 * Records what agents do: every event of a project or of the organization that a transaction of an agent appends becomes a row of `agent_actions` in that
 * transaction, so that nothing that people can see is missing.
 */
import type { Row, Tx } from "../db/schema.ts";
import type { Caller } from "../lib/current-caller.ts";
import { formerRow } from "./former-rows.ts";

/** The values of a file that an undo restores. */
export interface FileState {
  name: string;
  parent_id: number | null;
  status_id: number | null;
  version: number | null;
}
/** The same of a task. */
export interface TaskState {
  title: string;
  assignee_id: number | null;
  due_at: number | null;
  closed: boolean;
}
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

export const taskState = ({ title, assignee_id, due_at, closed_at }: Row<"tasks">): TaskState => ({ title, assignee_id, due_at, closed: closed_at !== null });

function describeFile(tx: Tx, type: string, data: Data): Action {
  const id = Number(data.id);
  const status = data["status"] as { id: number } | null;
  const after: FileState = {
    name: String(data["name"]),
    parent_id: data["parent_id"] as number | null,
    status_id: status?.id ?? null,
    version: Number(data["version"]),
  };
  const target = { target_type: data["is_folder"] === true ? "folder" : "file", target_id: id, file_id: id };
  const former = formerRow(tx, "files", id);
  const created = data["restored"] === true ? "file.restored" : "file.created";
  if (type === "file.created") return { action: created, ...target, after };
  const before: FileState | null = former && { name: former.name, parent_id: former.parent_id, status_id: former.status_id, version: null };
  const action = before ? changeOfFile(before, after) : "file.updated";
  return { action, ...target, before, after };
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
  const former = formerRow(tx, "tasks", id);
  if (!former) return { action: type, ...target };
  const before = taskState(former);
  const action = before.closed === after.closed ? type : after.closed ? "task.closed" : "task.reopened";
  return { action, ...target, before, after };
}

function describe(tx: Tx, { type, data: json }: ActionEvent): Action {
  const data = JSON.parse(json) as Data;
  if (type === "file.created" || type === "file.updated") return describeFile(tx, type, data);
  if (type === "task.created" || type === "task.updated") return describeTask(tx, type, data);
  const fileId = data["file_id"] ?? (type === "file.deleted" ? data.id : null);
  const id = data.id ?? data["file_id"] ?? data["account_id"] ?? data["team_id"] ?? data["project_id"] ?? 0;
  return { action: type, target_type: type.split(".")[0]!, target_id: Number(id), file_id: typeof fileId === "number" ? fileId : null };
}

/** Returns true if it recorded something. */
export async function recordAgentActions(tx: Tx, caller: Caller | null, now: number, events: readonly ActionEvent[]): Promise<boolean> {
  if (!caller?.agent) return false;
  const { runId } = caller.agent;
  const rows = events.flatMap((event) => {
    const [kind, id] = event.topic.split(":");
    if ((kind !== "project" && kind !== "organisation") || NEVER_ACTIONS.has(event.type)) return [];
    if (ENTAILED.has(event.type) && transactionsWithActions.has(tx)) return [];
    transactionsWithActions.add(tx);
    const { before, after, ...action } = describe(tx, event);
    return {
      agent_id: caller.accountId,
      run_id: runId,
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
