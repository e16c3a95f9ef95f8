/** Creates the recorder of a client, and provides hooks that read it. */
import { useSyncExternalStore } from "react";
import type { Api } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { getPersisted, setPersisted } from "../../lib/local-storage.ts";
import { randomId } from "../../lib/random-id.ts";
import { createWakeLock } from "../../lib/wake-lock.ts";
import type { Player } from "../player/player.ts";
import { openMicrophone } from "./microphone.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { Recording } from "./recording.ts";
import { createRecordingStorage } from "./recording-storage.ts";
import type { VoiceDraft } from "./voice-drafts.ts";

const INPUT_KEY = "microphone";
/** Frequent enough for a smooth meter. */
const TICK_MS = 50;

/** Sets the input that is tried first; null selects the system's default. */
export const setPreferredInput = (id: string | null) => setPersisted(INPUT_KEY, id);
export const getPreferredInput = () => getPersisted(INPUT_KEY);

export interface BrowserRecorder extends Recorder {
  dispose(): void;
}

/** Creates a recorder with this browser's microphone and storage, which suspends the player while it records. */
export function createBrowserRecorder(api: Api, player: Player): BrowserRecorder {
  const setWakeLock = createWakeLock();
  const recorder = createRecorder({
    open: openMicrophone,
    getPreferredInput,
    storage: createRecordingStorage(),
    getServiceUrl: () => api.address(),
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
  const onPageHide = () => recorder.end("closed");
  const onBeforeUnload = (event: BeforeUnloadEvent) => recorder.hasUnpersisted() && event.preventDefault();
  globalThis.addEventListener?.("pagehide", onPageHide);
  globalThis.addEventListener?.("beforeunload", onBeforeUnload);
  return {
    ...recorder,
    dispose() {
      recorder.end("closed");
      globalThis.removeEventListener?.("pagehide", onPageHide);
      globalThis.removeEventListener?.("beforeunload", onBeforeUnload);
    },
  };
}

export const useRecorder = (): Recorder => useClient().recorder;

/** Selects a value of the recording and rerenders when the value changes. `selector` must return a primitive or a stable object. */
export function useRecording<T extends string | number | boolean | object | null>(selector: (recording: Recording) => T): T {
  const recorder = useRecorder();
  return useSyncExternalStore(recorder.subscribe, () => selector(recorder.state()));
}

export function useVoiceDrafts(): readonly VoiceDraft[] {
  const recorder = useRecorder();
  return useSyncExternalStore(recorder.subscribe, recorder.drafts);
}

export function useDiscardedDraft(): VoiceDraft | null {
  const recorder = useRecorder();
  return useSyncExternalStore(recorder.subscribe, recorder.discarded);
}
