/** Tempo and key on labeled songs: ours, and beside it whatever judges are installed (`aubio`, `bpm`). */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { CHROMA_RATE, ChromaSink } from "../../server/media/music/chroma.ts";
import { findKey } from "../../server/media/music/key.ts";
import { EDMA, KRUMHANSL } from "../../server/media/music/profiles.ts";
import { ONSET_RATE, OnsetSink } from "../../server/media/music/onset.ts";
import { findTempo, type Tempo } from "../../server/media/music/tempo.ts";
import { listenTo } from "../../server/media/engine/audio-pass.ts";
import { openInput } from "../../server/media/engine/open.ts";
import { encodeFile } from "../../server/media/testing/formats.ts";
import { testFolder } from "../../server/media/testing/folder.ts";
import { heldOutSet, type Labelled, sparseHeldOutSet, sparseTuningSet, tuningSet } from "../../server/media/testing/labelled.ts";
import { renderSong } from "../../server/media/testing/song.ts";

const EACH = Number(process.argv[3] ?? 8);
const tuning = process.argv[2] === "tuning";
const set = tuning ? tuningSet(EACH) : heldOutSet(EACH);
const sparse = tuning ? sparseTuningSet(EACH) : sparseHeldOutSet(EACH);

const near = (found: number, real: number): boolean => Math.abs(found / real - 1) < 0.02;
const octave = (found: number, real: number): boolean => [0.5, 1, 2].some((times) => near(found, real * times));

class Tally {
  exact = 0;
  octave = 0;
  asked = 0;
  add(found: number, real: number): void {
    this.asked++;
    if (near(found, real)) this.exact++;
    if (octave(found, real)) this.octave++;
  }
}

const tools = {
  "aubio tempo": (path: string): number => Number(/([\d.]+) bpm/.exec(run("aubio", ["tempo", path]))?.[1] ?? 0),
  "bpm-tools": (path: string): number =>
    Number(execFileSync("sh", ["-c", 'ffmpeg -v error -i "$0" -f f32le -ac 1 -ar 44100 - | bpm', path], { encoding: "utf8" }) || 0),
};

function run(command: string, args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

async function listen(path: string) {
  const input = openInput(path);
  const onsets = new OnsetSink();
  const chroma = new ChromaSink();
  await listenTo(
    input,
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
  return { tempo: findTempo(onsets.finish()), moments: chroma.moments };
}

type Tallies = Record<string, Tally>;
const tempo: Tallies = { ours: new Tally(), sure: new Tally() };
const sparseTempo: Tallies = { ours: new Tally(), sure: new Tally() };
const beatless = { all: 0, unsure: 0 };
const keys = { asked: 0, right: 0, relative: 0, fifth: 0, parallel: 0, sure: 0, sureRight: 0, edma: 0, krumhansl: 0 };

function judgeKey(song: Labelled, moments: ChromaSink["moments"]): void {
  const found = findKey(moments);
  const best = found.candidates[0]!;
  const right = best.tonic === song.tonic && best.mode === song.mode;
  const away = (best.tonic - song.tonic + 12) % 12;
  keys.asked++;
  if (right) keys.right++;
  else if (away === 0) keys.parallel++;
  else if (best.mode !== song.mode && away === (song.mode === "major" ? 9 : 3)) keys.relative++;
  else if (best.mode === song.mode && (away === 5 || away === 7)) keys.fifth++;
  if (found.name !== "") keys.sure++;
  if (found.name !== "" && right) keys.sureRight++;
  for (const [name, profile] of [
    ["edma", EDMA],
    ["krumhansl", KRUMHANSL],
  ] as const) {
    const other = findKey(moments, profile).candidates[0]!;
    if (other.tonic === song.tonic && other.mode === song.mode) keys[name]++;
  }
}

function judgeTempo(tallies: Tallies, path: string, found: Tempo, real: number): void {
  tallies["ours"]!.add(found.candidates[0]?.bpm ?? 0, real);
  if (found.bpm > 0) tallies["sure"]!.add(found.bpm, real);
  for (const [name, ask] of Object.entries(tools)) {
    try {
      (tallies[name] ??= new Tally()).add(ask(path), real);
    } catch {
      delete tallies[name];
    }
  }
}

function printTempo(title: string, tallies: Tallies): void {
  console.log(title);
  console.table(
    Object.fromEntries(Object.entries(tallies).map(([name, { asked, exact, octave: tolerant }]) => [name, { songs: asked, exact, "with octaves": tolerant }])),
  );
}

using folder = testFolder();
const path = join(folder.path, "song.wav");
for (const song of set) {
  encodeFile(path, "wav16", [renderSong(song.plan)], 22_050);
  const found = await listen(path);
  judgeKey(song, found.moments);
  if (song.bpm !== null) {
    judgeTempo(tempo, path, found.tempo, song.bpm);
    continue;
  }
  beatless.all++;
  if (found.tempo.bpm === 0) beatless.unsure++;
}
for (const { plan, bpm } of sparse) {
  encodeFile(path, "wav16", [renderSong(plan)], 22_050);
  judgeTempo(sparseTempo, path, (await listen(path)).tempo, bpm!);
}
printTempo(`${set.length} songs`, tempo);
printTempo(`${sparse.length} sparse tracks`, sparseTempo);
console.log(`without a beat: ${beatless.unsure} of ${beatless.all} unsure`);
console.table([keys]);
