/** Prepares detected tags and corrections for display, with a reason for each empty list. */
import { LIMITS } from "../../../../contract/limits.ts";
import { MUSIC_KEYS, type MusicKey } from "../../../../contract/music-keys.ts";
import type { AiTags, AudioFileInfo } from "../../../../contract/records.ts";
import { formatBpm, formatKey } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-tags.ts";
import { confidenceOf, isCorrected, modelStateOf } from "../file-info.ts";

export interface TagList {
  name: string;
  /** Sorted by score, descending. */
  tags: { label: string; score: number }[];
  /** Why there are no tags; null if there are any. */
  emptyReason: string | null;
}

export interface MeasuredValue {
  value: string | null;
  /** True if the value is only the most likely one. */
  isUnsure?: boolean;
  /** Shown beside the value. */
  unit: string | null;
  /** Shown below the value: the confidence, alternatives, or why there is no value. */
  note: string | null;
  /** Describes the detected value that a user has replaced; null if the value is the detected one. */
  corrected: string | null;
}

const clampScore = (score: number) => Math.min(1, Math.max(0, score));

/** Prints the command that installs the model; the text around it comes from the texts. */
export const INSTALL_COMMAND = "npm run admin -- install-model";

/**
 * Returns the genres, moods and instruments, each with its reason if it is empty; or, if all are empty, one line that says why. An owner's line says how to
 * install a missing model.
 */
export function describeTags(tags: AiTags, { isProcessing, isOwner }: { isProcessing: boolean; isOwner: boolean }): TagList[] | string {
  const groups: [name: string, pairs: readonly [string, number][]][] = [
    [t("genres"), tags.genres],
    [t("moods"), tags.moods],
    [t("instruments"), tags.instruments],
  ];
  const state = modelStateOf(tags);
  if (groups.every(([, pairs]) => pairs.length === 0)) {
    if (isProcessing) return t("tagsAfterProcessing");
    if (state === "no-model" || state === "not-installed") return isOwner ? t("installModel", { command: INSTALL_COMMAND }) : t("noModel");
    if (state === "failed") return t("modelFailed");
    return state === null ? t("noData") : t("noTagsFound");
  }
  return groups.map(([name, pairs]) => ({
    name,
    tags: pairs.map(([label, score]) => ({ label, score: clampScore(score) })).toSorted((a, b) => b.score - a.score),
    emptyReason: pairs.length === 0 ? t(state === null ? "noData" : "nothingFound") : null,
  }));
}

const joinParts = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(" · ") || null;

/** Confidence below which a value is shown as unsure. */
const MIN_CONFIDENCE = 0.6;
const hasLowConfidence = (tags: AiTags, field: "bpm" | "key"): boolean => (confidenceOf(tags, field) ?? 1) < MIN_CONFIDENCE;

function formatConfidence(tags: AiTags, field: "bpm" | "key"): string | null {
  const confidence = confidenceOf(tags, field);
  return confidence === null ? null : t("confidence", { percent: Math.round(confidence * 100) });
}

/** Describes a value that was not detected, with the reason. */
function missingValue(tags: AiTags, field: "bpm" | "key", isProcessing: boolean): MeasuredValue {
  const base = { unit: null, corrected: null };
  if (isProcessing) return { ...base, value: null, note: t("afterProcessing") };
  return confidenceOf(tags, field) === null
    ? { ...base, value: t("unknown"), note: t("noData") }
    : { ...base, value: t("notDetected"), note: t(field === "bpm" ? "noTempo" : "noKey") };
}

export function describeTempo(tags: AiTags, info: AudioFileInfo, isProcessing: boolean): MeasuredValue {
  if (isCorrected(info, "bpm")) {
    const foundText = tags.bpm > 0 ? t("detectedTempo", { bpm: formatBpm(tags.bpm) }) : t("nothingDetected");
    return { value: formatBpm(info.bpm), unit: t("bpm"), note: null, corrected: foundText };
  }
  if (tags.bpm > 0)
    return { value: formatBpm(tags.bpm), isUnsure: hasLowConfidence(tags, "bpm"), unit: t("bpm"), note: formatConfidence(tags, "bpm"), corrected: null };
  return unsureValue(tags, "bpm", isProcessing, (tags.bpm_candidates ?? []).filter((bpm) => bpm > 0).map(formatBpm));
}

/** Describes the most likely value of those that the analysis is not sure of, and the others. */
function unsureValue(tags: AiTags, field: "bpm" | "key", isProcessing: boolean, candidates: readonly string[]): MeasuredValue {
  const [best, ...others] = candidates;
  if (best === undefined || isProcessing) return missingValue(tags, field, isProcessing);
  const note = joinParts(others.length > 0 ? t("orOthers", { others: others.slice(0, 2).join(", ") }) : null, formatConfidence(tags, field));
  return { value: best, isUnsure: true, unit: field === "bpm" ? t("bpm") : null, note, corrected: null };
}

/** Describes the detected key and up to two alternatives, or the candidates of an unsure one. */
export function describeKey(tags: AiTags, info: AudioFileInfo, isProcessing: boolean): MeasuredValue {
  const [bestKey, ...otherKeys] = tags.key.filter((key) => key !== "");
  if (isCorrected(info, "key"))
    return {
      value: info.key === null ? null : formatKey(info.key),
      unit: null,
      note: null,
      corrected: bestKey ? t("detectedKey", { key: formatKey(bestKey) }) : t("nothingDetected"),
    };
  if (bestKey) {
    const alternatives = otherKeys.length > 0 ? t("alternativeKeys", { keys: otherKeys.slice(0, 2).map(formatKey).join(", ") }) : null;
    return {
      value: formatKey(bestKey),
      isUnsure: hasLowConfidence(tags, "key"),
      unit: null,
      note: joinParts(formatConfidence(tags, "key"), alternatives),
      corrected: null,
    };
  }
  return unsureValue(tags, "key", isProcessing, (tags.key_candidates ?? []).filter((key) => key !== "").map(formatKey));
}

/** Parses a typed tempo with a decimal point or comma. Returns null if the tempo is invalid or out of range. */
export function parseTempo(text: string): number | null {
  const normalized = text.trim().replace(",", ".");
  const bpm = /^\d+(\.\d+)?$/.test(normalized) ? Math.round(Number(normalized) * 100) / 100 : Number.NaN;
  return bpm >= LIMITS.bpm_min && bpm <= LIMITS.bpm_max ? bpm : null;
}

/** Returns half and double the tempo, which analyses often confuse with it, as far as they are in range. */
export const tempoOctaves = (bpm: number): number[] => [bpm / 2, bpm * 2].filter((candidate) => candidate >= LIMITS.bpm_min && candidate <= LIMITS.bpm_max);

export const isMusicKey = (key: string): key is MusicKey => (MUSIC_KEYS as readonly string[]).includes(key);
