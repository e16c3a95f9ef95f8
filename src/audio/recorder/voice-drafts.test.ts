import { beforeEach, expect, test, vi } from "vitest";
import { createFakeStorage } from "./recorder.fixture.ts";
import { createVoiceDrafts } from "./voice-drafts.ts";

const chat = { accountId: 1, projectId: 2 };
const bytes = new Blob(["sound"]);
const metadata = { id: "recording", service: "https://talkback.test/", ...chat, type: "audio/webm", startedAt: 0, seconds: 2, wave: [], discarded: false };

let storage: ReturnType<typeof createFakeStorage>;
let drafts: ReturnType<typeof createVoiceDrafts>;

/** Resolves in the next task. Nothing here waits for real time, so every consequence of the previous step has happened by then. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));
const newPage = (page: object = {}) =>
  createVoiceDrafts({ storage: storage.forPage(page), getServiceUrl: () => metadata.service, schedule: () => undefined }, () => undefined);
const visibleIds = () => drafts.visible().map((draft) => draft.metadata.id);
/** Adds a draft as the recorder does when a recording ends. */
async function addDraft() {
  drafts.acquireLock(metadata.id);
  drafts.add({ metadata, bytes, isRecovered: false, isPersisted: true });
  await drafts.persist(metadata, [bytes]);
}

beforeEach(async () => {
  storage = createFakeStorage();
  drafts = newPage();
  drafts.openChat(chat);
  await addDraft();
});

test("a recording that is sent again after an undo stays until its new message is stored", async () => {
  const [firstPersisted, secondPersisted] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  const firstHandOver = drafts.handOver(metadata.id, firstPersisted.promise);
  await drafts.undoSend(metadata, bytes);
  const secondHandOver = drafts.handOver(metadata.id, secondPersisted.promise);
  // The undone message was stored late.
  firstPersisted.resolve(true);
  await firstHandOver;
  await nextTask();
  expect([visibleIds(), storage.recordings.get(metadata.id)?.isSendUndone]).toEqual([[], true]);
  secondPersisted.resolve(false);
  await secondHandOver;
  expect(visibleIds()).toEqual(["recording"]);
});

test("a draft counts as unpersisted while it is being stored", async () => {
  await drafts.handOver(metadata.id, Promise.resolve(true));
  expect(drafts.hasUnpersisted()).toBe(false);
  const undone = drafts.undoSend(metadata, bytes);
  expect([drafts.visible()[0]!.isPersisted, drafts.hasUnpersisted()]).toEqual([true, true]);
  await undone;
  expect(drafts.hasUnpersisted()).toBe(false);
});

test("the draft of an undone message is available to other tabs once its chat is closed", async () => {
  await drafts.handOver(metadata.id, Promise.resolve(true));
  await drafts.undoSend(metadata, bytes);
  await nextTask();
  expect(await storage.forPage({}).acquireLock(metadata.id)).toBeNull();
  drafts.closeChat();
  await nextTask();
  drafts = newPage();
  drafts.openChat(chat);
  await nextTask();
  expect(visibleIds()).toEqual(["recording"]);
});

test("an undone message is stored with its bytes although its recording was still being written when it was removed", async () => {
  const lateWrite = drafts.persist(metadata, [bytes, bytes]);
  drafts.removeDraft(metadata.id);
  await drafts.undoSend(metadata, new Blob([bytes, bytes]));
  await lateWrite;
  expect((await storage.forPage({}).read(metadata.id))?.bytes.size).toBe(2 * bytes.size);
});

test("a message that is undone while its recording is being claimed keeps its draft and its lock", async () => {
  const page = {};
  drafts.closeChat();
  await nextTask();
  const read = Promise.withResolvers<null>();
  const pageStorage = { ...storage.forPage(page), read: vi.fn<() => Promise<null>>(() => read.promise) };
  drafts = createVoiceDrafts({ storage: pageStorage, getServiceUrl: () => metadata.service, schedule: () => undefined }, () => undefined);
  drafts.openChat(chat);
  await nextTask();
  expect(pageStorage.read).toHaveBeenCalledOnce();
  const undone = drafts.undoSend(metadata, bytes);
  read.resolve(null);
  await undone;
  await nextTask();
  expect([visibleIds(), storage.recordings.get(metadata.id)?.isSendUndone]).toEqual([["recording"], true]);
  expect(await storage.forPage({}).acquireLock(metadata.id)).toBeNull();
  drafts.closeChat();
  await nextTask();
  expect(await storage.forPage({}).acquireLock(metadata.id)).not.toBeNull();
});
