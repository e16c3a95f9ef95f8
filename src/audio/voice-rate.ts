/** The speed at which voices are heard: one for all of them, remembered. Songs keep theirs. */
import { getPersisted, setPersisted } from "../lib/remembered.ts";

export const VOICE_RATES = [1, 1.5, 2] as const;
const STORAGE_KEY = "voice-rate";

export const loadVoiceRate = (): number => VOICE_RATES.find((rate) => String(rate) === getPersisted(STORAGE_KEY)) ?? 1;
export const saveVoiceRate = (rate: number): void => setPersisted(STORAGE_KEY, String(rate));

/** The next one, the first after the last. */
export const nextVoiceRate = (rate: number): number => VOICE_RATES[(VOICE_RATES.findIndex((candidate) => candidate === rate) + 1) % VOICE_RATES.length]!;
