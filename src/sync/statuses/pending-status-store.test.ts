import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileStatus } from "../../../contract/records.ts";
import { UNDO_WINDOW_MS, type PendingStatusChange, type Outcome } from "./pending-status-changes.ts";
import { createPendingStatusStore, type PendingStatusStore } from "./pending-status-store.ts";
import { createPendingStatusStorage, createStatusClaims } from "./use-pending-statuses.ts";

const status = (id: number): FileStatus => ({ id, title: `S${id}`, color: id, position: id });
const approved = status(4);
const file = (id: number, before: FileStatus | null = null) => ({ id, name: `${id}.wav`, before });

/** Imitates the browser's locks, as far as pages that open and close need them. */
function createLocks() {
  const queues = new Map<string, (() => void)[]>();
  const request = async (name: string, { signal }: { signal: AbortSignal }, run: (lock: object) => Promise<void>) => {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      queue.push(resolve);
      if (queue.length === 1) resolve();
    });
    await run({});
    queue.shift();
    queue[0]?.();
  };
  return { request } as unknown as LockManager;
}

let accountId = 0;
let locks: LockManager;
let ids = 0;
const sent: [fileId: number, statusId: number, before: number | null][] = [];
let respond: (change: PendingStatusChange, fileId: number) => Promise<Outcome>;
let loadStatus: (fileId: number) => Promise<FileStatus | null | undefined>;
const pages: PendingStatusStore[] = [];

function page(tab: string, lockManager: LockManager | null = locks): PendingStatusStore {
  const store = createPendingStatusStore({
    send: (change, { id, before }) => {
      sent.push([id, change.status.id, before?.id ?? null]);
      return respond(change, id);
    },
    loadStatus: (fileId) => loadStatus(fileId),
    storage: createPendingStatusStorage(`status-choices.${accountId}`, tab),
    claims: createStatusClaims(`status:${accountId}`, tab, lockManager),
    newId: () => `c${(ids += 1)}`,
  });
  pages.push(store);
  return store;
}
const states = (store: PendingStatusStore) =>
  store.get().map(({ status: { id }, state, files }) => `${id} ${state.type} ${files.map((item) => item.id).join()}`);
const storedCount = () => createPendingStatusStorage(`status-choices.${accountId}`, "any").all().length;
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  accountId += 1;
  locks = createLocks();
  sent.length = 0;
  respond = async () => ({ type: "done" });
  loadStatus = async () => null;
});
afterEach(() => {
  for (const store of pages.splice(0)) store.close();
  vi.useRealTimers();
});

test("a change is sent once, after five seconds", async () => {
  const store = page("a");
  const done: string[] = [];
  store.onDone(({ files }) => done.push(...files.map(({ name }) => name)));
  store.add(1, [file(7)], approved, "good");
  await advance(UNDO_WINDOW_MS - 1);
  expect([sent, states(store), storedCount()]).toEqual([[], ["4 counting 7"], 1]);
  await advance(1);
  expect([sent, done, states(store), storedCount()]).toEqual([[[7, 4, null]], ["7.wav"], [], 0]);
  await advance(60_000);
  expect(sent.length).toBe(1);
});

test("a canceled change is never sent, and nothing of it stays stored", async () => {
  const store = page("a");
  store.cancel(store.add(1, [file(7)], approved)!.id);
  await advance(60_000);
  expect([sent, states(store), storedCount()]).toEqual([[], [], 0]);
});

test("canceling one file of a change still sends the others", async () => {
  const store = page("a");
  store.cancel(store.add(1, [file(7), file(8)], approved)!.id, 8);
  await advance(UNDO_WINDOW_MS);
  expect(sent.map(([id]) => id)).toEqual([7]);
});

test("a change whose page closes in time is not sent; the next page shows it and sends it on request", async () => {
  const first = page("a");
  first.add(1, [file(7, status(2))], approved);
  await advance(2_000);
  first.close();
  await advance(60_000);
  expect(sent).toEqual([]);
  loadStatus = async () => status(3);
  const next = page("b");
  await advance(0);
  expect(states(next)).toEqual(["4 interrupted 7"]);
  next.sendNow(next.get()[0]!.id);
  await advance(0);
  // The change is sent with the status that the file has by then, since the user sees that one when deciding.
  expect([sent, storedCount()]).toEqual([[[7, 4, 3]], 0]);
});

test("a second tab ignores a change of an open tab, and shows it once that tab is closed", async () => {
  const first = page("a");
  first.add(1, [file(7)], approved);
  const second = page("b");
  await advance(1_000);
  expect(states(second)).toEqual([]);
  first.close();
  await advance(0);
  expect(states(second)).toEqual(["4 interrupted 7"]);
});

test("without locks a reload shows a change left by its former page immediately, another tab only when no countdown can be running", async () => {
  page("a", null).add(1, [file(7)], approved);
  pages[0]!.close();
  const reloaded = page("a", null);
  const other = page("b", null);
  await advance(0);
  expect([states(reloaded), states(other)]).toEqual([["4 interrupted 7"], []]);
  await advance(20_000);
  expect(states(other)).toEqual(["4 interrupted 7"]);
});

test("a change that was sent, but whose response was lost with its page, is not shown", async () => {
  const first = page("a");
  respond = () => new Promise(() => {});
  first.add(1, [file(7)], approved);
  await advance(UNDO_WINDOW_MS);
  first.close();
  loadStatus = async () => approved;
  const next = page("b");
  await advance(0);
  expect([states(next), storedCount()]).toEqual([[], 0]);
});

test("without a network a change is retried until the service is reachable", async () => {
  const store = page("a");
  respond = async () => ({ type: "unreachable" });
  store.add(1, [file(7)], approved);
  await advance(UNDO_WINDOW_MS);
  expect([states(store), storedCount()]).toEqual([["4 waiting 7"], 1]);
  await advance(3_000 + 6_000 + 12_000);
  expect(sent.length).toBe(4);
  respond = async () => ({ type: "done" });
  await advance(24_000);
  expect([sent.length, states(store), storedCount()]).toEqual([5, [], 0]);
});

test("a conflicting change asks the user, and is then sent against the current status", async () => {
  const store = page("a");
  respond = async () => ({ type: "conflict", now: status(9) });
  store.add(1, [file(7, status(2))], approved);
  await advance(UNDO_WINDOW_MS);
  expect([states(store), store.get()[0]!.files[0]!.before?.id]).toEqual([["4 conflict 7"], 9]);
  respond = async () => ({ type: "done" });
  store.sendNow(store.get()[0]!.id);
  await advance(0);
  expect(sent).toEqual([
    [7, 4, 2],
    [7, 4, 9],
  ]);
});

test("a change asks the user before it is sent after the machine slept", async () => {
  const store = page("a");
  store.add(1, [file(7)], approved);
  vi.setSystemTime(Date.now() + 3_600_000);
  await advance(UNDO_WINDOW_MS);
  expect([sent, states(store)]).toEqual([[], ["4 interrupted 7"]]);
});
