import { expect, test } from "vitest";
import { IDLE, MOST_SECONDS, step, type Happening, type Recording } from "../../audio/voice/recording.ts";
import { spokenOf } from "./spoken.ts";

/** Everything that is said while this happens. */
function heard(...happenings: Happening[]): string[] {
  const said: string[] = [];
  let now: Recording = IDLE;
  for (const happening of happenings) {
    const before = now;
    now = step(now, happening);
    const text = spokenOf(before, now);
    if (text !== null) said.push(text);
  }
  return said;
}
const OPENED: Happening[] = [
  { type: "press", owner: { accountId: 1, projectId: 2 } },
  { type: "opened", device: "Desk mic", input: "", missing: false },
];
const ticks = (from: number, to: number, level = 0.3): Happening[] =>
  Array.from({ length: (to - from) * 2 }, (_, index) => ({ type: "tick", seconds: from + index / 2, level }));

test("a recording is told as it goes on: its begin, each minute, its end", () => {
  expect(heard(...OPENED, ...ticks(0, 130), { type: "end", why: "stopped" }, { type: "ended", seconds: 130, id: "a" })).toEqual([
    "Recording",
    "1 minute recorded",
    "2 minutes recorded",
    "Recorded 2 minutes 10 seconds",
  ]);
  expect(heard(...OPENED, ...ticks(0, 5), { type: "end", why: "canceled" }, { type: "ended", seconds: 5, id: "a" })).toEqual([
    "Recording",
    "Recording deleted",
  ]);
});

test("what somebody who sees nothing would miss: silence, and that the end is near", () => {
  expect(heard(...OPENED, ...ticks(0, 8, 0))).toEqual(["Recording", "No sound comes from Desk mic. Is it switched off or muted?"]);
  const near = heard(...OPENED, ...ticks(MOST_SECONDS - 62, MOST_SECONDS - 30));
  expect(near.filter((text) => text.startsWith("One minute"))).toHaveLength(1);
});
