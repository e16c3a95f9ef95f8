import type { AgentAction } from "../../../contract/agent-action-records.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";
import { undoDenial } from "./reversible.ts";
import { parseFileState, targetKey, type Targets } from "./targets.ts";

export interface ActionView {
  action: Row<"agent_actions">;
  targets: Targets;
}

const TEXTS: Readonly<Record<string, string>> = {
  "message.created": "Posted a message",
  "message.updated": "Changed a message",
  "messages.imported": "Imported messages",
  "comment.created": "Wrote a comment",
  "comment.updated": "Changed a comment",
  "file.created": "Added a file",
  "file.restored": "Restored a file",
  "file.updated": "Changed a file",
  "file.renamed": "Renamed a file",
  "file.moved": "Moved a file",
  "file.status_changed": "Changed the status of a file",
  "file.deleted": "Deleted a file",
  "task.created": "Created a task",
  "task.updated": "Changed a task",
  "task.closed": "Completed a task",
  "task.reopened": "Reopened a task",
  "task.deleted": "Deleted a task",
  "playlist.created": "Created a playlist",
  "playlist.updated": "Changed a playlist",
  "playlist.deleted": "Deleted a playlist",
  "metadata.updated": "Changed the metadata of a file",
  "metadata.imported": "Imported metadata",
  "project.updated": "Changed a project",
  "project.member_added": "Added somebody to a project",
  "project.member_removed": "Removed somebody from a project",
  "group.created": "Created a group",
  "account.updated": "Changed its profile",
};

function textOf({ action, target_type }: Row<"agent_actions">): string {
  const text = TEXTS[action] ?? "Made another change";
  return target_type === "folder" ? text.replace("a file", "a folder") : text;
}

/** Returns the former and the new value of what a change was about. */
function changedValues({ action: row, targets }: ActionView): { from: string | null; to: string | null } {
  const values = [row.state_before, row.state_after].map((json) => {
    const state = row.target_type === "file" || row.target_type === "folder" ? parseFileState(json) : null;
    if (row.action === "file.renamed") return state?.name ?? null;
    if (row.action === "file.moved") return state?.parent_id ? (targets.texts.get(`file:${state.parent_id}`) ?? null) : null;
    return row.action === "file.status_changed" && state?.status_id ? (targets.statuses.get(state.status_id) ?? null) : null;
  });
  return { from: values[0] ?? null, to: values[1] ?? null };
}

export function presentAction(view: ActionView): AgentAction {
  const { action, targets } = view;
  const denial = action.undone_at === null ? undoDenial(action, targets) : null;
  return {
    object: "agent_action",
    id: action.id,
    agent_id: action.agent_id,
    run_id: action.run_id,
    project_id: action.project_id,
    action: action.action,
    text: textOf(action),
    target: { type: action.target_type, id: action.target_id, name: targets.texts.get(targetKey(action)) ?? null, file_id: action.file_id },
    ...changedValues(view),
    created_at: iso(action.created_at),
    can_undo: action.undone_at === null && denial === null,
    undo_denial: denial,
    undone_at: isoOrNull(action.undone_at),
    undone_by_account_id: action.undone_by,
  };
}
