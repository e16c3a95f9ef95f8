import { useSyncExternalStore } from "react";
import { recorder } from "../../../audio/recorder/page-recorder.ts";
import type { Recording } from "../../../audio/recorder/recording.ts";

/** Selects a value of the recording and rerenders when the value changes. `selector` must return a primitive or a stable object. */
export function useRecorder<T extends string | number | boolean | object | null>(selector: (recording: Recording) => T): T {
  return useSyncExternalStore(recorder.subscribe, () => selector(recorder.state()));
}

export const useVoiceDrafts = () => useSyncExternalStore(recorder.subscribe, recorder.drafts);
export const useDiscardedDraft = () => useSyncExternalStore(recorder.subscribe, recorder.discarded);
