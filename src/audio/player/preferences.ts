/** Persists playback preferences in this browser: one volume for everything, and one playback rate for all voice notes; other audio keeps its own rate. */
import { getPersisted, setPersisted } from "../../lib/local-storage.ts";

const VOLUME_STORAGE_KEY = "volume";
const VOICE_RATE_STORAGE_KEY = "voice-rate";
const VOICE_RATES = [1, 1.5, 2] as const;

export interface Volume {
  /** 0 to 1. */
  level: number;
  muted: boolean;
}

/** Parses what `saveVolume` stored; returns full volume if there is no valid value. */
export function loadVolume(): Volume {
  const [, level = "", muted] = /^(0|1|0\.\d+)( muted)?$/.exec(getPersisted(VOLUME_STORAGE_KEY) ?? "") ?? [];
  return { level: level === "" ? 1 : Number(level), muted: muted !== undefined };
}

export const saveVolume = ({ level, muted }: Volume): void => setPersisted(VOLUME_STORAGE_KEY, `${Number(level.toFixed(3))}${muted ? " muted" : ""}`);

export const loadVoiceRate = (): number => VOICE_RATES.find((rate) => String(rate) === getPersisted(VOICE_RATE_STORAGE_KEY)) ?? 1;
export const saveVoiceRate = (rate: number): void => setPersisted(VOICE_RATE_STORAGE_KEY, String(rate));

/** Returns the next rate, and the first one after the last. */
export const nextVoiceRate = (rate: number): number => VOICE_RATES[(VOICE_RATES.findIndex((candidate) => candidate === rate) + 1) % VOICE_RATES.length]!;
