/** Stores what this page measured of its own recordings, to show voice notes until the service has processed them. */
import type { Voice } from "../../queries/outbox/outbox.ts";

const localRecordings = new Map<number, Voice>();

export const setLocalRecording = (fileId: number, voice: Voice): void => void localRecordings.set(fileId, voice);

/** Returns undefined for recordings made elsewhere. */
export const getLocalRecording = (fileId: number): Voice | undefined => localRecordings.get(fileId);
