/**
 * The outbox of one tab over the entries that all tabs of a browser share. A tab with something to send acquires the lock, reloads the
 * entries, sends what is ready in order and releases the lock. Entries that a dead tab was sending are sent again under the same id.
 */
import { MAX_ERRORS, MAX_RETRY_DELAY_MS, retryDelayMs } from "../../lib/retry-policy.ts";
import type { OutboxDeps, OutboxEntry, OutboxInput } from "./outbox-types.ts";
import { createTabEntries, type TabEntries } from "./tab-entries.ts";

const STORAGE_RETRY_MS = 5_000;

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(deps: OutboxDeps) {
  const tabEntries = createTabEntries(deps);
  const { entries, find, update } = tabEntries;

  /** Ids of messages that reached the service from this or another tab; when their entries disappear, they count as sent, not discarded. */
  const deliveredIds = new Set<string>();
  const waiters = new Map<string, PromiseWithResolvers<"sent" | "discarded">>();
  function settle(entry: OutboxEntry, outcome: "sent" | "discarded"): void {
    deps.releaseUploads(entry, outcome);
    waiters.get(entry.clientId)?.resolve(outcome);
    waiters.delete(entry.clientId);
  }

  /**
   * Announces the delivery before the entry is removed; otherwise the tab that holds the entry's uploads would treat the entry as discarded and cancel
   * them.
   */
  function announceDelivered(clientId: string): void {
    deliveredIds.add(clientId);
    deps.notifyTabs(clientId);
  }

  /** Loads the changes of other tabs. Returns false if the browser's storage could not be read. */
  async function refresh(): Promise<boolean> {
    const entriesBefore = await tabEntries.refresh();
    for (const entry of entriesBefore ?? []) {
      const latest = find(entry.clientId);
      // Another tab, which may not hold the entry's uploads, has sent, discarded or retried the entry.
      if (!latest) settle(entry, deliveredIds.has(entry.clientId) ? "sent" : "discarded");
      else if (entry.state === "failed" && latest.state === "waiting") deps.resumeUploads(latest);
    }
    for (const clientId of deliveredIds) if (!find(clientId)) deliveredIds.delete(clientId);
    for (const entry of entries()) deps.claimUploads(entry);
    return entriesBefore !== null;
  }

  const sender = createSender(deps, tabEntries, refresh, async (entry) => {
    announceDelivered(entry.clientId);
    await update(entry.clientId, () => null);
    settle(entry, "sent");
  });

  /** Removes an entry, unless it is in flight and ends by itself. */
  function end(entry: OutboxEntry, outcome: "sent" | "discarded"): void {
    void update(entry.clientId, (current) => (current.state === "sending" ? undefined : null)).then((removed) => {
      if (removed) settle(entry, outcome);
    });
  }

  function setOwner(accountId: number | null): void {
    if (tabEntries.owner() === accountId) return;
    sender.reset();
    tabEntries.setOwner(accountId);
  }

  return {
    /** Adds a message and sends it when it is its turn. */
    add(draft: OutboxInput) {
      setOwner(draft.accountId);
      const existing = draft.clientId === undefined ? undefined : find(draft.clientId);
      if (existing) return existing;
      const order = Math.max(deps.now(), (entries().at(-1)?.order ?? 0) + 1);
      const initialState = { state: "waiting", isDelayed: false, error: null, afterId: null, isPersisted: false } as const;
      const entry: OutboxEntry = { ...draft, clientId: draft.clientId ?? deps.newId(), writtenAt: deps.now(), order, ...initialState };
      tabEntries.add(entry);
      deps.claimUploads(entry);
      sender.start();
      return entry;
    },
    /** Sends a failed message again under the same `clientId`, at the end of the queue. */
    retry(clientId: string) {
      const entry = find(clientId);
      if (entry?.state !== "failed") return;
      deps.resumeUploads(entry);
      const order = Math.max(deps.now(), entries().at(-1)!.order + 1);
      void update(clientId, (current) => (current.state === "failed" ? { ...current, order, state: "waiting", error: null, afterId: null } : undefined)).then(
        () => sender.run(),
      );
    },
    /** Discards a message that failed or waits for its uploads; one that may be in flight cannot be discarded. */
    discard(clientId: string) {
      const entry = find(clientId);
      if (!entry || entry.state === "sending" || (entry.state === "waiting" && sender.isReady(entry))) return;
      end(entry, "discarded");
    },
    /** Marks a message that turned out to have reached the service. */
    markDelivered(clientId: string) {
      const entry = find(clientId);
      if (!entry) return;
      announceDelivered(clientId);
      end(entry, "sent");
    },
    /** Records that the message was delivered and that another tab will remove its entry. */
    markDeliveredElsewhere: (clientId: string) => void deliveredIds.add(clientId),
    /** Reloads the entries after a change by another tab. */
    reload() {
      void refresh().then(sender.start);
    },
    /** To be called when uploads have changed, since messages that waited for them may be sent. */
    wakeReady() {
      for (const entry of entries()) deps.claimUploads(entry);
      sender.start();
    },
    /** Retries at once instead of after the current delay. */
    wake: () => sender.wake(),
    /** Returns the same array until something changes. */
    entries,
    /** Resolves once the browser has persisted the message, or has failed to. */
    whenStored: tabEntries.whenStored,
    /** Resolves once the message is sent or discarded; never for one that waits for its account to return. */
    whenSettled(clientId: string) {
      const waiter = waiters.get(clientId) ?? Promise.withResolvers();
      waiters.set(clientId, waiter);
      return waiter.promise;
    },
    onChange: tabEntries.onChange,
    /** Shows and sends nothing any more. */
    close: () => setOwner(null),
    /**
     * Shows and sends only the entries of this account; those of other accounts wait for their return. Resolves once the stored entries are loaded, which it
     * retries until the browser's storage can be read.
     */
    async switchAccount(accountId: number) {
      setOwner(accountId);
      // Retry until storage responds, because messages of earlier pages are neither shown nor sent before.
      while (!(await refresh()) && tabEntries.owner() === accountId) {
        void sender.run();
        await new Promise((resolve) => setTimeout(resolve, STORAGE_RETRY_MS));
      }
      void sender.run();
    },
  };
}

/** Creates the loop that sends what is ready, in one tab at a time, and retries after delays. `refresh` loads the changes of other tabs. */
function createSender(deps: OutboxDeps, tabEntries: TabEntries, refresh: () => Promise<unknown>, onSent: (entry: OutboxEntry) => Promise<void>) {
  const { entries, find, update } = tabEntries;
  let isRunning = false;
  let shouldRerun = false;
  let attemptCount = 0;
  let errorCount = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  /** Voice notes of a project stay in order, so that a short one does not overtake the longer one before it. */
  const isBlockedByEarlierVoice = ({ voice, projectId, order }: OutboxEntry) =>
    Boolean(voice) && entries().some((other) => other.voice && other.projectId === projectId && other.order < order && other.state !== "failed");
  const isReady = (entry: OutboxEntry) => entry.state !== "failed" && deps.readiness(entry).state === "ready" && !isBlockedByEarlierVoice(entry);

  /** Marks messages with failed uploads as failed until their author decides. */
  async function failEntriesWithFailedUploads(): Promise<void> {
    for (const entry of entries()) {
      const readiness = entry.state === "failed" ? null : deps.readiness(entry);
      if (readiness?.state !== "failed") continue;
      const { error, afterId } = readiness;
      await update(entry.clientId, (current) => (current.state === "failed" ? undefined : { ...current, state: "failed", error, afterId }));
    }
  }

  /**
   * Returns the first message of the queue once it is stored, if this tab stores it while it holds the lock, so that no other tab sends it, and if it waits
   * for no uploads.
   */
  async function whenNewMessageStored(): Promise<OutboxEntry | null> {
    const newIds = tabEntries.idsBeingStored();
    await tabEntries.whenAllStored();
    const first = entries().find(({ state }) => state !== "failed");
    return first && newIds.has(first.clientId) && first.uploads.length === 0 && isReady(first) ? first : null;
  }

  /** Sends what is ready, until nothing is or a retry delay begins. */
  async function flush(): Promise<void> {
    const accountId = tabEntries.owner();
    for (;;) {
      const newMessage = await whenNewMessageStored();
      if (!newMessage) {
        await refresh();
        await failEntriesWithFailedUploads();
      }
      const next = newMessage ?? entries().find(isReady);
      if (!next || tabEntries.owner() !== accountId) return;
      const { clientId } = next;
      const marking = update(clientId, (entry) => (entry.state === "failed" ? undefined : { ...entry, state: "sending" }));
      // A new message is sent while its state is being stored, so that its readers wait for one write less.
      if (!newMessage && !(await marking)) {
        // The store does not contain the entry: it is gone, or was never stored.
        if (find(clientId) === next) tabEntries.remove(clientId);
        continue;
      }
      const result = await deps.send(next).finally(() => marking);
      if (tabEntries.owner() !== accountId) return;
      errorCount = result.result === "later" && result.error !== undefined ? errorCount + 1 : 0;
      if (result.result === "later" && errorCount < MAX_ERRORS) {
        tabEntries.setDelayed(clientId, true);
        await update(clientId, (entry) => ({ ...entry, state: "waiting" }));
        retryTimer = setTimeout(resume, result.afterMs ?? retryDelayMs(attemptCount));
        attemptCount += 1;
        return;
      }
      attemptCount = 0;
      errorCount = 0;
      tabEntries.setDelayed(clientId, false);
      if (result.result === "sent") await onSent(next);
      else await update(clientId, (entry) => ({ ...entry, state: "failed", error: result.error ?? null, afterId: result.afterId ?? null }));
    }
  }

  function resume(): void {
    retryTimer = undefined;
    void run();
  }

  async function run(): Promise<void> {
    clearTimeout(retryTimer);
    retryTimer = undefined;
    shouldRerun = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (shouldRerun) {
        shouldRerun = false;
        await failEntriesWithFailedUploads();
        const owner = tabEntries.owner();
        if (owner !== null && entries().some(isReady)) await deps.runExclusive(owner, flush);
        if (retryTimer !== undefined) break;
      }
    } catch {
      // Neither lock nor lease is available, so the next run tries again.
      retryTimer ??= setTimeout(resume, MAX_RETRY_DELAY_MS);
    } finally {
      isRunning = false;
    }
  }
  return {
    isReady,
    run,
    /** Starts a run unless a retry delay is pending. */
    start() {
      if (retryTimer === undefined) void run();
    },
    /** Retries at once instead of after the current delay. */
    wake() {
      attemptCount = 0;
      void run();
    },
    /** Ends the retry delay of the previous account. */
    reset() {
      attemptCount = 0;
      clearTimeout(retryTimer);
      retryTimer = undefined;
    },
  };
}
