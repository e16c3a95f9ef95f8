import { describe, expect, test } from "vitest";
import { sine } from "../testing/signals.ts";
import { type Classifier, labelWindows, LABEL_RATE, loadClassifier, WINDOW_SECONDS } from "./labels.ts";
import { WindowSink } from "./windows.ts";

const noop = (): void => {};
const OPTIONS = { modelFolder: "/models", model: "tiny" };

/** Minimal working classifier that measures brightness by counting zero crossings. */
const tinyClassifier: Classifier = (audio, labels) => {
  let crossings = 0;
  for (let i = 1; i < audio.length; i++) if (audio[i - 1]! < 0 !== audio[i]! < 0) crossings++;
  const bright = Math.min(1, (crossings / audio.length) * 10);
  return Promise.resolve(labels.map((label) => ({ label, score: label === "bright" ? bright : label === "dark" ? 1 - bright : 0 })));
};

const GROUPS = { genres: ["bright", "dark"], moods: ["dark", "bright"], instruments: ["neither"] };

test("returns no labels and the reason without a model", async () => {
  for (const options of [undefined, { modelFolder: null, model: "x" }]) {
    const labels = await labelWindows([new Float32Array(100)], options, noop, () => Promise.reject(new Error("must not be asked")));
    expect(labels).toEqual({ state: "no-model", reason: "No tagging model is installed.", genres: [], moods: [], instruments: [] });
  }
});

test("reports a missing optional package as a state and does not throw", async () => {
  const notFound = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  const labels = await labelWindows([new Float32Array(100)], OPTIONS, noop, (...args) => loadClassifier(...args, () => Promise.reject(notFound)));
  expect(labels.state).toBe("not-installed");
  expect(labels.reason).toContain("npm run admin -- install-model");
});

test("averages scores over the windows, sorts them and leaves out weak ones", async () => {
  let progressCount = 0;
  const windows = [sine(100, 0.5, 1, LABEL_RATE), sine(3_000, 0.5, 1, LABEL_RATE)];
  const labels = await labelWindows(
    windows,
    { ...OPTIONS, groups: GROUPS },
    () => void progressCount++,
    () => Promise.resolve(tinyClassifier),
  );
  expect(progressCount).toBe(6);
  expect(labels.state).toBe("labeled");
  expect(labels.genres.map(([label]) => label)).toEqual(
    labels.genres[0]![1] >= 0.5 && labels.genres[0]![0] === "bright" ? ["bright", "dark"] : ["dark", "bright"],
  );
  expect(labels.genres.reduce((sum, [, score]) => sum + score, 0)).toBeCloseTo(1, 3);
  expect(labels.instruments).toEqual([]);
});

test("reports a broken model and does not throw", async () => {
  const labels = await labelWindows([new Float32Array(9)], OPTIONS, noop, () => Promise.reject(new Error("bad file")));
  expect(labels).toMatchObject({ state: "failed", genres: [] });
  expect(labels.reason).toContain("bad file");
});

describe("loading", () => {
  const library = (calls: unknown[]) => ({
    env: { allowRemoteModels: true, allowLocalModels: false, localModelPath: "" },
    pipeline: (...args: unknown[]) => (calls.push(args), Promise.resolve(tinyClassifier)),
  });
  test("uses only local models unless remote models are enabled", async () => {
    const calls: unknown[] = [];
    const local = library(calls);
    await loadClassifier(OPTIONS, noop, () => Promise.resolve(local));
    expect(local.env).toEqual({ allowRemoteModels: false, allowLocalModels: true, localModelPath: "/models" });
    expect(calls[0]).toEqual(["zero-shot-audio-classification", "tiny", { local_files_only: true, progress_callback: noop }]);
    const remote = library(calls);
    await loadClassifier({ ...OPTIONS, allowRemoteModels: true }, noop, () => Promise.resolve(remote));
    expect(remote.env.allowRemoteModels).toBe(true);
    expect(calls[1]).toEqual(["zero-shot-audio-classification", "tiny", { local_files_only: false, progress_callback: noop }]);
  });
});

test("spreads three to six windows over a track of any length", () => {
  for (const minutes of [1, 3, 10]) {
    const sink = new WindowSink();
    const second = new Float32Array(LABEL_RATE);
    for (let n = 0; n < minutes * 60; n++) sink.push({ channels: [second.fill(n)], length: LABEL_RATE });
    const starts = sink.finish().map((window) => window[0]!);
    expect(starts.length, String(minutes)).toBeGreaterThanOrEqual(3);
    expect(starts.length).toBeLessThanOrEqual(6);
    expect(starts[0]).toBe(0);
    const gaps = starts.slice(1).map((start, n) => start - starts[n]!);
    expect(new Set(gaps).size).toBe(1);
    expect(starts.at(-1)! + gaps[0]! + WINDOW_SECONDS).toBeGreaterThan(minutes * 60 * 0.8);
  }
  const short = new WindowSink();
  short.push({ channels: [new Float32Array(LABEL_RATE * 3)], length: LABEL_RATE * 3 });
  expect(short.finish().map((window) => window.length)).toEqual([LABEL_RATE * 3]);
});
