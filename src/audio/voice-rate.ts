/** Persists one playback rate for all voice notes; other audio keeps its own rate. */
import { getPersisted, setPersisted } from "../lib/remembered.ts";

export const VOICE_RATES = [1, 1.5, 2] as const;
const STORAGE_KEY = "voice-rate";

export const loadVoiceRate = (): number => VOICE_RATES.find((rate) => String(rate) === getPersisted(STORAGE_KEY)) ?? 1;
export const saveVoiceRate = (rate: number): void => setPersisted(STORAGE_KEY, String(rate));

/** Returns the next rate, and the first one after the last. */
export const nextVoiceRate = (rate: number): number => VOICE_RATES[(VOICE_RATES.findIndex((candidate) => candidate === rate) + 1) % VOICE_RATES.length]!;
