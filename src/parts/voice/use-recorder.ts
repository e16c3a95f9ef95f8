import { useSyncExternalStore } from "react";
import { recorder } from "../../audio/voice/recorder-here.ts";
import type { Recording } from "../../audio/voice/recording.ts";

/** What is asked of the recording; renders when that changes. `selector` must answer something that compares by itself. */
export function useRecorder<T extends string | number | boolean | object | null>(selector: (recording: Recording) => T): T {
  return useSyncExternalStore(recorder.subscribe, () => selector(recorder.state()));
}

export const useVoiceDrafts = () => useSyncExternalStore(recorder.subscribe, recorder.drafts);
export const useDiscardedDraft = () => useSyncExternalStore(recorder.subscribe, recorder.discarded);
