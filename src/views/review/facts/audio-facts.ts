/** Formats every documented field of an audio file's info for display, and explains its loudness warnings. */
import type { AiTags, AudioFileInfo } from "../../../../contract/records.ts";
import { localized } from "../../../lib/locale.ts";
import { formatBpm, formatKey, formatTenths } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-facts.ts";
import { isCorrected, loudnessOf, processingNotesOf } from "../file-info.ts";

export interface Fact {
  label: string;
  value: string;
}

const numberFormat = localized(({ language }) => new Intl.NumberFormat(language, { maximumFractionDigits: 3 }));
const oneDigitFormat = localized(({ language }) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }));

const ENCODINGS: Readonly<Record<string, string>> = {
  flac: "FLAC",
  alac: "Apple Lossless",
  mp3: "MP3",
  aac: "AAC",
  opus: "Opus",
  vorbis: "Vorbis",
  wavpack: "WavPack",
  ape: "Monkey's Audio",
  pcm_alaw: "A-law",
  pcm_mulaw: "µ-law",
};

/** Names of surround formats by their number of channels. */
const SURROUND: Readonly<Record<number, string>> = { 6: "5.1", 8: "7.1" };

/** Message keys of the explanations by warning code. */
const HELP_KEYS = {
  clipping: "helpClipping",
  "true-peak": "helpTruePeak",
  "silence-head": "helpSilence",
  "silence-tail": "helpSilence",
  silent: "helpSilent",
  phase: "helpPhase",
  "mono-loss": "helpMonoLoss",
  "dual-mono": "helpDualMono",
  "dead-channel": "helpDeadChannel",
  balance: "helpBalance",
} as const;

/**
 * Returns the metadata. Values that the specification defines as unknown (0, "" or null) are labeled unknown, so that
 * nobody takes them for measurements. Tempo and key are left out where the panel of tags shows the same.
 */
export function audioFacts(info: AudioFileInfo, tags?: AiTags): Fact[] {
  const formatKnown = (value: number, format: (value: number) => string) => (value > 0 ? format(value) : t("unknown"));
  const markCorrected = (value: string, field: "bpm" | "key") => (isCorrected(info, field) ? t("corrected", { value }) : value);
  const notes = processingNotesOf(info);
  return [
    { label: t("length"), value: formatKnown(info.duration, formatTenths) },
    { label: t("format"), value: info.audio_encoding ? formatEncoding(info.audio_encoding) : t("unknown") },
    { label: t("bitrate"), value: info.bitrate === "" ? t("unknown") : formatBitrate(info.bitrate) },
    // By the specification, 0 means unknown or a format without a bit depth, such as any lossy format.
    { label: t("depth"), value: info.bits_per_sample > 0 ? t("bits", { count: info.bits_per_sample }) : t("noDepth") },
    { label: t("sampleRate"), value: formatKnown(info.samplerate, (hertz) => t("kilohertz", { rate: numberFormat().format(hertz / 1000) })) },
    { label: t("channels"), value: formatKnown(info.number_of_chanels, formatChannels) },
    { label: t("samples"), value: formatKnown(info.number_of_samples, (count) => numberFormat().format(count)) },
    ...(tags && isShownAsTag(info, "bpm", tags.bpm)
      ? []
      : [{ label: t("tempo"), value: formatKnown(info.bpm, (bpm) => markCorrected(`${formatBpm(bpm)} ${t("bpm")}`, "bpm")) }]),
    ...(tags && isShownAsTag(info, "key", tags.key[0] ?? null)
      ? []
      : [{ label: t("key"), value: info.key === null ? t("unknown") : markCorrected(formatKey(info.key), "key") }]),
    ...(notes.length === 0 ? [] : [{ label: t("decoderNotes"), value: notes.join(" ") }]),
  ];
}

/** The panel of tags shows a corrected value, or else the detected one. */
const isShownAsTag = (info: AudioFileInfo, field: "bpm" | "key", detected: number | string | null): boolean =>
  isCorrected(info, field) || (info[field] || null) === (detected || null);

/** Returns the measured loudness values that the panel of tags does not show. Values that could not be measured (silence, too short) are omitted. */
export function loudnessFacts(info: AudioFileInfo): Fact[] {
  const { range, samplePeak, shortTermMax, momentaryMax } = loudnessOf(info);
  const rows: [label: string, value: number | null, unit: string][] = [
    [t("range"), range, "LU"],
    [t("samplePeak"), samplePeak, "dBFS"],
    [t("shortTerm"), shortTermMax, "LUFS"],
    [t("momentary"), momentaryMax, "LUFS"],
  ];
  return rows.flatMap(([label, value, unit]) => (value === null ? [] : [{ label, value: `${formatSigned(value)} ${unit}` }]));
}

/** A part of the audio, in seconds. */
export interface Place {
  from: number;
  to: number;
}

export interface LoudnessWarning {
  code: string;
  /** In the service's own wording. */
  text: string;
  /** null for an unknown code. */
  help: string | null;
  /** Where it is, in order; empty if it concerns the whole file or the service does not know. */
  places: readonly Place[];
}

/**
 * Returns the service's loudness warnings, each with an explanation. Returns null if nothing was measured, so that missing data does not look like a clean
 * result.
 */
export function warningsOf(info: AudioFileInfo): LoudnessWarning[] | null {
  const { warnings } = toRecord(info["loudness"]);
  if (!Array.isArray(warnings)) return null;
  return warnings.flatMap((warning: unknown) => {
    const { code, text, places } = toRecord(warning);
    if (typeof text !== "string" || text === "") return [];
    const helpKey = typeof code === "string" && Object.hasOwn(HELP_KEYS, code) ? HELP_KEYS[code as keyof typeof HELP_KEYS] : null;
    return [{ code: typeof code === "string" ? code : "", text, help: helpKey === null ? null : t(helpKey), places: parsePlaces(places) }];
  });
}

function parsePlaces(places: unknown): Place[] {
  if (!Array.isArray(places)) return [];
  return places.flatMap((place: unknown) => {
    const { from, to } = toRecord(place);
    return typeof from === "number" && typeof to === "number" && from >= 0 && to >= from ? [{ from, to }] : [];
  });
}

/** Formats an encoding name: "pcm_s24le" becomes "PCM". Unknown names stay as they are. */
export function formatEncoding(encoding: string): string {
  const knownName = ENCODINGS[encoding.toLowerCase()];
  if (knownName) return knownName;
  const pcm = /^pcm_([suf])\d+/.exec(encoding);
  if (pcm) return pcm[1] === "f" ? "PCM, floating point" : "PCM";
  return encoding.startsWith("adpcm_") ? "ADPCM" : encoding;
}

/** Formats bits per second in digits as "320 kbit/s". Any other text stays as the service wrote it. */
export function formatBitrate(bitrate: string): string {
  return /^\d{4,}$/.test(bitrate) ? t("kilobits", { rate: oneDigitFormat().format(Number(bitrate) / 1000) }) : bitrate;
}

export function formatChannels(count: number): string {
  if (count === 1) return t("mono");
  if (count === 2) return t("stereo");
  const name = SURROUND[count];
  return name ? t("surround", { name }) : t("channelCount", { count });
}

/** Formats a number with a true minus sign (U+2212). */
export const formatSigned = (value: number): string => oneDigitFormat().format(value).replace("-", "\u2212");

const toRecord = (value: unknown): Record<string, unknown> => (typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {});
