import { expect, test } from "vitest";
import { countContiguousChunks, type RecordingMetadata, upgradeStoredMetadata } from "./recording-storage.ts";

test("countContiguousChunks stops at the first gap", () => {
  const keys = (...indices: number[]) => indices.map((index) => `a:${String(index).padStart(6, "0")}`);
  expect([
    countContiguousChunks("a", keys(0, 1, 2)),
    countContiguousChunks("a", keys(0, 2)),
    countContiguousChunks("a", keys(1, 2)),
    countContiguousChunks("a", []),
  ]).toEqual([3, 1, 0, 0]);
});

test("a recording that an earlier version stored is read with today's names", () => {
  const common = {
    id: "a",
    service: "https://talkback.test/",
    accountId: 1,
    projectId: 2,
    type: "audio/webm",
    startedAt: 0,
    seconds: 2,
    wave: [],
    discarded: false,
  };
  const metadata: RecordingMetadata = { ...common, isSendUndone: true };
  expect(upgradeStoredMetadata({ ...common, takenBack: true } as RecordingMetadata)).toEqual(metadata);
  expect([metadata, common].map(upgradeStoredMetadata)).toEqual([metadata, common]);
});
