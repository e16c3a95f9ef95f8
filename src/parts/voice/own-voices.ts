/** What this page has recorded itself: shown of its voice notes until the service has looked into them. */
import type { Voice } from "../../queries/outbox/outbox.ts";

const voices = new Map<number, Voice>();

export const noteVoice = (fileId: number, voice: Voice): void => void voices.set(fileId, voice);

/** Undefined for what was recorded elsewhere. */
export const ownVoice = (fileId: number): Voice | undefined => voices.get(fileId);
