/** The styles that tempo and key are tuned with, together with `more-styles.ts`; `held-out.ts` has others, which nothing was tuned on. */
import type { Style } from "./song.ts";

const POP = { major: [[0, 4, 5, 3], [0, 5, 3, 4], [5, 3, 0, 4], [0, 3, 4, 3]], minor: [[0, 5, 2, 6], [0, 3, 6, 4], [0, 6, 5, 6], [0, 3, 4, 0]] } as const;

export const STYLES: readonly Style[] = [
  { name: "house", bpm: [118, 130], beats: 4, steps: 4, drums: { kick: "X...X...X...X...", snare: "....x.......x...", hat: "x.x.x.x.x.x.x.x.", open: "..o...o...o...o." }, bass: { tone: "bass", grid: "..x...x...x...x." }, chords: { tone: "organ", grid: "..x..x....x..x.." }, progressions: POP },
  { name: "rock", bpm: [92, 160], beats: 4, steps: 2, drums: { kick: "X...X.x.", snare: "..X...X.", hat: "xxxxxxxx" }, bass: { tone: "bass", grid: "xxxxxxxx" }, chords: { tone: "growl", grid: "xxxxxxxx", power: true }, melody: { tone: "lead", density: 0.5 }, progressions: POP, humanize: 0.01 },
  { name: "hip-hop", bpm: [76, 102], beats: 4, steps: 4, swing: 0.25, drums: { kick: "X.....x.x.x.....", snare: "....X.......X..x", hat: "x.x.x.x.x.x.x.xx" }, bass: { tone: "sub", grid: "x.....x...x....." }, chords: { tone: "piano", grid: "o...............", sevenths: true }, progressions: POP, humanize: 0.012 },
  { name: "drum and bass", bpm: [166, 178], beats: 4, steps: 4, drums: { kick: "X.........X.....", snare: "....X.......X...", hat: "x.x.x.x.x.x.x.x." }, bass: { tone: "growl", grid: "x.....x.....x..." }, chords: { tone: "pad", grid: "o..............." }, progressions: POP },
  { name: "trap", bpm: [130, 150], beats: 4, steps: 4, drums: { kick: "X.....x...x.....", snare: "........X.......", hat: "x.x.x.x.x.xxx.x." }, bass: { tone: "sub", grid: "x.....x...x....." }, chords: { tone: "bell", grid: "x...x...x...x..." , arpeggio: true }, progressions: { minor: [[0, 5, 0, 4], [0, 0, 5, 6]] }, color: "harmonic" },
  { name: "piano ballad", bpm: [60, 84], beats: 4, steps: 2, chords: { tone: "piano", grid: "Xxxxxxxx", arpeggio: true }, bass: { tone: "piano", grid: "X...x..." }, melody: { tone: "strings", density: 0.5 }, progressions: POP, humanize: 0.015 },
  { name: "waltz", bpm: [96, 176], beats: 3, steps: 2, drums: { kick: "X.....", hat: "..x.x." }, bass: { tone: "bass", grid: "X....." }, chords: { tone: "strings", grid: "..x.x." }, melody: { tone: "strings", density: 0.6 }, progressions: POP, color: "harmonic" },
  { name: "reggae", bpm: [68, 88], beats: 4, steps: 4, drums: { kick: "........X.......", snare: "........x.......", hat: "x.x.x.x.x.x.x.x." }, bass: { tone: "sub", grid: "x..x..x.x..x...." }, chords: { tone: "organ", grid: "..x...x...x...x." }, progressions: POP },
  { name: "funk", bpm: [94, 116], beats: 4, steps: 4, drums: { kick: "X..x..x...x..x..", snare: "....X..x.x..X..x", hat: "xxxxxxxxxxxxxxxx" }, bass: { tone: "bass", grid: "X..x..x...xx..x.", octaves: true }, chords: { tone: "pluck", grid: "..xx..x...xx.x..", sevenths: true }, progressions: { minor: [[0, 0, 3, 3], [0, 3, 0, 3]], major: [[0, 0, 3, 3]] }, color: "dorian", humanize: 0.008 },
  { name: "shuffle", bpm: [100, 140], beats: 4, steps: 3, drums: { kick: "X.....X.....", snare: "...X.....X..", hat: "x.xx.xx.xx.x" }, bass: { tone: "bass", grid: "X..x..x..x.." }, chords: { tone: "organ", grid: "x....xx....x", sevenths: true }, progressions: { major: [[0, 3, 0, 4], [0, 0, 3, 0, 4, 3, 0, 4]] }, color: "mixolydian", humanize: 0.01 },
  { name: "jazz", bpm: [110, 200], beats: 4, steps: 3, drums: { hat: "X..X.xX..X.x", click: "...x.....x.." }, bass: { tone: "bass", grid: "X..X..X..X.." }, chords: { tone: "piano", grid: "x....x......", sevenths: true }, melody: { tone: "lead", density: 0.5 }, progressions: { major: [[1, 4, 0, 5], [0, 5, 1, 4]], minor: [[1, 4, 0, 0], [0, 3, 1, 4]] }, color: "harmonic", humanize: 0.012 },
  { name: "synth pop", bpm: [104, 128], beats: 4, steps: 4, drums: { kick: "X.......X.x.....", snare: "....X.......X...", hat: "x.x.x.x.x.x.x.x." }, bass: { tone: "growl", grid: "x.x.x.x.x.x.x.x." }, chords: { tone: "pluck", grid: "xxxxxxxxxxxxxxxx", arpeggio: true }, melody: { tone: "lead", density: 0.4 }, progressions: POP },
];

/** Nothing to tap a foot to: the honest answer is "unsure". */
export const BEATLESS: readonly Style[] = [
  { name: "drone", bpm: [60, 61], beats: 16, steps: 1, chords: { tone: "pad", grid: "o..............." }, progressions: { minor: [[0], [0, 3]], major: [[0]] }, humanize: 3 },
];
