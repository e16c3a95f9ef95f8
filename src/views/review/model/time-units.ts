/** How a position is written: as a clock, in seconds, samples, or bars and beats. */
import { formatTenths } from "../../../lib/duration.ts";
import { language } from "../../../lib/language.ts";
import { recall, remember } from "../../../lib/remembered.ts";
import { barAndBeat, type Tempo } from "./ticks.ts";

export const UNITS = ["time", "seconds", "samples", "bars"] as const;
export type Unit = (typeof UNITS)[number];

/** What a unit needs to be known; 0 and null: it is not. */
export interface Scale {
  /** Samples a second. */
  rate: number;
  tempo: Tempo | null;
}

const seconds = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3, useGrouping: false });
const samples = new Intl.NumberFormat(language);

export const canShow = (unit: Unit, { rate, tempo }: Scale): boolean => (unit === "samples" ? rate > 0 : unit === "bars" ? tempo !== null : true);

/** What cannot be shown is shown as a clock. */
export function formatIn(unit: Unit, position: number, { rate, tempo }: Scale): string {
  const at = Number.isFinite(position) && position > 0 ? position : 0;
  if (unit === "seconds") return seconds.format(Math.floor(at * 1_000 + 1e-6) / 1_000);
  if (unit === "samples" && rate > 0) return samples.format(Math.round(at * rate));
  if (unit === "bars" && tempo) return barAndBeat(at, tempo);
  return formatTenths(at);
}

const UNIT = "time-unit";
export const recallUnit = (): Unit => UNITS.find((unit) => unit === recall(UNIT)) ?? "time";
export const rememberUnit = (unit: Unit): void => remember(UNIT, unit === "time" ? null : unit);

/** No analysis tells where bar 1 begins: a person says it once, for this file in this browser. */
const originName = (fileId: number) => `bar-one.${fileId}`;
export function recallOrigin(fileId: number): number {
  const at = Number(recall(originName(fileId)));
  return Number.isFinite(at) ? at : 0;
}
export const rememberOrigin = (fileId: number, at: number): void => remember(originName(fileId), at === 0 ? null : at.toFixed(4));
