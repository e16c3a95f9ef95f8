/** Decides whether an action can be undone at present, and does its reverse by the services that people's requests use. */
import type { MetadataChanges } from "../../../contract/metadata-records.ts";
import { isAllowed } from "../../../contract/policy.ts";
import type { Actor } from "../../access/access.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { formerRow, type RecordKind, STATE_COLUMNS, stateOf, type StateOf } from "../../events/former-rows.ts";
import { conflict } from "../../lib/errors.ts";
import { RESTORABLE_MS } from "../files/retention.ts";
import type { ReverseServices } from "./deps.ts";
import { kindOf, type State, stateAfter, stateBefore, stateKey, type Targets } from "./targets.ts";
import { findUsedFiles } from "./used-files.ts";

type ActionRow = Row<"agent_actions">;
interface Reversal {
  /** Columns that must still be as the action left them. */
  compared: readonly string[];
  /** True if it restores former values, without which it cannot be. */
  restores?: boolean;
  /** The rule of the reverse, if not all who may undo pass it. Nobody but the agent is the author. */
  rule?: "message.delete" | "comment.delete";
  /** A further reason why it cannot be undone at present. */
  denial?: (action: ActionRow, targets: Targets) => string | null;
  reverse: (services: ReverseServices, actor: Actor, action: ActionRow) => Promise<unknown>;
}

export const CHANGED_SINCE = "Someone has changed it since.";
const TARGET_DELETED = "It no longer exists.";
const NOT_RESTORABLE = "It can no longer be restored.";
const IN_USE = "Others use it: something is in it, or it has their comments or tasks, or is in a message or playlist of theirs.";
const NO_REVERSE = "This kind of change cannot be undone here.";
/** Why some actions can never be undone. */
const IRREVERSIBLE_REASONS: Readonly<Record<string, string>> = {
  "message.updated": "Earlier texts of messages are not kept.",
  "message.deleted": "Texts of deleted messages are not kept.",
  "message.reacted": "Nobody can remove the reaction of somebody else.",
  "comment.updated": "Earlier texts of comments are not kept.",
  "comment.deleted": "Texts of deleted comments are not kept.",
  "file.version_added": "Versions are never removed. The earlier ones are on the page of the file.",
  "playlist.items_changed": "Earlier lists of a playlist are not kept.",
};

/** Returns what a record was before the action. Only `undoDenial` and reversals that restore call it, for which there is one. */
function formerValues<T extends RecordKind>(action: ActionRow, kind: T): StateOf<T> {
  const state = stateBefore(action);
  if (!state || kindOf(action) !== kind) throw conflict(NO_REVERSE);
  return state as unknown as StateOf<T>;
}

const addedFile: Reversal = {
  compared: STATE_COLUMNS.file,
  denial: ({ target_id }, { usedFiles }) => (usedFiles.has(target_id) ? IN_USE : null),
  reverse: ({ deleting }, actor, { target_id }) => deleting.removeOne(actor, target_id, false),
};
const resolvedComment: Reversal = {
  compared: ["resolved_at", "deleted_at"],
  restores: true,
  reverse: ({ commentChanges }, actor, action) =>
    commentChanges.update(actor, action.target_id, { resolved: formerValues(action, "comment").resolved_at !== null }),
};
const closedTask: Reversal = {
  compared: ["closed_at"],
  restores: true,
  reverse: ({ tasks }, actor, action) => tasks.update(actor, action.target_id, { closed: formerValues(action, "task").closed_at !== null }),
};
const addedPlaylist: Reversal = {
  compared: ["revision", "deleted_at"],
  reverse: ({ playlists }, actor, { target_id }) => playlists.remove(actor, target_id),
};

const REVERSALS: Readonly<Record<string, Reversal>> = {
  "message.created": {
    compared: ["deleted_at"],
    rule: "message.delete",
    reverse: ({ messageChanges }, actor, { project_id, target_id }) => messageChanges.remove(actor, { projectId: project_id!, messageId: target_id }),
  },
  "comment.created": {
    compared: ["deleted_at"],
    rule: "comment.delete",
    reverse: ({ commentChanges }, actor, { target_id }) => commentChanges.remove(actor, target_id),
  },
  "comment.resolved": resolvedComment,
  "comment.reopened": resolvedComment,
  "task.created": { compared: STATE_COLUMNS.task, reverse: ({ tasks }, actor, { target_id }) => tasks.remove(actor, target_id) },
  "task.updated": {
    compared: ["title", "assignee_id", "due_at"],
    restores: true,
    reverse({ tasks }, actor, action) {
      const { title, assignee_id, due_at } = formerValues(action, "task");
      return tasks.update(actor, action.target_id, { title, assigneeId: assignee_id, dueAt: due_at });
    },
  },
  "task.closed": closedTask,
  "task.reopened": closedTask,
  "task.deleted": {
    compared: [],
    restores: true,
    denial({ file_id }, { states }) {
      const file = states.get(`file:${file_id}`);
      return file && !isDeleted(file) ? null : TARGET_DELETED;
    },
    reverse({ tasks }, actor, action) {
      const { title, assignee_id, due_at } = formerValues(action, "task");
      return tasks.createOne(actor, { fileId: action.file_id! }, { title, assigneeId: assignee_id, dueAt: due_at }, null);
    },
  },
  "playlist.created": addedPlaylist,
  "playlist.restored": addedPlaylist,
  "playlist.updated": {
    compared: ["name", "gap_ms", "deleted_at"],
    restores: true,
    reverse({ playlists }, actor, action) {
      const { name, gap_ms } = formerValues(action, "playlist");
      return playlists.update(actor, action.target_id, { name, gapMs: gap_ms });
    },
  },
  "playlist.deleted": { compared: ["revision", "deleted_at"], reverse: ({ playlists }, actor, { target_id }) => playlists.restore(actor, target_id) },
  "metadata.updated": {
    compared: [],
    restores: true,
    denial(action, { states, fields }) {
      const after = stateAfter(action) ?? {};
      const present = states.get(stateKey(action));
      if (!present) return TARGET_DELETED;
      if (Object.keys(after).some((id) => !fields.has(Number(id)))) return "The field no longer exists.";
      return Object.entries(after).every(([id, value]) => (present[id] ?? null) === value) ? null : CHANGED_SINCE;
    },
    reverse: ({ metadataValues }, actor, action) =>
      metadataValues.update(actor, action.target_id, stateBefore(action) as MetadataChanges, stateAfter(action) ?? {}),
  },
  "file.created": addedFile,
  "file.restored": addedFile,
  "file.deleted": { compared: ["deleted_at", "deleted_by"], reverse: ({ restoring }, actor, { target_id }) => restoring.restore(actor, [target_id]) },
  "file.renamed": {
    compared: ["name", "deleted_at"],
    restores: true,
    reverse: ({ entries }, actor, action) => entries.rename(actor, action.target_id, formerValues(action, "file").name),
  },
  "file.moved": {
    compared: ["parent_id", "deleted_at"],
    restores: true,
    denial(action, { states }) {
      const folder = states.get(`file:${formerValues(action, "file").parent_id}`);
      return folder && !isDeleted(folder) ? null : "The folder in which it was no longer exists.";
    },
    reverse: ({ moving }, actor, action) => moving.move(actor, [action.target_id], formerValues(action, "file").parent_id!),
  },
  "file.status_changed": {
    // A status says something about a version.
    compared: ["status_id", "version_id", "deleted_at"],
    restores: true,
    denial(action, { statuses }) {
      const { status_id } = formerValues(action, "file");
      if (status_id === null) return "It had no status before, and a status cannot be removed.";
      return statuses.get(status_id)?.exists === true ? null : "The former status no longer exists.";
    },
    reverse({ fileStatuses }, actor, action) {
      const ifStatusId = (stateAfter(action)?.["status_id"] ?? null) as number | null;
      return fileStatuses.set(actor, action.target_id, { statusId: formerValues(action, "file").status_id!, note: "Undid an agent's change", ifStatusId });
    },
  },
  "file.protection_changed": {
    compared: ["removal_protection", "task_load_protection", "deleted_at"],
    restores: true,
    reverse({ entries }, actor, action) {
      const { removal_protection, task_load_protection } = formerValues(action, "file");
      return entries.update(actor, action.target_id, { removalProtection: removal_protection === 1, taskLoadProtection: task_load_protection === 1 });
    },
  },
  "file.tags_corrected": {
    compared: ["corrected_bpm", "corrected_key", "deleted_at"],
    restores: true,
    reverse({ tagCorrections }, actor, action) {
      const { corrected_bpm, corrected_key } = formerValues(action, "file");
      return tagCorrections.correct(actor, action.target_id, { bpm: corrected_bpm, key: corrected_key });
    },
  },
};

const isSame = (state: State, after: State, columns: readonly string[]): boolean =>
  columns.every((column) => (state[column] ?? null) === (after[column] ?? null));
const isDeleted = (state: State): boolean => (state["deleted_at"] ?? null) !== null;

/** Returns whether the record has been deleted, for good or restorably; false for what has no page of its own. */
export function isTargetDeleted(action: ActionRow, { states }: Targets): boolean {
  const kind = kindOf(action);
  if (kind !== "metadata" && !Object.hasOwn(STATE_COLUMNS, kind)) return false;
  const present = states.get(kind === "metadata" ? `file:${action.target_id}` : stateKey(action));
  return !present || isDeleted(present);
}

/** Returns whether the actor may do the reverse. */
export function canReverse({ role }: Actor, { action }: ActionRow): boolean {
  const rule = REVERSALS[action]?.rule;
  return rule === undefined || isAllowed(rule, role, { isOwn: false });
}

/** Returns why the action cannot be undone, as a sentence; null if it can be. */
export function undoDenial(action: ActionRow, targets: Targets): string | null {
  const reversal = REVERSALS[action.action];
  if (!reversal) return IRREVERSIBLE_REASONS[action.action] ?? NO_REVERSE;
  if (reversal.restores === true && action.state_before === null) return NO_REVERSE;
  const { compared, denial } = reversal;
  if (compared.length > 0) {
    const present = targets.states.get(stateKey(action));
    const after = stateAfter(action);
    if (!present) return TARGET_DELETED;
    if (!after) return NO_REVERSE;
    if (isDeleted(present) && !isDeleted(after)) return TARGET_DELETED;
    if (!isSame(present, after, compared)) return CHANGED_SINCE;
    if (isDeleted(present) && Number(present["deleted_at"]) <= targets.now - RESTORABLE_MS) return NOT_RESTORABLE;
  }
  return denial?.(action, targets) ?? null;
}

/**
 * Throws a 409 if the record was changed since the action, or what the action added is in use. Runs in the transaction of the reverse, which has locked the
 * record and remembers how it was. The service of metadata compares by itself.
 */
export async function assertStillReversible(tx: Tx, action: ActionRow): Promise<void> {
  const kind = kindOf(action) as RecordKind;
  const { compared = [] } = REVERSALS[action.action] ?? {};
  const row = formerRow(tx, kind, action.target_id);
  const after = stateAfter(action);
  if (compared.length > 0 && row && after && !isSame(stateOf(kind, row), after, compared)) throw conflict(CHANGED_SINCE);
  if (REVERSALS[action.action] === addedFile && (await findUsedFiles(tx, action.agent_id, [action.target_id])).size > 0) throw conflict(IN_USE);
}

/** Does the reverse of an action that can be undone. Throws what the service throws if the actor may not. */
export async function reverse(services: ReverseServices, actor: Actor, action: ActionRow): Promise<void> {
  const reversal = REVERSALS[action.action];
  if (!reversal) throw conflict(NO_REVERSE);
  await reversal.reverse(services, actor, action);
}
