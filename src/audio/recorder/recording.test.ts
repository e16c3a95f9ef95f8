import { expect, test } from "vitest";
import { createLevels, normalizeWave } from "./levels.ts";
import {
  chooseFormat,
  IDLE,
  isSilent,
  MAX_SECONDS,
  type Recording,
  type RecordingEvent,
  recordingReducer,
  secondsUntilLimit,
  softCancelReason,
  toMicrophoneErrorCode,
  voiceFileName,
} from "./recording.ts";

const chat = { accountId: 1, projectId: 2 };
const stateAfter = (...events: RecordingEvent[]): Recording => events.reduce(recordingReducer, IDLE);
const OPENED: RecordingEvent[] = [
  { type: "requested", chat },
  { type: "opened", device: "Fake", input: "", isFallbackInput: false },
];
const tick = (seconds: number, level: number | null = 0.3): RecordingEvent => ({ type: "tick", seconds, level });
const ended = (seconds: number): RecordingEvent => ({ type: "ended", seconds, id: "a" });

test("a press opens the microphone, records, ends and returns the outcome", () => {
  expect(stateAfter({ type: "requested", chat })).toMatchObject({ phase: "requesting", chat });
  expect(stateAfter(...OPENED, tick(2))).toMatchObject({ phase: "recording", device: "Fake", seconds: 2 });
  const endingState = stateAfter(...OPENED, tick(2), { type: "end", reason: "stopped" });
  expect(endingState).toMatchObject({ phase: "ending", endReason: "stopped" });
  // No event changes the recording while the last bytes arrive.
  for (const late of [tick(3), { type: "end", reason: "canceled" }, { type: "requested", chat }] as RecordingEvent[])
    expect(recordingReducer(endingState, late)).toBe(endingState);
  expect(recordingReducer(endingState, ended(2.1))).toMatchObject({ phase: "idle", outcome: { reason: "stopped", seconds: 2.1, id: "a" } });
  // The next press clears the outcome.
  expect(stateAfter(...OPENED, { type: "end", reason: "stopped" }, ended(2), { type: "requested", chat })).toMatchObject({
    phase: "requesting",
    outcome: null,
  });
});

test("whatever ends the recording preserves it, unless it is too short", () => {
  for (const reason of ["stopped", "limit", "unplugged", "broken", "closed", "canceled"] as const)
    expect(stateAfter(...OPENED, { type: "end", reason }, ended(5)).outcome).toEqual({ reason, seconds: 5, id: "a" });
  // The recorder itself ended, without an event before.
  expect(stateAfter(...OPENED, ended(5)).outcome).toMatchObject({ reason: "unplugged" });
  expect(stateAfter(...OPENED, { type: "end", reason: "stopped" }, ended(0.2)).outcome).toEqual({ reason: "short" });
  expect(stateAfter(...OPENED, { type: "end", reason: "canceled" }, ended(0.2)).outcome).toBeNull();
});

test("canceling before the microphone opens, or dismissing its error, resets the state", () => {
  expect(stateAfter({ type: "requested", chat }, { type: "end", reason: "canceled" })).toBe(IDLE);
  const denied = stateAfter({ type: "requested", chat }, { type: "failed", error: "denied" });
  expect(denied).toMatchObject({ phase: "idle", error: "denied" });
  expect(recordingReducer(denied, { type: "dismiss" })).toBe(IDLE);
  expect(recordingReducer(denied, { type: "opened", device: "late", input: "", isFallbackInput: false })).toBe(denied);
  expect(recordingReducer(IDLE, { type: "dismiss" })).toBe(IDLE);
});

test("the remaining time is known in the last minute, and the limit ends the recording at its full length", () => {
  expect(secondsUntilLimit(stateAfter(...OPENED, tick(MAX_SECONDS - 61)))).toBeNull();
  expect(secondsUntilLimit(stateAfter(...OPENED, tick(MAX_SECONDS - 60)))).toBe(60);
  const over = stateAfter(...OPENED, tick(MAX_SECONDS + 0.04));
  expect(over).toMatchObject({ phase: "ending", endReason: "limit", seconds: MAX_SECONDS });
  expect(secondsUntilLimit(over)).toBeNull();
});

test("silence counts after three seconds at the start, and after ten seconds once there was sound", () => {
  const silentAt = (...ticks: RecordingEvent[]) => isSilent(stateAfter(...OPENED, ...ticks));
  expect(silentAt(tick(2.9, 0))).toBe(false);
  expect(silentAt(tick(3, 0.001))).toBe(true);
  expect(silentAt(tick(1, 0.2), tick(9, 0))).toBe(false);
  expect(silentAt(tick(1, 0.2), tick(11, 0))).toBe(true);
  expect(silentAt(tick(1, 0), tick(4, 0), tick(4.1, 0.1))).toBe(false);
  // Without a measurement, silence is not reported.
  expect(silentAt(tick(60, null))).toBe(false);
  const muted = stateAfter(...OPENED, { type: "muted", muted: true });
  expect(isSilent(muted)).toBe(true);
  expect(recordingReducer(muted, { type: "muted", muted: true })).toBe(muted);
  expect(isSilent(recordingReducer(muted, { type: "muted", muted: false }))).toBe(false);
});

test("an accidental cancel deletes a short recording and preserves a long one as a draft", () => {
  expect(softCancelReason(stateAfter(...OPENED, tick(30)))).toBe("canceled");
  expect(softCancelReason(stateAfter(...OPENED, tick(31)))).toBe("stopped");
  expect(softCancelReason(stateAfter({ type: "requested", chat }))).toBe("canceled");
});

test("a recording that cannot be persisted continues in memory and is marked", () => {
  const unpersisted = stateAfter(...OPENED, { type: "storageFailed" });
  expect(unpersisted).toMatchObject({ phase: "recording", isPersisted: false });
  expect(recordingReducer(unpersisted, { type: "storageFailed" })).toBe(unpersisted);
  expect(recordingReducer(IDLE, { type: "storageFailed" })).toBe(IDLE);
  expect(stateAfter({ type: "requested", chat })).toMatchObject({ isPersisted: true });
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
])("%o is reported as %s", (error, code) => expect(toMicrophoneErrorCode(error)).toBe(code));

test("chooseFormat prefers Opus in WebM, then Safari's formats, then any supported one", () => {
  const supports =
    (...types: string[]) =>
    (type: string) =>
      types.includes(type);
  expect(chooseFormat(() => true)).toBe("audio/webm;codecs=opus");
  expect(chooseFormat(supports("audio/mp4", "audio/mp4;codecs=mp4a.40.2"))).toBe("audio/mp4;codecs=mp4a.40.2");
  expect(chooseFormat(supports("audio/mp4"))).toBe("audio/mp4");
  expect(chooseFormat(supports("audio/ogg;codecs=opus"))).toBe("audio/ogg;codecs=opus");
  expect(chooseFormat(() => false)).toBeNull();
  const at = new Date(2026, 10, 21, 8, 4).getTime();
  expect(["audio/webm;codecs=opus", "audio/mp4", "audio/ogg; codecs=opus"].map((type) => voiceFileName(at, type))).toEqual([
    "Voice note 2026-11-21 08.04.webm",
    "Voice note 2026-11-21 08.04.m4a",
    "Voice note 2026-11-21 08.04.ogg",
  ]);
});

test("levels become a wave of the whole recording, even from sparse samples", () => {
  const levels = createLevels();
  expect(levels.recent(3)).toEqual([0, 0, 0]);
  levels.add(0, 0.1);
  levels.add(0.05, 0.4);
  levels.add(0.1, 0.2);
  levels.add(0.35, 0.8);
  expect(levels.wave()).toEqual([0.4, 0.2, 0.8, 0.8]);
  expect(levels.recent(3)).toEqual([0.2, 0.8, 0.8]);
  for (let second = 1; second < 600; second += 1) levels.add(second, second < 300 ? 0.1 : 1.5);
  const wave = levels.wave();
  expect(wave).toHaveLength(200);
  expect([wave[50], wave[150]]).toEqual([0.1, 1]);
  expect(normalizeWave([0, 0.25, 0.5])).toEqual([0, 0.5, 1]);
  expect(normalizeWave([0.001, 0.002])).toEqual([0.008, 0.016]);
  expect(normalizeWave([0, 0])).toEqual([0, 0]);
});
