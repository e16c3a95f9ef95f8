import { AV_CHANNEL_ORDER_NATIVE, AV_CHANNEL_ORDER_UNSPEC, AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import { avChannelLayoutDefault, Filter, FilterGraph, Frame } from "node-av/lib";
import { describe, expect, test } from "vitest";
import { compareWithCase, type EbuCase, maximumCases, surroundCases, truePeakCases } from "../testing/ebu.ts";
import { createTestFolder } from "../testing/folder.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { seeded } from "../testing/random.ts";
import { concatSignals, noise, sine } from "../testing/signals.ts";
import { writeWav } from "../testing/wav.ts";
import { shelfFilter, highPassFilter } from "./k-weighting.ts";
import { channelWeights, type Loudness, LoudnessSink } from "./loudness.ts";
import { createPhaseFilters, TruePeak } from "./true-peak.ts";

const RATE = 48_000;
const decibelsToGain = (value: number): number => 10 ** (value / 20);

function measure(channels: readonly Float32Array[], rate = RATE, weights = channels.map(() => 1), block = 1_000): Loudness {
  const sink = new LoudnessSink(rate, weights);
  for (let at = 0; at < channels[0]!.length; at += block) {
    const parts = channels.map((channel) => channel.subarray(at, at + block));
    sink.push({ channels: parts, length: parts[0]!.length });
  }
  return sink.finish();
}

/** Measures with FFmpeg's own meter as a reference. */
function measureWithFfmpeg(channels: Float32Array[], rate: number): { integrated: number; range: number; truePeak: number } {
  const graph = new FilterGraph();
  graph.alloc();
  const layout = channels.length === 6 ? "5.1" : channels.length === 2 ? "stereo" : "mono";
  const source = graph.createFilter(Filter.getByName("abuffer")!, "in", `sample_rate=${rate}:sample_fmt=fltp:channel_layout=${layout}:time_base=1/${rate}`)!;
  const meter = graph.createFilter(Filter.getByName("ebur128")!, "meter", "peak=true:metadata=1")!;
  const sink = graph.createFilter(Filter.getByName("abuffersink")!, "out")!;
  source.link(0, meter, 0);
  meter.link(0, sink, 0);
  expect(graph.configSync()).toBeGreaterThanOrEqual(0);
  let last: Record<string, string> = {};
  const out = new Frame();
  out.alloc();
  const drain = (): void => {
    while (sink.buffersinkGetFrameSync(out) >= 0) {
      last = out.getMetadata().getAll();
      out.unref();
    }
  };
  for (let at = 0; at < channels[0]!.length; at += 4_800) {
    const parts = channels.map((channel) => channel.subarray(at, at + 4_800));
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
    const frame = Frame.fromAudioBuffer(bytes, {
      nbSamples: parts[0]!.length,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate: rate,
      channelLayout: avChannelLayoutDefault(channels.length),
      pts: BigInt(at),
      timeBase: { num: 1, den: rate },
    });
    expect(source.buffersrcAddFrameSync(frame)).toBeGreaterThanOrEqual(0);
    frame.free();
    drain();
  }
  source.buffersrcAddFrameSync(null);
  drain();
  const peaks = Object.entries(last).flatMap(([key, value]) => (/true_peaks_ch/.test(key) ? [Number(value)] : []));
  return { integrated: Number(last["lavfi.r128.I"]), range: Number(last["lavfi.r128.LRA"]), truePeak: 20 * Math.log10(Math.max(...peaks)) };
}

test("filters at 48 kHz match the coefficients in ITU-R BS.1770", () => {
  const a = shelfFilter(48_000);
  expect(a.b0).toBeCloseTo(1.53512485958697, 8);
  expect(a.b1).toBeCloseTo(-2.69169618940638, 8);
  expect(a.a2).toBeCloseTo(0.73248077421585, 8);
  expect(highPassFilter(48_000).a1).toBeCloseTo(-1.99004745483398, 8);
});

describe("EBU Tech 3341 and 3342 (all cases: ebu.long.ts)", () => {
  const expectToPass = (signal: EbuCase, loudness: Loudness): void => expect(compareWithCase(signal, loudness).filter(({ passes }) => !passes)).toEqual([]);

  test("stereo 1 kHz at -23 dBFS is -23 LUFS, at every rate", () => {
    for (const rate of [8_000, 22_050, 44_100, 48_000, 96_000]) {
      const tone = sine(1_000, decibelsToGain(-23), 6, rate);
      expect(measure([tone, tone], rate).integrated, String(rate)).toBeCloseTo(-23, 1);
    }
  });
  test("case 3: quiet parts are gated away", () => {
    const rate = 8_000;
    const tone = concatSignals(
      sine(1_000, decibelsToGain(-36), 10, rate),
      sine(1_000, decibelsToGain(-23), 60, rate),
      sine(1_000, decibelsToGain(-36), 10, rate),
    );
    expect(measure([tone, tone], rate).integrated).toBeCloseTo(-23, 1);
  });
  test("case 6: surround and subwoofer, with and without speakers in the file", async () => {
    using folder = createTestFolder();
    for (const signal of surroundCases(1)) {
      writeWav(folder.resolve("a"), signal.createChannels(), signal);
      const { loudness } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "loudness"]);
      expectToPass(signal, loudness!);
    }
  });
  test("case 13: the loudest 0.4 s, wherever they begin", () => {
    const cases = maximumCases().filter(({ name }) => name.startsWith("3341-13"));
    expect(cases).toHaveLength(20);
    for (const signal of cases) expectToPass(signal, measure(signal.createChannels(), signal.sampleRate));
  });
  test.each([48_000, 88_200, 192_000])("cases 15 to 23: the true peak lies between the samples, at %i Hz", (rate) => {
    for (const signal of truePeakCases(rate)) expectToPass(signal, measure([signal.createChannels()[0]!], rate));
  });
  test("Tech 3342 case 1: 20 s at -20 and 20 s at -30 have a range of 10 LU", () => {
    const tone = concatSignals(sine(1_000, decibelsToGain(-20), 20, RATE), sine(1_000, decibelsToGain(-30), 20, RATE));
    expect(measure([tone, tone]).range).toBeCloseTo(10, 1);
  });
  test("a sound shorter than a window has no value for it", () => {
    const ofSeconds = (seconds: number): Loudness => measure([sine(1_000, 0.1, seconds, RATE)]);
    expect(ofSeconds(0.39)).toMatchObject({ integrated: null, momentaryMax: null, shortTermMax: null, range: null });
    expect(ofSeconds(2.9)).toMatchObject({ shortTermMax: null, range: null });
    expect(ofSeconds(3)).toMatchObject({ range: 0 });
  });
});

describe("true peak", () => {
  /** Filters every sample. */
  function filterAll(samples: Float32Array): number {
    const filters = createPhaseFilters(4);
    const padded = concatSignals(new Float32Array(24), samples, new Float32Array(24));
    let highest = samples.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
    for (let first = 0; first + 24 <= padded.length; first++)
      for (const taps of filters) highest = Math.max(highest, Math.abs(taps.reduce((sum, tap, index) => sum + tap * padded[first + index]!, 0)));
    return highest;
  }

  test("skips nothing that is higher", () => {
    const random = seeded(3);
    const ways: (() => Float32Array)[] = [
      () => noise(random.between(0.01, 1), 0.2, 8_000, Math.floor(random.next() * 1e6)),
      // A loud start lets the rest be skipped unless its curve is higher.
      () => concatSignals(sine(random.between(20, 400), 0.9, 0.1, 8_000), noise(random.between(0.3, 0.9), 0.1, 8_000, Math.floor(random.next() * 1e6))),
      () => sine(random.between(1_000, 3_999), random.between(0.1, 1), 0.2, 8_000, random.between(0, 6)),
      // The worst sound for a filter of this length: full scale with the signs of its taps.
      () => {
        const taps = createPhaseFilters(4)[Math.floor(random.next() * 3)]!;
        const sound = noise(0.6, 0.2, 8_000, 5);
        sound.set(
          Float32Array.from(taps, (tap) => Math.sign(tap) * random.between(0.3, 0.6)),
          Math.floor(random.between(100, 1_400)),
        );
        return sound;
      },
      // Steps in the directions that lift the curve beyond the sample before it.
      () => {
        const taps = createPhaseFilters(4)[Math.floor(random.next() * 3)]!;
        const step = random.between(0.05, 0.3);
        let sum = 0;
        const steps = [0];
        for (const [index, tap] of taps.subarray(0, 23).entries()) steps.push(steps[index]! + step * Math.sign(index < 11 ? -(sum += tap) : 1 - (sum += tap)));
        return Float32Array.from(steps, (sample) => sample - steps[11]! + random.between(0.2, 0.4));
      },
      () => Float32Array.from({ length: 1 + Math.floor(random.next() * 40) }, () => random.next() * 2 - 1),
    ];
    for (let round = 0; round < 30; round++) {
      for (const [way, create] of ways.entries()) {
        const sound = create();
        // Before it, a peak between its highest sample and its curve: whatever is skipped too much is missed.
        const highest = sound.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
        const samples = concatSignals(
          sine(100, random.between(highest, filterAll(sound)), 0.02, 8_000),
          new Float32Array(30 + Math.floor(random.next() * 4)),
          sound,
        );
        const peak = new TruePeak();
        for (let at = 0; at < samples.length; at += 777) peak.push(samples.subarray(at), Math.min(777, samples.length - at));
        peak.finish();
        expect(Math.abs(peak.truePeak - filterAll(samples)), `round ${round}, way ${way}`).toBeLessThan(1e-9);
      }
    }
  });
});

test.each([
  [
    "stereo noise and tone",
    44_100,
    (r: number) => [concatSignals(noise(0.5, 3, r, 1), sine(300, 0.1, 3, r)), concatSignals(noise(0.1, 3, r, 2), sine(1_234, 0.8, 3, r))],
  ],
  ["mono 96 kHz", 96_000, (r: number) => [concatSignals(noise(0.3, 2, r, 5), sine(5_000, 0.05, 2, r))]],
  ["5.1", 48_000, (r: number) => Array.from({ length: 6 }, (_, c) => noise(0.1 + 0.1 * c, 4, r, c + 1))],
])("agrees with FFmpeg's meter: %s", (_, rate, createChannels) => {
  const channels = createChannels(rate);
  const weights = channels.length === 6 ? channelWeights(avChannelLayoutDefault(6)) : channels.map(() => 1);
  const measured = measure(channels, rate, weights);
  const reference = measureWithFfmpeg(channels, rate);
  expect(Math.abs(measured.integrated! - reference.integrated)).toBeLessThan(0.15);
  expect(Math.abs(measured.range! - reference.range)).toBeLessThan(0.5);
  expect(Math.abs(measured.truePeak! - reference.truePeak)).toBeLessThan(0.3);
});

describe("channel weights", () => {
  const native = (mask: bigint) => ({ nbChannels: mask.toString(2).replaceAll("0", "").length, order: AV_CHANNEL_ORDER_NATIVE, mask });

  test("speakers to the side count 1.5 dB more, subwoofers not at all, all others as they are", () => {
    const [front, back, side] = [
      [1, 1, 1, 0],
      [1.41, 1.41],
      [1.41, 1.41],
    ] as const;
    expect(channelWeights(avChannelLayoutDefault(1))).toEqual([1]);
    expect(channelWeights(avChannelLayoutDefault(6))).toEqual([...front, ...back]);
    expect(channelWeights(native(0x60fn))).toEqual([...front, ...side]);
    // In 7.1, the pair named "back" stands behind 120 degrees.
    expect(channelWeights(avChannelLayoutDefault(8))).toEqual([...front, 1, 1, ...side]);
    expect(channelWeights(native(0x33n))).toEqual([1, 1, ...back]);
    expect(channelWeights(native(0x2_d63fn))).toEqual([...front, 1, 1, ...side, 1, 1, 1, 1]);
  });

  test("channels without speakers count as they are", () => {
    expect(channelWeights({ nbChannels: 9, order: AV_CHANNEL_ORDER_UNSPEC, mask: 0n })).toEqual(Array.from({ length: 9 }, () => 1));
  });
});

test("the results do not depend on the block size", () => {
  const sound = noise(0.7, 1, 44_100, 9);
  const results = [1, 47, 1_152, 44_100].map((block) => measure([sound], 44_100, [1], block));
  for (const result of results) expect(result).toEqual(results[0]);
});

test("silence has no loudness and a warning", () => {
  const silence = measure([new Float32Array(RATE), new Float32Array(RATE)]);
  expect(silence).toMatchObject({ integrated: null, range: null, truePeak: null });
  expect(silence.warnings.map(({ code }) => code)).toEqual(["silent"]);
});

test("each defect has its warning, and a good mix has none", () => {
  const warningCodes = (channels: Float32Array[]): string[] => measure(channels).warnings.map(({ code }) => code);
  const mix = [concatSignals(sine(200, 0.3, 2, RATE)), concatSignals(sine(250, 0.3, 2, RATE))];
  expect(warningCodes(mix)).toEqual([]);
  expect(warningCodes([mix[0]!, mix[0]!])).toEqual(["dual-mono"]);
  expect(warningCodes([mix[0]!, mix[0]!.map((value) => -value)])).toEqual(["phase", "mono-loss"]);
  expect(warningCodes([mix[0]!, new Float32Array(mix[0]!.length)])).toEqual(["dead-channel"]);
  expect(warningCodes([mix[0]!, mix[1]!.map((value) => value / 10)])).toEqual(["balance"]);
  expect(warningCodes([concatSignals(new Float32Array(3 * RATE), mix[0]!, new Float32Array(6 * RATE))])).toEqual(["silence-head", "silence-tail"]);
  expect(warningCodes([sine(100, 1.5, 1, RATE).map((value) => Math.max(-1, Math.min(1, value)))])).toEqual(["clipping"]);
});

test("leading and trailing silence is measured to the sample", () => {
  const { defects } = measure([concatSignals(new Float32Array(12_345), new Float32Array(100).fill(0.5), new Float32Array(777))]);
  expect(defects.silenceHead).toBeCloseTo(12_345 / RATE, 9);
  expect(defects.silenceTail).toBeCloseTo(777 / RATE, 9);
});

test("a tone has a loudness at every sample rate that is allowed", () => {
  const rates = [1_000, 1_001, 2_000, 3_363, 3_364, 3_365, 4_000, 6_000, 8_000, 11_025, 16_000, 22_050, 44_100, 96_000, 192_000, 384_000, 768_000];
  const atUsualRate = measure([sine(200, 0.25, 0.6, RATE)], RATE, [1]).integrated!;
  for (const rate of [...rates, ...Array.from({ length: 40 }, (_, i) => 1_000 + 67 * i)]) {
    const measured = measure([sine(200, 0.25, 0.6, rate)], rate, [1]);
    for (const value of [measured.integrated, measured.momentaryMax, measured.truePeak, measured.samplePeak])
      expect(Number.isFinite(value), `${rate} Hz`).toBe(true);
    // The digital high-pass passes up to 2 dB more at the lowest rates.
    expect(Math.abs(measured.integrated! - atUsualRate), `${rate} Hz`).toBeLessThan(2.2);
  }
});

test("warnings say where clipping, silence and phase problems are", () => {
  const loud = (seconds: number, gain: number) => sine(100, gain, seconds, RATE).map((value) => Math.max(-1, Math.min(1, value)));
  const left = Float32Array.from([...loud(4, 0.5), ...loud(1, 1.5), ...loud(4, 0.5), ...loud(6, 0)]);
  const right = left.map((value) => -value);
  const { warnings } = measure([left, right]);
  const places = Object.fromEntries(warnings.map(({ code, places: where }) => [code, where]));
  expect(places["clipping"]).toHaveLength(1);
  expect(places["clipping"]![0]!.from).toBeCloseTo(4, 1);
  expect(places["clipping"]![0]!.to).toBeCloseTo(5, 1);
  expect(places["silence-tail"]).toHaveLength(1);
  expect(places["silence-tail"]![0]!.from).toBeCloseTo(9, 1);
  expect(places["silence-tail"]![0]!.to).toBeCloseTo(15, 2);
  expect(places["phase"]).toHaveLength(1);
  expect(places["phase"]![0]!.from).toBe(0);
  expect(places["phase"]![0]!.to).toBeCloseTo(9, 0);
});
