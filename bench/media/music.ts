/** Measures the accuracy of tempo and key detection on labeled songs, against any installed reference tools (`aubio`, `bpm`). */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { decodeAudio } from "../../server/media/engine/audio-pass.ts";
import { openInput } from "../../server/media/engine/open.ts";
import { CHROMA_RATE, ChromaSink } from "../../server/media/music/chroma.ts";
import { collectKeyEvidence } from "../../server/media/music/key-evidence.ts";
import { EDMA, KRUMHANSL } from "../../server/media/music/key-profiles.ts";
import { findKey } from "../../server/media/music/key.ts";
import { ONSET_RATE, OnsetSink } from "../../server/media/music/onset.ts";
import { findTempo, type Tempo } from "../../server/media/music/tempo.ts";
import { createTestFolder } from "../../server/media/testing/folder.ts";
import { encodeFile } from "../../server/media/testing/formats.ts";
import { heldOutSet, type LabeledSong, sparseHeldOutSet, sparseTuningSet, tuningSet } from "../../server/media/testing/labeled.ts";
import { renderSong } from "../../server/media/testing/song.ts";

const SONGS_PER_STYLE = Number(process.argv[3] ?? 8);
const isTuning = process.argv[2] === "tuning";
const songs = isTuning ? tuningSet(SONGS_PER_STYLE) : heldOutSet(SONGS_PER_STYLE);
const sparse = isTuning ? sparseTuningSet(SONGS_PER_STYLE) : sparseHeldOutSet(SONGS_PER_STYLE);

const isNear = (detected: number, trueBpm: number): boolean => Math.abs(detected / trueBpm - 1) < 0.02;
const isOctaveRelated = (detected: number, trueBpm: number): boolean => [0.5, 1, 2].some((times) => isNear(detected, trueBpm * times));

class AccuracyCounter {
  exact = 0;
  octave = 0;
  total = 0;
  add(detected: number, trueBpm: number): void {
    this.total++;
    if (isNear(detected, trueBpm)) this.exact++;
    if (isOctaveRelated(detected, trueBpm)) this.octave++;
  }
}

const referenceTools = {
  "aubio tempo": (path: string): number => Number(/([\d.]+) bpm/.exec(run("aubio", ["tempo", path]))?.[1] ?? 0),
  "bpm-tools": (path: string): number =>
    Number(execFileSync("sh", ["-c", 'ffmpeg -v error -i "$0" -f f32le -ac 1 -ar 44100 - | bpm', path], { encoding: "utf8" }) || 0),
};

function run(command: string, args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

async function analyzeFile(path: string) {
  const input = openInput(path);
  const onsets = new OnsetSink();
  const chroma = new ChromaSink();
  await decodeAudio(
    input,
    () => {},
    () => ({
      full: [],
      mono: [
        { rate: ONSET_RATE, push: ({ channels, length }) => onsets.push(channels[0] ?? new Float32Array(), length) },
        { rate: CHROMA_RATE, push: ({ channels, length }) => chroma.push(channels[0] ?? new Float32Array(), length) },
      ],
    }),
    () => {},
  );
  input.close();
  return { tempo: findTempo(onsets.finish()), frames: chroma.frames };
}

type AccuracyCounters = Record<string, AccuracyCounter>;
const tempo: AccuracyCounters = { ours: new AccuracyCounter(), sure: new AccuracyCounter() };
const sparseTempo: AccuracyCounters = { ours: new AccuracyCounter(), sure: new AccuracyCounter() };
const beatless = { all: 0, unsure: 0 };
const createKeyCounts = () => ({
  total: 0,
  right: 0,
  relative: 0,
  fifth: 0,
  parallel: 0,
  "among first three": 0,
  sure: 0,
  "sure and right": 0,
  edma: 0,
  krumhansl: 0,
});
const keys = { major: createKeyCounts(), minor: createKeyCounts() };

function recordKey(song: LabeledSong, frames: ChromaSink["frames"]): void {
  const detected = findKey(frames);
  const best = detected.candidates[0]!;
  const right = best.tonic === song.tonic && best.mode === song.mode;
  const interval = (best.tonic - song.tonic + 12) % 12;
  const counts = keys[song.mode];
  counts.total++;
  if (detected.candidates.slice(0, 3).some(({ tonic, mode }) => tonic === song.tonic && mode === song.mode)) counts["among first three"]++;
  if (right) counts.right++;
  else if (interval === 0) counts.parallel++;
  else if (best.mode !== song.mode && interval === (song.mode === "major" ? 9 : 3)) counts.relative++;
  else if (best.mode === song.mode && (interval === 5 || interval === 7)) counts.fifth++;
  if (detected.name !== "") counts.sure++;
  if (detected.name !== "" && right) counts["sure and right"]++;
  for (const [name, profile] of [
    ["edma", EDMA],
    ["krumhansl", KRUMHANSL],
  ] as const) {
    const { keys: evidence } = collectKeyEvidence(frames, profile)!;
    const alternative = evidence.reduce((a, b) => (b.fit > a.fit ? b : a));
    if (alternative.tonic === song.tonic && alternative.mode === song.mode) counts[name]++;
  }
}

function recordTempo(counters: AccuracyCounters, path: string, detected: Tempo, trueBpm: number): void {
  counters["ours"]!.add(detected.candidates[0]?.bpm ?? 0, trueBpm);
  if (detected.bpm > 0) counters["sure"]!.add(detected.bpm, trueBpm);
  for (const [name, detect] of Object.entries(referenceTools)) {
    try {
      (counters[name] ??= new AccuracyCounter()).add(detect(path), trueBpm);
    } catch {
      delete counters[name];
    }
  }
}

function printTempo(title: string, counters: AccuracyCounters): void {
  console.log(title);
  console.table(
    Object.fromEntries(Object.entries(counters).map(([name, { total, exact, octave: tolerant }]) => [name, { songs: total, exact, "with octaves": tolerant }])),
  );
}

using folder = createTestFolder();
const path = join(folder.path, "song.wav");
for (const song of songs) {
  encodeFile(path, "wav16", [renderSong(song.plan)], 22_050);
  const detected = await analyzeFile(path);
  recordKey(song, detected.frames);
  if (song.bpm !== null) {
    recordTempo(tempo, path, detected.tempo, song.bpm);
    continue;
  }
  beatless.all++;
  if (detected.tempo.bpm === 0) beatless.unsure++;
}
for (const { plan, bpm } of sparse) {
  encodeFile(path, "wav16", [renderSong(plan)], 22_050);
  recordTempo(sparseTempo, path, (await analyzeFile(path)).tempo, bpm!);
}
printTempo(`${songs.length} songs`, tempo);
printTempo(`${sparse.length} sparse tracks`, sparseTempo);
console.log(`without a beat: ${beatless.unsure} of ${beatless.all} unsure`);
console.table(keys);
