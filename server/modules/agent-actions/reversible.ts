/** Decides whether an action can be undone at present, and does its reverse by the services that people's requests use. */
import type { Actor } from "../../access/access.ts";
import type { Row } from "../../db/schema.ts";
import type { FileState, TaskState } from "../../events/agent-actions.ts";
import { conflict } from "../../lib/errors.ts";
import type { ReverseServices } from "./deps.ts";
import { parseFileState, parseTaskState, targetKey, type Targets } from "./targets.ts";

type ActionRow = Row<"agent_actions">;

const GONE = "It no longer exists.";
const CHANGED = "Somebody has changed it since.";
/** Why some actions can never be undone. */
const NEVER: Readonly<Record<string, string>> = {
  "message.updated": "Earlier texts of messages are not kept.",
  "comment.updated": "Earlier texts and states of comments are not kept.",
  "file.updated": "Earlier versions and settings of a file are restored on the page of the file.",
  "file.deleted": "Deleted files are restored in the files of the project.",
  "task.deleted": "Deleted tasks are not kept.",
};
const NO_REVERSE = "This kind of change cannot be undone here.";

const isSame = <T extends object>(present: T, recorded: T, members: readonly (keyof T)[]): boolean =>
  members.every((member) => present[member] === recorded[member]);

function denialOfFile({ action, target_id, state_before, state_after }: ActionRow, { files, statuses }: Targets): string | null {
  const present = files.get(target_id);
  const [before, after] = [parseFileState(state_before), parseFileState(state_after)];
  if (!present) return GONE;
  if (!after) return NO_REVERSE;
  if (action === "file.created") {
    if (present.hasContent) return "Something is in the folder.";
    return isSame<FileState>(present, after, ["name", "parent_id", "status_id", "version"]) ? null : CHANGED;
  }
  if (!before) return NO_REVERSE;
  if (action === "file.renamed") return present.name === after.name ? null : CHANGED;
  if (action === "file.moved") {
    if (present.parent_id !== after.parent_id) return CHANGED;
    return before.parent_id !== null && files.has(before.parent_id) ? null : "The folder in which it was no longer exists.";
  }
  if (present.status_id !== after.status_id) return CHANGED;
  if (before.status_id === null) return "It had no status before, and a status cannot be removed.";
  return statuses.has(before.status_id) ? null : "The former status no longer exists.";
}

function denialOfTask({ action, target_id, state_before, state_after }: ActionRow, { tasks }: Targets): string | null {
  const present = tasks.get(target_id);
  const after = parseTaskState(state_after);
  if (!present) return GONE;
  if (!after || (action !== "task.created" && state_before === null)) return NO_REVERSE;
  return isSame<TaskState>(present, after, ["title", "assignee_id", "due_at", "closed"]) ? null : CHANGED;
}

/** Returns why the action cannot be undone, as a sentence; null if it can be. */
export function undoDenial(action: ActionRow, targets: Targets): string | null {
  const never = NEVER[action.action];
  if (never !== undefined) return never;
  switch (action.action) {
    case "message.created":
    case "comment.created":
      return targets.texts.has(targetKey(action)) ? null : GONE;
    case "file.created":
    case "file.renamed":
    case "file.moved":
    case "file.status_changed":
      return denialOfFile(action, targets);
    case "task.created":
    case "task.updated":
    case "task.closed":
    case "task.reopened":
      return denialOfTask(action, targets);
    default:
      return NO_REVERSE;
  }
}

/** Does the reverse of an action that can be undone. Throws what the service throws if the actor may not. */
export async function reverse(services: ReverseServices, actor: Actor, action: ActionRow): Promise<void> {
  const { target_id: id, project_id } = action;
  switch (action.action) {
    case "message.created":
      return void (await services.messageChanges.remove(actor, { projectId: project_id!, messageId: id }));
    case "comment.created":
      return void (await services.commentChanges.remove(actor, id));
    case "task.created":
      return services.tasks.remove(actor, id);
    case "file.created":
      return void (await services.deleting.removeOne(actor, id, false));
    default:
      return reverseChange(services, actor, action);
  }
}

async function reverseChange({ entries, moving, fileStatuses, tasks }: ReverseServices, actor: Actor, action: ActionRow): Promise<void> {
  const { target_id: id } = action;
  if (action.target_type === "task") {
    const { title, assignee_id, due_at, closed } = parseTaskState(action.state_before)!;
    const isClosing = action.action !== "task.updated";
    return void (await tasks.update(actor, id, isClosing ? { closed } : { title, assigneeId: assignee_id, dueAt: due_at }));
  }
  const [before, after] = [parseFileState(action.state_before)!, parseFileState(action.state_after)!];
  if (action.action === "file.renamed") return void (await entries.rename(actor, id, before.name));
  if (action.action === "file.moved") return void (await moving.move(actor, [id], before.parent_id!));
  if (action.action !== "file.status_changed") throw conflict(NO_REVERSE);
  await fileStatuses.set(actor, id, { statusId: before.status_id!, note: "Undone", ifStatusId: after.status_id });
}
