/** Rules to begin with, from what receivers commonly ask for. They leave the file name open. */
import type { EditedRules } from "./format-rules.ts";

const PCM_STEREO = { bit_depths: [24], channels: [2], name_pattern: null };

export const PRESETS: readonly { name: "streaming" | "ebu" | "atsc"; rules: EditedRules }[] = [
  {
    name: "streaming",
    rules: {
      ...PCM_STEREO,
      loudness: { target: -14, tolerance: 1 },
      true_peak_max: -1,
      sample_rates: [44_100, 48_000, 88_200, 96_000],
      formats: ["wav", "flac"],
    },
  },
  { name: "ebu", rules: { ...PCM_STEREO, loudness: { target: -23, tolerance: 0.5 }, true_peak_max: -1, sample_rates: [48_000], formats: ["wav"] } },
  { name: "atsc", rules: { ...PCM_STEREO, loudness: { target: -24, tolerance: 2 }, true_peak_max: -2, sample_rates: [48_000], formats: ["wav"] } },
];
