/** Opens tones, whose bytes repeat and may look like another format, and returns the format in which the engine reads them. */
import { avGetCodecName } from "node-av/lib";
import { openInput } from "../engine/open.ts";
import { encodeFile, type RecipeName } from "./formats.ts";
import { sine } from "./signals.ts";

/** The encodings of the recipes, as FFmpeg names them. */
export const TONE_ENCODINGS = {
  wav8: "pcm_u8",
  wav16: "pcm_s16le",
  wav24: "pcm_s24le",
  wav32f: "pcm_f32le",
  aiff16: "pcm_s16be",
  aiff24: "pcm_s24be",
  flac16: "flac",
  mka: "pcm_s16le",
} satisfies Partial<Record<RecipeName, string>>;

export interface Tone {
  recipe: keyof typeof TONE_ENCODINGS;
  hertz: number;
  /** dBFS, peak. */
  level: number;
  rate: number;
  channels: number;
}

/** Writes half a second of the tone to `path` and opens it. */
export function readTone(path: string, { recipe, hertz, level, rate, channels }: Tone): { encoding: string | null; rate: number; channels: number } {
  const tone = sine(hertz, 10 ** (level / 20), 0.5, rate);
  encodeFile(
    path,
    recipe,
    Array.from({ length: channels }, () => tone),
    rate,
  );
  const input = openInput(path);
  const { codecId, sampleRate, channels: count } = input.audio!.codecpar;
  input.close();
  return { encoding: avGetCodecName(codecId), rate: sampleRate, channels: count };
}

export const expectedTone = ({ recipe, rate, channels }: Tone): ReturnType<typeof readTone> => ({ encoding: TONE_ENCODINGS[recipe], rate, channels });
