/** The queue of uploads: lives outside React, a few at a time, outlasts lost networks, stopped services and reloads. */
import type { UploadListener, UploadWish } from "../../api/uploads.ts";
import { isSameFile } from "./admission.ts";
import { createCarrying } from "./carrying.ts";
import { createDiscards } from "./discards.ts";
import { isWorthKeeping } from "./keeping.ts";
import { isForFiles, keptBytes, restoredOf, step, uploadFor, type Chosen, type Happening, type Upload } from "./upload.ts";
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

export interface UploadQueue {
  /** Takes files for a project and starts at once. */
  add(to: { accountId: number; projectId: number }, chosen: readonly Chosen[]): void;
  pause(id: string): void;
  /** Goes on after a pause, tries again after a failure. */
  resume(id: string): void;
  /** Gives it up: it is forgotten on both sides, also where it is a file already that no message carries. */
  cancel(id: string): void;
  /** Brings the bytes again that the browser has not kept. False where it is another file. */
  giveFile(id: string, file: File): boolean;
  /** Moves uploads from the tray to a message, which waits for them. */
  claim(ids: readonly string[], messageId: string): void;
  /** Forgets uploads whose message has been sent, or that nobody wants to see any more; what they brought stays. */
  forget(ids: readonly string[]): void;
  /** Tries at once instead of at the end of a pause. */
  wake(): void;
  /** Loads what this account has left here before, forgets what others have. */
  belongTo(accountId: number): Promise<void>;
  /** Takes up what tabs that are gone have left. Answers which of the wanted ones nobody has any more; rejects where that cannot be known. */
  adopt(wanted: readonly string[]): Promise<string[]>;
  /** Of messages that are not waiting any more: what is done went with them, the rest comes back into the tray. */
  settle(messageIds: ReadonlySet<string>): void;
  /** Whether the browser keeps the bytes as well; answers when it has tried. */
  keeps(id: string): Promise<boolean>;
  /** The bytes, from the page or from what the browser keeps of another one. */
  bytesOf(id: string): Promise<Blob | null>;
  /** The bytes, where the page has them. */
  fileOf(id: string): Blob | null;
  /** The same array until something changes. */
  uploads(): readonly Upload[];
  onChange(listener: () => void): () => void;
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
  const save = (upload: Upload) => store.save(upload);

  function happen(id: string, happening: Happening): void {
    const before = find(id);
    const after = before && step(before, happening);
    if (!before || !after || after === before) return;
    set(uploads.map((upload) => (upload === before ? after : upload)));
    if (happening.type === "kept") return;
    if (after.state !== "uploading") end(id);
    // Nobody asks after a reload for what has arrived in its folder.
    if (after.state === "done" && isForFiles(after)) void store.remove(id);
    else if (happening.type !== "progress") save(after);
    if (after.state === "done" && !isForFiles(after)) store.forgetBytes(id);
    if (after.state === "waiting") carrying.pause(id, after.pauseMs);
    // A start and its progress free no place.
    if (after.state !== "uploading") run();
  }

  /** Whether a copy for after a reload is worth it. A message's files are few and are always tried. */
  const isKeepable = (upload: Upload) => !isForFiles(upload) || isWorthKeeping(upload.bytes, keptBytes(uploads));
  /** The copy itself, and whether the browser has made it. */
  function keep(id: string, file: Blob): void {
    const tried = store.keepBytes(id, file);
    keeping.set(id, tried);
    void tried.then((kept) => happen(id, { type: "kept", kept }));
  }

  function drop(ids: ReadonlySet<string>, forgotten = true): void {
    for (const id of ids) {
      end(id);
      files.delete(id);
      keeping.delete(id);
      const release = releases.get(id);
      releases.delete(id);
      // Not before: another tab takes up what nobody carries and is still written down.
      if (forgotten) void store.remove(id).then(release);
      else release?.();
    }
    set(uploads.filter(({ id }) => !ids.has(id)));
    run();
  }

  /** The service has heard of it: this tab keeps it until that is undone. */
  function discard(upload: Upload): void {
    const release = releases.get(upload.id);
    releases.delete(upload.id);
    drop(new Set([upload.id]));
    discards.add(upload, release);
  }

  /** Takes up what no other tab carries. Answers what is there at all. */
  async function restore(accountId: number): Promise<ReadonlySet<string>> {
    const there = await store.load(accountId);
    for (const { id } of there) {
      if (find(id) || discards.has(id)) continue;
      const release = await deps.hold(id);
      if (!release) continue;
      // Who carried it until now may have ended it.
      const kept = await store.read(id).catch(() => null);
      if (!kept || owner !== accountId || find(id)) {
        release();
        continue;
      }
      const { upload, file } = kept;
      if (upload.discarded) {
        discards.add(upload, release);
        continue;
      }
      releases.set(upload.id, release);
      if (file) files.set(upload.id, file);
      const restored = restoredOf(upload, file !== null);
      set([...uploads, restored].toSorted((a, b) => a.addedAt - b.addedAt));
    }
    run();
    return new Set([...there, ...uploads].map(({ id }) => id));
  }

  return {
    add({ accountId, projectId }, chosen) {
      owner = accountId;
      const added: Upload[] = [];
      let keptSoFar = keptBytes(uploads);
      for (const one of chosen) {
        const id = one.id ?? deps.newId();
        files.set(id, one.file);
        const kept = one.target === null || isWorthKeeping(one.file.size, keptSoFar);
        if (kept) keptSoFar += one.file.size;
        added.push(uploadFor(one, { id, accountId, projectId, addedAt: deps.now(), fault: deps.refusal(one.file), ...(kept ? {} : { kept }) }));
      }
      set([...uploads, ...added]);
      store.saveAll(added.filter(({ state }) => state !== "failed"));
      for (const upload of added) {
        if (upload.state === "failed") continue;
        void deps.hold(upload.id).then((release) => {
          if (!release) return;
          if (find(upload.id)) releases.set(upload.id, release);
          else release();
        });
        if (upload.kept !== false) keep(upload.id, files.get(upload.id)!);
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
      const kept = isKeepable(upload);
      happen(id, { type: "file" });
      if (kept) keep(id, file);
      else happen(id, { type: "kept", kept });
      return true;
    },
    claim(ids, messageId) {
      if (ids.length === 0) return;
      const claimed = new Set(uploads.filter((upload) => ids.includes(upload.id) && upload.messageId !== messageId).map(({ id }) => id));
      if (claimed.size === 0) return;
      set(uploads.map((upload) => (claimed.has(upload.id) ? { ...upload, messageId } : upload)));
      for (const upload of uploads) if (claimed.has(upload.id) && upload.state !== "failed") save(upload);
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
      // What somebody's message waits for is theirs when they come back.
      drop(new Set(others.filter(({ messageId }) => messageId !== null).map(({ id }) => id)), false);
      drop(new Set(others.map(({ id }) => id)));
      discards.keepOnly(accountId);
      store.removeOthers(accountId);
      // Where nothing can be read, what is there is taken up when it is asked for.
      await restore(accountId).catch(() => undefined);
    },
    async adopt(wanted) {
      if (owner === null) return [];
      const there = await restore(owner);
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
