/** The upload queue, outside React: it runs a few uploads at a time and survives lost networks, stopped services and reloads. */
import type { UploadListener, UploadInput } from "../../api/uploads.ts";
import { createEmitter } from "../../lib/store.ts";
import { createPendingDeletes } from "./pending-deletes.ts";
import { cachedByteCount, createByteCache, createUploadScheduler, shouldCacheBytes } from "./scheduler.ts";
import type { UploadStore } from "./upload-store.ts";
import {
  isFilesViewUpload,
  isSameFile,
  isTransferring,
  restoreUpload,
  survivesAccountSwitch,
  transition,
  type Upload,
  type UploadEvent,
  type FileToUpload,
} from "./upload.ts";

/** How often to look for uploads of closed tabs, whose leases end later than the tabs, and to repeat failed deletes. */
const POLL_INTERVAL_MS = 10_000;

export interface UploadQueueDeps {
  start(input: UploadInput, listener: UploadListener): { stop(): void };
  /**
   * Deletes a canceled upload from the service, or the file created from it unless a message has it attached. Resolves to false when this must be
   * retried later.
   */
  deleteOnService(upload: Pick<Upload, "url" | "fileId" | "accountId" | "target">): Promise<boolean>;
  store: UploadStore;
  /** Returns the release function, or null when another tab holds the upload's lock. */
  acquireLock(id: string): Promise<(() => void) | null>;
  /** Returns why a file is rejected, or null. */
  validate(file: Blob): string | null;
  newId(): string;
  now(): number;
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;

export function createUploadQueue(deps: UploadQueueDeps) {
  const { store } = deps;
  const pendingDeletes = createPendingDeletes(deps);
  let uploads: readonly Upload[] = [];
  let owner: number | null = null;
  /** Resolves once the owner's uploads are recovered. */
  let recovered: Promise<unknown> = Promise.resolve();
  const files = new Map<string, Blob>();
  const releases = new Map<string, () => void>();
  const { emit, subscribe } = createEmitter();

  const find = (id: string) => uploads.find((upload) => upload.id === id);
  function set(next: readonly Upload[]): void {
    uploads = next;
    emit();
  }

  let lastSave = Promise.resolve();
  const scheduler = createUploadScheduler({
    start: deps.start,
    uploads: () => uploads,
    getFile: (id) => files.get(id),
    dispatch,
    whenSaved: () => lastSave,
  });
  const { run, stop } = scheduler;
  /** Uploads claimed by a message that is not stored yet; they are stored without the claim until then, so that a reload shows them in the tray. */
  const unstoredClaims = new Set<string>();
  // The store saves in order, so the last save is also the last one to complete.
  const save = (upload: Upload) => void (lastSave = store.save(unstoredClaims.has(upload.id) ? { ...upload, messageId: null } : upload));
  /** Returns true when nothing in any tab waits for the upload any more. */
  const isFinished = (upload: Upload) => upload.state === "done" && isFilesViewUpload(upload);

  function dispatch(id: string, event: UploadEvent): void {
    const before = find(id);
    const after = before && transition(before, event);
    if (!before || !after || after === before) return;
    set(uploads.map((upload) => (upload === before ? after : upload)));
    if (event.type === "bytesStored") return;
    if (!isTransferring(after)) stop(id);
    // An upload that has arrived in its folder is not needed after a reload.
    if (isFinished(after)) void store.remove(id).then(popRelease(id));
    else if (event.type !== "progress") save(after);
    if (after.state === "done" && !isFilesViewUpload(after)) void store.deleteBytes(id);
    if (!isTransferring(after)) run();
  }

  const byteCache = createByteCache({ store, uploads: () => uploads, find, dispatch });

  /** Removes and returns an upload's release function, so that it is called only once. */
  function popRelease(id: string): (() => void) | undefined {
    const release = releases.get(id);
    releases.delete(id);
    return release;
  }

  function removeUploads(ids: ReadonlySet<string>, deleteStored = true): void {
    for (const id of ids) {
      stop(id);
      files.delete(id);
      byteCache.forget(id);
      const release = popRelease(id);
      // The lock is released only after the removal, since another tab recovers stored uploads that no tab holds.
      if (deleteStored) void store.remove(id).then(release);
      else release?.();
    }
    set(uploads.filter(({ id }) => !ids.has(id)));
    run();
  }

  /** Recovers an account's uploads that no tab holds. Resolves with the ids of all that are stored; rejects when storage cannot be read. */
  async function recoverUploads(accountId: number): Promise<ReadonlySet<string>> {
    const isKnown = (id: string) => find(id) !== undefined || pendingDeletes.has(id);
    const storedUploads = await store.load(accountId);
    for (const { id } of storedUploads) {
      const release = isKnown(id) ? null : await deps.acquireLock(id);
      if (!release) continue;
      // The previous holder may have finished it.
      const stored = await store.read(id).catch(() => null);
      if (!stored || owner !== accountId || isKnown(id)) release();
      else if (stored.upload.isCanceled) pendingDeletes.add(stored.upload, release);
      else {
        releases.set(id, release);
        if (stored.file) files.set(id, stored.file);
        set([...uploads, restoreUpload(stored.upload, stored.file !== null)].toSorted((a, b) => a.addedAt - b.addedAt));
      }
    }
    run();
    return new Set(storedUploads.map(({ id }) => id));
  }

  let pollTimer: ReturnType<typeof setInterval> | undefined;

  return {
    /** Adds files for a project and starts at once. */
    add({ accountId, projectId, draft = null }: Pick<Upload, "accountId" | "projectId" | "draft">, filesToUpload: readonly FileToUpload[]) {
      const added: Upload[] = [];
      let cachedSoFar = cachedByteCount(uploads);
      for (const { file, target, id = deps.newId() } of filesToUpload) {
        files.set(id, file);
        // Undefined until the bytes are copied.
        const isStored = target === null || shouldCacheBytes(file.size, cachedSoFar) ? undefined : false;
        if (isStored !== false) cachedSoFar += file.size;
        const error = deps.validate(file);
        added.push({
          id,
          accountId,
          projectId,
          target,
          draft,
          name: file.name,
          bytes: file.size,
          type: file.type,
          // Files that were added together keep their order after a reload.
          addedAt: deps.now() + added.length / 1_000,
          state: error === null ? "queued" : "failed",
          error,
          isPersisted: isStored,
          isRetryable: false,
          sent: 0,
          url: null,
          fileId: null,
          messageId: null,
        });
      }
      set([...uploads, ...added]);
      store.saveAll(added.filter(({ state }) => state !== "failed"));
      for (const upload of added) {
        if (upload.state === "failed") continue;
        void deps.acquireLock(upload.id).then((release) => {
          if (!release) return;
          const current = find(upload.id);
          if (current && !isFinished(current)) releases.set(upload.id, release);
          else release();
        });
        if (upload.isPersisted !== false) byteCache.scheduleCopy(upload, files.get(upload.id)!);
      }
      run();
    },
    pause: (id: string) => dispatch(id, { type: "pause" }),
    /** Resumes after a pause and retries after a failure. */
    resume: (id: string) => dispatch(id, { type: "resume" }),
    /**
     * Cancels uploads and deletes them here and on the service, including files created from them unless a message has them attached. Cancels them
     * together, so that none of them starts in the slot of another.
     */
    cancel(...ids: string[]) {
      const canceled = ids.map(find).filter((upload) => upload !== undefined);
      // If the upload exists on the service, this tab keeps its lock until the service has deleted the upload.
      const known = canceled.filter(({ url, fileId }) => url !== null || fileId !== null).map((upload) => ({ upload, release: popRelease(upload.id) }));
      removeUploads(new Set(canceled.map(({ id }) => id)));
      for (const { upload, release } of known) pendingDeletes.add(upload, release);
    },
    /** Provides the bytes that the browser has not persisted; returns false for a different file. */
    provideFile(id: string, file: File) {
      const upload = find(id);
      if (!upload || !isSameFile(file, upload)) return false;
      files.set(id, file);
      const canCache = byteCache.canCache(upload);
      // Dispatch this first, so that a listener does not provide the file again.
      dispatch(id, { type: "fileProvided" });
      dispatch(id, { type: "bytesStored", isStored: canCache ? undefined : false });
      if (canCache) byteCache.scheduleCopy(upload, file);
      return true;
    },
    /**
     * Moves uploads from the tray to a message, which waits for them. The claim is persisted once `stored` resolves: a page that is reloaded
     * before its message is stored finds the uploads in the tray.
     */
    claim(ids: readonly string[], messageId: string, stored?: Promise<void>) {
      if (ids.length === 0) return;
      const claimed = new Set(uploads.filter((upload) => ids.includes(upload.id) && upload.messageId !== messageId).map(({ id }) => id));
      if (claimed.size === 0) return;
      set(uploads.map((upload) => (claimed.has(upload.id) ? { ...upload, messageId } : upload)));
      const saveClaimed = () => {
        for (const id of claimed) unstoredClaims.delete(id);
        for (const upload of uploads) if (claimed.has(upload.id) && upload.messageId === messageId && upload.state !== "failed") save(upload);
      };
      if (stored) {
        for (const id of claimed) unstoredClaims.add(id);
        void stored.then(saveClaimed);
      } else saveClaimed();
      for (const id of claimed) if (find(id)?.state === "paused") dispatch(id, { type: "resume" });
    },
    /** Removes uploads whose message was sent, or that the user dismissed; their files stay. */
    remove: (ids: readonly string[]) => (ids.length > 0 ? removeUploads(new Set(ids)) : undefined),
    /** Retries at once instead of after the current delay. */
    wake() {
      for (const { id, state } of uploads) if (state === "waiting") dispatch(id, { type: "resume" });
      void pendingDeletes.run();
    },
    /** Loads the uploads that this account left here before, and unloads those of others. */
    async switchAccount(accountId: number) {
      if (owner === accountId) {
        await recovered;
        return;
      }
      owner = accountId;
      const otherUploads = uploads.filter((upload) => upload.accountId !== accountId);
      // Uploads into folders, and those that an account's message waits for, stay stored until the account returns.
      removeUploads(new Set(otherUploads.filter(survivesAccountSwitch).map(({ id }) => id)), false);
      removeUploads(new Set(otherUploads.filter((upload) => !survivesAccountSwitch(upload)).map(({ id }) => id)));
      pendingDeletes.retainAccount(accountId);
      void store.removeUnneeded(accountId);
      // When storage cannot be read, the next poll loads its uploads.
      recovered = recoverUploads(accountId).catch(() => undefined);
      clearInterval(pollTimer);
      pollTimer = setInterval(() => {
        void pendingDeletes.run();
        recoverUploads(accountId).catch(() => undefined);
      }, POLL_INTERVAL_MS);
      await recovered;
    },
    /** Ends all transfers; what is stored stays for the next page. */
    close() {
      owner = null;
      clearInterval(pollTimer);
      removeUploads(new Set(uploads.map(({ id }) => id)), false);
      pendingDeletes.close();
      store.close();
    },
    /** Recovers the uploads of closed tabs. Returns which of `ids` no tab has any more; rejects when that is unknown. */
    async recover(ids: readonly string[]) {
      if (owner === null) return [];
      const knownIds = new Set([...(await recoverUploads(owner)), ...uploads.map(({ id }) => id)]);
      const lostIds: string[] = [];
      for (const id of ids) {
        // Another tab may hold an upload that could not be stored.
        const release = knownIds.has(id) ? null : await deps.acquireLock(id);
        if (release) lostIds.push(id);
        release?.();
      }
      return lostIds;
    },
    /** Handles uploads of messages that are no longer pending: removes finished ones, which their message has attached; returns the others to the tray. */
    reconcile(messageIds: ReadonlySet<string>) {
      const orphans = uploads.filter(({ messageId }) => messageId !== null && !messageIds.has(messageId));
      removeUploads(new Set(orphans.filter(({ state }) => state === "done").map(({ id }) => id)));
      const returnedIds = new Set(orphans.map(({ id }) => id));
      set(uploads.map((upload) => (returnedIds.has(upload.id) ? { ...upload, messageId: null } : upload)));
    },
    /** Resolves after the copy was attempted, with whether the bytes were stored in this browser, so that the upload survives the page. */
    isPersisted: byteCache.isPersisted,
    /** Returns an upload of this page, or of another tab or an earlier page as it is stored, with its bytes if this browser has them. */
    async load(id: string) {
      const [upload, file] = [find(id), files.get(id)];
      if (upload && file) return { upload, file };
      const stored = await store.read(id).catch(() => null);
      return upload ? { upload, file: stored?.file ?? null } : stored;
    },
    /** Returns the bytes if this page has them. */
    getFile: (id: string) => files.get(id) ?? null,
    /** Returns the same array until something changes. */
    uploads: () => uploads,
    onChange: subscribe,
  };
}
