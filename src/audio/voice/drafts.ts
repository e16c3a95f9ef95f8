/** What was recorded and is not sent: shown by one tab while its chat is open there, kept by the browser, brought back for a moment once thrown away. */
import type { Owner } from "./recording.ts";
import type { RecordingMetadata, RecordingStorage } from "./shelf.ts";

/** Something recorded that is not sent. */
export interface VoiceDraft {
  metadata: RecordingMetadata;
  bytes: Blob;
  /** From an earlier page: a reload or a crash came between. */
  isRecovered: boolean;
  /** False where the browser has no room for it: then it lives as long as the page. */
  isPersisted: boolean;
}

export interface DraftsDeps {
  storage: RecordingStorage;
  getServiceUrl(): string;
  schedule(callback: () => void, ms: number): void;
}

/** How long something thrown away can be brought back. */
const UNDO_MS = 10_000;
/** A shelf that does not answer is asked again. */
const RETRY_DELAY_MS = 2_000;
const MAX_RETRIES = 5;

export function createDrafts({ storage, getServiceUrl, schedule }: DraftsDeps, notify: () => void) {
  let drafts: readonly VoiceDraft[] = [];
  let visible: readonly VoiceDraft[] = [];
  let discarded: VoiceDraft | null = null;
  /** The chat that is open. */
  let currentChat: { owner: Owner; controller: AbortController } | null = null;
  /** Messages of the outbox, as long as nobody else keeps their bytes. */
  const handedOver = new Set<string>();
  /** Recorded by this page. */
  const recordedHere = new Set<string>();
  /** How many chunks of a recording the browser has: none is written before those in front of it. */
  const writtenChunks = new Map<string, number>();
  const lockReleases = new Map<string, Promise<(() => void) | null>>();

  /** One after the other: what is written late must not undo what came after it. */
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
  const isCurrentChat = ({ accountId, projectId }: Owner) => currentChat?.owner.accountId === accountId && currentChat.owner.projectId === projectId;

  function acquireLock(id: string): void {
    recordedHere.add(id);
    lockReleases.set(
      id,
      storage.acquireLock(id).catch(() => null),
    );
  }
  function releaseLock(id: string): void {
    void lockReleases.get(id)?.then((release) => release?.());
    lockReleases.delete(id);
  }

  function setPersisted(id: string, isPersisted: boolean): void {
    const draft = find(id);
    if (draft && draft.isPersisted !== isPersisted) upsert({ ...draft, isPersisted });
  }
  /** Answers whether the browser has it now: all of `chunks`, or where they are not told the note alone. */
  async function persist(metadata: RecordingMetadata, chunks: readonly Blob[] | null): Promise<boolean> {
    const { id } = metadata;
    const isPersisted = await enqueue(async () => {
      for (let index = writtenChunks.get(id) ?? 0; index < (chunks?.length ?? 0); index += 1) {
        await storage.save(metadata, { index, bytes: chunks![index]! });
        writtenChunks.set(id, index + 1);
      }
      await storage.save(metadata, null);
      return true;
    }).catch(() => false);
    if (!isPersisted || chunks) setPersisted(id, isPersisted);
    return isPersisted;
  }

  function removeDraft(id: string): void {
    handedOver.delete(id);
    writtenChunks.delete(id);
    setDrafts(without(id));
    // Not before it is gone: whoever holds it next would offer it.
    void enqueue(() => storage.remove(id))
      .catch(() => undefined)
      .then(() => releaseLock(id));
  }

  /** What the browser keeps is for whatever tab opens its chat next. */
  function releaseClosedChats(): void {
    void enqueue(async () => undefined).then(() => {
      const released = drafts.filter(({ metadata, isPersisted }) => isPersisted && !handedOver.has(metadata.id) && !isCurrentChat(metadata));
      if (released.length === 0) return;
      setDrafts(drafts.filter((draft) => !released.includes(draft)));
      for (const { metadata } of released) releaseLock(metadata.id);
    });
  }

  async function claimDrafts(owner: Owner, signal: AbortSignal, retries: number): Promise<void> {
    const retry = () => retries > 0 && schedule(() => !signal.aborted && void claimDrafts(owner, signal, retries - 1), RETRY_DELAY_MS);
    const notes = await enqueue(() => storage.listMetadata(getServiceUrl())).catch(() => null);
    if (signal.aborted) return;
    if (!notes) return void retry();
    for (const { id, discarded: isDiscarded, accountId, projectId } of notes) {
      if (lockReleases.has(id)) continue;
      // Of whomever: its tab is gone, and so is the moment.
      if (isDiscarded) void storage.acquireLock(id).then((release) => release && removeAndRelease(id, release));
      else if (accountId === owner.accountId && projectId === owner.projectId) void claimDraft(id, signal).catch(retry);
    }
  }
  const removeAndRelease = (id: string, release: () => void) => void enqueue(() => storage.remove(id)).then(release, release);

  /** Waits for the tab that has it, which may be about to go. */
  async function claimDraft(id: string, signal: AbortSignal): Promise<void> {
    const release = await storage.acquireLock(id, signal);
    if (!release) return;
    if (signal.aborted || lockReleases.has(id)) return release();
    lockReleases.set(id, Promise.resolve(release));
    const stored = await enqueue(() => storage.read(id)).catch((error: unknown) => {
      releaseLock(id);
      throw error;
    });
    if (!stored || stored.metadata.discarded || stored.bytes.size === 0) removeDraft(id);
    else upsert({ ...stored, isRecovered: !recordedHere.has(id), isPersisted: true });
    if (signal.aborted) releaseClosedChats();
  }

  /** Can be brought back for a moment. */
  function stageDiscard(draft: VoiceDraft): void {
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
    /** Something would be lost with the page. */
    hasUnpersisted: () => drafts.some(({ isPersisted }) => !isPersisted),
    acquireLock,
    persist,
    removeDraft,
    stageDiscard,
    add(draft: VoiceDraft) {
      upsert(draft);
      releaseClosedChats();
    },
    /** The chat of somebody is open: takes up what they have recorded there in tabs that are gone. */
    openChat(owner: Owner) {
      if (isCurrentChat(owner)) return;
      closeChat();
      const controller = new AbortController();
      currentChat = { owner, controller };
      void claimDrafts(owner, controller.signal, MAX_RETRIES);
    },
    /** The chat is closed: other tabs may take up what waits there. */
    closeChat,
    /** Throws a draft away; it can be brought back for a moment. */
    discard(id: string) {
      const draft = find(id);
      if (!draft) return;
      void persist({ ...draft.metadata, discarded: true }, null);
      stageDiscard(draft);
    },
    restore() {
      if (!discarded) return;
      const draft = { ...discarded, metadata: { ...discarded.metadata, discarded: false } };
      discarded = null;
      upsert(draft);
      void persist(draft.metadata, null);
    },
    /** It is a message now: shown no more at once, and forgotten where `persisted` answers that somebody else has its bytes. */
    async handOver(id: string, persisted: Promise<boolean>) {
      handedOver.add(id);
      setDrafts(drafts);
      const isSafe = await persisted.catch(() => false);
      // It may have been taken back.
      if (!handedOver.delete(id)) return;
      if (isSafe) return removeDraft(id);
      setDrafts(drafts);
      releaseClosedChats();
    },
    /** Its message is given up: it is a draft again. */
    async undoSend(recorded: Omit<RecordingMetadata, "service" | "discarded" | "takenBack">, bytes: Blob) {
      const metadata: RecordingMetadata = { ...recorded, service: getServiceUrl(), discarded: false, takenBack: true };
      handedOver.delete(metadata.id);
      if (find(metadata.id)) return upsert({ ...find(metadata.id)!, metadata });
      acquireLock(metadata.id);
      upsert({ metadata, bytes, isRecovered: false, isPersisted: true });
      await persist(metadata, [bytes]);
    },
  };
}
