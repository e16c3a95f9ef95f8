/**
 * The outbox of one tab over what all tabs of a browser keep together. Whoever has something to send asks for the turn, looks at
 * what is kept, sends what is ready in order and gives the turn back. What a tab that died was sending is sent again under its id.
 */
import type { Outbox, OutboxEntry } from "./outbox.ts";
import type { OutboxDeps, OutboxStore } from "./sending.ts";

const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** A service that fails this often on one message will not take it by itself. */
const MOST_FAULTS = 6;

type Change = Parameters<OutboxStore["update"]>[1];

export function createOutbox(deps: OutboxDeps): Outbox {
  let entries: readonly OutboxEntry[] = [];
  let owner: number | null = null;
  let store: OutboxStore | null = null;
  /** What the browser could not keep, of whomever. */
  const loose = new Map<string, OutboxEntry>();
  /** What is done with, although the store may hold it still: a full browser may not even let go. */
  const gone = new Set<string>();
  /** What is being stored right now. */
  const saving = new Map<string, Promise<void>>();
  const delayed = new Set<string>();
  /** How often this tab has written into the store. */
  let written = 0;
  let running = false;
  let again = false;
  let tries = 0;
  let faults = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  function set(next: readonly OutboxEntry[]): void {
    entries = next
      .map((entry) => (entry.delayed === delayed.has(entry.clientId) ? entry : { ...entry, delayed: !entry.delayed }))
      .toSorted((a, b) => a.order - b.order || (a.clientId < b.clientId ? -1 : 1));
    for (const listener of listeners) listener();
  }
  const find = (clientId: string) => entries.find((entry) => entry.clientId === clientId);
  const replace = (clientId: string, entry: OutboxEntry | null) => set(entries.flatMap((one) => (one.clientId === clientId ? (entry ?? []) : one)));

  /** From now on what is here counts. `kept`: the store holds it, only not as it is now. */
  function loosen(entry: OutboxEntry, kept: boolean): void {
    loose.set(entry.clientId, { ...entry, kept });
    if (find(entry.clientId)) replace(entry.clientId, { ...entry, kept });
  }

  /** In the store and here; where the store fails, here alone. */
  async function alter(clientId: string, change: Change): Promise<boolean> {
    await saving.get(clientId);
    const at = store;
    const here = (entry: OutboxEntry | undefined) => {
      const after = entry && change(entry);
      if (entry === undefined || after === undefined) return false;
      if (loose.has(clientId)) {
        if (after) loose.set(clientId, after);
        else loose.delete(clientId);
      }
      if (after === null) {
        gone.add(clientId);
        // It may have been stored before the browser was full.
        void at?.update(clientId, () => null).then(deps.tell, () => undefined);
      }
      replace(clientId, after);
      return true;
    };
    if (loose.has(clientId)) return here(loose.get(clientId));
    try {
      let after: OutboxEntry | null = null;
      const changed =
        (await at?.update(clientId, (entry) => {
          const next = change(entry);
          after = next ?? null;
          return next;
        })) ?? false;
      written += 1;
      if (changed && at === store) replace(clientId, after);
      if (changed) deps.tell();
      return changed;
    } catch {
      const entry = find(clientId);
      if (entry) loosen(entry, entry.kept);
      return here(loose.get(clientId));
    }
  }

  /** Takes over what is kept: other tabs write too. */
  async function refresh(): Promise<void> {
    const at = store;
    let seen: number;
    let kept: OutboxEntry[] | null | undefined;
    do {
      seen = written;
      kept = await at?.load().then(
        (all) => all.filter(({ clientId }) => !gone.has(clientId)),
        () => null,
      );
      // What was written meanwhile may be missing.
    } while (kept && at === store && seen !== written);
    if (!kept || at !== store) return;
    const known = new Set(kept.map(({ clientId }) => clientId));
    const own = entries.filter(({ clientId }) => !known.has(clientId) && (saving.has(clientId) || loose.has(clientId)));
    const held = [...loose.values()].filter(
      (entry) => entry.accountId === owner && !known.has(entry.clientId) && !own.some(({ clientId }) => clientId === entry.clientId),
    );
    const before = entries;
    const next = kept.filter(({ clientId }) => !loose.has(clientId));
    set([...next, ...own, ...held, ...[...loose.values()].filter(({ clientId, accountId }) => known.has(clientId) && accountId === owner)]);
    for (const entry of before) {
      const now = find(entry.clientId);
      // Given up, or tried again, in a tab that does not carry its uploads.
      if (!now) deps.endUploads(entry, "discarded");
      else if (entry.state === "failed" && now.state === "waiting") deps.resumeUploads(now);
    }
    for (const entry of entries) deps.claimUploads(entry);
  }

  const isReady = (entry: OutboxEntry) => entry.state !== "failed" && deps.readiness(entry).state === "ready";

  /** Messages whose uploads have failed stand aside until their writer decides. */
  async function setAside(): Promise<void> {
    for (const entry of entries) {
      const ready = entry.state === "failed" ? null : deps.readiness(entry);
      if (ready?.state !== "failed") continue;
      const { fault, afterId } = ready;
      await alter(entry.clientId, (one) => (one.state === "failed" ? undefined : { ...one, state: "failed", fault, afterId }));
    }
  }

  /** Sends what is ready, until nothing is or it has to pause. */
  async function turn(): Promise<void> {
    const mine = owner;
    for (;;) {
      await Promise.all(saving.values());
      await refresh();
      await setAside();
      const next = entries.find(isReady);
      if (!next || owner !== mine) return;
      const { clientId } = next;
      if (!(await alter(clientId, (entry) => (entry.state === "failed" ? undefined : { ...entry, state: "sending" })))) {
        // Gone meanwhile; or so the store says, which then does not hold it.
        if (find(clientId) === next) replace(clientId, null);
        continue;
      }
      const sent = await deps.send(next);
      if (owner !== mine) return;
      faults = sent.result === "later" && sent.fault !== undefined ? faults + 1 : 0;
      if (sent.result === "later" && faults < MOST_FAULTS) {
        delayed.add(clientId);
        await alter(clientId, (entry) => ({ ...entry, state: "waiting" }));
        pause = setTimeout(resume, sent.afterMs ?? PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]!);
        tries += 1;
        return;
      }
      tries = 0;
      faults = 0;
      delayed.delete(clientId);
      if (sent.result === "sent") {
        await alter(clientId, () => null);
        deps.endUploads(next, "sent");
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
        if (owner !== null && entries.some(isReady)) await deps.alone(owner, turn);
        if (pause !== undefined) break;
      }
    } catch {
      // Neither lock nor lease: the next look tries again.
      pause ??= setTimeout(resume, PAUSES_MS.at(-1));
    } finally {
      running = false;
    }
  }
  /** What happens during a pause does not end it. */
  const start = () => {
    if (pause === undefined) void run();
  };

  function takeOver(accountId: number): void {
    if (owner === accountId) return;
    owner = accountId;
    store = deps.storeOf(accountId);
    tries = 0;
    clearTimeout(pause);
    pause = undefined;
    set([...loose.values()].filter((entry) => entry.accountId === accountId));
  }

  return {
    add(draft) {
      takeOver(draft.accountId);
      const order = Math.max(deps.now(), (entries.at(-1)?.order ?? 0) + 1);
      const rest = { state: "waiting", delayed: false, fault: null, afterId: null, kept: true } as const;
      const entry: OutboxEntry = { ...draft, clientId: deps.newId(), writtenAt: deps.now(), order, ...rest };
      const { clientId } = entry;
      set([...entries, entry]);
      written += 1;
      const put = store!.put(entry).then(deps.tell, () => loosen(entry, false));
      saving.set(
        clientId,
        put.finally(() => {
          written += 1;
          saving.delete(clientId);
        }),
      );
      deps.claimUploads(entry);
      start();
      return entry;
    },
    retry(clientId) {
      const entry = find(clientId);
      if (entry?.state !== "failed") return;
      deps.resumeUploads(entry);
      const order = Math.max(deps.now(), entries.at(-1)!.order + 1);
      void alter(clientId, (one) => (one.state === "failed" ? { ...one, order, state: "waiting", fault: null, afterId: null } : undefined)).then(() => run());
    },
    discard(clientId) {
      const entry = find(clientId);
      if (!entry || entry.state === "sending" || (entry.state === "waiting" && deps.readiness(entry).state === "ready")) return;
      void alter(clientId, (one) => (one.state === "sending" ? undefined : null)).then((removed) => {
        if (removed) deps.endUploads(entry, "discarded");
      });
    },
    look() {
      void refresh().then(start);
    },
    wakeReady() {
      for (const entry of entries) deps.claimUploads(entry);
      start();
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
    async belongTo(accountId) {
      takeOver(accountId);
      await refresh();
      void run();
    },
  };
}
