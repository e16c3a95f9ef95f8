import { expect, test } from "vitest";
import { EMPTY_COMMENT_DRAFT, type CommentDraft } from "../../../sync/drafts/use-comment-draft.ts";
import {
  withAnchorEdge,
  FOLLOW_ANCHOR,
  prependDraft,
  MIN_RANGE_MS,
  closeDraft,
  openDraft,
  withFiles,
  resolveAnchor,
  rangeAnchor,
  withVersion,
  withText,
  resolveVersion,
} from "./anchor.ts";

const playbackAt = (seconds: number) => ({ seconds, loop: null });
const auto = (ms: number) => ({ kind: "at", startMs: ms, endMs: null, auto: true }) as const;

test("the position at the first key stays during playback, and emptying the text resets it", () => {
  const firstDraft = withText(EMPTY_COMMENT_DRAFT, "b", playbackAt(83.4));
  const longerDraft = withText(firstDraft, "bass", playbackAt(90));
  expect(longerDraft).toEqual({ ...EMPTY_COMMENT_DRAFT, text: "bass", anchor: auto(83_400) });
  const emptyDraft = withText(longerDraft, "", playbackAt(95));
  expect(emptyDraft).toEqual(EMPTY_COMMENT_DRAFT);
  expect(withText(emptyDraft, "x", playbackAt(99)).anchor).toEqual(auto(99_000));
});

test("opening the field anchors at the current position, and leaving it empty resets it", () => {
  const openedDraft = openDraft(EMPTY_COMMENT_DRAFT, playbackAt(10));
  expect(withText(openedDraft, "x", playbackAt(14)).anchor).toEqual(auto(10_000));
  expect(closeDraft(openedDraft)).toEqual(EMPTY_COMMENT_DRAFT);
  expect(closeDraft(withText(openedDraft, "x", playbackAt(14))).anchor).toEqual(auto(10_000));
});

test("the first file anchors at the current position and keeps the anchor without text, and removing the last file resets it", () => {
  const fileDraft = withFiles(EMPTY_COMMENT_DRAFT, true, playbackAt(31.2));
  expect(fileDraft).toEqual({ ...EMPTY_COMMENT_DRAFT, anchor: auto(31_200), hasFiles: true });
  expect(closeDraft(fileDraft)).toEqual(fileDraft);
  expect(withText(withText(fileDraft, "x", playbackAt(40)), "", playbackAt(50))).toEqual(fileDraft);
  expect(withFiles(fileDraft, false, playbackAt(60))).toEqual(EMPTY_COMMENT_DRAFT);
  // A text, a key or a choice fixed the anchor before.
  for (const draft of [withText(EMPTY_COMMENT_DRAFT, "x", playbackAt(10)), openDraft(EMPTY_COMMENT_DRAFT, playbackAt(10))])
    expect(withFiles(draft, true, playbackAt(31)).anchor).toEqual(auto(10_000));
  const rangeDraft: CommentDraft = { ...EMPTY_COMMENT_DRAFT, anchor: rangeAnchor(1_000, 2_000) };
  expect(withFiles(withFiles(rangeDraft, true, playbackAt(31)), false, playbackAt(31))).toEqual(rangeDraft);
  expect(withFiles(EMPTY_COMMENT_DRAFT, true, null)).toEqual({ ...EMPTY_COMMENT_DRAFT, hasFiles: true });
  // A returned comment does not move the files to its own time.
  expect(prependDraft(fileDraft, { text: "hot", mentions: [], anchor: auto(1_000) }, "0:01.0")).toEqual({ ...fileDraft, text: "[0:01.0] hot" });
});

test("during a loop the anchor is the loop's range", () => {
  const playback = { seconds: 6, loop: { from: 5, to: 7.5 } };
  expect(withText(EMPTY_COMMENT_DRAFT, "x", playback).anchor).toEqual({ kind: "at", startMs: 5_000, endMs: 7_500, auto: true });
  expect(openDraft(EMPTY_COMMENT_DRAFT, playback).anchor).toEqual({ kind: "at", startMs: 5_000, endMs: 7_500, auto: true });
});

test("a chosen anchor stays, with and without text", () => {
  const chosenDraft: CommentDraft = { ...EMPTY_COMMENT_DRAFT, anchor: rangeAnchor(5_000, 2_000) };
  expect(chosenDraft.anchor).toEqual({ kind: "at", startMs: 2_000, endMs: 5_000, auto: false });
  expect(withText(withText(chosenDraft, "x", playbackAt(50)), "", playbackAt(60)).anchor).toBe(chosenDraft.anchor);
  expect([openDraft(chosenDraft, playbackAt(50)), closeDraft(chosenDraft)]).toEqual([chosenDraft, chosenDraft]);
  const wholeFileDraft: CommentDraft = { ...EMPTY_COMMENT_DRAFT, anchor: { kind: "none" } };
  expect(withText(wholeFileDraft, "x", playbackAt(50)).anchor).toEqual({ kind: "none" });
});

test("I and O set a range in any order, and an end before the new start is removed", () => {
  const startAnchor = withAnchorEdge(FOLLOW_ANCHOR, "start", 2);
  expect(withAnchorEdge(startAnchor, "end", 5)).toEqual({ kind: "at", startMs: 2_000, endMs: 5_000, auto: false });
  expect(withAnchorEdge(startAnchor, "end", 1)).toEqual({ kind: "at", startMs: 1_000, endMs: 2_000, auto: false });
  expect(withAnchorEdge(rangeAnchor(2_000, 5_000), "start", 4)).toEqual({ kind: "at", startMs: 4_000, endMs: 5_000, auto: false });
  expect(withAnchorEdge(rangeAnchor(2_000, 5_000), "start", 6)).toEqual({ kind: "at", startMs: 6_000, endMs: null, auto: false });
  expect(rangeAnchor(1_000, 1_000 + MIN_RANGE_MS - 1)).toMatchObject({ startMs: 1_000, endMs: null });
});

test("a sent anchor is within the track in whole milliseconds, and a range has a length", () => {
  let seed = 5;
  const random = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max;
  for (let round = 0; round < 500; round += 1) {
    const anchor = [FOLLOW_ANCHOR, { kind: "none" } as const, auto(random(9_000)), rangeAnchor(random(9_000), random(9_000))][random(4)]!;
    const duration = random(2) === 0 ? 0 : random(8_000) + 0.5;
    const { startMs, endMs } = resolveAnchor(anchor, random(9_000) / 997, duration);
    expect(startMs === null).toBe(anchor.kind === "none");
    for (const value of [startMs, endMs])
      if (value !== null) expect([Number.isInteger(value), value >= 0, duration === 0 || value <= duration]).toEqual([true, true, true]);
    if (endMs !== null) expect(endMs).toBeGreaterThan(startMs!);
  }
});

test("an anchor belongs to the version shown when it was chosen, even when another is shown at sending", () => {
  const firstDraft = withVersion(EMPTY_COMMENT_DRAFT, withText(EMPTY_COMMENT_DRAFT, "b", playbackAt(83)), 3);
  expect(resolveVersion(firstDraft.anchor, 4)).toBe(3);
  const longerDraft = withVersion(firstDraft, withText(firstDraft, "bass", playbackAt(90)), 4);
  expect([longerDraft.text, resolveVersion(longerDraft.anchor, 4)]).toEqual(["bass", 3]);
  const movedDraft = withVersion(longerDraft, { ...longerDraft, anchor: rangeAnchor(1_000, 2_000) }, 4);
  expect(resolveVersion(movedDraft.anchor, 5)).toBe(4);
  expect(resolveVersion(FOLLOW_ANCHOR, 5)).toBe(5);

  const wholeFileDraft: CommentDraft = { ...EMPTY_COMMENT_DRAFT, anchor: { kind: "none", version: 3 } };
  expect(resolveVersion(withVersion(wholeFileDraft, withText(wholeFileDraft, "x", playbackAt(1)), 4).anchor, 5)).toBe(4);
});

test("a returned comment fills an empty field with its anchor, and does not change the anchor of a comment being written", () => {
  const returnedDraft: CommentDraft = { ...EMPTY_COMMENT_DRAFT, text: "hot", anchor: rangeAnchor(83_000, 83_000) };
  expect(prependDraft(EMPTY_COMMENT_DRAFT, returnedDraft, "1:23.0")).toEqual(returnedDraft);
  const halfDraft: CommentDraft = { ...EMPTY_COMMENT_DRAFT, text: "half", anchor: auto(130_000) };
  expect(prependDraft(halfDraft, returnedDraft, "1:23.0")).toEqual({ ...halfDraft, text: "[1:23.0] hot\nhalf" });
  expect(prependDraft(halfDraft, returnedDraft, null).text).toBe("hot\nhalf");
});
