/** Renders a song of known tempo and key from a style: drums on a grid, bass, chords and a melody over a progression. */
import { seeded, type Random } from "./random.ts";
import { click, hat, midiToHertz, kick, addNote, snare, tom, TONES, type ToneName, type Track } from "./voices.ts";

export type Mode = "major" | "minor";

/** Music style. Grids have one character per step: `.` rests, `x` hits, `X` hits harder, `o` rings longer. */
export interface Style {
  name: string;
  bpm: readonly [number, number];
  /** Beats per bar and steps per beat. */
  beats: number;
  steps: number;
  /** Delay of every second step, as a share of one step. 0.33 is a triplet feel. */
  swing?: number;
  drums?: Partial<Record<"kick" | "snare" | "hat" | "open" | "tom" | "click", string>>;
  bass?: { tone: ToneName; grid: string; octaves?: boolean };
  chords?: { tone: ToneName; grid: string; sevenths?: boolean; power?: boolean; arpeggio?: boolean };
  melody?: { tone: ToneName; density: number };
  /** Chords as scale degrees 0 to 6, one per bar. `b6` is a flattened seventh. */
  progressions: Partial<Record<Mode, readonly (readonly (number | "b6")[])[]>>;
  /** Altered scale degree: harmonic minor's seventh on the dominant, Dorian's sixth or Mixolydian's seventh. */
  color?: "harmonic" | "dorian" | "mixolydian";
  humanize?: number;
}

export interface SongPlan {
  style: Style;
  seed: number;
  seconds: number;
  bpm: number;
  tonic: number;
  mode: Mode;
  cents?: number;
  /** Transposes the song up by `by` semitones after this share of its length. */
  modulation?: { after: number; by: number };
  /** Bars without drums at the start. */
  quietBars?: number;
}

/** Semitones above the tonic. */
export const SCALES: Record<Mode, readonly number[]> = { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10] };

const HIT_GAINS: Record<string, number> = { x: 0.75, X: 1, o: 0.9 };

export function renderSong(plan: SongPlan, rate = 22_050): Float32Array {
  const track: Track = { rate, samples: new Float32Array(Math.round(plan.seconds * rate)) };
  const random = seeded(plan.seed);
  const { style } = plan;
  const beat = 60 / plan.bpm;
  const bar = beat * style.beats;
  const progressions = style.progressions[plan.mode] ?? style.progressions.major ?? style.progressions.minor!;
  const progression = random.pick(progressions);
  for (let n = 0; n * bar < plan.seconds; n++) {
    const transpose = plan.modulation && n * bar >= plan.modulation.after * plan.seconds ? plan.modulation.by : 0;
    const degree = progression[n % progression.length]!;
    const stepTime = (step: number): number => {
      const delay = step % 2 === 1 ? (style.swing ?? 0) * (beat / style.steps) : 0;
      return n * bar + (step * beat) / style.steps + delay + (style.humanize ?? 0) * (random.next() - 0.5);
    };
    if (n >= (plan.quietBars ?? 0)) drums(track, style, stepTime, random, n);
    harmony(track, plan, stepTime, random, degree, transpose, beat);
  }
  return normalizeSong(track.samples, random);
}

function forEachHit(grid: string | undefined, play: (step: number, gain: number, character: string) => void): void {
  for (let step = 0; step < (grid?.length ?? 0); step++) {
    const character = grid![step]!;
    if (character !== ".") play(step, HIT_GAINS[character] ?? 0.7, character);
  }
}

function drums(track: Track, { drums: drumGrids = {}, beats, steps }: Style, stepTime: (step: number) => number, random: Random, bar: number): void {
  forEachHit(drumGrids.kick, (step, gain) => kick(track, stepTime(step), 0.9 * gain));
  forEachHit(drumGrids.snare, (step, gain) => snare(track, stepTime(step), 0.6 * gain, random));
  forEachHit(drumGrids.hat, (step, gain) => hat(track, stepTime(step), 0.22 * gain, random));
  forEachHit(drumGrids.open, (step, gain) => hat(track, stepTime(step), 0.22 * gain, random, 0.2));
  forEachHit(drumGrids.tom, (step, gain) => tom(track, stepTime(step), 0.5 * gain, 110));
  forEachHit(drumGrids.click, (step, gain) => click(track, stepTime(step), 0.3 * gain, 1_800));
  // Add a drum fill every eighth bar.
  if (bar % 8 === 7 && drumGrids.snare) for (let step = beats * steps - steps; step < beats * steps; step++) snare(track, stepTime(step), 0.35, random);
}

/** Returns the semitones from the tonic to scale degree `degree`, which may exceed an octave. */
function pitch(mode: Mode, degree: number, color: Style["color"], leading: boolean): number {
  const scale = [...SCALES[mode]];
  if (color === "dorian") scale[5] = 9;
  if (color === "mixolydian") scale[6] = 10;
  if (color === "harmonic" && leading) scale[6] = 11;
  return scale[((degree % 7) + 7) % 7]! + 12 * Math.floor(degree / 7);
}

function harmony(
  track: Track,
  plan: SongPlan,
  stepTime: (step: number) => number,
  random: Random,
  degree: number | "b6",
  transpose: number,
  beat: number,
): void {
  const { style, mode, cents = 0 } = plan;
  const root = plan.tonic + transpose;
  const dominant = degree === 4;
  const semitoneAt = (step: number): number => (degree === "b6" ? ([10, 14, 17, 21][step / 2] ?? 10) : pitch(mode, degree + step, style.color, dominant));
  const stepSeconds = beat / style.steps;
  if (style.bass) {
    const { tone, grid, octaves } = style.bass;
    forEachHit(grid, (step, gain) => {
      const up = octaves && (step / style.steps) % 1 !== 0 ? 12 : random.chance(0.12) ? 7 : 0;
      addNote(track, stepTime(step), stepSeconds * 1.6, midiToHertz(36 + root + (semitoneAt(0) % 12) + up, cents), 0.32 * gain, TONES[tone]);
    });
  }
  if (style.chords) {
    const { tone, grid, sevenths, power, arpeggio } = style.chords;
    const voices = power ? [0, 4, 7] : sevenths ? [0, 2, 4, 6] : [0, 2, 4];
    let next = 0;
    forEachHit(grid, (step, gain, character) => {
      const chordTones = arpeggio ? [voices[next++ % voices.length]!] : voices;
      const noteSeconds = character === "o" ? stepSeconds * style.steps * style.beats * 0.95 : stepSeconds * 1.8;
      for (const voice of chordTones)
        addNote(
          track,
          stepTime(step),
          noteSeconds,
          midiToHertz((power ? 48 : 60) + root + semitoneAt(voice) - (semitoneAt(voice) >= 14 ? 12 : 0), cents),
          (0.2 * gain) / (arpeggio ? 1 : 1.4),
          TONES[tone],
        );
    });
  }
  if (style.melody) melody(track, plan, stepTime, random, degree, root, stepSeconds);
}

function melody(
  track: Track,
  { style, mode, cents = 0 }: SongPlan,
  stepTime: (step: number) => number,
  random: Random,
  degree: number | "b6",
  root: number,
  stepSeconds: number,
): void {
  const { tone, density } = style.melody!;
  const half = Math.max(1, style.steps / 2);
  for (let step = 0; step < style.beats * style.steps; step += half) {
    if (!random.chance(density)) continue;
    // Use chord tones on the beat and any near scale tones between beats.
    const base = degree === "b6" ? 3 : degree;
    const melodyDegree = step % style.steps === 0 ? base + random.pick([0, 2, 4]) : base + random.pick([0, 1, 2, 3, 4, 5]);
    addNote(
      track,
      stepTime(step),
      stepSeconds * half * 0.9,
      midiToHertz(72 + root + pitch(mode, melodyDegree % 7, style.color, degree === 4), cents),
      0.16,
      TONES[tone],
    );
  }
}

const PEAK = 10 ** (-3 / 20);

/** Scales the peak to -3 dB and adds a little noise, like the noise floor of a room. */
export function normalizeSong(samples: Float32Array, random: Random): Float32Array {
  let peak = 1e-9;
  for (const value of samples) peak = Math.max(peak, Math.abs(value));
  return samples.map((value) => (value / peak) * PEAK + (random.next() - 0.5) * 4e-4);
}
