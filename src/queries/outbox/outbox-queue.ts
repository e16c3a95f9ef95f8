/**
 * The outbox of one tab over what all tabs of a browser keep together. Whoever has something to send asks for the turn, looks at
 * what is kept, sends what is ready in order and gives the turn back. What a tab that died was sending is sent again under its id.
 */
import type { Outbox, OutboxEntry } from "./outbox.ts";
import { createShelf } from "./outbox-shelf.ts";
import type { OutboxDeps } from "./sending.ts";

const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** A service that fails this often on one message will not take it by itself. */
const MOST_FAULTS = 6;

export function createOutbox(deps: OutboxDeps): Outbox {
  const shelf = createShelf(deps);
  const { entries, find, alter } = shelf;
  let running = false;
  let again = false;
  let tries = 0;
  let faults = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  /** Known to be with the service, here or by another tab's word: when they are gone they were not given up. */
  const there = new Set<string>();
  const waiters = new Map<string, PromiseWithResolvers<"sent" | "discarded">>();
  function ended(entry: OutboxEntry, why: "sent" | "discarded"): void {
    deps.endUploads(entry, why);
    waiters.get(entry.clientId)?.resolve(why);
    waiters.delete(entry.clientId);
  }

  /** Told before it is gone: a tab that carries its uploads would take it for given up, and them back. */
  function tellThere(clientId: string): void {
    there.add(clientId);
    deps.tell(clientId);
  }

  /** Takes over what other tabs have written. */
  async function refresh(): Promise<void> {
    for (const entry of await shelf.refresh()) {
      const now = find(entry.clientId);
      // Given up, or tried again, in a tab that does not carry its uploads.
      if (!now) ended(entry, there.has(entry.clientId) ? "sent" : "discarded");
      else if (entry.state === "failed" && now.state === "waiting") deps.resumeUploads(now);
    }
    for (const clientId of there) if (!find(clientId)) there.delete(clientId);
    for (const entry of entries()) deps.claimUploads(entry);
  }

  /** Voice notes of a project are one talk: a short one does not overtake the long one in front of it. */
  const isBehind = ({ voice, projectId, order }: OutboxEntry) =>
    Boolean(voice) && entries().some((other) => other.voice && other.projectId === projectId && other.order < order && other.state !== "failed");
  const isReady = (entry: OutboxEntry) => entry.state !== "failed" && deps.readiness(entry).state === "ready" && !isBehind(entry);

  /** Messages whose uploads have failed stand aside until their writer decides. */
  async function setAside(): Promise<void> {
    for (const entry of entries()) {
      const ready = entry.state === "failed" ? null : deps.readiness(entry);
      if (ready?.state !== "failed") continue;
      const { fault, afterId } = ready;
      await alter(entry.clientId, (one) => (one.state === "failed" ? undefined : { ...one, state: "failed", fault, afterId }));
    }
  }

  /** Sends what is ready, until nothing is or it has to pause. */
  async function turn(): Promise<void> {
    const mine = shelf.owner();
    for (;;) {
      await shelf.allStored();
      await refresh();
      await setAside();
      const next = entries().find(isReady);
      if (!next || shelf.owner() !== mine) return;
      const { clientId } = next;
      if (!(await alter(clientId, (entry) => (entry.state === "failed" ? undefined : { ...entry, state: "sending" })))) {
        // Gone meanwhile; or so the store says, which then does not hold it.
        if (find(clientId) === next) shelf.drop(clientId);
        continue;
      }
      const sent = await deps.send(next);
      if (shelf.owner() !== mine) return;
      faults = sent.result === "later" && sent.fault !== undefined ? faults + 1 : 0;
      if (sent.result === "later" && faults < MOST_FAULTS) {
        shelf.delay(clientId, true);
        await alter(clientId, (entry) => ({ ...entry, state: "waiting" }));
        pause = setTimeout(resume, sent.afterMs ?? PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]!);
        tries += 1;
        return;
      }
      tries = 0;
      faults = 0;
      shelf.delay(clientId, false);
      if (sent.result === "sent") {
        tellThere(clientId);
        await alter(clientId, () => null);
        ended(next, "sent");
      } else await alter(clientId, (entry) => ({ ...entry, state: "failed", fault: sent.fault ?? null, afterId: sent.afterId ?? null }));
    }
  }

  function resume(): void {
    pause = undefined;
    void run();
  }

  async function run(): Promise<void> {
    clearTimeout(pause);
    pause = undefined;
    again = true;
    if (running) return;
    running = true;
    try {
      while (again) {
        again = false;
        await setAside();
        const owner = shelf.owner();
        if (owner !== null && entries().some(isReady)) await deps.alone(owner, turn);
        if (pause !== undefined) break;
      }
    } catch {
      // Neither lock nor lease: the next look tries again.
      pause ??= setTimeout(resume, PAUSES_MS.at(-1));
    } finally {
      running = false;
    }
  }
  /** One that is under way ends by itself. */
  function end(entry: OutboxEntry, why: "sent" | "discarded"): void {
    void alter(entry.clientId, (one) => (one.state === "sending" ? undefined : null)).then((gone) => {
      if (gone) ended(entry, why);
    });
  }
  /** What happens during a pause does not end it. */
  const start = () => {
    if (pause === undefined) void run();
  };

  function takeOver(accountId: number): void {
    if (shelf.owner() === accountId) return;
    tries = 0;
    clearTimeout(pause);
    pause = undefined;
    shelf.takeOver(accountId);
  }

  return {
    add(draft) {
      takeOver(draft.accountId);
      const known = draft.clientId === undefined ? undefined : find(draft.clientId);
      if (known) return known;
      const order = Math.max(deps.now(), (entries().at(-1)?.order ?? 0) + 1);
      const rest = { state: "waiting", delayed: false, fault: null, afterId: null, kept: false } as const;
      const entry: OutboxEntry = { ...draft, clientId: draft.clientId ?? deps.newId(), writtenAt: deps.now(), order, ...rest };
      shelf.put(entry);
      deps.claimUploads(entry);
      start();
      return entry;
    },
    retry(clientId) {
      const entry = find(clientId);
      if (entry?.state !== "failed") return;
      deps.resumeUploads(entry);
      const order = Math.max(deps.now(), entries().at(-1)!.order + 1);
      void alter(clientId, (one) => (one.state === "failed" ? { ...one, order, state: "waiting", fault: null, afterId: null } : undefined)).then(() => run());
    },
    discard(clientId) {
      const entry = find(clientId);
      if (!entry || entry.state === "sending" || (entry.state === "waiting" && isReady(entry))) return;
      end(entry, "discarded");
    },
    arrived(clientId) {
      const entry = find(clientId);
      if (!entry) return;
      tellThere(clientId);
      end(entry, "sent");
    },
    heard: (clientId) => void there.add(clientId),
    look() {
      void refresh().then(start);
    },
    wakeReady() {
      for (const entry of entries()) deps.claimUploads(entry);
      start();
    },
    wake() {
      tries = 0;
      void run();
    },
    entries,
    stored: shelf.stored,
    ended(clientId) {
      const waiter = waiters.get(clientId) ?? Promise.withResolvers();
      waiters.set(clientId, waiter);
      return waiter.promise;
    },
    onChange: shelf.onChange,
    async belongTo(accountId) {
      takeOver(accountId);
      await refresh();
      void run();
    },
  };
}
