import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setUpOutbox } from "./outbox-setup.fixture.ts";
import { createSharedStorage } from "./outbox.fixture.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the outbox", () => {
  test("sends messages one at a time in the order written", async () => {
    const { write, attempts, states, runPending } = setUpOutbox();
    for (const body of ["a", "b", "c"]) write(body);
    await runPending();
    expect(states()).toEqual(["a sending", "b waiting", "c waiting"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(attempts).toEqual(["a id-1", "b id-2", "c id-3"]);
    expect(states()).toEqual([]);
  });

  test("retries without a connection, in the same order and with the same ids", async () => {
    const { write, attempts, results, states } = setUpOutbox();
    results.push({ result: "later" }, { result: "later" });
    write("a");
    write("b");
    await vi.advanceTimersByTimeAsync(20);
    expect(states()).toEqual(["a waiting", "b waiting"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(attempts).toEqual(["a id-1", "a id-1", "a id-1", "b id-2"]);
    expect(states()).toEqual([]);
  });

  test("is not woken from its retry delay by a new message, but by wake", async () => {
    const { outbox, write, attempts, results } = setUpOutbox();
    results.push({ result: "later", afterMs: 60_000 });
    write("a");
    await vi.advanceTimersByTimeAsync(20);
    write("b");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(attempts).toHaveLength(1);
    outbox.wake();
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts.slice(1)).toEqual(["a id-1", "b id-2"]);
  });

  test("lets a rejected message fail without blocking others", async () => {
    const { outbox, write, results, states } = setUpOutbox();
    results.push({ result: "refused", error: "must not be empty", afterId: 9 });
    write("a");
    write("b");
    await vi.advanceTimersByTimeAsync(100);
    expect(states()).toEqual(["a failed"]);
    expect(outbox.entries()[0]).toMatchObject({ error: "must not be empty", afterId: 9 });
  });

  test("retries a message with the same id at the end of the queue, and deletes only failed messages", async () => {
    const { outbox, write, attempts, results, states, runPending } = setUpOutbox();
    results.push({ result: "refused", error: "no", afterId: null });
    write("a");
    await vi.advanceTimersByTimeAsync(50);
    write("b");
    outbox.retry("id-1");
    await runPending();
    outbox.discard("id-1");
    await runPending();
    expect(states()).toEqual(["b sending", "a waiting"]);
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts).toEqual(["a id-1", "b id-2", "a id-1"]);
    results.push({ result: "refused", error: "no", afterId: null });
    write("c");
    await vi.advanceTimersByTimeAsync(50);
    outbox.discard("id-3");
    await runPending();
    expect(states()).toEqual([]);
  });

  test("lets a message fail after repeated server errors", async () => {
    const { write, results, states, attempts } = setUpOutbox();
    for (let index = 0; index < 6; index += 1) results.push({ result: "later", error: "Out of order" });
    write("a");
    write("b");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(attempts.filter((attempt) => attempt.startsWith("a"))).toHaveLength(6);
    expect(states()).toEqual(["a failed"]);
  });

  test("never sends another account's messages", async () => {
    const { outbox, write, results, attempts, states } = setUpOutbox();
    results.push({ result: "later", afterMs: 1_000 });
    write("mine", 1);
    await vi.advanceTimersByTimeAsync(20);
    void outbox.switchAccount(2);
    write("theirs", 2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(attempts).toEqual(["mine id-1", "theirs id-2"]);
    expect(states()).toEqual([]);
    await outbox.switchAccount(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(attempts).toEqual(["mine id-1", "theirs id-2", "mine id-1"]);
  });

  test("waits for a message's uploads without blocking others, then sends it once", async () => {
    const { outbox, write, attempts, states, uploadStates, uploadCalls } = setUpOutbox();
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
    expect(uploadCalls).toEqual(["id-1 claims u1,u2", "sent ", "sent u1,u2"]);
  });

  test("fails a message with its upload's error; retrying restarts both, deleting removes both", async () => {
    const { outbox, write, states, uploadStates, uploadCalls, attempts, runPending } = setUpOutbox();
    for (const id of ["u1", "u2"]) uploadStates.set(id, { state: "failed", error: `${id} is too large`, afterId: 7 });
    write("a", 1, ["u1"]);
    write("b", 1, ["u2"]);
    await runPending();
    expect(states()).toEqual(["a failed", "b failed"]);
    expect(outbox.entries()[0]).toMatchObject({ error: "u1 is too large", afterId: 7 });
    uploadStates.delete("u1");
    outbox.retry("id-1");
    outbox.discard("id-2");
    await runPending();
    expect(states()).toEqual(["a waiting"]);
    expect(uploadCalls.slice(2)).toEqual(["resume u1", "discarded u2"]);
    outbox.discard("id-1");
    await runPending();
    expect(states()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(attempts).toEqual([]);
  });

  test("reports a message as sent when another tab finds it at the service first", async () => {
    const storage = createSharedStorage();
    const sender = setUpOutbox(storage);
    sender.uploadStates.set("u1", { state: "ready" });
    // The response is lost.
    sender.results.push({ result: "later", afterMs: 60_000 });
    sender.write("a", 1, ["u1"]);
    await vi.advanceTimersByTimeAsync(50);
    const other = setUpOutbox(storage, (sent) => (sent === undefined ? sender.outbox.reload() : sender.outbox.markDeliveredElsewhere(sent)));
    await other.outbox.switchAccount(1);
    const ended = sender.outbox.whenSettled("id-1");
    other.outbox.markDelivered("id-1");
    await sender.runPending();
    expect([sender.states(), sender.uploadCalls, await ended]).toEqual([[], ["id-1 claims u1", "sent u1"], "sent"]);
  });

  test("does not report a sent message as deleted when another tab causes a reload meanwhile", async () => {
    const storage = createSharedStorage();
    storage.writeDelayMs = 5;
    const { outbox, write, uploadStates, uploadCalls } = setUpOutbox(storage);
    uploadStates.set("bounce", { state: "ready" });
    write("with the bounce", 1, ["bounce"]);
    for (let ms = 0; ms < 60; ms += 1) {
      outbox.reload();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(uploadCalls).toEqual(["id-1 claims bounce", "sent bounce"]);
  });

  test("sends an earlier page's messages once the browser's storage can be read", async () => {
    const storage = createSharedStorage();
    const earlier = setUpOutbox(storage);
    earlier.outbox.add({ clientId: "earlier", projectId: 1, accountId: 1, body: "a", quote: null, uploads: ["f"] });
    await earlier.runPending();
    storage.crash();
    storage.forbidden = true;
    const { outbox, write, attempts, uploadStates, states } = setUpOutbox(storage);
    uploadStates.set("f", { state: "ready" });
    const isLoaded = vi.fn();
    void outbox.switchAccount(1).then(isLoaded);
    write("b");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(attempts).toEqual(["b id-1"]);
    expect(isLoaded).not.toHaveBeenCalled();
    storage.forbidden = false;
    await vi.advanceTimersByTimeAsync(6_000);
    expect(isLoaded).toHaveBeenCalled();
    expect(attempts).toEqual(["b id-1", "a earlier"]);
    expect(states()).toEqual([]);
  });

  test("notifies listeners of every change, and returns the same entries between changes", async () => {
    const { outbox, write } = setUpOutbox();
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
