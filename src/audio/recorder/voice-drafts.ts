/** Manages unsent recordings: one tab shows them while their chat is open, the browser stores them, and discarded ones can be restored briefly. */
import type { RecordingMetadata, RecordingStorage } from "./recording-storage.ts";
import type { RecordingChat } from "./recording.ts";

/** A recording that is not sent. */
export interface VoiceDraft {
  metadata: RecordingMetadata;
  bytes: Blob;
  /** True if an earlier page recorded it, before a reload or a crash. */
  isRecovered: boolean;
  /** False if the browser could not store it, so that it lasts only as long as the page. */
  isPersisted: boolean;
}

export interface VoiceDraftsDeps {
  storage: RecordingStorage;
  getServiceUrl(): string;
  schedule(callback: () => void, ms: number): void;
}

/** How long a discarded draft can be restored. */
const UNDO_MS = 10_000;
/** Delay before reading from unresponsive storage again. */
const RETRY_DELAY_MS = 2_000;
const MAX_RETRIES = 5;

export function createVoiceDrafts({ storage, getServiceUrl, schedule }: VoiceDraftsDeps, notify: () => void) {
  let drafts: readonly VoiceDraft[] = [];
  let visible: readonly VoiceDraft[] = [];
  let discarded: VoiceDraft | null = null;
  /** The chat that is open in this tab. */
  let currentChat: { chat: RecordingChat; controller: AbortController } | null = null;
  /** The pending hand-over of each recording to the outbox; resolves to whether the bytes are stored there. */
  const handedOver = new Map<string, Promise<boolean>>();
  /** Ids of recordings made by this page. */
  const recordedHere = new Set<string>();
  /** Number of stored chunks per recording; chunks are written strictly in order. */
  const writtenChunks = new Map<string, number>();
  const lockReleases = new Map<string, Promise<(() => void) | null>>();
  /** Writes of metadata or chunks that have not finished. */
  const pendingWrites = new Set<{ id: string }>();

  /** Runs storage operations one at a time, so that a late write cannot undo a newer one. */
  let queue: Promise<unknown> = Promise.resolve();
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  }

  function setDrafts(next: readonly VoiceDraft[]): void {
    drafts = next.toSorted((a, b) => a.metadata.startedAt - b.metadata.startedAt);
    visible = drafts.filter(({ metadata }) => !handedOver.has(metadata.id));
    notify();
  }
  const find = (id: string) => drafts.find(({ metadata }) => metadata.id === id);
  const without = (id: string) => drafts.filter(({ metadata }) => metadata.id !== id);
  const upsert = (draft: VoiceDraft) => setDrafts([...without(draft.metadata.id), draft]);
  const isCurrentChat = ({ accountId, projectId }: RecordingChat) => currentChat?.chat.accountId === accountId && currentChat.chat.projectId === projectId;

  /** Marks a recording as made by this page and acquires its lock; with `waits`, waits until the current holder, possibly this page, releases the lock. */
  function acquireLock(id: string, { waits = false } = {}): void {
    recordedHere.add(id);
    const acquired = storage.acquireLock(id, waits ? new AbortController().signal : undefined);
    lockReleases.set(
      id,
      acquired.catch(() => null),
    );
  }
  /** Forgets the lock at once and releases it after `removal`. */
  function releaseLock(id: string, removal?: Promise<unknown>): void {
    const acquired = lockReleases.get(id);
    lockReleases.delete(id);
    void Promise.all([acquired, removal]).then(([release]) => release?.());
  }

  function setPersisted(id: string, isPersisted: boolean): void {
    const draft = find(id);
    if (draft && draft.isPersisted !== isPersisted) upsert({ ...draft, isPersisted });
  }
  /** Resolves with whether the browser stored everything: all of `chunks` and the metadata, or the metadata alone if `chunks` is null. */
  async function persist(metadata: RecordingMetadata, chunks: readonly Blob[] | null): Promise<boolean> {
    const { id } = metadata;
    const write = { id };
    pendingWrites.add(write);
    const isPersisted = await enqueue(async () => {
      for (let index = writtenChunks.get(id) ?? 0; index < (chunks?.length ?? 0); index += 1) {
        await storage.save(metadata, { index, bytes: chunks![index]! });
        writtenChunks.set(id, index + 1);
      }
      await storage.save(metadata, null);
      return true;
    }).catch(() => false);
    pendingWrites.delete(write);
    if (!isPersisted || chunks) setPersisted(id, isPersisted);
    return isPersisted;
  }

  function removeDraft(id: string): void {
    handedOver.delete(id);
    setDrafts(without(id));
    const removal = enqueue(() => {
      // Reset the count only after the queued writes, which would raise it again.
      writtenChunks.delete(id);
      return storage.remove(id);
    });
    // Release the lock only after the removal, or the next owner would offer the draft again.
    releaseLock(
      id,
      removal.catch(() => undefined),
    );
  }

  /** Releases persisted drafts of closed chats to the tab that opens their chat next. */
  function releaseClosedChats(): void {
    void enqueue(async () => undefined).then(() => {
      const released = drafts.filter(({ metadata, isPersisted }) => isPersisted && !handedOver.has(metadata.id) && !isCurrentChat(metadata));
      if (released.length === 0) return;
      setDrafts(drafts.filter((draft) => !released.includes(draft)));
      for (const { metadata } of released) releaseLock(metadata.id);
    });
  }

  async function claimDrafts(chat: RecordingChat, signal: AbortSignal, retries: number): Promise<void> {
    const retry = () => retries > 0 && schedule(() => !signal.aborted && void claimDrafts(chat, signal, retries - 1), RETRY_DELAY_MS);
    const recordings = await enqueue(() => storage.listMetadata(getServiceUrl())).catch(() => null);
    if (signal.aborted) return;
    if (!recordings) return void retry();
    for (const { id, discarded: isDiscarded, accountId, projectId } of recordings) {
      if (lockReleases.has(id)) continue;
      // Remove discarded recordings of every account: their tab is gone and the time to restore them is over.
      if (isDiscarded) void storage.acquireLock(id).then((release) => release && removeAndRelease(id, release));
      else if (accountId === chat.accountId && projectId === chat.projectId) void claimDraft(id, signal).catch(retry);
    }
  }
  const removeAndRelease = (id: string, release: () => void) => void enqueue(() => storage.remove(id)).then(release, release);

  /** Waits until the tab that holds the draft releases it, because that tab may be about to close. */
  async function claimDraft(id: string, signal: AbortSignal): Promise<void> {
    const release = await storage.acquireLock(id, signal);
    if (!release) return;
    if (signal.aborted || lockReleases.has(id)) return release();
    lockReleases.set(id, Promise.resolve(release));
    const stored = await enqueue(() => storage.read(id)).catch((error: unknown) => {
      if (!find(id)) releaseLock(id);
      throw error;
    });
    // Meanwhile the message of this recording may have become a draft again, which is newer than what was read.
    if (find(id)) return;
    if (!stored || stored.metadata.discarded || stored.bytes.size === 0) removeDraft(id);
    else upsert({ ...stored, isRecovered: !recordedHere.has(id), isPersisted: true });
    if (signal.aborted) releaseClosedChats();
  }

  /** Hides a discarded draft and removes it after `UNDO_MS`. */
  function scheduleRemoval(draft: VoiceDraft): void {
    if (discarded) removeDraft(discarded.metadata.id);
    discarded = draft;
    setDrafts(without(draft.metadata.id));
    schedule(() => {
      if (discarded !== draft) return;
      discarded = null;
      removeDraft(draft.metadata.id);
    }, UNDO_MS);
  }

  function closeChat(): void {
    currentChat?.controller.abort();
    currentChat = null;
    releaseClosedChats();
  }

  return {
    visible: () => visible,
    discarded: () => discarded,
    /** True if closing the page would lose a draft, because it is not stored or not yet. */
    hasUnpersisted: () => drafts.some(({ metadata, isPersisted }) => !isPersisted || [...pendingWrites].some(({ id }) => id === metadata.id)),
    acquireLock: (id: string) => acquireLock(id),
    persist,
    removeDraft,
    scheduleRemoval,
    add(draft: VoiceDraft) {
      upsert(draft);
      releaseClosedChats();
    },
    /** Opens an account's chat in this tab and claims the drafts that closed tabs left there. */
    openChat(chat: RecordingChat) {
      if (isCurrentChat(chat)) return;
      closeChat();
      const controller = new AbortController();
      currentChat = { chat, controller };
      void claimDrafts(chat, controller.signal, MAX_RETRIES);
    },
    /** Closes the chat and releases its drafts to other tabs. */
    closeChat,
    /** Discards a draft, which can be restored for `UNDO_MS`. */
    discard(id: string) {
      const draft = find(id);
      if (!draft) return;
      void persist({ ...draft.metadata, discarded: true }, null);
      scheduleRemoval(draft);
    },
    restore() {
      if (!discarded) return;
      const draft = { ...discarded, metadata: { ...discarded.metadata, discarded: false } };
      discarded = null;
      upsert(draft);
      void persist(draft.metadata, null);
    },
    /** Hides a draft that became a message, and removes it if `persisted` resolves with true, which means that its bytes are stored elsewhere. */
    async handOver(id: string, persisted: Promise<boolean>) {
      handedOver.set(id, persisted);
      setDrafts(drafts);
      const isSafe = await persisted.catch(() => false);
      // The message may have been undone meanwhile, and the recording sent again.
      if (handedOver.get(id) !== persisted) return;
      handedOver.delete(id);
      if (isSafe) return removeDraft(id);
      setDrafts(drafts);
      releaseClosedChats();
    },
    /** Turns a canceled message back into a draft. */
    async undoSend(recorded: Omit<RecordingMetadata, "service" | "discarded" | "isSendUndone">, bytes: Blob) {
      const metadata: RecordingMetadata = { ...recorded, service: getServiceUrl(), discarded: false, isSendUndone: true };
      handedOver.delete(metadata.id);
      const draft = find(metadata.id);
      if (draft) {
        upsert({ ...draft, metadata });
        await persist(metadata, null);
        return;
      }
      // Skip if this page has just claimed the lock. Wait otherwise, because this page holds the previous draft's lock until that draft is removed.
      if (!lockReleases.has(metadata.id)) acquireLock(metadata.id, { waits: true });
      upsert({ metadata, bytes, isRecovered: false, isPersisted: true });
      await persist(metadata, [bytes]);
    },
  };
}
