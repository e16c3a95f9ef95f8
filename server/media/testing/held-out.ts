/** Music styles for evaluation only, written after the method was final and never used for tuning. */
import type { Style } from "./song.ts";

export const HELD_OUT: readonly Style[] = [
  {
    name: "indie rock",
    bpm: [118, 168],
    beats: 4,
    steps: 2,
    drums: { kick: "X..XX...", snare: "..X...X.", open: "xxxxxxxx" },
    bass: { tone: "bass", grid: "xxxxxxxx" },
    chords: { tone: "pluck", grid: "X.x.X.x.", sevenths: true },
    melody: { tone: "lead", density: 0.4 },
    progressions: {
      major: [
        [0, 2, 5, 3],
        [0, 0, 3, 3],
      ],
      minor: [
        [0, 6, 5, 6],
        [0, 2, 3, 0],
      ],
    },
    humanize: 0.012,
  },
  {
    name: "deep house",
    bpm: [116, 124],
    beats: 4,
    steps: 4,
    swing: 0.12,
    drums: { kick: "X...X...X...X...", click: "....x..x....x...", open: "..x...x...x...x.", hat: "x.xxx.xxx.xxx.xx" },
    bass: { tone: "sub", grid: "x..x....x.x....." },
    chords: { tone: "organ", grid: "x......x....x...", sevenths: true },
    progressions: {
      minor: [
        [0, 3],
        [0, 0, 3, 6],
      ],
    },
  },
  {
    name: "boom bap",
    bpm: [84, 98],
    beats: 4,
    steps: 4,
    swing: 0.2,
    drums: { kick: "X..x......X..x..", snare: "....X.......X...", hat: "x.x.x.x.x.x.x.x." },
    bass: { tone: "bass", grid: "x..x......x....." },
    chords: { tone: "piano", grid: "x.......x......." },
    melody: { tone: "bell", density: 0.3 },
    progressions: {
      minor: [
        [0, 5],
        [0, 3, 0, 4],
      ],
    },
    color: "harmonic",
    humanize: 0.014,
  },
  {
    name: "folk waltz",
    bpm: [108, 150],
    beats: 3,
    steps: 2,
    bass: { tone: "piano", grid: "X....." },
    chords: { tone: "pluck", grid: "..x.x." },
    melody: { tone: "strings", density: 0.7 },
    progressions: {
      major: [
        [0, 3, 4, 0],
        [0, 5, 3, 4],
      ],
      minor: [
        [0, 6, 5, 4],
        [0, 3, 4, 0],
      ],
    },
    humanize: 0.018,
  },
  {
    name: "salsa",
    bpm: [88, 104],
    beats: 4,
    steps: 4,
    drums: { click: "x..x..x...x.x...", tom: "....x.....x.x...", hat: "x.xxx.xxx.xxx.xx" },
    bass: { tone: "bass", grid: "...x..x....x..x." },
    chords: { tone: "piano", grid: "x.xx.xx.x.xx.xx." },
    melody: { tone: "lead", density: 0.3 },
    progressions: {
      minor: [
        [0, 3, 4, 3],
        [0, 4, 4, 0],
      ],
      major: [[0, 3, 4, 3]],
    },
    color: "harmonic",
    humanize: 0.008,
  },
  {
    name: "soul ballad",
    bpm: [62, 78],
    beats: 4,
    steps: 3,
    drums: { kick: "X.....X....x", snare: "...X.....X..", hat: "xxxxxxxxxxxx" },
    bass: { tone: "bass", grid: "X....xX....." },
    chords: { tone: "organ", grid: "xxxxxxxxxxxx", arpeggio: true },
    melody: { tone: "strings", density: 0.4 },
    progressions: {
      major: [
        [0, 5, 1, 4],
        [0, 2, 3, 4],
      ],
      minor: [[0, 5, 6, 0]],
    },
    humanize: 0.012,
  },
  {
    name: "punk",
    bpm: [160, 200],
    beats: 4,
    steps: 2,
    drums: { kick: "X...X.X.", snare: "..X...X.", open: "x.x.x.x." },
    bass: { tone: "growl", grid: "xxxxxxxx" },
    chords: { tone: "growl", grid: "xxxxxxxx", power: true },
    melody: { tone: "lead", density: 0.5 },
    progressions: {
      major: [
        [0, 3, 4, 3],
        [0, 4, 5, 3],
      ],
    },
    humanize: 0.008,
  },
  {
    name: "electro",
    bpm: [108, 128],
    beats: 4,
    steps: 4,
    drums: { kick: "X.....X...X.....", snare: "....X.......X...", hat: "xxxxxxxxxxxxxxxx", click: "...x...x..x....." },
    bass: { tone: "growl", grid: "X.xX..X.x.X..x.." },
    chords: { tone: "bell", grid: "x.......x......." },
    progressions: {
      minor: [
        [0, 0, 5, 6],
        [0, 6],
      ],
    },
  },
  {
    name: "string quartet",
    bpm: [66, 112],
    beats: 4,
    steps: 2,
    bass: { tone: "strings", grid: "X...x.x." },
    chords: { tone: "strings", grid: "x.xxx.xx" },
    melody: { tone: "strings", density: 0.7 },
    progressions: {
      major: [
        [0, 4, 0, 3],
        [0, 1, 4, 0],
      ],
      minor: [
        [0, 4, 0, 3],
        [0, 3, 4, 0],
      ],
    },
    color: "harmonic",
    humanize: 0.02,
  },
  {
    name: "future garage",
    bpm: [130, 140],
    beats: 4,
    steps: 4,
    swing: 0.15,
    drums: { kick: "X.........X.....", snare: "....X.......X...", hat: "..x...x..xx...x.", click: "x..x..x....x..x." },
    bass: { tone: "sub", grid: "X.........x....." },
    chords: { tone: "pad", grid: "o..............." },
    melody: { tone: "bell", density: 0.3 },
    progressions: {
      minor: [
        [0, 5, 6, 3],
        [5, 6, 0, 0],
      ],
    },
  },
];

export const HELD_OUT_BEATLESS: readonly Style[] = [
  {
    name: "drift",
    bpm: [55, 56],
    beats: 13,
    steps: 1,
    chords: { tone: "pad", grid: "o.....o......" },
    progressions: { major: [[0, 4]], minor: [[0, 3]] },
    humanize: 5,
  },
];
