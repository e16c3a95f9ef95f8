/** More styles to tune with: other rhythms, other voicings, other progressions. */
import type { Style } from "./song.ts";

const TURNS = { major: [[0, 1, 3, 0], [3, 4, 2, 5], [0, "b6", 3, 0], [0, 2, 3, 4]], minor: [[0, 6, 3, 0], [5, 6, 0, 0], [0, 2, 6, 3], [0, 4, 5, 3]] } as const;

export const MORE_STYLES: readonly Style[] = [
  { name: "techno", bpm: [126, 145], beats: 4, steps: 4, drums: { kick: "X...X...X...X...", open: "..x...x...x...x.", click: "...x..x...x..x.x" }, bass: { tone: "sub", grid: ".xxx.xxx.xxx.xxx" }, chords: { tone: "bell", grid: "x..x..x..x..x.x." }, progressions: { minor: [[0], [0, 0, 0, 5]] } },
  { name: "metal", bpm: [140, 208], beats: 4, steps: 4, drums: { kick: "xxxxxxxxxxxxxxxx", snare: "....X.......X...", open: "x...x...x...x..." }, bass: { tone: "growl", grid: "xxxxxxxxxxxxxxxx" }, chords: { tone: "growl", grid: "X.xxx.xxX.xxx.xx", power: true }, progressions: { minor: [[0, 0, 5, 6], [0, 1, 0, 6]] }, humanize: 0.004 },
  { name: "bossa nova", bpm: [112, 150], beats: 4, steps: 4, drums: { kick: "X..xX..xX..xX..x", click: "x..x..x...x..x..", hat: "xxxxxxxxxxxxxxxx" }, bass: { tone: "bass", grid: "X..xX..xX..xX..x" }, chords: { tone: "pluck", grid: "x..x..x...x..x..", sevenths: true }, melody: { tone: "bell", density: 0.4 }, progressions: { major: [[0, 5, 1, 4], [0, 1, 4, 0]], minor: [[0, 3, 4, 0]] }, color: "harmonic", humanize: 0.01 },
  { name: "country", bpm: [90, 130], beats: 4, steps: 4, drums: { kick: "X.......X.......", snare: "xxXxxxXxxxXxxxXx" }, bass: { tone: "bass", grid: "X.......X......." }, chords: { tone: "pluck", grid: "....x.x.....x.x." }, melody: { tone: "lead", density: 0.5 }, progressions: TURNS, humanize: 0.012 },
  { name: "six eight", bpm: [50, 76], beats: 2, steps: 3, drums: { kick: "X.....", snare: "...X..", hat: "xxxxxx" }, bass: { tone: "bass", grid: "X....x" }, chords: { tone: "organ", grid: "xxxxxx", arpeggio: true }, melody: { tone: "lead", density: 0.4 }, progressions: TURNS, humanize: 0.012 },
  { name: "lo-fi", bpm: [70, 90], beats: 4, steps: 4, swing: 0.33, drums: { kick: "X......x..x.....", snare: "....X.......X...", hat: "x.xxx.x.x.xxx.x." }, bass: { tone: "sub", grid: "x......x..x....." }, chords: { tone: "piano", grid: "x.....x..x......", sevenths: true }, progressions: { major: [[1, 4, 0, 5], [3, 2, 1, 0]], minor: [[0, 3, 6, 2]] }, humanize: 0.02 },
  { name: "afrobeat", bpm: [100, 124], beats: 4, steps: 4, drums: { kick: "X..x..x.X..x..x.", snare: "...x..x....x..x.", hat: "x.xxx.xxx.xxx.xx", click: "x..x..x...x.x..." }, bass: { tone: "bass", grid: "X..x..x...x.x..." }, chords: { tone: "organ", grid: "..x..x....x..x.." }, melody: { tone: "lead", density: 0.3 }, progressions: TURNS, color: "dorian", humanize: 0.008 },
  { name: "folk guitar", bpm: [80, 132], beats: 4, steps: 2, chords: { tone: "pluck", grid: "X.xx.xxx" }, melody: { tone: "strings", density: 0.4 }, progressions: TURNS, humanize: 0.015 },
  { name: "breakbeat", bpm: [122, 142], beats: 4, steps: 4, drums: { kick: "X.x.......xx....", snare: "....X..x.x..X..x", hat: "x.x.x.x.x.x.x.x." }, bass: { tone: "growl", grid: "X.....x..x......" }, chords: { tone: "strings", grid: "o..............." }, progressions: TURNS },
  { name: "reggaeton", bpm: [86, 100], beats: 4, steps: 4, drums: { kick: "X...X...X...X...", snare: "...x..x....x..x.", hat: "x.x.x.x.x.x.x.x." }, bass: { tone: "sub", grid: "X..x..x.X..x..x." }, chords: { tone: "bell", grid: "x...x...x...x..." , arpeggio: true }, progressions: { minor: [[5, 6, 0, 4], [0, 5, 2, 6]] }, color: "harmonic" },
  { name: "disco", bpm: [110, 126], beats: 4, steps: 4, drums: { kick: "X...X...X...X...", snare: "....X.......X...", open: "..o...o...o...o.", hat: "x...x...x...x..." }, bass: { tone: "bass", grid: "x.x.x.x.x.x.x.x.", octaves: true }, chords: { tone: "strings", grid: "o...............", sevenths: true }, melody: { tone: "strings", density: 0.4 }, progressions: TURNS, humanize: 0.006 },
  { name: "chamber", bpm: [72, 120], beats: 4, steps: 2, bass: { tone: "strings", grid: "X.x.X.x." }, chords: { tone: "strings", grid: ".x.x.x.x" }, melody: { tone: "strings", density: 0.8 }, progressions: { major: [[0, 3, 4, 0], [0, 1, 4, 0]], minor: [[0, 3, 4, 0], [0, 5, 4, 0]] }, color: "harmonic", humanize: 0.02 },
];

export const MORE_BEATLESS: readonly Style[] = [
  { name: "clouds", bpm: [50, 52], beats: 11, steps: 1, chords: { tone: "strings", grid: "o.........." }, progressions: { major: [[0, 3]], minor: [[0, 5]] }, humanize: 4 },
];
