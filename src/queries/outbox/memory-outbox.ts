/** An outbox that lives as long as the page: one sender, first in, first out. */
import type { Draft, Outbox, OutboxEntry } from "./outbox.ts";

/**
 * How sending went. `later` keeps the message first in line, for ever where the service was not reached,
 * a few times where it answered with a `fault`; `refused` sets it aside.
 */
export type Sent =
  | { result: "sent" }
  | { result: "later"; afterMs?: number; fault?: string; afterId?: number | null }
  | { result: "refused"; fault: string; afterId: number | null };

/** How far a message's uploads are. */
export type Readiness = { state: "ready" } | { state: "waiting" } | { state: "failed"; fault: string; afterId: number | null };

export interface MemoryOutboxDeps {
  /** Asked before every send; a message that is not ready stands aside and holds nobody. */
  readiness(entry: OutboxEntry): Readiness;
  /** Its uploads belong to it from now on. */
  claimUploads(entry: OutboxEntry): void;
  /** Starts its failed uploads again. */
  resumeUploads(entry: OutboxEntry): void;
  /** Its uploads are not needed any more: the message was sent, or given up. */
  endUploads(entry: OutboxEntry, why: "sent" | "discarded"): void;
  send(entry: OutboxEntry): Promise<Sent>;
  newId(): string;
  now(): number;
}

const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** A service that fails this often on one message will not take it by itself. */
const MOST_FAULTS = 6;

export function createMemoryOutbox({ send, newId, now, readiness, claimUploads, resumeUploads, endUploads }: MemoryOutboxDeps): Outbox {
  let entries: readonly OutboxEntry[] = [];
  let sending = false;
  let tries = 0;
  let faults = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  function set(next: readonly OutboxEntry[]): void {
    entries = next;
    for (const listener of listeners) listener();
  }
  function change(clientId: string, changes: Partial<OutboxEntry>): void {
    set(entries.map((entry) => (entry.clientId === clientId ? { ...entry, ...changes } : entry)));
  }

  /** Messages whose uploads have failed stand aside until their writer decides. */
  function setAside(): void {
    for (const entry of entries) {
      const ready = entry.state === "waiting" ? readiness(entry) : null;
      if (ready?.state === "failed") change(entry.clientId, { state: "failed", fault: ready.fault, afterId: ready.afterId });
    }
  }
  const isReady = (entry: OutboxEntry) => entry.state === "waiting" && readiness(entry).state === "ready";

  async function run(): Promise<void> {
    if (sending) return;
    clearTimeout(pause);
    pause = undefined;
    setAside();
    const entry = entries.find(isReady);
    if (!entry) return;
    sending = true;
    change(entry.clientId, { state: "sending" });
    const sent = await send(entry);
    sending = false;
    faults = sent.result === "later" && sent.fault !== undefined ? faults + 1 : 0;
    if (sent.result === "later" && faults < MOST_FAULTS) {
      change(entry.clientId, { state: "waiting", delayed: true });
      pause = setTimeout(() => void run(), sent.afterMs ?? PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]!);
      tries += 1;
      return;
    }
    tries = 0;
    faults = 0;
    if (sent.result === "sent") {
      set(entries.filter(({ clientId }) => clientId !== entry.clientId));
      endUploads(entry, "sent");
    } else change(entry.clientId, { state: "failed", fault: sent.fault ?? null, afterId: sent.afterId ?? null });
    await run();
  }

  return {
    add(draft: Draft) {
      const entry: OutboxEntry = { ...draft, clientId: newId(), writtenAt: now(), state: "waiting", delayed: false, fault: null, afterId: null };
      set([...entries, entry]);
      claimUploads(entry);
      if (pause === undefined) void run();
      return entry;
    },
    retry(clientId) {
      const entry = entries.find((one) => one.clientId === clientId && one.state === "failed");
      if (!entry) return;
      resumeUploads(entry);
      set([...entries.filter((one) => one !== entry), { ...entry, state: "waiting", delayed: false, fault: null, afterId: null }]);
      void run();
    },
    discard(clientId) {
      const entry = entries.find((one) => one.clientId === clientId);
      if (!entry || (entry.state !== "failed" && (entry.state !== "waiting" || readiness(entry).state === "ready"))) return;
      set(entries.filter((one) => one !== entry));
      endUploads(entry, "discarded");
    },
    look() {
      setAside();
      if (pause === undefined) void run();
    },
    wake() {
      tries = 0;
      void run();
    },
    entries: () => entries,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    belongTo(accountId) {
      if (entries.every((entry) => entry.accountId === accountId)) return;
      set(entries.filter((entry) => entry.accountId === accountId));
      tries = 0;
      void run();
    },
  };
}
