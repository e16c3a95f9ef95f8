/** What the tagging found, and for each list that is empty the reason. */
import type { AiTags } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/review.ts";
import { isUnsure, modelStateOf } from "./info.ts";

export interface TagList {
  name: string;
  /** Descending. */
  tags: { label: string; score: number }[];
  /** Why there are none; null where there are some. */
  why: string | null;
}

export interface Measured {
  value: string | null;
  /** What stands beside or under the value. */
  note: string | null;
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

const bpmFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export function tempoOf(tags: AiTags, underWay: boolean): Measured {
  if (tags.bpm > 0) return { value: bpmFormat.format(tags.bpm), note: t("bpm") };
  if (underWay) return { value: null, note: t("afterProcessing") };
  return isUnsure(tags, "bpm") ? { value: t("unsure"), note: t("unsureTempo") } : { value: t("unknown"), note: t("unknownWhy") };
}

/** The best key, and those that would do as well. */
export function keyOf(tags: AiTags, underWay: boolean): Measured {
  const [best, ...others] = tags.key.filter((key) => key !== "");
  if (best) return { value: best, note: others.length > 0 ? t("keyOr", { keys: others.slice(0, 2).join(", ") }) : null };
  if (underWay) return { value: null, note: t("afterProcessing") };
  return isUnsure(tags, "key") ? { value: t("unsure"), note: t("unsureKey") } : { value: t("unknown"), note: t("unknownWhy") };
}
