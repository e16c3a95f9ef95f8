/** Files of the demo story, with their folders and generated contents. Songs are rendered when the first file needs them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { svgToPng, writeAudioFile } from "../../media/generated-files.ts";
import { bridgeStill, nightdriveCover, paperMoonCover } from "./drawings.ts";
import { sessionNotes } from "./session-notes.ts";
import { hum, HUM_RATE } from "./synth/hum.ts";
import { encodeWav, masterTrack, type Mix, mixStems } from "./synth/mastering.ts";
import { renderStems, renderMix, type Stems } from "./synth/perform.ts";
import { sectionStart, type Song, type StemName } from "./synth/song.ts";
import { BRIDGE_WALTZ } from "./synth/songs/bridge-waltz.ts";
import { HALOGEN } from "./synth/songs/halogen.ts";
import { NIGHTDRIVE } from "./synth/songs/nightdrive.ts";
import { PAPER_MOON } from "./synth/songs/paper-moon.ts";
import { RATE } from "./synth/track.ts";

/** Mixes of Nightdrive in the order of their creation. The second mix is too loud from the drop on, as the story says. */
export const MIXES = {
  v1: { levels: { drums: -3, bass: -1, synths: 0, lead: -5 }, gain: -8 },
  v2: { levels: { drums: 0, bass: 0, synths: 0, lead: 0 }, bass: { from: sectionStart(NIGHTDRIVE, "drop"), more: 8 }, gain: 1.5 },
  v3: { levels: { drums: 0, bass: 0, synths: 0, lead: 0 }, gain: -0.5 },
  instrumental: { levels: { drums: 0, bass: 0, synths: 0 }, gain: -0.5 },
} satisfies Record<string, Mix>;

const HUM_INPUT = { bpm: 128, seed: 3, notes: "A3/6 C4/6 E4/8 D4/4 C4/8 -/4 A3/6 C4/6 G4/8 E4/16" };

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

function encodeAudio(format: "flac" | "webm", channels: readonly Float32Array[], rate: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "talkback-demo-"));
  try {
    writeAudioFile(join(folder, "sound"), format, channels, rate);
    return readFileSync(join(folder, "sound"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the bytes of each asset, which are the same in every run. */
export interface Assets {
  bytes(name: AssetName): Promise<Buffer>;
}

export function createAssets(): Assets {
  let nightdrive: Stems | undefined;
  const stems = (): Stems => (nightdrive ??= renderStems(NIGHTDRIVE));
  const mix = (name: keyof typeof MIXES): Buffer => encodeWav(mixStems(stems(), MIXES[name]));
  const stem = (name: StemName): Buffer => encodeAudio("flac", [stems()[name].left, stems()[name].right], RATE);
  const renderSong = (song: Song, gain: number): Buffer => encodeWav(masterTrack(renderMix(song), gain));
  const generators: Record<AssetName, () => Buffer | Promise<Buffer>> = {
    notes: sessionNotes,
    v1: () => mix("v1"),
    v2: () => mix("v2"),
    v3: () => mix("v3"),
    instrumental: () => mix("instrumental"),
    halogen: () => renderSong(HALOGEN, -1),
    moon: () => renderSong(PAPER_MOON, -2.5),
    drums: () => stem("drums"),
    bass: () => stem("bass"),
    synths: () => stem("synths"),
    lead: () => stem("lead"),
    cover: () => svgToPng(nightdriveCover()),
    moonCover: () => svgToPng(paperMoonCover()),
    hum: () => encodeAudio("webm", [hum(HUM_INPUT)], HUM_RATE),
    waltz: () => renderSong(BRIDGE_WALTZ, -5),
    still: () => svgToPng(bridgeStill()),
  };
  return { bytes: async (name) => generators[name]() };
}
