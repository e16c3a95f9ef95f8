/**
 * Stores pending status changes until they are due, sends them and reports the outcome, outside React so that it continues in every view.
 * `docs/decisions/019-status-change-delay.md` describes what happens when the page is closed, hidden or offline.
 */
import type { FileStatus } from "../../../contract/records.ts";
import {
  afterDue,
  addPendingChange,
  isPersisted,
  applyOutcomes,
  withoutFiles,
  withState,
  type PendingStatusChange,
  type StatusChangeState,
  type PendingStatusChanges,
  type StatusChangeFile,
  type StoredStatusChange,
  type Outcome,
} from "./pending-status-changes.ts";

export interface PendingStatusStorage {
  all(): StoredStatusChange[];
  save(change: PendingStatusChange): void;
  remove(id: string): void;
  /** Calls back when another tab has written; returns the unsubscribe function. */
  onExternalChange(listener: () => void): () => void;
}

export interface PendingStatusStoreDeps {
  /** Sends the change of one file; never rejects. */
  send(change: PendingStatusChange, file: StatusChangeFile): Promise<Outcome>;
  /** Returns a file's current status; undefined when unknown. */
  loadStatus(fileId: number): Promise<FileStatus | null | undefined>;
  storage: PendingStatusStorage;
  /**
   * Claims a change for this page until the returned function is called. `found` is a change found in storage, which another page may still hold;
   * `onAcquired` is called once no other page holds it.
   */
  claim(id: string, found?: { stored: StoredStatusChange; onAcquired(): void }): () => void;
  newId(): string;
}

export interface PendingStatusStore {
  all(): PendingStatusChanges;
  onChange(listener: () => void): () => void;
  /** Calls back with files whose status was set. */
  onDone(listener: (change: PendingStatusChange) => void): () => void;
  /** Starts the countdown of a change; returns the change, or null when every file already has the status. */
  add(teamId: number, files: readonly StatusChangeFile[], status: FileStatus, note?: string): PendingStatusChange | null;
  /** Cancels a change before it is sent, or only its part for `fileId`. */
  cancel(id: string, fileId?: number): void;
  /** Sends a change at once, for example after a conflict or an interruption, or while it is waiting. */
  sendNow(id: string): void;
  /** Closes the store when its user leaves: nothing is sent any more, and stored changes are offered when the user returns. */
  close(): void;
}

const MAX_PARALLEL = 4;
const RETRY_DELAY_MS = 3_000;
const MAX_RETRY_DELAY_MS = 30_000;

export function createPendingStatusStore({ send, loadStatus, storage, claim, newId }: PendingStatusStoreDeps): PendingStatusStore {
  let changes: PendingStatusChanges = [];
  let isClosed = false;
  const listeners = new Set<() => void>();
  const doneListeners = new Set<(change: PendingStatusChange) => void>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const claims = new Map<string, () => void>();

  function set(next: PendingStatusChanges): void {
    const before = new Map(changes.map((change) => [change.id, change]));
    changes = next;
    const now = new Set(next.map(({ id }) => id));
    for (const change of next) {
      if (before.get(change.id) === change) continue;
      // Claim the change before other tabs see it in storage.
      if (!claims.has(change.id)) claims.set(change.id, claim(change.id));
      if (isPersisted(change)) storage.save(change);
      else storage.remove(change.id);
      if (before.get(change.id)?.state !== change.state) schedule(change);
    }
    for (const id of before.keys()) if (!now.has(id)) forget(id);
    for (const listener of listeners) listener();
  }
  function forget(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    storage.remove(id);
    claims.get(id)?.();
    claims.delete(id);
  }
  const find = (id: string) => changes.find((change) => change.id === id);
  const setState = (id: string, state: StatusChangeState) => set(withState(changes, id, state));

  function schedule({ id, state }: PendingStatusChange): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    if (state.type === "counting") {
      const { dueAt } = state;
      timers.set(
        id,
        setTimeout(() => advance(id, afterDue(dueAt, Date.now())), dueAt - Date.now()),
      );
    }
    if (state.type === "waiting") {
      const wait = Math.min(MAX_RETRY_DELAY_MS, RETRY_DELAY_MS * 2 ** (state.attempts - 1));
      timers.set(
        id,
        setTimeout(() => advance(id, { type: "sending" }, state.attempts), wait),
      );
    }
  }
  function advance(id: string, state: StatusChangeState, attempts = 0): void {
    setState(id, state);
    const change = find(id);
    if (change && state.type === "sending") void sendFiles(change, attempts);
  }
  async function sendFiles(change: PendingStatusChange, attempts: number): Promise<void> {
    const outcomes = new Map<number, Outcome>();
    const queue = [...change.files];
    const worker = async () => {
      for (let file = queue.shift(); file && !isClosed; file = queue.shift()) {
        const outcome = await send(change, file);
        outcomes.set(file.id, outcome);
        // Without a network the remaining requests would only time out.
        if (outcome.type === "unreachable") queue.length = 0;
      }
    };
    await Promise.all(Array.from({ length: MAX_PARALLEL }, worker));
    if (isClosed) return;
    const done = change.files.filter(({ id }) => outcomes.get(id)?.type === "done");
    const next = applyOutcomes(changes, change.id, outcomes, newId);
    set(
      next.map((after) =>
        after.id === change.id && after.state.type === "waiting" ? { ...after, state: { type: "waiting", attempts: attempts + 1 } } : after,
      ),
    );
    if (done.length > 0) for (const listener of doneListeners) listener({ ...change, files: done });
  }

  /** Recovers changes left by an earlier page once no page holds them. */
  function recoverStored(): void {
    const storedChanges = storage.all();
    const ids = new Set(storedChanges.map(({ id }) => id));
    // Without locks another page may have handled a change that this page offered too.
    const handledElsewhere = changes.filter(({ id, state }) => state.type === "interrupted" && !ids.has(id));
    if (handledElsewhere.length > 0) set(changes.filter((change) => !handledElsewhere.includes(change)));
    for (const stored of storedChanges) {
      const { id } = stored;
      if (!claims.has(id)) claims.set(id, claim(id, { stored, onAcquired: () => void recover(id) }));
    }
  }
  async function recover(id: string): Promise<void> {
    const release = () => {
      claims.get(id)?.();
      claims.delete(id);
    };
    const findStored = () => storage.all().find((change) => change.id === id);
    const stored = isClosed ? undefined : findStored();
    if (!stored) return release();
    const currentStatuses = await Promise.all(stored.files.map(async (file) => ({ file, now: await loadStatus(file.id).catch(() => undefined) })));
    if (isClosed || !findStored()) return release();
    // Skip files that already have the status: the change was sent, but its page closed before the response.
    const files = currentStatuses.flatMap(({ file, now }) => (now?.id === stored.status.id ? [] : [now === undefined ? file : { ...file, before: now }]));
    if (files.length === 0) forget(id);
    else set([...changes, { ...stored, files, state: { type: "interrupted" } }]);
  }

  const retryWaiting = () => {
    for (const { id, state } of changes) if (state.type === "waiting") advance(id, { type: "sending" }, state.attempts);
  };
  globalThis.addEventListener?.("online", retryWaiting);
  const unsubscribe = storage.onExternalChange(() => !isClosed && recoverStored());
  recoverStored();

  return {
    all: () => changes,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onDone(listener) {
      doneListeners.add(listener);
      return () => doneListeners.delete(listener);
    },
    add(teamId, files, status, note = "") {
      const id = newId();
      set(addPendingChange(changes, { id, teamId, files, status, note }, Date.now()));
      return find(id) ?? null;
    },
    cancel(id, fileId) {
      const change = find(id);
      if (!change || change.state.type === "sending") return;
      const files = fileId === undefined ? change.files.map((file) => file.id) : [fileId];
      set(withoutFiles(changes, new Set(files), (other) => other === change));
    },
    sendNow(id) {
      const state = find(id)?.state.type;
      if (state !== undefined && state !== "sending" && state !== "refused") advance(id, { type: "sending" });
    },
    close() {
      isClosed = true;
      globalThis.removeEventListener?.("online", retryWaiting);
      unsubscribe();
      for (const timer of timers.values()) clearTimeout(timer);
      // Stored changes stay, and the next page finds them unclaimed.
      for (const release of claims.values()) release();
      claims.clear();
      changes = [];
      for (const listener of listeners) listener();
    },
  };
}
