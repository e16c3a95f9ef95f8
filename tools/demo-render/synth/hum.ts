/** Synthesizes a hummed melody as a phone would record it: a glottal pulse that glides between notes, through three formant filters. */
import { createFilter } from "./filter.ts";
import { parseNote, pitchToFrequency } from "./harmony.ts";
import { seededRandom } from "./track.ts";

/** Sample rate in Hz, the one at which browsers record voice notes. */
export const HUM_SAMPLE_RATE = 48_000;

export interface HumInput {
  bpm: number;
  /** Notes and rests with their length in quarters of a beat: `A3/4 -/2`. */
  notes: string;
  seed: number;
}

/** Formants of the vowels between which the hum moves, "oo" (`closed`) and "ah" (`open`), in Hz, with resonance and gain of each band-pass filter. */
const FORMANTS = [
  { closed: 330, open: 640, resonance: 0.9, gain: 1 },
  { closed: 860, open: 1_080, resonance: 0.92, gain: 0.5 },
  { closed: 2_300, open: 2_500, resonance: 0.93, gain: 0.16 },
];
/** Converts frequencies for the filters, which assume the songs' sample rate. */
const FREQUENCY_SCALE = 44_100 / HUM_SAMPLE_RATE;
/** Samples between two updates of the formants. */
const CONTROL_INTERVAL = 64;

interface HummedNote {
  /** Seconds from the start of the recording. */
  from: number;
  until: number;
  /** In Hz. */
  frequency: number;
}

function parseNotes({ bpm, notes }: HumInput): { hummedNotes: HummedNote[]; seconds: number } {
  const hummedNotes: HummedNote[] = [];
  let at = 0.35;
  for (const token of notes.split(" ")) {
    const [name = "", steps = ""] = token.split("/");
    const until = at + (Number(steps) * 60) / bpm / 4;
    if (name !== "-") hummedNotes.push({ from: at, until, frequency: pitchToFrequency(parseNote(name)) });
    at = until;
  }
  return { hummedNotes, seconds: at + 0.5 };
}

/** Returns one channel at `HUM_SAMPLE_RATE`. */
export function renderHum(input: HumInput): Float32Array {
  const { hummedNotes, seconds } = parseNotes(input);
  const random = seededRandom(input.seed);
  const samples = new Float32Array(Math.ceil(seconds * HUM_SAMPLE_RATE));
  const formantFilters = FORMANTS.map(({ closed, resonance }) => createFilter(closed * FREQUENCY_SCALE, resonance));
  let [phase, frequency, level, noteIndex] = [0, hummedNotes[0]?.frequency ?? 200, 0, 0];
  for (let i = 0; i < samples.length; i++) {
    const t = i / HUM_SAMPLE_RATE;
    while (noteIndex < hummedNotes.length - 1 && t >= hummedNotes[noteIndex]!.until) noteIndex++;
    const note = hummedNotes[noteIndex]!;
    const sounding = t >= note.from && t < note.until - 0.05;
    // The pitch glides to each note with a time constant of 45 ms, and the level follows within 40 ms.
    frequency += (note.frequency - frequency) * (1 - Math.exp(-1 / (0.045 * HUM_SAMPLE_RATE)));
    level += ((sounding ? 1 : 0) - level) * (1 - Math.exp(-1 / (0.04 * HUM_SAMPLE_RATE)));
    if (i % CONTROL_INTERVAL === 0) {
      const openness = level * (0.5 + 0.5 * Math.sin(Math.min(1, (t - note.from) * 3) * Math.PI));
      formantFilters.forEach((filter, n) =>
        filter.tune((FORMANTS[n]!.closed + (FORMANTS[n]!.open - FORMANTS[n]!.closed) * openness) * FREQUENCY_SCALE, FORMANTS[n]!.resonance),
      );
    }
    const vibrato = 1 + 0.006 * Math.sin(2 * Math.PI * 5.1 * t) * Math.min(1, Math.max(0, t - note.from - 0.15) * 4);
    phase = (phase + (frequency * vibrato) / HUM_SAMPLE_RATE) % 1;
    // The glottal pulse: the vocal folds are open for 60 % of the cycle; the noise is breath.
    const glottalPulse = (phase < 0.6 ? Math.sin((Math.PI * phase) / 0.6) ** 2 : 0) - 0.3 + (random() - 0.5) * 0.12;
    let voice = 0;
    formantFilters.forEach((filter, n) => {
      filter.process(glottalPulse * level);
      voice += filter.band * FORMANTS[n]!.gain;
    });
    // The noise added last is the background noise of the recording.
    samples[i] = Math.tanh(0.5 * voice) * 0.8 + (random() - 0.5) * 0.002;
  }
  return samples;
}
