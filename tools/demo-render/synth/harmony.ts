/** Converts the names of notes and chords to pitches, which are MIDI note numbers (middle C is 60). */

/** Semitones above C of the natural notes. */
const NATURAL_NOTES: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
/** Intervals in semitones above the root, by the part of a chord's name after the root. */
const CHORD_INTERVALS: Record<string, readonly number[]> = {
  "": [0, 4, 7],
  m: [0, 3, 7],
  "7": [0, 4, 7, 10],
  m7: [0, 3, 7, 10],
  maj7: [0, 4, 7, 11],
  m9: [0, 3, 7, 10, 14],
  maj9: [0, 4, 7, 11, 14],
  add9: [0, 4, 7, 14],
  madd9: [0, 3, 7, 14],
  sus2: [0, 2, 7],
  sus4: [0, 5, 7],
  "6": [0, 4, 7, 9],
  m6: [0, 3, 7, 9],
};

/** Semitones by which an accidental changes the note. */
const semitoneShift = (accidental: string): number => (accidental === "b" ? -1 : accidental === "#" ? 1 : 0);

export interface Chord {
  /** Semitones above C, 0 to 11. */
  bass: number;
  /** Pitch classes from the root upward: semitones above C, 0 to 11. */
  tones: readonly number[];
}

/** Parses a chord's name such as "Am7", "Ebmaj7" or "F/A"; the note after the slash is the bass, which otherwise is the root. */
export function parseChord(name: string): Chord {
  const [, letter = "", accidental = "", quality = "", slashBass] = /^([A-G])([b#]?)([a-z0-9]*)(?:\/([A-G][b#]?))?$/.exec(name) ?? [];
  const intervals = CHORD_INTERVALS[quality];
  const natural = NATURAL_NOTES[letter];
  if (natural === undefined || !intervals) throw new Error(`No chord is called ${name}`);
  const root = (natural + semitoneShift(accidental) + 12) % 12;
  return {
    bass: slashBass ? (NATURAL_NOTES[slashBass[0]!]! + semitoneShift(slashBass[1] ?? "") + 12) % 12 : root,
    tones: intervals.map((interval) => (root + interval) % 12),
  };
}

/** Returns the chord's pitches in ascending order, all within the octave above `lowestPitch` (close position), so that successive chords move little. */
export const closeVoicing = ({ tones }: Chord, lowestPitch: number): number[] =>
  tones.map((tone) => lowestPitch + ((tone - lowestPitch + 120) % 12)).toSorted((a, b) => a - b);

/** Parses a note's name: "C4" is 60, "Bb3" is 58. */
export function parseNote(name: string): number {
  const [, letter = "", accidental = "", octave = ""] = /^([A-G])([b#]?)(\d)$/.exec(name) ?? [];
  const semitones = NATURAL_NOTES[letter];
  if (semitones === undefined) throw new Error(`No note is called ${name}`);
  return 12 * (Number(octave) + 1) + semitones + semitoneShift(accidental);
}

/** Converts a pitch to its frequency in Hz in equal temperament (A4, which is 69, is 440 Hz). */
export const pitchToFrequency = (pitch: number): number => 440 * 2 ** ((pitch - 69) / 12);
