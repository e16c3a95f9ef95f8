import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { buildUpload } from "./upload.fixture.ts";
import { createTestQueue } from "./upload-queue.fixture.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the upload queue", () => {
  test("starts three uploads immediately, and the next one when a slot is free", () => {
    const { add, running, states, active, bytes } = createTestQueue();
    add("a", "b", "c", "d");
    expect(active()).toEqual(["a", "b", "c"]);
    running[1]!.listener.done({ fileId: 7 });
    expect(states()).toEqual(["a uploading", "b done", "c uploading", "d uploading"]);
    expect([...bytes]).toEqual(["u1", "u3", "u4"]);
  });

  test("files added together keep their order after a reload, whatever order storage returns them in", async () => {
    const first = createTestQueue({ now: 1_000 });
    first.add("a", "b", "c");
    await vi.advanceTimersByTimeAsync(0);
    const storedUploads = [...first.stored.values()].toReversed().map((upload) => ({ upload, file: new File(["x"], upload.name) }));
    const second = createTestQueue({ storedUploads });
    await second.queue.switchAccount(1);
    expect(second.queue.uploads().map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  test("caches a folder's files one after the other, not those already uploaded, and marks each one once it is persisted", async () => {
    const { queue, bytes, running } = createTestQueue();
    const target = { kind: "folder" as const, folderId: 1, folderName: "Stems", path: "" };
    const files = ["a", "b", "c", "d", "e"].map((name) => ({ file: new File(["bytes"], name), target }));
    queue.add({ accountId: 1, projectId: 1 }, files);
    expect([
      bytes.size,
      queue
        .uploads()
        .map(({ isPersisted }) => isPersisted)
        .every((storedUploads) => storedUploads === undefined),
    ]).toEqual([0, true]);
    for (let index = 0; index < 4; index += 1) running[index]!.listener.done({ fileId: index + 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect([...bytes]).toEqual(["u5"]);
    expect(queue.uploads()[4]!.isPersisted).toBe(true);
  });

  test("an upload that is canceled while its bytes are being copied is not persisted, one that is finished by then is", async () => {
    const { add, queue, running, bytes, slowCopy } = createTestQueue();
    const copy = Promise.withResolvers<void>();
    slowCopy.until = copy.promise;
    add("canceled", "finished");
    const arePersisted = Promise.all(["u1", "u2"].map((id) => queue.isPersisted(id)));
    queue.cancel("u1");
    running[1]!.listener.done({ fileId: 7 });
    copy.resolve();
    expect(await arePersisted).toEqual([false, true]);
    expect(bytes.size).toBe(0);
  });

  test("an upload whose bytes the browser refused is not persisted, also when it is finished by then", async () => {
    const { add, queue, running, slowCopy } = createTestQueue({ isStorageFull: true });
    const copy = Promise.withResolvers<void>();
    slowCopy.until = copy.promise;
    add("a");
    const isPersisted = queue.isPersisted("u1");
    running[0]!.listener.done({ fileId: 7 });
    copy.resolve();
    expect(await isPersisted).toBe(false);
  });

  test("a copy that ends after its account signed out stays for the message that waits for it", async () => {
    const { add, queue, bytes, slowCopy } = createTestQueue();
    await queue.switchAccount(1);
    const copy = Promise.withResolvers<void>();
    slowCopy.until = copy.promise;
    add("claimed", "unclaimed");
    queue.claim(["u1"], "message");
    const hasSwitched = queue.switchAccount(2);
    copy.resolve();
    await hasSwitched;
    await vi.advanceTimersByTimeAsync(0);
    expect([...bytes]).toEqual(["u1"]);
  });

  test("loads an upload of another tab, or of this tab with its bytes", async () => {
    const { add, queue } = createTestQueue({ storedUploads: [{ upload: buildUpload({ id: "elsewhere", state: "done", fileId: 7 }), file: null }] });
    add("a");
    expect(await queue.load("elsewhere")).toMatchObject({ upload: { fileId: 7 }, file: null });
    expect(await (await queue.load("u1"))?.file?.text()).toBe("bytes");
    expect(await queue.load("u2")).toBeNull();
  });

  test("starts a waiting upload again at the same URL when woken", () => {
    const { add, queue, running, states } = createTestQueue();
    add("a");
    void running[0]!.listener.created("/api/v2/uploads/x");
    running[0]!.listener.retrying(null);
    expect(states()).toEqual(["a waiting"]);
    queue.wake();
    expect([running[0]!.stopped, running[1]!.input.url, states()]).toEqual([true, "/api/v2/uploads/x", ["a uploading"]]);
    queue.wake();
    expect(running).toHaveLength(2);
  });

  test("confirms a created upload, before which no byte is sent, only once its URL is stored", async () => {
    const { add, running, stored, slowSave } = createTestQueue();
    const save = Promise.withResolvers<void>();
    slowSave.until = save.promise;
    add("a");
    let isConfirmed = false;
    void running[0]!.listener.created("/u/1").then(() => (isConfirmed = true));
    await vi.advanceTimersByTimeAsync(9_000);
    expect([isConfirmed, stored.get("u1")?.url]).toEqual([false, null]);
    save.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect([isConfirmed, stored.get("u1")?.url, vi.getTimerCount()]).toEqual([true, "/u/1", 0]);
  });

  test("does not wait forever for storage that does not respond", async () => {
    const { add, running, slowSave } = createTestQueue();
    slowSave.until = new Promise(() => {});
    add("a");
    let isConfirmed = false;
    void running[0]!.listener.created("/u/1").then(() => (isConfirmed = true));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(isConfirmed).toBe(true);
  });

  test("leaves a waiting upload its slot, and a failed one frees it", () => {
    const { add, running, states } = createTestQueue();
    add("a", "b", "c", "d");
    running[0]!.listener.retrying(null);
    expect(states()).toEqual(["a waiting", "b uploading", "c uploading", "d queued"]);
    running[0]!.listener.failed("Disk full");
    expect(states()).toEqual(["a failed", "b uploading", "c uploading", "d uploading"]);
  });

  test("stops a paused transfer, frees its slot and ignores its later events", () => {
    const { add, queue, running, states } = createTestQueue();
    add("a", "b", "c", "d");
    queue.pause("u1");
    expect(running[0]!.stopped).toBe(true);
    expect(states()).toEqual(["a paused", "b uploading", "c uploading", "d uploading"]);
    queue.resume("u1");
    expect(states()[0]).toBe("a queued");
  });

  test("deletes a canceled upload at the service, even when it is already a file, and its cached bytes", async () => {
    const { add, queue, running, deleted, stored, bytes, lockedIds, states } = createTestQueue();
    add("a", "b", "c", "d");
    await vi.advanceTimersByTimeAsync(0);
    void running[0]!.listener.created("/u/1");
    void running[1]!.listener.created("/u/2");
    running[1]!.listener.done({ fileId: 5 });
    for (const id of ["u1", "u2", "u4"]) queue.cancel(id);
    expect(states()).toEqual(["c uploading"]);
    await vi.advanceTimersByTimeAsync(0);
    // The service receives no delete for an upload that was never created there.
    expect(deleted).toEqual(["/u/1", 5]);
    expect([[...stored.keys()], [...bytes], [...lockedIds]]).toEqual([["u3"], ["u3"], ["u3"]]);
  });

  test("starts none of several canceled uploads, whatever their order", () => {
    const { add, queue, running, states } = createTestQueue();
    add("a", "b", "c", "d", "e", "f");
    expect(running).toHaveLength(3);
    queue.cancel("u1", "u2", "u3", "u4", "u5");
    expect(running.map(({ input }) => input.name)).toEqual(["a", "b", "c", "f"]);
    expect(states()).toEqual(["f uploading"]);
  });

  test("does not delete the file of a sent message at the service", async () => {
    const { add, queue, running, deleted } = createTestQueue();
    add("a");
    void running[0]!.listener.created("/u/1");
    running[0]!.listener.done({ fileId: 5 });
    queue.claim(["u1"], "m1");
    queue.remove(["u1"]);
    await vi.advanceTimersByTimeAsync(0);
    expect(deleted).toEqual([]);
  });

  test("rejects an empty file without sending it", () => {
    const { queue, running, stored } = createTestQueue();
    queue.add({ accountId: 1, projectId: 1 }, [{ file: new File([], "empty.wav"), target: null }]);
    expect(queue.uploads()[0]).toMatchObject({ state: "failed", error: "empty", isRetryable: false });
    expect([running.length, stored.size]).toEqual([0, 0]);
  });

  test("ignores an upload that another tab ends meanwhile, and releases its lock only after the last write", async () => {
    const { queue, lockedIds, bytes } = createTestQueue({
      storedUploads: [{ upload: buildUpload({ id: "sent", state: "done", fileId: 7, messageId: "m1" }), file: null }],
    });
    await queue.switchAccount(1);
    expect(queue.uploads()).toHaveLength(1);
    queue.remove(["sent"]);
    expect(lockedIds.has("sent")).toBe(true);
    await vi.waitFor(() => expect(lockedIds.has("sent")).toBe(false));
    expect(bytes.size).toBe(0);

    const storedUploads = [{ upload: buildUpload({ id: "theirs", state: "done", fileId: 8, messageId: "m2" }), file: null }];
    const second = createTestQueue({ storedUploads });
    second.onAcquire.run = () => void storedUploads.pop();
    await second.queue.switchAccount(1);
    expect(second.queue.uploads()).toEqual([]);
    expect(second.lockedIds.size).toBe(0);
  });

  test("removes a message's uploads from the tray and resumes paused ones", () => {
    const { add, queue, states, stored } = createTestQueue();
    add("a", "b");
    queue.pause("u1");
    queue.claim(["u1", "u2"], "m1");
    expect(queue.uploads().map(({ messageId }) => messageId)).toEqual(["m1", "m1"]);
    expect(states()).toEqual(["a uploading", "b uploading"]);
    expect(stored.get("u1")!.messageId).toBe("m1");
    queue.remove(["u1", "u2"]);
    expect([queue.uploads(), stored.size]).toEqual([[], 0]);
  });

  test("persists a claim after its message; without the message the uploads return to the tray", async () => {
    const { add, queue, stored } = createTestQueue();
    add("a");
    const message = Promise.withResolvers<void>();
    queue.claim(["u1"], "m1", message.promise);
    expect([queue.uploads()[0]!.messageId, stored.get("u1")!.messageId]).toEqual(["m1", null]);
    message.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(stored.get("u1")!.messageId).toBe("m1");
  });

  test("persists changes of a claimed upload without the claim until its message is stored", async () => {
    const { add, queue, running, stored } = createTestQueue();
    add("a", "b");
    queue.pause("u1");
    const message = Promise.withResolvers<void>();
    queue.claim(["u1", "u2"], "m1", message.promise);
    running[1]!.listener.done({ fileId: 7 });
    expect(stored.get("u1")).toMatchObject({ messageId: null });
    expect(stored.get("u2")).toMatchObject({ state: "done", messageId: null });
    message.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect([stored.get("u1")!.messageId, stored.get("u2")!.messageId]).toEqual(["m1", "m1"]);
  });

  test("stops another account's uploads: those in the tray are deleted, those into folders wait for the account", async () => {
    const { add, queue, running, states, stored, bytes, lockedIds } = createTestQueue();
    add("a");
    const target = { kind: "folder" as const, folderId: 1, folderName: "Stems", path: "" };
    queue.add({ accountId: 1, projectId: 1 }, [{ file: new File(["bytes"], "b"), target }]);
    await vi.advanceTimersByTimeAsync(0);
    await queue.switchAccount(2);
    expect(running.map(({ stopped }) => stopped)).toEqual([true, true]);
    expect([states(), [...stored.keys()], [...bytes], lockedIds.size]).toEqual([[], ["u2"], ["u2"], 0]);
  });
});
