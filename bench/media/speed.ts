/** Benchmarks speed and memory of decoding, peaks and the whole analysis against the ffmpeg command line in the same run. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { analyze } from "../../server/media/analyze.ts";
import { AudioWriter } from "../../server/media/engine/audio-writer.ts";
import { decodeStream } from "../../server/media/engine/decode.ts";
import { openInput } from "../../server/media/engine/open.ts";
import { runStepsInProcess } from "../../server/media/testing/in-process.ts";
import { seeded } from "../../server/media/testing/random.ts";
import type { Step } from "../../server/media/types.ts";
import { median } from "../lib/statistics.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
const folder = mkdtempSync(join(tmpdir(), "media-bench-"));
const RATE = 44_100;

/** Writes music-like audio: decaying noise bursts and tones, neither silence nor white noise. */
function writeTestAudio(path: string, seconds: number, format: string, codec: string, bitRate?: number): void {
  const writer = new AudioWriter({ path, format, codec, sampleRate: RATE, channels: 2, ...(bitRate ? { bitRate } : {}) });
  const random = seeded(1);
  const twoSeconds = [0, 1].map((side) =>
    Float32Array.from({ length: RATE * 2 }, (_, i) => {
      const t = i / RATE;
      const burst = Math.exp(-((t % 0.5) * 14)) * (random.next() - 0.5);
      return 0.5 * burst + 0.2 * Math.sin(2 * Math.PI * (220 + side * 3) * t) + 0.1 * Math.sin(2 * Math.PI * 1_760 * t);
    }),
  );
  for (let at = 0; at < seconds; at += 2) writer.write(twoSeconds, RATE * 2);
  writer.finish();
}

/** Returns CPU seconds, because wall time is unreliable on a shared machine. */
const cpuSeconds = (): number => ((usage) => (usage.user + usage.system) / 1e6)(process.cpuUsage());

function ffmpeg(args: string[]): { wall: number; cpu: number } {
  const started = performance.now();
  const { stderr } = spawnSync("ffmpeg", ["-v", "info", "-benchmark", "-threads", "1", "-y", ...args], { encoding: "utf8" });
  const used = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr);
  return { wall: (performance.now() - started) / 1_000, cpu: Number(used?.[1]) + Number(used?.[2]) };
}

async function decode(path: string): Promise<void> {
  const input = openInput(path);
  await decodeStream(input, input.audio!, () => {});
  input.close();
}

async function measure(work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> {
  const [wall, used] = [performance.now(), cpuSeconds()];
  await work();
  return { wall: (performance.now() - wall) / 1_000, cpu: cpuSeconds() - used };
}

async function peakMemory(path: string, steps: Step[]): Promise<number> {
  let peakKilobytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const startPolling = (pid: number): void => {
    timer = setInterval(() => {
      try {
        peakKilobytes = Math.max(peakKilobytes, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0));
      } catch {
        clearInterval(timer);
      }
    }, 20);
  };
  await analyze({ input: path, outputs: folder, request: { steps }, onStart: startPolling });
  clearInterval(timer);
  return Math.round(peakKilobytes / 1_024);
}

const files: [string, number, string, string, number?][] = [
  ["4 min MP3", 240, "mp3", "libmp3lame", 192_000],
  ["60 min WAV", 3_600, "wav", "pcm_s16le"],
];
const referenceTools = { hasFfmpeg: spawnSync("ffmpeg", ["-version"]).status === 0, hasAudiowaveform: spawnSync("audiowaveform", ["--version"]).status === 0 };
console.log(
  `${cpus()[0]?.model ?? "?"} x ${cpus().length}, Node ${process.version}, ${ROUNDS} rounds, median; ${referenceTools.hasFfmpeg ? execFileSync("ffmpeg", ["-version"], { encoding: "utf8" }).split("\n")[0] : "no ffmpeg"}`,
);
for (const [name, seconds, format, codec, bitRate] of files) {
  const path = join(folder, `in.${format}`);
  writeTestAudio(path, seconds, format, codec, bitRate);
  const analysis: Step[] = ["probe", "peaks", "loudness", "music"];
  const tasks: [string, () => Promise<{ wall: number; cpu: number }>][] = [
    ...(referenceTools.hasFfmpeg
      ? [
          ["ffmpeg, decode to nowhere", () => Promise.resolve(ffmpeg(["-i", path, "-f", "null", "-"]))] as [
            string,
            () => Promise<{ wall: number; cpu: number }>,
          ],
        ]
      : []),
    ...(referenceTools.hasAudiowaveform
      ? [
          [
            "audiowaveform",
            () => measure(() => Promise.resolve(spawnSync("audiowaveform", ["-i", path, "-o", join(folder, "x.dat"), "-z", "64", "-b", "8", "-q"]))),
          ] as [string, () => Promise<{ wall: number; cpu: number }>],
        ]
      : []),
    ["decode", () => measure(() => decode(path))],
    ["peaks (with decoding)", () => measure(() => runStepsInProcess(path, folder, ["probe", "peaks"]))],
    ["loudness (with decoding)", () => measure(() => runStepsInProcess(path, folder, ["probe", "loudness"]))],
    ["tempo and key (with decoding)", () => measure(() => runStepsInProcess(path, folder, ["probe", "music"]))],
    ["whole analysis", () => measure(() => runStepsInProcess(path, folder, analysis))],
    ["whole analysis in its process", () => measure(() => analyze({ input: path, outputs: folder, request: { steps: analysis } }))],
    ["AAC copy", () => measure(() => runStepsInProcess(path, folder, ["probe", "copy"]))],
    ...(referenceTools.hasFfmpeg
      ? [
          ["ffmpeg, AAC 192 kb/s", () => Promise.resolve(ffmpeg(["-i", path, "-c:a", "aac", "-b:a", "192k", join(folder, "x.m4a")]))] as [
            string,
            () => Promise<{ wall: number; cpu: number }>,
          ],
        ]
      : []),
    ...(referenceTools.hasFfmpeg
      ? [
          ["ffmpeg, ebur128 with true peak", () => Promise.resolve(ffmpeg(["-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"]))] as [
            string,
            () => Promise<{ wall: number; cpu: number }>,
          ],
        ]
      : []),
  ];
  const rows: Record<string, Record<string, number>> = {};
  for (const [label, task] of tasks) {
    if (label === "AAC copy" && format === "mp3") continue;
    const rounds = label.includes("AAC") || label.includes("ebur128") ? 1 : ROUNDS;
    const runs: { wall: number; cpu: number }[] = [];
    for (let n = 0; n < rounds; n++) runs.push(await task());
    const used = median(runs.map((run) => run.cpu));
    const wall = median(runs.map((run) => run.wall));
    const inProcess = label.includes("its process");
    rows[label] = {
      "wall s": Number(wall.toFixed(2)),
      "cpu s": inProcess ? Number.NaN : Number(used.toFixed(2)),
      "x real time (wall)": Math.round(seconds / wall),
      "x real time (cpu)": inProcess ? Number.NaN : Math.round(seconds / used),
    };
  }
  console.log(`\n${name}, ${(statSync(path).size / 1e6).toFixed(0)} MB`);
  console.table(rows);
  console.log(`most memory of the process: ${await peakMemory(path, analysis)} MB`);
}
rmSync(folder, { recursive: true, force: true });
