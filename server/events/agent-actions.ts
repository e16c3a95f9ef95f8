/**
 * Records what agents do: every event of a project that a transaction of an agent appends becomes a row of `agent_actions` in that transaction, one for each
 * thing that it changed, so that nothing that people can see is missing.
 */
import type { MetadataChanges } from "../../contract/metadata-records.ts";
import type { NewRow, Tx } from "../db/schema.ts";
import { currentCaller } from "../lib/current-caller.ts";
import { formerRow, formerRows, loadState, type RecordKind, rememberFormerRows, stateOf } from "./former-rows.ts";

interface ActionEvent {
  topic: string;
  type: string;
  /** JSON text. */
  data: string;
}
interface Action {
  action: string;
  target_type: string;
  target_id: number;
  file_id: number | null;
  before?: object | null;
  after?: object | null;
}
type Data = Record<string, unknown> & { id?: number };
type State = Record<string, unknown>;

/** What the service says about a change besides the event of the change. */
const IGNORED_EVENTS = new Set(["attachment.updated", "agent_tasks.changed", "agent_actions.changed"]);
/** Events that also follow from other changes, such as of a message that shows a renamed file. Then they are no actions of their own. */
const DERIVED_EVENTS = new Set(["message.updated", "comment.updated", "messages.imported"]);
/** Agents manage nothing of the organization: of its topic only their own profile is an action. */
const ORGANISATION_EVENTS = new Set(["account.updated"]);
const ROWS_PER_INSERT = 100;

/** Which columns make which action. A new version resets the status, which is no action of its own. */
const CHANGES: Readonly<Record<RecordKind, readonly (readonly [action: string, columns: readonly string[]])[]>> = {
  file: [
    ["file.version_added", ["version_id"]],
    ["file.renamed", ["name"]],
    ["file.moved", ["parent_id"]],
    ["file.status_changed", ["status_id"]],
    ["file.protection_changed", ["removal_protection", "task_load_protection"]],
    ["file.tags_corrected", ["corrected_bpm", "corrected_key"]],
  ],
  task: [
    ["task.closed", ["closed_at"]],
    ["task.updated", ["title", "assignee_id", "due_at"]],
  ],
  message: [
    ["message.deleted", ["deleted_at"]],
    ["message.updated", ["edited_at"]],
  ],
  comment: [
    ["comment.deleted", ["deleted_at"]],
    ["comment.resolved", ["resolved_at"]],
    ["comment.updated", ["edited_at"]],
  ],
  playlist: [["playlist.updated", ["name", "gap_ms"]]],
};
/** The opposite of an action whose column is empty afterwards. */
const OPPOSITES: Readonly<Record<string, string>> = {
  "task.closed": "task.reopened",
  "message.deleted": "message.restored",
  "comment.deleted": "comment.restored",
  "comment.resolved": "comment.reopened",
};
/** The action of an event that changed none of these columns; null: it follows from another change. */
const OTHER_CHANGES: Readonly<Record<RecordKind, string | null>> = {
  file: "file.updated",
  task: null,
  message: "message.reacted",
  comment: null,
  playlist: "playlist.items_changed",
};

/** Records of which a transaction has recorded an action, as "file:1". */
const recordedOf = new WeakMap<Tx, Set<string>>();

function changesOf(kind: RecordKind, before: State, after: State, isRecorded: boolean): string[] {
  const changed = CHANGES[kind]
    .filter(([, columns]) => columns.some((column) => before[column] !== after[column]))
    .map(([action, [column]]) => (after[column!] === null ? (OPPOSITES[action] ?? action) : action));
  if (changed.includes("file.version_added")) return changed.filter((action) => action !== "file.status_changed");
  const other = OTHER_CHANGES[kind];
  return changed.length > 0 || other === null || isRecorded ? changed : [other];
}

async function describeRecord(tx: Tx, kind: RecordKind, type: string, data: Data): Promise<Action[]> {
  const id = Number(data.id);
  const key = `${kind}:${id}`;
  const row = formerRow(tx, kind, id);
  const before: State | null = row && stateOf(kind, row as never);
  const after = await loadState(tx, kind, id);
  // A further event of this record in the transaction is compared with this state.
  if (after) rememberFormerRows(tx, kind, [{ id, ...after } as never], true);
  const fileId = kind === "file" ? id : typeof data["file_id"] === "number" ? data["file_id"] : null;
  const target = { target_type: kind === "file" && data["is_folder"] === true ? "folder" : kind, target_id: id, file_id: fileId };
  if (type === `${kind}.created`) return [{ action: before && before["deleted_at"] !== null ? `${kind}.restored` : type, ...target, before, after }];
  if (type === `${kind}.deleted`) return [{ action: type, ...target, before, after }];
  if (before && after) return changesOf(kind, before, after, recordedOf.get(tx)?.has(key) === true).map((action) => ({ action, ...target, before, after }));
  return DERIVED_EVENTS.has(type) && recordedOf.has(tx) ? [] : [{ action: type, ...target }];
}

const describeMetadata = (id: number, before: MetadataChanges | null, after: MetadataChanges): Action => ({
  action: "metadata.updated",
  target_type: "metadata",
  target_id: id,
  file_id: id,
  before,
  after,
});

async function describe(tx: Tx, { type, data: json }: ActionEvent): Promise<Action[]> {
  const data = JSON.parse(json) as Data;
  const [kind = ""] = type.split(".");
  if (Object.hasOwn(CHANGES, kind)) return describeRecord(tx, kind as RecordKind, type, data);
  if (type === "metadata.updated") {
    const id = Number(data["file_id"]);
    return [describeMetadata(id, formerRow(tx, "metadata", id)?.values ?? null, data["values"] as MetadataChanges)];
  }
  if (type === "metadata.imported") return formerRows(tx, "metadata").map(({ id, values, after }) => describeMetadata(id, values, after));
  if (DERIVED_EVENTS.has(type) && recordedOf.has(tx)) return [];
  const id = data.id ?? data["file_id"] ?? data["account_id"] ?? data["project_id"] ?? 0;
  return [{ action: type, target_type: kind, target_id: Number(id), file_id: null }];
}

async function insertActions(
  tx: Tx,
  agent: { id: number; runId: number | null },
  projectId: number | null,
  now: number,
  actions: readonly Action[],
): Promise<void> {
  const rows = actions.map(({ before, after, ...action }): NewRow<"agent_actions"> => ({
    agent_id: agent.id,
    run_id: agent.runId,
    project_id: projectId,
    ...action,
    state_before: before ? JSON.stringify(before) : null,
    state_after: after ? JSON.stringify(after) : null,
    created_at: now,
  }));
  for (let offset = 0; offset < rows.length; offset += ROWS_PER_INSERT)
    await tx
      .insertInto("agent_actions")
      .values(rows.slice(offset, offset + ROWS_PER_INSERT))
      .execute();
}

function currentAgent(): { id: number; runId: number | null } | null {
  const caller = currentCaller();
  return caller?.isAgent === true ? { id: caller.accountId, runId: caller.runId ?? null } : null;
}

/** Records what these events of an agent's transaction say. Returns the projects in which it recorded something, and the agent. */
export async function recordAgentActions(tx: Tx, now: number, events: readonly ActionEvent[]): Promise<{ agentId: number; projectIds: number[] } | null> {
  const agent = currentAgent();
  if (!agent) return null;
  const projectIds = new Set<number>();
  for (const event of events) {
    const [kind, id] = event.topic.split(":");
    const isRecorded = kind === "project" ? !IGNORED_EVENTS.has(event.type) : kind === "organisation" && ORGANISATION_EVENTS.has(event.type);
    if (!isRecorded) continue;
    const actions = await describe(tx, event);
    if (actions.length === 0) continue;
    const recorded = recordedOf.get(tx) ?? new Set<string>();
    recordedOf.set(tx, recorded);
    for (const { target_type, target_id } of actions) recorded.add(`${target_type === "folder" ? "file" : target_type}:${target_id}`);
    const projectId = kind === "project" ? Number(id) : null;
    await insertActions(tx, agent, projectId, now, actions);
    if (projectId !== null) projectIds.add(projectId);
  }
  return { agentId: agent.id, projectIds: [...projectIds] };
}

/** Records a change by an agent that has no event; nothing if a person makes it. */
export async function recordAgentAction(tx: Tx, now: number, action: string, target: { type: string; id: number }): Promise<void> {
  const agent = currentAgent();
  if (agent) await insertActions(tx, agent, null, now, [{ action, target_type: target.type, target_id: target.id, file_id: null }]);
}
