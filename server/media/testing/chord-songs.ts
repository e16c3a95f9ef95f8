/** Renders songs of known key from chord progressions, with instruments, bass lines, melody and drums drawn by seed. */
import { MAJOR_PROGRESSIONS, MINOR_PROGRESSIONS } from "./progressions.ts";
import { type Random, seeded } from "./random.ts";
import { type Mode, normalizeSong, SCALES } from "./song.ts";
import { addNote, hat, kick, midiToHertz, snare, TONES, type ToneName, type Track } from "./voices.ts";

export interface ChordSong {
  progression: string;
  seed: number;
  /** Pitch class, 0 is C. */
  tonic: number;
  mode: Mode;
}

interface Chord {
  /** Semitones above C. */
  root: number;
  tones: readonly number[];
}

interface Band {
  chords: ToneName;
  bass: ToneName;
  melody: ToneName;
  /** Beats on which chords are struck. */
  strokes: readonly number[];
}

const BANDS: readonly Band[] = [
  { chords: "piano", bass: "bass", melody: "bell", strokes: [0, 1.5, 2.5] },
  { chords: "growl", bass: "bass", melody: "lead", strokes: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5] },
  { chords: "piano", bass: "piano", melody: "piano", strokes: [0, 1, 2, 3] },
  { chords: "pluck", bass: "bass", melody: "strings", strokes: [0, 1, 1.5, 2.5, 3, 3.5] },
  { chords: "pad", bass: "sub", melody: "lead", strokes: [0] },
  { chords: "strings", bass: "strings", melody: "strings", strokes: [0] },
  { chords: "organ", bass: "bass", melody: "lead", strokes: [0, 2] },
];
const PITCH_CLASSES: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const CHORD_TONES: Record<string, readonly number[]> = { "": [0, 4, 7], m: [0, 3, 7], "5": [0, 7], dim: [0, 3, 6] };

function parseChord(name: string): Chord {
  const [, letter, accidental, kind] = /^([A-G])([#b]?)(.*)$/.exec(name)!;
  return { root: PITCH_CLASSES[letter!]! + (accidental === "#" ? 1 : accidental === "b" ? -1 : 0), tones: CHORD_TONES[kind!]! };
}

/** Returns `versions` songs for every progression, each in a key of its own. */
export function createChordSongs(versions: number, seed: number): ChordSong[] {
  const random = seeded(seed);
  const createAll = (progressions: readonly string[], mode: Mode): ChordSong[] =>
    progressions.flatMap((progression, n) =>
      Array.from({ length: versions }, (_, version) => ({ progression, mode, seed: seed + n * 101 + version, tonic: Math.floor(random.between(0, 12)) })),
    );
  return [...createAll(MINOR_PROGRESSIONS, "minor"), ...createAll(MAJOR_PROGRESSIONS, "major")];
}

/** Returns the chords in the order in which they are played, at least `beats` long: short sections twice in a row, then the next one. */
function arrange(sections: readonly (readonly string[])[], chordBeats: number, beats: number): string[] {
  const order: string[] = [];
  for (let n = 0; order.length * chordBeats < beats; n++) {
    const section = sections[n % sections.length]!;
    order.push(...section, ...(section.length <= 4 ? section : []));
  }
  return order;
}

export function renderChordSong({ progression, seed, tonic, mode }: ChordSong, rate: number): Float32Array {
  const random = seeded(seed);
  const [, key, line] = /^(?:(\S+): )?(.*)$/.exec(progression)!;
  const sections = line!.split("|").map((section) => section.trim().split(" "));
  const transpose = tonic - parseChord(key ?? sections[0]![0]!).root;
  const bpm = random.between(72, 144);
  const beat = 60 / bpm;
  const chordBeats = random.pick([2, 4, 4, 4]);
  const order = arrange(sections, chordBeats, random.pick([40, 55]) / beat);
  const tonicChord = order.find((name) => (parseChord(name).root + transpose - tonic) % 12 === 0);
  if (tonicChord && random.chance(0.6)) order.push(tonicChord);
  const track: Track = { rate, samples: new Float32Array(Math.round((order.length * chordBeats + 2) * beat * rate)) };
  const player = new Player(track, random, { band: random.pick(BANDS), beat, chordBeats, tonic, mode });
  for (const [n, name] of order.entries()) {
    const { root, tones } = parseChord(name);
    player.playChord({ root: (root + transpose + 24) % 12, tones }, n);
  }
  return normalizeSong(track.samples, random);
}

class Player {
  readonly #track: Track;
  readonly #random: Random;
  readonly #song: { band: Band; beat: number; chordBeats: number; tonic: number; mode: Mode };
  readonly #hasDrums: boolean;
  readonly #hasMelody: boolean;
  readonly #hasSevenths: boolean;
  readonly #bassLine: "held" | "fifths" | "eighths" | "walking";
  /** Beats before bass, drums and melody begin. */
  readonly #intro: number;
  #lastNote = 72;

  constructor(track: Track, random: Random, song: { band: Band; beat: number; chordBeats: number; tonic: number; mode: Mode }) {
    this.#track = track;
    this.#random = random;
    this.#song = song;
    this.#hasDrums = random.chance(0.6);
    this.#hasMelody = random.chance(0.8);
    this.#hasSevenths = random.chance(0.2);
    this.#bassLine = random.pick(["held", "fifths", "eighths", "walking"] as const);
    this.#intro = random.pick([0, 0, 0, 4, 8]);
  }

  playChord({ root, tones }: Chord, n: number): void {
    const { band, chordBeats, tonic, mode } = this.#song;
    const start = n * chordBeats;
    const scale = SCALES[mode].map((step) => (step + tonic) % 12);
    const seventh = scale.includes((root + 10) % 12) || tones[1] === 3 ? 10 : 11;
    const voices = this.#hasSevenths && tones.length === 3 ? [...tones, seventh] : tones;
    const strokes = band.strokes.filter((at) => at < chordBeats);
    for (const [index, at] of strokes.entries()) {
      const length = (strokes[index + 1] ?? chordBeats) - at;
      for (const voice of voices) this.#note(band.chords, start + at, length, 55 + ((root + voice + 5) % 12), 0.14);
    }
    if (start < this.#intro) return;
    this.#playBass(root, tones, start);
    if (this.#hasMelody) this.#playMelody(root, tones, scale, start);
    if (this.#hasDrums) this.#playDrums(start);
  }

  #note(tone: ToneName, beatAt: number, beats: number, midi: number, gain: number): void {
    addNote(this.#track, beatAt * this.#song.beat, beats * this.#song.beat * 0.95, midiToHertz(midi), gain, TONES[tone]);
  }

  #playBass(root: number, tones: readonly number[], start: number): void {
    const { band, chordBeats } = this.#song;
    const low = root < 8 ? 36 + root : 24 + root;
    const play = (at: number, beats: number, interval: number): void => this.#note(band.bass, start + at, beats, low + interval, 0.3);
    if (this.#bassLine === "held") play(0, chordBeats, 0);
    else if (this.#bassLine === "fifths") for (const [half, interval] of [0, 7].entries()) play((half * chordBeats) / 2, chordBeats / 2, interval);
    else if (this.#bassLine === "eighths") for (let at = 0; at < chordBeats; at += 0.5) play(at, 0.5, 0);
    else for (const [at, interval] of [0, tones[1]!, 7, this.#random.pick([0, 7])].slice(0, chordBeats).entries()) play(at, 1, interval);
  }

  /** Plays chord tones on the beats and tones of the scale between them, never far from the note before. */
  #playMelody(root: number, tones: readonly number[], scale: readonly number[], start: number): void {
    const { band, chordBeats } = this.#song;
    for (let at = 0; at < chordBeats;) {
      const beats = Math.min(chordBeats - at, this.#random.pick([0.5, 0.5, 1, 1, 2]));
      const allowed = at % 1 === 0 ? tones.map((tone) => (root + tone) % 12) : scale;
      const near = Array.from({ length: 11 }, (_, n) => this.#lastNote - 5 + n).filter((midi) => midi >= 62 && midi < 86 && allowed.includes(midi % 12));
      if (near.length > 0 && this.#random.chance(0.8)) {
        this.#lastNote = this.#random.pick(near);
        this.#note(band.melody, start + at, beats, this.#lastNote, 0.14);
      }
      at += beats;
    }
  }

  #playDrums(start: number): void {
    const { beat, chordBeats } = this.#song;
    for (let at = 0; at < chordBeats; at++) {
      const seconds = (start + at) * beat;
      if (at % 2 === 0) kick(this.#track, seconds, 0.7);
      else snare(this.#track, seconds, 0.4, this.#random);
      for (const half of [0, 0.5]) hat(this.#track, seconds + half * beat, 0.12, this.#random);
    }
  }
}
