/** A drum kit: what each drum sounds like when it is hit once. */
import { createFilter } from "./filter.ts";
import { panOf, RATE, type Track } from "./track.ts";

export type DrumName = "kick" | "snare" | "brush" | "clap" | "hat" | "open" | "ride" | "shaker" | "crash";
type Random = () => number;
/** The sample at so many seconds after the hit; asked once for each, in order. */
type Sound = (t: number) => number;

interface Drum {
  seconds: number;
  /** -1 left, 1 right. */
  pan: number;
  sound(random: Random): Sound;
}

/** Noise through a filter, dying away. */
function hiss(random: Random, kind: "band" | "high", hertz: number, resonance: number, decay: number): Sound {
  const filter = createFilter(hertz, resonance);
  return (t) => {
    filter.run(random() * 2 - 1);
    return filter[kind] * Math.exp(-t / decay);
  };
}

/** Metal: squares that agree on nothing, only the top of them. */
function metal(hertz: number, decay: number): Sound {
  const filter = createFilter(7_500, 0.2);
  return (t) => {
    let sum = 0;
    for (const ratio of [1, 1.342, 1.2312, 1.6532, 1.9523, 2.1523]) sum += (hertz * ratio * t) % 1 < 0.5 ? 1 : -1;
    filter.run(sum / 6);
    return filter.high * Math.exp(-t / decay);
  };
}

/** A skin: its tone falls from above to where it rests. */
function skin(rests: number, above: number, falls: number): Sound {
  let phase = 0;
  return (t) => {
    phase += (rests + above * Math.exp(-t * falls)) / RATE;
    return Math.sin(2 * Math.PI * phase);
  };
}

const KIT: Readonly<Record<DrumName, Drum>> = {
  kick: {
    seconds: 0.42,
    pan: 0,
    sound(random) {
      const tone = skin(46, 150, 38);
      return (t) => Math.tanh(1.6 * tone(t) * Math.exp(-t * 7.5)) + (t < 0.004 ? (random() * 2 - 1) * 0.35 * (1 - t / 0.004) : 0);
    },
  },
  snare: {
    seconds: 0.35,
    pan: 0.05,
    sound(random) {
      const [tone, body, top] = [skin(186, 66, 60), hiss(random, "band", 2_300, 0.15, 0.11), hiss(random, "high", 4_500, 0, 0.07)];
      return (t) => 0.75 * (0.75 * tone(t) * Math.exp(-t * 19) + body(t) + 0.4 * top(t));
    },
  },
  /** A broom over a snare's head. */
  brush: {
    seconds: 0.4,
    pan: 0.15,
    sound(random) {
      const sweep = hiss(random, "band", 3_200, 0.05, 0.13);
      return (t) => 0.8 * sweep(t) * Math.min(1, t * 60);
    },
  },
  clap: {
    seconds: 0.45,
    pan: -0.08,
    sound(random) {
      const room = hiss(random, "band", 1_350, 0.45, 0.12);
      const hands = [0, 0.011, 0.024];
      return (t) => 0.7 * room(t) * (0.6 + 1.6 * hands.reduce((sum, hand) => sum + (t >= hand ? Math.exp(-(t - hand) * 170) : 0), 0));
    },
  },
  hat: {
    seconds: 0.16,
    pan: 0.22,
    sound(random) {
      const [tin, air] = [metal(320, 0.028), hiss(random, "high", 8_500, 0, 0.03)];
      return (t) => 0.4 * tin(t) + 0.3 * air(t);
    },
  },
  open: {
    seconds: 0.55,
    pan: 0.22,
    sound(random) {
      const [tin, air] = [metal(310, 0.16), hiss(random, "high", 8_000, 0, 0.15)];
      return (t) => 0.35 * tin(t) + 0.25 * air(t);
    },
  },
  ride: {
    seconds: 0.9,
    pan: -0.3,
    sound() {
      const tin = metal(410, 0.32);
      return (t) => 0.3 * (tin(t) + 0.12 * Math.sin(2 * Math.PI * 4_180 * t) * Math.exp(-t * 9));
    },
  },
  shaker: {
    seconds: 0.2,
    pan: -0.35,
    sound(random) {
      const sand = hiss(random, "high", 6_500, 0.1, 0.05);
      return (t) => 0.4 * sand(t) * Math.min(1, t * 90);
    },
  },
  crash: {
    seconds: 2.6,
    pan: -0.15,
    sound(random) {
      const [tin, air] = [metal(270, 0.8), hiss(random, "high", 5_500, 0, 0.75)];
      return (t) => 0.3 * tin(t) + 0.35 * air(t);
    },
  },
};

export const drumSeconds = (name: DrumName): number => KIT[name].seconds;

/** One hit, into a track of its length. */
export function hit(track: Track, name: DrumName, random: Random): void {
  const { pan, sound } = KIT[name];
  const sample = sound(random);
  const [left, right] = panOf(pan);
  for (let i = 0; i < track.left.length; i++) {
    const value = sample(i / RATE);
    track.left[i] = value * left;
    track.right[i] = value * right;
  }
}
