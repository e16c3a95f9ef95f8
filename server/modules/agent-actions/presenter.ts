import type { AgentAction } from "../../../contract/agent-action-records.ts";
import type { Actor } from "../../access/access.ts";
import type { Row } from "../../db/schema.ts";
import type { StateOf } from "../../events/former-rows.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";
import { canReverse, isTargetDeleted, undoDenial } from "./reversible.ts";
import { stateAfter, stateBefore, textKey, type Targets } from "./targets.ts";

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
  "message.restored": "Restored a message",
  "message.reacted": "Reacted to a message",
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
  "file.version_added": "Added a version of a file",
  "file.protection_changed": "Changed the protection of a file",
  "file.tags_corrected": "Corrected the tempo or key of a file",
  "file.status_changed": "Changed the status of a file",
  "file.deleted": "Deleted a file",
  "task.created": "Created a task",
  "task.updated": "Changed a task",
  "task.closed": "Completed a task",
  "task.reopened": "Reopened a task",
  "task.deleted": "Deleted a task",
  "playlist.created": "Created a playlist",
  "playlist.updated": "Changed a playlist",
  "playlist.items_changed": "Changed the files of a playlist",
  "playlist.deleted": "Deleted a playlist",
  "playlist.restored": "Restored a playlist",
  "metadata.updated": "Changed the metadata of a file",
  "task_template.created": "Created a task template",
  "task_template.deleted": "Deleted a task template",
  "agent_subscription.created": "Created an event subscription",
  "agent_subscription.updated": "Changed an event subscription",
  "agent_subscription.deleted": "Deleted an event subscription",
  "agent_subscription.secret_rotated": "Renewed the secret of an event subscription",
  "account.updated": "Changed its profile",
};

function textOf({ action, target_type }: Row<"agent_actions">): string {
  const text = TEXTS[action] ?? "Made another change";
  return target_type === "folder" ? text.replace("a file", "a folder") : text;
}

/** Returns the former and the new value of what a change was about. */
function changedValues({ action: row, targets }: ActionView): { from: string | null; to: string | null } {
  if (isTargetDeleted(row, targets)) return { from: null, to: null };
  const values = [stateBefore(row), stateAfter(row)].map((state) => {
    const { name, title, parent_id, status_id } = (state ?? {}) as Partial<StateOf<"file"> & StateOf<"task">>;
    switch (row.action) {
      case "task.updated":
        return title;
      case "file.renamed":
      case "playlist.updated":
        return name;
      case "file.moved":
        return targets.texts.get(`file:${parent_id}`);
      case "file.status_changed":
        return targets.statuses.get(status_id ?? 0)?.title;
      default:
        return null;
    }
  });
  const [from = null, to = null] = values;
  return from === to ? { from: null, to: null } : { from, to };
}

/** Returns the present name. A task that the agent deleted has the title under which an undo makes it again. */
function nameOf({ action, targets }: ActionView): string | null {
  const title = action.action === "task.deleted" ? stateBefore(action)?.["title"] : undefined;
  return targets.texts.get(textKey(action)) ?? (typeof title === "string" ? title : null);
}

/** Returns the action as `actor` sees it. */
export function presentAction(actor: Actor, view: ActionView): AgentAction {
  const { action, targets } = view;
  const isUndone = action.undone_at !== null;
  const denial = isUndone ? null : (undoDenial(action, targets) ?? (canReverse(actor, action) ? null : NOT_ALLOWED));
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
      name: nameOf(view),
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
