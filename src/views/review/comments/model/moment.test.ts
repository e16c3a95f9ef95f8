import { expect, test } from "vitest";
import { BLANK, type Written } from "../../../../queries/drafts/comment-drafts.ts";
import { bounded, FOLLOW, joined, LEAST_RANGE, left, opened, placeOf, ranged, stamped, typed, versionOf } from "./moment.ts";

const heard = (seconds: number) => ({ seconds, loop: null });
const auto = (ms: number) => ({ kind: "at", at: ms, end: null, auto: true }) as const;

test("the moment of the first key stays while it plays; a text that is emptied lets go of it", () => {
  const first = typed(BLANK, "b", heard(83.4));
  const more = typed(first, "bass", heard(90));
  expect(more).toEqual({ text: "bass", mark: auto(83_400) });
  const emptied = typed(more, "", heard(95));
  expect(emptied).toEqual(BLANK);
  expect(typed(emptied, "x", heard(99)).mark).toEqual(auto(99_000));
});

test("the key that opens it marks what was just heard; leaving it without a word lets go again", () => {
  const open = opened(BLANK, heard(10));
  expect(typed(open, "x", heard(14)).mark).toEqual(auto(10_000));
  expect(left(open)).toEqual(BLANK);
  expect(left(typed(open, "x", heard(14))).mark).toEqual(auto(10_000));
});

test("who hears a stretch again and again means that", () => {
  const now = { seconds: 6, loop: { from: 5, to: 7.5 } };
  expect(typed(BLANK, "x", now).mark).toEqual({ kind: "at", at: 5_000, end: 7_500, auto: true });
  expect(opened(BLANK, now).mark).toEqual({ kind: "at", at: 5_000, end: 7_500, auto: true });
});

test("what was chosen stays, with words and without", () => {
  const chosen: Written = { text: "", mark: ranged(5_000, 2_000) };
  expect(chosen.mark).toEqual({ kind: "at", at: 2_000, end: 5_000, auto: false });
  expect(typed(typed(chosen, "x", heard(50)), "", heard(60)).mark).toBe(chosen.mark);
  expect([opened(chosen, heard(50)), left(chosen)]).toEqual([chosen, chosen]);
  const whole: Written = { text: "", mark: { kind: "none" } };
  expect(typed(whole, "x", heard(50)).mark).toEqual({ kind: "none" });
});

test("a range by keys: in and out in any order; an end on the wrong side is let go of", () => {
  const from = bounded(FOLLOW, "in", 2);
  expect(bounded(from, "out", 5)).toEqual({ kind: "at", at: 2_000, end: 5_000, auto: false });
  expect(bounded(from, "out", 1)).toEqual({ kind: "at", at: 1_000, end: 2_000, auto: false });
  expect(bounded(ranged(2_000, 5_000), "in", 4)).toEqual({ kind: "at", at: 4_000, end: 5_000, auto: false });
  expect(bounded(ranged(2_000, 5_000), "in", 6)).toEqual({ kind: "at", at: 6_000, end: null, auto: false });
  expect(ranged(1_000, 1_000 + LEAST_RANGE - 1)).toMatchObject({ at: 1_000, end: null });
});

test("what is sent lies within the sound, whole milliseconds, and a range has a length", () => {
  let seed = 5;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 500; round += 1) {
    const mark = [FOLLOW, { kind: "none" } as const, auto(random(9_000)), ranged(random(9_000), random(9_000))][random(4)]!;
    const duration = random(2) === 0 ? 0 : random(8_000) + 0.5;
    const { at, end } = placeOf(mark, random(9_000) / 997, duration);
    expect(at === null).toBe(mark.kind === "none");
    for (const one of [at, end]) if (one !== null) expect([Number.isInteger(one), one >= 0, duration === 0 || one <= duration]).toEqual([true, true, true]);
    if (end !== null) expect(end).toBeGreaterThan(at!);
  }
});

test("a moment belongs to the version that was shown when it was chosen, also when another is shown at sending", () => {
  const first = stamped(BLANK, typed(BLANK, "b", heard(83)), 3);
  expect(versionOf(first.mark, 4)).toBe(3);
  const more = stamped(first, typed(first, "bass", heard(90)), 4);
  expect([more.text, versionOf(more.mark, 4)]).toEqual(["bass", 3]);
  const moved = stamped(more, { ...more, mark: ranged(1_000, 2_000) }, 4);
  expect(versionOf(moved.mark, 5)).toBe(4);
  expect(versionOf(FOLLOW, 5)).toBe(5);

  const whole: Written = { text: "", mark: { kind: "none", version: 3 } };
  expect(versionOf(stamped(whole, typed(whole, "x", heard(1)), 4).mark, 5)).toBe(4);
});

test("what comes back takes an empty field with its moment, and leaves the moment of a comment that is being written", () => {
  const back: Written = { text: "hot", mark: ranged(83_000, 83_000) };
  expect(joined(BLANK, back, "1:23.0")).toBe(back);
  const half: Written = { text: "half", mark: auto(130_000) };
  expect(joined(half, back, "1:23.0")).toEqual({ text: "[1:23.0] hot\nhalf", mark: half.mark });
  expect(joined(half, back, null).text).toBe("hot\nhalf");
});
