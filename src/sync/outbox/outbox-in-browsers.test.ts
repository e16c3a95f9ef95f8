import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setUpOutbox } from "./outbox-setup.fixture.ts";
import { createSharedStorage } from "./outbox.fixture.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the outbox in browsers", () => {
  test("messages of a closed page are sent by the next one, in order and with the same ids", async () => {
    const storage = createSharedStorage();
    const first = setUpOutbox(storage);
    first.results.push({ result: "later", afterMs: 60_000 });
    for (const body of ["a", "b"]) first.write(body);
    await vi.advanceTimersByTimeAsync(20);
    storage.crash();
    const second = setUpOutbox(storage);
    await second.outbox.switchAccount(2);
    expect(second.states()).toEqual([]);
    await second.outbox.switchAccount(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(second.attempts).toEqual(["a id-1", "b id-2"]);
  });

  test.each(["full", "forbidden"] as const)("with %s storage a message lives as long as the page, and is marked as not persisted", async (condition) => {
    const storage = createSharedStorage();
    storage[condition] = true;
    const { outbox, write, results, attempts, states } = setUpOutbox(storage);
    results.push({ result: "later" });
    write("a");
    await vi.advanceTimersByTimeAsync(20);
    expect(outbox.entries()).toMatchObject([{ body: "a", isPersisted: false, state: "waiting", isDelayed: true }]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(attempts).toEqual(["a id-1", "a id-1"]);
    expect(states()).toEqual([]);
  });

  test("a stored message is still sent from memory after storage fills up", async () => {
    const storage = createSharedStorage();
    const { outbox, write, results, attempts, states } = setUpOutbox(storage);
    results.push({ result: "later", afterMs: 1_000 });
    write("a");
    await vi.advanceTimersByTimeAsync(20);
    storage.full = true;
    results.push({ result: "later", afterMs: 1_000 });
    await vi.advanceTimersByTimeAsync(1_500);
    // The browser still holds the message, so closing the page would not lose it.
    expect(attempts).toEqual(["a id-1", "a id-1"]);
    expect(outbox.entries()).toMatchObject([{ clientId: "id-1", isPersisted: true }]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(attempts).toEqual(["a id-1", "a id-1", "a id-1"]);
    expect(states()).toEqual([]);
    expect(outbox.entries()).toEqual([]);
  });

  test("full storage causes no duplicate and blocks no message, and is cleaned up once there is space", async () => {
    const storage = createSharedStorage();
    const { outbox, write, results, attempts, states, runPending } = setUpOutbox(storage);
    results.push({ result: "later", afterMs: 1_000 });
    write("a");
    write("b");
    await vi.advanceTimersByTimeAsync(20);
    storage.full = true;
    write("c");
    await vi.advanceTimersByTimeAsync(5_000);
    outbox.reload();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(attempts).toEqual(["a id-1", "a id-1", "b id-2", "c id-3"]);
    expect(states()).toEqual([]);
    expect([...storage.entries.keys()]).toEqual(["id-1", "id-2"]);
    storage.full = false;
    outbox.reload();
    await runPending();
    expect(storage.entries.size).toBe(0);
    expect(attempts).toHaveLength(4);
  });

  test("a message deleted while storage is full does not return", async () => {
    const storage = createSharedStorage();
    const { outbox, write, results, states, runPending } = setUpOutbox(storage);
    results.push({ result: "refused", error: "no", afterId: null });
    write("a");
    await vi.advanceTimersByTimeAsync(50);
    storage.full = true;
    outbox.discard("id-1");
    await runPending();
    outbox.reload();
    await runPending();
    expect(states()).toEqual([]);
  });

  test("a message counts as persisted only once it is", async () => {
    const { outbox, write, runPending } = setUpOutbox();
    const { clientId } = write("a");
    expect(outbox.entries()).toMatchObject([{ isPersisted: false }]);
    const stored = vi.fn();
    void outbox.whenStored(clientId).then(stored);
    expect(stored).not.toHaveBeenCalled();
    await runPending();
    expect(stored).toHaveBeenCalled();
    expect(outbox.entries()).toMatchObject([{ isPersisted: true }]);
  });

  test("a clock that is set back does not change the order", async () => {
    const { write, attempts, results } = setUpOutbox();
    results.push({ result: "later", afterMs: 1_000 });
    write("a");
    vi.setSystemTime(Date.now() - 86_400_000);
    write("b");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(attempts).toEqual(["a id-1", "a id-1", "b id-2"]);
  });

  test("a message added twice with one id exists once; after it is deleted it can be added anew", async () => {
    const storage = createSharedStorage();
    const { outbox, attempts, states, uploadStates, runPending } = setUpOutbox(storage);
    const draft = { clientId: "rec", projectId: 1, accountId: 1, body: "v", quote: null, uploads: ["u"] };
    // The store cannot delete the entry.
    storage.full = true;
    outbox.add(draft);
    outbox.add(draft);
    const settled = outbox.whenSettled("rec");
    await runPending();
    expect(states()).toEqual(["v waiting"]);
    outbox.discard("rec");
    await runPending();
    expect([states(), await settled]).toEqual([[], "discarded"]);
    storage.full = false;
    outbox.add(draft);
    await runPending();
    outbox.reload();
    await runPending();
    expect(states()).toEqual(["v waiting"]);
    uploadStates.set("u", { state: "ready" });
    const sent = outbox.whenSettled("rec");
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(20);
    expect([attempts, await sent]).toEqual([["v rec"], "sent"]);
  });

  test("a message that waits for its account to return is not settled", async () => {
    const { outbox, write, runPending } = setUpOutbox();
    write("a", 1, ["u"]);
    const settled = vi.fn();
    void outbox.whenSettled("id-1").then(settled);
    await runPending();
    await outbox.switchAccount(2);
    await runPending();
    expect([outbox.entries(), settled.mock.calls]).toEqual([[], []]);
  });

  test("voice notes of a project are sent in order, whichever is uploaded first, and do not wait for a failed one", async () => {
    const { outbox, attempts, uploadStates } = setUpOutbox();
    const voice = { seconds: 3, wave: [] };
    const addVoice = (body: string, projectId = 1) => outbox.add({ projectId, accountId: 1, body, quote: null, uploads: [body], voice });
    for (const body of ["long", "short"]) addVoice(body);
    addVoice("elsewhere", 2);
    for (const body of ["short", "elsewhere"]) uploadStates.set(body, { state: "ready" });
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts).toEqual(["elsewhere id-3"]);
    uploadStates.set("long", { state: "ready" });
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts.slice(1)).toEqual(["long id-1", "short id-2"]);
    for (const body of ["lost", "after"]) addVoice(body);
    uploadStates.set("after", { state: "ready" }).set("lost", { state: "failed", error: "gone", afterId: null });
    outbox.wakeReady();
    await vi.advanceTimersByTimeAsync(50);
    expect(attempts.slice(3)).toEqual(["after id-5"]);
  });

  test("a message that the service already has leaves the outbox, unless it is being sent", async () => {
    const { outbox, write, results, states, uploadCalls, attempts, runPending } = setUpOutbox();
    results.push({ result: "refused", error: "used already", afterId: null }, { result: "later", afterMs: 60_000 });
    write("refused");
    write("waiting");
    await vi.advanceTimersByTimeAsync(100);
    for (const id of ["id-1", "id-2", "unknown"]) outbox.markDelivered(id);
    await runPending();
    expect(states()).toEqual([]);
    expect(uploadCalls).toEqual(["sent ", "sent "]);
    write("under way");
    outbox.wake();
    await runPending();
    outbox.markDelivered("id-3");
    await runPending();
    expect(states()).toEqual(["under way sending"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(attempts).toEqual(["refused id-1", "waiting id-2", "under way id-3"]);
  });
});
