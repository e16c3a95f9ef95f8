/** A synthesized drum kit: one sound per drum. */
import { createFilter } from "./filter.ts";
import { panGains, SAMPLE_RATE, type Track } from "./track.ts";

export type DrumName = "kick" | "snare" | "brush" | "clap" | "hat" | "openHat" | "ride" | "shaker" | "crash";
type Random = () => number;
/** Returns the sample at `t` seconds after the hit. It is called once per sample in order, because oscillators and filters have state. */
type SampleFunction = (t: number) => number;

interface Drum {
  seconds: number;
  /** From -1 (left) to 1 (right). */
  pan: number;
  createSound(random: Random): SampleFunction;
}

/** Filtered white noise with an exponential decay; `cutoff` in Hz, `decay` is the time constant in seconds. */
function filteredNoise(random: Random, kind: "band" | "high", cutoff: number, resonance: number, decay: number): SampleFunction {
  const filter = createFilter(cutoff, resonance);
  return (t) => {
    filter.process(random() * 2 - 1);
    return filter[kind] * Math.exp(-t / decay);
  };
}

/** Metallic sound: six square waves at inharmonic multiples of `frequency` (Hz), high-passed at 7.5 kHz; `decay` is the time constant in seconds. */
function metallicSquares(frequency: number, decay: number): SampleFunction {
  const filter = createFilter(7_500, 0.2);
  return (t) => {
    let sum = 0;
    for (const ratio of [1, 1.342, 1.2312, 1.6532, 1.9523, 2.1523]) sum += (frequency * ratio * t) % 1 < 0.5 ? 1 : -1;
    filter.process(sum / 6);
    return filter.high * Math.exp(-t / decay);
  };
}

/** Drumhead: a sine whose frequency falls exponentially from `frequency + sweep` to `frequency` (Hz) at `sweepRate` per second. */
function sweptSine(frequency: number, sweep: number, sweepRate: number): SampleFunction {
  let phase = 0;
  return (t) => {
    phase += (frequency + sweep * Math.exp(-t * sweepRate)) / SAMPLE_RATE;
    return Math.sin(2 * Math.PI * phase);
  };
}

const KIT: Readonly<Record<DrumName, Drum>> = {
  kick: {
    seconds: 0.42,
    pan: 0,
    createSound(random) {
      const tone = sweptSine(46, 150, 38);
      return (t) => Math.tanh(1.6 * tone(t) * Math.exp(-t * 7.5)) + (t < 0.004 ? (random() * 2 - 1) * 0.35 * (1 - t / 0.004) : 0);
    },
  },
  snare: {
    seconds: 0.35,
    pan: 0.05,
    createSound(random) {
      const [tone, midNoise, highNoise] = [
        sweptSine(186, 66, 60),
        filteredNoise(random, "band", 2_300, 0.15, 0.11),
        filteredNoise(random, "high", 4_500, 0, 0.07),
      ];
      return (t) => 0.75 * (0.75 * tone(t) * Math.exp(-t * 19) + midNoise(t) + 0.4 * highNoise(t));
    },
  },
  /** Wire brush on a snare: noise with a soft attack. */
  brush: {
    seconds: 0.4,
    pan: 0.15,
    createSound(random) {
      const noise = filteredNoise(random, "band", 3_200, 0.05, 0.13);
      return (t) => 0.8 * noise(t) * Math.min(1, t * 60);
    },
  },
  clap: {
    seconds: 0.45,
    pan: -0.08,
    createSound(random) {
      const noise = filteredNoise(random, "band", 1_350, 0.45, 0.12);
      // Three bursts a few milliseconds apart, in seconds, sound like several hands.
      const clapTimes = [0, 0.011, 0.024];
      return (t) => 0.7 * noise(t) * (0.6 + 1.6 * clapTimes.reduce((sum, clapTime) => sum + (t >= clapTime ? Math.exp(-(t - clapTime) * 170) : 0), 0));
    },
  },
  hat: {
    seconds: 0.16,
    pan: 0.22,
    createSound(random) {
      const [squares, noise] = [metallicSquares(320, 0.028), filteredNoise(random, "high", 8_500, 0, 0.03)];
      return (t) => 0.4 * squares(t) + 0.3 * noise(t);
    },
  },
  openHat: {
    seconds: 0.55,
    pan: 0.22,
    createSound(random) {
      const [squares, noise] = [metallicSquares(310, 0.16), filteredNoise(random, "high", 8_000, 0, 0.15)];
      return (t) => 0.35 * squares(t) + 0.25 * noise(t);
    },
  },
  ride: {
    seconds: 0.9,
    pan: -0.3,
    createSound() {
      const squares = metallicSquares(410, 0.32);
      return (t) => 0.3 * (squares(t) + 0.12 * Math.sin(2 * Math.PI * 4_180 * t) * Math.exp(-t * 9));
    },
  },
  shaker: {
    seconds: 0.2,
    pan: -0.35,
    createSound(random) {
      const noise = filteredNoise(random, "high", 6_500, 0.1, 0.05);
      return (t) => 0.4 * noise(t) * Math.min(1, t * 90);
    },
  },
  crash: {
    seconds: 2.6,
    pan: -0.15,
    createSound(random) {
      const [squares, noise] = [metallicSquares(270, 0.8), filteredNoise(random, "high", 5_500, 0, 0.75)];
      return (t) => 0.3 * squares(t) + 0.35 * noise(t);
    },
  },
};

export const drumSeconds = (name: DrumName): number => KIT[name].seconds;

/** Renders one hit into a track, which must be as long as the sound (`drumSeconds`). */
export function renderDrum(track: Track, name: DrumName, random: Random): void {
  const { pan, createSound } = KIT[name];
  const sampleAt = createSound(random);
  const [left, right] = panGains(pan);
  for (let i = 0; i < track.left.length; i++) {
    const value = sampleAt(i / SAMPLE_RATE);
    track.left[i] = value * left;
    track.right[i] = value * right;
  }
}
