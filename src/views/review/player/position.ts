/** Formats positions as clock time, seconds, samples, or bars and beats, and provides the position that screen readers announce. */
import { isContinuous } from "../../../audio/player/track.ts";
import { localized } from "../../../lib/locale.ts";
import { formatTenths } from "../../../lib/format.ts";
import { getPersisted, setPersisted } from "../../../lib/local-storage.ts";
import type { ServiceStorage } from "../../../lib/service-storage.ts";
import { barAndBeat, type Tempo } from "../waveform/ticks.ts";

export const UNITS = ["time", "seconds", "samples", "bars"] as const;
export type Unit = (typeof UNITS)[number];

const UNIT_KEY = "time-unit";

/** The values that units depend on. 0 and null mean unknown. */
export interface UnitInputs {
  /** Samples per second. */
  sampleRate: number;
  tempo: Tempo | null;
}

const secondsFormat = localized(({ language }) => new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3, useGrouping: false }));
const samplesFormat = localized(({ language }) => new Intl.NumberFormat(language));

export const canShowUnit = (unit: Unit, { sampleRate, tempo }: UnitInputs): boolean =>
  unit === "samples" ? sampleRate > 0 : unit === "bars" ? tempo !== null : true;

/** Formats a position in a unit, or as clock time if the unit cannot be shown. */
export function formatInUnit(unit: Unit, position: number, { sampleRate, tempo }: UnitInputs): string {
  const clamped = Number.isFinite(position) && position > 0 ? position : 0;
  if (unit === "seconds") return secondsFormat().format(Math.floor(clamped * 1_000 + 1e-6) / 1_000);
  if (unit === "samples" && sampleRate > 0) return samplesFormat().format(Math.round(clamped * sampleRate));
  if (unit === "bars" && tempo) return barAndBeat(clamped, tempo);
  return formatTenths(clamped);
}

export const loadUnit = (): Unit => UNITS.find((unit) => unit === getPersisted(UNIT_KEY)) ?? "time";
export const saveUnit = (unit: Unit): void => setPersisted(UNIT_KEY, unit === "time" ? null : unit);

/** Returns where bar 1 starts, in seconds. No analysis detects it, so the user sets it once per file, and this browser stores it. */
export function loadOrigin(storage: ServiceStorage, fileId: number): number {
  const origin = Number(storage.get(`bar-one.${fileId}`));
  return Number.isFinite(origin) ? origin : 0;
}

export const saveOrigin = (storage: ServiceStorage, fileId: number, origin: number): void =>
  storage.set(`bar-one.${fileId}`, origin === 0 ? null : origin.toFixed(4));

/** Creates a function that returns the position for screen readers, which changes only on a seek or pause, so that playback is not interrupted. */
export function createAnnouncedPosition(trackController: { state(): { isPlaying: boolean; position: number } }): () => number {
  let { position: announced } = trackController.state();
  let lastPosition = announced;
  return () => {
    const { isPlaying, position } = trackController.state();
    if (!isPlaying || !isContinuous(lastPosition, position)) announced = position;
    lastPosition = position;
    return announced;
  };
}
