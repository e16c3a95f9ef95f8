/** Statuses that somebody has chosen and that do not count yet: what becomes of them, as plain changes of a list. */
import type { FileStatus } from "../../../contract/records.ts";

/** As long a choice can be taken back, and nothing of it has left this page. */
export const UNDO_WINDOW_MS = 5_000;
/** A page that slept past the end for longer than this has not shown that it could be taken back: then it asks. */
const LATE_MS = 5_000;

export interface StatusChangeFile {
  id: number;
  name: string;
  /** What its person saw when they chose: somebody else may have chosen since. */
  before: FileStatus | null;
}

export type StatusChangeState =
  /** `dueAt` in epoch milliseconds: when it is sent. */
  | { type: "counting"; dueAt: number }
  | { type: "sending" }
  /** The service cannot be reached. */
  | { type: "waiting"; attempts: number }
  /** Somebody else was faster: `before` of its files is what they chose. */
  | { type: "overtaken" }
  | { type: "refused"; reason: string }
  /** Its page was closed, or slept, before it counted. */
  | { type: "left" };

export interface PendingStatusChange {
  id: string;
  teamId: number;
  status: FileStatus;
  note: string;
  /** One or more. */
  files: readonly StatusChangeFile[];
  state: StatusChangeState;
}
export type PendingStatusChanges = readonly PendingStatusChange[];

export type Outcome = { type: "done" } | { type: "away" } | { type: "overtaken"; now: FileStatus | null } | { type: "refused"; reason: string };

/** What is under way to the service ends by itself. */
const isNotSending = ({ state }: PendingStatusChange) => state.type !== "sending";

/** Without these files; a choice that has none left is gone. */
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

/** A new choice takes the place of older ones of the same files. What a file has already is only the older one taken back. */
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

/** What its time brings: it is sent, or, where nobody could see that time pass, asks first. */
export const afterDue = (dueAt: number, now: number): StatusChangeState => (now - dueAt > LATE_MS ? { type: "left" } : { type: "sending" });

/** What the service has said of each file. Those that need a word stand apart, by what they need; `newId` names what is split off. */
export function applyOutcomes(changes: PendingStatusChanges, id: string, outcomes: ReadonlyMap<number, Outcome>, newId: () => string): PendingStatusChanges {
  return changes.flatMap((change) => {
    if (change.id !== id) return [change];
    const groups = Map.groupBy(
      change.files.filter((file) => (outcomes.get(file.id)?.type ?? "away") !== "done"),
      (file) => outcomeKey(outcomes.get(file.id) ?? { type: "away" }),
    );
    return [...groups].map(([key, files], index): PendingStatusChange => {
      const outcome = outcomes.get(files[0]!.id) ?? { type: "away" };
      const updatedFiles = files.map((file) => ({ ...file, before: latestStatus(outcomes.get(file.id), file.before) }));
      return { ...change, id: index === 0 ? id : newId(), files: updatedFiles, state: stateAfter(outcome, key) };
    });
  });
}

const outcomeKey = (outcome: Outcome): string => (outcome.type === "refused" ? `refused ${outcome.reason}` : outcome.type);
const latestStatus = (outcome: Outcome | undefined, before: FileStatus | null) => (outcome?.type === "overtaken" ? outcome.now : before);

function stateAfter(outcome: Outcome, key: string): StatusChangeState {
  if (outcome.type === "refused") return { type: "refused", reason: outcome.reason };
  return key === "overtaken" ? { type: "overtaken" } : { type: "waiting", attempts: 1 };
}

/** What a file's place shows: the status that is chosen for it and counts down, or is under way. */
export const pendingChangeFor = (changes: PendingStatusChanges, fileId: number): PendingStatusChange | undefined =>
  changes.findLast(
    ({ files, state }) => (state.type === "counting" || state.type === "sending" || state.type === "waiting") && files.some(({ id }) => id === fileId),
  );

/** The newest that can still be taken back before anything is sent. */
export const latestUndoable = (changes: PendingStatusChanges): PendingStatusChange | undefined => changes.findLast(({ state }) => state.type === "counting");

/** Whether it outlives its page: what was told already needs not be told again. */
export const isPersisted = ({ state }: PendingStatusChange): boolean => state.type !== "overtaken" && state.type !== "refused";

/** Whole seconds until then, at least one: "in 0 s" would be a lie as long as it can be taken back. */
export const secondsUntil = (dueAt: number, now: number): number => Math.max(1, Math.ceil((dueAt - now) / 1_000));
