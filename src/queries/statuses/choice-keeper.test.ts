import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileStatus } from "../../../contract/records.ts";
import { claimsOf } from "./choice-claims.ts";
import { createChoiceKeeper, type ChoiceKeeper } from "./choice-keeper.ts";
import { choiceShelf } from "./choice-shelf.ts";
import { UNDO_MS, type Choice, type Outcome } from "./choices.ts";

const status = (id: number): FileStatus => ({ id, title: `S${id}`, color: id, position: id });
const approved = status(4);
const file = (id: number, before: FileStatus | null = null) => ({ id, name: `${id}.wav`, before });

/** The browser's locks, as far as pages that live and die need them. */
function createLocks() {
  const queues = new Map<string, (() => void)[]>();
  const request = async (name: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) => {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      queue.push(resolve);
      if (queue.length === 1) resolve();
    });
    await run();
    queue.shift();
    queue[0]?.();
  };
  return { request } as unknown as LockManager;
}

let account = 0;
let locks: LockManager;
let ids = 0;
const sent: [fileId: number, statusId: number, before: number | null][] = [];
let answer: (choice: Choice, fileId: number) => Promise<Outcome>;
let standing: (fileId: number) => Promise<FileStatus | null | undefined>;
const pages: ChoiceKeeper[] = [];

function page(tab: string, with_: LockManager | null = locks): ChoiceKeeper {
  const keeper = createChoiceKeeper({
    send: (choice, { id, before }) => {
      sent.push([id, choice.status.id, before?.id ?? null]);
      return answer(choice, id);
    },
    standing: (fileId) => standing(fileId),
    shelf: choiceShelf(account, tab),
    claim: claimsOf(`status:${account}`, tab, with_),
    newId: () => `c${(ids += 1)}`,
  });
  pages.push(keeper);
  return keeper;
}
const states = (keeper: ChoiceKeeper) => keeper.all().map(({ status: { id }, state, files }) => `${id} ${state.is} ${files.map((one) => one.id).join()}`);
const kept = () => choiceShelf(account, "any").all().length;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  account += 1;
  locks = createLocks();
  sent.length = 0;
  answer = async () => ({ is: "done" });
  standing = async () => null;
});
afterEach(() => {
  for (const one of pages.splice(0)) one.end();
  vi.useRealTimers();
});

test("nothing is sent before five seconds are over; then once", async () => {
  const keeper = page("a");
  const done: string[] = [];
  keeper.onDone(({ files }) => done.push(...files.map(({ name }) => name)));
  keeper.choose(1, [file(7)], approved, "good");
  await pass(UNDO_MS - 1);
  expect([sent, states(keeper), kept()]).toEqual([[], ["4 counting 7"], 1]);
  await pass(1);
  expect([sent, done, states(keeper), kept()]).toEqual([[[7, 4, null]], ["7.wav"], [], 0]);
  await pass(60_000);
  expect(sent.length).toBe(1);
});

test("what is taken back is never sent, and nothing of it stays", async () => {
  const keeper = page("a");
  keeper.drop(keeper.choose(1, [file(7)], approved)!.id);
  await pass(60_000);
  expect([sent, states(keeper), kept()]).toEqual([[], [], 0]);
});

test("of several files one is taken back and the others go", async () => {
  const keeper = page("a");
  keeper.drop(keeper.choose(1, [file(7), file(8)], approved)!.id, 8);
  await pass(UNDO_MS);
  expect(sent.map(([id]) => id)).toEqual([7]);
});

test("a page that is closed in time sends nothing; the next one tells of it and sends it when asked to", async () => {
  const first = page("a");
  first.choose(1, [file(7, status(2))], approved);
  await pass(2_000);
  first.end();
  await pass(60_000);
  expect(sent).toEqual([]);
  standing = async () => status(3);
  const next = page("b");
  await pass(0);
  expect(states(next)).toEqual(["4 left 7"]);
  next.sendNow(next.all()[0]!.id);
  await pass(0);
  // With what the file has by then: its person sees it when they decide.
  expect([sent, kept()]).toEqual([[[7, 4, 3]], 0]);
});

test("a second tab leaves alone what lives in the first, and offers it once that is gone", async () => {
  const first = page("a");
  first.choose(1, [file(7)], approved);
  const second = page("b");
  await pass(1_000);
  expect(states(second)).toEqual([]);
  first.end();
  await pass(0);
  expect(states(second)).toEqual(["4 left 7"]);
});

test("without locks a reload tells at once, another tab when nothing can be counting any more", async () => {
  page("a", null).choose(1, [file(7)], approved);
  pages[0]!.end();
  const again = page("a", null);
  const other = page("b", null);
  await pass(0);
  expect([states(again), states(other)]).toEqual([["4 left 7"], []]);
  await pass(20_000);
  expect(states(other)).toEqual(["4 left 7"]);
});

test("what was sent although its answer was lost with the page is not told", async () => {
  const first = page("a");
  answer = () => new Promise(() => {});
  first.choose(1, [file(7)], approved);
  await pass(UNDO_MS);
  first.end();
  standing = async () => approved;
  const next = page("b");
  await pass(0);
  expect([states(next), kept()]).toEqual([[], 0]);
});

test("without a network it is tried again until the service is back", async () => {
  const keeper = page("a");
  answer = async () => ({ is: "away" });
  keeper.choose(1, [file(7)], approved);
  await pass(UNDO_MS);
  expect([states(keeper), kept()]).toEqual([["4 waiting 7"], 1]);
  await pass(3_000 + 6_000 + 12_000);
  expect(sent.length).toBe(4);
  answer = async () => ({ is: "done" });
  await pass(24_000);
  expect([sent.length, states(keeper), kept()]).toEqual([5, [], 0]);
});

test("somebody else was faster: it asks, and sends again against what stands now", async () => {
  const keeper = page("a");
  answer = async () => ({ is: "overtaken", now: status(9) });
  keeper.choose(1, [file(7, status(2))], approved);
  await pass(UNDO_MS);
  expect([states(keeper), keeper.all()[0]!.files[0]!.before?.id]).toEqual([["4 overtaken 7"], 9]);
  answer = async () => ({ is: "done" });
  keeper.sendNow(keeper.all()[0]!.id);
  await pass(0);
  expect(sent).toEqual([
    [7, 4, 2],
    [7, 4, 9],
  ]);
});

test("a machine that slept asks before it sends", async () => {
  const keeper = page("a");
  keeper.choose(1, [file(7)], approved);
  vi.setSystemTime(Date.now() + 3_600_000);
  await pass(UNDO_MS);
  expect([sent, states(keeper)]).toEqual([[], ["4 left 7"]]);
});
