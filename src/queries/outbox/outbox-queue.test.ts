import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, offline } from "../../api/api-error.ts";
import type { OutboxEntry } from "./outbox.ts";
import { readinessOf, verdict } from "./outbox-of.ts";
import { keptTogether } from "./outbox.fixture.ts";
import { createOutbox } from "./outbox-queue.ts";
import type { Readiness, Sent } from "./sending.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function lab(kept = keptTogether()) {
  const attempts: string[] = [];
  const answers: Sent[] = [];
  let underway = 0;
  let ids = 0;
  const waiting: Readiness = { state: "waiting" };
  const uploadStates = new Map<string, Readiness>();
  const ended: string[] = [];
  const claimed = new Set<string>();
  const outbox = createOutbox({
    ...kept.page(),
    tell: () => undefined,
    async send(entry: OutboxEntry) {
      underway += 1;
      expect(underway).toBe(1);
      attempts.push(`${entry.body} ${entry.clientId}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
      underway -= 1;
      return answers.shift() ?? { result: "sent" };
    },
    readiness: ({ uploads }) => uploads.map((id) => uploadStates.get(id) ?? waiting).find(({ state }) => state !== "ready") ?? { state: "ready" },
    claimUploads({ uploads, clientId }) {
      if (uploads.length === 0 || claimed.has(clientId)) return;
      claimed.add(clientId);
      ended.push(`${clientId} takes ${uploads.join()}`);
    },
    resumeUploads: ({ uploads }) => void ended.push(`resume ${uploads.join()}`),
    endUploads: ({ uploads }, why) => void ended.push(`${why} ${uploads.join()}`),
    newId: () => `id-${(ids += 1)}`,
    now: Date.now,
  });
  const write = (body: string, accountId = 1, uploads: readonly string[] = []) => outbox.add({ projectId: 1, accountId, body, quote: null, uploads });
  const states = () => outbox.entries().map(({ body, state }) => `${body} ${state}`);
  /** Everything that needs no time has happened. */
  const soon = () => vi.advanceTimersByTimeAsync(0);
  return { outbox, attempts, answers, write, states, uploadStates, ended, soon };
}

describe("the outbox", () => {
  test("sends one after the other, in the order of writing", async () => {
    const { write, attempts, states, soon } = lab();
    for (const body of ["a", "b", "c"]) write(body);
    await soon();
    expect(states()).toEqual(["a sending", "b waiting", "c waiting"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(attempts).toEqual(["a id-1", "b id-2", "c id-3"]);
    expect(states()).toEqual([]);
  });

  test("without a connection it waits, keeps the order and the id, and goes on by itself", async () => {
    const { write, attempts, answers, states } = lab();
    answers.push({ result: "later" }, { result: "later" });
    write("a");
    write("b");
    await vi.advanceTimersByTimeAsync(20);
    expect(states()).toEqual(["a waiting", "b waiting"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(attempts).toEqual(["a id-1", "a id-1", "a id-1", "b id-2"]);
    expect(states()).toEqual([]);
  });

  test("what is written during a pause does not end it; being woken does", async () => {
    const { outbox, write, attempts, answers } = lab();
    answers.push({ result: "later", afterMs: 60_000 });
    write("a");
    await vi.advanceTimersByTimeAsync(20);
    write("b");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(attempts).toHaveLength(1);
    outbox.wake();
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts.slice(1)).toEqual(["a id-1", "b id-2"]);
  });

  test("a refused message stands aside and holds nobody", async () => {
    const { outbox, write, answers, states } = lab();
    answers.push({ result: "refused", fault: "must not be empty", afterId: 9 });
    write("a");
    write("b");
    await vi.advanceTimersByTimeAsync(100);
    expect(states()).toEqual(["a failed"]);
    expect(outbox.entries()[0]).toMatchObject({ fault: "must not be empty", afterId: 9 });
  });

  test("a retry uses the same id at the end of the queue; deleting forgets only what has failed", async () => {
    const { outbox, write, attempts, answers, states, soon } = lab();
    answers.push({ result: "refused", fault: "no", afterId: null });
    write("a");
    await vi.advanceTimersByTimeAsync(50);
    write("b");
    outbox.retry("id-1");
    await soon();
    outbox.discard("id-1");
    await soon();
    expect(states()).toEqual(["b sending", "a waiting"]);
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts).toEqual(["a id-1", "b id-2", "a id-1"]);
    answers.push({ result: "refused", fault: "no", afterId: null });
    write("c");
    await vi.advanceTimersByTimeAsync(50);
    outbox.discard("id-3");
    await soon();
    expect(states()).toEqual([]);
  });

  test("a message on which the service fails again and again is told to its writer", async () => {
    const { write, answers, states, attempts } = lab();
    for (let index = 0; index < 6; index += 1) answers.push({ result: "later", fault: "Out of order" });
    write("a");
    write("b");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(attempts.filter((one) => one.startsWith("a"))).toHaveLength(6);
    expect(states()).toEqual(["a failed"]);
  });

  test("somebody else's messages are never sent", async () => {
    const { outbox, write, answers, attempts, states } = lab();
    answers.push({ result: "later", afterMs: 1_000 });
    write("mine", 1);
    await vi.advanceTimersByTimeAsync(20);
    void outbox.belongTo(2);
    write("theirs", 2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(attempts).toEqual(["mine id-1", "theirs id-2"]);
    expect(states()).toEqual([]);
    await outbox.belongTo(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(attempts).toEqual(["mine id-1", "theirs id-2", "mine id-1"]);
  });

  test("a message waits for its uploads and holds nobody; when they are done it goes, once", async () => {
    const { outbox, write, attempts, states, uploadStates, ended } = lab();
    write("with files", 1, ["u1", "u2"]);
    write("plain");
    await vi.advanceTimersByTimeAsync(100);
    expect(states()).toEqual(["with files waiting"]);
    uploadStates.set("u1", { state: "ready" });
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(100);
    expect(attempts).toEqual(["plain id-2"]);
    uploadStates.set("u2", { state: "ready" });
    outbox.wakeReady();
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(100);
    expect(attempts).toEqual(["plain id-2", "with files id-1"]);
    expect(ended).toEqual(["id-1 takes u1,u2", "sent ", "sent u1,u2"]);
  });

  test("a failed upload fails its message in words; a retry starts both again, deleting ends both", async () => {
    const { outbox, write, states, uploadStates, ended, attempts, soon } = lab();
    for (const id of ["u1", "u2"]) uploadStates.set(id, { state: "failed", fault: `${id} is too large`, afterId: 7 });
    write("a", 1, ["u1"]);
    write("b", 1, ["u2"]);
    await soon();
    expect(states()).toEqual(["a failed", "b failed"]);
    expect(outbox.entries()[0]).toMatchObject({ fault: "u1 is too large", afterId: 7 });
    uploadStates.delete("u1");
    outbox.retry("id-1");
    outbox.discard("id-2");
    await soon();
    expect(states()).toEqual(["a waiting"]);
    expect(ended.slice(2)).toEqual(["resume u1", "discarded u2"]);
    outbox.discard("id-1");
    await soon();
    expect(states()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(attempts).toEqual([]);
  });

  test("listeners hear every change, and the entries keep their identity between changes", async () => {
    const { outbox, write } = lab();
    const listener = vi.fn();
    const stop = outbox.onChange(listener);
    write("a");
    expect(listener).toHaveBeenCalled();
    expect(outbox.entries()).toBe(outbox.entries());
    await vi.advanceTimersByTimeAsync(100);
    stop();
    listener.mockClear();
    write("b");
    expect(listener).not.toHaveBeenCalled();
  });
});

describe("what browsers do to it", () => {
  test("a page that was closed leaves its messages to the next one, in their order and under their ids", async () => {
    const kept = keptTogether();
    const first = lab(kept);
    first.answers.push({ result: "later", afterMs: 60_000 });
    for (const body of ["a", "b"]) first.write(body);
    await vi.advanceTimersByTimeAsync(20);
    kept.crash();
    const second = lab(kept);
    await second.outbox.belongTo(2);
    expect(second.states()).toEqual([]);
    await second.outbox.belongTo(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(second.attempts).toEqual(["a id-1", "b id-2"]);
  });

  test("where nothing can be kept it lives as long as the page, and says so", async () => {
    const kept = keptTogether();
    kept.full = true;
    const { outbox, write, answers, attempts, states } = lab(kept);
    answers.push({ result: "later" });
    write("a");
    await vi.advanceTimersByTimeAsync(20);
    expect(outbox.entries()).toMatchObject([{ body: "a", kept: false, state: "waiting", delayed: true }]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(attempts).toEqual(["a id-1", "a id-1"]);
    expect(states()).toEqual([]);
  });

  test("storage that fills up under a message takes it along in memory", async () => {
    const kept = keptTogether();
    const { outbox, write, answers, attempts, states } = lab(kept);
    answers.push({ result: "later", afterMs: 1_000 });
    write("a");
    await vi.advanceTimersByTimeAsync(20);
    kept.full = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(attempts).toEqual(["a id-1", "a id-1"]);
    expect(states()).toEqual([]);
    expect(outbox.entries()).toEqual([]);
  });

  test("where there is only room to read and delete, what was kept before goes out once and is let go, what was not goes too", async () => {
    const kept = keptTogether();
    const { outbox, write, answers, attempts, states } = lab(kept);
    answers.push({ result: "later", afterMs: 1_000 });
    write("a");
    await vi.advanceTimersByTimeAsync(20);
    kept.cramped = true;
    write("b");
    await vi.advanceTimersByTimeAsync(20);
    expect(outbox.entries().map(({ body, kept: isKept }) => [body, isKept])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempts).toEqual(["a id-1", "a id-1", "b id-2"]);
    expect(states()).toEqual([]);
    expect(kept.entries.size).toBe(0);
  });

  test("a clock that goes back does not change the order", async () => {
    const { write, attempts, answers } = lab();
    answers.push({ result: "later", afterMs: 1_000 });
    write("a");
    vi.setSystemTime(Date.now() - 86_400_000);
    write("b");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(attempts).toEqual(["a id-1", "a id-1", "b id-2"]);
  });

  test("files that another tab carries are waited for; those that nobody holds are not", () => {
    const entry = { uploads: ["u1"], body: "x" } as unknown as OutboxEntry;
    expect(readinessOf(entry, [], () => null)).toEqual({ state: "waiting" });
    expect(readinessOf(entry, [], () => null, new Set(["u1"]))).toEqual({ state: "ready" });
    expect(readinessOf({ ...entry, body: "" }, [], () => null, new Set(["u1"]))).toMatchObject({ state: "failed" });
  });
});

describe("the verdict on a failed send", () => {
  const problem = (status: number, more = {}) => new ApiError({ kind: "problem", status, title: "Title", ...more });

  test("no answer, too much, signed out: later and for as long as it takes", () => {
    for (const error of [offline(null), new ApiError({ kind: "timeout", status: 0, title: "" }), problem(429), problem(401)]) {
      expect(verdict(error, 1)).toEqual({ result: "later" });
    }
    expect(verdict(problem(429, { retryAfter: 7 }), 1)).toEqual({ result: "later", afterMs: 7_000 });
  });

  test("faults of the service: later, but counted", () => {
    expect(verdict(problem(503, { detail: "Busy" }), 4)).toEqual({ result: "later", fault: "Busy", afterId: 4 });
  });

  test("refusals: told in the service's words, the most exact ones first", () => {
    expect(verdict(problem(403, { detail: "You left" }), 4)).toEqual({ result: "refused", fault: "You left", afterId: 4 });
    expect(verdict(problem(400, { errors: [{ path: "body", message: "must not be empty" }] }), null)).toMatchObject({ fault: "must not be empty" });
    expect(verdict(new Error("bug"), 1)).toMatchObject({ result: "refused", fault: "bug" });
  });
});
