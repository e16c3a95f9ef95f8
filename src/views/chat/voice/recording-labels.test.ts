import { expect, test } from "vitest";
import { IDLE, MAX_SECONDS, recordingReducer, type RecordingEvent, type Recording } from "../../../audio/recorder/recording.ts";
import { recordingAnnouncement } from "./recording-labels.ts";

/** Returns all announcements that the events cause. */
function announcements(...events: RecordingEvent[]): string[] {
  const texts: string[] = [];
  let now: Recording = IDLE;
  for (const event of events) {
    const before = now;
    now = recordingReducer(now, event);
    const text = recordingAnnouncement(before, now);
    if (text !== null) texts.push(text);
  }
  return texts;
}
const OPENED: RecordingEvent[] = [
  { type: "requested", chat: { accountId: 1, projectId: 2 } },
  { type: "opened", device: "Desk mic", input: "", isFallbackInput: false },
];
const ticks = (from: number, to: number, level = 0.3): RecordingEvent[] =>
  Array.from({ length: (to - from) * 2 }, (_, index) => ({ type: "tick", seconds: from + index / 2, level }));

test("a recording announces its start, each minute and its end", () => {
  expect(announcements(...OPENED, ...ticks(0, 130), { type: "end", reason: "stopped" }, { type: "ended", seconds: 130, id: "a" })).toEqual([
    "Recording started",
    "1 minute recorded",
    "2 minutes recorded",
    "Recorded 2 minutes 10 seconds",
  ]);
  expect(announcements(...OPENED, ...ticks(0, 5), { type: "end", reason: "canceled" }, { type: "ended", seconds: 5, id: "a" })).toEqual([
    "Recording started",
    "Recording deleted",
  ]);
});

test("silence and the approaching limit are announced", () => {
  expect(announcements(...OPENED, ...ticks(0, 8, 0))).toEqual(["Recording started", "No sound from Desk mic. Check that it's on and not muted."]);
  const near = announcements(...OPENED, ...ticks(MAX_SECONDS - 62, MAX_SECONDS - 30));
  expect(near.filter((text) => text.startsWith("Recording stops"))).toHaveLength(1);
});
