/**
 * `npm run demo:render`: renders the songs, stems, drawings and session notes of the demo into `server/modules/demo/assets`, songs and stems as
 * Opus. The output is part of the repository, so this runs only after its sources have changed.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { readAudioFile, writeAudioFile } from "../../server/media/audio-files.ts";
import type { AssetName } from "../../server/modules/demo/assets.ts";
import { bridgeStill, nightdriveCover, paperMoonCover } from "./drawings.ts";
import { masterTrack, MIXES, mixStems } from "./mixes.ts";
import { sessionNotes } from "./session-notes.ts";
import { HUM_SAMPLE_RATE, renderHum } from "./synth/hum.ts";
import { renderMix, renderStems } from "./synth/perform.ts";
import type { Song } from "./synth/song.ts";
import { BRIDGE_WALTZ } from "./synth/songs/bridge-waltz.ts";
import { HALOGEN } from "./synth/songs/halogen.ts";
import { NIGHTDRIVE } from "./synth/songs/nightdrive.ts";
import { PAPER_MOON } from "./synth/songs/paper-moon.ts";
import { SAMPLE_RATE, type Track } from "./synth/track.ts";

const FOLDER = join(import.meta.dirname, "../../server/modules/demo/assets");
const OPUS_SAMPLE_RATE = 48_000;
/** Bits per second, so that all assets together stay under 4 MB. */
const BIT_RATE = 36_000;
const HUM_INPUT = { bpm: 128, seed: 3, notes: "A3/6 C4/6 E4/8 D4/4 C4/8 -/4 A3/6 C4/6 G4/8 E4/16" };

/** `svg` must not contain text, because the fonts of the machine are unknown. */
const svgToPng = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png({ palette: true, quality: 90 }).toBuffer();

const writeAsset = (name: AssetName, extension: string, bytes: Buffer): void => writeFileSync(join(FOLDER, `${name}.${extension}`), bytes);

/** Writes the track as Opus, which needs 48 kHz; reading a lossless copy of the track resamples it. */
async function writeTrack(name: AssetName, { left, right }: Track, scratch: string): Promise<void> {
  const losslessFile = join(scratch, `${name}.flac`);
  writeAudioFile(losslessFile, [left, right], { format: "flac", sampleRate: SAMPLE_RATE });
  const channels = await readAudioFile(losslessFile, { sampleRate: OPUS_SAMPLE_RATE, channels: 2 });
  writeAudioFile(join(FOLDER, `${name}.webm`), channels, { format: "webm", sampleRate: OPUS_SAMPLE_RATE, bitRate: BIT_RATE });
  console.log(`  ${name}`);
}

async function main(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "talkback-demo-"));
  try {
    console.log("Rendering …");
    const stems = renderStems(NIGHTDRIVE);
    for (const name of ["drums", "bass", "synths", "lead"] as const) await writeTrack(name, stems[name], scratch);
    for (const name of ["v1", "v2", "v3", "instrumental"] as const) await writeTrack(name, mixStems(stems, MIXES[name]), scratch);
    const songs: [AssetName, Song, number][] = [
      ["halogen", HALOGEN, -1],
      ["moon", PAPER_MOON, -2.5],
      ["waltz", BRIDGE_WALTZ, -5],
    ];
    for (const [name, song, gain] of songs) await writeTrack(name, masterTrack(renderMix(song), gain), scratch);
    writeAudioFile(join(FOLDER, "hum.webm"), [renderHum(HUM_INPUT)], { format: "webm", sampleRate: HUM_SAMPLE_RATE });
    writeAsset("cover", "png", await svgToPng(nightdriveCover()));
    writeAsset("moonCover", "png", await svgToPng(paperMoonCover()));
    writeAsset("still", "png", await svgToPng(bridgeStill()));
    writeAsset("notes", "pdf", sessionNotes());
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const bytes = readdirSync(FOLDER).reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0);
  console.log(`${readdirSync(FOLDER).length} files, ${(bytes / 1e6).toFixed(2)} MB in ${FOLDER}`);
}

await main();
