/** A sound that tells its own time: its pitch rises steadily, so a few hundredths of a second reveal which second they are. */
import { RealFft } from "../signal/fft.ts";
import { seeded } from "./random.ts";

/** Every sample rate from 8 kHz on carries these. */
const LOWEST_HERTZ = 300;
const HIGHEST_HERTZ = 2_700;
/** Noise above the pitches, which only some stretches have: it makes encoders change their bit rate. */
const NOISE = { amplitude: 0.25, minRate: 32_000, longestStretch: 6 };
const FFT_SIZE = 16_384;
const SEARCH_STEPS = 60;

export interface Chirp {
  samples: Float32Array;
  seconds: number;
}

/** Pitch in Hz at a second of a chirp. */
const risePerSecond = (seconds: number): number => (HIGHEST_HERTZ - LOWEST_HERTZ) / seconds;

export function createChirp(seconds: number, rate: number, seed = 1): Chirp {
  const random = seeded(seed);
  const rise = risePerSecond(seconds);
  const hasNoise = rate >= NOISE.minRate;
  let [noise, noiseEnd, lastNoise, olderNoise] = [0, 0, 0, 0];
  const samples = Float32Array.from({ length: Math.round(seconds * rate) }, (_, i) => {
    const t = i / rate;
    const tone = 0.4 * Math.sin(2 * Math.PI * (LOWEST_HERTZ * t + (rise * t * t) / 2));
    if (!hasNoise) return tone;
    if (t >= noiseEnd) {
      noiseEnd = t + random.between(1, NOISE.longestStretch);
      noise = noise > 0 ? 0 : NOISE.amplitude;
    }
    const white = random.next() * 2 - 1;
    const high = white - 2 * lastNoise + olderNoise;
    olderNoise = lastNoise;
    lastNoise = white;
    return tone + (noise * high) / 4;
  });
  return { samples, seconds };
}

/** Returns the second of the chirp at which `heard` begins, from its pitch. `heard` has some tenths of a second at `rate` Hz. */
export function secondOfChirp(heard: Float32Array, rate: number, chirpSeconds: number): number {
  const rise = risePerSecond(chirpSeconds);
  const middle = (heard.length - 1) / 2 / rate;
  const windowed = heard.map((value, i) => value * (0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / heard.length)));
  /** Squared magnitude of the rising tone whose pitch in the middle is `hertz`. */
  const strength = (hertz: number): number => {
    let [re, im] = [0, 0];
    for (let i = 0; i < windowed.length; i++) {
      const t = i / rate - middle;
      const phase = 2 * Math.PI * (hertz * t + (rise * t * t) / 2);
      re += windowed[i]! * Math.cos(phase);
      im += windowed[i]! * Math.sin(phase);
    }
    return re * re + im * im;
  };
  const step = rate / FFT_SIZE;
  let [low, high] = [findPeak(windowed, step) - 2 * step, 0];
  high = low + 4 * step;
  for (let round = 0; round < SEARCH_STEPS && high - low > 1e-4; round++) {
    const [a, b] = [low + (high - low) * 0.382, low + (high - low) * 0.618];
    if (strength(a) > strength(b)) high = b;
    else low = a;
  }
  return ((low + high) / 2 - LOWEST_HERTZ) / rise - middle;
}

/** Returns the strongest pitch in Hz, to the nearest bin. */
function findPeak(windowed: Float32Array, step: number): number {
  const padded = new Float32Array(FFT_SIZE);
  padded.set(windowed.subarray(0, FFT_SIZE));
  const power = new Float64Array(FFT_SIZE / 2 + 1);
  new RealFft(FFT_SIZE).power(padded, power);
  let best = Math.floor((LOWEST_HERTZ * 0.8) / step);
  for (let bin = best; bin * step < HIGHEST_HERTZ * 1.1; bin++) if (power[bin]! > power[best]!) best = bin;
  return best * step;
}
