/** The signals of EBU Tech 3341 (cases 1 to 6 and 9 to 23) and 3342 (cases 1 to 4), made from their text, with the values that a meter must show. */
import type { Loudness } from "../loudness/loudness.ts";
import { concatSignals } from "./signals.ts";

type Value = "integrated" | "range" | "momentaryMax" | "shortTermMax" | "truePeak";

export interface EbuCase {
  name: string;
  /** Made when it is needed, because all of them take gigabytes. */
  createChannels(): readonly Float32Array[];
  sampleRate: number;
  /** Channel mask of the file; without it, the file names no speakers. */
  mask?: number;
  expected: Partial<Record<Value, number>>;
  tolerance: { below: number; above: number };
}

const RATE = 48_000;
const ONE_TENTH = { below: 0.1, above: 0.1 };
const RANGE = { below: 1, above: 1 };
const TRUE_PEAK = { below: 0.4, above: 0.2 };

/** Level of a part in dBFS (peak), null for silence, and its length in seconds. */
type Part = [level: number | null, seconds: number];

/** A sine of 1 kHz in parts of different level, without jumps in its phase. */
function tone(parts: readonly Part[], rate = RATE): Float32Array {
  let at = 0;
  return concatSignals(
    ...parts.map(([level, seconds]) => {
      const start = at;
      at += Math.round(seconds * rate);
      const amplitude = level === null ? 0 : 10 ** (level / 20);
      return Float32Array.from({ length: at - start }, (_, i) => amplitude * Math.sin((2 * Math.PI * 1_000 * (start + i)) / rate));
    }),
  );
}

const stereo = (signal: Float32Array): Float32Array[] => [signal, signal];

function stereoCase(name: string, parts: readonly Part[], expected: EbuCase["expected"], sampleRate = RATE): EbuCase {
  return { name, createChannels: () => stereo(tone(parts, sampleRate)), sampleRate, expected, tolerance: ONE_TENTH };
}

const repeat = (count: number, ...parts: Part[]): Part[] => Array.from({ length: count }, () => parts).flat();
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Cases 1 to 5: gated loudness in stereo. */
function integratedCases(): EbuCase[] {
  const at = (sampleRate: number): EbuCase[] => [
    stereoCase(`3341-1, ${sampleRate} Hz`, [[-23, 20]], { integrated: -23, momentaryMax: -23, shortTermMax: -23 }, sampleRate),
    stereoCase(`3341-2, ${sampleRate} Hz`, [[-33, 20]], { integrated: -33, momentaryMax: -33, shortTermMax: -33 }, sampleRate),
    stereoCase(
      `3341-3, ${sampleRate} Hz`,
      [
        [-36, 10],
        [-23, 60],
        [-36, 10],
      ],
      { integrated: -23 },
      sampleRate,
    ),
    stereoCase(
      `3341-4, ${sampleRate} Hz`,
      [
        [-72, 10],
        [-36, 10],
        [-23, 60],
        [-36, 10],
        [-72, 10],
      ],
      { integrated: -23 },
      sampleRate,
    ),
    stereoCase(
      `3341-5, ${sampleRate} Hz`,
      [
        [-26, 20],
        [-20, 20.1],
        [-26, 20],
      ],
      { integrated: -23 },
      sampleRate,
    ),
  ];
  return [...at(48_000), ...at(44_100)];
}

/** Case 6: 5.0, in the files that carry it: with and without speakers, with a silent or a loud subwoofer, which must not count. */
export function surroundCases(seconds = 20): EbuCase[] {
  const [front, center, surround] = [-28, -24, -30].map((level) => tone([[level, seconds]])) as [Float32Array, Float32Array, Float32Array];
  const silent = new Float32Array(front.length);
  const loud = tone([[-6, seconds]]);
  const five = [front, front, center, surround, surround];
  const six = (subwoofer: Float32Array): Float32Array[] => [front, front, center, subwoofer, surround, surround];
  const define = (name: string, channels: Float32Array[], mask?: number): EbuCase => ({
    name: `3341-6, ${name}`,
    createChannels: () => channels,
    sampleRate: RATE,
    ...(mask === undefined ? {} : { mask }),
    expected: { integrated: -23 },
    tolerance: ONE_TENTH,
  });
  return [
    define("5.0 without speakers", five),
    define("5.0", five, 0x37),
    define("5.0(side)", five, 0x6_07),
    define("5.1 without speakers", six(silent)),
    define("5.1", six(silent), 0x3f),
    define("5.1(side), loud subwoofer", six(loud), 0x6_0f),
    define("5.1 without speakers, loud subwoofer", six(loud)),
  ];
}

/** Cases 9 to 14: the loudest 3 s and 0.4 s, wherever they begin. */
export function maximumCases(): EbuCase[] {
  const nine = repeat(5, [-20, 1.34], [-30, 1.66]);
  const twelve = repeat(25, [-20, 0.18], [-30, 0.22]);
  const cut = (name: string, parts: Part[], from: number, seconds: number, expected: EbuCase["expected"]): EbuCase => {
    const start = Math.round(from * RATE);
    return { ...stereoCase(name, parts, expected), createChannels: () => stereo(tone(parts).subarray(start, start + Math.round(seconds * RATE))) };
  };
  return [
    stereoCase("3341-9", nine, { shortTermMax: -23 }),
    // A window of 3 s anywhere in it reads the same.
    ...numbers(12).map((i) => cut(`3341-9, window at ${i} s`, nine, i, 3, { shortTermMax: -23 })),
    ...numbers(20).map((i) =>
      stereoCase(
        `3341-10, ${i}`,
        [
          [null, i * 0.15],
          [-23, 3],
          [null, 1],
        ],
        { shortTermMax: -23 },
      ),
    ),
    ...numbers(20).map((i) =>
      stereoCase(
        `3341-11, ${i}`,
        numbers(i + 1).flatMap((n): Part[] => [
          [null, n * 0.15],
          [-38 + n, 3],
          [null, 3 - n * 0.15],
        ]),
        { shortTermMax: -38 + i },
      ),
    ),
    stereoCase("3341-12", twelve, { momentaryMax: -23 }),
    ...numbers(20).map((i) => cut(`3341-12, window at ${(i * 0.45).toFixed(2)} s`, twelve, i * 0.45, 0.4, { momentaryMax: -23 })),
    ...numbers(20).map((i) =>
      stereoCase(
        `3341-13, ${i}`,
        [
          [null, i * 0.02],
          [-23, 0.4],
          [null, 1],
        ],
        { momentaryMax: -23 },
      ),
    ),
    ...numbers(20).map((i) =>
      stereoCase(
        `3341-14, ${i}`,
        numbers(i + 1).flatMap((n): Part[] => [
          [null, n * 0.02],
          [-38 + n, 0.4],
          [null, 0.4 - n * 0.02],
        ]),
        { momentaryMax: -38 + i },
      ),
    ),
  ];
}

/** Cases 15 to 23 at any rate: peaks between the samples of a tone, and of a short burst that is synthesized at four times the rate. */
export function truePeakCases(sampleRate = RATE): EbuCase[] {
  const define = (number: number, signal: Float32Array, truePeak: number): EbuCase => ({
    name: `3341-${number}, ${sampleRate} Hz`,
    createChannels: () => stereo(signal),
    sampleRate,
    expected: { truePeak },
    tolerance: TRUE_PEAK,
  });
  const steady = (samplesPerPeriod: number, degrees: number, amplitude: number): Float32Array => {
    const length = sampleRate;
    const fade = (i: number): number => Math.min(1, i / 480, (length - 1 - i) / 480);
    return Float32Array.from({ length }, (_, i) => fade(i) * amplitude * Math.sin((2 * Math.PI * i) / samplesPerPeriod + (degrees * Math.PI) / 180));
  };
  // The burst's bell is long enough to stay below half the sample rate.
  const burst = (offset: number): Float32Array =>
    Float32Array.from({ length: sampleRate }, (_, i) => {
      const t = i + offset / 4 - sampleRate / 2;
      return (0.5 + 0.5 * Math.exp(-((t / 8) ** 2))) * Math.cos((2 * Math.PI * t) / 6) * Math.min(1, i / 480, (sampleRate - 1 - i) / 480);
    });
  return [
    define(15, steady(4, 0, 0.5), -6),
    define(16, steady(4, 45, 0.5), -6),
    define(17, steady(6, 60, 0.5), -6),
    define(18, steady(8, 67.5, 0.5), -6),
    define(19, steady(4, 45, 1.41), 3),
    ...numbers(4).map((offset) => define(20 + offset, burst(offset), 0)),
  ];
}

/** Tech 3342, cases 1 to 4: loudness range. */
function rangeCases(): EbuCase[] {
  const define = (number: number, levels: number[], range: number): EbuCase => ({
    ...stereoCase(
      `3342-${number}`,
      levels.map((level): Part => [level, 20]),
      { range },
    ),
    tolerance: RANGE,
  });
  return [define(1, [-20, -30], 10), define(2, [-20, -15], 5), define(3, [-40, -20], 20), define(4, [-50, -35, -20, -35, -50], 15)];
}

export const ebuCases = (): EbuCase[] => [
  ...integratedCases(),
  ...surroundCases(),
  ...maximumCases(),
  ...[48_000, 88_200, 96_000, 192_000].flatMap((rate) => truePeakCases(rate)),
  ...rangeCases(),
];

/** Returns what was measured beside what is expected. */
export const compareWithCase = ({ name, expected, tolerance: { below, above } }: EbuCase, loudness: Loudness) =>
  Object.entries(expected).map(([value, target]) => {
    const measured = loudness[value as Value];
    return { name, value: value as Value, target, measured, passes: measured !== null && measured >= target - below && measured <= target + above };
  });
