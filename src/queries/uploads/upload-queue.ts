/** The queue of uploads: lives outside React, a few at a time, outlasts lost networks, stopped services and reloads. */
import type { UploadListener, UploadWish } from "../../api/uploads.ts";
import { isSameFile } from "./admission.ts";
import { createCarrying } from "./carrying.ts";
import { createDiscards } from "./discards.ts";
import { createCopies, isWorthKeeping } from "./keeping.ts";
import { createLeftovers } from "./leftovers.ts";
import type { UploadQueue } from "./queue.ts";
import { isForFiles, isPromised, keptBytes, step, uploadFor, type Happening, type Upload } from "./upload.ts";
import type { UploadStore } from "./upload-store.ts";

export interface UploadQueueDeps {
  start(wish: UploadWish, listener: UploadListener): { stop(): void };
  /** Lets the service forget what was given up, or delete what became of it and was never sent. False: ask again later. */
  discard(upload: Pick<Upload, "url" | "fileId" | "accountId" | "target">): Promise<boolean>;
  store: UploadStore;
  /** The way to let go of an upload, or null where another tab carries it. */
  hold(id: string): Promise<(() => void) | null>;
  /** Why a file is not taken, or null. */
  refusal(file: Blob): string | null;
  newId(): string;
  now(): number;
}

export function createUploadQueue(deps: UploadQueueDeps): UploadQueue {
  const { store } = deps;
  const discards = createDiscards(deps);
  let uploads: readonly Upload[] = [];
  let owner: number | null = null;
  const files = new Map<string, Blob>();
  const releases = new Map<string, () => void>();
  const listeners = new Set<() => void>();
  const keeping = new Map<string, Promise<boolean>>();

  const find = (id: string) => uploads.find((upload) => upload.id === id);
  function set(next: readonly Upload[]): void {
    uploads = next;
    for (const listener of listeners) listener();
  }

  const carrying = createCarrying({ start: deps.start, uploads: () => uploads, fileOf: (id) => files.get(id), happen });
  const { run, end } = carrying;
  /** Uploads claimed by a message that is not stored yet: until it is, a reload must find them in the tray. */
  const unstoredClaims = new Set<string>();
  const save = (upload: Upload) => store.save(unstoredClaims.has(upload.id) ? { ...upload, messageId: null } : upload);
  /** Nothing waits for it any more, here or in another tab. */
  const isOver = (upload: Upload) => upload.state === "done" && isForFiles(upload);

  function happen(id: string, happening: Happening): void {
    const before = find(id);
    const after = before && step(before, happening);
    if (!before || !after || after === before) return;
    set(uploads.map((upload) => (upload === before ? after : upload)));
    if (happening.type === "kept") return;
    if (after.state !== "uploading") end(id);
    // Nobody asks after a reload for what has arrived in its folder.
    if (isOver(after)) void store.remove(id).then(takeRelease(id));
    else if (happening.type !== "progress") save(after);
    if (after.state === "done" && !isForFiles(after)) store.forgetBytes(id);
    if (after.state === "waiting") carrying.pause(id, after.pauseMs);
    // A start and its progress free no place.
    if (after.state !== "uploading") run();
  }

  /** Whether a copy for after a reload is worth it. A message's files are few and are always tried. */
  const isKeepable = (upload: Upload) => !isForFiles(upload) || isWorthKeeping(upload.bytes, keptBytes(uploads));
  const isOpen = (id: string) => (find(id)?.state ?? "done") !== "done";
  /** The copy itself; it is told whether the browser has taken it. */
  async function copy(id: string, file: Blob): Promise<boolean> {
    // Who is done or gone by now needs none.
    if (!isOpen(id)) return true;
    const kept = await store.keepBytes(id, file);
    if (isOpen(id)) happen(id, { type: "kept", kept });
    else store.forgetBytes(id);
    return kept;
  }
  const copies = createCopies(async (id, file) => void (await copy(id, file)));
  /** A message's files do not wait for those of a whole folder. */
  const keep = (upload: Upload, file: Blob) => (isForFiles(upload) ? copies.add(upload.id, file) : void keeping.set(upload.id, copy(upload.id, file)));

  /** The way to let go of an upload, once. */
  function takeRelease(id: string): (() => void) | undefined {
    const release = releases.get(id);
    releases.delete(id);
    return release;
  }

  function drop(ids: ReadonlySet<string>, forgotten = true): void {
    for (const id of ids) {
      end(id);
      files.delete(id);
      keeping.delete(id);
      const release = takeRelease(id);
      // Not before: another tab takes up what nobody carries and is still written down.
      if (forgotten) void store.remove(id).then(release);
      else release?.();
    }
    set(uploads.filter(({ id }) => !ids.has(id)));
    run();
  }

  /** The service has heard of it: this tab keeps it until that is undone. */
  function discard(upload: Upload): void {
    const release = takeRelease(upload.id);
    drop(new Set([upload.id]));
    discards.add(upload, release);
  }

  const leftovers = createLeftovers({
    ...deps,
    owner: () => owner,
    isKnown: (id) => find(id) !== undefined || discards.has(id),
    take(upload, file, release) {
      if (upload.discarded) return discards.add(upload, release);
      releases.set(upload.id, release);
      if (file) files.set(upload.id, file);
      set([...uploads, upload].toSorted((one, other) => one.addedAt - other.addedAt));
    },
    taken: run,
  });

  return {
    add({ accountId, projectId }, chosen) {
      const added: Upload[] = [];
      let keptSoFar = keptBytes(uploads);
      for (const one of chosen) {
        const id = one.id ?? deps.newId();
        files.set(id, one.file);
        // Whether it is kept is known once it is copied.
        const kept = one.target === null || isWorthKeeping(one.file.size, keptSoFar) ? undefined : false;
        if (kept !== false) keptSoFar += one.file.size;
        added.push(uploadFor(one, { id, accountId, projectId, addedAt: deps.now(), fault: deps.refusal(one.file), kept }));
      }
      set([...uploads, ...added]);
      store.saveAll(added.filter(({ state }) => state !== "failed"));
      for (const upload of added) {
        if (upload.state === "failed") continue;
        void deps.hold(upload.id).then((release) => {
          if (!release) return;
          const now = find(upload.id);
          if (now && !isOver(now)) releases.set(upload.id, release);
          else release();
        });
        if (upload.kept !== false) keep(upload, files.get(upload.id)!);
      }
      run();
    },
    pause: (id) => happen(id, { type: "pause" }),
    resume: (id) => happen(id, { type: "resume" }),
    cancel(id) {
      const upload = find(id);
      if (!upload) return;
      if (upload.url === null && upload.fileId === null) drop(new Set([id]));
      else discard(upload);
    },
    giveFile(id, file) {
      const upload = find(id);
      if (!upload || !isSameFile(file, upload)) return false;
      files.set(id, file);
      const isCopied = isKeepable(upload);
      happen(id, { type: "kept", kept: isCopied ? undefined : false });
      happen(id, { type: "file" });
      if (isCopied) keep(upload, file);
      return true;
    },
    claim(ids, messageId, stored) {
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
      for (const id of claimed) if (find(id)?.state === "paused") happen(id, { type: "resume" });
    },
    forget: (ids) => (ids.length > 0 ? drop(new Set(ids)) : undefined),
    wake() {
      for (const { id, state } of uploads) if (state === "waiting") happen(id, { type: "resume" });
      discards.wake();
    },
    async belongTo(accountId) {
      if (owner === accountId) return;
      owner = accountId;
      const others = uploads.filter((upload) => upload.accountId !== accountId);
      // What goes into a folder, and what somebody's message waits for, is theirs when they come back.
      drop(new Set(others.filter(isPromised).map(({ id }) => id)), false);
      drop(new Set(others.filter((upload) => !isPromised(upload)).map(({ id }) => id)));
      discards.keepOnly(accountId);
      store.removeOthers(accountId);
      // Where nothing can be read, what is there is taken up when it is asked for.
      await leftovers.takeUp(accountId).catch(() => undefined);
      leftovers.watch();
    },
    async adopt(wanted) {
      if (owner === null) return [];
      const there = new Set([...(await leftovers.takeUp(owner)), ...uploads.map(({ id }) => id)]);
      const lost: string[] = [];
      for (const id of wanted) {
        // Another tab may carry what could not be written down.
        const release = there.has(id) ? null : await deps.hold(id);
        if (release) lost.push(id);
        release?.();
      }
      return lost;
    },
    settle(messageIds) {
      const orphans = uploads.filter(({ messageId }) => messageId !== null && !messageIds.has(messageId));
      drop(new Set(orphans.filter(({ state }) => state === "done").map(({ id }) => id)));
      const back = new Set(orphans.map(({ id }) => id));
      set(uploads.map((upload) => (back.has(upload.id) ? { ...upload, messageId: null } : upload)));
    },
    keeps: async (id) => (await keeping.get(id)) ?? false,
    bytesOf: async (id) => files.get(id) ?? (await store.read(id).catch(() => null))?.file ?? null,
    fileOf: (id) => files.get(id) ?? null,
    uploads: () => uploads,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
