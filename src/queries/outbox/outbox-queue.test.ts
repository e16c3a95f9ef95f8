import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, offline } from "../../api/api-error.ts";
import type { OutboxEntry } from "./outbox.ts";
import { QueryClient } from "@tanstack/react-query";
import { messageOf } from "../messages/message.fixture.ts";
import { messageKeys } from "../messages/keys.ts";
import { uploadFixture } from "../uploads/upload.fixture.ts";
import { outboxOf, readinessOf, verdict } from "./outbox-of.ts";
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

  test("what another tab says while a sent message is taken out of the store does not make it a discarded one", async () => {
    const kept = keptTogether();
    kept.lateMs = 5;
    const { outbox, write, uploadStates, ended } = lab(kept);
    uploadStates.set("bounce", { state: "ready" });
    write("with the bounce", 1, ["bounce"]);
    for (let ms = 0; ms < 60; ms += 1) {
      outbox.look();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(ended).toEqual(["id-1 takes bounce", "sent bounce"]);
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

  test.each(["full", "forbidden"] as const)("where storage is %s it lives as long as the page, and says so", async (what) => {
    const kept = keptTogether();
    kept[what] = true;
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

  test("storage that fills up sends no message twice, holds none behind it, and is tidied when there is room", async () => {
    const kept = keptTogether();
    const { outbox, write, answers, attempts, states, soon } = lab(kept);
    answers.push({ result: "later", afterMs: 1_000 });
    write("a");
    write("b");
    await vi.advanceTimersByTimeAsync(20);
    kept.full = true;
    write("c");
    await vi.advanceTimersByTimeAsync(5_000);
    outbox.look();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(attempts).toEqual(["a id-1", "a id-1", "b id-2", "c id-3"]);
    expect(states()).toEqual([]);
    expect([...kept.entries.keys()]).toEqual(["id-1", "id-2"]);
    kept.full = false;
    outbox.look();
    await soon();
    expect(kept.entries.size).toBe(0);
    expect(attempts).toHaveLength(4);
  });

  test("what is given up while storage is full does not come back", async () => {
    const kept = keptTogether();
    const { outbox, write, answers, states, soon } = lab(kept);
    answers.push({ result: "refused", fault: "no", afterId: null });
    write("a");
    await vi.advanceTimersByTimeAsync(50);
    kept.full = true;
    outbox.discard("id-1");
    await soon();
    outbox.look();
    await soon();
    expect(states()).toEqual([]);
  });

  test("a message counts as kept once it is, not before", async () => {
    const { outbox, write, soon } = lab();
    const { clientId } = write("a");
    expect(outbox.entries()).toMatchObject([{ kept: false }]);
    const stored = vi.fn();
    void outbox.stored(clientId).then(stored);
    expect(stored).not.toHaveBeenCalled();
    await soon();
    expect(stored).toHaveBeenCalled();
    expect(outbox.entries()).toMatchObject([{ kept: true }]);
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

  test("files that another tab carries are waited for; one that nobody holds fails its message, whatever it says", () => {
    const entry = { uploads: ["u1", "u2"], body: "x" } as unknown as OutboxEntry;
    const done = uploadFixture({ id: "u2", state: "done", fileId: 7 });
    expect(readinessOf(entry, [done], () => null)).toEqual({ state: "waiting" });
    expect(readinessOf(entry, [done, { ...done, id: "u1" }], () => null)).toEqual({ state: "ready" });
    for (const body of ["x", ""]) expect(readinessOf({ ...entry, body }, [done], () => 4, new Set(["u1"]))).toMatchObject({ state: "failed", afterId: 4 });
  });

  test("a message that is handed in twice under one id is one; one that was given up may come again", async () => {
    const kept = keptTogether();
    const { outbox, attempts, states, uploadStates, soon } = lab(kept);
    const draft = { clientId: "rec", projectId: 1, accountId: 1, body: "v", quote: null, uploads: ["u"] };
    // No store to forget it in.
    kept.full = true;
    outbox.add(draft);
    outbox.add(draft);
    const ended = outbox.ended("rec");
    await soon();
    expect(states()).toEqual(["v waiting"]);
    outbox.discard("rec");
    await soon();
    expect([states(), await ended]).toEqual([[], "discarded"]);
    kept.full = false;
    outbox.add(draft);
    await soon();
    outbox.look();
    await soon();
    expect(states()).toEqual(["v waiting"]);
    uploadStates.set("u", { state: "ready" });
    const sent = outbox.ended("rec");
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(20);
    expect([attempts, await sent]).toEqual([["v rec"], "sent"]);
  });

  test("what is left to its account's return has not ended", async () => {
    const { outbox, write, soon } = lab();
    write("a", 1, ["u"]);
    const ended = vi.fn();
    void outbox.ended("id-1").then(ended);
    await soon();
    await outbox.belongTo(2);
    await soon();
    expect([outbox.entries(), ended.mock.calls]).toEqual([[], []]);
  });

  test("voice notes of a project keep their order, whichever is uploaded first; nobody waits for one that failed", async () => {
    const { outbox, attempts, uploadStates } = lab();
    const voice = { seconds: 3, wave: [] };
    const say = (body: string, projectId = 1) => outbox.add({ projectId, accountId: 1, body, quote: null, uploads: [body], voice });
    for (const body of ["long", "short"]) say(body);
    say("elsewhere", 2);
    for (const body of ["short", "elsewhere"]) uploadStates.set(body, { state: "ready" });
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts).toEqual(["elsewhere id-3"]);
    uploadStates.set("long", { state: "ready" });
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts.slice(1)).toEqual(["long id-1", "short id-2"]);
    for (const body of ["lost", "after"]) say(body);
    uploadStates.set("after", { state: "ready" }).set("lost", { state: "failed", fault: "gone", afterId: null });
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts.slice(3)).toEqual(["after id-5"]);
  });

  test("a message that turns out to be with the service waits no more; one under way ends by itself", async () => {
    const { outbox, write, answers, states, ended, attempts, soon } = lab();
    answers.push({ result: "refused", fault: "used already", afterId: null }, { result: "later", afterMs: 60_000 });
    write("refused");
    write("waiting");
    await vi.advanceTimersByTimeAsync(100);
    for (const id of ["id-1", "id-2", "unknown"]) outbox.arrived(id);
    await soon();
    expect(states()).toEqual([]);
    expect(ended).toEqual(["sent ", "sent "]);
    write("under way");
    outbox.wake();
    await soon();
    outbox.arrived("id-3");
    await soon();
    expect(states()).toEqual(["under way sending"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(attempts).toEqual(["refused id-1", "waiting id-2", "under way id-3"]);
  });

  test("what a page or an event brings is looked for in the outbox", async () => {
    vi.useRealTimers();
    vi.stubGlobal("location", { origin: "https://talkback.test" });
    const client = new QueryClient();
    const outbox = outboxOf(client);
    const { clientId } = outbox.add({ projectId: 1, accountId: 5, body: "a", quote: null, uploads: [] });
    const arrive = (account_id: number) =>
      client.setQueryData(messageKeys.history(1, "latest"), { messages: [messageOf(9, { account_id, client_id: clientId })] });
    arrive(6);
    await outbox.stored(clientId);
    await vi.waitFor(() => expect(outbox.entries()).toMatchObject([{ state: "waiting", delayed: true }]));
    arrive(5);
    await vi.waitFor(() => expect(outbox.entries()).toEqual([]));
    vi.unstubAllGlobals();
  });
});

describe("the verdict on a failed send", () => {
  const problem = (status: number, more = {}) => new ApiError({ kind: "problem", status, title: "Title", ...more });

  test("no answer, nobody behind the proxy, too much, signed out: later and for as long as it takes", () => {
    for (const error of [offline(null), new ApiError({ kind: "timeout", status: 0, title: "" }), problem(429), problem(401), problem(412)].concat(
      [502, 503, 504].map((status) => problem(status)),
    )) {
      expect(verdict(error, 1)).toEqual({ result: "later" });
    }
    expect(verdict(problem(429, { retryAfter: 7 }), 1)).toEqual({ result: "later", afterMs: 7_000 });
  });

  test("faults of the service: later, but counted", () => {
    expect(verdict(problem(500, { detail: "Busy" }), 4)).toEqual({ result: "later", fault: "Busy", afterId: 4 });
    expect(verdict(problem(507), 4)).toEqual({ result: "later", fault: "Title", afterId: 4 });
    expect(verdict(new ApiError({ kind: "malformed", status: 200, title: "Odd" }), 4)).toEqual({ result: "later", fault: "Odd", afterId: 4 });
  });

  test("refusals: told in the service's words, the most exact ones first", () => {
    expect(verdict(problem(403, { detail: "You left" }), 4)).toEqual({ result: "refused", fault: "You left", afterId: 4 });
    expect(verdict(problem(400, { errors: [{ path: "body", message: "must not be empty" }] }), null)).toMatchObject({ fault: "must not be empty" });
    expect(verdict(new Error("bug"), 1)).toMatchObject({ result: "refused", fault: "bug" });
  });
});
