/** Pure updates of the list of pending status changes, which the user has chosen and the service does not have yet. */
import type { FileStatus } from "../../../contract/records.ts";

/** How long a change can be undone; until then nothing is sent. */
export const UNDO_WINDOW_MS = 5_000;
/** If the page slept past the due time by more than this, the user could not see the countdown, so the page asks before it sends. */
const LATE_MS = 5_000;

export interface StatusChangeFile {
  id: number;
  name: string;
  /** The status that the user saw when choosing; another user may have changed it since. */
  before: FileStatus | null;
}

export type StatusChangeState =
  /** `dueAt` is the time of sending in epoch milliseconds. */
  | { type: "counting"; dueAt: number }
  | { type: "sending" }
  /** The service is unreachable. */
  | { type: "waiting"; attempts: number }
  /** Another user changed the status first; `before` of the files is the current status. */
  | { type: "conflict" }
  | { type: "refused"; reason: string }
  /** The page was closed, or slept, before the change was sent. */
  | { type: "interrupted" };

export interface PendingStatusChange {
  id: string;
  teamId: number;
  status: FileStatus;
  note: string;
  /** At least one. */
  files: readonly StatusChangeFile[];
  state: StatusChangeState;
}
export type PendingStatusChanges = readonly PendingStatusChange[];

/** A change as this browser stores it. */
export interface StoredStatusChange extends Omit<PendingStatusChange, "state"> {
  /** When it was written, in epoch milliseconds, and in which tab. */
  at: number;
  tab: string;
}

export type Outcome = { type: "done" } | { type: "unreachable" } | { type: "conflict"; now: FileStatus | null } | { type: "refused"; reason: string };

/** A change that is being sent completes by itself. */
const isNotSending = ({ state }: PendingStatusChange) => state.type !== "sending";

/** Removes files from the matching changes; a change without files left is removed. */
export function withoutFiles(
  changes: PendingStatusChanges,
  fileIds: ReadonlySet<number>,
  predicate: (change: PendingStatusChange) => boolean = isNotSending,
): PendingStatusChanges {
  return changes.flatMap((change) => {
    if (!predicate(change) || !change.files.some(({ id }) => fileIds.has(id))) return [change];
    const files = change.files.filter(({ id }) => !fileIds.has(id));
    return files.length === 0 ? [] : [{ ...change, files }];
  });
}

/** Adds a change, which replaces older changes of the same files. For a file that already has the status it only cancels the older change. */
export function addPendingChange(changes: PendingStatusChanges, next: Omit<PendingStatusChange, "state">, now: number): PendingStatusChanges {
  const remaining = withoutFiles(changes, new Set(next.files.map(({ id }) => id)));
  const sendingStatuses = new Map(
    changes.filter(({ state }) => state.type === "sending").flatMap(({ files, status }) => files.map(({ id }) => [id, status] as const)),
  );
  const files = next.files
    .map((file) => ({ ...file, before: sendingStatuses.get(file.id) ?? file.before }))
    .filter(({ before }) => before?.id !== next.status.id);
  return files.length === 0 ? remaining : [...remaining, { ...next, files, state: { type: "counting", dueAt: now + UNDO_WINDOW_MS } }];
}

export const withState = (changes: PendingStatusChanges, id: string, state: StatusChangeState): PendingStatusChanges =>
  changes.map((change) => (change.id === id ? { ...change, state } : change));

/** Returns the state at the due time: sending, or asking first when the page slept past it. */
export const afterDue = (dueAt: number, now: number): StatusChangeState => (now - dueAt > LATE_MS ? { type: "interrupted" } : { type: "sending" });

/** Applies the outcome of each file. Files that need different follow-ups are split into separate changes with ids from `newId`. */
export function applyOutcomes(changes: PendingStatusChanges, id: string, outcomes: ReadonlyMap<number, Outcome>, newId: () => string): PendingStatusChanges {
  return changes.flatMap((change) => {
    if (change.id !== id) return [change];
    const groups = Map.groupBy(
      change.files.filter((file) => (outcomes.get(file.id)?.type ?? "unreachable") !== "done"),
      (file) => outcomeKey(outcomes.get(file.id) ?? { type: "unreachable" }),
    );
    return [...groups].map(([key, files], index): PendingStatusChange => {
      const outcome = outcomes.get(files[0]!.id) ?? { type: "unreachable" };
      const updatedFiles = files.map((file) => ({ ...file, before: latestStatus(outcomes.get(file.id), file.before) }));
      return { ...change, id: index === 0 ? id : newId(), files: updatedFiles, state: stateAfter(outcome, key) };
    });
  });
}

const outcomeKey = (outcome: Outcome): string => (outcome.type === "refused" ? `refused ${outcome.reason}` : outcome.type);
const latestStatus = (outcome: Outcome | undefined, before: FileStatus | null) => (outcome?.type === "conflict" ? outcome.now : before);

function stateAfter(outcome: Outcome, key: string): StatusChangeState {
  if (outcome.type === "refused") return { type: "refused", reason: outcome.reason };
  return key === "conflict" ? { type: "conflict" } : { type: "waiting", attempts: 1 };
}

/** Returns the pending change that a file shows: counting down, being sent or waiting. */
export const pendingChangeFor = (changes: PendingStatusChanges, fileId: number): PendingStatusChange | undefined =>
  changes.findLast(
    ({ files, state }) => (state.type === "counting" || state.type === "sending" || state.type === "waiting") && files.some(({ id }) => id === fileId),
  );

/** Returns the newest change that can still be undone before anything is sent. */
export const latestUndoable = (changes: PendingStatusChanges): PendingStatusChange | undefined => changes.findLast(({ state }) => state.type === "counting");

/** Returns whether a change outlives its page; an outcome that was already shown is not shown again. */
export const isPersisted = ({ state }: PendingStatusChange): boolean => state.type !== "conflict" && state.type !== "refused";

/** Returns the whole seconds until `dueAt`, at least one, since "in 0 s" would be wrong while undo is possible. */
export const secondsUntil = (dueAt: number, now: number): number => Math.max(1, Math.ceil((dueAt - now) / 1_000));
