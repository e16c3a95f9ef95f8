/** What this page has recorded itself: shown of its voice notes until the service has looked into them. */
import type { Voice } from "../../queries/outbox/outbox.ts";

const localRecordings = new Map<number, Voice>();

export const setLocalRecording = (fileId: number, voice: Voice): void => void localRecordings.set(fileId, voice);

/** Undefined for what was recorded elsewhere. */
export const getLocalRecording = (fileId: number): Voice | undefined => localRecordings.get(fileId);
