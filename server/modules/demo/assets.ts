/**
 * Files of the demo story and their folders. `npm run demo:render` renders them once. The repository stores songs and stems as Opus, which are converted
 * to the WAV and FLAC files of the story when they are uploaded.
 */
import { mkdtempSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { encodeWav, readAudioFile, writeAudioFile } from "../../media/audio-files.ts";

const FOLDER = join(import.meta.dirname, "assets");
/** In Hz; the sample rate that the story mentions. */
const SAMPLE_RATE = 44_100;

interface AssetPlacement {
  /** Folders below the project's root folder, outermost first. */
  folder: readonly string[];
  name: string;
  versionOf?: string;
}

const ASSET_PLACEMENTS = {
  notes: { folder: ["Documents"], name: "Nightdrive session notes.pdf" },
  v1: { folder: ["Mixes"], name: "Nightdrive mix.wav" },
  v2: { folder: ["Mixes"], name: "Nightdrive mix.wav", versionOf: "v1" },
  v3: { folder: ["Mixes"], name: "Nightdrive mix.wav", versionOf: "v1" },
  instrumental: { folder: ["Mixes"], name: "Nightdrive instrumental.wav" },
  halogen: { folder: ["Mixes"], name: "Halogen rough.wav" },
  moon: { folder: ["Mixes"], name: "Paper Moon demo.wav" },
  drums: { folder: ["Stems", "Nightdrive"], name: "Nightdrive drums.flac" },
  bass: { folder: ["Stems", "Nightdrive"], name: "Nightdrive bass.flac" },
  synths: { folder: ["Stems", "Nightdrive"], name: "Nightdrive synths.flac" },
  lead: { folder: ["Stems", "Nightdrive"], name: "Nightdrive lead.flac" },
  cover: { folder: ["Artwork"], name: "Nightdrive cover.png" },
  moonCover: { folder: ["Artwork"], name: "Paper Moon cover.png" },
  hum: { folder: ["Chat"], name: "Voice note.webm" },
  waltz: { folder: ["Cues"], name: "3m4 Bridge waltz.wav" },
  still: { folder: ["Stills"], name: "Bridge, water.png" },
} satisfies Record<string, AssetPlacement>;

export type AssetName = keyof typeof ASSET_PLACEMENTS;
export const placementOf = (name: AssetName): AssetPlacement => ASSET_PLACEMENTS[name];
/** Returns the asset whose file this one belongs to: itself, or the asset of the first version. */
export const fileAssetOf = (name: AssetName): AssetName => (placementOf(name).versionOf as AssetName | undefined) ?? name;

/** Returns the bytes of each asset. */
export interface Assets {
  bytes(name: AssetName): Promise<Buffer>;
}

export function openAssets(): Assets {
  const readSong = async (name: AssetName): Promise<[Float32Array, Float32Array]> => {
    const [left, right] = await readAudioFile(join(FOLDER, `${name}.webm`), { sampleRate: SAMPLE_RATE, channels: 2 });
    return [left!, right!];
  };
  return {
    async bytes(name) {
      const extension = extname(placementOf(name).name);
      if (extension === ".wav") return encodeWav(await readSong(name), SAMPLE_RATE);
      if (extension === ".flac") return encodeFlac(await readSong(name));
      return readFile(join(FOLDER, `${name}${extension}`));
    },
  };
}

async function encodeFlac(channels: readonly Float32Array[]): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-demo-"));
  try {
    writeAudioFile(join(folder, "stem.flac"), channels, { format: "flac", sampleRate: SAMPLE_RATE });
    return await readFile(join(folder, "stem.flac"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
