import { expect, test } from "vitest";
import { chooseFormat, fileNameOf } from "./formats.ts";
import { createLevels, drawnUp } from "./levels.ts";
import { faultOf, IDLE, isSilent, MOST_SECONDS, secondsLeft, slipEnding, step, type Happening, type Recording } from "./recording.ts";

const owner = { accountId: 1, projectId: 2 };
const after = (...happenings: Happening[]): Recording => happenings.reduce(step, IDLE);
const OPENED: Happening[] = [
  { type: "press", owner },
  { type: "opened", device: "Fake", input: "", missing: false },
];
const tick = (seconds: number, level: number | null = 0.3): Happening => ({ type: "tick", seconds, level });
const ended = (seconds: number): Happening => ({ type: "ended", seconds, id: "a" });

test("a press asks, records, ends, and tells what it came to", () => {
  expect(after({ type: "press", owner })).toMatchObject({ phase: "asking", owner });
  expect(after(...OPENED, tick(2))).toMatchObject({ phase: "recording", device: "Fake", seconds: 2 });
  const ending = after(...OPENED, tick(2), { type: "end", why: "stopped" });
  expect(ending).toMatchObject({ phase: "ending", ending: "stopped" });
  // While the last bytes come nothing changes it any more.
  for (const late of [tick(3), { type: "end", why: "canceled" }, { type: "press", owner }] as Happening[]) expect(step(ending, late)).toBe(ending);
  expect(step(ending, ended(2.1))).toMatchObject({ phase: "idle", outcome: { why: "stopped", seconds: 2.1, id: "a" } });
  // The next press forgets it.
  expect(after(...OPENED, { type: "end", why: "stopped" }, ended(2), { type: "press", owner })).toMatchObject({ phase: "asking", outcome: null });
});

test("what was recorded is kept, whatever ends it but a cancel", () => {
  for (const why of ["stopped", "limit", "unplugged", "broken", "left", "canceled"] as const)
    expect(after(...OPENED, { type: "end", why }, ended(5)).outcome).toEqual({ why, seconds: 5, id: "a" });
  // The recorder itself gave up, without a word before.
  expect(after(...OPENED, ended(5)).outcome).toMatchObject({ why: "unplugged" });
  expect(after(...OPENED, { type: "end", why: "stopped" }, ended(0.2)).outcome).toEqual({ why: "short" });
  expect(after(...OPENED, { type: "end", why: "canceled" }, ended(0.2)).outcome).toBeNull();
});

test("nothing is left of a press that was taken back while the microphone was asked for, or refused it", () => {
  expect(after({ type: "press", owner }, { type: "end", why: "canceled" })).toBe(IDLE);
  const refused = after({ type: "press", owner }, { type: "fault", fault: "denied" });
  expect(refused).toMatchObject({ phase: "idle", fault: "denied" });
  expect(step(refused, { type: "dismiss" })).toBe(IDLE);
  expect(step(refused, { type: "opened", device: "late", input: "", missing: false })).toBe(refused);
  expect(step(IDLE, { type: "dismiss" })).toBe(IDLE);
});

test("the limit is told a minute before, and ends it with all of it", () => {
  expect(secondsLeft(after(...OPENED, tick(MOST_SECONDS - 61)))).toBeNull();
  expect(secondsLeft(after(...OPENED, tick(MOST_SECONDS - 60)))).toBe(60);
  const over = after(...OPENED, tick(MOST_SECONDS + 0.04));
  expect(over).toMatchObject({ phase: "ending", ending: "limit", seconds: MOST_SECONDS });
  expect(secondsLeft(over)).toBeNull();
});

test("a microphone that gives no sound is told after a while; pauses are not", () => {
  const silentAt = (...ticks: Happening[]) => isSilent(after(...OPENED, ...ticks));
  expect(silentAt(tick(2.9, 0))).toBe(false);
  expect(silentAt(tick(3, 0.001))).toBe(true);
  expect(silentAt(tick(1, 0.2), tick(9, 0))).toBe(false);
  expect(silentAt(tick(1, 0.2), tick(11, 0))).toBe(true);
  expect(silentAt(tick(1, 0), tick(4, 0), tick(4.1, 0.1))).toBe(false);
  // Where it cannot be measured nothing is claimed.
  expect(silentAt(tick(60, null))).toBe(false);
  const muted = after(...OPENED, { type: "muted", muted: true });
  expect(isSilent(muted)).toBe(true);
  expect(step(muted, { type: "muted", muted: true })).toBe(muted);
  expect(isSilent(step(muted, { type: "muted", muted: false }))).toBe(false);
});

test("a slip takes away what is short; what is long waits as a draft", () => {
  expect(slipEnding(after(...OPENED, tick(30)))).toBe("canceled");
  expect(slipEnding(after(...OPENED, tick(31)))).toBe("stopped");
  expect(slipEnding(after({ type: "press", owner }))).toBe("canceled");
});

test("a browser without room goes on in memory and says so", () => {
  const unkept = after(...OPENED, { type: "unkept" });
  expect(unkept).toMatchObject({ phase: "recording", kept: false });
  expect(step(unkept, { type: "unkept" })).toBe(unkept);
  expect(step(IDLE, { type: "unkept" })).toBe(IDLE);
  expect(after({ type: "press", owner })).toMatchObject({ kept: true });
});

test.each([
  [{ name: "NotAllowedError", message: "Permission denied" }, "denied"],
  [{ name: "NotAllowedError", message: "Permission denied by system" }, "blocked"],
  [{ name: "SecurityError" }, "denied"],
  [{ name: "NotFoundError", message: "Requested device not found" }, "none"],
  [{ name: "OverconstrainedError" }, "none"],
  [{ name: "NotReadableError", message: "Could not start audio source" }, "busy"],
  [{ name: "AbortError" }, "busy"],
  [new TypeError("odd"), "failed"],
  [undefined, "failed"],
])("%o means %s", (error, fault) => expect(faultOf(error)).toBe(fault));

test("the format: Opus in WebM, else what Safari records, else what there is", () => {
  const among =
    (...types: string[]) =>
    (type: string) =>
      types.includes(type);
  expect(chooseFormat(() => true)).toBe("audio/webm;codecs=opus");
  expect(chooseFormat(among("audio/mp4", "audio/mp4;codecs=mp4a.40.2"))).toBe("audio/mp4;codecs=mp4a.40.2");
  expect(chooseFormat(among("audio/mp4"))).toBe("audio/mp4");
  expect(chooseFormat(among("audio/ogg;codecs=opus"))).toBe("audio/ogg;codecs=opus");
  expect(chooseFormat(() => false)).toBeNull();
  const at = new Date(2026, 10, 21, 8, 4).getTime();
  expect(["audio/webm;codecs=opus", "audio/mp4", "audio/ogg; codecs=opus"].map((type) => fileNameOf(at, type))).toEqual([
    "Voice note 2026-11-21 08.04.webm",
    "Voice note 2026-11-21 08.04.m4a",
    "Voice note 2026-11-21 08.04.ogg",
  ]);
});

test("levels become a wave of the whole time, also where the page was asked rarely", () => {
  const levels = createLevels();
  expect(levels.recent(3)).toEqual([0, 0, 0]);
  levels.note(0, 0.1);
  levels.note(0.05, 0.4);
  levels.note(0.1, 0.2);
  levels.note(0.35, 0.8);
  expect(levels.wave()).toEqual([0.4, 0.2, 0.8, 0.8]);
  expect(levels.recent(3)).toEqual([0.2, 0.8, 0.8]);
  for (let second = 1; second < 600; second += 1) levels.note(second, second < 300 ? 0.1 : 1.5);
  const wave = levels.wave();
  expect(wave).toHaveLength(200);
  expect([wave[50], wave[150]]).toEqual([0.1, 1]);
  expect(drawnUp([0, 0.25, 0.5])).toEqual([0, 0.5, 1]);
  expect(drawnUp([0.001, 0.002])).toEqual([0.008, 0.016]);
  expect(drawnUp([0, 0])).toEqual([0, 0]);
});
