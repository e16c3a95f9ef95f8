/**
 * Stores pending status changes until they are due, sends them and reports the outcome, outside React so that it continues in every view.
 * `docs/decisions/019-status-change-delay.md` describes what happens when the page is closed, hidden or offline.
 */
import type { FileStatus } from "../../../contract/records.ts";
import { createEmitter, createStore } from "../../lib/store.ts";
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

/** Claims changes for this page until the returned function is called. */
export interface StatusClaims {
  claimNew(id: string): () => void;
  /** Claims a change found in storage, which another page may still hold; calls back once no other page holds it. */
  claimStored(stored: StoredStatusChange, onAcquired: () => void): () => void;
}

export interface PendingStatusStoreDeps {
  /** Sends the change of one file; never rejects. */
  send(change: PendingStatusChange, file: StatusChangeFile): Promise<Outcome>;
  /** Returns a file's current status; undefined when unknown. */
  loadStatus(fileId: number): Promise<FileStatus | null | undefined>;
  storage: PendingStatusStorage;
  claims: StatusClaims;
  newId(): string;
}

const MAX_PARALLEL = 4;
const RETRY_DELAY_MS = 3_000;
const MAX_RETRY_DELAY_MS = 30_000;

export type PendingStatusStore = ReturnType<typeof createPendingStatusStore>;

export function createPendingStatusStore({ send, loadStatus, storage, claims, newId }: PendingStatusStoreDeps) {
  const changes = createStore<PendingStatusChanges>([]);
  const done = createEmitter<PendingStatusChange>();
  let isClosed = false;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Release functions of the claimed changes. */
  const releases = new Map<string, () => void>();

  const find = (id: string) => changes.get().find((change) => change.id === id);
  function setChanges(next: PendingStatusChanges): void {
    const before = new Map(changes.get().map((change) => [change.id, change]));
    changes.set(next);
    for (const change of next) {
      if (before.get(change.id) === change) continue;
      // Claim the change before other tabs see it in storage.
      if (!releases.has(change.id)) releases.set(change.id, claims.claimNew(change.id));
      if (isPersisted(change)) storage.save(change);
      else storage.remove(change.id);
      if (before.get(change.id)?.state !== change.state) schedule(change);
    }
    for (const id of before.keys()) if (!find(id)) cleanUp(id);
  }
  function cleanUp(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    storage.remove(id);
    release(id);
  }
  function release(id: string): void {
    releases.get(id)?.();
    releases.delete(id);
  }

  /** Starts the countdown or the retry delay of a change. */
  function schedule({ id, state }: PendingStatusChange): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    const start = (delayMs: number, run: () => void) => void timers.set(id, setTimeout(run, delayMs));
    if (state.type === "counting") start(state.dueAt - Date.now(), () => advance(id, afterDue(state.dueAt, Date.now())));
    if (state.type === "waiting") start(retryDelayMs(state.attempts), () => advance(id, { type: "sending" }, state.attempts));
  }
  function advance(id: string, state: StatusChangeState, attempts = 0): void {
    setChanges(withState(changes.get(), id, state));
    const change = find(id);
    if (change && state.type === "sending") void sendFiles(change, attempts);
  }
  async function sendFiles(change: PendingStatusChange, attempts: number): Promise<void> {
    const outcomes = await sendInParallel(
      change.files,
      (file) => send(change, file),
      () => isClosed,
    );
    if (isClosed) return;
    const doneFiles = change.files.filter(({ id }) => outcomes.get(id)?.type === "done");
    const next = applyOutcomes(changes.get(), change.id, outcomes, newId);
    setChanges(
      next.map((after) =>
        after.id === change.id && after.state.type === "waiting" ? { ...after, state: { type: "waiting", attempts: attempts + 1 } } : after,
      ),
    );
    if (doneFiles.length > 0) done.emit({ ...change, files: doneFiles });
  }

  /** Recovers changes left by an earlier page once no page holds them. */
  function recoverStored(): void {
    const storedChanges = storage.all();
    const ids = new Set(storedChanges.map(({ id }) => id));
    // Without locks another page may have handled a change that this page offered too.
    const handledElsewhere = changes.get().filter(({ id, state }) => state.type === "interrupted" && !ids.has(id));
    if (handledElsewhere.length > 0) setChanges(changes.get().filter((change) => !handledElsewhere.includes(change)));
    for (const stored of storedChanges) {
      const { id } = stored;
      if (!releases.has(id))
        releases.set(
          id,
          claims.claimStored(stored, () => void recover(id)),
        );
    }
  }
  async function recover(id: string): Promise<void> {
    const findStored = () => storage.all().find((change) => change.id === id);
    const stored = isClosed ? undefined : findStored();
    if (!stored) return release(id);
    const files = await loadUnsentFiles(stored, loadStatus);
    if (isClosed || !findStored()) return release(id);
    if (files.length === 0) cleanUp(id);
    else setChanges([...changes.get(), { ...stored, files, state: { type: "interrupted" } }]);
  }

  const retryWaiting = () => {
    for (const { id, state } of changes.get()) if (state.type === "waiting") advance(id, { type: "sending" }, state.attempts);
  };
  globalThis.addEventListener?.("online", retryWaiting);
  const unsubscribe = storage.onExternalChange(() => !isClosed && recoverStored());
  recoverStored();

  return {
    get: changes.get,
    subscribe: changes.subscribe,
    /** Calls back with files whose status was set. */
    onDone: done.subscribe,
    /** Starts the countdown of a change; returns the change, or null when every file already has the status. */
    add(teamId: number, files: readonly StatusChangeFile[], status: FileStatus, note: string = "") {
      const id = newId();
      setChanges(addPendingChange(changes.get(), { id, teamId, files, status, note }, Date.now()));
      return find(id) ?? null;
    },
    /** Cancels a change before it is sent, or only its part for `fileId`. */
    cancel(id: string, fileId?: number) {
      const change = find(id);
      if (!change || change.state.type === "sending") return;
      const files = fileId === undefined ? change.files.map((file) => file.id) : [fileId];
      setChanges(withoutFiles(changes.get(), new Set(files), (other) => other === change));
    },
    /** Sends a change at once, for example after a conflict or an interruption, or while it is waiting. */
    sendNow(id: string) {
      const state = find(id)?.state.type;
      if (state !== undefined && state !== "sending" && state !== "refused") advance(id, { type: "sending" });
    },
    /** Closes the store when its user leaves: nothing is sent any more, and stored changes are offered when the user returns. */
    close() {
      isClosed = true;
      globalThis.removeEventListener?.("online", retryWaiting);
      unsubscribe();
      for (const timer of timers.values()) clearTimeout(timer);
      // Stored changes stay, and the next page finds them unclaimed.
      for (const id of releases.keys()) release(id);
      changes.set([]);
    },
  };
}

const retryDelayMs = (attempts: number) => Math.min(MAX_RETRY_DELAY_MS, RETRY_DELAY_MS * 2 ** (attempts - 1));

/** Sends files, a few at a time, until the service is unreachable or the store is closed. Returns the outcomes of those that were sent. */
async function sendInParallel(
  files: readonly StatusChangeFile[],
  send: (file: StatusChangeFile) => Promise<Outcome>,
  isClosed: () => boolean,
): Promise<Map<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  const queue = [...files];
  const worker = async () => {
    for (let file = queue.shift(); file && !isClosed(); file = queue.shift()) {
      const outcome = await send(file);
      outcomes.set(file.id, outcome);
      // Without a network the remaining requests would only time out.
      if (outcome.type === "unreachable") queue.length = 0;
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, worker));
  return outcomes;
}

/** Returns a stored change's files with their current status, without those that have the chosen one: their page closed before the response. */
async function loadUnsentFiles({ files, status }: StoredStatusChange, loadStatus: PendingStatusStoreDeps["loadStatus"]): Promise<StatusChangeFile[]> {
  const currentStatuses = await Promise.all(files.map(async (file) => ({ file, now: await loadStatus(file.id).catch(() => undefined) })));
  return currentStatuses.flatMap(({ file, now }) => (now?.id === status.id ? [] : [now === undefined ? file : { ...file, before: now }]));
}
