/** Creates real audio files in memory, encoded by the media engine that also decodes them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeFile, type RecipeName } from "../media/testing/formats.ts";
import { ALL_FILES, type AnyFile } from "../media/testing/odd-files.ts";
import { HELD_OUT } from "../media/testing/held-out.ts";
import { renderSong } from "../media/testing/song.ts";

/** Encodes `channels` (float, full scale 1) in the format of the recipe. */
export const encodeAudio = (recipe: RecipeName, channels: readonly Float32Array[], sampleRate: number): Buffer =>
  readWritten((path) => encodeFile(path, recipe, channels, sampleRate));

/** Encodes `channels` (float, full scale 1) in one of the formats of `odd-files.ts`. */
export const encodeOddFile = (name: AnyFile, channels: readonly Float32Array[], sampleRate: number): Buffer =>
  readWritten((path) => ALL_FILES[name].write(path, channels, sampleRate));

function readWritten(write: (path: string) => void): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "talkback-sound-"));
  try {
    write(join(folder, "sound"));
    return readFileSync(join(folder, "sound"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const songs = new Map<string, Float32Array[]>();

/** Returns a stereo electro track of known tempo and key (`tonic` 0 is C). The result is cached, so callers must not modify it. */
export function testSong(seconds: number, { bpm = 118, tonic = 9, mode = "minor" as const, rate = 44_100 } = {}): readonly Float32Array[] {
  const name = [seconds, bpm, tonic, mode, rate].join();
  const channels = songs.get(name) ?? renderStereoSong(seconds, bpm, tonic, mode, rate);
  songs.set(name, channels);
  return channels;
}

function renderStereoSong(seconds: number, bpm: number, tonic: number, mode: "minor", rate: number): Float32Array[] {
  const style = HELD_OUT.find(({ name }) => name === "electro");
  if (!style) throw new Error("There is no such style");
  const left = renderSong({ style, seed: 5, seconds, bpm, tonic, mode }, rate);
  return [left, left.map((value) => value * 0.9)];
}
