/** The speed at which voices are heard: one for all of them, remembered. Songs keep theirs. */
import { recall, remember } from "../lib/remembered.ts";

export const VOICE_RATES = [1, 1.5, 2] as const;
const NAME = "voice-rate";

export const recallVoiceRate = (): number => VOICE_RATES.find((rate) => String(rate) === recall(NAME)) ?? 1;
export const rememberVoiceRate = (rate: number): void => remember(NAME, String(rate));

/** The next one, the first after the last. */
export const nextVoiceRate = (rate: number): number => VOICE_RATES[(VOICE_RATES.findIndex((one) => one === rate) + 1) % VOICE_RATES.length]!;
