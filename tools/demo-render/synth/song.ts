/** What a song is, as data: sections of bars, a grid for each instrument, one character a step. */
import type { DrumName } from "./drums.ts";
import type { Patch } from "./voice.ts";

export const STEMS = ["drums", "bass", "synths", "lead"] as const;
export type StemName = (typeof STEMS)[number];

interface Mixed {
  stem: StemName;
  /** Decibels. */
  level: number;
  /** -1 left, 1 right. */
  pan?: number;
  /** How much of it goes into the hall and into the echo, 0 to 1. */
  hall?: number;
  echo?: number;
  /** How far each kick pushes it back, 0 to 1. */
  duck?: number;
}

/** Lines of an instrument: each entry is a bar, and they come round again. */
export type Bars = readonly string[];

export type Instrument = Mixed &
  (
    | { plays: "drum"; drum: DrumName }
    /** `1` the chord's bass, `8` the octave above, `5` the fifth above; `_` holds on, `.` rests. */
    | { plays: "bass"; patch: Patch; low: number }
    /** `x` the whole chord, `_` holds on. */
    | { plays: "chords"; patch: Patch; low: number }
    /** `0`, `1`, `2` …: the chord's tones from below, going on above in the next octave. */
    | { plays: "broken"; patch: Patch; low: number; held?: number }
    /** Notes with their length in steps: `A4/6 C5/2`, `-/8` rests. */
    | { plays: "melody"; patch: Patch }
  );

export interface Section {
  name: string;
  bars: number;
  /** One for each bar (two with a space between, for half a bar each); they come round again. */
  chords: readonly string[];
  /** By the instrument's name; who is not named is silent. */
  lines: Readonly<Record<string, Bars>>;
  /** Decibels at its beginning and end, against the song's own. */
  swell?: readonly [number, number];
}

export interface Song {
  title: string;
  /** As our analysis is to find it. */
  key: string;
  bpm: number;
  beats: number;
  /** Of a beat. */
  steps: number;
  /** Share of a step by which every second one comes late. */
  swing: number;
  seed: number;
  hall: number;
  /** Beats from echo to echo. */
  echo: number;
  instruments: Readonly<Record<string, Instrument>>;
  sections: readonly Section[];
}

export const barSeconds = ({ bpm, beats }: Pick<Song, "bpm" | "beats">): number => (60 / bpm) * beats;

/** Time in which the last chord dies away. */
const TAIL_SECONDS = 1.5;
export const songSeconds = (song: Song): number => song.sections.reduce((sum, { bars }) => sum + bars, 0) * barSeconds(song) + TAIL_SECONDS;

/** Seconds at which a section begins. */
export function sectionStart(song: Song, name: string): number {
  let bars = 0;
  for (const section of song.sections) {
    if (section.name === name) return bars * barSeconds(song);
    bars += section.bars;
  }
  throw new Error(`${song.title} has no section ${name}`);
}
