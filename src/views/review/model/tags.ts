/** What the tagging found, what somebody has put right, and for each list that is empty the reason. */
import { MUSIC_KEYS, type MusicKey } from "../../../../contract/music-keys.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import type { AiTags, AudioFileInfo } from "../../../../contract/records.ts";
import { language } from "../../../lib/language.ts";
import { t } from "../../../lib/messages/review-tags.ts";
import { confidenceOf, isCorrected, modelStateOf } from "./info.ts";

export interface TagList {
  name: string;
  /** Descending. */
  tags: { label: string; score: number }[];
  /** Why there are none; null where there are some. */
  why: string | null;
}

export interface Measured {
  value: string | null;
  /** Stands beside the value. */
  unit: string | null;
  /** Stands under the value: how sure, what else it may be, or why there is none. */
  note: string | null;
  /** What the analysis has found, where somebody has put another value in its place; null where it is the analysis' own. */
  corrected: string | null;
}

const bounded = (score: number) => Math.min(1, Math.max(0, score));

function whyEmpty(tags: AiTags, underWay: boolean): string {
  if (underWay) return t("afterProcessing");
  const state = modelStateOf(tags);
  if (state === "no-model") return t("noModel");
  if (state === "not-installed") return t("modelNotInstalled");
  if (state === "failed") return t("modelFailed");
  return state === null ? t("noneTold") : t("nothingFound");
}

/** `underWay`: processing is not done yet. */
export function tagLists(tags: AiTags, underWay: boolean): TagList[] {
  const why = whyEmpty(tags, underWay);
  const list = (name: string, pairs: readonly [string, number][]): TagList => ({
    name,
    tags: pairs.map(([label, score]) => ({ label, score: bounded(score) })).toSorted((a, b) => b.score - a.score),
    why: pairs.length === 0 ? why : null,
  });
  return [list(t("genres"), tags.genres), list(t("moods"), tags.moods), list(t("instruments"), tags.instruments)];
}

const bpmFormat = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
export const bpmInWords = (bpm: number): string => bpmFormat.format(bpm);
const join = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(" · ") || null;

function sureness(tags: AiTags, what: "bpm" | "key"): string | null {
  const confidence = confidenceOf(tags, what);
  return confidence === null ? null : t("sure", { percent: Math.round(confidence * 100) });
}

/** Nothing was found: why. */
function nothing(tags: AiTags, what: "bpm" | "key", underWay: boolean): Measured {
  const base = { unit: null, corrected: null };
  if (underWay) return { ...base, value: null, note: t("afterProcessing") };
  return confidenceOf(tags, what) === null
    ? { ...base, value: t("unknown"), note: t("noneTold") }
    : { ...base, value: t("unsure"), note: join(t(what === "bpm" ? "unsureTempo" : "unsureKey"), sureness(tags, what)) };
}

export function tempoOf(tags: AiTags, info: AudioFileInfo, underWay: boolean): Measured {
  if (isCorrected(info, "bpm")) {
    const found = tags.bpm > 0 ? t("foundTempo", { bpm: bpmInWords(tags.bpm) }) : t("foundNone");
    return { value: bpmInWords(info.bpm), unit: t("bpm"), note: null, corrected: found };
  }
  if (tags.bpm > 0) return { value: bpmInWords(tags.bpm), unit: t("bpm"), note: sureness(tags, "bpm"), corrected: null };
  return nothing(tags, "bpm", underWay);
}

/** The best key, and those that would do as well. */
export function keyOf(tags: AiTags, info: AudioFileInfo, underWay: boolean): Measured {
  const [best, ...others] = tags.key.filter((key) => key !== "");
  if (isCorrected(info, "key")) return { value: info.key, unit: null, note: null, corrected: best ? t("foundKey", { key: best }) : t("foundNone") };
  if (best) {
    const or = others.length > 0 ? t("keyOr", { keys: others.slice(0, 2).join(", ") }) : null;
    return { value: best, unit: null, note: join(sureness(tags, "key"), or), corrected: null };
  }
  return nothing(tags, "key", underWay);
}

/** A tempo as somebody types it, with point or comma; null where it is none that may be set. */
export function tempoFrom(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  const bpm = /^\d+(\.\d+)?$/.test(plain) ? Math.round(Number(plain) * 100) / 100 : Number.NaN;
  return bpm >= LIMITS.bpm_min && bpm <= LIMITS.bpm_max ? bpm : null;
}

/** What an analysis often mistakes the tempo for, as far as it may be set. */
export const octavesOf = (bpm: number): number[] => [bpm / 2, bpm * 2].filter((one) => one >= LIMITS.bpm_min && one <= LIMITS.bpm_max);

export const isMusicKey = (key: string): key is MusicKey => (MUSIC_KEYS as readonly string[]).includes(key);
