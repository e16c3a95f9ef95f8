import type { AgentAction } from "../../../contract/agent-action-records.ts";
import type { Actor } from "../../access/access.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";
import { isTargetDeleted, mayReverse, undoDenial } from "./reversible.ts";
import { parseState, textKey, type Targets } from "./targets.ts";

export interface ActionView {
  action: Row<"agent_actions">;
  targets: Targets;
}

const NOT_ALLOWED = "Only an admin or an owner can undo this.";

const TEXTS: Readonly<Record<string, string>> = {
  "message.created": "Posted a message",
  "message.updated": "Changed a message",
  "messages.imported": "Imported messages",
  "comment.created": "Wrote a comment",
  "message.deleted": "Deleted a message",
  "comment.updated": "Changed a comment",
  "comment.deleted": "Deleted a comment",
  "comment.restored": "Restored a comment",
  "comment.resolved": "Resolved a comment",
  "comment.reopened": "Reopened a comment",
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
  "playlist.restored": "Restored a playlist",
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
  const values = (["state_before", "state_after"] as const).map((side) => {
    const file = parseState(row, "file", side);
    switch (row.action) {
      case "task.updated":
        return parseState(row, "task", side)?.title ?? null;
      case "file.renamed":
        return file?.name ?? null;
      case "file.moved":
        return file?.parent_id ? (targets.texts.get(`file:${file.parent_id}`) ?? null) : null;
      case "file.status_changed":
        return file?.status_id ? (targets.statuses.get(file.status_id) ?? null) : null;
      default:
        return null;
    }
  });
  const [from = null, to = null] = values;
  return from === to ? { from: null, to: null } : { from, to };
}

/** Returns the action as `actor` sees it. */
export function presentAction(actor: Actor, view: ActionView): AgentAction {
  const { action, targets } = view;
  const isUndone = action.undone_at !== null;
  const denial = isUndone ? null : (undoDenial(action, targets) ?? (mayReverse(actor, action) ? null : NOT_ALLOWED));
  return {
    object: "agent_action",
    id: action.id,
    agent_id: action.agent_id,
    run_id: action.run_id,
    project_id: action.project_id,
    action: action.action,
    text: textOf(action),
    target: {
      type: action.target_type,
      id: action.target_id,
      name: targets.texts.get(textKey(action)) ?? null,
      file_id: action.file_id,
      deleted: isTargetDeleted(action, targets),
    },
    ...changedValues(view),
    created_at: iso(action.created_at),
    can_undo: !isUndone && denial === null,
    undo_denial: denial,
    undone_at: isoOrNull(action.undone_at),
    undone_by_account_id: action.undone_by,
  };
}
