import { expect, test } from "vitest";
import { heldOutSet } from "../testing/labeled.ts";
import { renderSong } from "../testing/song.ts";
import { OnsetSink, ONSET_RATE } from "./onset.ts";
import { findTempo } from "./tempo.ts";

/** Slightly below the measured accuracy (docs/media-measurements.md), to catch regressions. */
const MIN_ACCURACY = { exact: 0.9, octave: 0.95 };

test("detects the tempo of songs outside the tuning set", () => {
  const songs = heldOutSet(4).filter(({ bpm }) => bpm !== null);
  let exact = 0;
  let octave = 0;
  for (const { plan, bpm } of songs) {
    const sink = new OnsetSink();
    const samples = renderSong(plan, ONSET_RATE);
    sink.push(samples, samples.length);
    const detected = findTempo(sink.finish()).candidates[0]?.bpm ?? 0;
    if (Math.abs(detected / bpm! - 1) < 0.02) exact++;
    if ([0.5, 1, 2].some((ratio) => Math.abs(detected / (bpm! * ratio) - 1) < 0.02)) octave++;
  }
  expect(exact / songs.length).toBeGreaterThan(MIN_ACCURACY.exact);
  expect(octave / songs.length).toBeGreaterThan(MIN_ACCURACY.octave);
});
