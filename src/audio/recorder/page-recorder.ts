/** Creates the page's recorder with this browser's microphone, player and storage, and hooks that read it. */
import { useSyncExternalStore } from "react";
import { defaultConnection } from "../../api/http.ts";
import { getPersisted, setPersisted } from "../../lib/local-storage.ts";
import { randomId } from "../../lib/random-id.ts";
import { setWakeLock } from "../../lib/wake-lock.ts";
import { player } from "../player/player.ts";
import { openMicrophone } from "./microphone.ts";
import { createRecorder } from "./recorder.ts";
import type { Recording } from "./recording.ts";
import { createRecordingStorage } from "./recording-storage.ts";

const INPUT_KEY = "microphone";
/** Frequent enough for a smooth meter. */
const TICK_MS = 50;

/** Sets the input that is tried first; null selects the system's default. */
export const setPreferredInput = (id: string | null) => setPersisted(INPUT_KEY, id);
export const getPreferredInput = () => getPersisted(INPUT_KEY);

export const recorder = createRecorder({
  open: openMicrophone,
  getPreferredInput,
  storage: createRecordingStorage(),
  getServiceUrl: () => new URL(defaultConnection.base || "/", location.origin).href,
  onActiveChange(on) {
    player.suspend(on);
    setWakeLock(on);
  },
  startTicking(callback) {
    const timer = setInterval(callback, TICK_MS);
    return () => clearInterval(timer);
  },
  schedule: (callback, ms) => void setTimeout(callback, ms),
  createId: randomId,
  clock: () => performance.now(),
  now: Date.now,
});

// Ending the recording delivers its last bytes before the page closes.
addEventListener("pagehide", () => recorder.end("closed"));
addEventListener("beforeunload", (event) => {
  if (recorder.hasUnpersisted()) event.preventDefault();
});

/** Selects a value of the recording and rerenders when the value changes. `selector` must return a primitive or a stable object. */
export function useRecorder<T extends string | number | boolean | object | null>(selector: (recording: Recording) => T): T {
  return useSyncExternalStore(recorder.subscribe, () => selector(recorder.state()));
}

export const useVoiceDrafts = () => useSyncExternalStore(recorder.subscribe, recorder.drafts);
export const useDiscardedDraft = () => useSyncExternalStore(recorder.subscribe, recorder.discarded);
