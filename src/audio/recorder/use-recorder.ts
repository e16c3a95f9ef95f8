import { useSyncExternalStore } from "react";
import { useClient } from "../../client/client.ts";
import type { Recorder } from "./recorder.ts";
import type { Recording } from "./recording.ts";
import type { VoiceDraft } from "./voice-drafts.ts";

export const useRecorder = (): Recorder => useClient().audio.get().recorder;

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
