import { expect, test } from "vitest";
import { heldOutSet } from "../testing/labeled.ts";
import { renderSong } from "../testing/song.ts";
import { CHROMA_RATE, ChromaSink } from "./chroma.ts";
import { findKey } from "./key.ts";

/** Goals for songs outside the tuning set. The measured accuracy is higher (docs/media-measurements.md). */
const MIN_RIGHT = 0.9;
const MIN_RIGHT_WHEN_SURE = 0.95;
const MIN_SURE = 0.75;

test("detects the key of songs outside the tuning set, minor as well as major, and is honest about it", () => {
  const results = heldOutSet(8).map(({ plan, tonic, mode }) => {
    const sink = new ChromaSink();
    const samples = renderSong(plan, CHROMA_RATE);
    sink.push(samples, samples.length);
    const { name, candidates } = findKey(sink.frames);
    const isTrueKey = (guess: { tonic: number; mode: string }): boolean => guess.tonic === tonic && guess.mode === mode;
    return { mode, isSure: name !== "", isRight: isTrueKey(candidates[0]!), isAmongFirst: candidates.slice(0, 3).some(isTrueKey) };
  });
  const share = (part: typeof results, isCounted: (result: (typeof results)[number]) => boolean): number => part.filter(isCounted).length / part.length;
  for (const mode of ["major", "minor"]) {
    const songs = results.filter((result) => result.mode === mode);
    expect(
      share(songs, ({ isRight }) => isRight),
      mode,
    ).toBeGreaterThanOrEqual(MIN_RIGHT);
    expect(
      share(songs, ({ isAmongFirst }) => isAmongFirst),
      mode,
    ).toBeGreaterThanOrEqual(0.97);
  }
  const sure = results.filter(({ isSure }) => isSure);
  expect(share(sure, ({ isRight }) => isRight)).toBeGreaterThanOrEqual(MIN_RIGHT_WHEN_SURE);
  expect(sure.length / results.length).toBeGreaterThanOrEqual(MIN_SURE);
});
