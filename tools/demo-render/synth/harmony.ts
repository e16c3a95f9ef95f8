/** Names of notes and chords, as they stand in the songs, and the pitches they mean (MIDI numbers: 60 is the middle C). */
const LETTERS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const QUALITIES: Record<string, readonly number[]> = {
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

const shift = (sign: string): number => (sign === "b" ? -1 : sign === "#" ? 1 : 0);

export interface Chord {
  /** Semitones above C, 0 to 11. */
  bass: number;
  tones: readonly number[];
}

/** "Am7", "Ebmaj7", "F/A": the last part is the bass where it is another one. */
export function chordOf(name: string): Chord {
  const [, letter = "", sign = "", quality = "", low] = /^([A-G])([b#]?)([a-z0-9]*)(?:\/([A-G][b#]?))?$/.exec(name) ?? [];
  const steps = QUALITIES[quality];
  const root = LETTERS[letter];
  if (root === undefined || !steps) throw new Error(`No chord is called ${name}`);
  const from = (root + shift(sign) + 12) % 12;
  return { bass: low ? (LETTERS[low[0]!]! + shift(low[1] ?? "") + 12) % 12 : from, tones: steps.map((step) => (from + step) % 12) };
}

/** The chord's tones in the octave that begins at `low`, from low to high: neighbors move as little as hands would. */
export const voicing = ({ tones }: Chord, low: number): number[] => tones.map((tone) => low + ((tone - low + 120) % 12)).toSorted((a, b) => a - b);

/** "C4" is 60. */
export function pitchOf(name: string): number {
  const [, letter = "", sign = "", octave = ""] = /^([A-G])([b#]?)(\d)$/.exec(name) ?? [];
  const step = LETTERS[letter];
  if (step === undefined) throw new Error(`No note is called ${name}`);
  return 12 * (Number(octave) + 1) + step + shift(sign);
}

export const hertzOf = (pitch: number): number => 440 * 2 ** ((pitch - 69) / 12);
