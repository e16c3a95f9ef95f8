import { beforeEach, expect, test } from "vitest";
import { MicrophoneError, type Microphone } from "./microphone.ts";
import { createFakeStorage, fakeMicrophone } from "./recorder.fixture.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { MicrophoneErrorCode } from "./recording.ts";

const chat = { accountId: 1, projectId: 2 };
const SERVICE = "https://talkback.test/";

let storage: ReturnType<typeof createFakeStorage>;
let microphone: ReturnType<typeof fakeMicrophone>;
let open: (wanted: string | null) => Promise<Microphone>;
let now: number;
let page: object;
let recorder: Recorder;
let ticks: Set<() => void>;
let scheduled: (() => void)[];
let activeChanges: boolean[];
let ids = 0;

/** Resolves in the next task. Nothing here waits for real time, so every consequence of the previous step has happened by then. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));
function newPage(): Recorder {
  page = {};
  ticks = new Set();
  scheduled = [];
  activeChanges = [];
  return createRecorder({
    open: (wanted) => open(wanted),
    getPreferredInput: () => null,
    storage: storage.forPage(page),
    getServiceUrl: () => SERVICE,
    onActiveChange: (on) => void activeChanges.push(on),
    startTicking(callback) {
      ticks.add(callback);
      return () => void ticks.delete(callback);
    },
    schedule: (callback) => void scheduled.push(callback),
    createId: () => `id-${(ids += 1)}`,
    clock: () => now,
    now: () => 1_790_000_000_000 + now,
  });
}
/** Advances time in ticks of the meter, with a chunk each second. */
function advance(seconds: number) {
  for (let step = 1; step <= seconds * 20; step += 1) {
    now += 50;
    for (const tick of ticks) tick();
    if (step % 20 === 0) microphone.listener?.chunk(new Blob([`chunk ${now}`]));
  }
}
async function begin() {
  recorder.start(chat);
  await nextTask();
}
async function record(seconds: number) {
  await begin();
  advance(seconds);
  recorder.end("stopped");
  await nextTask();
}
const otherChat = { ...chat, projectId: 3 };
const draftSeconds = () => recorder.drafts().map(({ metadata }) => metadata.seconds);

beforeEach(() => {
  storage = createFakeStorage();
  microphone = fakeMicrophone();
  open = async () => microphone;
  now = 0;
  recorder = newPage();
});

test("a finished recording is a draft until it is sent; playback is suspended while recording", async () => {
  await begin();
  expect([recorder.state().phase, activeChanges]).toEqual(["recording", [true]]);
  advance(3);
  recorder.end("stopped");
  await nextTask();
  expect([microphone.closeCount, ticks.size, activeChanges]).toEqual([1, 0, [true, false]]);
  const [draft] = recorder.drafts();
  expect(draft).toMatchObject({
    isRecovered: false,
    isPersisted: true,
    metadata: { ...chat, service: SERVICE, seconds: 3, type: "audio/webm;codecs=opus", discarded: false },
  });
  expect(draft!.metadata.wave.length).toBeGreaterThan(25);
  expect(await draft!.bytes.text()).toBe("chunk 1000chunk 2000chunk 3000end");
  const persisted = Promise.withResolvers<boolean>();
  const handedOver = recorder.handOver(draft!.metadata.id, persisted.promise);
  expect(recorder.drafts()).toEqual([]);
  await nextTask();
  // The recording stays until its bytes are stored elsewhere.
  expect(storage.recordings.size).toBe(1);
  persisted.resolve(true);
  await handedOver;
  await nextTask();
  expect(storage.recordings.size).toBe(0);
});

test("a recording in a tab that crashes is recovered by the account's next tab, and by no other account", async () => {
  await begin();
  advance(2.5);
  await nextTask();
  const first = page;
  const second = newPage();
  second.openChat(chat);
  await nextTask();
  // The first page is still recording.
  expect(second.drafts()).toEqual([]);
  second.openChat({ ...chat, accountId: 9 });
  storage.crash(first);
  await nextTask();
  expect(second.drafts()).toEqual([]);
  second.openChat(chat);
  second.openChat(chat);
  await nextTask();
  expect(second.drafts()).toHaveLength(1);
  expect(second.drafts()[0]).toMatchObject({ isRecovered: true, metadata: { seconds: 2 } });
  expect(await second.drafts()[0]!.bytes.text()).toBe("chunk 1000chunk 2000");
});

test("an open chat waits for the recording tab to close, and retries when storage fails", async () => {
  await begin();
  advance(2);
  await nextTask();
  const first = page;
  recorder = newPage();
  storage.failingCalls = 1;
  recorder.openChat(chat);
  await nextTask();
  for (const run of scheduled) run();
  await nextTask();
  expect(draftSeconds()).toEqual([]);
  storage.crash(first);
  await nextTask();
  expect(draftSeconds()).toEqual([2]);
});

test("drafts of a closed chat are available to other tabs, those of an open chat are not", async () => {
  await record(2);
  const first = recorder;
  const second = newPage();
  second.openChat(otherChat);
  await nextTask();
  expect(second.drafts()).toEqual([]);
  second.openChat(chat);
  await nextTask();
  expect(second.drafts()).toEqual([]);
  first.closeChat(chat);
  await nextTask();
  expect([first.drafts().length, second.drafts().length]).toEqual([0, 1]);
  second.closeChat(chat);
  first.openChat(chat);
  await nextTask();
  // The page's own recording does not count as recovered.
  expect(first.drafts()).toMatchObject([{ isRecovered: false, metadata: { seconds: 2 } }]);
});

test("closing the chat ends the recording and persists it until the chat opens again", async () => {
  await begin();
  advance(2);
  recorder.closeChat(chat);
  await nextTask();
  expect([recorder.state().phase, recorder.drafts(), storage.recordings.size]).toEqual(["idle", [], 1]);
  recorder.openChat(chat);
  await nextTask();
  expect(draftSeconds()).toEqual([2]);
});

test("a draft that is being deleted is not available in any tab", async () => {
  await record(2);
  const removing = Promise.withResolvers<void>();
  storage.removing = removing.promise;
  const second = newPage();
  second.openChat(chat);
  const { id } = recorder.drafts()[0]!.metadata;
  void recorder.handOver(id, Promise.resolve(true));
  await nextTask();
  expect([recorder.drafts(), second.drafts()]).toEqual([[], []]);
  removing.resolve();
  await nextTask();
  await nextTask();
  expect([second.drafts(), storage.recordings.size]).toEqual([[], 0]);
});

test("a recording is a draft again after its send fails or is undone", async () => {
  await record(2);
  const { metadata, bytes } = recorder.drafts()[0]!;
  await recorder.handOver(metadata.id, Promise.reject(new Error("no code")));
  expect(draftSeconds()).toEqual([2]);
  const persisted = Promise.withResolvers<boolean>();
  const handedOver = recorder.handOver(metadata.id, persisted.promise);
  expect(draftSeconds()).toEqual([]);
  await recorder.undoSend(metadata, bytes);
  expect(draftSeconds()).toEqual([2]);
  persisted.resolve(true);
  await handedOver;
  expect(draftSeconds()).toEqual([2]);
  // The bytes were stored elsewhere, and nothing was left here.
  await recorder.handOver(metadata.id, Promise.resolve(true));
  await nextTask();
  expect(storage.recordings.size).toBe(0);
  await recorder.undoSend(metadata, bytes);
  await nextTask();
  expect([draftSeconds(), storage.recordings.size]).toEqual([[2], 1]);
  storage.crash(page);
  recorder = newPage();
  recorder.openChat(chat);
  await nextTask();
  expect(await recorder.drafts()[0]!.bytes.text()).toBe(await bytes.text());
});

test("canceled and deleted recordings can be restored for a short time, but not after a reload", async () => {
  await begin();
  advance(2);
  recorder.end("canceled");
  await nextTask();
  expect(recorder.drafts()).toEqual([]);
  expect(recorder.state().outcome).toMatchObject({ reason: "canceled" });
  recorder.restore();
  expect(draftSeconds()).toEqual([2]);
  const [draft] = recorder.drafts();
  recorder.discard(draft!.metadata.id);
  expect(recorder.discarded()?.metadata.id).toBe(draft!.metadata.id);
  await nextTask();
  // The page crashes while the discarded recording could still be restored.
  storage.crash(page);
  const next = newPage();
  // Another account signs in next: the recording does not stay on the disk.
  next.openChat({ accountId: 9, projectId: 9 });
  await nextTask();
  expect([next.drafts(), storage.recordings.size]).toEqual([[], 0]);
});

test("a canceled recording cannot be restored after the undo time", async () => {
  await begin();
  advance(2);
  recorder.end("canceled");
  await nextTask();
  for (const run of scheduled) run();
  await nextTask();
  recorder.restore();
  expect([recorder.drafts(), recorder.discarded(), storage.recordings.size]).toEqual([[], null, 0]);
});

test("unplugging the microphone ends the recording and preserves what was recorded", async () => {
  await begin();
  advance(4);
  microphone.listener!.lost("unplugged");
  now += 700;
  await nextTask();
  expect(recorder.state().outcome).toMatchObject({ reason: "unplugged", seconds: 4 });
  expect(draftSeconds()).toEqual([4]);
});

test.each(["insecure", "unsupported", "denied", "blocked", "none", "busy"] as MicrophoneErrorCode[])(
  "%s: the error is shown, and the next press retries",
  async (code) => {
    open = async () => {
      throw new MicrophoneError(code);
    };
    await begin();
    expect([recorder.state().error, activeChanges]).toEqual([code, [true, false]]);
    open = async () => microphone;
    await begin();
    expect(recorder.state()).toMatchObject({ phase: "recording", error: null });
  },
);

test("a missing selected microphone falls back to another one and shows its name", async () => {
  microphone.isFallbackInput = true;
  await begin();
  expect(recorder.state()).toMatchObject({ phase: "recording", isFallbackInput: true, device: "Fake" });
});

test("a press canceled before the microphone opens records nothing, however late it opens", async () => {
  const pendingMicrophone = Promise.withResolvers<Microphone>();
  open = () => pendingMicrophone.promise;
  recorder.start(chat);
  recorder.end("canceled");
  expect(activeChanges).toEqual([true, false]);
  pendingMicrophone.resolve(microphone);
  await nextTask();
  expect([recorder.state().phase, microphone.closeCount, microphone.listener]).toEqual(["idle", 1, null]);
});

test("on a full disk the recording continues in memory, is marked as not persisted and can be sent", async () => {
  storage.isFull = true;
  await begin();
  advance(2);
  await nextTask();
  expect(recorder.state().isPersisted).toBe(false);
  recorder.end("stopped");
  await nextTask();
  expect(recorder.drafts()[0]).toMatchObject({ isPersisted: false, metadata: { seconds: 2 } });
  expect(await recorder.drafts()[0]!.bytes.text()).toContain("chunk 2000");
});

test("chunks that could not be persisted are written in order before the next one", async () => {
  await begin();
  storage.isFull = true;
  advance(1);
  await nextTask();
  expect(recorder.hasUnpersisted()).toBe(true);
  storage.isFull = false;
  advance(1);
  recorder.end("stopped");
  await nextTask();
  expect([recorder.drafts()[0]!.isPersisted, recorder.hasUnpersisted()]).toEqual([true, false]);
  storage.crash(page);
  recorder = newPage();
  recorder.openChat(chat);
  await nextTask();
  expect(await recorder.drafts()[0]!.bytes.text()).toBe("chunk 1000chunk 2000end");
});

test("a recording whose last chunks are not persisted counts as unpersisted until it is sent or deleted", async () => {
  await begin();
  advance(2);
  await nextTask();
  storage.isFull = true;
  recorder.end("stopped");
  await nextTask();
  const [draft] = recorder.drafts();
  expect([draft!.isPersisted, recorder.hasUnpersisted()]).toEqual([false, true]);
  const persisted = Promise.withResolvers<boolean>();
  const handedOver = recorder.handOver(draft!.metadata.id, persisted.promise);
  expect([recorder.drafts(), recorder.hasUnpersisted()]).toEqual([[], true]);
  persisted.resolve(true);
  await handedOver;
  expect(recorder.hasUnpersisted()).toBe(false);
  await record(2);
  recorder.discard(recorder.drafts()[0]!.metadata.id);
  expect(recorder.hasUnpersisted()).toBe(false);
});

test("a microphone whose recording never ends is closed after a timeout, and its late events are ignored", async () => {
  microphone.stop = () => undefined;
  await begin();
  advance(2);
  recorder.end("stopped");
  await nextTask();
  expect(recorder.state().phase).toBe("ending");
  for (const run of scheduled) run();
  await nextTask();
  expect([recorder.state().phase, microphone.closeCount, activeChanges, draftSeconds()]).toEqual(["idle", 1, [true, false], [2]]);
  const oldMicrophone = microphone;
  microphone = fakeMicrophone();
  await begin();
  advance(1);
  oldMicrophone.listener!.lost("unplugged");
  oldMicrophone.listener!.chunk(new Blob(["late"]));
  oldMicrophone.listener!.ended();
  expect(recorder.state().phase).toBe("recording");
});

test("a press of 200 ms records nothing", async () => {
  await begin();
  now += 200;
  recorder.end("stopped");
  await nextTask();
  expect([recorder.state().outcome, recorder.drafts(), storage.recordings.size]).toEqual([{ reason: "short" }, [], 0]);
});

test("another microphone restarts the recording while it is silent, but not once there was sound", async () => {
  microphone.loudness = 0;
  await begin();
  advance(4);
  const previousMicrophone = microphone;
  microphone = fakeMicrophone();
  const outcomes = new Set<unknown>();
  recorder.subscribe(() => outcomes.add(recorder.state().outcome));
  expect(recorder.restart()).toBe(true);
  await nextTask();
  // Nothing was deleted, and no outcome is shown.
  expect([...outcomes]).toEqual([null]);
  expect([previousMicrophone.closeCount, recorder.state().phase, recorder.drafts(), recorder.discarded(), storage.recordings.size]).toEqual([
    1,
    "recording",
    [],
    null,
    0,
  ]);
  advance(1);
  expect(recorder.restart()).toBe(false);
  recorder.end("stopped");
  await nextTask();
  expect(draftSeconds()).toEqual([1]);
});

test("a restart does nothing after its chat was closed", async () => {
  microphone.loudness = 0;
  await begin();
  advance(1);
  recorder.restart();
  recorder.closeChat(chat);
  await nextTask();
  expect([recorder.state().phase, recorder.drafts(), storage.recordings.size]).toEqual(["idle", [], 0]);
});
