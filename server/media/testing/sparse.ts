/**
 * Styles of minimal tracks: a metronome, a single drum, a slow song with long chords. Their beat is clear, but their
 * tempo is easily detected as double or half.
 */
import type { Style } from "./song.ts";

const SLOW_PROGRESSIONS = { major: [[0, 3, 5, 4]], minor: [[0, 5, 3, 4]] } as const;
const SINGLE_CHORD = { major: [[0]], minor: [[0]] } as const;

export const SPARSE: readonly Style[] = [
  { name: "clicks", bpm: [60, 190], beats: 4, steps: 1, drums: { click: "xxxx" }, progressions: SINGLE_CHORD },
  { name: "metronome", bpm: [60, 190], beats: 4, steps: 1, drums: { click: "Xxxx", hat: "x..." }, progressions: SINGLE_CHORD },
  { name: "metronome in three", bpm: [60, 190], beats: 3, steps: 1, drums: { click: "xxx", tom: "X.." }, progressions: SINGLE_CHORD },
  { name: "kick", bpm: [60, 190], beats: 4, steps: 1, drums: { kick: "xxxx" }, progressions: SINGLE_CHORD, humanize: 0.004 },
  { name: "kick and snare", bpm: [60, 180], beats: 4, steps: 1, drums: { kick: "x.x.", snare: ".x.x" }, progressions: SINGLE_CHORD, humanize: 0.01 },
  { name: "kick and off-beats", bpm: [90, 170], beats: 4, steps: 2, drums: { kick: "X.X.X.X.", open: ".x.x.x.x" }, progressions: SINGLE_CHORD },
  {
    name: "plucked pulse",
    bpm: [64, 180],
    beats: 4,
    steps: 1,
    chords: { tone: "pluck", grid: "Xxxx" },
    progressions: SLOW_PROGRESSIONS,
    humanize: 0.006,
  },
  {
    name: "slow ballad",
    bpm: [54, 76],
    beats: 4,
    steps: 2,
    drums: { kick: "X...x...", snare: "..X...X.", hat: "x.x.x.x." },
    bass: { tone: "bass", grid: "X...x..." },
    chords: { tone: "pad", grid: "o......." },
    melody: { tone: "strings", density: 0.4 },
    progressions: SLOW_PROGRESSIONS,
    humanize: 0.012,
  },
  {
    name: "slow piano",
    bpm: [54, 72],
    beats: 4,
    steps: 2,
    chords: { tone: "piano", grid: "X.x.x.x." },
    bass: { tone: "piano", grid: "X...X..." },
    melody: { tone: "lead", density: 0.3 },
    progressions: SLOW_PROGRESSIONS,
    humanize: 0.015,
  },
];

/** For evaluation only. */
export const HELD_OUT_SPARSE: readonly Style[] = [
  { name: "rim", bpm: [62, 188], beats: 4, steps: 1, drums: { snare: "xxxx" }, progressions: SINGLE_CHORD, humanize: 0.006 },
  { name: "two wood blocks", bpm: [62, 188], beats: 2, steps: 1, drums: { click: "Xx", tom: ".x" }, progressions: SINGLE_CHORD },
  { name: "five four count", bpm: [80, 180], beats: 5, steps: 1, drums: { click: "Xxxxx", kick: "X..x." }, progressions: SINGLE_CHORD },
  {
    name: "bass and hat",
    bpm: [80, 150],
    beats: 4,
    steps: 2,
    drums: { hat: "x.x.x.x." },
    bass: { tone: "bass", grid: "X.x.x.xx" },
    progressions: SLOW_PROGRESSIONS,
    humanize: 0.01,
  },
  {
    name: "slow organ",
    bpm: [56, 74],
    beats: 4,
    steps: 2,
    drums: { tom: "X.....x.", click: "..x...x." },
    chords: { tone: "organ", grid: "x...x..." },
    melody: { tone: "piano", density: 0.4 },
    progressions: SLOW_PROGRESSIONS,
    humanize: 0.014,
  },
];
