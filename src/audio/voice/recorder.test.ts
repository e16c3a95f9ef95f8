import { beforeEach, expect, test } from "vitest";
import { MicrophoneError, type Microphone } from "./microphone.ts";
import { browserShelf, fakeMicrophone } from "./recorder.fixture.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { MicrophoneFault } from "./recording.ts";
import { unbroken } from "./shelf.ts";

const owner = { accountId: 1, projectId: 2 };
const SERVICE = "https://talkback.test/";

let shelf: ReturnType<typeof browserShelf>;
let microphone: ReturnType<typeof fakeMicrophone>;
let open: (wanted: string | null) => Promise<Microphone>;
let now: number;
let page: object;
let recorder: Recorder;
let ticks: Set<() => void>;
let later: (() => void)[];
let hushed: boolean[];
let ids = 0;

/** Nothing here waits for time: when the next task runs, all that follows from the last one has happened. */
const settled = () => new Promise((resolve) => setTimeout(resolve));
function newPage(): Recorder {
  page = {};
  ticks = new Set();
  later = [];
  hushed = [];
  return createRecorder({
    open: (wanted) => open(wanted),
    wanted: () => null,
    shelf: shelf.of(page),
    service: () => SERVICE,
    quiet: (on) => void hushed.push(on),
    every(callback) {
      ticks.add(callback);
      return () => void ticks.delete(callback);
    },
    after: (callback) => void later.push(callback),
    newId: () => `id-${(ids += 1)}`,
    clock: () => now,
    now: () => 1_790_000_000_000 + now,
  });
}
/** Time goes on in steps of the meter, with a chunk each second. */
function pass(seconds: number) {
  for (let step = 1; step <= seconds * 20; step += 1) {
    now += 50;
    for (const tick of ticks) tick();
    if (step % 20 === 0) microphone.listener?.chunk(new Blob([`chunk ${now}`]));
  }
}
async function begin() {
  recorder.start(owner);
  await settled();
}
async function record(seconds: number) {
  await begin();
  pass(seconds);
  recorder.end("stopped");
  await settled();
}
const elsewhere = { ...owner, projectId: 3 };
const lengths = () => recorder.drafts().map(({ note }) => note.seconds);

beforeEach(() => {
  shelf = browserShelf();
  microphone = fakeMicrophone();
  open = async () => microphone;
  now = 0;
  recorder = newPage();
});

test("what was recorded stands as a draft until it is handed over; playing waits meanwhile", async () => {
  await begin();
  expect([recorder.state().phase, hushed]).toEqual(["recording", [true]]);
  pass(3);
  recorder.end("stopped");
  await settled();
  expect([microphone.closed, ticks.size, hushed]).toEqual([1, 0, [true, false]]);
  const [draft] = recorder.drafts();
  expect(draft).toMatchObject({ found: false, kept: true, note: { ...owner, service: SERVICE, seconds: 3, type: "audio/webm;codecs=opus", discarded: false } });
  expect(draft!.note.wave.length).toBeGreaterThan(25);
  expect(await draft!.bytes.text()).toBe("chunk 1000chunk 2000chunk 3000end");
  const kept = Promise.withResolvers<boolean>();
  const over = recorder.handOver(draft!.note.id, kept.promise);
  expect(recorder.drafts()).toEqual([]);
  await settled();
  // Not before somebody else keeps its bytes.
  expect(shelf.notes.size).toBe(1);
  kept.resolve(true);
  await over;
  await settled();
  expect(shelf.notes.size).toBe(0);
});

test("a tab that dies while it records leaves what it had to the next one, and to nobody else", async () => {
  await begin();
  pass(2.5);
  await settled();
  const first = page;
  const second = newPage();
  second.look(owner);
  await settled();
  // The first one still records.
  expect(second.drafts()).toEqual([]);
  second.look({ ...owner, accountId: 9 });
  shelf.crash(first);
  await settled();
  expect(second.drafts()).toEqual([]);
  second.look(owner);
  second.look(owner);
  await settled();
  expect(second.drafts()).toHaveLength(1);
  expect(second.drafts()[0]).toMatchObject({ found: true, note: { seconds: 2 } });
  expect(await second.drafts()[0]!.bytes.text()).toBe("chunk 1000chunk 2000");
});

test("a chat that is open waits for the tab that is about to go, and asks again where nothing answers", async () => {
  await begin();
  pass(2);
  await settled();
  const first = page;
  recorder = newPage();
  shelf.silent = 1;
  recorder.look(owner);
  await settled();
  for (const run of later) run();
  await settled();
  expect(lengths()).toEqual([]);
  shelf.crash(first);
  await settled();
  expect(lengths()).toEqual([2]);
});

test("a chat that is closed is for other tabs; one that is open is for nobody else", async () => {
  await record(2);
  const first = recorder;
  const second = newPage();
  second.look(elsewhere);
  await settled();
  expect(second.drafts()).toEqual([]);
  second.look(owner);
  await settled();
  expect(second.drafts()).toEqual([]);
  first.leave(owner);
  await settled();
  expect([first.drafts().length, second.drafts().length]).toEqual([0, 1]);
  second.leave(owner);
  first.look(owner);
  await settled();
  // Its own one: not a find.
  expect(first.drafts()).toMatchObject([{ found: false, note: { seconds: 2 } }]);
});

test("a chat that is closed while it records keeps it for its return", async () => {
  await begin();
  pass(2);
  recorder.leave(owner);
  await settled();
  expect([recorder.state().phase, recorder.drafts(), shelf.notes.size]).toEqual(["idle", [], 1]);
  recorder.look(owner);
  await settled();
  expect(lengths()).toEqual([2]);
});

test("what is being forgotten is offered by nobody", async () => {
  await record(2);
  const removing = Promise.withResolvers<void>();
  shelf.removing = removing.promise;
  const second = newPage();
  second.look(owner);
  const { id } = recorder.drafts()[0]!.note;
  void recorder.handOver(id, Promise.resolve(true));
  await settled();
  expect([recorder.drafts(), second.drafts()]).toEqual([[], []]);
  removing.resolve();
  await settled();
  await settled();
  expect([second.drafts(), shelf.notes.size]).toEqual([[], 0]);
});

test("handed over in vain, or taken back: it is a draft again", async () => {
  await record(2);
  const { note, bytes } = recorder.drafts()[0]!;
  await recorder.handOver(note.id, Promise.reject(new Error("no code")));
  expect(lengths()).toEqual([2]);
  const kept = Promise.withResolvers<boolean>();
  const over = recorder.handOver(note.id, kept.promise);
  expect(lengths()).toEqual([]);
  await recorder.takeBack(note, bytes);
  expect(lengths()).toEqual([2]);
  kept.resolve(true);
  await over;
  expect(lengths()).toEqual([2]);
  // Somebody else kept its bytes, and nothing was left here.
  await recorder.handOver(note.id, Promise.resolve(true));
  await settled();
  expect(shelf.notes.size).toBe(0);
  await recorder.takeBack(note, bytes);
  await settled();
  expect([lengths(), shelf.notes.size]).toEqual([[2], 1]);
  shelf.crash(page);
  recorder = newPage();
  recorder.look(owner);
  await settled();
  expect(await recorder.drafts()[0]!.bytes.text()).toBe(await bytes.text());
});

test("canceled and deleted ones come back for a moment, and never after a reload", async () => {
  await begin();
  pass(2);
  recorder.end("canceled");
  await settled();
  expect(recorder.drafts()).toEqual([]);
  expect(recorder.state().outcome).toMatchObject({ why: "canceled" });
  recorder.restore();
  expect(lengths()).toEqual([2]);
  const [draft] = recorder.drafts();
  recorder.discard(draft!.note.id);
  expect(recorder.discarded()?.note.id).toBe(draft!.note.id);
  await settled();
  // A page that dies meanwhile has thrown it away.
  shelf.crash(page);
  const next = newPage();
  // Whoever signs in next: it does not stay on the disk.
  next.look({ accountId: 9, projectId: 9 });
  await settled();
  expect([next.drafts(), shelf.notes.size]).toEqual([[], 0]);
});

test("the moment ends", async () => {
  await begin();
  pass(2);
  recorder.end("canceled");
  await settled();
  for (const run of later) run();
  await settled();
  recorder.restore();
  expect([recorder.drafts(), recorder.discarded(), shelf.notes.size]).toEqual([[], null, 0]);
});

test("unplugged while recording: what there is stays", async () => {
  await begin();
  pass(4);
  microphone.listener!.lost("unplugged");
  now += 700;
  await settled();
  expect(recorder.state().outcome).toMatchObject({ why: "unplugged", seconds: 4 });
  expect(lengths()).toEqual([4]);
});

test.each(["insecure", "unsupported", "denied", "blocked", "none", "busy"] as MicrophoneFault[])("%s: told, and the next press tries again", async (fault) => {
  open = async () => {
    throw new MicrophoneError(fault);
  };
  await begin();
  expect([recorder.state().fault, hushed]).toEqual([fault, [true, false]]);
  open = async () => microphone;
  await begin();
  expect(recorder.state()).toMatchObject({ phase: "recording", fault: null });
});

test("a chosen microphone that is not there: another one is named", async () => {
  microphone.missing = true;
  await begin();
  expect(recorder.state()).toMatchObject({ phase: "recording", missing: true, device: "Fake" });
});

test("a press taken back before the microphone answers records nothing, however late it answers", async () => {
  const answer = Promise.withResolvers<Microphone>();
  open = () => answer.promise;
  recorder.start(owner);
  recorder.end("canceled");
  expect(hushed).toEqual([true, false]);
  answer.resolve(microphone);
  await settled();
  expect([recorder.state().phase, microphone.closed, microphone.listener]).toEqual(["idle", 1, null]);
});

test("a full disk: it goes on in memory, says so, and can be sent", async () => {
  shelf.full = true;
  await begin();
  pass(2);
  await settled();
  expect(recorder.state().kept).toBe(false);
  recorder.end("stopped");
  await settled();
  expect(recorder.drafts()[0]).toMatchObject({ kept: false, note: { seconds: 2 } });
  expect(await recorder.drafts()[0]!.bytes.text()).toContain("chunk 2000");
});

test("what the browser refused once is made good, in order, before what follows it", async () => {
  await begin();
  shelf.full = true;
  pass(1);
  await settled();
  expect(recorder.hasUnkept()).toBe(true);
  shelf.full = false;
  pass(1);
  recorder.end("stopped");
  await settled();
  expect([recorder.drafts()[0]!.kept, recorder.hasUnkept()]).toEqual([true, false]);
  shelf.crash(page);
  recorder = newPage();
  recorder.look(owner);
  await settled();
  expect(await recorder.drafts()[0]!.bytes.text()).toBe("chunk 1000chunk 2000end");
});

test("a disk that is full only for the last bytes is told too, until the note is sent or thrown away", async () => {
  await begin();
  pass(2);
  await settled();
  shelf.full = true;
  recorder.end("stopped");
  await settled();
  const [draft] = recorder.drafts();
  expect([draft!.kept, recorder.hasUnkept()]).toEqual([false, true]);
  const kept = Promise.withResolvers<boolean>();
  const over = recorder.handOver(draft!.note.id, kept.promise);
  expect([recorder.drafts(), recorder.hasUnkept()]).toEqual([[], true]);
  kept.resolve(true);
  await over;
  expect(recorder.hasUnkept()).toBe(false);
  await record(2);
  recorder.discard(recorder.drafts()[0]!.note.id);
  expect(recorder.hasUnkept()).toBe(false);
});

test("a microphone that never says it has ended is given up, with what it told; what it says later is nobody's", async () => {
  microphone.stop = () => undefined;
  await begin();
  pass(2);
  recorder.end("stopped");
  await settled();
  expect(recorder.state().phase).toBe("ending");
  for (const run of later) run();
  await settled();
  expect([recorder.state().phase, microphone.closed, hushed, lengths()]).toEqual(["idle", 1, [true, false], [2]]);
  const dead = microphone;
  microphone = fakeMicrophone();
  await begin();
  pass(1);
  dead.listener!.lost("unplugged");
  dead.listener!.chunk(new Blob(["late"]));
  dead.listener!.ended();
  expect(recorder.state().phase).toBe("recording");
});

test("a slip of the finger leaves nothing", async () => {
  await begin();
  now += 200;
  recorder.end("stopped");
  await settled();
  expect([recorder.state().outcome, recorder.drafts(), shelf.notes.size]).toEqual([{ why: "short" }, [], 0]);
});

test("another microphone begins anew while nothing was heard, and leaves alone what was", async () => {
  microphone.loudness = 0;
  await begin();
  pass(4);
  const before = microphone;
  microphone = fakeMicrophone();
  const outcomes = new Set<unknown>();
  recorder.subscribe(() => outcomes.add(recorder.state().outcome));
  expect(recorder.again()).toBe(true);
  await settled();
  // Nothing was deleted, and nobody is told so.
  expect([...outcomes]).toEqual([null]);
  expect([before.closed, recorder.state().phase, recorder.drafts(), recorder.discarded(), shelf.notes.size]).toEqual([1, "recording", [], null, 0]);
  pass(1);
  expect(recorder.again()).toBe(false);
  recorder.end("stopped");
  await settled();
  expect(lengths()).toEqual([1]);
});

test("nothing begins anew in a chat that was closed meanwhile", async () => {
  microphone.loudness = 0;
  await begin();
  pass(1);
  recorder.again();
  recorder.leave(owner);
  await settled();
  expect([recorder.state().phase, recorder.drafts(), shelf.notes.size]).toEqual(["idle", [], 0]);
});

test("behind a gap nothing is read", () => {
  const keys = (...indices: number[]) => indices.map((index) => `a:${String(index).padStart(6, "0")}`);
  expect([unbroken("a", keys(0, 1, 2)), unbroken("a", keys(0, 2)), unbroken("a", keys(1, 2)), unbroken("a", [])]).toEqual([3, 1, 0, 0]);
});
