/** The data format of a song: sections of bars, with one pattern per instrument and bar. */
import type { DrumName } from "./drums.ts";
import type { Patch } from "./synthesizer.ts";

export const STEMS = ["drums", "bass", "synths", "lead"] as const;
export type StemName = (typeof STEMS)[number];

interface Channel {
  stem: StemName;
  /** In decibels. */
  level: number;
  /** From -1 (left) to 1 (right). */
  pan?: number;
  /** Send levels of reverb and echo, 0 to 1. */
  reverb?: number;
  echo?: number;
  /** Depth of the sidechain ducking at each kick, 0 to 1. */
  duck?: number;
}

/** One pattern per bar; a longer section repeats them. */
export type Patterns = readonly string[];

/**
 * An instrument and how its patterns are read. A melody lists its notes; all other patterns are grids with one character per step, in which `.` is a rest
 * and `_` prolongs the note before it. `lowestPitch` is a MIDI note number.
 */
export type Instrument = Channel &
  /** In a drum's pattern `X`, `x` and `o` are hits: loud, medium and soft. */
  (
    | { plays: "drum"; drum: DrumName }
    /** `1` is the chord's bass note in the octave above `lowestPitch`, `5` the fifth above it, `8` the octave above it. */
    | { plays: "bass"; patch: Patch; lowestPitch: number }
    /** `x` is the whole chord, all tones in the octave above `lowestPitch`. */
    | { plays: "chords"; patch: Patch; lowestPitch: number }
    /** `0`, `1`, `2` … are the chord's tones in ascending order, continued in the next octave; `noteSteps` replaces the lengths of the grid. */
    | { plays: "arpeggio"; patch: Patch; lowestPitch: number; noteSteps?: number }
    /** Notes and rests with their length in steps: `A4/6 C5/2 -/8`. */
    | { plays: "melody"; patch: Patch }
  );

export interface Section {
  name: string;
  bars: number;
  /** One entry per bar, or two chords of half a bar each, separated by a space; a longer section repeats them. */
  chords: readonly string[];
  /** By the name of the instrument; all others are silent. */
  patterns: Readonly<Record<string, Patterns>>;
  /** Gain of the mix in decibels at the section's start and end, linear in between. */
  fade?: readonly [number, number];
}

export interface Song {
  title: string;
  /** As our audio analysis names it; a test compares them. */
  key: string;
  bpm: number;
  beatsPerBar: number;
  stepsPerBeat: number;
  /** Delay of every second step, as a fraction of a step. */
  swing: number;
  seed: number;
  /** Size of the reverb, 0 to 1. */
  reverbSize: number;
  /** Beats between two echoes. */
  echoBeats: number;
  instruments: Readonly<Record<string, Instrument>>;
  sections: readonly Section[];
}

export const barSeconds = ({ bpm, beatsPerBar }: Pick<Song, "bpm" | "beatsPerBar">): number => (60 / bpm) * beatsPerBar;

/** Time for the decay of the last chord. */
const TAIL_SECONDS = 1.5;
export const songSeconds = (song: Song): number => song.sections.reduce((sum, { bars }) => sum + bars, 0) * barSeconds(song) + TAIL_SECONDS;

/** Returns the start of a section in seconds. */
export function sectionStart(song: Song, name: string): number {
  let bars = 0;
  for (const section of song.sections) {
    if (section.name === name) return bars * barSeconds(song);
    bars += section.bars;
  }
  throw new Error(`${song.title} has no section ${name}`);
}
