/** Decides whether an action can be undone at present, and does its reverse by the services that people's requests use. */
import { isAllowed } from "../../../contract/policy.ts";
import type { Actor } from "../../access/access.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { formerState, type StateKind, type StateOf } from "../../events/agent-action-states.ts";
import { conflict } from "../../lib/errors.ts";
import type { ReverseServices } from "./deps.ts";
import { parseState, stateKey, stateKind, type Targets, textKey } from "./targets.ts";

type ActionRow = Row<"agent_actions">;
type State = Readonly<Record<string, unknown>>;
interface Reversal {
  /** Members of the state that must still be as the action left them. */
  compared: readonly string[];
  needsBefore?: boolean;
  /** The rule of the reverse, if not all who may undo pass it. Nobody but the agent is the author. */
  rule?: "message.delete" | "comment.delete";
  /** A further reason why it cannot be undone at present. */
  denial?: (action: ActionRow, targets: Targets) => string | null;
  reverse: (services: ReverseServices, actor: Actor, action: ActionRow) => Promise<unknown>;
}

export const CHANGED = "Somebody has changed it since.";
const GONE = "It no longer exists.";
const NO_REVERSE = "This kind of change cannot be undone here.";
/** Why some actions can never be undone. */
const NEVER: Readonly<Record<string, string>> = {
  "message.updated": "Earlier texts of messages are not kept.",
  "message.deleted": "Texts of deleted messages are not kept.",
  "comment.updated": "Earlier texts of comments are not kept.",
  "comment.deleted": "Texts of deleted comments are not kept.",
  "file.updated": "Versions are never removed. The earlier ones are on the page of the file.",
  "task.deleted": "Deleted tasks are not kept.",
  "playlist.updated": "Earlier states of playlists are not kept.",
};

const FILE_MEMBERS = ["name", "parent_id", "status_id", "version", "deleted_by"];
function before<T extends StateKind>(action: ActionRow, kind: T): StateOf[T] {
  const state = parseState(action, kind, "state_before");
  if (!state) throw conflict(NO_REVERSE);
  return state;
}

const addedFile: Reversal = {
  compared: FILE_MEMBERS,
  denial: ({ target_id }, { foldersWithContent }) => (foldersWithContent.has(target_id) ? "Something is in the folder." : null),
  reverse: ({ deleting }, actor, { target_id }) => deleting.removeOne(actor, target_id, false),
};
const resolvedComment: Reversal = {
  compared: ["resolved", "deleted"],
  needsBefore: true,
  reverse: ({ commentChanges }, actor, action) => commentChanges.update(actor, action.target_id, { resolved: before(action, "comment").resolved }),
};
const closedTask: Reversal = {
  compared: ["title", "assignee_id", "due_at", "closed"],
  needsBefore: true,
  reverse: ({ tasks }, actor, action) => tasks.update(actor, action.target_id, { closed: before(action, "task").closed }),
};
const addedPlaylist: Reversal = {
  compared: ["revision", "deleted"],
  reverse: ({ playlists }, actor, { target_id }) => playlists.remove(actor, target_id),
};

const REVERSALS: Readonly<Record<string, Reversal>> = {
  "message.created": {
    compared: [],
    rule: "message.delete",
    reverse: ({ messageChanges }, actor, { project_id, target_id }) => messageChanges.remove(actor, { projectId: project_id!, messageId: target_id }),
  },
  "comment.created": {
    compared: ["deleted"],
    rule: "comment.delete",
    reverse: ({ commentChanges }, actor, { target_id }) => commentChanges.remove(actor, target_id),
  },
  "comment.resolved": resolvedComment,
  "comment.reopened": resolvedComment,
  "task.created": { compared: closedTask.compared, reverse: ({ tasks }, actor, { target_id }) => tasks.remove(actor, target_id) },
  "task.updated": {
    compared: closedTask.compared,
    needsBefore: true,
    reverse({ tasks }, actor, action) {
      const { title, assignee_id, due_at } = before(action, "task");
      return tasks.update(actor, action.target_id, { title, assigneeId: assignee_id, dueAt: due_at });
    },
  },
  "task.closed": closedTask,
  "task.reopened": closedTask,
  "playlist.created": addedPlaylist,
  "playlist.restored": addedPlaylist,
  "playlist.deleted": { compared: ["revision", "deleted"], reverse: ({ playlists }, actor, { target_id }) => playlists.restore(actor, target_id) },
  "metadata.updated": {
    compared: [],
    needsBefore: true,
    denial(action, { states, fields }) {
      const after = parseState(action, "metadata", "state_after") ?? {};
      const present = (states.get(stateKey(action)) ?? {}) as State;
      if (Object.keys(after).some((id) => !fields.has(Number(id)))) return "The field no longer exists.";
      return Object.entries(after).every(([id, value]) => (present[id] ?? null) === value) ? null : CHANGED;
    },
    reverse: ({ metadataValues }, actor, action) =>
      metadataValues.update(actor, action.target_id, before(action, "metadata"), parseState(action, "metadata", "state_after") ?? {}),
  },
  "file.created": addedFile,
  "file.restored": addedFile,
  "file.deleted": { compared: ["deleted_by"], needsBefore: true, reverse: ({ restoring }, actor, { target_id }) => restoring.restore(actor, [target_id]) },
  "file.renamed": {
    compared: ["name", "deleted_by"],
    needsBefore: true,
    reverse: ({ entries }, actor, action) => entries.rename(actor, action.target_id, before(action, "file").name),
  },
  "file.moved": {
    compared: ["parent_id", "deleted_by"],
    needsBefore: true,
    denial(action, { states }) {
      const folder = states.get(`file:${before(action, "file").parent_id}`) as StateOf["file"] | undefined;
      return folder && folder.deleted_by === null ? null : "The folder in which it was no longer exists.";
    },
    reverse: ({ moving }, actor, action) => moving.move(actor, [action.target_id], before(action, "file").parent_id!),
  },
  "file.status_changed": {
    compared: ["status_id", "deleted_by"],
    needsBefore: true,
    denial(action, { statuses }) {
      const { status_id } = before(action, "file");
      if (status_id === null) return "It had no status before, and a status cannot be removed.";
      return statuses.has(status_id) ? null : "The former status no longer exists.";
    },
    reverse: ({ fileStatuses }, actor, action) =>
      fileStatuses.set(actor, action.target_id, {
        statusId: before(action, "file").status_id!,
        note: "Undone",
        ifStatusId: parseState(action, "file", "state_after")?.status_id ?? null,
      }),
  },
};

const stateAfter = (action: ActionRow): State | null => parseState(action, stateKind(action) as StateKind, "state_after") as State | null;

/** A value that either side does not know is not compared. */
const isSame = (state: State, after: State, members: readonly string[]): boolean =>
  members.every((member) => (member === "version" && (state[member] ?? null) === null) || state[member] === after[member]);

const isDeleted = (state: State): boolean => state["deleted"] === true || (state["deleted_by"] ?? null) !== null;

/** Returns whether the record has been deleted, for good or restorably. */
export function isTargetDeleted(action: ActionRow, { states, texts }: Targets): boolean {
  const present = states.get(textKey(action)) as State | undefined;
  return present ? isDeleted(present) : !texts.has(textKey(action));
}

/** Returns whether the actor may do the reverse. */
export function mayReverse({ role }: Actor, { action }: ActionRow): boolean {
  const rule = REVERSALS[action]?.rule;
  return rule === undefined || isAllowed(rule, role, { isOwn: false });
}

/** Returns why the action cannot be undone, as a sentence; null if it can be. */
export function undoDenial(action: ActionRow, targets: Targets): string | null {
  const reversal = REVERSALS[action.action];
  if (!reversal) return NEVER[action.action] ?? NO_REVERSE;
  if (reversal.needsBefore === true && action.state_before === null) return NO_REVERSE;
  const present = targets.states.get(stateKey(action)) as State | undefined;
  if (!present && !targets.texts.has(textKey(action))) return GONE;
  const after = stateAfter(action);
  if (reversal.compared.length > 0 && (!present || !after)) return present ? NO_REVERSE : GONE;
  if (present && after && isDeleted(present) && !isDeleted(after)) return GONE;
  if (present && after && !isSame(present, after, reversal.compared)) return CHANGED;
  return reversal.denial?.(action, targets) ?? null;
}

/**
 * Throws a 409 if the record was changed since the action, of whose reverse this transaction is: it has locked the record and remembers how it was. Of
 * messages the service itself finds out, and of metadata.
 */
export function assertNotChangedSince(tx: Tx, action: ActionRow): void {
  const former = formerState(tx, stateKind(action) as StateKind, action.target_id) as State | null;
  const after = stateAfter(action);
  if (former && after && !isSame(former, after, REVERSALS[action.action]?.compared ?? [])) throw conflict(CHANGED);
}

/** Does the reverse of an action that can be undone. Throws what the service throws if the actor may not. */
export async function reverse(services: ReverseServices, actor: Actor, action: ActionRow): Promise<void> {
  const reversal = REVERSALS[action.action];
  if (!reversal) throw conflict(NO_REVERSE);
  await reversal.reverse(services, actor, action);
}
