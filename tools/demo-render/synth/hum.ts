/** Somebody hums into a telephone: a throat (a buzz that slides from note to note) and a mouth (three formants). */
import { createFilter } from "./filter.ts";
import { hertzOf, pitchOf } from "./harmony.ts";
import { seeded } from "./track.ts";

/** What a browser records voice at. */
export const HUM_RATE = 48_000;

export interface HumInput {
  bpm: number;
  /** `A3/4 -/2`: notes with their length in steps of a quarter of a beat. */
  notes: string;
  seed: number;
}

/** Hertz, resonance and gain of "oo" to "ah", between which the mouth moves. */
const FORMANTS = [
  { closed: 330, open: 640, resonance: 0.9, gain: 1 },
  { closed: 860, open: 1_080, resonance: 0.92, gain: 0.5 },
  { closed: 2_300, open: 2_500, resonance: 0.93, gain: 0.16 },
];
/** The filters are made for the songs' rate. */
const TUNING = 44_100 / HUM_RATE;
const RETUNE = 64;

interface SungNote {
  from: number;
  until: number;
  hertz: number;
}

function parseNotes({ bpm, notes }: HumInput): { sung: SungNote[]; seconds: number } {
  const sung: SungNote[] = [];
  let at = 0.35;
  for (const word of notes.split(" ")) {
    const [name = "", steps = ""] = word.split("/");
    const until = at + (Number(steps) * 60) / bpm / 4;
    if (name !== "-") sung.push({ from: at, until, hertz: hertzOf(pitchOf(name)) });
    at = until;
  }
  return { sung, seconds: at + 0.5 };
}

/** One channel at `HUM_RATE`. */
export function hum(hummed: HumInput): Float32Array {
  const { sung, seconds } = parseNotes(hummed);
  const random = seeded(hummed.seed);
  const samples = new Float32Array(Math.ceil(seconds * HUM_RATE));
  const mouth = FORMANTS.map(({ closed, resonance }) => createFilter(closed * TUNING, resonance));
  let [phase, hertz, level, nth] = [0, sung[0]?.hertz ?? 200, 0, 0];
  for (let i = 0; i < samples.length; i++) {
    const t = i / HUM_RATE;
    while (nth < sung.length - 1 && t >= sung[nth]!.until) nth++;
    const note = sung[nth]!;
    const sounding = t >= note.from && t < note.until - 0.05;
    // A voice slides, and is never quite in tune.
    hertz += (note.hertz - hertz) * (1 - Math.exp(-1 / (0.045 * HUM_RATE)));
    level += ((sounding ? 1 : 0) - level) * (1 - Math.exp(-1 / (0.04 * HUM_RATE)));
    if (i % RETUNE === 0) {
      const open = level * (0.5 + 0.5 * Math.sin(Math.min(1, (t - note.from) * 3) * Math.PI));
      mouth.forEach((filter, n) => filter.tune((FORMANTS[n]!.closed + (FORMANTS[n]!.open - FORMANTS[n]!.closed) * open) * TUNING, FORMANTS[n]!.resonance));
    }
    const vibrato = 1 + 0.006 * Math.sin(2 * Math.PI * 5.1 * t) * Math.min(1, Math.max(0, t - note.from - 0.15) * 4);
    phase = (phase + (hertz * vibrato) / HUM_RATE) % 1;
    // The folds close faster than they open; some air comes along.
    const throat = (phase < 0.6 ? Math.sin((Math.PI * phase) / 0.6) ** 2 : 0) - 0.3 + (random() - 0.5) * 0.12;
    let voice = 0;
    mouth.forEach((filter, n) => {
      filter.run(throat * level);
      voice += filter.band * FORMANTS[n]!.gain;
    });
    // The room behind the telephone.
    samples[i] = Math.tanh(0.5 * voice) * 0.8 + (random() - 0.5) * 0.002;
  }
  return samples;
}
